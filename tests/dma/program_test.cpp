// Short programs in plain register writes: copies out and in, chains, repeats, locks, errors.
#include "tests/dma/fixture.h"

namespace tessera {
namespace {

using native::Channel;
using native::Descriptor;

class Program : public DmaTest {};

TEST_P(Program, KnowsItself) {
  Make();
  EXPECT_EQ(bench().Get(0x00), 0x54535241u);
  EXPECT_EQ(bench().Get(0x08) & 0x1f, static_cast<uint32_t>(bench().config().reads));
  EXPECT_EQ(bench().Get(0x08) >> 8 & 0x1f, static_cast<uint32_t>(bench().config().writes));
}

TEST_P(Program, CopiesToAStream) {
  Make();
  const auto data = Load(0x1001, 300);
  native::Write(&bench(), 0, Copy(0x1001, 300));
  const uint32_t at = Channel(Direction::kRead, 0);
  bench().Set(at + native::kTag, 0x1234);
  bench().Set(at + native::kTask, native::Task{}.Word());
  const auto record = WaitRecord(Direction::kRead, 0);
  ASSERT_TRUE(record) << bench().Dump();
  EXPECT_EQ(record->done.status, 0);
  EXPECT_EQ(record->done.bytes, 300u);
  EXPECT_EQ(record->tag, 0x1234u);
  EXPECT_TRUE(record->task_end());
  EXPECT_TRUE(record->done.last);
  EXPECT_EQ(bench().sink(0).bytes(), data);
}

TEST_P(Program, CopiesFromAStream) {
  Make();
  std::vector<uint8_t> data(500, 0x5a);
  native::Write(&bench(), 0, Copy(0x2003, 500));
  if (bench().config().dealt) native::Write(&bench(), 2, Copy(0x2003, 500));
  bench().Set(Channel(Direction::kWrite, 0) + native::kTask,
              native::Task{.start = bench().config().dealt ? 2 : 0}.Word());
  bench().source(0).Push(data, PieceEnd::kLast);
  const auto record = WaitRecord(Direction::kWrite, 0);
  ASSERT_TRUE(record) << bench().Dump();
  EXPECT_EQ(record->done.status, 0);
  EXPECT_EQ(record->done.bytes, 500u);
}

TEST_P(Program, ChainsAndRepeats) {
  Make();
  std::vector<uint8_t> expected;
  const auto first = Load(0x1000, 64), second = Load(0x3000, 40);
  Descriptor a = Copy(0x1000, 64), b = Copy(0x3000, 40);
  a.next = 1;
  native::Write(&bench(), 0, a);
  native::Write(&bench(), 1, b);
  bench().Set(Channel(Direction::kRead, 0) + native::kTask, native::Task{.repeats = 3}.Word());
  for (int turn = 0; turn < 3; ++turn) {
    expected.insert(expected.end(), first.begin(), first.end());
    expected.insert(expected.end(), second.begin(), second.end());
    for (int n = 0; n < 2; ++n) {
      const auto record = WaitRecord(Direction::kRead, 0);
      ASSERT_TRUE(record) << turn << " " << n << "\n" << bench().Dump();
      EXPECT_EQ(record->descriptor(), n);
      EXPECT_EQ(record->task_end(), turn == 2 && n == 1);
    }
  }
  EXPECT_EQ(bench().sink(0).bytes(), expected);
}

TEST_P(Program, APushReachesTheBusWithinSevenCycles) {
  Make();
  const int first = First(Direction::kRead);
  Load(0x1000, 64);
  native::Write(&bench(), first, Copy(0x1000, 64));
  bench().Step(20);
  bench().MarkFirst();
  bench().Set(Channel(Direction::kRead, 0) + native::kTask, native::Task{.start = first}.Word());
  ASSERT_TRUE(bench().Until([&] { return bench().first_address() != kNever; }, 100));
  const uint64_t cycles = bench().first_address() - bench().written_at();
  RecordProperty("cycles", static_cast<int>(cycles));
  if (config().windows == 0) {
    EXPECT_LE(cycles, 7u);
  } else {
    EXPECT_LE(cycles, 40u);  // the transfer's extent is worked out first
  }
}

INSTANTIATE_TEST_SUITE_P(Builds, Program, EveryDma(), DmaName);

}  // namespace
}  // namespace tessera
