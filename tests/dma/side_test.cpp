// TDEST, TID and TUSER of every beat and record, headers of packets that are sent, routes by TDEST.
// Through the driver.
#include "tests/dma/side.h"

namespace tessera {
namespace {

class SideInfo : public SideTest {};

// Without TLAST between them transfers still have their own; joined ones share a beat.
TEST_P(SideInfo, TransfersWithoutLastAndJoinedOnes) {
  Proves({"side.send"});
  Make(Paced(4));
  if (!config().side) GTEST_SKIP() << "the build has no TDEST";
  const auto width = static_cast<uint32_t>(config().channel.stream_bytes);
  const std::array<uint32_t, 4> sizes{2 * width, 2 * width - 1, width + 2, 3 * width};
  for (size_t n = 0; n < sizes.size(); ++n) {
    const uint64_t base = 0x1000 + 0x100 * n;
    Load(base, sizes[n]);
    native::Descriptor d = Copy(base, sizes[n]);
    d.transfer.last_rule = n == 3 ? model::LastRule::kTransfer : model::LastRule::kNever;
    d.transfer.join_next = n == 1;
    d.side = native::SideWord(SideNumber(n));
    if (n < 3) d.next = static_cast<int>(n) + 1;
    Write(static_cast<int>(n), d);
  }
  Push(kRead, {.start = 0});
  for (size_t n = 0; n < sizes.size(); ++n) ASSERT_TRUE(WaitRecord(kRead)) << n;
  // Beats: two of 0, one of 1, the one in which 2 joins, two with the rest of 2, three of 3. Where
  // the stream is narrower all of 1 is in a beat of the bus with 2.
  const bool narrow = width < static_cast<uint32_t>(config().channel.data_bytes);
  const std::vector<uint64_t> owners{0, 0, narrow ? 2U : 1U, 2, 2, 2, 3, 3, 3};
  const auto packets = Packets(0);
  ASSERT_EQ(packets.size(), 1u);
  ASSERT_EQ(packets[0].sides.size(), owners.size());
  for (size_t n = 0; n < owners.size(); ++n)
    EXPECT_EQ(packets[0].sides[n], SideNumber(owners[n])) << n;
}

TEST_P(SideInfo, AnAbortLeavesTheNextTransferItsOwn) {
  Proves({"side.send"});
  DmaBenchOptions options = Paced(5);
  options.sink.pacer = PacerSpec::Parse("bursts=1-2/6-20");
  Make(options);
  if (!config().side) GTEST_SKIP() << "the build has no TDEST";
  for (int n = 0; n < 3; ++n) {
    Load(0x1000, 600);
    native::Descriptor d = Copy(0x1000, n == 2 ? 24 : 600);
    d.transfer.last_rule = model::LastRule::kTransfer;
    d.side = native::SideWord(SideNumber(static_cast<uint64_t>(n)));
    if (n < 1) d.next = n + 1;
    Write(n, d);
  }
  for (int turn = 0; turn < 6; ++turn) {
    Push(kRead, {.start = 0});
    bench().Step(120 + 97 * turn);
    ASSERT_TRUE(Channel(kRead).Abort().ok());
    PopAll(kRead);
    const size_t before = Packets(0).size();
    Push(kRead, {.start = 2});
    ASSERT_TRUE(WaitRecord(kRead));
    bench().Step(400);
    const auto packets = Packets(0);
    ASSERT_EQ(packets.size(), before + 1);
    for (const rtl::DescriptorSide& side : packets.back().sides)
      EXPECT_EQ(side, SideNumber(2)) << turn;
    for (size_t n = 0; n < before; ++n) {
      for (const rtl::DescriptorSide& side : packets[n].sides)
        EXPECT_EQ(side, packets[n].sides[0]) << n;
    }
  }
}

TEST_P(SideInfo, HeadersGoInFrontOfPacketsThatAskForThem) {
  Proves({"side.send"});
  Make(Paced(6));
  if (!config().headers()) GTEST_SKIP() << "the build has no packet headers";
  constexpr std::array<uint32_t, 4> kSizes{24, 13, 4, 31};
  std::vector<std::vector<uint8_t>> expected;
  for (size_t n = 0; n < kSizes.size(); ++n) {
    const uint64_t base = 0x1000 + 0x100 * n;
    const auto data = Load(base, kSizes[n]);
    native::Descriptor d = Copy(base, kSizes[n]);
    d.transfer.last_rule = model::LastRule::kTransfer;
    d.side = native::SideWord(SideNumber(n));
    std::vector<uint8_t> packet;
    if (n != 1) {
      d.header = rtl::HeaderRequest{.enable = true,
                                    .kind = static_cast<uint8_t>(n + 3),
                                    .bd = static_cast<uint8_t>(40 + n),
                                    .id = static_cast<uint8_t>(17 + n)};
      packet = Header(*d.header);
    }
    packet.insert(packet.end(), data.begin(), data.end());
    expected.push_back(packet);
    if (n + 1 < kSizes.size()) d.next = static_cast<int>(n) + 1;
    Write(static_cast<int>(n), d);
  }
  Push(kRead, {.start = 0, .repeats = 9});
  for (size_t n = 0; n < 9 * kSizes.size(); ++n) ASSERT_TRUE(WaitRecord(kRead)) << n;
  bench().Step(100);  // the last beat may still wait behind its record
  const auto packets = Packets(0);
  ASSERT_EQ(packets.size(), 9 * kSizes.size());
  for (size_t n = 0; n < packets.size(); ++n) {
    EXPECT_EQ(packets[n].bytes, expected[n % kSizes.size()]) << n;
    for (const rtl::DescriptorSide& side : packets[n].sides)
      EXPECT_EQ(side, SideNumber(n % kSizes.size())) << n;
  }
}

// A joined transfer has ended, and its number is given to a later one, while the beat that it
// shares waits for the stream.
TEST_P(SideInfo, ASharedBeatKeepsItsOwn) {
  Proves({"side.send"});
  DmaBenchOptions options;
  std::vector<uint8_t> moves(2000, 0);
  moves.resize(20000, 1);
  options.sink.pacer = PacerSpec::List(moves);
  Make(options);
  if (!config().side) GTEST_SKIP() << "the build has no TDEST";
  Load(0x1000, 256);
  struct Part {
    uint32_t bytes;
    int side;
    bool join;
  };
  const std::vector<Part> parts{{16, 0, false}, {6, 1, true}, {10, 1, false}, {8, 3, false}};
  uint64_t base = 0x1000;
  for (int n = 0; n < 4; ++n) {
    const Part& part = parts[static_cast<size_t>(n)];
    native::Descriptor d = Copy(base, part.bytes);
    base += part.bytes;
    d.no_record = true;
    d.side = native::SideWord(SideNumber(static_cast<uint64_t>(part.side)));
    d.transfer.last_rule = part.join ? model::LastRule::kNever : model::LastRule::kTransfer;
    d.transfer.join_next = part.join;
    if (n < 2) d.next = n + 1;
    if (part.side == 1 && config().headers()) d.header = rtl::HeaderRequest{.enable = true};
    Write(n, d);
  }
  Push(kRead, {.start = 0});
  bench().Step(120);
  Push(kRead, {.start = 3, .repeats = 3});
  bench().Step(4000);
  const auto packets = Packets(0);
  ASSERT_EQ(packets.size(), 5U);
  EXPECT_EQ(packets[1].bytes.size(), 16U + (config().headers() ? 4U : 0U));
  for (const rtl::DescriptorSide& side : packets[1].sides) EXPECT_EQ(side, SideNumber(1));
}

// The end of a transfer, and of the task, without TLAST: nothing waits behind the engine for what
// may never come, be it for a wider beat or behind a header.
TEST_P(SideInfo, TheEndOfATransferIsSentWithoutLast) {
  Proves({"side.send"});
  for (uint32_t bytes = 4; bytes <= 20; bytes += 4) {
    SCOPED_TRACE(bytes);
    Make();
    const auto data = Load(0x1000, bytes);
    native::Descriptor d = Copy(0x1000, bytes);
    d.transfer.last_rule = model::LastRule::kNever;
    if (config().headers()) d.header = rtl::HeaderRequest{.enable = true};
    Write(0, d);
    size_t sent = 0;
    for (size_t turn = 1; turn <= 2; ++turn) {
      Push(kRead, {.start = 0});
      ASSERT_TRUE(WaitRecord(kRead));
      bench().Step(100);
      sent += bytes + (turn == 1 && config().headers() ? 4 : 0);
      const auto& stream = bench().sink(0).bytes();
      ASSERT_EQ(stream.size(), sent);
      EXPECT_TRUE(std::equal(data.begin(), data.end(), stream.end() - bytes));
    }
  }
}

// One with whole beats of the bus asks for a header; the one that joins may ask for another.
TEST_P(SideInfo, AHeaderIsThatOfTheFirstTransferOfAPacket) {
  Proves({"side.send"});
  Make();
  if (!config().headers()) GTEST_SKIP() << "the build has no packet headers";
  const auto bus = static_cast<uint32_t>(config().channel.data_bytes);
  for (uint32_t beats = 1; beats < 6; ++beats) {
    for (const bool another : {false, true}) {
      SCOPED_TRACE(fmt::format("{} beats, another header {}", beats, another));
      Make();
      const rtl::HeaderRequest header{.enable = true, .kind = 3, .bd = 40, .id = 17};
      auto expected = Header(header);
      for (const auto& bytes : {Load(0x1000, beats * bus), Load(0x2000, 29)})
        expected.insert(expected.end(), bytes.begin(), bytes.end());
      native::Descriptor first = Copy(0x1000, beats * bus), then = Copy(0x2000, 29);
      first.transfer.join_next = true;
      first.transfer.last_rule = model::LastRule::kNever;
      then.transfer.last_rule = model::LastRule::kTransfer;
      first.header = header;
      if (another) then.header = rtl::HeaderRequest{.enable = true, .kind = 1, .bd = 2, .id = 5};
      first.next = 1;
      Write(0, first);
      Write(1, then);
      Push(kRead, {.start = 0});
      ASSERT_TRUE(WaitRecord(kRead));
      ASSERT_TRUE(WaitRecord(kRead));
      bench().Step(200);
      const auto packets = Packets(0);
      ASSERT_EQ(packets.size(), 1u);
      EXPECT_EQ(packets[0].bytes, expected);
    }
  }
}

TEST_P(SideInfo, ARecordHasThatOfItsPacket) {
  Proves({"side.record"});
  Make(Paced(7));
  if (!config().side) GTEST_SKIP() << "the build has no TDEST";
  bench().source(0).SetSides([&](uint64_t packet, uint64_t) {
    rtl::DescriptorSide side = SideNumber(packet);
    if (config().route_dest) side.dest = 0;
    return side;
  });
  Write(1, ToLast(0x4000, 64));
  constexpr int kPackets = 30;
  for (int n = 0; n < kPackets; ++n) {
    bench().source(0).Push(Bytes(static_cast<size_t>(1 + n * 5 % 60), n), PieceEnd::kLast);
  }
  Push(kWrite, {.start = 1, .repeats = kPackets});
  for (int n = 0; n < kPackets; ++n) {
    const auto record = WaitRecord(kWrite);
    ASSERT_TRUE(record) << n;
    EXPECT_EQ(record->done.bytes, static_cast<uint64_t>(1 + n * 5 % 60));
    rtl::DescriptorSide side = SideNumber(static_cast<uint64_t>(n));
    if (config().route_dest) side.dest = 0;
    EXPECT_EQ(record->side, native::SideWord(side)) << n;
  }
}

// By length: a record has that of the beat with its last byte, wherever packets end.
TEST_P(SideInfo, ByLengthARecordHasThatOfItsLastByte) {
  Proves({"side.record"});
  Make(Paced(8));
  if (!config().side || config().route_dest) GTEST_SKIP() << "the build has no TDEST of its own";
  bench().source(0).SetSides([](uint64_t packet, uint64_t) { return SideNumber(packet); });
  Write(1, Copy(0x4000, 10));
  for (int n = 0; n < 20; ++n) bench().source(0).Push(Bytes(7, n), PieceEnd::kLast);
  Push(kWrite, {.start = 1, .repeats = 14});
  for (int n = 0; n < 14; ++n) {
    const auto record = WaitRecord(kWrite);
    ASSERT_TRUE(record) << n;
    EXPECT_EQ(record->side, native::SideWord(SideNumber(static_cast<uint64_t>((10 * n + 9) / 7))))
        << n;
  }
}

TEST_P(SideInfo, TdestChoosesTheChannel) {
  Proves({"side.route"});
  Make(Paced(9));
  if (!config().route_dest) GTEST_SKIP() << "the build does not route";
  const auto writes = static_cast<uint64_t>(config().writes);
  // One packet in four is for nobody.
  bench().source(0).SetSides([&](uint64_t packet, uint64_t) {
    rtl::DescriptorSide side = SideNumber(packet);
    side.dest = static_cast<uint8_t>(packet % (writes + 1) == writes ? 200 : packet % (writes + 1));
    return side;
  });
  constexpr int kPackets = 24;
  std::vector<std::vector<std::vector<uint8_t>>> expected(writes + 1);
  for (int n = 0; n < kPackets; ++n) {
    const auto data = Bytes(static_cast<size_t>(1 + n * 7 % 50), n);
    bench().source(0).Push(data, PieceEnd::kLast);
    expected[static_cast<uint64_t>(n) % (writes + 1)].push_back(data);
  }
  for (int w = 0; w < config().writes; ++w) {
    native::Descriptor d = ToLast(0x4000 + 0x1000 * static_cast<uint64_t>(w), 64);
    d.iteration_size = 16;
    d.iteration_step = 64;
    Write(w, d);
    Push(kWrite, {.start = w, .repeats = static_cast<int>(expected[static_cast<size_t>(w)].size())},
         w);
  }
  std::vector<size_t> got(writes);
  for (int n = 0; n < 4000; ++n) {
    for (int w = 0; w < config().writes; ++w) {
      const auto record = Pop(kWrite, w);
      if (!record) continue;
      const auto channel = static_cast<size_t>(w);
      const auto& data = expected[channel].at(got[channel]);
      EXPECT_EQ(
          bench().memory().ReadBytes(0x4000 + 0x1000 * channel + 64 * got[channel], data.size()),
          data);
      EXPECT_EQ(record->side & 0xff, static_cast<uint32_t>(w));
      ++got[channel];
    }
    if (got[0] + got[1] + got[2] == 18) break;
  }
  for (size_t w = 0; w < writes; ++w) EXPECT_EQ(got[w], expected[w].size()) << w;
}

INSTANTIATE_TEST_SUITE_P(Builds, SideInfo, EveryDma(), DmaName);

}  // namespace
}  // namespace tessera
