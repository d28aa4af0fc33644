// The sequencer of all channels against a model of tasks, locks, ends and records.
#include <gtest/gtest.h>

#include <cstdlib>

#include "tb/check/plan.h"
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
  pace.token = draw();
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

// ---- One thing at a time

constexpr SequencerShape kPair = kSequencers[0], kEight = kSequencers[1];

SequencerPace Calm() {
  SequencerPace pace;
  pace.fixed_words = true;
  return pace;
}

Plan Acquires(int lock, int value) {
  Plan p;
  p.acquires = true;
  p.acquire = lock;
  p.take = value;
  return p;
}

TEST(ProgramSequencer, TakesThreeCyclesFromPushToJobAndOneFromPreparedToGo) {
  SequencerBench bench(kPair, 1, Calm());
  bench.Push(1, {});
  ASSERT_EQ(bench.Cycles(30), "");
  EXPECT_EQ(bench.last_job() - bench.last_push(), 3U);
  EXPECT_EQ(bench.last_go() - bench.last_prepared(), 1U);
  ASSERT_EQ(bench.Finish(1000), "");
}

TEST(ProgramSequencer, TakesFourMoreCyclesWithAFreeLock) {
  SequencerBench bench(kPair, 1, Calm());
  bench.plan(0) = Acquires(3, -2);
  bench.SetLock(3, 2);
  bench.Push(1, {});
  ASSERT_EQ(bench.Cycles(40), "");
  EXPECT_EQ(bench.last_go() - bench.last_prepared(), 5U);
  ASSERT_EQ(bench.Finish(1000), "");
}

TEST(ProgramSequencer, TriesALockWhileATransferOfItsChannelRuns) {
  SequencerPace pace = Calm();
  pace.hold_least = pace.hold_most = 200;
  SequencerBench bench(kPair, 1, pace);
  bench.plan(1) = Acquires(3, -1);
  bench.SetLock(3, 1);
  bench.Push(1, {});
  bench.Push(1, {.start = 1});
  ASSERT_EQ(bench.Cycles(100), "");
  EXPECT_EQ(bench.launched(1), 2U);
  ASSERT_EQ(bench.Finish(1000), "");
}

TEST(ProgramSequencer, LaunchesSevenCyclesBehindAReleaseOfRegisters) {
  SequencerBench bench(kPair, 1, Calm());
  bench.plan(0) = Acquires(3, -2);
  bench.Push(1, {});
  ASSERT_EQ(bench.Cycles(60), "");
  EXPECT_EQ(bench.launched(1), 0U);
  bench.Release(3, 2);
  ASSERT_EQ(bench.Cycles(20), "");
  EXPECT_EQ(bench.last_go() - (bench.last_lock() - 2), 7U);  // it is answered after 2 cycles
  ASSERT_EQ(bench.Finish(1000), "");
}

TEST(ProgramSequencer, LaunchesNineCyclesBehindTheEndThatReleases) {
  SequencerBench bench(kPair, 1, Calm());
  bench.plan(0) = Acquires(3, -2);
  bench.plan(1).release = 3;
  bench.plan(1).give = 2;
  bench.Push(1, {});
  ASSERT_EQ(bench.Cycles(60), "");
  bench.Push(0, {.start = 1});
  while (bench.launched(1) == 0) ASSERT_EQ(bench.Cycles(1), "");
  EXPECT_EQ(bench.last_go() - bench.last_end(), 9U);
  ASSERT_EQ(bench.Finish(1000), "");
}

// Cycles a descriptor with so many channels busy.
double Rate(const SequencerShape& shape, SequencerPace pace, int channels, bool locks) {
  SequencerBench bench(shape, 1, pace);
  for (int n = 0; n < 2; ++n) {
    Plan& p = bench.plan(n);
    p.no_record = true;
    p.next = n == 0 ? 1 : -1;
    if (!locks) continue;
    p.acquires = true;
    p.acquire = p.release = n;
    p.give = 1;
    p.take = -1;
    bench.SetLock(n, 40);
  }
  for (int c = 0; c < channels; ++c) bench.Push(c, {.endless = true});
  EXPECT_EQ(bench.Cycles(300), "");
  uint64_t before = 0, after = 0;
  for (int c = 0; c < channels; ++c) before += bench.launched(c);
  EXPECT_EQ(bench.Cycles(2000), "");
  for (int c = 0; c < channels; ++c) after += bench.launched(c);
  EXPECT_EQ(bench.Finish(5000), "");
  return 2000.0 / static_cast<double>(after - before);
}

TEST(ProgramSequencer, GivesADescriptorInFourCyclesToSeveralChannels) {
  EXPECT_LE(Rate(kEight, Calm(), 8, false), 4.05);
  EXPECT_LE(Rate(kEight, Calm(), 2, false), 4.05);
  EXPECT_LE(Rate(kPair, Calm(), 2, false), 4.4);
  EXPECT_LE(Rate(kSequencers[3], Calm(), 32, false), 4.05);
  EXPECT_LE(Rate(kSequencers[3], Calm(), 32, true), 4.4);
}

