// Interrupts that spare software its polling: what CONTROL asked for has been reached, a reset is
// stuck, and causes that belong to no channel.
#include <fmt/format.h>

#include "tb/check/plan.h"
#include "tests/dma/fixture.h"

namespace tessera {
namespace {

using Causes = registers::global_block::GlobalIrqStatus;
using Irq = registers::channel::IrqStatus;
using State = registers::channel::Status;
constexpr uint32_t kLine = registers::global_block::GlobalControl::kIrqEnableMask;

class Cause : public DmaTest {
 protected:
  void MakeWith(const DmaBenchOptions& options = {}) {
    Make(options);
    bench().Set(native::kGlobalControl, kLine);
  }
  bool Raised(int cycles = 400) {
    return bench().Until([this] { return bench().dma().irq; }, static_cast<uint64_t>(cycles));
  }
  bool Falls() {
    bench().Step(10);
    return !bench().dma().irq;
  }
  // Enables a cause that belongs to no channel, which does not hold yet.
  void Enable(uint32_t cause) {
    EXPECT_EQ(software().device().Causes() & cause, 0U);
    software().device().EnableCauses(cause);
    EXPECT_TRUE(Falls());
  }
  // The cause holds, and the interrupt with it.
  void ExpectRaised(uint32_t cause) {
    EXPECT_TRUE(Raised());
    EXPECT_EQ(software().device().Causes(), cause);
    EXPECT_EQ(bench().Get(native::kIrqChannels), 0U);
    EXPECT_EQ(bench().dma().irq_channels, 0U);
    software().device().EnableCauses(~cause & kCauseMost);
    EXPECT_TRUE(Falls()) << "of causes that do not hold";
    software().device().EnableCauses(cause);
    EXPECT_TRUE(Raised());
  }
  // From now on rises_ and falls_ are the cycles in which the interrupt line last did.
  void WatchTheLine() {
    bench().Watch([this, was = bench().dma().irq != 0](uint64_t cycle) mutable {
      const bool is = bench().dma().irq;
      if (is != was) (is ? rises_ : falls_) = cycle;
      was = is;
    });
  }
  uint64_t rises_ = 0, falls_ = 0;
  static constexpr uint32_t kCauseMost =
      Causes::kQuietMask | Causes::kTimedOutMask | Causes::kStartRefusedMask |
      Causes::kMisroutedMask | Causes::kStrayMask | Causes::kPacketMask | Causes::kSaturatedMask;
};

// One interrupt when all is reached that CONTROL asks for: of a channel that runs and of one that
// does nothing.
TEST_P(Cause, WhatControlAsksForIsReachedOnce) {
  for (const bool runs : {true, false}) {
    for (const uint32_t asked : {kPause, kDrain, kAbort, kReset, kPause | kDrain}) {
      SCOPED_TRACE(fmt::format("CONTROL {} {}", asked, runs ? "while it runs" : "at rest"));
      DmaBenchOptions options;
      options.memory = AxiMemoryOptions::Latency(200);
      MakeWith(options);
      Set(kRead, native::kIrqEnable, Irq::kReachedMask);
      if (runs) {
        Write(First(kRead), Copy(0x1000, 64));
        Push(kRead, {.start = First(kRead)});
        bench().Step(60);  // an address is on its way
      }
      EXPECT_FALSE(bench().dma().irq);
      const uint64_t from = bench().cycle();
      Set(kRead, native::kControl, asked);
      ASSERT_TRUE(Raised(1000));
      if (runs) {
        EXPECT_GT(bench().cycle(), from + 100);  // data were due
      }
      const uint32_t status = Get(kRead, native::kStatus);
      if ((asked & kPause) != 0) {
        EXPECT_NE(status & State::kPausedMask, 0U);
      }
      if ((asked & (kDrain | kAbort)) != 0) {
        EXPECT_NE(status & State::kIdleMask, 0U);
      }
      if ((asked & kReset) != 0) {
        EXPECT_NE(status & State::kInResetMask, 0U);
      }
      EXPECT_EQ(Get(kRead, native::kIrqStatus) & Irq::kReachedMask, Irq::kReachedMask);
      Set(kRead, native::kIrqStatus, Irq::kReachedMask);
      EXPECT_TRUE(Falls());
      Set(kRead, native::kControl, asked);
      EXPECT_FALSE(Raised(300)) << "it is told once";
      Set(kRead, native::kControl, 0);
      EXPECT_FALSE(Raised(300)) << "nothing is asked for any more";
      Set(kRead, native::kControl, asked);
      EXPECT_TRUE(Raised(300)) << "asked for again";
    }
  }
}

TEST_P(Cause, AResetThatIsStuckIsTold) {
  Proves({"system.requests"});
  DmaBenchOptions options;
  options.memory.r = PacerSpec::Never();
  MakeWith(options);
  if (!config().guard) GTEST_SKIP() << "no guards in this build";
  Set(kRead, native::kIrqEnable, Irq::kStuckMask | Irq::kReachedMask);
  Write(First(kRead), Copy(0x1000, 16));
  Push(kRead, {.start = First(kRead)});
  bench().Step(50);
  Set(kRead, native::kControl, kReset);
  ASSERT_TRUE(Raised(3 * config().silence()));
  EXPECT_NE(Get(kRead, native::kStatus) & kStuck, 0U);
  EXPECT_EQ(Get(kRead, native::kIrqStatus) & (Irq::kStuckMask | Irq::kReachedMask),
            Irq::kStuckMask);
  Set(kRead, native::kIrqStatus, Irq::kStuckMask);
  ASSERT_TRUE(Falls());
  EXPECT_FALSE(Raised(300));
  Set(kRead, native::kControl, kReset | 1U << 4);  // gives up
  ASSERT_TRUE(Raised());
  EXPECT_EQ(Get(kRead, native::kIrqStatus) & (Irq::kStuckMask | Irq::kReachedMask),
            Irq::kReachedMask);
}

TEST_P(Cause, EverythingIsQuiet) {
  Proves({"control.quiesce"});
  MakeWith();
  Enable(Causes::kQuietMask);
  bench().Step(300);
  EXPECT_FALSE(bench().dma().irq) << "quiet, but nobody asked";
  bench().Set(native::kGlobalControl, kLine | kQuiesce);
  ExpectRaised(Causes::kQuietMask);
  bench().Set(native::kGlobalControl, kLine);
  EXPECT_TRUE(Falls());
}

TEST_P(Cause, AQuiesceTakesTooLong) {
  Proves({"control.quiesce-timeout"});
  DmaBenchOptions options;
  options.memory = AxiMemoryOptions::Latency(20000);
  MakeWith(options);
  Write(First(kRead), Copy(0x1000, 16));
  Push(kRead, {.start = First(kRead)});
  bench().Step(50);
  Enable(Causes::kTimedOutMask);
  bench().Set(native::kGlobalControl, kLine | kQuiesce);
  EXPECT_TRUE(Raised(2 * config().silence()));
  EXPECT_EQ(software().device().Causes(), Causes::kTimedOutMask);
}

TEST_P(Cause, AReleaseByARegisterSaturates) {
  MakeWith();
  if (config().locks == 0) GTEST_SKIP() << "the build has no locks";
  const int lock = config().locks - 1;
  const uint32_t high = lock >= 32 ? 4 : 0;
  Enable(Causes::kSaturatedMask);
  software().SetLock(lock, 63);
  EXPECT_TRUE(Falls());
  ASSERT_TRUE(software().lock(lock).Release(1).ok());
  ExpectRaised(Causes::kSaturatedMask);
  ASSERT_TRUE(software().lock(lock).Release(-64).ok());
  bench().Set(registers::global_block::LockOverLow::kOffset + high, 1U << lock % 32);
  EXPECT_EQ(bench().Get(registers::global_block::LockOverLow::kOffset + high), 0U);
  ExpectRaised(Causes::kSaturatedMask);
  bench().Set(registers::global_block::LockUnderLow::kOffset + high, 1U << lock % 32);
  EXPECT_TRUE(Falls());
}

// A bit is cleared in each cycle around that of its saturation, which the interrupt line tells: it
// is kept until the saturation has been, and in its cycle. When a task begins depends on the turn.
TEST_P(Cause, ASaturationInTheCycleOfItsClearIsKept) {
  MakeWith();
  if (config().locks == 0) GTEST_SKIP() << "the build has no locks";
  Enable(Causes::kSaturatedMask);
  WatchTheLine();
  for (const bool over : {true, false}) {
    const uint32_t offset = over ? registers::global_block::LockOverLow::kOffset
                                 : registers::global_block::LockUnderLow::kOffset;
    native::Descriptor d = Copy(0x1000, 8);
    d.release = {0, over ? 1 : -1};
    Write(First(kRead), d);
    uint64_t begin = 0, clears = 0;  // of the task, of a clear
    const auto kept = [&](int turn, int after) {
      software().SetLock(0, over ? 63 : 0);
      bench().Set(offset, 1);
      bench().Step(turn);
      Push(kRead, {.start = First(kRead)});
      begin = bench().cycle();
      bench().Step(after);
      clears = bench().cycle();
      bench().Set(offset, 1);
      EXPECT_TRUE(WaitRecord(kRead));
      PopAll(kRead);
      bench().Step(5);
      return (bench().Get(offset) & 1) != 0;
    };
    bench().Set(registers::global_block::LockOverLow::kOffset, 1);  // may be left from before
    for (int n = 0; n < 2; ++n) EXPECT_FALSE(kept(0, 200));         // the first task takes longer
    const uint64_t latency = falls_ - clears;
    const auto around = static_cast<int>(rises_ - begin - latency);
    int before = 0, together = 0, behind = 0;
    for (int turn = 0; turn < 8; ++turn) {
      for (int after = 0; after < around + 8; ++after) {
        const bool is = kept(turn, after);
        EXPECT_EQ(is, rises_ >= clears + latency) << turn << " " << after;
        ++(rises_ > clears + latency ? behind : rises_ < clears + latency ? before : together);
      }
    }
    EXPECT_GT(before, 0);
    EXPECT_GT(together, 0);
    EXPECT_GT(behind, 0);
  }
}

TEST_P(Cause, AControlPacketIsWrong) {
  MakeWith();
  if (!config().control_packets) GTEST_SKIP() << "the build takes no control packets";
  bench().Set(0x50, 1);  // PACKET_CONTROL: enabled
  Enable(Causes::kPacketMask);
  bench().control().Push({0x80000001, 0x80000001});  // a parity that does not hold
  ExpectRaised(Causes::kPacketMask);
  bench().Set(native::kPacketStatus, 15 & ~bench().Get(native::kPacketStatus));
  ExpectRaised(Causes::kPacketMask);
  bench().Set(native::kPacketStatus, 15);
  EXPECT_TRUE(Falls());
}

// It is told, also in the cycle in which one of before is cleared.
TEST_P(Cause, AnAnswerThatWasNotAskedForComes) {
  for (const bool reads : {true, false}) {
    SCOPED_TRACE(reads ? "data" : "an answer");
    MakeWith();
    if (!config().guard) GTEST_SKIP() << "no guards in this build";
    const uint32_t bits = reads ? 0xff00 : 0xff0000;
    const auto from = static_cast<uint64_t>(2000 + 500 * config().channels());
    const auto bytes = static_cast<uint32_t>(600 * config().channel.stream_bytes);
    DmaBenchOptions options;
    options.faults = {{.kind = reads ? AxiFault::Kind::kStrayData : AxiFault::Kind::kStrayAnswer,
                       .id = AxiFault::kNobody,
                       .from = from}};
    const auto begin = [&] {
      MakeWith(options);
      WatchTheLine();
      Enable(Causes::kStrayMask);
      // The memory makes its fault beside traffic.
      Write(First(kRead), Copy(0x1000, bytes));
      Write(First(kWrite), Copy(0x40000, bytes));
      bench().source(0).Push(std::vector<uint8_t>(bytes, 3), PieceEnd::kLast);
      EXPECT_LT(bench().cycle(), from - 300);
      bench().Step(static_cast<int>(from - 300 - bench().cycle()));
      Push(kRead, {.start = First(kRead)});
      Push(kWrite, {.start = First(kWrite)});
      EXPECT_LT(bench().cycle(), from - 50);
    };
    const auto clear = [&](uint64_t cycle) {
      bench().Step(static_cast<int>(cycle - bench().cycle()));
      bench().Set(native::kGlobalStatus, bits);
      bench().Step(50);
      return (bench().Get(native::kGlobalStatus) & bits) == 0;
    };
    begin();
    ASSERT_TRUE(Raised(1000));
    EXPECT_EQ(software().device().Causes(), Causes::kStrayMask);
    EXPECT_NE(bench().Get(native::kGlobalStatus) & bits, 0U);
    const uint64_t rose = rises_, clears = bench().cycle();
    EXPECT_TRUE(clear(clears));
    EXPECT_FALSE(bench().dma().irq);
    const uint64_t together = rose - (falls_ - clears);
    for (uint64_t cycle = together - 2; cycle <= together + 2; ++cycle) {
      begin();
      EXPECT_EQ(clear(cycle), cycle > together);
      EXPECT_EQ(rises_, rose);
    }
  }
}

TEST_P(Cause, APacketNamesNoChannel) {
  MakeWith();
  if (!config().route_dest) GTEST_SKIP() << "TDEST chooses no channel in this build";
  Enable(Causes::kMisroutedMask);
  bench().source(0).SetSides([this](uint64_t, uint64_t) {
    rtl::DescriptorSide side{};
    side.dest = static_cast<decltype(side.dest)>(config().writes);
    return side;
  });
  bench().source(0).Push(std::vector<uint8_t>(8, 1), PieceEnd::kLast);
  ExpectRaised(Causes::kMisroutedMask);
  bench().Set(native::kGlobalStatus, registers::global_block::GlobalStatus::kMisroutedMask);
  EXPECT_TRUE(Falls());
}

INSTANTIATE_TEST_SUITE_P(Every, Cause, EveryDma(), DmaName);

}  // namespace
}  // namespace tessera
