// tessera_aieml moves data as its descriptors say: every image, RTL and behavioural model alike.
#include "tests/aieml_rtl/tile_fixture.h"

namespace tessera::aieml {
namespace {

class Move : public TileTest {};

TEST_P(Move, WordsOfDescriptorsReadBackAsWritten) {
  const uint32_t used = at.kind == TileKind::kCompute ? 6 : 8;
  for (uint32_t bd = 0; bd < at.descriptors; ++bd) {
    for (uint32_t n = 0; n < 8; ++n) {
      const uint32_t offset = at.descriptor + 0x20 * bd + 4 * n;
      EXPECT_EQ(side->Read(offset), 0u);
      side->Write(offset, 0x9e3779b9 * (bd * 8 + n + 1));
    }
  }
  for (uint32_t bd = 0; bd < at.descriptors; ++bd) {
    for (uint32_t n = 0; n < 8; ++n) {
      EXPECT_EQ(side->Read(at.descriptor + 0x20 * bd + 4 * n),
                n < used ? 0x9e3779b9 * (bd * 8 + n + 1) : 0u);
    }
  }
}

TEST_P(Move, MovesABufferBothWays) {
  Describe(1, Linear(at.kind, at.local + 0x100, 40));
  Describe(2, Linear(at.kind, at.local + 0x800, 40));
  std::vector<Word> words(40);
  for (uint32_t n = 0; n < 40; ++n) words[n].data = 0x1000 + n;
  side->Feed(0, words);
  Receive(0, 1);
  ASSERT_TRUE(side->Settle(2000));
  for (uint32_t n = 0; n < 40; ++n) {
    EXPECT_EQ(side->At(at.local + 0x100 + 4 * n), 0x1000 + n);
  }
  Send(0, 1);
  Send(0, 2);
  ASSERT_TRUE(side->Settle(2000));
  ASSERT_EQ(side->SentWords(0), 80u);
  for (uint32_t n = 0; n < 80; ++n) {
    EXPECT_EQ(side->Sent(0)[n].data,
              n < 40 ? 0x1000 + n : side->At(at.local + 0x800 + 4 * (n - 40)));
    EXPECT_EQ(side->Sent(0)[n].last, n % 40 == 39);
  }
  EXPECT_EQ(SendStatus(0) & 0x007fffff, 0u);
  EXPECT_EQ(ReceiveStatus(0) & 0x007fffff, 0u);
  EXPECT_EQ(side->Read(at.count), 40u);
}

// docs/aieml_ip.md: 4 rows of 6 words out of rows of 100, with a border of one word.
TEST_P(Move, TheTileOfTheManual) {
  if (!memory()) GTEST_SKIP() << "a memory tile pads";
  Describe(0, {48, 1u << 26 | 0x20000, 6 << 17, 1u << 27 | 4 << 17 | 99, 0, 1 << 23 | 1 << 17, 0,
               0x80000000});
  Send(0, 0);
  ASSERT_TRUE(side->Settle(1000));
  ASSERT_EQ(side->SentWords(0), 48u);
  for (uint32_t n = 0; n < 48; ++n) {
    const uint32_t row = n / 8, column = n % 8;
    const bool inside = row >= 1 && row <= 4 && column >= 1 && column <= 6;
    EXPECT_EQ(side->Sent(0)[n].data,
              inside ? side->At(0x80000 + 400 * (row - 1) + 4 * (column - 1)) : 0u);
    EXPECT_EQ(side->Sent(0)[n].last, n == 47);
  }
}

// The headers of facts: packet id, type, out-of-order id, where it comes from, odd parity.
TEST_P(Move, APacketBeginsWithItsHeader) {
  auto words = Buffer(0x20, 3);
  if (memory()) words[0] |= 1u << 31 | 5u << 28 | 7u << 23 | 21u << 17;
  if (!memory()) words[shim() ? 2 : 1] |= 1u << 30 | 21u << 24 | 7u << 19 | 5u << 16;
  Describe(0, words);
  Send(0, 1 << 16);  // twice
  ASSERT_TRUE(side->Settle(1000));
  ASSERT_EQ(side->SentWords(0), 8u);
  const uint32_t row = memory() ? 1 : shim() ? 0 : 2;
  for (uint32_t n : {0u, 4u}) {
    EXPECT_EQ(side->Sent(0)[n].data, PacketHeader(7, 5, 21, 3, row));
    EXPECT_EQ(side->Sent(0)[n + 1].data, side->At(at.local + 0x20));
    EXPECT_TRUE(side->Sent(0)[n + 3].last);
  }
}

INSTANTIATE_TEST_SUITE_P(Images, Move, EveryTile(), TileName);

}  // namespace
}  // namespace tessera::aieml