TEST(ProgramSequencer, GivesADescriptorInSevenCyclesToOneChannel) {
  EXPECT_LE(Rate(kPair, Calm(), 1, false), 7.05);
  SequencerPace pace = Calm();
  pace.prepare_least = pace.prepare_most = 5;
  pace.hold_least = pace.hold_most = 8;
  EXPECT_LE(Rate(kPair, pace, 1, false), 8.05);
  EXPECT_LE(Rate(kEight, Calm(), 1, true), 8.05);
}

TEST(ProgramSequencer, GrantsALockInTheOrderOfArrivalAndAnAbortLeavesTheLine) {
  Proves({"lock.order"});
  SequencerBench bench(kEight, 1, Calm());
  bench.plan(0) = Acquires(2, -2);
  bench.plan(1) = Acquires(2, -1);
  bench.Push(4, {.start = 0});
  ASSERT_EQ(bench.Cycles(30), "");
  for (int c = 0; c < 3; ++c) bench.Push(c, {.start = 1});
  ASSERT_EQ(bench.Cycles(60), "");
  bench.SetLock(2, 1);  // enough for the others, which came later
  ASSERT_EQ(bench.Cycles(60), "");
  for (int c = 0; c < 5; ++c) EXPECT_EQ(bench.launched(c), 0U) << c;
  EXPECT_FALSE(bench.Try(2, -1));
  const auto view = bench.Look(4);
  EXPECT_EQ(view.waits, 3);
  EXPECT_EQ(view.next_waits, 3);
  EXPECT_EQ(view.lock, 2);
  bench.Order(1, false, true, false, false);  // from the middle of the line
  ASSERT_EQ(bench.Cycles(40), "");
  EXPECT_TRUE(bench.idle(1));
  bench.Order(4, false, true, false, false);  // from its head
  ASSERT_EQ(bench.Cycles(40), "");
  EXPECT_EQ(bench.launched(0), 1U);
  EXPECT_EQ(bench.launched(1), 0U);
  EXPECT_EQ(bench.launched(2), 0U);
  EXPECT_EQ(bench.launched(4), 0U);
  bench.Order(1, false, false, false, false);
  bench.Push(1, {.start = 1});  // behind channel 2 now
  ASSERT_EQ(bench.Cycles(40), "");
  bench.Release(2, 1);
  ASSERT_EQ(bench.Cycles(40), "");
  EXPECT_EQ(bench.launched(2), 1U);
  EXPECT_EQ(bench.launched(1), 0U);
  bench.Release(2, 1);
  ASSERT_EQ(bench.Finish(1000), "");
  EXPECT_EQ(bench.launched(1), 1U);
}

TEST(ProgramSequencer, GivesBackALockThatADrainedChannelHasAcquired) {
  SequencerBench bench(kPair, 1, Calm());
  bench.plan(0) = Acquires(5, -3);
  bench.SetLock(5, 4);
  bench.Order(0, true, false, false, false);
  bench.Push(0, {});
  ASSERT_EQ(bench.Cycles(60), "");
  EXPECT_EQ(bench.launched(0), 0U);
  EXPECT_EQ(bench.ReadLock(5), 1);
  EXPECT_EQ(bench.Look(0).waits, 4);
  bench.Order(0, true, true, false, false);
  ASSERT_EQ(bench.Cycles(30), "");
  EXPECT_EQ(bench.ReadLock(5), 4);
  EXPECT_TRUE(bench.idle(0));
  ASSERT_EQ(bench.Finish(1000), "");
}

TEST(ProgramSequencer, AWaitingChannelHoldsUpNoOther) {
  SequencerBench bench(kPair, 1, Calm());
  bench.plan(0) = Acquires(5, -3);
  bench.Push(0, {.turns = 9});
  bench.Push(1, {.start = 1, .turns = 50});
  ASSERT_EQ(bench.Cycles(1200), "");
  EXPECT_EQ(bench.retired(1), 50U);
  EXPECT_EQ(bench.launched(0), 0U);
  bench.SetLock(5, 27);
  ASSERT_EQ(bench.Finish(1000), "");
  EXPECT_EQ(bench.retired(0), 9U);
  EXPECT_EQ(bench.empties(), 2U);
}

