// STATUS: who is waited for by what runs and by the next transfer; and the lock of the latter.
#include <fmt/format.h>

#include "tests/dma/fixture.h"

namespace tessera {
namespace {

using native::Wait;

class Waiting : public DmaTest {
 protected:
  Wait Next(Direction way) { return native::NextWaitOf(Get(way, native::kStatus)); }
  int LockOf(Direction way) { return static_cast<int>(Get(way, native::kStatus) >> 8 & 63); }
  // A bench whose stream of read channel 0 nobody takes.
  void MakeHeld() {
    DmaBenchOptions options;
    options.sink.pacer = PacerSpec::Never();
    Make(options);
  }
  // Whether STATUS tells so within some hundred reads, of what runs and of the next transfer.
  template <typename Told>
  bool Seen(Told&& told) {
    for (int n = 0; n < 400; ++n) {
      if (told(Get(kRead, native::kStatus))) return true;
      bench().Step(1 + n % 3);
    }
    return false;
  }
  void ExpectWaits(Direction way, Wait runs, Wait next) {
    bench().Step(300);
    EXPECT_EQ(Waits(way), runs);
    EXPECT_EQ(Next(way), next);
  }
};

// A chain whose stream stands still waits for it, whatever its next transfer waits for.
TEST_P(Waiting, WhatRunsGoesBeforeTheNextTransfer) {
  MakeHeld();
  if (config().locks < 2) GTEST_SKIP() << "the build has no locks";
  const int first = First(kRead);
  native::Descriptor runs = Copy(0x1000, 4000), next = Copy(0x4000, 16);
  runs.next = first + 1;
  next.acquire = native::LockOp{1, -1};
  Write(first, runs);
  Write(first + 1, next);
  Push(kRead, {.start = first});
  ExpectWaits(kRead, Wait::kStream, Wait::kLock);
  EXPECT_EQ(LockOf(kRead), 1);
  if (config().counters) {
    EXPECT_EQ(Get(kRead, native::kCountLock), 0U);  // something runs
  }
}

// What runs waits for the memory or for its stream; which of them does not move.
TEST_P(Waiting, MemoryAndStreamAreToldApart) {
  constexpr size_t kBytes = 1200;  // of several bursts
  struct Case {
    Direction way;
    PacerSpec AxiMemoryOptions::*still;  // of the memory; none: the stream does not move
    Wait wait;
    size_t bytes = kBytes;  // that a write channel is given
  };
  for (const Case& c : {Case{kRead, nullptr, Wait::kStream},
                        {kRead, &AxiMemoryOptions::ar, Wait::kMemory},
                        {kRead, &AxiMemoryOptions::r, Wait::kMemory},
                        {kWrite, nullptr, Wait::kStream, 100},
                        {kWrite, &AxiMemoryOptions::aw, Wait::kMemory},
                        {kWrite, &AxiMemoryOptions::w, Wait::kMemory},
                        {kWrite, &AxiMemoryOptions::b, Wait::kMemory},
                        {kWrite, &AxiMemoryOptions::b, Wait::kMemory, 900}}) {
    DmaBenchOptions options;
    if (c.still != nullptr) {
      options.memory.*c.still = PacerSpec::Never();
    } else if (c.way == kRead) {
      options.sink.pacer = PacerSpec::Never();
    }
    Make(options);
    Write(First(c.way), Copy(0x1000, kBytes));
    Push(c.way, {.start = First(c.way)});
    if (c.way == kWrite) bench().source(0).Push(std::vector<uint8_t>(c.bytes), PieceEnd::kOpen);
    bench().Step(500);
    EXPECT_EQ(Waits(c.way), c.wait) << bench().Dump();
  }
}

TEST_P(Waiting, WithNothingInTheEngineTheNextTransferTells) {
  Make();
  const int first = First(kRead);
  ExpectWaits(kRead, Wait::kTask, Wait::kTask);
  Write(first, Copy(0x1000, 16));
  if (config().triggers) {
    Set(kRead, native::kTrigger, 0x20);  // of software
    Push(kRead, {.start = first, .trigger = true});
    ExpectWaits(kRead, Wait::kTrigger, Wait::kTrigger);
    ASSERT_TRUE(software().device().Trigger(0).ok());
    ASSERT_TRUE(WaitRecord(kRead));
  }
  if (config().locks > 0) {
    native::Descriptor d = Copy(0x1000, 16);
    d.acquire = native::LockOp{0, -1};
    Write(first, d);
    Push(kRead, {.start = first});
    ExpectWaits(kRead, Wait::kLock, Wait::kLock);
    EXPECT_EQ(LockOf(kRead), 0);
    ASSERT_TRUE(software().lock(0).Release(1).ok());
    ASSERT_TRUE(WaitRecord(kRead));
    Write(first, Copy(0x1000, 16));
  }
  Set(kRead, native::kControl, 2);  // drain
  Push(kRead, {.start = first});
  ExpectWaits(kRead, Wait::kEngine, Wait::kEngine);
  Set(kRead, native::kControl, 1);  // pause
  bench().Step(20);
  EXPECT_EQ(Waits(kRead), Wait::kPause);
  Set(kRead, native::kControl, 8);  // reset
  ExpectWaits(kRead, Wait::kReset, Wait::kReset);
  Set(kRead, native::kControl, 0);
  ExpectWaits(kRead, Wait::kTask, Wait::kTask);
  Set(kRead, native::kTask, 255);  // no such descriptor
  if (config().descriptors < 256) {
    bench().Step(300);
    EXPECT_EQ(Waits(kRead), Wait::kFault);
  }
}

TEST_P(Waiting, AFullTokenPathIsWaitedFor) {
  DmaBenchOptions options;
  options.tokens = PacerSpec::Never();
  Make(options);
  if (!config().tokens) GTEST_SKIP() << "the build has no tokens";
  const int first = First(kRead);
  Write(first, Copy(0x1000, 8));
  // So many that the path is full.
  for (int n = 0; n < 40 && Waits(kRead) != Wait::kToken; ++n) {
    Set(kRead, native::kTask, native::Task{.start = first, .token = true}.Word());
    bench().Step(200);
    while (Get(kRead, native::kRecord) >> 31 != 0) Set(kRead, native::kRecordPop, 0);
  }
  EXPECT_EQ(Waits(kRead), Wait::kToken);
  // Another channel goes on.
  Write(First(kWrite), Copy(0x4000, 8));
  Push(kWrite, {.start = First(kWrite)});
  bench().source(0).Push(std::vector<uint8_t>(8, 1), PieceEnd::kLast);
  EXPECT_TRUE(WaitRecord(kWrite));
  EXPECT_EQ(Waits(kRead), Wait::kToken);
}

// A memory that takes no entry: some wait in their queue, then the channel waits.
TEST_P(Waiting, AFullQueueOfCompletionEntriesIsWaitedFor) {
  constexpr int kPlaces = 64;
  DmaBenchOptions options;
  options.memory.aw = PacerSpec::Never();
  Make(options);
  if (!config().lists) GTEST_SKIP() << "the build has no lists";
  if (config().channels() > 8) GTEST_SKIP() << "a list has fewer places than the queue entries";
  bench().Set(native::kGlobalControl, 4 << 4);  // the memory is silent for long
  native::Load(&bench().memory(), 0x8000, std::vector(kPlaces, Copy(0x1000, 8)));
  StartList(kRead, {0x8000, kPlaces, 0x10000});
  // For a moment also the entry of a queue with places waits.
  int records = 0;
  for (int n = 0, last = 0; n < 400 && last < 8; ++n) {
    last = Waits(kRead) == Wait::kWrite ? last + 1 : 0;
    records += Pop(kRead) ? 1 : 0;
  }
  EXPECT_EQ(Waits(kRead), Wait::kWrite);
  PopAll(kRead);
  EXPECT_GT(records, 0);
  EXPECT_EQ(Waits(kRead), Wait::kWrite);
}

// What lasts some cycles shows while transfers without data follow each other.
TEST_P(Waiting, ADescriptorIsWaitedFor) {
  Make();
  const int first = First(kRead);
  native::Descriptor d = Copy(0x1000, 0);
  d.no_record = true;
  if (config().locks > 0) d.release = {0, 1};
  Write(first, d);
  for (int r = 0; r < config().reads; ++r) {  // all that want turns
    Set(kRead, native::kTask, native::Task{.start = first, .endless = true}.Word(), r);
  }
  EXPECT_TRUE(Seen([](uint32_t status) { return native::NextWaitOf(status) == Wait::kLoad; }));
}

TEST_P(Waiting, ARingWithoutDescriptorsIsWaitedFor) {
  Make();
  if (!config().lists) GTEST_SKIP() << "the build has no lists";
  StartList(kRead, {.base = 0x8000, .count = 4, .ring = true});
  ExpectWaits(kRead, Wait::kList, Wait::kList);
}

INSTANTIATE_TEST_SUITE_P(Every, Waiting, EveryDma(), DmaName);

}  // namespace
}  // namespace tessera
