// Control packets of tessera_aieml: the registers of the tile through its control stream, beside
// AXI4-Lite.
#include <algorithm>

#include "tb/sim/rng.h"
#include "tests/aieml/rtl/tile_fixture.h"

namespace tessera::aieml {
namespace {

constexpr uint32_t kPackets = kPage + 0x34;

class Packets : public TileTest {
 protected:
  void SetUp() override {
    TileTest::SetUp();
    errors = memory() ? 0xb0f30 : 0x3ff30;
  }
  void Offer(const std::vector<uint32_t>& packet) {
    side->bench().control().Push(packet);
    for (int n = 0; n < 400 && !side->bench().control().empty(); ++n) side->Clock(5);
    EXPECT_TRUE(side->bench().control().empty());
    side->Clock(10);
  }
  static uint32_t Control(uint32_t address, uint32_t words, uint32_t operation, uint32_t id = 0) {
    return Sealed(address | (words - 1) << 20 | operation << 22 | id << 24);
  }
  void OfferWrite(uint32_t address, const std::vector<uint32_t>& words, uint32_t operation = 0) {
    std::vector<uint32_t> packet = {
        Control(address, static_cast<uint32_t>(words.size()), operation)};
    packet.insert(packet.end(), words.begin(), words.end());
    Offer(packet);
  }
  // Words of responses that were not asked for yet.
  std::vector<StreamWord> Responses() {
    side->Clock(60);
    return side->bench().responses().Take();
  }
  void ExpectResponse(uint32_t id, const std::vector<uint32_t>& words) {
    const std::vector<StreamWord> response = Responses();
    ASSERT_EQ(response.size(), words.size() + 1);
    const uint32_t row = memory() ? 1 : shim() ? 0 : 2;  // as in cmake/aieml/aiemls.json
    EXPECT_EQ(response[0].data, Sealed(id | row << 16 | 3u << 21));
    for (size_t n = 0; n < words.size(); ++n) EXPECT_EQ(response[n + 1].data, words[n]);
    for (size_t n = 0; n < response.size(); ++n)
      EXPECT_EQ(response[n].last, n + 1 == response.size());
  }

  uint32_t errors = 0;
};

TEST_P(Packets, WriteAndReadRegisters) {
  Rng rng(3);
  for (uint32_t id = 0; id < 32; ++id) {
    std::vector<uint32_t> words(1 + rng.Below(4));
    for (uint32_t& word : words) word = static_cast<uint32_t>(rng());
    const uint32_t place = at.descriptor + 0x20 * static_cast<uint32_t>(rng.Below(16));
    for (const uint32_t operation : {0u, 2u, 3u}) {
      std::vector<uint32_t> before, kept;
      for (uint32_t n = 0; n < words.size(); ++n) before.push_back(Get(place + 4 * n));
      OfferWrite(place, words, operation);
      for (uint32_t n = 0; n < words.size(); ++n) kept.push_back(Get(place + 4 * n));
      // Words of descriptors are read back as they were written; the build `wide` writes those of
      // operation 0 to one address.
      if (operation == 0 && wide()) {
        EXPECT_EQ(kept.front(), words.back());
        EXPECT_TRUE(std::equal(kept.begin() + 1, kept.end(), before.begin() + 1));
      } else if (operation == 0) {
        EXPECT_EQ(kept, words);
      }
      Offer({Control(place, static_cast<uint32_t>(words.size()), 1, id)});
      ExpectResponse(id, kept);
      for (uint32_t& word : words) word = ~word;
    }
  }
  EXPECT_TRUE(Responses().empty());
  EXPECT_EQ(Get(errors), 0u);
}

TEST_P(Packets, AnswersTellWhereTheTileStands) {
  Set(kPage + 0x28, 85u << 21 | 21u << 16);
  Offer({Control(at.descriptor, 1, 1, 9)});
  const std::vector<StreamWord> response = Responses();
  ASSERT_EQ(response.size(), 2u);
  EXPECT_EQ(response[0].data, Sealed(9 | 21u << 16 | 85u << 21));
}

TEST_P(Packets, StartATask) {
  Describe(0, Buffer(0, 4));
  OfferWrite(at.s2mm + 4, {0});
  EXPECT_NE(ReceiveStatus(0) & 1u << 19, 0u);  // the channel runs
  Feed(0, 4);
  ASSERT_TRUE(side->Settle(500));
  EXPECT_EQ(ReceiveStatus(0) & 1u << 19, 0u);
}

TEST_P(Packets, OfWrongParityAreDropped) {
  const uint32_t before = Get(at.lock);
  Offer({Control(at.lock, 1, 0) ^ 1u << 31, 5});
  EXPECT_EQ(Get(at.lock), before);
  EXPECT_NE(Get(errors), 0u);
  Set(errors, 0xffffffff);
  EXPECT_EQ(Get(errors), 0u);
  OfferWrite(at.lock, {before + 1});
  EXPECT_EQ(Get(at.lock), before + 1);
}

TEST_P(Packets, OfAWrongLengthAreTold) {
  Offer({Control(at.lock, 2, 0), 7});  // TLAST a word early: what came is written
  EXPECT_EQ(Get(at.lock), 7u);
  EXPECT_NE(Get(errors), 0u);
  Set(errors, 0xffffffff);
  Offer({Control(at.lock, 1, 0), 9, 0x55, 0x66});  // late: the rest is dropped
  EXPECT_EQ(Get(at.lock), 9u);
  EXPECT_NE(Get(errors), 0u);
  Set(errors, 0xffffffff);
  EXPECT_EQ(Get(errors), 0u);
}

// Without the check of TLAST what follows the last word is the next packet.
TEST_P(Packets, MayLieInOneStreamPacket) {
  Set(kPackets, 1);
  Offer({Control(at.lock, 1, 0), 9, Control(at.lock + 0x10, 1, 0), 11});
  EXPECT_EQ(Get(at.lock), 9u);
  EXPECT_EQ(Get(at.lock + 0x10), 11u);
  EXPECT_EQ(Get(errors), 0u);
}

TEST_P(Packets, AreDroppedWhileTheyAreOff) {
  Set(kPackets, 2);
  const uint32_t before = Get(at.lock);
  OfferWrite(at.lock, {before + 1});
  Offer({Control(at.lock, 1, 1)});
  EXPECT_EQ(Get(at.lock), before);
  EXPECT_TRUE(Responses().empty());
  Set(kPackets, 3);
  OfferWrite(at.lock, {before + 1});
  EXPECT_EQ(Get(at.lock), before + 1);
}

TESSERA_ALL_TILES(Packets);

}  // namespace
}  // namespace tessera::aieml
