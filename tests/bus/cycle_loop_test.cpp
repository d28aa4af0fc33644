// The cycle of a bench: who is called when, resets, the order of components, the traced window.
#include "tb/run/cycle_loop.h"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <set>
#include <string>
#include <vector>

#include "tb/files/interrupt.h"

namespace tessera {
namespace {

class Recorder final : public Clocked {
 public:
  void Settle() override { log += 's'; }
  void Edge() override { log += 'e'; }
  void Trace(const std::string& path) override { log += path.empty() ? ']' : '['; }
  std::string log;
};

class Part final : public Component {
 public:
  Part(char name, Recorder* model) : name_(name), model_(model) {}
  void Sample(const Tick& tick) override {
    model_->log += name_;
    resets += tick.reset ? '1' : '0';
  }
  void Drive(const Tick& next) override {
    model_->log += static_cast<char>(name_ - 'a' + 'A');
    EXPECT_EQ(model_->aresetn, !next.reset);
  }
  std::string resets;

 private:
  char name_;
  Recorder* model_;
};

class Loop : public CycleLoop {
 public:
  Loop(Recorder* model, uint64_t seed, bool shuffle, uint64_t reset_cycles = 2)
      : CycleLoop(model, Rng(seed), shuffle, reset_cycles) {}
  using CycleLoop::Add;
};

TEST(CycleLoop, SettlesSamplesRisesDrives) {
  Recorder model;
  Part a('a', &model), b('b', &model);
  Loop loop(&model, 1, false);
  loop.Add(&a);
  loop.Add(&b);
  loop.Step();
  EXPECT_EQ(model.log, "sabeAB");
  EXPECT_EQ(loop.cycle(), 1U);
}

TEST(CycleLoop, ResetsFromTheNextCycleOn) {
  Recorder model;
  Part a('a', &model);
  Loop loop(&model, 1, false);
  loop.Add(&a);
  for (int n = 0; n < 4; ++n) loop.Step();
  loop.Reset(2);
  for (int n = 0; n < 4; ++n) loop.Step();
  EXPECT_EQ(a.resets, "11000110");
  EXPECT_EQ(loop.resets(), 1U);
}

// Every order comes, and all components are called once.
TEST(CycleLoop, DrawsTheOrderOfComponents) {
  std::set<std::string> samples, drives;
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    Recorder model;
    Part a('a', &model), b('b', &model), c('c', &model);
    Loop loop(&model, seed, true);
    for (Part* part : std::vector<Part*>{&a, &b, &c}) loop.Add(part);
    loop.Step();
    samples.insert(model.log.substr(1, 3));
    drives.insert(model.log.substr(5, 3));
  }
  EXPECT_EQ(samples.size(), 6U);
  EXPECT_EQ(drives.size(), 6U);
}

TEST(CycleLoop, TracesAWindow) {
  Recorder model;
  Loop loop(&model, 1, false);
  loop.TraceWindow("file", 2, 3);
  for (int n = 0; n < 5; ++n) loop.Step();
  EXPECT_EQ(model.log, "ses[eses]ese");
}

// A signal in the middle of a run ends it soon, where that was asked for.
TEST(CycleLoop, StopsAtAnInterrupt) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  for (const bool stops : {true, false}) {
    EXPECT_EXIT(
        {
          CatchSignals();
          const InterruptScope scope;
          Recorder model;
          Loop loop(&model, 1, false);
          if (stops) loop.StopAtInterrupt();
          for (int n = 0; n < 100; ++n) loop.Step();
          std::raise(SIGINT);
          int cycles = 0;
          try {
            while (cycles < 1000) {
              loop.Step();
              ++cycles;
            }
          } catch (const InterruptedRun&) {
            std::exit(cycles <= 256 ? 1 : 2);
          }
          std::exit(0);
        },
        ::testing::ExitedWithCode(stops ? 1 : 0), "");
  }
}

}  // namespace
}  // namespace tessera