TEST(ProgramSequencer, ARefusedDescriptorHaltsItsChannelUntilAReset) {
  SequencerBench bench(kPair, 1, Calm());
  bench.plan(0).next = 1;
  bench.plan(1).next = 2;
  bench.plan(2).next = 3;
  bench.plan(2).refused = 34;
  bench.plan(0) = Acquires(1, -1);
  bench.plan(0).next = 1;
  bench.Push(0, {});
  bench.Push(1, {.start = 5, .turns = 3});
  ASSERT_EQ(bench.Cycles(100), "");
  EXPECT_FALSE(bench.halted(0));
  bench.SetLock(1, 1);
  ASSERT_EQ(bench.Cycles(100), "");
  EXPECT_EQ(bench.retired(0), 2U);  // those before it
  EXPECT_TRUE(bench.halted(0));
  EXPECT_EQ(bench.Look(0).waits, 13);
  EXPECT_EQ(bench.retired(1), 3U);
  bench.Order(0, false, true, false, false);  // an abort does not help
  ASSERT_EQ(bench.Cycles(50), "");
  EXPECT_TRUE(bench.halted(0));
  EXPECT_TRUE(bench.idle(0));
  bench.Order(0, false, false, true, false);
  ASSERT_EQ(bench.Cycles(50), "");
  EXPECT_FALSE(bench.halted(0));
  EXPECT_TRUE(bench.in_reset(0));
  EXPECT_EQ(bench.Look(0).waits, 12);
  bench.Order(0, false, false, false, false);
  bench.Push(0, {.start = 5});
  ASSERT_EQ(bench.Finish(1000), "");
  EXPECT_EQ(bench.retired(0), 3U);
}

TEST(ProgramSequencer, ABitOfStopOnStopsTheChannel) {
  SequencerPace pace = Calm();
  pace.errors = 256;
  SequencerBench bench(kPair, 3, pace);
  bench.set_stop_on(0, 127);
  bench.Push(0, {.turns = 20});
  ASSERT_EQ(bench.Cycles(400), "");
  EXPECT_TRUE(bench.faulted(0));
  EXPECT_LT(bench.retired(0), 5U);
  EXPECT_EQ(bench.Look(0).waits, 13);
  ASSERT_EQ(bench.Finish(1000), "");
}

TEST(ProgramSequencer, WaitsWithoutRoomForRecordsAndForItsTrigger) {
  SequencerPace pace = Calm();
  pace.pop = 0;
  SequencerBench bench(kPair, 1, pace);
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

TEST(ProgramSequencer, AnEndlessTaskEndsWithStop) {
  SequencerBench bench(kPair, 1, Calm());
  bench.plan(0).next = 1;
  bench.plan(0).no_record = bench.plan(1).no_record = true;
  bench.Push(0, {.endless = true, .token = true});
  ASSERT_EQ(bench.Cycles(1000), "");
  EXPECT_GT(bench.retired(0), 100U);
  EXPECT_TRUE(bench.busy(0));
  EXPECT_EQ(bench.tokens(), 0U);
  bench.Order(0, false, false, false, true);
  ASSERT_EQ(bench.Cycles(60), "");
  EXPECT_FALSE(bench.busy(0));
  EXPECT_EQ(bench.retired(0) % 2, 0U);
  EXPECT_EQ(bench.tokens(), 1U);
  ASSERT_EQ(bench.Finish(1000), "");
}

TEST(ProgramSequencer, AnAbortCutsATransferOfManyContexts) {
  SequencerPace pace = Calm();
  pace.hold_least = pace.hold_most = 20;
  SequencerBench bench(kPair, 1, pace);
  bench.plan(0).contexts = 100;
  bench.Push(0, {.turns = 3});
  ASSERT_EQ(bench.Cycles(200), "");
  EXPECT_EQ(bench.launched(0), 1U);
  bench.Order(0, false, true, false, false);
  ASSERT_EQ(bench.Cycles(100), "");
  EXPECT_TRUE(bench.idle(0));
  EXPECT_EQ(bench.retired(0), 1U);
  EXPECT_EQ(bench.dropped(), 0U);
  ASSERT_EQ(bench.Finish(1000), "");
  EXPECT_EQ(bench.launched(0), 1U);
}

TEST(ProgramSequencer, DrainKeepsPreparedTransfersAndAbortReusesTheirSlots) {
  SequencerBench bench(kEight, 1, Calm());
  bench.Order(2, true, false, false, false);
  bench.Push(2, {.turns = 10});
  ASSERT_EQ(bench.Cycles(100), "");
  EXPECT_EQ(bench.launched(2), 0U);
  EXPECT_TRUE(bench.idle(2));
  bench.Order(2, false, false, false, false);
  ASSERT_EQ(bench.Cycles(25), "");
  bench.Order(2, true, false, false, false);
  ASSERT_EQ(bench.Cycles(100), "");
  const uint64_t launched = bench.launched(2);
  EXPECT_GT(launched, 0U);
  EXPECT_LT(launched, 10U);
  bench.Order(2, true, true, false, false);
  ASSERT_EQ(bench.Cycles(100), "");
  EXPECT_GT(bench.dropped(), 0U);
  bench.Order(2, false, false, false, false);
  bench.Push(2, {.turns = 7});
  ASSERT_EQ(bench.Finish(1000), "");
  EXPECT_EQ(bench.launched(2), launched + 7);
}

}  // namespace
}  // namespace tessera
