// The sequencer of all channels against a model of tasks, locks, ends and records.
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/program/program_sequencer_bench.h"

namespace tessera {
namespace {

// Random descriptors. Locks below `locks` - 1 are semaphores of 4; the last one is a gate that is
// open at 1, or with EqualTakes a mutex.
void Randomise(SequencerBench& bench, const SequencerShape& shape, Rng& rng, bool tiles) {
  for (int n = 0; n < 48; ++n) {
    Plan& p = bench.plan(n);
    p = Plan{};
    if (n < 44 && rng.Chance(0.4)) p.next = static_cast<int>(rng.Between(n + 1, 47));
    if (rng.Chance(0.5)) {
      p.acquires = true;
      const int semaphores = shape.locks > 1 ? shape.locks - 1 : 1;
      p.acquire = p.release = static_cast<int>(rng.Below(rng.Chance(0.5) ? semaphores : 1));
      p.give = static_cast<int>(rng.Between(1, 3));
      p.take = -p.give;
      if (shape.locks > 1 && rng.Chance(0.2)) {
        p.acquire = p.release = shape.locks - 1;
        p.take = 1;
        p.give = shape.equal_takes ? 1 : 0;
      }
    }
    p.interrupts = rng.Chance(0.3);
    p.no_record = rng.Chance(0.4);
    p.finish = rng.Chance(0.5);
    p.element = static_cast<int>(rng.Below(7));
    p.side = static_cast<uint32_t>(rng());
    if (tiles && rng.Chance(0.3)) p.contexts = static_cast<int>(rng.Between(2, 7));
  }
}

std::vector<Task> Programs(Rng& rng, const SequencerShape& shape, bool triggers) {
  std::vector<Task> tasks;
  for (int n = 0; n < 20; ++n) {
    Task t;
    t.start = static_cast<int>(rng.Below(48));
    t.turns = rng.Chance(0.6) ? 1 : static_cast<int>(rng.Between(1, 5));
    t.token = rng.Chance(0.3);
    t.trigger = triggers && rng.Chance(0.3);
    t.paced = triggers && rng.Chance(0.2);
    t.from_list = shape.lists && rng.Chance(0.3);
    if (n == 19) t.endless = true;
    tasks.push_back(t);
  }
  return tasks;
}

// Seeds of each random test: PROGRAM_SEEDS=FROM-TO in the environment, for a soak.
std::pair<uint64_t, uint64_t> Seeds(uint64_t most) {
  const char* text = std::getenv("PROGRAM_SEEDS");
  if (text == nullptr) return {1, most};
  char* end = nullptr;
  const uint64_t from = std::strtoull(text, &end, 10);
  return {from, *end == '-' ? std::strtoull(end + 1, nullptr, 10) : from};
}

SequencerPace RandomPace(Rng& rng) {
  SequencerPace pace;
  const auto draw = [&] { return rng.Chance(0.5) ? 256 : static_cast<int>(rng.Between(30, 255)); };
  pace.push = static_cast<int>(rng.Between(2, 200));
  pace.pop = rng.Chance(0.7) ? 256 : static_cast<int>(rng.Between(1, 40));
  pace.end = draw();
  pace.entry = draw();
  pace.job = draw();
  pace.list = draw();
  pace.trigger = static_cast<int>(rng.Between(4, 64));
  pace.prepare_least = static_cast<int>(rng.Between(3, 6));
  pace.prepare_most = pace.prepare_least + static_cast<int>(rng.Below(rng.Chance(0.5) ? 2 : 40));
  pace.hold_least = static_cast<int>(rng.Between(1, 10));
  pace.hold_most = pace.hold_least + static_cast<int>(rng.Below(rng.Chance(0.5) ? 4 : 60));
  pace.end_least = 1;
  pace.end_most = static_cast<int>(rng.Between(1, 80));
  pace.errors = rng.Chance(0.5) ? 0 : static_cast<int>(rng.Between(4, 60));
  pace.cuts = rng.Chance(0.5) ? 0 : 20;
  pace.overlaps = rng.Chance(0.3);
  return pace;
}

class ProgramSequencers : public testing::TestWithParam<SequencerShape> {
 protected:
  // Random programs for so many cycles each, then to their end.
  void Run(uint64_t programs, uint64_t cycles, bool orders, bool tiles) {
    const SequencerShape& shape = GetParam();
    uint64_t retired = 0;
    const auto [from, to] = Seeds(programs);
    for (uint64_t seed = from; seed <= to; ++seed) {
      Rng rng = Rng(seed).Stream(shape.name);
      SequencerPace pace = RandomPace(rng);
      if (orders) {
        pace.orders = static_cast<int>(rng.Between(20, 400)) / (shape.channels > 8 ? 4 : 1);
        pace.refuses = rng.Chance(0.5) ? 0 : 600;
      }
      SequencerBench bench(shape, seed, pace);
      Randomise(bench, shape, rng, tiles);
      bench.set_programs(Programs(rng, shape, rng.Chance(0.6)));
      for (int c = 0; c < shape.channels; ++c) {
        std::vector<int> list;
        for (uint64_t n = rng.Between(1, 6); n > 0; --n)
          list.push_back(static_cast<int>(rng.Below(48)));
        if (shape.lists) bench.set_list(c, list);
        if (orders && rng.Chance(0.3)) bench.set_stop_on(c, static_cast<int>(rng.Below(128)));
      }
      for (int k = 0; k < shape.locks; ++k)
        bench.SetLock(k, k == shape.locks - 1 && shape.locks > 1 ? 1 : 4);
      const uint64_t begun = bench.cycle();
      while (bench.cycle() - begun < cycles) {
        ASSERT_EQ(bench.Cycles(rng.Between(1, 400)), "") << shape.name << ", seed " << seed;
        if (shape.locks > 1 && !shape.equal_takes)
          bench.SetLock(shape.locks - 1, static_cast<int>(rng.Below(3)));
      }
      if (shape.locks > 1 && !shape.equal_takes) bench.SetLock(shape.locks - 1, 1);
      ASSERT_EQ(bench.Finish(200000), "") << shape.name << ", seed " << seed;
      for (int c = 0; c < shape.channels; ++c) retired += bench.retired(c);
    }
    EXPECT_GT(retired, (to - from + 1) * cycles / 1000);
    RecordProperty("retired", static_cast<int>(retired));
  }
};

TEST_P(ProgramSequencers, RunsRandomPrograms) { Run(10, 6000, false, false); }
TEST_P(ProgramSequencers, RunsTransfersOfSeveralContexts) { Run(10, 6000, false, true); }
TEST_P(ProgramSequencers, ObeysRandomOrders) { Run(25, 6000, true, true); }

INSTANTIATE_TEST_SUITE_P(All, ProgramSequencers, testing::ValuesIn(kSequencers),
                         [](const auto& i) { return i.param.name; });

// What is told of a channel that waits.
TEST(ProgramSequencer, ABitOfStopOnStopsTheChannel) {
  SequencerPace pace;
  pace.errors = 256;
  SequencerBench bench(kSequencers[0], 3, pace);
  bench.set_stop_on(0, 127);
  bench.Push(0, {.turns = 20});
  ASSERT_EQ(bench.Cycles(400), "");
  EXPECT_TRUE(bench.faulted(0));
  EXPECT_LT(bench.retired(0), 5U);
  EXPECT_EQ(bench.Look(0).waits, 13);
  ASSERT_EQ(bench.Finish(1000), "");
}

TEST(ProgramSequencer, WaitsWithoutRoomForRecordsAndForItsTrigger) {
  SequencerPace pace;
  pace.pop = 0;
  SequencerBench bench(kSequencers[0], 1, pace);
  bench.Push(0, {.turns = 30});
  bench.Push(1, {.turns = 3, .paced = true});
  ASSERT_EQ(bench.Cycles(500), "");
  EXPECT_EQ(bench.retired(0), 8U);
  auto view = bench.Look(0);
  EXPECT_EQ(view.waits, 6);
  EXPECT_EQ(view.records, 8);
  EXPECT_TRUE(view.in_task);
  EXPECT_EQ(bench.Look(1).waits, 1);
  bench.Fire(1);
  ASSERT_EQ(bench.Cycles(100), "");
  EXPECT_EQ(bench.retired(1), 1U);
  view = bench.Look(1);
  EXPECT_EQ(view.waits, 1);
  EXPECT_EQ(view.room, 3);
  pace.pop = 256;
  pace.trigger = 64;
  bench.set_pace(pace);
  ASSERT_EQ(bench.Finish(2000), "");
  EXPECT_EQ(bench.retired(0), 30U);
  EXPECT_EQ(bench.retired(1), 3U);
}

}  // namespace
}  // namespace tessera
