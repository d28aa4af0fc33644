// The sparse memory: defaults, words, touched bytes, snapshots.
#include "tb/bus/memory.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "tb/sim/lanes.h"

namespace tessera {
namespace {

TEST(Lanes, MasksAndCounts) {
  EXPECT_TRUE(NoLanes(FirstLanes(0)));
  for (const int n : {1, 2, 7, 63, 64, 65, 127, 128}) {
    const LaneMask mask = FirstLanes(n);
    EXPECT_EQ(CountLanes(mask), n);
    EXPECT_TRUE(ContiguousFromZero(mask)) << n;
    EXPECT_FALSE(LanesPast(mask, n));
    EXPECT_TRUE(LanesPast(mask, n - 1));
    EXPECT_FALSE(NoLanes(mask));
  }
  LaneMask gap = FirstLanes(3);
  gap.Set(4);
  EXPECT_FALSE(ContiguousFromZero(gap));
  LaneMask high;
  high.Set(64);
  EXPECT_FALSE(ContiguousFromZero(high));
}

TEST(Memory, UnwrittenBytesAreKnownAndLookLikeGarbage) {
  const Memory a(1), same(1), other(2);
  std::set<uint8_t> values;
  int differ = 0;
  for (uint64_t addr = 0xffff'fff0'0000; addr < 0xffff'fff0'1000; ++addr) {
    ASSERT_EQ(a.ReadByte(addr), same.ReadByte(addr));
    ASSERT_EQ(a.ReadByte(addr), a.DefaultByte(addr));
    differ += a.ReadByte(addr) != other.ReadByte(addr) ? 1 : 0;
    values.insert(a.ReadByte(addr));
  }
  EXPECT_EQ(values.size(), 256U);
  EXPECT_GT(differ, 4000);
}

TEST(Memory, ReadsAgreeWhateverTheirSizeAndPageState) {
  Memory memory(7);
  memory.Load(0x2ffe, std::vector<uint8_t>{1, 2, 3, 4});  // two pages come to life
  const std::vector<uint8_t> bulk = memory.ReadBytes(0x1f00, 0x3000);
  for (size_t i = 0; i < bulk.size(); ++i) ASSERT_EQ(bulk[i], memory.ReadByte(0x1f00 + i));
  for (const int bytes : {4, 8, 16, 32, 64, 128}) {
    const uint64_t step = static_cast<uint64_t>(bytes);
    for (uint64_t addr = 0x1f00; addr < 0x3200; addr += step) {
      BusData word{};
      memory.ReadWord(addr, word.data(), bytes);
      for (uint64_t i = 0; i < step; ++i) ASSERT_EQ(word[i], bulk[addr + i - 0x1f00]);
    }
  }
  EXPECT_EQ(memory.ReadByte(0x3000), 3);
  EXPECT_EQ(memory.TouchedBytes(), 0U);
}

TEST(Memory, WordWritesFollowTheStrobeAndTouch) {
  Rng rng(4);
  for (const int bytes : {4, 8, 16, 32, 64, 128}) {
    Memory memory(3);
    std::map<uint64_t, uint8_t> expected;
    for (int n = 0; n < 400; ++n) {
      const uint64_t addr = 0xf00 + static_cast<uint64_t>(bytes) * rng.Below(8);
      BusData data{};
      LaneMask strobe;
      for (int lane = 0; lane < bytes; ++lane) {
        data[static_cast<size_t>(lane)] = static_cast<uint8_t>(rng());
        if (n % 3 == 0 || rng.Chance(0.3)) {
          strobe.Set(lane);
          expected[addr + static_cast<uint64_t>(lane)] = data[static_cast<size_t>(lane)];
        }
      }
      memory.WriteWord(addr, data.data(), bytes, strobe);
    }
    ASSERT_EQ(memory.TouchedBytes(), expected.size());
    for (const auto& [addr, value] : expected) {
      ASSERT_EQ(memory.ReadByte(addr), value);
      ASSERT_TRUE(memory.Touched(addr));
    }
    ASSERT_FALSE(memory.Touched(0xf00 - 1));
    memory.ClearTouched();
    EXPECT_EQ(memory.TouchedBytes(), 0U);
  }
}

TEST(Memory, TouchedRangesMergeAcrossWordsAndPages) {
  Memory memory(0);
  const BusData data{};
  memory.WriteWord(0xfc0, data.data(), 64, FirstLanes(64));
  memory.WriteWord(0x1000, data.data(), 64, FirstLanes(3));
  memory.WriteWord(~uint64_t{63}, data.data(), 64, FirstLanes(64));
  LaneMask one;
  one.Set(9);
  memory.WriteWord(0x1000, data.data(), 64, one);
  const std::vector<AddressRange> expected = {
      {0xfc0, 0x1002}, {0x1009, 0x1009}, {~uint64_t{63}, ~uint64_t{0}}};
  EXPECT_EQ(memory.TouchedRanges(), expected);
}

TEST(Memory, WritesOutsideAreFoundExactly) {
  Memory memory(0);
  const BusData data{};
  memory.WriteWord(0x100, data.data(), 16, FirstLanes(16));
  memory.WriteWord(~uint64_t{15}, data.data(), 16, FirstLanes(16));
  using Ranges = std::vector<AddressRange>;
  const AddressRange top{~uint64_t{15}, ~uint64_t{0}};
  EXPECT_EQ(memory.TouchedOutside(Ranges{{0, 0x10f}, top}), Ranges{});
  EXPECT_EQ(memory.TouchedOutside(Ranges{top, {0x101, 0x10f}}), (Ranges{{0x100, 0x100}}));
  EXPECT_EQ(memory.TouchedOutside(Ranges{top, {0x100, 0x103}, {0x106, 0x10e}}),
            (Ranges{{0x104, 0x105}, {0x10f, 0x10f}}));
  EXPECT_EQ(memory.TouchedOutside(Ranges{{0x100, 0x108}, {0x104, 0x10f}}), Ranges{top});
  EXPECT_EQ(memory.TouchedOutside(Ranges{}), (Ranges{{0x100, 0x10f}, top}));
  EXPECT_EQ(memory.TouchedOutside(Ranges{{0, ~uint64_t{0}}}), Ranges{});
}

TEST(Memory, OutsideAgreesWithByteByByte) {
  Rng rng(11);
  for (int n = 0; n < 200; ++n) {
    Memory memory(0);
    const BusData data{};
    for (uint64_t word = 0; word < 16; ++word) {
      LaneMask strobe;
      for (int lane = 0; lane < 8; ++lane) {
        if (rng.Chance(0.6)) strobe.Set(lane);
      }
      memory.WriteWord(word * 8, data.data(), 8, strobe);
    }
    std::vector<AddressRange> allowed;
    for (uint64_t i = rng.Below(6); i > 0; --i) {
      const uint64_t first = rng.Below(128);
      allowed.push_back({first, first + rng.Below(30)});
    }
    std::set<uint64_t> outside;
    for (const AddressRange& range : memory.TouchedOutside(allowed)) {
      for (uint64_t addr = range.first; addr <= range.last; ++addr) outside.insert(addr);
    }
    for (uint64_t addr = 0; addr < 128; ++addr) {
      bool in = false;
      for (const AddressRange& r : allowed) in = in || (r.first <= addr && addr <= r.last);
      ASSERT_EQ(outside.count(addr) != 0, memory.Touched(addr) && !in) << addr;
    }
  }
}

TEST(Memory, SnapshotsAreIndependentAndCompare) {
  Memory memory(5);
  memory.Fill(0x5000, 10, 0xaa);
  const Memory before = memory;
  EXPECT_TRUE(memory.Differences(before).empty());
  memory.Load(0x5003, std::vector<uint8_t>{1});
  memory.Load(0x9000, std::vector<uint8_t>{static_cast<uint8_t>(memory.DefaultByte(0x9000) ^ 1)});
  const std::vector<ByteDifference> differences = memory.Differences(before);
  ASSERT_EQ(differences.size(), 2U);
  EXPECT_EQ(differences[0], (ByteDifference{0x5003, 1, 0xaa}));
  EXPECT_EQ(differences[1].addr, 0x9000U);
  EXPECT_EQ(memory.Differences(before, 1).size(), 1U);
  EXPECT_EQ(before.Differences(memory).size(), 2U);
}

TEST(Memory, APageReadBeforeItIsWrittenIsSeenAfterwards) {
  Memory memory(1);
  const uint8_t before = memory.ReadByte(0x7000);
  memory.Fill(0x7000, 1, static_cast<uint8_t>(before ^ 0xff));
  EXPECT_EQ(memory.ReadByte(0x7000), before ^ 0xff);
  EXPECT_EQ(memory.ReadByte(0x8000), memory.DefaultByte(0x8000));
  memory.Fill(0x9000, 1, 5);
  EXPECT_EQ(memory.ReadByte(0x7000), before ^ 0xff);
}

// Remembers what was asked of it and answers with the low byte of the address.
class Echo : public MemoryDevice {
 public:
  void Read(uint64_t addr, std::span<uint8_t> out) override {
    for (size_t n = 0; n < out.size(); ++n) out[n] = static_cast<uint8_t>(addr + n);
  }
  void Write(uint64_t addr, std::span<const uint8_t> data, const LaneMask& strobe,
             int lane) override {
    for (size_t n = 0; n < data.size(); ++n) {
      if (strobe[lane + static_cast<int>(n)]) written[addr + n] = data[n];
    }
  }
  std::map<uint64_t, uint8_t> written;
};

TEST(Memory, DevicesAnswerForTheirRangeAlone) {
  Memory memory(5);
  Echo echo;
  memory.Fill(0x1000, 64, 0xee);
  memory.Attach({0x100a, 0x1015}, &echo);
  std::array<uint8_t, 8> word{};
  memory.ReadWord(0x1008, word.data(), 8);
  EXPECT_EQ(word, (std::array<uint8_t, 8>{0xee, 0xee, 0x0a, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f}));
  EXPECT_EQ(memory.ReadByte(0x1015), 0x15);
  EXPECT_EQ(memory.ReadByte(0x1016), 0xee);
  const std::array<uint8_t, 8> data{1, 2, 3, 4, 5, 6, 7, 8};
  memory.WriteWord(0x1010, data.data(), 8, {.word = {0x61, 0}});  // lanes 0, 5, 6
  EXPECT_EQ(echo.written, (std::map<uint64_t, uint8_t>{{0x1010, 1}, {0x1015, 6}}));
  EXPECT_EQ(memory.ReadByte(0x1016), 7);
  echo.written.clear();
  memory.Load(0x1014, data);
  EXPECT_EQ(echo.written, (std::map<uint64_t, uint8_t>{{0x1014, 1}, {0x1015, 2}}));
}

TEST(Memory, MovedAndAssignedMemoriesWork) {
  Memory memory(5);
  memory.Fill(0x10, 1, 1);
  Memory moved = std::move(memory);
  EXPECT_EQ(moved.ReadByte(0x10), 1);
  Memory assigned(9);
  assigned.Fill(0x10, 1, 2);
  assigned = moved;
  EXPECT_EQ(assigned.ReadByte(0x10), 1);
  EXPECT_TRUE(assigned.Differences(moved).empty());
}

}  // namespace
}  // namespace tessera
