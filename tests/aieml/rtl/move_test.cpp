// tessera_aieml moves data as its descriptors say: every image, RTL and behavioural model alike.
#include <fmt/format.h>

#include <algorithm>

#include "tests/aieml/rtl/tile_fixture.h"

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

// docs/aieml/aieml_ip.md: 4 rows of 6 words out of rows of 100, with a border of one word.
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

// Words that do not fill a beat go out in a partial one with TLAST; without it, with the words of
// the next descriptor, and at the end of the task in a beat of their own.
TEST_P(Move, WordsFillBeats) {
  for (const bool suppress : {false, true}) {
    for (const uint32_t length : {1u, 3u, 4u, 7u}) {
      auto words = Buffer(0x40, length);
      if (suppress) words[memory() ? 2 : shim() ? 7 : 5] |= 1u << 31;  // TLAST_Suppress
      Describe(0, words);
      const size_t before = side->SentWords(0), first = side->bench().sink(0).beats().size();
      Send(0, 2 << 16);  // three times
      ASSERT_TRUE(side->Settle(1000)) << length;
      const std::vector<Word> sent = side->Sent(0);
      ASSERT_EQ(sent.size(), before + 3 * length) << length;
      for (uint32_t n = 0; n < 3 * length; ++n) {
        EXPECT_EQ(sent[before + n].data, side->At(at.local + 0x40 + 4 * (n % length))) << length;
        EXPECT_EQ(sent[before + n].last, !suppress && n % length == length - 1) << length;
      }
      const uint32_t beats = suppress ? Beats(3 * length) : 3 * Beats(length);
      EXPECT_EQ(side->bench().sink(0).beats().size(), first + beats) << length;
    }
  }
}

// A descriptor that asks for a header or for compression of a stream that has none is an error.
TEST_P(Move, WideStreamsRefuseHeadersAndCompression) {
  if (!wide()) GTEST_SKIP() << "streams of one word have both";
  constexpr uint32_t kInvalid = 1u << 11;  // Error_BD_Invalid
  auto header = Buffer(0x40, 8);
  header[memory() ? 0 : 1] |= memory() ? 1u << 31 : 1u << 30;
  auto compression = Buffer(0x40, 8);
  compression[memory() ? 4 : 1] |= 1u << 31;
  for (const auto& words : {header, compression}) {
    Describe(0, words);
    Set(at.mm2s, 1u << 4);  // Compression_Enable
    Set(at.s2mm, 1u << 4);
    Send(0, 0);
    side->Clock(100);
    EXPECT_EQ(SendStatus(0) & 0x3f00, kInvalid);
    EXPECT_EQ(side->SentWords(0), 0u);
    Reset(0, true);
    if (words == header) continue;  // means nothing to a channel to memory
    Receive(0, 0);
    side->Clock(100);
    EXPECT_EQ(ReceiveStatus(0) & 0x3f00, kInvalid);
    Reset(0, false);
  }
}

// A partial beat without TLAST stops the channel of a wide stream: nothing tells whose the bytes
// that it lacks are. The original has no bit for it.
TEST_P(Move, APartialBeatWithoutTlastStops) {
  if (!wide()) GTEST_SKIP() << "TKEEP is ignored";
  Describe(0, Buffer(0x40, 8));
  const std::vector<uint8_t> word = {1, 2, 3, 4};
  side->bench().source(0).Push(word, PieceEnd::kBeat);
  Feed(0, 7);
  Receive(0, 1u << 31);
  side->Clock(200);
  EXPECT_EQ(ReceiveStatus(0) & 0x3fffff, 0u);
  EXPECT_EQ(Get(kPage + 0x80) >> 20 & 3, 2u);  // by a transfer
  EXPECT_EQ(Get(kPage + 0x44), 1u);
  EXPECT_TRUE(side->Tokens().empty());
  Reset(0, false);
  Set(kPage + 0x44, 1);
  Feed(0, 8);
  Receive(0, 1u << 31);
  ASSERT_TRUE(side->Settle(500));
  EXPECT_EQ(side->Tokens().size(), 1u);
  EXPECT_EQ(Get(kPage + 0x44), 0u);
  EXPECT_EQ(side->At(at.local + 0x40), 0x1000u);
}

