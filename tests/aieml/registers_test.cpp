// The table of registers against the words of the check vectors, and against itself.
#include "lib/aieml/registers.h"

#include <gtest/gtest.h>

#include <set>

#include "lib/aieml/descriptor.h"

namespace tessera::aieml {
namespace {

std::string At(TileKind kind, uint32_t offset, uint32_t word) {
  const auto found = Find(kind, offset);
  return found ? found->name() + ": " + Decode(*found->entry, word) : "nothing";
}

TEST(Registers, NoTwoLieAtOneOffset) {
  for (const TileKind kind : kKinds) {
    std::set<uint32_t> seen;
    for (const Register& entry : RegistersOf(kind)) {
      for (uint32_t n = 0; n < entry.count; ++n) {
        const uint32_t offset = entry.first + n * entry.pitch;
        EXPECT_TRUE(seen.insert(offset).second) << NameOf(kind) << " " << entry.name << " " << n;
        EXPECT_LT(offset, 0x100000u);
        EXPECT_EQ(offset % 4, 0u);
      }
    }
  }
}

TEST(Registers, FieldsDoNotMeet) {
  for (const TileKind kind : kKinds) {
    for (const Register& entry : RegistersOf(kind)) {
      uint32_t used = 0;
      for (const Field& field : entry.fields) {
        ASSERT_GE(field.high, field.low);
        const uint32_t bits = field.In(0xffffffff);
        EXPECT_EQ(used & bits, 0u) << entry.name << " " << field.name;
        used |= bits;
      }
    }
  }
}

TEST(Registers, TheComputeTileVector) {
  const uint32_t words[] = {1180485, 1430061056, 9093684, 266847009, 22249971, 1465218380};
  const uint32_t base = 0x1d000 + 6 * 0x20;
  EXPECT_EQ(At(TileKind::kCompute, base, words[0]),
            "DMA_BD6_0: Base_Address=0x48, Buffer_Length=837");
  EXPECT_EQ(At(TileKind::kCompute, base + 4, words[1]),
            "DMA_BD6_1: Enable_Packet=1, Out_Of_Order_BD_ID=21, Packet_ID=7, Packet_Type=5");
  EXPECT_EQ(At(TileKind::kCompute, base + 8, words[2]), "DMA_BD6_2: D1_Step=1111, D0_Step=565");
  EXPECT_EQ(At(TileKind::kCompute, base + 12, words[3]),
            "DMA_BD6_3: D1_Wrap=127, D0_Wrap=62, D2_Step=802");
  EXPECT_EQ(At(TileKind::kCompute, base + 16, words[4]),
            "DMA_BD6_4: Iteration_Current=42, Iteration_Wrap=29, Iteration_Step=500");
  const TileDescriptor d = DecodeDescriptor(TileKind::kCompute, words);
  EXPECT_EQ(d.base, 72u * 4);
  EXPECT_EQ(d.length, 837u);
  EXPECT_EQ(d.next, 10u);
  EXPECT_EQ(d.acquire_lock, 12u);
  EXPECT_EQ(d.acquire_value, 42);
  EXPECT_EQ(d.release_lock, 11u);
  EXPECT_EQ(d.release_value, 85 - 128);
}

TEST(Registers, TheMemoryTileVector) {
  const uint32_t words[] = {1,          0x00580002, 0x000c0005, 0x00100007,
                            0x00000009, 0x00000000, 0x059a000c, 0x84038201};
  const TileDescriptor d = DecodeDescriptor(TileKind::kMemory, words);
  EXPECT_EQ(d.length, 1u);
  EXPECT_EQ(d.base, 8u);
  EXPECT_EQ(d.next, 5u);
  EXPECT_TRUE(d.use_next);
  EXPECT_EQ(d.wrap, (std::array<uint32_t, 3>{6, 8, 0}));
  EXPECT_EQ(d.step, (std::array<uint32_t, 4>{6, 8, 10, 1}));
  EXPECT_EQ(d.iteration_current, 11u);
  EXPECT_EQ(d.iteration_size, 14u);
  EXPECT_EQ(d.iteration_step, 13u);
  EXPECT_EQ(d.acquire_lock, 1u);
  EXPECT_EQ(d.acquire_value, 2);
  EXPECT_EQ(d.release_lock, 3u);
  EXPECT_EQ(d.release_value, 4);
  EXPECT_EQ(At(TileKind::kMemory, 0xa001c, 0x8141ff40),
            "DMA_BD0_7: Valid_BD=1, Lock_Rel_Value=1, Lock_Rel_ID=65, Lock_Acq_Enable=1, "
            "Lock_Acq_Value=-1, Lock_Acq_ID=64");
}

TEST(Registers, TheShimVectors) {
  const uint32_t words[] = {2048, 0, 0, 0x02000000, 0x8200003f, 0x020007ff, 0, 0x02000000};
  const TileDescriptor d = DecodeDescriptor(TileKind::kShim, words);
  EXPECT_EQ(d.length, 2048u);
  EXPECT_EQ(d.wrap, (std::array<uint32_t, 3>{32, 32, 0}));
  EXPECT_EQ(d.step, (std::array<uint32_t, 4>{1, 64, 2048, 1}));
  EXPECT_TRUE(d.valid);
  EXPECT_EQ(At(TileKind::kShim, 0x1d010, words[4]),
            "DMA_BD0_4: Burst_Length=2, D1_Wrap=32, D1_Step=64");
  EXPECT_EQ(At(TileKind::kShim, 0x1d008, 0x40130000),
            "DMA_BD0_2: Enable_Packet=1, Packet_ID=2, Packet_Type=3");
  EXPECT_EQ(At(TileKind::kShim, 0x1d21c, 0x80030002),
            "DMA_MM2S_1_Start_Queue: Enable_Token_Issue=1, Repeat_Count=4, Start_BD_ID=2");
}

// The words of a walk: base, padding and wraps as the documents count them.
TEST(Registers, AWalkCountsPaddingInItsLength) {
  TileDescriptor d;
  d.base = 100;
  d.length = 12;
  d.wrap = {2, 1, 0};
  d.before = {1, 1, 0};
  d.after = {1, 1, 0};
  d.step = {1, 10, 1, 1};
  Walk walk(d);
  std::vector<uint64_t> addresses;
  while (!walk.Done()) addresses.push_back(walk.Next().value_or(0));
  EXPECT_EQ(addresses, (std::vector<uint64_t>{0, 0, 0, 0, 0, 100, 104, 0, 0, 0, 0, 0}));
  d.length = 3;
  d.wrap = {0, 5, 0};
  d.before = d.after = {};
  d.iteration_current = 2;
  d.iteration_step = 8;
  Walk linear(d);
  addresses.clear();
  while (!linear.Done()) addresses.push_back(linear.Next().value_or(0));
  EXPECT_EQ(addresses, (std::vector<uint64_t>{164, 168, 172}));
}

}  // namespace
}  // namespace tessera::aieml
