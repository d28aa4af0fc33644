// What travels beside the data, packet headers and out-of-order reception through the driver.
#include <bit>

#include "tests/driver/rtl/fixture.h"

namespace tessera::driver {
namespace {

class RtlSide : public RtlTest {
 protected:
  // The word in front of a packet.
  static uint32_t Header(uint32_t id, uint32_t slot) {
    const uint32_t word = id | slot << 5;
    return word | (std::popcount(word) % 2 == 0 ? 1u << 31 : 0);
  }
  void SendPacket(uint32_t id, uint32_t slot, const Bytes& payload) {
    Bytes packet;
    for (int n = 0; n < 4; ++n) packet.push_back(static_cast<uint8_t>(Header(id, slot) >> 8 * n));
    packet.insert(packet.end(), payload.begin(), payload.end());
    board().Send(0, packet);
  }
};

TEST_P(RtlSide, ADescriptorGivesItToEveryBeat) {
  Make();
  Task task(reader(), descriptors());
  ASSERT_TRUE(task.Run(Linear(0x1000, 77).Side(5, 0x81, 0xbeef)).ok());
  const bool side = Has(registers::global_block::CapFeatures::kSideMask);
  for (const StreamBeat& beat : board().bench().sink(0).beats()) {
    EXPECT_EQ(beat.side.dest, side ? 5 : 0);
    EXPECT_EQ(beat.side.id, side ? 0x81 : 0);
    EXPECT_EQ(beat.side.user, side ? 0xbeef : 0);
  }
}

TEST_P(RtlSide, ARecordHasThatOfItsPacket) {
  Make();
  if (!Has(registers::global_block::CapFeatures::kSideMask))
    GTEST_SKIP() << "no side information in this build";
  board().bench().source(0).SetSides([](uint64_t packet, uint64_t) {
    return rtl::DescriptorSide{
        .user = static_cast<uint16_t>(0x100 + packet), .id = 7, .dest = 0x2a};
  });
  Task task(writer(), descriptors());
  ASSERT_TRUE(task.Configure(Linear(0x8000, 64).FinishOnLast()).ok());
  for (uint32_t packet = 0; packet < 3; ++packet) {
    board().Send(0, Counting(9 + packet));
    ASSERT_TRUE(task.Start().ok());
    Record record;
    for (int turn = 0; turn < 2000 && !writer().TakeRecord(record); ++turn) board().Pass(1);
    EXPECT_EQ(record.bytes, 9 + packet);
    EXPECT_EQ(record.side, 0x2au | 7u << 8 | (0x100 + packet) << 16);
    ASSERT_TRUE(task.Await().ok());
  }
}

TEST_P(RtlSide, AHeaderGoesInFrontOfAPacket) {
  Make();
  Task task(reader(), descriptors());
  const Status status = task.Configure(Linear(0x1000, 21).Packet(9, 0, 17));
  if (!Has(registers::global_block::CapFeatures::kPacketHeadersMask)) {
    EXPECT_EQ(status.reason(), Reason::no_headers);
    return;
  }
  ASSERT_TRUE(status.ok()) << Text(status);
  ASSERT_TRUE(task.Start().ok());
  ASSERT_TRUE(task.Await().ok());
  board().Pass(50);
  const Bytes bytes = board().Take(0);
  ASSERT_EQ(bytes.size(), 25u);
  uint32_t word = 0;
  for (size_t n = 0; n < 4; ++n) word |= static_cast<uint32_t>(bytes[n]) << 8 * n;
  EXPECT_EQ(word & 0x7ff, 9u | 17u << 5);
  EXPECT_EQ(std::popcount(word) % 2, 1);
  EXPECT_EQ(Bytes(bytes.begin() + 4, bytes.end()), board().Read(0x1000, 21));
}

// Packets of three senders, in an order that nobody knows before, into buffers of their own.
TEST_P(RtlSide, HeadersChooseDescriptors) {
  Make();
  EXPECT_EQ(reader().HeadersChoose(true).reason(), Reason::wrong_direction);
  if (!Has(registers::global_block::CapFeatures::kOutOfOrderMask)) {
    EXPECT_EQ(writer().HeadersChoose(true).reason(), Reason::no_out_of_order);
    return;
  }
  ASSERT_TRUE(writer().HeadersChoose(true).ok());
  Task<BoardChannel, 1> buffers[3] = {
      {writer(), descriptors()}, {writer(), descriptors()}, {writer(), descriptors()}};
  for (uint32_t k = 0; k < 3; ++k) {
    // Each packet of a sender into the next 64 bytes.
    ASSERT_TRUE(
        buffers[k].Configure(Linear(0x8000 + 0x1000 * k, 64).FinishOnLast().Iteration(4, 64)).ok());
  }
  constexpr uint32_t kOrder[] = {1, 0, 2, 2, 1, 0};
  ASSERT_TRUE(buffers[0].Start({.repeats = 6}).ok());
  EXPECT_EQ(writer().HeadersChoose(false).reason(), Reason::task_running);
  uint32_t turn[3] = {};
  Bytes expected[3][2];
  for (uint32_t n = 0; n < 6; ++n) {
    const uint32_t k = kOrder[n];
    expected[k][turn[k]++] = Counting(20 + n, static_cast<uint8_t>(30 * n));
    SendPacket(k, buffers[k].descriptor(), Counting(20 + n, static_cast<uint8_t>(30 * n)));
  }
  const Result<Completion> done = buffers[0].Await();
  ASSERT_TRUE(done.ok()) << Text(done.status);
  EXPECT_EQ(done.value.bytes, 6 * 20u + 15u);
  for (uint32_t k = 0; k < 3; ++k) {
    for (uint32_t n = 0; n < 2; ++n) {
      EXPECT_EQ(board().Read(0x8000 + 0x1000 * k + 64 * n, expected[k][n].size()), expected[k][n]);
    }
  }
  EXPECT_TRUE(writer().HeadersChoose(false).ok());
}

INSTANTIATE_TEST_SUITE_P(Builds, RtlSide, EveryBuild(), BuildName);

}  // namespace
}  // namespace tessera::driver