// The headers of facts: packet id, type, out-of-order id, where it comes from, odd parity. TLAST is
// that of the last word, also where it is the only one.
TEST_P(Move, APacketBeginsWithItsHeader) {
  if (wide()) GTEST_SKIP() << "wide streams have no headers";
  const uint32_t row = memory() ? 1 : shim() ? 0 : 2;
  size_t seen = 0;
  for (const uint32_t length : {3u, 1u}) {
    auto words = Buffer(0x20, length);
    if (memory()) words[0] |= 1u << 31 | 5u << 28 | 7u << 23 | 21u << 17;
    if (!memory()) words[shim() ? 2 : 1] |= 1u << 30 | 21u << 24 | 7u << 19 | 5u << 16;
    Describe(0, words);
    Send(0, 1 << 16);  // twice
    ASSERT_TRUE(side->Settle(1000));
    const std::vector<Word> sent = side->Sent(0);
    ASSERT_EQ(sent.size(), seen + 2 * (length + 1));
    for (uint32_t packet = 0; packet < 2; ++packet) {
      for (uint32_t n = 0; n <= length; ++n, ++seen) {
        SCOPED_TRACE(fmt::format("length {}, packet {}, word {}", length, packet, n));
        const Word& word = sent[seen];
        EXPECT_EQ(word.data, n == 0 ? PacketHeader(7, 5, 21, 3, row)
                                    : side->At(at.local + 0x20 + 4 * (n - 1)));
        EXPECT_EQ(word.last, n == length);
      }
    }
  }
}

// Compressed units: what a unit holds beyond the length is dropped, and the next descriptor begins
// with a mask.
TEST_P(Move, AUnitMayHoldMoreThanItsLength) {
  if (shim() || wide()) GTEST_SKIP() << "a tile without compression";
  for (const uint32_t length : {3u, 8u, 13u}) {
    auto words = Buffer(0x100, length);
    words[memory() ? 4 : 1] |= 1u << 31;  // Enable_Compression
    Describe(1, words);
    Set(at.s2mm, 1u << 4);  // Decompression_Enable
    const uint32_t before = side->At(at.local + 0x100 + 4 * length);
    std::vector<Word> units;
    for (uint32_t n = 0; n < 2; ++n) {  // two descriptors
      for (uint32_t u = 0; u < (length + 7) / 8; ++u) {
        units.push_back({0x11111111});
        units.insert(units.end(), {{0x04030201 + 0x10101010 * u}, {0x08070605 + 0x10101010 * u}});
      }
    }
    side->Feed(0, units);
    Receive(0, 1 | 1u << 16);
    ASSERT_TRUE(side->Settle(2000)) << length;
    EXPECT_EQ(ReceiveStatus(0) & 0x007fffff, 0u);
    for (uint32_t n = 0; n < length; ++n) {
      EXPECT_EQ(side->At(at.local + 0x100 + 4 * n), n % 8 + 1 + 0x10 * (n / 8)) << length;
    }
    EXPECT_EQ(side->At(at.local + 0x100 + 4 * length), before) << length;
  }
}

// A unit of zeros is its mask alone: TLAST comes with that.
TEST_P(Move, TlastMayComeWithAMask) {
  if (shim() || wide()) GTEST_SKIP() << "a tile without compression";
  auto words = Buffer(0x100, 40);
  words[memory() ? 4 : 1] |= 1u << 31;
  Describe(1, words);
  Set(at.s2mm, 1u << 4 | 3u << 16);  // finish on TLAST, counted
  side->Feed(0, {{0x00000001}, {0x55}, {0x00000000, true}, {0x00000002}, {0x66, true}});
  Receive(0, 1 | 1u << 16);
  ASSERT_TRUE(side->Settle(2000));
  EXPECT_EQ(ReceiveStatus(0) & 0x007fffff, 0u);
  EXPECT_EQ(Get(at.fifo) & 0x3ffff, 16u);
  EXPECT_EQ(Get(at.fifo) & 0x3ffff, 8u);
  EXPECT_EQ(side->At(at.local + 0x100), 0x6600u);
}

