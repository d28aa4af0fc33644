// Locks, full queues, stop, abort, reset and interrupts, through the driver; by registers: pushes
// that it refuses, and a list that it does not write.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "tb/check/plan.h"
#include "tb/dma/who_waits.h"
#include "tests/dma/fixture.h"

namespace tessera {
namespace {

class Control : public DmaTest {};

// An acquire of a value waits for it alone and leaves the lock. An abort gives back what a transfer
// that had not begun has taken.
TEST_P(Control, AnAcquireOfAValueLeavesTheLock) {
  Proves({"lock.equal"});
  Make();
  if (config().locks < 2) GTEST_SKIP() << "the build has no locks";
  const auto data = Load(0x1000, 64);
  native::Descriptor d = Copy(0x1000, 64);
  d.acquire = native::LockOp{1, 3};
  d.release = {0, 1};
  const int first = First(kRead);
  Write(first, d);
  Push(kRead, {.start = first});
  for (const int other : {0, 2, 4, 63}) {
    software().SetLock(1, other);
    bench().Step(100);
    EXPECT_EQ(Waits(kRead), native::Wait::kLock) << other;
    EXPECT_EQ(software().LockValue(1), other);
  }
  EXPECT_TRUE(bench().sink(0).bytes().empty());
  software().SetLock(1, 3);
  ASSERT_TRUE(WaitRecord(kRead));
  EXPECT_EQ(bench().sink(0).bytes(), data);
  EXPECT_EQ(software().LockValue(0), 1);
  EXPECT_EQ(software().LockValue(1), 3);
  // A try of software does the same.
  constexpr auto kOnce = driver::Timeout::Turns(0);
  software().SetLock(1, 5);
  EXPECT_EQ(software().lock(1).Acquire(4, kOnce).reason(), driver::Reason::not_granted);
  EXPECT_EQ(software().LockValue(1), 5);
  EXPECT_TRUE(software().lock(1).Acquire(5, kOnce).ok());
  EXPECT_EQ(software().LockValue(1), 5);
  // The value 0 is there or not; nothing is taken.
  software().SetLock(1, 0);
  EXPECT_TRUE(software().lock(1).Acquire(0, kOnce).ok());
  EXPECT_EQ(software().LockValue(1), 0);

  // Transfers that wait for their stream, and behind them one that has its lock.
  const int before = First(kWrite), behind = before + 1;
  native::Descriptor locked = Copy(0x5000, 64);
  locked.acquire = native::LockOp{1, -3};
  Write(before, Copy(0x4000, 64));
  Write(behind, locked);
  for (int ahead = 1; ahead < 24; ++ahead) {
    software().SetLock(1, 3);
    Push(kWrite, {.start = before, .repeats = ahead});
    Push(kWrite, {.start = behind});
    bench().Step(300);
    const bool taken = software().LockValue(1) != 3;
    ASSERT_TRUE(Channel(kWrite).Abort().ok());
    int begun = 0;
    while (Pop(kWrite)) ++begun;
    EXPECT_EQ(software().LockValue(1), taken && begun > ahead ? 0 : 3) << ahead;
  }
  // One that a drain holds back.
  software().SetLock(1, 3);
  Set(kWrite, native::kControl, 2);
  Push(kWrite, {.start = behind});
  bench().Step(100);
  ASSERT_TRUE(Channel(kWrite).Abort().ok());
  EXPECT_EQ(software().LockValue(1), 3);
}

// A large amount holds up the small ones that came later. An abort leaves the line, at its head and
// in its middle; who comes back is the last.
TEST_P(Control, GrantsALockInTheOrderOfArrival) {
  Proves({"lock.order"});
  Make();
  if (config().locks < 2 || config().reads < 4)
    GTEST_SKIP() << "the build has no locks, or fewer than 4 read channels";
  constexpr size_t kEach = 16;
  const auto push = [&](int number) {
    Push(kRead, {.start = number}, number);
    bench().Step(200);
  };
  // Whose transfers have run, of channels 0 to 3.
  const auto ran = [&] {
    bench().Step(300);
    std::vector<size_t> runs;
    for (int c = 0; c < 4; ++c) runs.push_back(bench().sink(c).bytes().size() / kEach);
    return runs;
  };
  using Runs = std::vector<size_t>;
  constexpr auto kOnce = driver::Timeout::Turns(0);
  for (int c = 0; c < 4; ++c) {
    native::Descriptor d = Copy(0x1000 * static_cast<uint64_t>(c + 1), kEach);
    d.acquire = native::LockOp{1, c == 3 ? -2 : -1};
    Write(c, d);
  }
  for (const int c : {3, 0, 1, 2}) push(c);
  software().SetLock(1, 1);  // enough for those that came later
  EXPECT_EQ(ran(), (Runs{0, 0, 0, 0}));
  EXPECT_EQ(software().lock(1).Acquire(-1, kOnce).reason(), driver::Reason::not_granted);
  EXPECT_EQ(software().LockValue(1), 1);
  ASSERT_TRUE(Channel(kRead, 1).Abort().ok());
  EXPECT_EQ(ran(), (Runs{0, 0, 0, 0}));
  ASSERT_TRUE(Channel(kRead, 3).Abort().ok());
  EXPECT_EQ(ran(), (Runs{1, 0, 0, 0}));
  push(1);  // behind channel 2 now
  ASSERT_TRUE(software().lock(1).Release(1).ok());
  EXPECT_EQ(ran(), (Runs{1, 0, 1, 0}));
  ASSERT_TRUE(software().lock(1).Release(1).ok());
  EXPECT_EQ(ran(), (Runs{1, 1, 1, 0}));
  EXPECT_EQ(software().LockValue(1), 0);
}

// A task that is pushed while a reset ends runs or is refused: none is accepted and dropped.
TEST_P(Control, NoTaskIsLostAtTheEndOfAReset) {
  Proves({"program.task-queue"});
  Make();
  const int first = First(kRead);
  const auto data = Load(0x1000, 16);
  Write(first, Copy(0x1000, 16));
  const uint32_t at = native::Channel(kRead, 0) + native::kTask;
  const uint32_t task = native::Task{.start = first}.Word();
  for (const uint32_t bit : {4u, 8u}) {  // abort, reset
    Set(kRead, native::kControl, bit);
    bench().Step(20);
    EXPECT_FALSE(bench().Write(at, task));
    EXPECT_EQ(Get(kRead, native::kError) >> 11 & 1, 1u);
    int accepted = 0;
    for (int delay = 0; delay < 24 + config().channels(); ++delay) {
      Set(kRead, native::kControl, bit);
      bench().Step(20);
      Set(kRead, native::kControl, 0);
      if (delay > 0) bench().Step(delay);
      if (!bench().Write(at, task)) continue;
      ++accepted;
      EXPECT_TRUE(WaitRecord(kRead)) << delay << " cycles after bit " << bit;
    }
    EXPECT_GT(accepted, 12);
    Set(kRead, native::kError, 0xffffffff);
  }
}

// Software may take a request back in the next write: the channel carries it through all the same.
// A task of the time before gives records that say aborted, or none; one that was accepted after
// the request runs, and nothing is executed twice.
TEST_P(Control, AnAbortOrAResetThatIsTakenBackAtOnceIsCarriedThrough) {
  Proves({"program.ends"});
  DmaBenchOptions options;
  options.memory = AxiMemoryOptions::Latency(25);
  Make(options);
  constexpr uint32_t kOld = 1, kAmid = 2, kNew = 3, kTurns = 3, kAborted = 1U << 5;
  native::Descriptor d = Copy(0x1000, 24);
  d.transfer.count[1] = 4;  // rows: the engine takes it over several cycles
  d.transfer.stride[1] = 40;
  for (const Direction way : {kRead, kWrite}) {
    const int first = First(way);
    Write(first, d);
    const uint32_t word = native::Task{.start = first, .repeats = kTurns}.Word();
    const auto push = [&](uint32_t tag) {
      Set(way, native::kTag, tag);
      return bench().Write(native::Channel(way, 0) + native::kTask, word);
    };
    uint32_t whole[4] = {};  // records of transfers that were not aborted, by tag
    const auto take = [&] {
      while (const auto record = Pop(way)) {
        ASSERT_LT(record->tag, 4u);
        if ((record->done.status & kAborted) == 0) ++whole[record->tag];
      }
    };
    const auto settle = [&] {
      for (int n = 0; n < 2000; ++n) {
        take();
        if ((Get(way, native::kStatus) & (kBusy | kIdle)) == kIdle) return true;
      }
      return false;
    };
    for (const uint32_t bit : {4u, 8u}) {
      for (int delay = 0; delay < 90; ++delay) {
        SCOPED_TRACE(fmt::format("{} {}, {} cycles", bit == 4 ? "abort" : "reset",
                                 way == kRead ? "read" : "write", delay));
        std::fill(std::begin(whole), std::end(whole), 0);
        // An abort drops what the channel has taken.
        const auto plenty = static_cast<size_t>(700 * config().channel.data_bytes);
        if (way == kWrite)
          bench().source(0).Push(std::vector<uint8_t>(plenty, 0x5a), PieceEnd::kOpen);
        ASSERT_TRUE(push(kOld));
        bench().Step(delay);
        Set(way, native::kControl, bit);
        Set(way, native::kControl, 0);
        const bool accepted = push(kAmid);
        ASSERT_TRUE(settle()) << WhoWaits(&bench()) << bench().Dump();
        EXPECT_EQ(whole[kAmid], accepted ? kTurns : 0);
        EXPECT_LE(whole[kOld], kTurns);
        ASSERT_TRUE(push(kNew));
        ASSERT_TRUE(settle()) << fmt::format("status {:x} ", Get(way, native::kStatus))
                              << WhoWaits(&bench()) << bench().Dump();
        take();
        ASSERT_EQ(whole[kNew], kTurns);
      }
    }
    Set(way, native::kError, 0xffffffff);
  }
}

TEST_P(Control, StandingStaysWhileTheChannelHasWork) {
  DmaBenchOptions options;
  options.memory = AxiMemoryOptions::Latency(200);
  Make(options);
  const uint32_t at = native::Channel(kRead, 0) + native::kStanding;
  Write(First(kRead), Copy(0x1000, 64));
  ASSERT_TRUE(Channel(kRead).SetStanding(2, 5, 3, 2, 0).ok());
  int addresses = 0;
  bench().Watch([&](uint64_t) {
    const auto& ar = bench().dma().port(0).ar;
    if (!ar.valid) return;
    ++addresses;
    EXPECT_EQ(ar->qos, 5);
    EXPECT_EQ(ar->cache, 3);
    EXPECT_EQ(ar->prot, 2);
  });
  Push(kRead, {.start = First(kRead)});
  for (int n = 0; n < 40; ++n) {
    EXPECT_FALSE(bench().Write(at, 0x7fff));
    bench().Step(1);
  }
  EXPECT_EQ(Channel(kRead).SetStanding(1, 0, 0, 0, 0).reason(), driver::Reason::task_running);
  EXPECT_EQ(bench().Get(at), 0x2352u);
  ASSERT_TRUE(WaitRecord(kRead));
  EXPECT_GT(addresses, 0);
  ASSERT_TRUE(WaitStatus(kRead, kBusy | kIdle, kIdle));
  EXPECT_TRUE(bench().Write(at, 0x7fff));
  EXPECT_EQ(bench().Get(at), 0x7fffu);
}

// ERROR and STATUS agree on it in whichever cycle the next one is missed.
TEST_P(Control, ATriggerThatIsMissedWhileTheErrorIsClearedIsTold) {
  Proves({"program.trigger-missed"});
  Make();
  if (!config().triggers) GTEST_SKIP() << "no triggers in this build";
  const auto raise = [&](bool up) { bench().dma().triggers = up ? 1 : 0; };
  const int round = 10 + 2 * config().channels();  // of all channels
  const auto pulse = [&] {
    for (const bool up : {true, false}) {
      raise(up);
      bench().Step(round);
    }
  };
  Set(kRead, native::kTrigger, 0x10);
  pulse();  // it waits for a task
  int told = 0, cleared = 0;
  for (int n = 0; n < 60; ++n) {
    pulse();
    EXPECT_EQ(Get(kRead, native::kError), kMissed);
    raise(true);
    bench().Step(n % 6);
    Set(kRead, native::kError, kMissed);
    bench().Step(40);
    raise(false);
    bench().Step(10);
    const bool error = Get(kRead, native::kError) != 0;
    EXPECT_EQ((Get(kRead, native::kStatus) & kStatusMissed) != 0, error) << n;
    ++(error ? told : cleared);
    Set(kRead, native::kError, kMissed);
  }
  EXPECT_GT(told, 0);
  EXPECT_GT(cleared, 0);
}

// An event behind another one waits for the next task or was missed, in whichever cycle the first
// one is taken.
TEST_P(Control, OneMoreTriggerWaitsOrIsMissed) {
  Proves({"program.trigger-missed"});
  Make();
  if (!config().triggers) GTEST_SKIP() << "no triggers in this build";
  const auto pulse = [&](int cycles) {
    for (const bool up : {true, false}) {
      bench().dma().triggers = up ? 1 : 0;
      bench().Step(up ? 2 : cycles - 2);
    }
  };
  Load(0x1000, 8);
  Write(First(kRead), Copy(0x1000, 8));
  Set(kRead, native::kTrigger, 0x10);
  int waited = 0;
  for (int cycles = 4; cycles < 36; ++cycles) {
    Push(kRead, {.start = First(kRead), .trigger = true});
    bench().Step(60);
    pulse(cycles);
    pulse(60);
    ASSERT_TRUE(WaitRecord(kRead));
    const bool lost = Get(kRead, native::kError) == kMissed;
    Set(kRead, native::kError, kMissed);
    Push(kRead, {.start = First(kRead), .trigger = true});
    bench().Step(100);
    EXPECT_NE(Pop(kRead).has_value(), lost) << cycles << " cycles behind the first one";
    if (!lost) {
      ++waited;
      continue;
    }
    pulse(60);
    ASSERT_TRUE(WaitRecord(kRead));
  }
  EXPECT_GT(waited, 0);
}

TEST_P(Control, PatienceMakesTimeOutsLonger) {
  Proves({"fault.patience"});
  Make();
  if (!config().guard) GTEST_SKIP() << "no guards in this build";
  for (const uint32_t patience : {0U, 2U, 5U}) {
    DmaBenchOptions options;
    options.memory.r = PacerSpec::Never();
    Make(options);
    const uint64_t limit = uint64_t{bench().Get(native::kCapTime)} << patience;
    bench().Set(native::kGlobalControl, patience << 4);
    Write(First(kRead), Copy(0x1000, 16));
    Push(kRead, {.start = First(kRead)});
    const uint64_t from = bench().cycle();
    const uint32_t error = native::Channel(kRead, 0) + native::kError;
    while (bench().Get(error) == 0 && bench().cycle() < from + 2 * limit) bench().Step();
    const uint64_t took = bench().cycle() - from;
    EXPECT_GT(took, limit - (uint64_t{1} << patience)) << patience;
    EXPECT_LT(took, limit + 80) << patience;
  }
}

// The partner of a stream that keeps a channel waiting is at fault when CAP_STREAM_TIME is over; a
// reset of the channel lets it go on.
TEST_P(Control, AStreamThatStandsStillIsAFault) {
  Proves({"fault.stream"});
  DmaBenchOptions options;
  options.sink.pacer = PacerSpec::Never();
  Make(options);
  constexpr uint32_t kStreamTime = 0x3c, kStreamFault = 7;
  const auto limit = static_cast<uint64_t>(config().stream_silence());
  EXPECT_EQ(bench().Get(kStreamTime), limit);
  if (limit == 0) GTEST_SKIP() << "streams may wait for ever in this build";
  for (const Direction way : {kRead, kWrite}) {
    SCOPED_TRACE(NameOf(way));
    const int first = First(way);
    Write(first, Copy(0x4000, 64));
    Push(way, {.start = first});
    const uint64_t from = bench().cycle();
    while (Get(way, native::kError) == 0 && bench().cycle() < from + 2 * limit) bench().Step();
    const uint64_t took = bench().cycle() - from;
    EXPECT_GE(took, limit);
    EXPECT_LE(took, limit + 200);
    bench().Step(100);
    EXPECT_EQ(Get(way, native::kError), kFault);
    EXPECT_EQ(Get(way, native::kErrorInfo), static_cast<uint32_t>(first) | kStreamFault << 16);
    EXPECT_EQ(Waits(way), native::Wait::kFault);
  }
  bench().MayTakeBack(0);
  for (const Direction way : {kRead, kWrite}) {
    ASSERT_TRUE(Channel(way).Reset(driver::Timeout::Cycles(20000)).ok());
    PopAll(way);
    EXPECT_EQ(Channel(way).TakeError().fault, kStreamFault);
  }
  // The sink takes nothing; a transfer without bytes needs none.
  Write(First(kRead), Copy(0x8000, 0));
  Push(kRead, {.start = First(kRead)});
  ASSERT_TRUE(WaitRecord(kRead));
  EXPECT_EQ(Get(kRead, native::kError), 0U);
  const std::vector<uint8_t> data(64, 0x6b);
  bench().source(0).Push(data, PieceEnd::kLast);
  Push(kWrite, {.start = First(kWrite)});
  ASSERT_TRUE(WaitRecord(kWrite));
  EXPECT_EQ(bench().memory().ReadBytes(0x4000, 64), data);
  EXPECT_EQ(Get(kWrite, native::kError), 0U);
}

// One that is slow is none: the time begins anew with each beat.
TEST_P(Control, AStreamThatIsSlowIsNoFault) {
  Proves({"fault.stream"});
  Make();
  const auto limit = static_cast<uint32_t>(config().stream_silence());
  if (limit == 0) GTEST_SKIP() << "streams may wait for ever in this build";
  DmaBenchOptions options;
  options.sink.pacer = PacerSpec::Bursts(1, 1, 3 * limit / 4, 3 * limit / 4);
  options.source.pacer = options.sink.pacer;
  Make(options);
  const int bytes = 3 * config().channel.data_bytes;
  for (const Direction way : {kRead, kWrite}) {
    Write(First(way), Copy(0x4000, static_cast<uint32_t>(bytes)));
    Push(way, {.start = First(way)});
  }
  const std::vector<uint8_t> data(static_cast<size_t>(bytes), 0x6b);
  bench().source(0).Push(data, PieceEnd::kLast);
  bench().Step(static_cast<int>(4 * limit));
  for (const Direction way : {kRead, kWrite}) {
    SCOPED_TRACE(NameOf(way));
    EXPECT_EQ(Get(way, native::kError), 0U);
    EXPECT_TRUE(WaitRecord(way));
  }
}

TEST_P(Control, AFullRecordQueueHoldsTheChannelAndLosesNothing) {
  Proves({"record.never-lost"});
  Make();
  Load(0x1000, 8);
  const int first = First(kRead);
  Write(first, Copy(0x1000, 8));
  const int turns = config().queue_depth + 40;
  Push(kRead, {.start = first, .repeats = turns});
  bench().Step(2000);
  EXPECT_EQ(Waits(kRead), native::Wait::kRecord);
  EXPECT_EQ(Get(kRead, native::kRecord) >> 8 & 0x1f, static_cast<uint32_t>(config().queue_depth));
  for (int n = 0; n < turns; ++n) {
    const auto record = WaitRecord(kRead);
    ASSERT_TRUE(record) << n;
    EXPECT_EQ(record->task_end(), n + 1 == turns);
  }
  EXPECT_FALSE(bench().Write(native::Channel(kRead, 0) + native::kRecordPop, 0));
}

// Records that nobody takes hold the end of transfers up; a reset cuts them off after its patience
// (the driver would take them). What follows has records of its own.
TEST_P(Control, AResetForgetsTransfersThatWaitForRoomForTheirRecords) {
  Proves({"record.never-lost", "control.reset"});
  constexpr uint32_t kThere = 1U << 31;
  for (const Direction way : {kRead, kWrite}) {
    Make();
    const int first = First(way), next = first + 1, depth = config().queue_depth;
    Write(first, Copy(0x1000, 8));
    Write(next, Copy(0x2000, 16));
    const auto start = [&](int descriptor, int turns) {
      Set(way, native::kTask, native::Task{.start = descriptor, .repeats = turns}.Word());
    };
    const auto reset = [&](uint32_t on) {
      Set(way, native::kControl, on ? kReset : 0);
      return bench().Until([&] { return (Get(way, native::kStatus) & kInReset) == on * kInReset; },
                           static_cast<uint64_t>(config().silence()) + 1000);
    };
    bench().source(0).Push(std::vector<uint8_t>(static_cast<size_t>(8 * depth + 320), 1),
                           PieceEnd::kLast);
    start(first, depth + 40);
    bench().Step(2000);
    ASSERT_EQ(Waits(way), native::Wait::kRecord);
    ASSERT_TRUE(reset(1)) << bench().Dump();
    bench().source(0).DiscardUnsent();
    ASSERT_TRUE(reset(0));
    bench().source(0).Push(std::vector<uint8_t>(32, 2), PieceEnd::kLast);
    start(next, 2);
    int own = 0;
    for (int n = 0; n < 400; ++n) {
      const uint32_t word = Get(way, native::kRecord);
      if ((word & kThere) == 0) continue;
      if (static_cast<int>(word & 0xff) != next) {
        EXPECT_EQ(own, 0) << "a record of the transfers that were cut off";
      } else {
        EXPECT_EQ(Get(way, native::kRecordBytes), 16U);
        ++own;
      }
      Set(way, native::kRecordPop, 1);
    }
    EXPECT_EQ(own, 2);
  }
}

TEST_P(Control, AnEndlessTaskEndsWithItsTurnWhenItIsStopped) {
  Proves({"program.endless"});
  Make();
  Load(0x1000, 8);
  const int first = First(kRead);
  native::Descriptor a = Copy(0x1000, 8), b = Copy(0x1000, 8);
  a.next = first + 1;
  a.no_record = b.no_record = true;
  Write(first, a);
  Write(first + 1, b);
  Push(kRead, {.start = first, .endless = true});
  bench().Step(3000);
  EXPECT_EQ(Get(kRead, native::kStatus) & kBusy, kBusy);
  const size_t before = bench().sink(0).bytes().size();
  EXPECT_GT(before, 100u);
  // Its end leaves no record: Stop() returns when there is nothing to do.
  ASSERT_TRUE(Channel(kRead).Stop().ok());
  bench().Step(200);
  EXPECT_EQ(bench().sink(0).bytes().size() % 16, 0u);
}

// A transfer that no window permits waits for its turn to be refused; an abort takes it back.
TEST_P(Control, AnAbortTakesARefusedTransferBack) {
  Make();
  if (config().windows == 0) GTEST_SKIP() << "the build has no windows";
  software().SetWindow(kWrite, 0, 0, 0x4000);
  Write(1, Copy(0x4000, 64));
  Write(2, Copy(0x8000, 64));
  Push(kWrite, {.start = 1});
  Push(kWrite, {.start = 2});
  bench().source(0).Push(std::vector<uint8_t>(24, 1), PieceEnd::kBeat);  // the first one begins
  bench().Step(300);
  ASSERT_TRUE(Channel(kWrite).Abort().ok());
  while (const auto record = Pop(kWrite, 0)) {
    EXPECT_EQ(record->done.status, rtl::Status::kAborted);
  }
  const std::vector<uint8_t> data(32, 7);
  Write(1, Copy(0x4100, 32));
  Push(kWrite, {.start = 1});
  bench().source(0).Push(data, PieceEnd::kLast);
  const auto record = WaitRecord(kWrite);
  ASSERT_TRUE(record);
  EXPECT_EQ(record->done.status & rtl::Status::kDecerr, 0);
  EXPECT_EQ(record->done.bytes, 32u);
  EXPECT_EQ(bench().memory().ReadBytes(0x4100, 32), data);
  bench().Step(200);
  EXPECT_FALSE(Pop(kWrite, 0));
}

TEST_P(Control, AnInterruptComesForItsCauseAlone) {
  Proves({"program.interrupt"});
  Make();
  Load(0x1000, 8);
  const int first = First(kRead), other = First(kWrite);
  bench().Set(native::kGlobalControl, 2);  // the line
  const auto enable = [&](Direction way, uint32_t cause) {
    Set(way, native::kIrqStatus, 0x3f);
    Set(way, native::kIrqEnable, cause);
    bench().Step(5);
    EXPECT_FALSE(bench().dma().irq);
  };
  const auto raised = [&](Direction way, int cycles) {
    bench().Step(cycles);
    const uint32_t channel = bench().dma().irq ? (way == kRead ? 1U : 1U << 16) : 0U;
    EXPECT_EQ(bench().Get(native::kIrqChannels), channel);
    return bench().dma().irq;
  };
  const auto runs = [&](uint32_t cause, const native::Descriptor& d) {
    Write(first, d);
    enable(kRead, cause);
    Set(kRead, native::kTask, native::Task{.start = first}.Word());
    const bool seen = raised(kRead, 300);
    EXPECT_EQ(Get(kRead, native::kIrqStatus) & cause, seen ? cause : 0U);
    while (Get(kRead, native::kRecord) >> 31 != 0) Set(kRead, native::kRecordPop, 0);
    return seen;
  };
  native::Descriptor plain = Copy(0x1000, 8), marked = plain, silent = plain;
  marked.interrupt = true;
  silent.no_record = true;
  EXPECT_TRUE(runs(registers::channel::IrqStatus::kTransferMask, marked));
  EXPECT_FALSE(runs(registers::channel::IrqStatus::kTransferMask, plain));
  EXPECT_TRUE(runs(registers::channel::IrqStatus::kRecordMask, plain));
  EXPECT_FALSE(runs(registers::channel::IrqStatus::kRecordMask, silent));
  EXPECT_TRUE(runs(registers::channel::IrqStatus::kRoomMask, plain));
  EXPECT_FALSE(runs(registers::channel::IrqStatus::kEntriesMask, marked));
  EXPECT_FALSE(runs(registers::channel::IrqStatus::kErrorMask, marked));
  EXPECT_FALSE(runs(0, marked));
  enable(kRead, registers::channel::IrqStatus::kErrorMask);
  Set(kRead, native::kTask, 255);  // no such descriptor
  EXPECT_TRUE(raised(kRead, 300));
  Set(kRead, native::kIrqEnable, 0);
  // A task of two turns: the first one ends nothing.
  Write(other, Copy(0x4000, 8));
  enable(kWrite, registers::channel::IrqStatus::kTaskDoneMask);
  Set(kWrite, native::kTask, native::Task{.start = other, .repeats = 2}.Word());
  bench().source(0).Push(std::vector<uint8_t>(8, 1), PieceEnd::kLast);
  EXPECT_FALSE(raised(kWrite, 300));
  EXPECT_EQ(Get(kWrite, native::kRecord) >> 31, 1U);
  bench().source(0).Push(std::vector<uint8_t>(8, 1), PieceEnd::kLast);
  EXPECT_TRUE(raised(kWrite, 300));
}

// Data that are not those of the descriptor start nobody who waits for them.
TEST_P(Control, ASpoiltTransferIsNoEvent) {
  Make();
  const int first = First(kWrite);
  const uint32_t event = 1U << config().reads;
  const auto seen = [&](int cycles) {
    uint32_t transfers = 0, tasks = 0;
    for (int n = 0; n < cycles; ++n) {
      bench().Step(1);
      transfers += (bench().dma().event_transfers & event) != 0 ? 1 : 0;
      tasks += (bench().dma().event_tasks & event) != 0 ? 1 : 0;
    }
    return std::pair{transfers, tasks};
  };
  native::Descriptor d = Copy(0x4000, 16);
  d.transfer.finish = model::Finish::kLast;
  Write(first, d);
  Push(kWrite, {.start = first});
  bench().source(0).Push(std::vector<uint8_t>(16, 1), PieceEnd::kLast);
  EXPECT_EQ(seen(200), (std::pair{1U, 1U}));

  // With the bit in STOP_ON the same counts no more.
  Push(kWrite, {.start = first});
  bench().source(0).Push(std::vector<uint8_t>(40, 1), PieceEnd::kLast);
  EXPECT_EQ(seen(200), (std::pair{1U, 1U}));
  PopAll(kWrite);  // makes room for the next task
  ASSERT_TRUE(Channel(kWrite).StopOn(registers::entry::Status::kOverlongMask).ok());
  Push(kWrite, {.start = first});
  bench().source(0).Push(std::vector<uint8_t>(40, 1), PieceEnd::kLast);
  EXPECT_EQ(seen(200), (std::pair{0U, 0U}));
  PopAll(kWrite);
  ASSERT_TRUE(Channel(kWrite).Reset().ok());

  // Nor does one that was aborted.
  Push(kWrite, {.start = first});
  bench().Step(50);
  Set(kWrite, native::kControl, 4);
  EXPECT_EQ(seen(200), (std::pair{0U, 0U}));
}

// Entries of a ring interrupt after as many as the ring asks for.
TEST_P(Control, EntriesOfARingCoalesceByCount) {
  Proves({"program.coalesce"});
  Make();
  if (!config().lists) GTEST_SKIP() << "the build has no lists";
  Load(0x10000, 128);
  native::Descriptor silent = Copy(0x10000, 16);
  silent.no_record = true;
  native::Load(&bench().memory(), 0x20000, std::vector<native::Descriptor>(16, silent));
  StartList(kRead, {.base = 0x20000, .count = 16, .entries = 0x21000, .ring = true, .coalesce = 4});
  bench().Set(native::kGlobalControl, 2);  // the line
  Set(kRead, native::kIrqEnable, registers::channel::IrqStatus::kEntriesMask);
  uint32_t tail = 0;
  for (const uint32_t count : {4, 1, 3, 2}) {  // in sum 4, 5, 8, 10: 4 + 4 + 2
    tail += count;
    Set(kRead, native::kListTail, tail);
    bench().Step(1500);
    EXPECT_EQ(bench().dma().irq, tail == 4 || tail == 8) << tail;
    Set(kRead, native::kIrqStatus, registers::channel::IrqStatus::kEntriesMask);
    bench().Step(5);
  }
}

INSTANTIATE_TEST_SUITE_P(Builds, Control, EveryDma(), DmaName);

}  // namespace
}  // namespace tessera
