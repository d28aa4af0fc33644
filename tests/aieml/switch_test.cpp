// The model of the stream switch by itself: circuits, packets, slots, arbiters, dropped headers.
#include "lib/aieml/stream_switch.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "lib/aieml/dma_model.h"

namespace tessera::aieml {
namespace {

constexpr uint32_t kOn = 0x80000000, kPacket = 0xc0000000, kDrop = 1u << 7;

class SwitchTest : public ::testing::Test {
 protected:
  SwitchTest() : streams(TileKind::kMemory) {
    for (uint32_t n = 0; n < streams.slaves().size(); ++n) {
      in.push_back(std::make_unique<Link>());
      streams.ConnectSlave(n, in.back().get());
    }
    for (uint32_t n = 0; n < streams.masters().size(); ++n) {
      out.push_back(std::make_unique<Link>());
      streams.ConnectMaster(n, out.back().get());
    }
  }
  void Master(uint32_t n, uint32_t value) { ASSERT_TRUE(streams.Write(0xb0000 + 4 * n, value)); }
  void Slave(uint32_t n, uint32_t value) { ASSERT_TRUE(streams.Write(0xb0100 + 4 * n, value)); }
  void Slot(uint32_t n, uint32_t s, uint32_t id, uint32_t mask, uint32_t msel, uint32_t arbiter) {
    ASSERT_TRUE(streams.Write(0xb0200 + 0x10 * n + 4 * s,
                              id << 24 | mask << 16 | 1u << 8 | msel << 4 | arbiter));
  }
  // A packet of this id with so many words behind its header.
  void Packet(uint32_t n, uint32_t id, uint32_t words) {
    in[n]->Push({PacketHeader(id, 0, 0, 0, 1), words == 0});
    for (uint32_t k = 0; k < words; ++k) in[n]->Push({100 * n + k, k + 1 == words});
  }
  void Clock(uint32_t cycles) {
    for (uint32_t n = 0; n < cycles; ++n) {
      streams.Clock();
      for (auto& link : in) link->Commit();
      for (auto& link : out) link->Commit();
    }
  }
  std::vector<uint32_t> Out(uint32_t n) {
    std::vector<uint32_t> words;
    while (!out[n]->Empty()) words.push_back(out[n]->Pop().data);
    return words;
  }

