// What lists do after a fault of their port, during quiesce, and at their registers.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/list/list_bench.h"

namespace tessera::list {
namespace {

constexpr int kFaultEarlyLast = 1, kFaultLateLast = 2, kFaultUnasked = 3, kFaultBusTime = 6;

class ListFaults : public testing::TestWithParam<Shape> {
 protected:
  // A ring of `places` in a channel, with entries, and so many descriptors posted.
  static void Ring(ListBench& bench, int channel, uint32_t posted, bool entries = true) {
    Registers r;
    r.ring = true;
    r.entries = entries;
    r.count = 16;
    r.base = 0x10000 * static_cast<uint64_t>(channel + 1);
    r.done = r.base + 0x8000;
    bench.Program(channel, r);
    for (uint32_t n = 0; n < 16; ++n) Describe(bench, channel, n);
    bench.Ring(channel, posted);
  }
  static void Describe(ListBench& bench, int channel, uint32_t n) {
    list::Describe(bench.At(bench.list(channel).setup.base + 64 * n), bench.rng());
  }
  static void Reset(ListBench& bench, int channel) {
    bool done = false;
    for (int n = 0; n < 2000 && bench.ok() && !done; ++n) {
      done = bench.Reset(channel, 20);
      bench.Cycle();
    }
    EXPECT_TRUE(done) << "channel " << channel;
    bench.Run(60);
    EXPECT_EQ(bench.failure(), "");
  }
  static uint32_t FaultOf(ListBench& bench, int channel) {
    return bench.Read(channel, kStatus) >> 8 & 15;
  }
};

// A fault of the fetches ends the lists that wait, in every channel's status; behind it all works
// again when no list is open.
TEST_P(ListFaults, EndTheListsThatWait) {
  const Shape& shape = GetParam();
  for (const int kind : {kFaultEarlyLast, kFaultLateLast, kFaultUnasked, kFaultBusTime}) {
    SCOPED_TRACE(kind);
    if (kind == kFaultEarlyLast && shape.width == 512) continue;  // of one beat
    ListBench bench(shape, 1, Pace{});
    const int last = shape.channels - 1;
    bench.list(0).may_fault = true;
    if (kind == kFaultEarlyLast) bench.memory().early_last = 1;
    if (kind == kFaultLateLast) bench.memory().late_last = 1;
    if (kind == kFaultBusTime) bench.memory().silent_reads = true;
    Ring(bench, 0, kind == kFaultUnasked ? 0 : 3);
    bench.Open(0, 1);
    bench.Run(30);
    if (kind == kFaultUnasked) {
      bench.memory().Stray(bench.model().ar_id_o);
      bench.Run(20);
      bench.Ring(0, 3);  // ends like one that was there
    }
    bench.Run(kind == kFaultBusTime ? 400 : 60);
    EXPECT_EQ(bench.failure(), "");
    EXPECT_TRUE(bench.list(0).halted);
    EXPECT_EQ(bench.counts.reasons[kFault], 1U);
    EXPECT_EQ(bench.Read(0, kHead), bench.list(0).head);
    for (const int c : {0, last}) EXPECT_EQ(FaultOf(bench, c), static_cast<uint32_t>(kind));
    // Nothing is asked for while a list is open.
    uint64_t fetches = 0;
    bench.on_fetch = [&](int, uint64_t) { ++fetches; };
    if (last != 0) {
      bench.list(last).may_fault = true;
      Ring(bench, last, 2);
      bench.Open(last, 1);
      bench.Run(80);
      EXPECT_EQ(fetches, 0U);
      EXPECT_TRUE(bench.list(last).halted);
      Reset(bench, last);
      EXPECT_EQ(FaultOf(bench, last), 0U);
      bench.list(last).may_fault = false;
    }
    bench.memory().silent_reads = false;
    bench.Run(100);
    Reset(bench, 0);
    EXPECT_EQ(FaultOf(bench, 0), 0U);
    bench.list(0).may_fault = false;
    Ring(bench, 0, 9);
    bench.Open(0, 1);
    bench.Run(300);
    EXPECT_EQ(bench.failure(), "");
    EXPECT_EQ(bench.list(0).head, 9U);
  }
}

// Give up: what the memory owes is forgotten, and does no harm when it comes.
TEST_P(ListFaults, ForgetWhatTheMemoryOwes) {
  const Shape& shape = GetParam();
  ListBench bench(shape, 2, Pace{});
  for (int turn = 0; turn < 3; ++turn) {
    SCOPED_TRACE(turn);
    bench.list(0).may_fault = true;
    bench.memory().silent_reads = true;
    Ring(bench, 0, 5);
    bench.Open(0, 1);
    bench.Run(400);
    EXPECT_TRUE(bench.list(0).halted);
    const size_t owed = bench.memory().owed_reads();
    EXPECT_GE(owed, 4U);
    // A channel whose list was not busy has nothing to give up.
    if (shape.channels > 1) {
      bench.give_up = 2;
      Reset(bench, 1);
      EXPECT_FALSE(bench.model().rests_o);
    }
    bench.give_up = 1;
    bench.last_fault = 0;
    Reset(bench, 0);
    bench.give_up = 0;
    EXPECT_TRUE(bench.model().rests_o);
    bench.list(0).may_fault = false;
    EXPECT_EQ(FaultOf(bench, 0), 0U);
    EXPECT_EQ(bench.last_fault, 0) << "the silence is told once";
    // The late answers come before those of new fetches.
    bench.last_fault = 0;
    Ring(bench, 0, 9);
    bench.Open(0, 1);
    bench.Run(20);
    bench.memory().silent_reads = false;
    bench.Run(500);
    EXPECT_EQ(bench.failure(), "");
    EXPECT_EQ(bench.list(0).head, 9U);
    EXPECT_EQ(bench.last_fault, 0);
    Reset(bench, 0);
  }
}

TEST_P(ListFaults, EndTheEntriesThatWait) {
  const Shape& shape = GetParam();
  for (const bool gives_up : {false, true}) {
    for (const bool deaf : {false, true}) {
      SCOPED_TRACE(fmt::format("gives up {}, deaf {}", gives_up, deaf));
      ListBench bench(shape, 3, Pace{});
      bench.list(0).may_entry_fault = true;
      (deaf ? bench.memory().deaf_writes : bench.memory().silent_writes) = true;
      Ring(bench, 0, 4);
      bench.Open(0, 1);
      bench.Run(600);
      EXPECT_EQ(bench.failure(), "");
      EXPECT_TRUE(bench.list(0).halted);
      EXPECT_EQ(bench.counts.reasons[kEntryFault], 1U);
      EXPECT_EQ(FaultOf(bench, 0), static_cast<uint32_t>(kFaultBusTime));
      EXPECT_EQ(bench.Read(0, kStatus) >> 4 & 7, 5U);
      // Fetches of others go on.
      if (shape.channels > 1) {
        Ring(bench, 1, 9, false);
        bench.Open(1, 1);
        bench.Run(300);
        EXPECT_EQ(bench.list(1).head, 9U);
        Reset(bench, 1);
      }
      if (!gives_up || deaf) {
        // An address that shows is never taken back.
        bench.memory().deaf_writes = bench.memory().silent_writes = false;
        bench.Run(100);
      }
      bench.give_up = gives_up ? 1 : 0;
      Reset(bench, 0);
      bench.give_up = 0;
      EXPECT_TRUE(bench.model().rests_o);
      bench.memory().silent_writes = false;
      bench.Run(20);
      bench.list(0).expected.clear();
      bench.list(0).may_entry_fault = gives_up && !deaf;  // late answers count no entry
      bench.Forget();
      const uint64_t entries = bench.counts.entries;
      Ring(bench, 0, 9);
      bench.Open(0, 1);
      bench.Run(400);
      EXPECT_EQ(bench.failure(), "");
      EXPECT_EQ(bench.list(0).head, 9U);
      EXPECT_EQ(bench.counts.entries, entries + 9);
      EXPECT_FALSE(bench.list(0).halted);
    }
  }
}

TEST_P(ListFaults, AnAnswerWithoutAnEntryIsOne) {
  ListBench bench(GetParam(), 4, Pace{});
  bench.Run(100);
  bench.memory().StrayAnswer(bench.model().aw_id_o);
  bench.Run(10);
  EXPECT_EQ(FaultOf(bench, 0), static_cast<uint32_t>(kFaultUnasked));
  // Nothing is owed and no list is open: all works again.
  Reset(bench, 0);
  Ring(bench, 0, 9);
  bench.Open(0, 1);
  bench.Run(400);
  EXPECT_EQ(bench.failure(), "");
  EXPECT_EQ(bench.counts.entries, 9U);
}

// A reset does not wait for the answers of entries, and forgets them.
TEST_P(ListFaults, AnswersFromBeforeAResetDoNotCount) {
  for (const bool refused : {false, true}) {
    ListBench bench(GetParam(), 8, Pace{});
    Ring(bench, 0, 3);
    if (refused) bench.memory().errors[bench.list(0).setup.done / 64] = 2;
    bench.memory().silent_writes = true;
    bench.Open(0, 1);
    bench.Run(100);
    Reset(bench, 0);
    bench.Run(100);
    EXPECT_FALSE(bench.model().rests_o);
    bench.memory().silent_writes = false;
    bench.Run(50);
    EXPECT_EQ(bench.counts.entries, 3U);
    EXPECT_EQ(bench.counts.interrupts, 0U);
    EXPECT_EQ(bench.counts.reports, 0U);
    EXPECT_FALSE(bench.list(0).halted);
    EXPECT_EQ(bench.failure(), "");
  }
}

// Beats and answers of another epoch are none of ours.
TEST_P(ListFaults, StaleAnswersAreDropped) {
  ListBench bench(GetParam(), 5, Pace{});
  Ring(bench, 0, 9);
  bench.Open(0, 1);
  bench.Run(20);
  bench.memory().StrayAnswer(1);
  bench.Run(400);
  EXPECT_EQ(bench.failure(), "");
  EXPECT_EQ(bench.last_fault, 0);
  EXPECT_EQ(bench.counts.entries, 9U);
}

TEST_P(ListFaults, QuiesceKeepsAllAsItIs) {
  ListBench bench(GetParam(), 6, Pace{});
  Ring(bench, 0, 4);
  bench.Open(0, 1);
  bench.Run(200);
  bench.quiesce = true;
  bench.Run(30);
  EXPECT_TRUE(bench.model().rests_o);
  uint64_t fetches = 0;
  bench.on_fetch = [&](int, uint64_t) { ++fetches; };
  bench.Ring(0, 9);
  bench.Run(500);
  EXPECT_EQ(fetches, 0U);
  EXPECT_TRUE(bench.model().rests_o);
  EXPECT_EQ(bench.Read(0, kTail), 9U);
  bench.quiesce = false;
  bench.Run(300);
  EXPECT_EQ(bench.failure(), "");
  EXPECT_EQ(bench.list(0).head, 9U);
  EXPECT_EQ(bench.counts.entries, 9U);
}

TEST_P(ListFaults, Registers) {
  const Shape& shape = GetParam();
  ListBench bench(shape, 7, Pace{});
  const int c = shape.channels - 1;
  // After a reset all are 0.
  for (int word = 0; word <= kStatus; ++word) EXPECT_EQ(bench.Read(c, word), 0U) << word;
  for (const int word : {9, 12, 15}) {
    EXPECT_TRUE(bench.Access(c, word, false).error);
    EXPECT_TRUE(bench.Access(c, word, true, 1).error);
  }
  if (shape.channels < 32) {
    EXPECT_TRUE(bench.Access(shape.channels, kBase, false).error);
  }
  EXPECT_TRUE(bench.Access(c, kHead, true, 1).error);
  EXPECT_TRUE(bench.Access(c, kStatus, true, 1).error);
  // Strobes change the bytes that they name, none nothing.
  bench.Write(c, kBase, 0x12345678);
  bench.Access(c, kBase, true, 0xaabbccdd, 0b0101);
  EXPECT_EQ(bench.Read(c, kBase), 0x12bb56ddU);
  bench.Write(c, kControl, 0xffffffff);
  EXPECT_EQ(bench.Read(c, kControl), 0xff33U);
  bench.Write(c, kCount, 0xffffffff);
  EXPECT_EQ(bench.Read(c, kCount), 0xffffU);
  bench.Write(c, kTail, 0xfffffff0);
  EXPECT_EQ(bench.Read(c, kTail), 0xfff0U);
  bench.Access(c, kTail, true, 0xff, 0b0010);
  EXPECT_EQ(bench.Read(c, kTail), 0x00f0U);
  bench.Access(c, kCount, true, 5, 0);
  EXPECT_EQ(bench.Read(c, kTail), 0x00f0U);
  // A list that is set anew begins with 0.
  for (const int word : {kBase, kBaseHigh, kCount, kControl}) {
    bench.Write(c, kTail, 7);
    bench.Write(c, word, 0);
    EXPECT_EQ(bench.Read(c, kTail), 0U) << word;
  }
  for (const int word : {kDone, kDoneHigh}) {
    bench.Write(c, kTail, 7);
    bench.Write(c, word, 0);
    EXPECT_EQ(bench.Read(c, kTail), 7U) << word;
  }
  // In reset a doorbell has no effect.
  ASSERT_TRUE(bench.Reset(c, 100));
  bench.Run(5);
  bench.Write(c, kTail, 3);
  bench.Run(110);
  EXPECT_EQ(bench.Read(c, kTail), 0U);
  EXPECT_EQ(bench.failure(), "");
}

INSTANTIATE_TEST_SUITE_P(Shapes, ListFaults, testing::ValuesIn(kShapes),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace tessera::list
