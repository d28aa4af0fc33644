// What travels beside the data: TDEST, TID and TUSER, packet headers, frame marks. Through the
// driver, but for an abort that is held while a packet goes.
#include <bit>
#include <random>

#include "tb/check/plan.h"
#include "tests/dma/fixture.h"

namespace tessera {
namespace {

constexpr auto kRead = Direction::kRead;
constexpr auto kWrite = Direction::kWrite;
constexpr int kWaitTrigger = 1, kWaitHeader = 14;

rtl::Side SideNumber(uint64_t n) {
  return {.user = static_cast<uint16_t>(0x1234 + 77 * n),
          .id = static_cast<uint8_t>(3 * n + 1),
          .dest = static_cast<uint8_t>(n)};
}
std::vector<uint8_t> Bytes(size_t count, int seed) {
  std::vector<uint8_t> data(count);
  for (size_t n = 0; n < count; ++n)
    data[n] = static_cast<uint8_t>(n * 11 + static_cast<size_t>(seed) * 31);
  return data;
}

class SideInfo : public DmaTest {
 protected:
  static DmaBenchOptions Paced(uint64_t seed) {
    DmaBenchOptions options;
    options.seed = seed;
    options.memory = AxiMemoryOptions::Latency(20);
    options.sink.pacer = PacerSpec::Parse("bursts=1-8/0-6");
    options.source.pacer = PacerSpec::Parse("bursts=1-8/0-6");
    return options;
  }
  // The packets that a sink has taken: side information and bytes of each.
  struct Packet {
    std::vector<rtl::Side> sides;
    std::vector<uint8_t> bytes;
  };
  std::vector<Packet> Packets(int channel) {
    std::vector<Packet> packets(1);
    const StreamSink& sink = bench().sink(channel);
    for (size_t n = 0; n < sink.beats().size(); ++n) {
      const StreamBeat& beat = sink.beats()[n];
      packets.back().sides.push_back(beat.side);
      const auto at = sink.bytes().begin() + static_cast<std::ptrdiff_t>(beat.first);
      packets.back().bytes.insert(packets.back().bytes.end(), at, at + beat.count);
      if (beat.last) packets.emplace_back();
    }
    EXPECT_TRUE(packets.back().sides.empty()) << "a packet is open";
    packets.pop_back();
    return packets;
  }
  static native::Descriptor ToLast(uint64_t base, uint32_t bytes) {
    native::Descriptor d = Copy(base, bytes);
    d.transfer.finish = model::Finish::kLast;
    return d;
  }
};

TEST_P(SideInfo, EveryBeatHasThatOfItsDescriptor) {
  Make(Paced(3));
  if (!config().side || config().descriptors < 5) GTEST_SKIP() << "the build has no TDEST";
  constexpr std::array<uint32_t, 5> kSizes{40, 3, 64, 17, 8};
  std::vector<std::vector<uint8_t>> expected;
  for (size_t n = 0; n < kSizes.size(); ++n) {
    const uint64_t base = 0x1000 + 0x100 * n;
    expected.push_back(Load(base, kSizes[n]));
    native::Descriptor d = Copy(base, kSizes[n]);
    d.transfer.last_rule = model::LastRule::kTransfer;
    d.side = native::SideWord(SideNumber(n));
    if (n + 1 < kSizes.size()) d.next = static_cast<int>(n) + 1;
    Write(static_cast<int>(n), d);
  }
  Push(kRead, {.start = 0, .repeats = 7});
  for (size_t n = 0; n < 7 * kSizes.size(); ++n) {
    const auto record = WaitRecord(kRead);
    ASSERT_TRUE(record) << n;
    EXPECT_EQ(record->side, native::SideWord(SideNumber(n % kSizes.size())));
  }
  const auto packets = Packets(0);
  ASSERT_EQ(packets.size(), 7 * kSizes.size());
  for (size_t n = 0; n < packets.size(); ++n) {
    EXPECT_EQ(packets[n].bytes, expected[n % kSizes.size()]) << n;
    for (const rtl::Side& side : packets[n].sides)
      EXPECT_EQ(side, SideNumber(n % kSizes.size())) << n;
  }
}

TEST_P(SideInfo, EveryChannelHasItsOwn) {
  Make(Paced(15));
  if (!config().side) GTEST_SKIP() << "the build has no TDEST";
  for (int c = 0; c < config().reads; ++c) {
    const uint64_t base = 0x1000 + 0x100 * static_cast<uint64_t>(c);
    Load(base, 40);
    native::Descriptor d = Copy(base, 40);
    d.transfer.last_rule = model::LastRule::kTransfer;
    d.side = native::SideWord(SideNumber(static_cast<uint64_t>(c + 1)));
    Write(c, d);
  }
  for (int c = 0; c < config().reads; ++c) Push(kRead, {.start = c, .repeats = 3}, c);
  for (int c = 0; c < config().reads; ++c) {
    for (int n = 0; n < 3; ++n) ASSERT_TRUE(WaitRecord(kRead, c)) << c;
  }
  bench().Step(100);
  for (int c = 0; c < config().reads; ++c) {
    const auto packets = Packets(c);
    EXPECT_EQ(packets.size(), 3u) << c;
    for (const Packet& packet : packets) {
      for (const rtl::Side& side : packet.sides) {
        EXPECT_EQ(side, SideNumber(static_cast<uint64_t>(c + 1))) << c;
      }
    }
  }
}

// Without TLAST between them transfers still have their own; joined ones share a beat.
TEST_P(SideInfo, TransfersWithoutLastAndJoinedOnes) {
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
  // Beats: two of 0, one of 1 alone, the one in which 2 joins, two with the rest of 2, three of 3.
  const std::vector<uint64_t> owners{0, 0, 1, 2, 2, 2, 3, 3, 3};
  const auto packets = Packets(0);
  ASSERT_EQ(packets.size(), 1u);
  ASSERT_EQ(packets[0].sides.size(), owners.size());
  for (size_t n = 0; n < owners.size(); ++n)
    EXPECT_EQ(packets[0].sides[n], SideNumber(owners[n])) << n;
}

TEST_P(SideInfo, AnAbortLeavesTheNextTransferItsOwn) {
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
    for (const rtl::Side& side : packets.back().sides) EXPECT_EQ(side, SideNumber(2)) << turn;
    for (size_t n = 0; n < before; ++n) {
      for (const rtl::Side& side : packets[n].sides) EXPECT_EQ(side, packets[n].sides[0]) << n;
    }
  }
}

TEST_P(SideInfo, HeadersGoInFrontOfPacketsThatAskForThem) {
  Make(Paced(6));
  if (!config().headers) GTEST_SKIP() << "the build has no packet headers";
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
      uint32_t word = d.header->id | uint32_t{d.header->bd} << 5 | uint32_t{d.header->kind} << 12;
      if (std::popcount(word) % 2 == 0) word |= 1U << 31;
      for (int byte = 0; byte < 4; ++byte) packet.push_back(static_cast<uint8_t>(word >> 8 * byte));
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
    for (const rtl::Side& side : packets[n].sides)
      EXPECT_EQ(side, SideNumber(n % kSizes.size())) << n;
  }
}