  StreamSwitch streams;
  std::vector<std::unique_ptr<Link>> in, out;
};

TEST_F(SwitchTest, PortsLieWhereTheTablesSay) {
  EXPECT_EQ(streams.Master(PortKind::kControl, 0), 6u);
  EXPECT_EQ(streams.Master(PortKind::kSouth, 0), 7u);
  EXPECT_EQ(streams.Master(PortKind::kNorth, 5), 16u);
  EXPECT_EQ(streams.Slave(PortKind::kNorth, 0), 13u);
  EXPECT_EQ(streams.Slave(PortKind::kTrace, 0), 17u);
  EXPECT_FALSE(streams.Master(PortKind::kNorth, 6));
  const StreamSwitch shim(TileKind::kShim), compute(TileKind::kCompute);
  EXPECT_EQ(4 * *shim.Master(PortKind::kNorth, 0), 0x30u);
  EXPECT_EQ(4 * *shim.Slave(PortKind::kTrace, 0), 0x58u);
  EXPECT_EQ(4 * *compute.Master(PortKind::kEast, 0), 0x4cu);
  EXPECT_EQ(4 * *compute.Slave(PortKind::kTrace, 1), 0x60u);
  uint32_t value = 0;
  EXPECT_FALSE(streams.Write(0xb0000 + 4 * 17, 1));
  EXPECT_FALSE(streams.Read(0xb0148, &value));
  EXPECT_FALSE(streams.Read(0xb0320, &value));
}

TEST_F(SwitchTest, ACircuitGoesToEveryMasterThatNamesIt) {
  Slave(2, kOn);
  Master(3, kOn | 2);
  Master(9, kOn | 2);
  Master(4, 2);  // not enabled
  for (uint32_t n = 0; n < 5; ++n) in[2]->Push({n, n == 4});
  Clock(10);
  EXPECT_EQ(Out(3), (std::vector<uint32_t>{0, 1, 2, 3, 4}));
  EXPECT_EQ(Out(9), (std::vector<uint32_t>{0, 1, 2, 3, 4}));
  EXPECT_TRUE(Out(4).empty());
}

TEST_F(SwitchTest, OneFullMasterHoldsTheOthers) {
  Slave(2, kOn);
  Master(3, kOn | 2);
  Master(9, kOn | 2);
  while (out[9]->CanPush()) out[9]->Push({7, false});
  in[2]->Push({1, true});
  Clock(5);
  EXPECT_TRUE(Out(3).empty());
  Out(9);
  Clock(2);
  EXPECT_EQ(Out(3).size(), 1u);
}

TEST_F(SwitchTest, SlotsChooseByIdAndMask) {
  Slave(0, kPacket);
  Slot(0, 0, 4, 31, 0, 1);
  Slot(0, 1, 8, 24, 2, 1);                   // 8 to 15
  Master(7, kPacket | 1u << 3 | 1);          // msel 0
  Master(8, kPacket | kDrop | 4u << 3 | 1);  // msel 2, without header
  Packet(0, 4, 2);
  Packet(0, 13, 1);
  Clock(10);
  EXPECT_EQ(Out(7), (std::vector<uint32_t>{PacketHeader(4, 0, 0, 0, 1), 0, 1}));
  EXPECT_EQ(Out(8), (std::vector<uint32_t>{0}));
}

TEST_F(SwitchTest, AMasterOfMoreMselsHearsAll) {
  Slave(0, kPacket);
  Slot(0, 0, 1, 31, 1, 3);
  Slot(0, 1, 2, 31, 3, 3);
  Master(7, kPacket | kDrop | 10u << 3 | 3);
  Packet(0, 1, 1);
  Packet(0, 2, 1);
  Clock(10);
  EXPECT_EQ(Out(7).size(), 2u);
}

TEST_F(SwitchTest, AnArbiterServesWholePacketsInTurn) {
  Slave(0, kPacket);
  Slave(1, kPacket);
  Slot(0, 0, 0, 0, 0, 5);  // every id
  Slot(1, 0, 0, 0, 0, 5);
  Master(7, kPacket | kDrop | 1u << 3 | 5);
  Packet(0, 1, 2);
  Packet(1, 2, 2);
  Packet(0, 3, 2);
  Clock(20);
  EXPECT_EQ(Out(7), (std::vector<uint32_t>{0, 1, 100, 101, 0, 1}));
}

TEST_F(SwitchTest, TwoArbitersDoNotWaitForEachOther) {
  Slave(0, kPacket);
  Slave(1, kPacket);
  Slot(0, 0, 0, 0, 0, 0);
  Slot(1, 0, 0, 0, 0, 1);
  Master(7, kPacket | 1u << 3 | 0);
  Master(8, kPacket | kDrop | 1u << 3 | 1);
  while (out[7]->CanPush()) out[7]->Push({7, false});
  Packet(0, 1, 1);
  Packet(1, 1, 1);
  Clock(5);
  EXPECT_EQ(Out(8).size(), 1u);
}

TEST_F(SwitchTest, WhatNobodyTakesWaitsAndIsTold) {
  Slave(0, kPacket);
  Slot(0, 0, 4, 31, 0, 1);
  Packet(0, 5, 1);
  in[1]->Push({1, true});
  Slave(2, kOn);
  in[2]->Push({1, true});
  Clock(5);
  const auto waiting = streams.Waiting();
  ASSERT_EQ(waiting.size(), 3u);
  EXPECT_EQ(waiting[0], "slave DMA 0 has a packet of id 5, which matches no slot");
  EXPECT_EQ(waiting[1], "slave DMA 1 has words and is not enabled");
  EXPECT_EQ(waiting[2], "slave DMA 2 has words that no master takes");
}

// Headers and tokens of the documents.
TEST(Words, TokensOfTheDocuments) {
  EXPECT_EQ(TokenWord(TileKind::kMemory, 1, 1, false, 0, 14), 0x8021610eu);
  EXPECT_EQ(TokenWord(TileKind::kMemory, 1, 1, true, 0, 3) & 0x7fffffff, 0x00217003u);
  EXPECT_EQ(TokenWord(TileKind::kCompute, 1, 2, false, 0, 1) & 0x7fffffff, 0x00226001u);
  for (const TileKind kind : kKinds) {
    const uint32_t channels = kind == TileKind::kMemory ? 6 : 2;
    for (uint32_t n = 0; n < 2 * channels; ++n) {
      const auto token = ReadToken(kind, TokenWord(kind, 3, 4, n >= channels, n % channels, 9));
      ASSERT_TRUE(token);
      EXPECT_EQ(token->column, 3u);
      EXPECT_EQ(token->row, 4u);
      EXPECT_EQ(token->to_stream, n >= channels);
      EXPECT_EQ(token->channel, n % channels);
    }
  }
  EXPECT_EQ(WithParity(0), 0x80000000u);
  EXPECT_EQ(WithParity(1), 1u);
}

}  // namespace
}  // namespace tessera::aieml
