// Control packets on the pins of tessera_dma: registers read and written beside AXI4-Lite, their
// window and its lock. By registers: a packet has the words that a driver would write; programs
// that the driver writes as packets are woven ones.
#include "tb/check/plan.h"
#include "tests/dma/fixture.h"

namespace tessera {
namespace {

constexpr uint32_t kScratch = 0x1c, kPacketControl = 0x50, kPacketFirst = 0x54, kPacketLast = 0x58;

class Packets : public DmaTest {
 protected:
  void MakeOpen(uint32_t first = 0, uint32_t last = 0x3fffc) {
    Make();
    bench().Set(kPacketFirst, first);
    bench().Set(kPacketLast, last);
    bench().Set(kPacketControl, 3);
  }
  void PushWrite(uint32_t address, const std::vector<uint32_t>& words) {
    std::vector<uint32_t> packet{Sealed(5)};
    packet.push_back(Sealed(address | static_cast<uint32_t>(words.size() - 1) << 20 | 2U << 22));
    packet.insert(packet.end(), words.begin(), words.end());
    bench().control().Push(packet);
  }
  void PushRead(uint32_t address, uint32_t words, uint32_t id = 9) {
    std::vector<uint32_t> packet{Sealed(5)};
    packet.push_back(Sealed(address | (words - 1) << 20 | 1U << 22 | id << 24));
    bench().control().Push(packet);
  }
  bool Done() {
    return bench().Until([&] { return bench().control().empty(); }, 1000);
  }
  // The words of one response, without its header.
  std::vector<uint32_t> Response(uint32_t id = 9) {
    std::vector<StreamWord> words;
    bench().Until(
        [&] {
          for (const StreamWord& word : bench().responses().Take()) words.push_back(word);
          return !words.empty() && words.back().last;
        },
        1000);
    std::vector<uint32_t> data;
    for (size_t n = 0; n < words.size(); ++n) {
      EXPECT_EQ(words[n].last, n + 1 == words.size());
      if (n > 0) data.push_back(words[n].data);
    }
    if (!words.empty()) {
      EXPECT_EQ(words[0].data, Sealed(id | config().place()));
    }
    return data;
  }
};

TEST_P(Packets, WriteAndReadRegisters) {
  Proves({"packet.access"});
  MakeOpen();
  PushWrite(kScratch, {0xabcd1234});
  ASSERT_TRUE(Done());
  EXPECT_EQ(bench().Get(kScratch), 0xabcd1234u);
  PushRead(0, 4);
  const auto words = Response();
  ASSERT_EQ(words.size(), 4u);
  EXPECT_EQ(words[0], 0x54535241u);
  EXPECT_EQ(words[2], bench().Get(0x08));
  EXPECT_EQ(bench().Get(native::kPacketStatus), 0u);
}

TEST_P(Packets, DoNothingUntilTheyAreEnabled) {
  Proves({"packet.window"});
  Make();
  bench().Set(kPacketLast, 0x3fffc);
  PushWrite(kScratch, {1});
  PushRead(0, 1);
  ASSERT_TRUE(Done());
  bench().Step(50);
  EXPECT_EQ(bench().Get(kScratch), 0u);
  EXPECT_TRUE(bench().responses().words().empty());
}

TEST_P(Packets, StayInTheirWindow) {
  Proves({"packet.window"});
  MakeOpen(kScratch, kScratch);
  PushWrite(kPacketControl, {0});
  PushWrite(native::kGlobalControl, {4});  // the word behind the window
  PushWrite(kScratch, {7});
  ASSERT_TRUE(Done());
  bench().Step(10);
  EXPECT_EQ(bench().Get(kPacketControl), 3u);
  EXPECT_EQ(bench().Get(native::kGlobalControl), 0u);
  EXPECT_EQ(bench().Get(kScratch), 7u);
  EXPECT_EQ(bench().Get(native::kPacketStatus), 4u);
  bench().Set(native::kPacketStatus, 4);
  EXPECT_EQ(bench().Get(native::kPacketStatus), 0u);
  PushRead(native::kCapTime, 1);  // the word before it
  EXPECT_EQ(Response(), std::vector<uint32_t>({0}));
  PushRead(0, 2);
  EXPECT_EQ(Response(), std::vector<uint32_t>({0, 0}));
  EXPECT_EQ(bench().Get(native::kPacketStatus), 4u);
}

TEST_P(Packets, ReportWrongPackets) {
  Proves({"packet.access"});
  MakeOpen();
  std::vector<uint32_t> packet{Sealed(5)};
  packet.push_back(Sealed(kScratch) ^ 1U << 31);  // parity of the control word
  packet.push_back(9);
  bench().control().Push(packet);
  packet = {Sealed(5)};
  packet.push_back(Sealed(kScratch | 1 << 20));  // two words, and only one comes
  packet.push_back(11);
  bench().control().Push(packet);
  ASSERT_TRUE(Done());
  bench().Step(10);
  EXPECT_EQ(bench().Get(native::kPacketStatus), 2u | 8u);
  EXPECT_EQ(bench().Get(kScratch), 11u);
}

TEST_P(Packets, OfALockedWindowCannotBeChanged) {
  Proves({"packet.window"});
  MakeOpen();
  bench().Set(kPacketControl, 1U << 31 | 3);
  EXPECT_FALSE(bench().Write(kPacketFirst, 4));
  EXPECT_FALSE(bench().Write(kPacketLast, 4));
  EXPECT_FALSE(bench().Write(kPacketControl, 0));
  PushWrite(kPacketFirst, {4});
  ASSERT_TRUE(Done());
  bench().Step(10);
  EXPECT_EQ(bench().Get(native::kPacketStatus), 4u);
  EXPECT_EQ(bench().Get(kPacketLast), 0x3fffcu);
  EXPECT_EQ(bench().Get(kPacketControl), 1U << 31 | 3);
}

auto WithPackets() {
  std::vector<std::string> names;
  for (const DmaConfig& c : Dmas()) {
    if (c.control_packets && c.start_writes() == 0) names.push_back(c.channel.name);
  }
  return ::testing::ValuesIn(names);
}
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Packets);  // a build folder may have no such build
INSTANTIATE_TEST_SUITE_P(Builds, Packets, WithPackets(), DmaName);

class WithoutPackets : public DmaTest {};

TEST_P(WithoutPackets, TheirStreamIsDropped) {
  Make();
  if (config().control_packets) GTEST_SKIP() << "the build has control packets";
  bench().control().Push({Sealed(0), Sealed(kScratch), 5});
  EXPECT_TRUE(bench().Until([&] { return bench().control().empty(); }, 100));
  EXPECT_EQ(bench().Get(kScratch), 0u);
}

INSTANTIATE_TEST_SUITE_P(Builds, WithoutPackets, EveryDma(), DmaName);

}  // namespace
}  // namespace tessera
