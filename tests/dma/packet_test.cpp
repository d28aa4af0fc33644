// Control packets on the pins of tessera_dma: registers read and written beside AXI4-Lite, their
// window and its lock. By registers: a packet has the words that a driver would write; programs
// that the driver writes as packets are woven ones.
#include <fmt/format.h>

#include <bit>

#include "tb/check/plan.h"
#include "tb/device/device_model.h"
#include "tests/dma/fixture.h"

namespace tessera {
namespace {

constexpr uint32_t kScratch = 0x1c, kPacketControl = 0x50, kPacketFirst = 0x54, kPacketLast = 0x58;

class Packets : public DmaTest {
 protected:
  void MakeOpen(uint32_t first = 0, uint32_t last = 0x3fffc, const DmaBenchOptions& options = {}) {
    Make(options);
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
  bench().control().Push({Sealed(5) ^ 1U << 31});  // parity of a header that stands alone
  ASSERT_TRUE(Done());
  bench().Step(10);
  EXPECT_EQ(bench().Get(native::kPacketStatus), 1u);
  bench().Set(native::kPacketStatus, 1);
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

// Each access is answered whole, in whichever cycle the other one asks.
TEST_P(Packets, ShareRegistersWithSoftware) {
  Proves({"packet.access"});
  MakeOpen();
  bench().Set(kScratch, 0x89abcdef);
  const uint32_t id = bench().Get(0), version = bench().Get(4), channels = bench().Get(8);
  for (int n = 0; n < 40; ++n) {
    PushRead(0, 3);
    bench().Step(n % 20);
    EXPECT_EQ(bench().Get(kScratch), 0x89abcdef) << n;
    EXPECT_EQ(bench().Get(8), channels) << n;
    EXPECT_EQ(Response(), std::vector<uint32_t>({id, version, channels})) << n;
    PushWrite(kScratch, {0x89abcdef});
    bench().Step(n % 20);
    EXPECT_EQ(bench().Get(0), id) << n;
    ASSERT_TRUE(Done());
  }
}

// What acquires a lock does so once, however long its response waits.
TEST_P(Packets, ReadARegisterOnce) {
  Proves({"packet.access"});
  DmaBenchOptions options;
  options.responses = PacerSpec::Bursts(1, 1, 40, 40);
  MakeOpen(0, 0x3fffc, options);
  software().SetLock(0, 9);
  PushRead(native::kTryLock + 4 * 0x7f, 1);  // -1
  EXPECT_EQ(Response(), std::vector<uint32_t>({1}));
  EXPECT_EQ(software().LockValue(0), 8);
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

// What packets do, from the manual: registers are those of the model of the device.
class PacketModel {
 public:
  PacketModel(DeviceModel* device, uint32_t first, uint32_t last, uint32_t place)
      : device_(*device), first_(first), last_(last), place_(place) {}

  void Execute(const std::vector<uint32_t>& packet, bool check) {
    for (size_t at = 0; at < packet.size();) {
      const auto even = [&](size_t n) { return std::popcount(packet[n]) % 2 == 0; };
      const auto fail = [&](uint32_t error) { errors |= error; };
      if (even(at)) return fail(1);
      if (++at == packet.size()) return fail(8);
      if (even(at)) return fail(2);
      const uint32_t control = packet[at++], operation = control >> 22 & 3;
      const uint32_t words = (control >> 20 & 3) + 1;
      if (operation == 1 && at < packet.size() && check) return fail(8);
      if (operation == 1) responses.push_back({Sealed((control >> 24 & 31) | place_)});
      for (uint32_t n = 0; n < words; ++n) {
        if (operation != 1 && at == packet.size()) return fail(8);
        const uint32_t to = (control + 4 * n) & 0xfffff;
        const bool inside = to % 4 == 0 && to >= first_ && to <= last_;
        uint32_t value = 0;
        const bool good =
            inside && (operation == 1 ? device_.Read(to, &value) : device_.Write(to, packet[at]));
        if (!good) errors |= 4;
        if (operation == 1) {
          responses.push_back({good ? value : 0, n + 1 == words});
        } else {
          ++at;
        }
      }
      if (at < packet.size() && check) return fail(8);
    }
  }

  uint32_t errors = 0;
  std::vector<StreamWord> responses;

 private:
  DeviceModel& device_;
  uint32_t first_, last_, place_;
};

// Their window begins inside the descriptors of the build and ends behind them. With the check of
// TLAST a packet is what it says; without it packets share one.
TEST_P(Packets, RandomOnesRightAndWrong) {
  Proves({"packet.access", "packet.window"});
  uint32_t errors = 0;
  for (uint64_t seed = 1; seed <= 16 && !HasFailure(); ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    Rng rng = Rng(seed).Stream("packets");
    DmaBenchOptions options;
    if (seed % 2 == 0) {
      options.control = PacerSpec::Random(rng);
      options.responses = PacerSpec::Random(rng);
    }
    Make(options);
    const uint32_t end = native::kDescriptors + 0x40 * static_cast<uint32_t>(config().descriptors);
    const uint32_t first = end - 0x80, last = end + 0x40;
    const bool check = rng.Chance(0.6);
    bench().Set(kPacketFirst, first);
    bench().Set(kPacketLast, last);
    bench().Set(kPacketControl, check ? 3 : 1);
    model::MemoryImage memory;
    DeviceModel device(native::BuildOfDevice(config(), false), &memory);
    for (uint32_t at = first - 0x40; at < end; at += 4) {
      const auto value = static_cast<uint32_t>(rng());
      bench().Set(at, value);
      device.Write(at, value);
    }
    PacketModel model(&device, first, last, config().place());
    const double fault = rng.Chance(0.3) ? 0 : 0.1;
    for (int n = 0; n < 40; ++n) {
      std::vector<uint32_t> packet;
      do {
        const auto words = static_cast<uint32_t>(rng.Between(1, 4));
        const auto operation = static_cast<uint32_t>(rng.Below(4));
        uint32_t address = first - 0x10 + 4 * static_cast<uint32_t>(rng.Below(64));
        if (rng.Chance(fault)) address = static_cast<uint32_t>(rng()) & 0xfffff;
        if (rng.Chance(fault)) address += static_cast<uint32_t>(rng.Below(4));
        packet.push_back(Sealed(static_cast<uint32_t>(rng()) >> 1));
        packet.push_back(Sealed(address | (words - 1) << 20 | operation << 22 |
                                (static_cast<uint32_t>(rng()) & 31) << 24));
        for (uint32_t w = 0; w < words && operation != 1; ++w)
          packet.push_back(static_cast<uint32_t>(rng()));
      } while (!check && rng.Chance(0.3));
      if (rng.Chance(fault)) packet[rng.Below(2)] ^= 1U << rng.Below(32);
      if (rng.Chance(fault)) packet.resize(1 + rng.Below(packet.size()));
      if (rng.Chance(fault)) packet.resize(packet.size() + rng.Between(1, 6), 0x12345678);
      bench().control().Push(packet);
      model.Execute(packet, check);
    }
    ASSERT_TRUE(bench().Until([&] { return bench().control().empty(); }, 100000));
    bench().Step(100);
    EXPECT_EQ(bench().responses().Take(), model.responses);
    EXPECT_EQ(bench().Get(native::kPacketStatus), model.errors);
    for (uint32_t at = first - 0x40; at < end; at += 4) {
      uint32_t value = 0;
      device.Read(at, &value);
      EXPECT_EQ(bench().Get(at), value) << fmt::format("{:#x}", at);
    }
    errors |= model.errors;
  }
  EXPECT_EQ(errors, 15U);
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
