// Locks, errors, full queues, stop, abort, reset, interrupts and lists, in plain register writes.
#include <algorithm>

#include "tests/dma/fixture.h"

namespace tessera {
namespace {

constexpr int kWaitLock = 3, kWaitRecord = 6, kWaitFault = 13;
constexpr uint32_t kBusy = 1U << 16, kIdle = 1U << 18, kInReset = 1U << 20, kHalted = 1U << 22;

class Control : public DmaTest {};

TEST_P(Control, ALockHoldsATransferBackUntilItIsReleased) {
  Make();
  if (config().locks < 2) GTEST_SKIP() << "the build has no locks";
  const auto data = Load(0x1000, 64);
  native::Descriptor d = Copy(0x1000, 64);
  d.acquire = native::LockOp{1, -1};
  d.release = {0, 2};
  native::Write(&bench(), 0, d);
  Set(kRead, native::kTask, native::Task{}.Word());
  bench().Step(200);
  EXPECT_EQ(Waits(kRead), kWaitLock);
  EXPECT_EQ(Get(kRead, native::kStatus) >> 8 & 0x3f, 1u);
  EXPECT_TRUE(bench().sink(0).bytes().empty());
  bench().Set(native::kLocks + 0x14, 1);  // releases lock 1 by 1
  ASSERT_TRUE(WaitRecord(kRead));
  EXPECT_EQ(bench().sink(0).bytes(), data);
  EXPECT_EQ(bench().Get(native::kLocks), 2u);
  EXPECT_EQ(bench().Get(native::kLocks + 0x10), 0u);
  EXPECT_EQ(bench().Get(native::kTryLock + 4 * 0x7f) & 1, 1u);  // one of lock 0
  EXPECT_EQ(bench().Get(native::kLocks), 1u);
}

TEST_P(Control, PingPongOfAReaderAndAWriter) {
  Make();
  if (config().locks < 2) GTEST_SKIP() << "the build has no locks";
  constexpr int kTurns = 20;
  native::Descriptor in = Copy(0x9000, 32), out = Copy(0x9000, 32);
  in.acquire = native::LockOp{0, -1};  // the buffer is empty
  in.release = {1, 1};
  out.acquire = native::LockOp{1, -1};  // the buffer is full
  out.release = {0, 1};
  native::Write(&bench(), 0, out);
  native::Write(&bench(), 1, in);
  bench().Set(native::kLocks, 1);
  std::vector<uint8_t> data(32 * kTurns);
  for (size_t n = 0; n < data.size(); ++n) data[n] = static_cast<uint8_t>(n * 13 / 7);
  bench().source(0).Push(data, PieceEnd::kLast);
  Set(kRead, native::kTask, native::Task{.start = 0, .repeats = kTurns}.Word());
  Set(kWrite, native::kTask, native::Task{.start = 1, .repeats = kTurns}.Word());
  for (int n = 0; n < kTurns; ++n) {
    ASSERT_TRUE(WaitRecord(kWrite)) << n;
    ASSERT_TRUE(WaitRecord(kRead)) << n;
  }
  EXPECT_EQ(bench().sink(0).bytes(), data);
  EXPECT_EQ(bench().Get(native::kLocks), 1u);
}

TEST_P(Control, ADescriptorThatNobodyWroteHaltsItsChannelUntilReset) {
  Make();
  const auto data = Load(0x1000, 16);
  const int first = First(kRead);
  Set(kRead, native::kTask, native::Task{.start = first}.Word());
  ASSERT_TRUE(WaitStatus(kRead, kHalted, kHalted));
  EXPECT_EQ(Waits(kRead), kWaitFault);
  EXPECT_EQ(Get(kRead, native::kError) & 1, 1u);
  EXPECT_EQ(Get(kRead, native::kErrorInfo) >> 8 & 0x3f, 32u);
  EXPECT_EQ(Get(kRead, native::kErrorInfo) & 0xff, static_cast<uint32_t>(first));
  // The other channel works.
  native::Write(&bench(), First(kWrite), Copy(0x4000, 16));
  bench().source(0).Push(data, PieceEnd::kLast);
  Set(kWrite, native::kTask, native::Task{.start = First(kWrite)}.Word());
  ASSERT_TRUE(WaitRecord(kWrite));
  EXPECT_EQ(bench().memory().ReadBytes(0x4000, 16), data);
  // And this one after a reset.
  Set(kRead, native::kControl, 8);
  ASSERT_TRUE(WaitStatus(kRead, kInReset, kInReset));
  Set(kRead, native::kControl, 0);
  Set(kRead, native::kError, 0xffffffff);
  native::Write(&bench(), first, Copy(0x1000, 16));
  Set(kRead, native::kTask, native::Task{.start = first}.Word());
  ASSERT_TRUE(WaitRecord(kRead));
  EXPECT_EQ(bench().sink(0).bytes(), data);
}

// A task that is pushed while a reset ends runs or is refused: none is accepted and dropped.
TEST_P(Control, NoTaskIsLostAtTheEndOfAReset) {
  Make();
  const int first = First(kRead);
  const auto data = Load(0x1000, 16);
  native::Write(&bench(), first, Copy(0x1000, 16));
  const uint32_t at = native::Channel(kRead, 0) + native::kTask;
  const uint32_t task = native::Task{.start = first}.Word();
  for (const uint32_t bit : {4u, 8u}) {  // abort, reset
    Set(kRead, native::kControl, bit);
    bench().Step(20);
    EXPECT_FALSE(bench().Write(at, task));
    EXPECT_EQ(Get(kRead, native::kError) >> 11 & 1, 1u);
    int accepted = 0;
    for (int delay = 0; delay < 24; ++delay) {
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

TEST_P(Control, ANumberThatTheBuildDoesNotHaveIsNotLoaded) {
  Make();
  if (config().descriptors == 256) GTEST_SKIP() << "every number is there";
  Set(kRead, native::kTask, native::Task{.start = config().descriptors}.Word());
  ASSERT_TRUE(WaitStatus(kRead, kHalted, kHalted));
  EXPECT_EQ(Get(kRead, native::kErrorInfo) >> 8 & 0x3f, 33u);
}

TEST_P(Control, AHalfWrittenDescriptorDoesNotRun) {
  Make();
  const int first = First(kRead);
  native::Write(&bench(), first, Copy(0x1000, 16));
  bench().Set(native::kDescriptors + 0x40 * static_cast<uint32_t>(first) + 8, 32);  // count[0]
  EXPECT_EQ(bench().Get(native::kDescriptors + 0x40 * static_cast<uint32_t>(first) + 60) >> 31, 0u);
  Set(kRead, native::kTask, native::Task{.start = first}.Word());
  ASSERT_TRUE(WaitStatus(kRead, kHalted, kHalted));
  EXPECT_EQ(Get(kRead, native::kErrorInfo) >> 8 & 0x3f, 32u);
}

TEST_P(Control, APushIntoAFullQueueIsRefusedAndTold) {
  Make();
  const int first = First(kWrite);
  native::Write(&bench(), first, Copy(0x4000, 8));
  int pushed = 0;
  while (pushed < 100 && bench().Write(native::Channel(kWrite, 0) + native::kTask,
                                       native::Task{.start = first}.Word())) {
    ++pushed;
    bench().Step(30);
  }
  ASSERT_LT(pushed, 100);
  EXPECT_GE(pushed, config().task_depth);
  EXPECT_EQ(Get(kWrite, native::kStatus) >> 24 & 0x1f, 0u);
  EXPECT_EQ(Get(kWrite, native::kError) >> 11 & 1, 1u);
  for (int n = 0; n < pushed; ++n) {
    bench().source(0).Push(std::vector<uint8_t>(8, static_cast<uint8_t>(n)), PieceEnd::kLast);
    ASSERT_TRUE(WaitRecord(kWrite)) << n << " of " << pushed;
  }
  bench().Step(200);
  EXPECT_FALSE(native::Pop(&bench(), kWrite, 0));
}

TEST_P(Control, AFullRecordQueueHoldsTheChannelAndLosesNothing) {
  Make();
  Load(0x1000, 8);
  const int first = First(kRead);
  native::Write(&bench(), first, Copy(0x1000, 8));
  const int turns = config().record_depth + 40;
  Set(kRead, native::kTask, native::Task{.start = first, .repeats = turns}.Word());
  bench().Step(2000);
  EXPECT_EQ(Waits(kRead), kWaitRecord);
  EXPECT_EQ(Get(kRead, native::kRecord) >> 8 & 0x1f, static_cast<uint32_t>(config().record_depth));
  for (int n = 0; n < turns; ++n) {
    const auto record = WaitRecord(kRead);
    ASSERT_TRUE(record) << n;
    EXPECT_EQ(record->task_end(), n + 1 == turns);
  }
  EXPECT_FALSE(bench().Write(native::Channel(kRead, 0) + native::kRecordPop, 0));
}

TEST_P(Control, AnEndlessTaskEndsWithItsTurnWhenItIsStopped) {
  Make();
  Load(0x1000, 8);
  const int first = First(kRead);
  native::Descriptor a = Copy(0x1000, 8), b = Copy(0x1000, 8);
  a.next = first + 1;
  a.no_record = b.no_record = true;
  native::Write(&bench(), first, a);
  native::Write(&bench(), first + 1, b);
  Set(kRead, native::kTask, native::Task{.start = first, .endless = true}.Word());
  bench().Step(3000);
  EXPECT_EQ(Get(kRead, native::kStatus) & kBusy, kBusy);
  const size_t before = bench().sink(0).bytes().size();
  EXPECT_GT(before, 100u);
  Set(kRead, native::kControl, 0x20);
  ASSERT_TRUE(WaitStatus(kRead, kBusy, 0));
  bench().Step(200);
  EXPECT_EQ(bench().sink(0).bytes().size() % 16, 0u);
}

TEST_P(Control, AnAbortDropsTasksAndGivesTheLockBack) {
  Make();
  if (config().locks < 1) GTEST_SKIP() << "the build has no locks";
  native::Descriptor d = Copy(0x4000, 64);
  d.acquire = native::LockOp{0, -2};
  native::Write(&bench(), 1, d);
  bench().Set(native::kLocks, 8);
  const int tasks = std::min(3, config().record_depth);  // each may leave a record
  for (int n = 0; n < tasks; ++n) Set(kWrite, native::kTask, native::Task{.start = 1}.Word());
  bench().source(0).Push(std::vector<uint8_t>(20, 1), PieceEnd::kBeat);  // the first one begins
  bench().Step(300);
  Set(kWrite, native::kControl, 4);
  ASSERT_TRUE(WaitStatus(kWrite, kIdle | kBusy, kIdle));
  int aborted = 0;
  while (const auto record = native::Pop(&bench(), kWrite, 0)) {
    EXPECT_NE(record->done.status & rtl::Status::kAborted, 0);
    ++aborted;
  }
  Set(kWrite, native::kControl, 0);
  EXPECT_GE(aborted, 1);
  EXPECT_EQ(Get(kWrite, native::kStatus) >> 24 & 0x1f, static_cast<uint32_t>(config().task_depth));
  // What was acquired by transfers that began is gone, what was acquired for one that did not is
  // back.
  EXPECT_EQ(bench().Get(native::kLocks), 8u - 2u * static_cast<uint32_t>(aborted));
}

// A transfer that no window permits waits for its turn to be refused; an abort takes it back.
TEST_P(Control, AnAbortTakesARefusedTransferBack) {
  Make();
  if (config().windows == 0) GTEST_SKIP() << "the build has no windows";
  const uint32_t window = native::kWindows + 0x200 * 16;  // of the first write channel
  bench().Set(window + 8, 0x4000);
  bench().Set(window + 12, 0);
  bench().Set(window + 16, 3);
  native::Write(&bench(), 1, Copy(0x4000, 64));
  native::Write(&bench(), 2, Copy(0x8000, 64));
  Set(kWrite, native::kTask, native::Task{.start = 1}.Word());
  Set(kWrite, native::kTask, native::Task{.start = 2}.Word());
  bench().source(0).Push(std::vector<uint8_t>(20, 1), PieceEnd::kBeat);  // the first one begins
  bench().Step(300);
  Set(kWrite, native::kControl, 4);
  ASSERT_TRUE(WaitStatus(kWrite, kIdle | kBusy, kIdle));
  while (const auto record = native::Pop(&bench(), kWrite, 0)) {
    EXPECT_EQ(record->done.status, rtl::Status::kAborted);
  }
  Set(kWrite, native::kControl, 0);
  const std::vector<uint8_t> data(32, 7);
  native::Write(&bench(), 1, Copy(0x4100, 32));
  Set(kWrite, native::kTask, native::Task{.start = 1}.Word());
  bench().source(0).Push(data, PieceEnd::kLast);
  const auto record = WaitRecord(kWrite);
  ASSERT_TRUE(record);
  EXPECT_EQ(record->done.status & rtl::Status::kDecerr, 0);
  EXPECT_EQ(record->done.bytes, 32u);
  EXPECT_EQ(bench().memory().ReadBytes(0x4100, 32), data);
  bench().Step(200);
  EXPECT_FALSE(native::Pop(&bench(), kWrite, 0));
}

TEST_P(Control, InterruptsByCause) {
  Make();
  Load(0x1000, 8);
  const int first = First(kRead);
  native::Write(&bench(), first, Copy(0x1000, 8));
  bench().Set(native::kGlobalControl, 2);  // interrupts of the whole
  Set(kRead, native::kIrqEnable, 1);       // task
  EXPECT_FALSE(bench().dma().irq);
  Set(kRead, native::kTask, native::Task{.start = first}.Word());
  ASSERT_TRUE(bench().Until([&] { return bench().dma().irq; }, 500));
  EXPECT_EQ(bench().dma().irq_channels, 1u);
  EXPECT_EQ(bench().Get(native::kIrqChannels), 1u);
  EXPECT_EQ(Get(kRead, native::kIrqStatus) & 1, 1u);
  Set(kRead, native::kIrqStatus, 1);
  bench().Step(5);
  EXPECT_FALSE(bench().dma().irq);
}

TEST_P(Control, RecordsCoalesceByCount) {
  Make();
  Load(0x1000, 8);
  const int first = First(kRead);
  native::Write(&bench(), first, Copy(0x1000, 8));
  bench().Set(native::kGlobalControl, 2);
  Set(kRead, native::kCoalesce, 2);
  Set(kRead, native::kIrqEnable, 4);  // record
  Set(kRead, native::kTask, native::Task{.start = first}.Word());
  bench().Step(300);
  EXPECT_FALSE(bench().dma().irq);
  Set(kRead, native::kTask, native::Task{.start = first}.Word());
  EXPECT_TRUE(bench().Until([&] { return bench().dma().irq; }, 500));
}

TEST_P(Control, AnArrayInMemoryIsExecutedInOrder) {
  Make();
  if (!config().lists) GTEST_SKIP() << "the build has no lists";
  std::vector<uint8_t> expected;
  std::vector<native::Descriptor> list;
  for (uint32_t n = 0; n < 10; ++n) {
    const auto data = Load(0x1000 + 0x100 * n, 16 + n);
    expected.insert(expected.end(), data.begin(), data.end());
    list.push_back(Copy(0x1000 + 0x100 * n, 16 + n));
  }
  native::Load(&bench(), 0x20000, list);
  native::SetArray(&bench(), kRead, 0, 0x20000, list.size());
  Set(kRead, native::kTask, native::Task{.from_list = true}.Word());
  for (int n = 0; n < 10; ++n) {
    const auto record = WaitRecord(kRead);
    ASSERT_TRUE(record) << n << "\n" << bench().Dump();
    EXPECT_EQ(record->descriptor(), n);
    EXPECT_EQ(record->task_end(), n == 9);
  }
  EXPECT_EQ(bench().sink(0).bytes(), expected);
}

TEST_P(Control, AnArrayWithoutDescriptorsIsAnError) {
  Make();
  if (!config().lists) GTEST_SKIP() << "the build has no lists";
  native::SetArray(&bench(), kRead, 0, 0x20000, 0);
  Set(kRead, native::kTask, native::Task{.from_list = true}.Word());
  ASSERT_TRUE(WaitStatus(kRead, kHalted, kHalted));
  EXPECT_EQ(Get(kRead, native::kErrorInfo) >> 8 & 0x3f, 41u);
}

INSTANTIATE_TEST_SUITE_P(Builds, Control, EveryDma(), DmaName);

}  // namespace
}  // namespace tessera
