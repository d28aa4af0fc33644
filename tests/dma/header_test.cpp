// Headers of packets that come in choose descriptors. Through the driver, but for an abort that is
// held while a packet goes.
#include "tests/dma/side.h"

namespace tessera {
namespace {

class OutOfOrder : public SideTest {
 protected:
  void SetUp() override {
    Make(Paced(10));
    if (!config().headers()) GTEST_SKIP() << "the build takes no headers";
    ASSERT_TRUE(Channel(kWrite).HeadersChoose(true).ok());
  }
};

TEST_P(OutOfOrder, TheHeaderNamesTheDescriptor) {
  Proves({"side.out-of-order"});
  if (IsSkipped()) return;
  for (int d = 0; d < 4; ++d) {
    native::Descriptor descriptor = ToLast(0x4000 + 0x1000 * static_cast<uint64_t>(d), 64);
    descriptor.iteration_size = 16;
    descriptor.iteration_step = 64;
    Write(4 + d, descriptor);
  }
  constexpr int kPackets = 40;
  Push(kWrite, {.start = 9, .repeats = kPackets});
  bench().Step(100);
  EXPECT_EQ(Waits(kWrite), native::Wait::kHeader);
  bench().source(0).SetSides([](uint64_t packet, uint64_t) { return SideNumber(packet); });
  std::vector<std::vector<uint8_t>> data;
  std::vector<int> ids;
  for (int n = 0; n < kPackets; ++n) {
    ids.push_back(4 + (n * 7 + n / 5) % 4);
    data.push_back(Bytes(static_cast<size_t>(n % 9 == 5 ? 0 : 1 + n * 11 % 60), n));
    Send(ids.back(), data.back());
  }
  std::array<uint64_t, 4> turns{};
  for (size_t n = 0; n < kPackets; ++n) {
    const auto record = WaitRecord(kWrite);
    ASSERT_TRUE(record) << n << bench().Dump();
    EXPECT_EQ(record->descriptor(), ids[n]) << n;
    EXPECT_EQ(record->done.status, 0) << n;
    EXPECT_EQ(record->done.bytes, data[n].size()) << n;
    EXPECT_EQ(record->side, native::SideWord(SideNumber(n))) << n;
    const auto slot = static_cast<uint64_t>(ids[n] - 4);
    const uint64_t base = 0x4000 + 0x1000 * slot + 64 * (turns[slot]++ % 16);
    if (!data[n].empty()) {
      EXPECT_EQ(bench().memory().ReadBytes(base, data[n].size()), data[n]) << n;
    }
  }
}

// The header of a packet waits for a task of its own channel, whatever the others do.
TEST_P(OutOfOrder, AHeaderWaitsForItsOwnChannel) {
  Proves({"side.out-of-order"});
  if (IsSkipped()) return;
  if (config().writes < 2) GTEST_SKIP() << "the build has one channel that writes";
  ASSERT_TRUE(Channel(kWrite, 1).HeadersChoose(true).ok());
  Write(4, ToLast(0x4000, 64));
  Write(5, ToLast(0x5000, 64));
  Send(5, Bytes(30, 9), 1);
  bench().Step(100);
  for (int n = 0; n < 4; ++n) {
    Push(kWrite);
    Send(4, Bytes(20, n));
    const auto record = WaitRecord(kWrite);
    ASSERT_TRUE(record) << n;
    EXPECT_EQ(record->descriptor(), 4);
    EXPECT_EQ(bench().memory().ReadBytes(0x4000, 20), Bytes(20, n));
  }
  Push(kWrite, {}, 1);
  const auto record = WaitRecord(kWrite, 1);
  ASSERT_TRUE(record) << bench().Dump();
  EXPECT_EQ(record->descriptor(), 5);
  EXPECT_EQ(bench().memory().ReadBytes(0x5000, 30), Bytes(30, 9));
}

TEST_P(OutOfOrder, AnIdWithoutADescriptorHaltsTheChannel) {
  Proves({"side.out-of-order"});
  if (IsSkipped()) return;
  Push(kWrite, {.repeats = 2});
  Send(11, Bytes(8, 1));
  ASSERT_TRUE(WaitStatus(kWrite, kHalted, kHalted));
  EXPECT_EQ(Get(kWrite, native::kErrorInfo) & 0xff, 11u);
}

// Headers are not taken off what a list receives: a new task of it is refused, and one that waits
// in the queue goes on waiting until headers choose no longer.
TEST_P(OutOfOrder, ATaskOfAListWaitsUntilHeadersChooseNoLonger) {
  Proves({"side.out-of-order"});
  if (IsSkipped()) return;
  if (!config().lists) GTEST_SKIP() << "the build has no lists";
  constexpr uint64_t kList = 0x20000;
  const uint32_t task = native::Channel(kWrite, 0) + native::kTask;
  const uint32_t from_list = native::Task{.from_list = true}.Word();
  native::Load(&bench().memory(), kList, std::vector{ToLast(0x6000, 64)});
  bench().Set64(native::Channel(kWrite, 0) + native::kListBase, kList);
  Set(kWrite, native::kListCount, 1);
  Write(4, ToLast(0x4000, 64));
  Write(5, ToLast(0x5000, 64));
  bench().Step(20);  // headers choose
  EXPECT_FALSE(bench().Write(task, from_list));
  EXPECT_EQ(Get(kWrite, native::kError), 1u << 11);
  Set(kWrite, native::kError, 1u << 11);
  // Plain packets again; two tasks wait when headers are to choose once more.
  Set(kWrite, native::kControl, 0);
  bench().Step(20);
  const auto ends = [&] {
    return bench().Until([&] { return Get(kWrite, native::kRecord) >> 31 != 0; }, 3000);
  };
  EXPECT_TRUE(bench().Write(task, native::Task{.start = 5}.Word()));
  bench().Step(20);
  EXPECT_TRUE(bench().Write(task, from_list));
  Set(kWrite, native::kControl, 0x100);
  bench().source(0).Push(Bytes(24, 1), PieceEnd::kLast);
  ASSERT_TRUE(ends()) << bench().Dump();
  Set(kWrite, native::kRecordPop, 0);
  bench().Step(20);  // headers choose before their packets come
  Send(4, Bytes(20, 2));
  bench().Step(600);
  EXPECT_EQ(Waits(kWrite), native::Wait::kList);
  EXPECT_EQ(Get(kWrite, native::kRecord) >> 31, 0u);
  // What has begun of the packets is dropped; the list receives the next one, all of it.
  Set(kWrite, native::kControl, 0);
  bench().Step(100);
  bench().source(0).Push(Bytes(28, 3), PieceEnd::kLast);
  ASSERT_TRUE(ends()) << bench().Dump();
  EXPECT_EQ(Get(kWrite, native::kRecordBytes), 28u);
  EXPECT_EQ(bench().memory().ReadBytes(0x6000, 28), Bytes(28, 3));
  EXPECT_EQ(bench().memory().ReadBytes(0x5000, 24), Bytes(24, 1));
}

// A header that is not whole names nothing: its packet goes, the next one counts.
TEST_P(OutOfOrder, APacketWithoutAWholeHeaderIsDropped) {
  Proves({"side.out-of-order"});
  if (IsSkipped()) return;
  Write(4, ToLast(0x4000, 64));
  Push(kWrite);
  bench().source(0).Push(std::vector<uint8_t>{0x80, 0}, PieceEnd::kLast);
  Send(4, Bytes(20, 2));
  const auto record = WaitRecord(kWrite);
  ASSERT_TRUE(record);
  EXPECT_EQ(record->descriptor(), 4);
  EXPECT_EQ(bench().memory().ReadBytes(0x4000, 20), Bytes(20, 2));
}

TEST_P(OutOfOrder, AnAbortForgetsThePacketsThatHaveBegun) {
  Proves({"side.out-of-order"});
  if (IsSkipped()) return;
  Write(4, ToLast(0x4000, 4096));
  Write(5, ToLast(0x8000, 64));
  for (int turn = 0; turn < 8; ++turn) {
    Push(kWrite, {.repeats = 3});
    Send(4, Bytes(400, turn));
    bench().Step(60 + 13 * turn);  // in the middle of it
    // Held until the rest of the packet is dropped; the driver's own ends when the channel rests.
    Set(kWrite, native::kControl, 0x104);
    ASSERT_TRUE(bench().Until([&] { return bench().source(0).empty(); }, 2000));
    bench().Step(20);
    ASSERT_TRUE(Channel(kWrite).Abort().ok());
    PopAll(kWrite);
    Push(kWrite);
    Send(5, Bytes(33, turn));
    const auto record = WaitRecord(kWrite);
    ASSERT_TRUE(record) << turn;
    EXPECT_EQ(record->descriptor(), 5);
    EXPECT_EQ(record->done.bytes, 33u);
    EXPECT_EQ(bench().memory().ReadBytes(0x8000, 33), Bytes(33, turn));
  }
}

INSTANTIATE_TEST_SUITE_P(Builds, OutOfOrder, EveryDma(), DmaName);

}  // namespace
}  // namespace tessera
