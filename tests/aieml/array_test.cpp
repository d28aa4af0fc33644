// The simulated array on its behavioural DMAs: data from host to host, switches, tokens, kernels.
#include "lib/aieml/array.h"

#include <gtest/gtest.h>

#include <numeric>

#include "lib/aieml/dma_model.h"
#include "sw/driver/tessera/aieml/player.hpp"
#include "sw/driver/tessera/text.hpp"
#include "tests/aieml/binary.h"
#include "tests/aieml/on_rtl.h"
#include "tools/aieml/array/bus.h"

namespace tessera::aieml {
namespace {

using driver::npu::AddressOf;

constexpr uint64_t kIn = 0x1000, kOut = 0x20000;

class ArrayTest : public ::testing::Test {
 protected:
  void Make(const ArrayOptions& options, uint32_t words = 64) {
    array_ = std::make_unique<Array>(Here(options));
    ASSERT_TRUE(array_->host().Add(kIn, 4 * words));
    ASSERT_TRUE(array_->host().Add(kOut, 4 * words));
    for (uint32_t n = 0; n < words; ++n) array_->host().Write(kIn + 4 * n, 0x100 + n);
  }
  driver::npu::PlayResult Play(const Binary& binary) {
    array::Bus bus(array_.get());
    const auto tiles = array_->Tiles();
    const driver::npu::Player player(bus, tiles.data(), static_cast<uint32_t>(tiles.size()));
    const uint64_t arguments[] = {kIn, kOut};
    const auto words = binary.words();
    return player.Play(words.data(), static_cast<uint32_t>(words.size()), {arguments, 2},
                       driver::Timeout::Turns(2000));
  }
  uint32_t Host(uint64_t address) {
    uint32_t word = 0;
    EXPECT_TRUE(array_->host().Read(address, &word));
    return word;
  }
  // In argument 0 by channel 0 of the shim, out to argument 1 by channel 0; waits for the second.
  static Binary InAndOut(uint32_t words) {
    Binary binary;
    binary.Block(AddressOf(0, 0, 0x1d000), {words, 0, 0, 0, 0, 0, 0, 1u << 25})
        .Patch(AddressOf(0, 0, 0x1d004), 0, 0)
        .Block(AddressOf(0, 0, 0x1d020), {words, 0, 0, 0, 0, 0, 0, 1u << 25})
        .Patch(AddressOf(0, 0, 0x1d024), 1, 0)
        .Write(AddressOf(0, 0, 0x1d204), 0x80000001)
        .Write(AddressOf(0, 0, 0x1d214), 0)
        .Sync(0, 0, false, 0);
    return binary;
  }
  std::unique_ptr<Array> array_;
};

TEST_F(ArrayTest, AShimSendsToItself) {
  ArrayOptions options;
  options.routes = {{{0, 0, 0}, {{0, 0, 0}}}};
  Make(options);
  const auto result = Play(InAndOut(64));
  ASSERT_TRUE(result.ok()) << driver::Text(result.fault.status) << " at " << result.fault.word;
  for (uint32_t n = 0; n < 64; ++n) EXPECT_EQ(Host(kOut + 4 * n), 0x100 + n);
  EXPECT_EQ(array_->tokens(), 1u);
  if (OnRtl()) array_->Clock(20);  // it is quiet when nothing has moved for a while
  EXPECT_TRUE(array_->Quiet());
}

// A control packet reaches a tile by its id, and the answer comes back by its own.
TEST_F(ArrayTest, RoutesLeadControlPacketsAndAnswers) {
  ArrayOptions options;
  options.routes = {{{0, 0, 0}, {{0, 2, 0, true}}, 1}, {{0, 2, 0, true}, {{0, 0, 0}}, 2}};
  Make(options);
  const auto write = [&](uint32_t row, uint32_t offset, uint32_t value) {
    EXPECT_TRUE(array_->Write(AddressOf(0, row, offset), value));
  };
  write(2, 0x400, 77);
  write(2, 0x404, 78);
  // Reads two words from 0x400, and answers with packet id 2.
  array_->host().Write(kIn, WithParity(0x400 | 1u << 20 | 1u << 22 | 2u << 24));
  write(0, 0x1d000, 1);
  write(0, 0x1d004, kIn);
  write(0, 0x1d008, 1u << 30 | 1u << 19);
  write(0, 0x1d01c, 1u << 25);
  write(0, 0x1d020, 2);
  write(0, 0x1d024, kOut);
  write(0, 0x1d03c, 1u << 25);
  write(0, 0x1d204, 1);
  write(0, 0x1d214, 0);
  array_->Run(1000);
  EXPECT_EQ(Host(kOut), 77u);
  EXPECT_EQ(Host(kOut + 4), 78u);
}

// Memory and locks of a column outside, whose tiles do not run.
TEST_F(ArrayTest, AMemoryTileReachesColumnsOutside) {
  for (const bool there : {true, false}) {
    for (const bool east : {false, true}) {
      ArrayOptions options;
      options.routes = {{{0, 1, 0}, {{0, 1, 0}}}};
      options.west = there && !east;
      options.east = there && east;
      Make(options);
      const auto write = [&](uint32_t offset, uint32_t value) {
        EXPECT_TRUE(array_->Write(AddressOf(0, 1, offset), value));
      };
      for (uint32_t n = 0; n < 4; ++n) write(4 * n, 0x70 + n);
      // Descriptor 0: local to stream; 1: stream to outside, releases a lock there; 2 and 3: back.
      const uint32_t outside = east ? 0x40000 : 0, lock = east ? 128 : 0;
      const uint32_t words[][3] = {{0x20000, 0x80000000, 0},
                                   {outside + 5, 0x81000000 | lock << 16, 1},
                                   {outside + 5, 0x8000ff00 | lock, 0},
                                   {0x20040, 0x80000000, 1}};
      for (uint32_t bd = 0; bd < 4; ++bd) {
        write(0xa0000 + 0x20 * bd, 4);
        write(0xa0004 + 0x20 * bd, words[bd][0]);
        write(0xa001c + 0x20 * bd, words[bd][1]);
        write(words[bd][2] == 0 ? 0xa0634 : 0xa0604, bd);
      }
      array_->Run(1000);
      uint32_t word = 0;
      EXPECT_TRUE(array_->Read(AddressOf(0, 1, 0x10c), &word));
      EXPECT_EQ(word, there ? 0x73u : 0u) << east;
      uint32_t status = 0;
      EXPECT_TRUE(array_->Read(AddressOf(0, 1, 0xa0660), &status));
      EXPECT_EQ(status & 0x3f00, there ? 0u : 1u << 8) << east;
    }
  }
}

// Time in which nothing can happen costs nothing: here a channel waits for ever.
TEST_F(ArrayTest, TimeIsSkippedWhileNothingMoves) {
  Make({});
  array_->Write(AddressOf(0, 0, 0x1d000), 4);
  array_->Write(AddressOf(0, 0, 0x1d01c), 1u << 25);
  array_->Write(AddressOf(0, 0, 0x1d204), 0);
  const uint64_t before = array_->cycles();
  array_->Run(uint64_t{1} << 50);
  EXPECT_EQ(array_->cycles(), before + (uint64_t{1} << 50));
  uint32_t status = 0;
  array_->Read(AddressOf(0, 0, 0x1d220), &status);
  EXPECT_EQ(status >> 19 & 1, 1u);
}

// What moves, moves as in single cycles.
TEST_F(ArrayTest, RunningIsAsClocking) {
  ArrayOptions options;
  options.routes = {{{0, 0, 0}, {{0, 0, 0}}}};
  const auto finished = [&](bool run) {
    Make(options, 1024);
    for (const uint32_t bd : {0u, 1u}) {
      array_->Write(AddressOf(0, 0, 0x1d000 + 0x20 * bd), 1024);
      array_->Write(AddressOf(0, 0, 0x1d004 + 0x20 * bd), bd == 0 ? kIn : kOut);
      array_->Write(AddressOf(0, 0, 0x1d01c + 0x20 * bd), 1u << 25);
    }
    array_->Write(AddressOf(0, 0, 0x1d204), 0x80000001);
    array_->Write(AddressOf(0, 0, 0x1d214), 0);
    if (run) {
      array_->Run(1'000'000'000, [&] { return array_->tokens() != 0; });
    } else {
      while (array_->tokens() == 0) array_->Clock();
    }
    return array_->cycles();
  };
  EXPECT_EQ(finished(true), finished(false));
}

// Shim to memory tile to shim by the registers of the switches alone.
TEST_F(ArrayTest, SwitchesLeadThroughTheMemoryTile) {
  Make({});
  Binary binary;
  const uint32_t on = 0x80000000;
  binary
      .Write(AddressOf(0, 0, 0x1f000), 1 << 10)           // south 3 from MM2S 0
      .Write(AddressOf(0, 0, 0x1f004), 1 << 4)            // south 2 to S2MM 0
      .Write(AddressOf(0, 0, 0x3f108 + 4 * 3), on)        // slave south 3
      .Write(AddressOf(0, 0, 0x3f030), on | 5)            // master north 0 from index 2 + 3
      .Write(AddressOf(0, 1, 0xb011c), on)                // slave south 0
      .Write(AddressOf(0, 1, 0xb0000), on | 7)            // master DMA 0 from index 7
      .Write(AddressOf(0, 1, 0xb0100), on)                // slave DMA 0
      .Write(AddressOf(0, 1, 0xb001c), on | 0)            // master south 0 from index 0
      .Write(AddressOf(0, 0, 0x3f138), on)                // slave north 0
      .Write(AddressOf(0, 0, 0x3f008 + 4 * 2), on | 14);  // master south 2 from north 0
  // Memory tile: S2MM 0 fills own address 0 and releases lock 64 by one, MM2S 0 sends it back.
  binary.Block(AddressOf(0, 1, 0xa0000), {64, 0x20000, 0, 0, 0, 0, 0, 0x81400000})
      .Block(AddressOf(0, 1, 0xa0020), {64, 0x20000, 0, 0, 0, 0, 0, 0x8000ff40})
      .Write(AddressOf(0, 1, 0xa0604), 0)
      .Write(AddressOf(0, 1, 0xa0634), 1);
  ASSERT_TRUE(Play(binary).ok());
  const auto result = Play(InAndOut(64));
  ASSERT_TRUE(result.ok()) << driver::Text(result.fault.status) << " at " << result.fault.word;
  for (uint32_t n = 0; n < 64; ++n) EXPECT_EQ(Host(kOut + 4 * n), 0x100 + n);
  uint32_t word = 0;
  ASSERT_TRUE(array_->Read(AddressOf(0, 1, 0), &word));
  EXPECT_EQ(word, 0x100u);
  EXPECT_TRUE(array_->Waiting().empty());
}

TEST_F(ArrayTest, AKernelAddsToEachBuffer) {
  ArrayOptions options;
  options.routes = {{{0, 0, 0}, {{0, 2, 0}}}, {{0, 2, 0}, {{0, 0, 0}}}};
  Kernel kernel;
  kernel.row = 2;
  kernel.in = {{0x400}, 16, 1, 0};
  kernel.out = {{0x800}, 16, 2, 3};
  kernel.function = AddKernel(5);
  options.kernels = {kernel};
  Make(options);
  Binary binary;  // lock 0: room for input, 1: input, 2: room for output, 3: output
  const uint32_t take = 1u << 12 | 0x7fu << 5, give = 1u << 18, valid = 1u << 25;
  binary.Write(AddressOf(0, 2, 0x1f000), 1)
      .Write(AddressOf(0, 2, 0x1f020), 1)
      .Block(AddressOf(0, 2, 0x1d000),
             {0x100 << 14 | 16, 0, 0, 0, 0, valid | take | give | 1 << 13 | 1 << 26})
      .Block(AddressOf(0, 2, 0x1d020),
             {0x200 << 14 | 16, 0, 0, 0, 0, valid | take | 3 | give | 2 << 13 | 1 << 26 | 1 << 27})
      .Write(AddressOf(0, 2, 0x1de04), 0)
      .Write(AddressOf(0, 2, 0x1de14), 1);
  ASSERT_TRUE(Play(binary).ok());
  const auto result = Play(InAndOut(64));
  ASSERT_TRUE(result.ok()) << driver::Text(result.fault.status) << " at " << result.fault.word;
  for (uint32_t n = 0; n < 64; ++n) EXPECT_EQ(Host(kOut + 4 * n), 0x105 + n);
}

TEST_F(ArrayTest, RegistersWithoutAUnitReadBackAndAreListed) {
  Make({});
  ASSERT_TRUE(array_->Write(AddressOf(0, 2, 0x32000), 3));
  ASSERT_TRUE(array_->Write(AddressOf(0, 0, 0x1d000), 9));
  uint32_t word = 0;
  ASSERT_TRUE(array_->Read(AddressOf(0, 2, 0x32000), &word));
  EXPECT_EQ(word, 3u);
  const auto unbuilt = array_->Unbuilt();
  ASSERT_EQ(unbuilt.size(), 1u);
  EXPECT_EQ(unbuilt.begin()->first, AddressOf(0, 2, 0x32000));
  EXPECT_FALSE(array_->Read(AddressOf(1, 0, 0), &word));
  EXPECT_FALSE(array_->Read(AddressOf(0, 9, 0), &word));
  EXPECT_FALSE(array_->Write(AddressOf(0, 0, 2), 0));
}

TEST_F(ArrayTest, AFullQueueDropsAndTellsSo) {
  Make({});
  // Descriptor 0 is not valid, so the first task halts; four wait, two are dropped.
  for (uint32_t n = 0; n < 7; ++n) array_->Write(AddressOf(0, 0, 0x1d204), 0);
  uint32_t status = 0;
  array_->Read(AddressOf(0, 0, 0x1d220), &status);
  EXPECT_EQ(status >> 20 & 7, 4u);
  EXPECT_EQ(status >> 18 & 1, 1u);
  array_->Write(AddressOf(0, 0, 0x1d220), 1u << 18);
  array_->Read(AddressOf(0, 0, 0x1d220), &status);
  EXPECT_EQ(status >> 18 & 1, 0u);
}

TEST_F(ArrayTest, ErrorsOfDescriptorsStopTheChannel) {
  Make({});
  uint32_t status = 0;
  array_->Write(AddressOf(0, 0, 0x1d204), 0);
  array_->Clock(Soon(4));
  array_->Read(AddressOf(0, 0, 0x1d220), &status);
  EXPECT_EQ(status & 0x3f00, 1u << 11);
  array_->Write(AddressOf(0, 1, 0xa060c), 3);  // channel 1 has descriptors 24 to 47
  array_->Clock(Soon(4));
  array_->Read(AddressOf(0, 1, 0xa0664), &status);
  EXPECT_EQ(status & 0x3f00, 1u << 10);
  array_->Write(AddressOf(0, 1, 0xa0608), 2);  // reset
  array_->Write(AddressOf(0, 1, 0xa0608), 0);
  if (OnRtl()) array_->Clock(20);  // its reset takes some cycles
  array_->Read(AddressOf(0, 1, 0xa0664), &status);
  EXPECT_EQ(status & 0x3f00, 0u);
  // A west neighbour that is not there.
  array_->Write(AddressOf(0, 1, 0xa0000), 4);
  array_->Write(AddressOf(0, 1, 0xa001c), 0x80000000);
  array_->Write(AddressOf(0, 1, 0xa0634), 0);
  array_->Clock(Soon(4));
  array_->Read(AddressOf(0, 1, 0xa0680), &status);
  EXPECT_EQ(status & 0x3f00, 1u << 9);
  array_->Write(AddressOf(0, 1, 0xa0000), 4);
  array_->Write(AddressOf(0, 1, 0xa0004), 0x20000);
  array_->Write(AddressOf(0, 1, 0xa001c), 0x8000ff00);  // lock 0 is the west's
  array_->Write(AddressOf(0, 1, 0xa0644), 0);
  array_->Clock(Soon(4));
  array_->Read(AddressOf(0, 1, 0xa0688), &status);
  EXPECT_EQ(status & 0x3f00, 1u << 8);
}

TEST_F(ArrayTest, LocksByAddress) {
  Make({});
  const auto request = [&](uint32_t id, bool acquire, uint32_t amount) {
    uint32_t word = 0;
    array_->Read(
        AddressOf(0, 2, 0x40000 + (id << 10) + (acquire ? 0x200 : 0) + (amount & 0x7f) * 4), &word);
    return word;
  };
  uint32_t value = 0;
  EXPECT_EQ(request(3, true, 0x7f), 0u);
  EXPECT_EQ(request(3, false, 5), 1u);
  EXPECT_EQ(request(3, true, 5), 1u);  // equal: stays
  EXPECT_EQ(request(3, true, 0x7e), 1u);
  array_->Read(AddressOf(0, 2, 0x1f030), &value);
  EXPECT_EQ(value, 3u);
  EXPECT_EQ(request(3, false, 0x3f), 1u);
  array_->Read(AddressOf(0, 2, 0x1f030), &value);
  EXPECT_EQ(value, 63u);
  array_->Read(AddressOf(0, 2, 0x1f120), &value);
  EXPECT_EQ(value, 8u);
  array_->Write(AddressOf(0, 2, 0x1f120), 8);
  array_->Read(AddressOf(0, 2, 0x1f120), &value);
  EXPECT_EQ(value, 0u);
}

TEST_F(ArrayTest, WrongArraysAreRefused) {
  ArrayOptions options;
  options.columns = 9;
  EXPECT_THROW(Array{options}, std::invalid_argument);
  options.columns = 1;
  options.routes = {{{0, 0, 2}, {{0, 0, 0}}}};
  EXPECT_THROW(Array{options}, std::invalid_argument);
  options.routes = {{{0, 0, 0}, {{0, 0, 0}}}, {{0, 0, 1}, {{0, 0, 0}}}};
  EXPECT_THROW(Array{options}, std::invalid_argument);
}

}  // namespace
}  // namespace tessera::aieml
