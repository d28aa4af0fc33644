// Packed structs: every member lands at its place.
#include "tb/sim/pack.h"

#include <gtest/gtest.h>

#include <array>
#include <stdexcept>

namespace tessera {
namespace {

using Words = std::array<uint32_t, kTransferWords>;

// Offsets of members from the least significant bit, counted by hand in tsr_pkg.sv.
constexpr int kDim0 = 630;
constexpr int kDimBits = 165;
constexpr int kWalk0 = 108;
constexpr int kWalkBits = 130;

uint64_t Bits(const Words& words, int at, int width) {
  uint64_t value = 0;
  for (int i = 0; i < width; ++i) {
    const int bit = at + i;
    value |= static_cast<uint64_t>((words[static_cast<size_t>(bit / 32)] >> (bit % 32)) & 1) << i;
  }
  return value;
}

TEST(Pack, EveryMemberOfATransferIsAtItsPlace) {
  EngineTransfer t;
  t.addr = 0x0123456789abcdefU;
  for (unsigned d = 0; d < 4; ++d) {
    t.dim[d] = {0x1111111111111111U * (d + 1), 0xc0000000U + d, -0x1d0000000 - d, 0x1e0000000 + d,
                d % 2 == 0};
    t.walk[d] = {0x2222222222222222U * (d + 1), 0xa0000000U + d, 0xb0000000U + d,
                 static_cast<uint8_t>(3 - d)};
  }
  t.dense = false;
  t.has_walk = true;
  t.has_length = true;
  t.length = 0x89abcdefU;
  t.elem_log2 = 5;
  t.fill = 0xfedcba9876543210U;
  t.last_rule = 2;
  t.last_level = 6;
  t.join_next = true;
  t.task_end = false;
  t.finish_last = true;
  Words words{};
  PackTransfer(t, words.data());
  EXPECT_EQ(Bits(words, 0, 1), 1U);  // finish
  EXPECT_EQ(Bits(words, 1, 1), 0U);  // task_end
  EXPECT_EQ(Bits(words, 2, 1), 1U);  // join_next
  EXPECT_EQ(Bits(words, 3, 3), 6U);  // last_level
  EXPECT_EQ(Bits(words, 6, 2), 2U);  // last_rule
  EXPECT_EQ(Bits(words, 8, 64), t.fill);
  EXPECT_EQ(Bits(words, 72, 3), 5U);  // elem_log2
  EXPECT_EQ(Bits(words, 75, 32), t.length);
  EXPECT_EQ(Bits(words, 107, 1), 1U);  // has_length
  for (int k = 0; k < 4; ++k) {
    const int at = kWalk0 + k * kWalkBits;
    const auto& walk = t.walk[static_cast<size_t>(k)];
    EXPECT_EQ(Bits(words, at, 2), walk.dim);
    EXPECT_EQ(Bits(words, at + 2, 32), walk.count);
    EXPECT_EQ(Bits(words, at + 34, 32), walk.step);
    EXPECT_EQ(Bits(words, at + 66, 64), walk.stride);
  }
  EXPECT_EQ(Bits(words, 628, 1), 1U);  // has_walk
  EXPECT_EQ(Bits(words, 629, 1), 0U);  // dense
  for (int d = 0; d < 4; ++d) {
    const int at = kDim0 + d * kDimBits;
    const auto& dim = t.dim[static_cast<size_t>(d)];
    EXPECT_EQ(Bits(words, at, 1), dim.unbounded ? 1U : 0U);
    const uint64_t low = (uint64_t{1} << kIndexBits) - 1;
    EXPECT_EQ(Bits(words, at + 1, kIndexBits), static_cast<uint64_t>(dim.last) & low);
    EXPECT_EQ(Bits(words, at + 35, kIndexBits), static_cast<uint64_t>(dim.ahead) & low);
    EXPECT_EQ(Bits(words, at + 69, 32), dim.count);
    EXPECT_EQ(Bits(words, at + 101, 64), dim.stride);
  }
  EXPECT_EQ(Bits(words, 1290, 64), t.addr);
  EXPECT_EQ(Bits(words, 1354, 1), 0U);        // empty
  EXPECT_EQ(Bits(words, 1355, 1), 0U);        // one_row
  EXPECT_EQ(Bits(words, 1356, 4), 0U);        // pair
  EXPECT_EQ(Bits(words, 1360, 4), 0U);        // single
  EXPECT_EQ(Bits(words, 1364, 32), 1U << 5);  // row
  EXPECT_EQ(1364 + 32, kTransferBits);
}

TEST(Pack, WhatFollowsFromOtherMembersDoes) {
  Words words{};
  EngineTransfer t;
  const auto empty = [&] { return PackTransfer(t, words.data()), Bits(words, 1354, 1) == 1; };
  const auto one_row = [&] { return PackTransfer(t, words.data()), Bits(words, 1355, 1) == 1; };
  const auto pair = [&] { return PackTransfer(t, words.data()), Bits(words, 1356, 4); };
  const auto single = [&] { return PackTransfer(t, words.data()), Bits(words, 1360, 4); };
  const auto row = [&] { return PackTransfer(t, words.data()), Bits(words, 1364, 32); };
  t.dim[0].count = 24;
  t.dim[2].count = 3;
  t.elem_log2 = 2;
  EXPECT_EQ(row(), 24U);
  EXPECT_EQ(single(), 0b1011U);
  t.dense = false;
  EXPECT_EQ(row(), 4U);
  EXPECT_EQ(single(), 0b1010U);
  EXPECT_EQ(pair(), 0U);
  t.dim[2].count = 2;
  EXPECT_EQ(pair(), 0b0100U);

  t.length = 4;
  EXPECT_FALSE(one_row());
  t.has_length = true;
  EXPECT_TRUE(one_row());
  t.length = 8;
  EXPECT_FALSE(one_row());
  EXPECT_FALSE(empty());
  t.length = 0;
  EXPECT_TRUE(empty());
  t.has_length = false;
  EXPECT_FALSE(empty());
  t.dim[3].count = 0;
  EXPECT_TRUE(empty());
  t.dim[3].count = 1;
  t.walk[1].count = 0;
  EXPECT_FALSE(empty());
  t.has_walk = true;
  EXPECT_TRUE(empty());
}

TEST(Pack, ValuesTooWideAreRefused) {
  EngineTransfer t;
  Words words{};
  t.elem_log2 = 8;
  EXPECT_THROW(PackTransfer(t, words.data()), std::out_of_range);
  t.elem_log2 = 7;
  t.walk[2].dim = 4;
  EXPECT_THROW(PackTransfer(t, words.data()), std::out_of_range);
  t.walk[2].dim = 0;
  t.dim[1].last = int64_t{1} << (kIndexBits - 1);
  EXPECT_THROW(PackTransfer(t, words.data()), std::out_of_range);
  t.dim[1].last = -t.dim[1].last;
  EXPECT_NO_THROW(PackTransfer(t, words.data()));
  t.dim[1].ahead = t.dim[1].last - 1;
  EXPECT_THROW(PackTransfer(t, words.data()), std::out_of_range);
}

TEST(Pack, EveryMemberOfARecordIsRead) {
  std::array<uint32_t, kDoneWords> words{};
  BitPacker packer(words.data());
  packer.Put(0x45, 7);
  packer.Put(1, 1);
  packer.Put(0x123456789abcU, 48);
  packer.Put(0xcba987654321U, 48);
  packer.Put(0xfedcba9876543210U, 64);
  ASSERT_EQ(packer.Finish(), kDoneBits);
  const EngineDone done = UnpackDone(words.data());
  EXPECT_EQ(done.status, 0x45);
  EXPECT_TRUE(done.last);
  EXPECT_EQ(done.dropped, 0x123456789abcU);
  EXPECT_EQ(done.bytes, 0xcba987654321U);
  EXPECT_EQ(done.addr, 0xfedcba9876543210U);
}

}  // namespace
}  // namespace tessera
