// The behavioural DMA by itself: compression, finish on TLAST, packets out of order, iteration,
// tokens and control packets through the switch.
#include "lib/aieml/dma_model.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>

#include "lib/aieml/array.h"
#include "tests/aieml/on_rtl.h"

namespace tessera::aieml {
namespace {

using driver::npu::AddressOf;

class Words : public WordMemory {
 public:
  bool Read(uint64_t address, uint32_t* word) override {
    *word = words[address];
    return address < 0x10000;
  }
  bool Write(uint64_t address, uint32_t word) override {
    words[address] = word;
    return address < 0x10000;
  }
  std::map<uint64_t, uint32_t> words;
};

// The DMA of a compute tile.
class DmaTest : public ::testing::Test {
 protected:
  DmaTest() {
    DmaPorts ports{TileKind::kCompute, 0, 2, {}, {}, &tokens, &memory};
    for (uint32_t n = 0; n < 2; ++n) {
      ports.to_memory.push_back(&in[n]);
      ports.to_stream.push_back(&out[n]);
    }
    dma = std::make_unique<DmaModel>(ports);
  }
  uint32_t Access_(uint32_t offset, bool write, uint32_t value) {
    EXPECT_TRUE(dma->Post({offset, write, value}));
    EXPECT_FALSE(dma->Post({offset, write, value})) << "one at a time";
    EXPECT_FALSE(dma->Answer());
    Clock(1);
    const auto answer = dma->Answer();
    EXPECT_TRUE(answer);
    return answer.value_or(0);
  }
  void Write(uint32_t offset, uint32_t value) { Access_(offset, true, value); }
  uint32_t Read(uint32_t offset) { return Access_(offset, false, 0); }
  void Clock(uint32_t cycles) {
    for (uint32_t n = 0; n < cycles; ++n) {
      dma->Clock();
      for (Link* link : {&in[0], &in[1], &out[0], &out[1], &tokens}) link->Commit();
      while (!out[0].Empty()) sent.push_back(out[0].Pop());
      if (!feed.empty() && in[0].CanPush()) {
        in[0].Push(feed.front());
        feed.pop_front();
      }
    }
  }
  void Descriptor(uint32_t bd, uint32_t base, uint32_t length, uint32_t word1, uint32_t word4,
                  uint32_t word5) {
    const uint32_t words[] = {base / 4 << 14 | length, word1, 0, 0, word4, 1u << 25 | word5};
    for (uint32_t n = 0; n < 6; ++n) Write(0x1d000 + 0x20 * bd + 4 * n, words[n]);
  }
  Words memory;
  Link in[2], out[2], tokens;
  std::deque<Word> feed;
  std::vector<Word> sent;
  std::unique_ptr<DmaModel> dma;
};

// A unit of 8 words: the mask of its bytes that are not 0, then these bytes.
TEST_F(DmaTest, CompressionLeavesZerosOut) {
  memory.words[0x104] = 0x00aa0001;
  memory.words[0x11c] = 0xff000000;
  Descriptor(0, 0x100, 16, 1u << 31, 0, 0);
  Write(0x1de10, 1 << 4);
  Write(0x1de14, 0);
  Clock(20);
  ASSERT_EQ(sent.size(), 3u);
  EXPECT_EQ(sent[0].data, 1u << 4 | 1u << 6 | 1u << 31);
  EXPECT_EQ(sent[1].data, 0x00ffaa01u);
  EXPECT_EQ(sent[2].data, 0u);  // a unit of zeros
  EXPECT_FALSE(sent[1].last);
  EXPECT_TRUE(sent[2].last);
  // And back.
  for (const Word& word : sent) feed.push_back(word);
  Descriptor(1, 0x200, 16, 1u << 31, 0, 0);
  Write(0x1de00, 1 << 4);
  Write(0x1de04, 1);
  Clock(30);
  for (uint32_t n = 0; n < 16; ++n) {
    EXPECT_EQ(memory.words[0x200 + 4 * n], memory.words[0x100 + 4 * n]) << n;
  }
  EXPECT_TRUE(dma->Quiet());
}

TEST_F(DmaTest, CompressionNeedsTheChannelAsWell) {
  Descriptor(0, 0x100, 16, 1u << 31, 0, 0);
  Write(0x1de14, 0);
  Clock(30);
  EXPECT_EQ(sent.size(), 16u);
}

TEST_F(DmaTest, FinishOnLastCountsWords) {
  Descriptor(3, 0x100, 8, 0, 0, 0);
  Write(0x1de00, 3 << 16);
  Write(0x1de04, 1 << 16 | 3);  // twice
  feed = {{1, false}, {2, false}, {3, true}, {4, true}};
  Clock(20);
  EXPECT_EQ(Read(0x1df20), 0x80000000u | 3 << 24 | 3);
  EXPECT_EQ(Read(0x1df20), 0xc0000000u | 3 << 24 | 1);
  EXPECT_EQ(Read(0x1df20), 0u);
  EXPECT_EQ(memory.words[0x100], 4u);
  EXPECT_EQ(memory.words[0x108], 3u);
}

TEST_F(DmaTest, FinishOnLastRefusesWhatIsTooLong) {
  Descriptor(3, 0x100, 2, 0, 0, 0);
  Write(0x1de00, 1 << 16);
  Write(0x1de04, 3);
  feed = {{1, false}, {2, false}, {3, true}};
  Clock(20);
  EXPECT_EQ(Read(0x1df00) & 0x3f00, 1u << 12);
}

TEST_F(DmaTest, HeadersChooseDescriptorsOutOfOrder) {
  Descriptor(4, 0x100, 2, 0, 0, 0);
  Descriptor(9, 0x200, 2, 0, 0, 0);
  Write(0x1de00, 1 << 3);
  Write(0x1de04, 1 << 16 | 1u << 31);  // two packets; no token in this mode
  feed = {{PacketHeader(1, 0, 9, 0, 0), false}, {1, false}, {2, true},
          {PacketHeader(1, 0, 4, 0, 0), false}, {3, false}, {4, true}};
  Clock(30);
  EXPECT_EQ(memory.words[0x204], 2u);
  EXPECT_EQ(memory.words[0x100], 3u);
  EXPECT_TRUE(dma->Quiet());
  EXPECT_TRUE(tokens.Empty());
}

TEST_F(DmaTest, AHeaderOfNoDescriptorIsAnError) {
  Write(0x1de00, 1 << 3);
  Write(0x1de04, 0);
  feed = {{PacketHeader(1, 0, 17, 0, 0), false}};
  Clock(10);
  EXPECT_EQ(Read(0x1df00) & 0x3f00, 1u << 10);
}

TEST_F(DmaTest, IterationAdvancesAndTokensComeOnceATask) {
  Descriptor(0, 0x100, 1, 0, 2 << 13 | 3, 0);  // three places, four words apart
  for (uint32_t n = 0; n < 3; ++n) memory.words[0x100 + 16 * n] = n + 1;
  Write(0x1de10, 5 << 8);
  Write(0x1de14, 1u << 31 | 3 << 16);
  Clock(20);
  ASSERT_EQ(sent.size(), 4u);
  for (uint32_t n = 0; n < 4; ++n) EXPECT_EQ(sent[n].data, n % 3 + 1);
  EXPECT_EQ(Read(0x1d010) >> 19, 1u);
  ASSERT_FALSE(tokens.Empty());
  EXPECT_EQ(tokens.Pop().data, TokenWord(TileKind::kCompute, 0, 2, true, 0, 5));
  EXPECT_TRUE(tokens.Empty());
}

TEST_F(DmaTest, APacketHasItsHeaderAndLastMayBeLeftOut) {
  Descriptor(0, 0x100, 2, 1u << 30 | 7 << 19 | 2 << 16, 0, 1u << 31);
  Write(0x1de14, 0);
  Clock(10);
  ASSERT_EQ(sent.size(), 3u);
  EXPECT_EQ(sent[0].data, PacketHeader(7, 2, 0, 0, 2));
  EXPECT_FALSE(sent[2].last);
}

// Control packets from the shim to the memory tile, and the answer back to the shim.
TEST(ControlPackets, WriteAndReadRegisters) {
  Array array{Here({})};
  const uint32_t on = 0x80000000;
  ASSERT_TRUE(array.host().Add(0x1000, 64));
  ASSERT_TRUE(array.host().Add(0x2000, 64));
  const std::pair<uint32_t, uint32_t> kSetUp[] = {
      {AddressOf(0, 0, 0x1f000), 1 << 10},
      {AddressOf(0, 0, 0x1f004), 1 << 4},
      {AddressOf(0, 0, 0x3f108 + 12), on},
      {AddressOf(0, 0, 0x3f030), on | 5},
      {AddressOf(0, 1, 0xb011c), on},
      {AddressOf(0, 1, 0xb0018), on | 7},  // to the control port
      {AddressOf(0, 1, 0xb0118), on},      // and from it
      {AddressOf(0, 1, 0xb001c), on | 6},
      {AddressOf(0, 0, 0x3f138), on},
      {AddressOf(0, 0, 0x3f010), on | 14},
  };
  for (const auto& [address, value] : kSetUp) ASSERT_TRUE(array.Write(address, value));
  const auto send = [&](std::vector<uint32_t> words) {
    for (size_t n = 0; n < words.size(); ++n) array.host().Write(0x1000 + 4 * n, words[n]);
    const auto length = static_cast<uint32_t>(words.size());
    const uint32_t bd[] = {length, 0x1000, 0, 0, 0, 0, 0, 1u << 25};
    for (uint32_t n = 0; n < 8; ++n) array.Write(AddressOf(0, 0, 0x1d000 + 4 * n), bd[n]);
    array.Write(AddressOf(0, 0, 0x1d214), 0);
    array.Clock(60);
  };
  const uint32_t receive[] = {3, 0x2000, 0, 0, 0, 0, 0, 1u << 25};
  for (uint32_t n = 0; n < 8; ++n) array.Write(AddressOf(0, 0, 0x1d020 + 4 * n), receive[n]);
  array.Write(AddressOf(0, 0, 0x1d204), 1);
  send({WithParity(0xc0000 | 1 << 20 | 2 << 22), 2, 0x77});  // two words from lock 0 on
  uint32_t word = 0;
  array.Read(AddressOf(0, 1, 0xc0000), &word);
  EXPECT_EQ(word, 2u);
  send({WithParity(0x00400 | 1 << 20), 11, 12});  // two words of memory
  send({WithParity(0x00400 | 1 << 20 | 1 << 22 | 2 << 24)});
  array.host().Read(0x2000, &word);
  EXPECT_EQ(word, PacketHeader(2, 0, 0, 0, 1));
  array.host().Read(0x2004, &word);
  EXPECT_EQ(word, 11u);
  array.host().Read(0x2008, &word);
  EXPECT_EQ(word, 12u);
  send({WithParity(0x00400) ^ 0x80000000, 9});  // wrong parity: nothing is written
  array.Read(AddressOf(0, 1, 0x400), &word);
  EXPECT_EQ(word, 11u);
  array.Read(AddressOf(0, 1, 0xb0f30), &word);
  EXPECT_EQ(word, 2u);
  array.Write(AddressOf(0, 1, 0xb0f30), 2);
  array.Read(AddressOf(0, 1, 0xb0f30), &word);
  EXPECT_EQ(word, 0u);
}

}  // namespace
}  // namespace tessera::aieml