TEST_P(SideInfo, ARecordHasThatOfItsPacket) {
  Make(Paced(7));
  if (!config().side) GTEST_SKIP() << "the build has no TDEST";
  bench().source(0).SetSides([&](uint64_t packet, uint64_t) {
    rtl::Side side = SideNumber(packet);
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
    rtl::Side side = SideNumber(static_cast<uint64_t>(n));
    if (config().route_dest) side.dest = 0;
    EXPECT_EQ(record->side, native::SideWord(side)) << n;
  }
}

// By length: a record has that of the beat with its last byte, wherever packets end.
TEST_P(SideInfo, ByLengthARecordHasThatOfItsLastByte) {
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
  Make(Paced(9));
  if (!config().route_dest) GTEST_SKIP() << "the build does not route";
  const auto writes = static_cast<uint64_t>(config().writes);
  // One packet in four is for nobody.
  bench().source(0).SetSides([&](uint64_t packet, uint64_t) {
    rtl::Side side = SideNumber(packet);
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

// ---- Headers choose descriptors
// ---------------------------------------------------------------------

class OutOfOrder : public SideInfo {
 protected:
  void SetUp() override {
    Make(Paced(10));
    if (!config().out_of_order) GTEST_SKIP() << "the build takes no headers";
    ASSERT_TRUE(Channel(kWrite).HeadersChoose(true).ok());
  }
  void Send(int id, const std::vector<uint8_t>& data, int channel = 0) {
    const uint32_t word = static_cast<uint32_t>(id) << 5;
    std::vector<uint8_t> packet;
    for (int byte = 0; byte < 4; ++byte) packet.push_back(static_cast<uint8_t>(word >> 8 * byte));
    packet.insert(packet.end(), data.begin(), data.end());
    bench().source(channel).Push(packet, PieceEnd::kLast);
  }
};

TEST_P(OutOfOrder, TheHeaderNamesTheDescriptor) {
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
  EXPECT_EQ(Waits(kWrite), kWaitHeader);
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
  if (IsSkipped()) return;
  Push(kWrite, {.repeats = 2});
  Send(11, Bytes(8, 1));
  ASSERT_TRUE(WaitStatus(kWrite, 1U << 22, 1U << 22));
  EXPECT_EQ(Get(kWrite, native::kErrorInfo) & 0xff, 11u);
}

// Headers are not taken off what a list receives: a new task of it is refused, and one that waits
// in the queue goes on waiting until headers choose no longer.
TEST_P(OutOfOrder, ATaskOfAListWaitsUntilHeadersChooseNoLonger) {
  if (IsSkipped()) return;
  if (!config().lists) GTEST_SKIP() << "the build has no lists";
  constexpr uint64_t kList = 0x20000;
  const uint32_t task = native::Channel(kWrite, 0) + native::kTask;
  const uint32_t from_list = native::Task{.from_list = true}.Word();
  native::Load(&bench(), kList, std::vector{ToLast(0x6000, 64)});
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
  EXPECT_EQ(Waits(kWrite), 9);
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

// ---- Frame marks
// ------------------------------------------------------------------------------------

class Frames : public SideInfo {};

// Packets are half frames: every other one begins with a mark, and the first one is cut.
// TUSER has other bits as well: bit 0 alone is the mark.
TEST_P(Frames, ATaskBeginsWithTheMarkOfItsStream) {
  Proves({"program.frame-mark"});
  Make(Paced(11));
  if (!config().side || !config().triggers) GTEST_SKIP() << "the build has no frame mark";
  bench().source(0).SetSides([](uint64_t packet, uint64_t beat) {
    const bool mark = packet % 2 == 1 && packet < 13 && beat == 0;
    return rtl::Side{.user = static_cast<uint16_t>((packet + beat + 1) * 0x35a2 | mark)};
  });
  constexpr uint32_t kHalf = 40;
  for (int packet = 0; packet < 14; ++packet) {
    const size_t size = packet == 0 ? 13 : kHalf;
    bench().source(0).Push(Bytes(size, packet), PieceEnd::kLast);
  }
  native::Descriptor frame = Copy(0x4000, 2 * kHalf);
  frame.iteration_size = 8;
  frame.iteration_step = 2 * kHalf;
  Write(1, frame);
  ASSERT_TRUE(Channel(kWrite).SetTrigger(driver::TriggerSource::kFrameMark).ok());
  Push(kWrite, {.start = 1, .repeats = 6, .paced = true});
  for (int n = 0; n < 6; ++n) {
    const auto record = WaitRecord(kWrite);
    ASSERT_TRUE(record) << n << bench().Dump();
    std::vector<uint8_t> expected = Bytes(kHalf, 2 * n + 1);
    const auto second = Bytes(kHalf, 2 * n + 2);
    expected.insert(expected.end(), second.begin(), second.end());
    EXPECT_EQ(bench().memory().ReadBytes(0x4000 + 2 * kHalf * static_cast<uint64_t>(n), 2 * kHalf),
              expected)
        << n;
    if (n == 2) bench().Step(300);
  }
  Push(kWrite, {.start = 1, .trigger = true});
  bench().Step(500);
  EXPECT_EQ(Waits(kWrite), kWaitTrigger);  // half a frame more was dropped, no mark came
}

// A camera that sends more than the frames: none of it is in memory, however long it waited in
// front.
TEST_P(Frames, WhatComesBetweenFramesIsDropped) {
  Proves({"program.frame-mark"});
  Make(Paced(12));
  if (!config().side || !config().triggers) GTEST_SKIP() << "the build has no frame mark";
  constexpr uint32_t kFrame = 72;
  constexpr int kFrames = 40;
  bench().source(0).SetSides([](uint64_t packet, uint64_t beat) {
    return rtl::Side{.user = static_cast<uint16_t>(packet % 2 == 1 && beat == 0)};
  });
  std::mt19937_64 random(12);
  for (int n = 0; n < kFrames; ++n) {
    const size_t noise = 1 + random() % 400, surplus = random() % 20;
    bench().source(0).Push(Bytes(noise, 255 - n), PieceEnd::kLast);
    bench().source(0).Push(Bytes(kFrame + surplus, n), PieceEnd::kLast);
  }
  ASSERT_TRUE(Channel(kWrite).SetTrigger(driver::TriggerSource::kFrameMark).ok());
  Write(1, Copy(0x4000, kFrame));
  for (int n = 0; n < kFrames; ++n) {
    if (n % 3 == 0) bench().Step(static_cast<int>(random() % 300));
    Push(kWrite, {.start = 1, .trigger = true});
    const auto record = WaitRecord(kWrite);
    ASSERT_TRUE(record) << n << bench().Dump();
    EXPECT_EQ(record->done.status, 0) << n;
    EXPECT_EQ(bench().memory().ReadBytes(0x4000, kFrame), Bytes(kFrame, n)) << n;
  }
}

// An event that came while the channel waited for something else begins no frame.
TEST_P(Frames, AnEventFromBeforeIsNoFrame) {
  Proves({"program.frame-mark"});
  Make(Paced(13));
  if (!config().side || !config().triggers) GTEST_SKIP() << "the build has no frame mark";
  bench().source(0).SetSides([](uint64_t packet, uint64_t beat) {
    return rtl::Side{.user = static_cast<uint16_t>(packet == 1 && beat == 0)};
  });
  ASSERT_TRUE(Channel(kWrite).SetTrigger(driver::TriggerSource::Software(3)).ok());
  bench().Set(native::kFire, 8);
  bench().Step(20);
  ASSERT_TRUE(Channel(kWrite).SetTrigger(driver::TriggerSource::kFrameMark).ok());
  bench().source(0).Push(Bytes(50, 200), PieceEnd::kLast);
  Write(1, Copy(0x4000, 64));
  Push(kWrite, {.start = 1, .trigger = true});
  bench().Step(300);
  EXPECT_EQ(Waits(kWrite), kWaitTrigger);
  bench().source(0).Push(Bytes(64, 3), PieceEnd::kLast);
  ASSERT_TRUE(WaitRecord(kWrite));
  EXPECT_EQ(bench().memory().ReadBytes(0x4000, 64), Bytes(64, 3));
  EXPECT_EQ(Get(kWrite, native::kStatus) >> 29 & 1, 0u);
}

INSTANTIATE_TEST_SUITE_P(Builds, SideInfo, EveryDma(), DmaName);
INSTANTIATE_TEST_SUITE_P(Builds, OutOfOrder, EveryDma(), DmaName);
INSTANTIATE_TEST_SUITE_P(Builds, Frames, EveryDma(), DmaName);

}  // namespace
}  // namespace tessera