// A packet of units ends with the unit in which TLAST comes, also with its last word and behind the
// length. Units behind the length are too many.
TEST_P(Move, APacketOfUnitsEndsWithTlast) {
  if (shim() || wide()) GTEST_SKIP() << "a tile without compression";
  const std::vector<Word> full = {{0xffffffff}, {1}, {2}, {3}, {4}, {5}, {6}, {7}, {8}};
  for (const uint32_t length : {3u, 8u, 11u}) {
    for (const uint32_t units : {1u, 2u, 3u}) {
      const std::string which = fmt::format("{} words, {} units", length, units);
      const bool over = 8 * (units - 1) >= length;
      auto words = Buffer(0x100, length);
      words[memory() ? 4 : 1] |= 1u << 31;
      Describe(1, words);
      Set(at.s2mm, 1u << 4 | 3u << 16);  // finish on TLAST, counted
      std::vector<Word> packet;
      for (uint32_t n = 0; n < units; ++n) packet.insert(packet.end(), full.begin(), full.end());
      packet.back().last = true;
      side->Feed(0, packet);
      Receive(0, 1);
      ASSERT_TRUE(side->Settle(2000)) << which;
      EXPECT_EQ(side->Left(0), 0u) << which;
      EXPECT_EQ(ReceiveStatus(0) >> 12 & 1, over) << which;
      if (!over) {
        EXPECT_EQ(Get(at.fifo) & 0x3ffff, std::min(length, 8 * units)) << which;
      }
      for (uint32_t n = 0; n < std::min(length, 8 * units); ++n)
        EXPECT_EQ(side->At(at.local + 0x100 + 4 * n), n % 8 + 1) << which;
      if (over) Reset(0, false);
    }
  }
}

TEST_P(Move, AResetDropsCountsThatWereNotRead) {
  Describe(0, Buffer(0, 10));
  Set(at.s2mm, 3u << 16);
  for (const int packets : {2, 8}) {  // 8 fill the FIFO
    Receive(0, static_cast<uint32_t>(packets) << 16);
    for (int n = 0; n < packets; ++n) Feed(0, 4);
    side->Clock(500);
    if (shim()) {
      Reset(0, false);
    } else {  // the mode stays
      Set(at.s2mm, 3u << 16 | 2);
      Set(at.s2mm, 3u << 16);
    }
    EXPECT_EQ(Get(at.fifo), 0u) << packets;
    Feed(0, 7);
    Receive(0, 0);
    ASSERT_TRUE(side->Settle(500)) << packets;
    EXPECT_EQ(Get(at.fifo), 0xc0000007u) << packets;
    EXPECT_EQ(Get(at.fifo), 0u) << packets;
  }
}

// What a reset cuts off is no packet: nothing that is not of the buffer is sent. A wide stream
// closes it with a beat without bytes.
TEST_P(Move, AResetSendsNoWord) {
  for (const uint32_t enough : {1u, 12u, 30u}) {
    SetUp();
    Describe(0, Buffer(0x100, 300));
    Send(0, 0);
    while (side->SentWords(0) < enough) side->Clock();
    Reset(0, true);
    const std::vector<Word> cut = side->Sent(0);
    ASSERT_LT(cut.size(), 300u);
    Describe(0, Buffer(0x100, 5));
    Send(0, 0);
    ASSERT_TRUE(side->Settle(500));
    const std::vector<Word> sent = side->Sent(0);
    ASSERT_EQ(sent.size(), cut.size() + 5);
    uint32_t closes = 0;
    for (const StreamBeat& beat : side->bench().sink(0).beats()) closes += beat.count == 0;
    EXPECT_EQ(closes, wide() ? 1u : 0u);
    for (uint32_t n = 0; n < sent.size(); ++n) {
      const auto at_word = static_cast<uint32_t>(n < cut.size() ? n : n - cut.size());
      EXPECT_EQ(sent[n].data, side->At(at.local + 0x100 + 4 * at_word)) << n;
      EXPECT_EQ(sent[n].last, n + 1 == sent.size()) << n;
    }
  }
}

TESSERA_ALL_TILES(Move);

}  // namespace
}  // namespace tessera::aieml
