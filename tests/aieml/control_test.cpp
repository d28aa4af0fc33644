// Clocks, resets, isolation and memory control of tiles of the simulated array.
#include <gtest/gtest.h>

#include "lib/aieml/array.h"
#include "lib/aieml/dma_model.h"
#include "sw/driver/tessera/aieml/transaction.hpp"
#include "tests/aieml/on_rtl.h"

namespace tessera::aieml {
namespace {

using driver::npu::AddressOf;

constexpr uint32_t kOn = 0x80000000;
constexpr uint64_t kHost = 0x1000;

class Controls : public ::testing::Test {
 protected:
  void SetUp() override { Make(1); }
  void Make(uint32_t columns) {
    ArrayOptions options;
    options.columns = columns;
    options.compute_rows = 1;
    array_ = std::make_unique<Array>(Here(options));
    ASSERT_TRUE(array_->host().Add(kHost, 4096));
  }
  void Set(uint32_t column, uint32_t row, uint32_t offset, uint32_t value) {
    EXPECT_TRUE(array_->Write(AddressOf(column, row, offset), value));
  }
  uint32_t Get(uint32_t column, uint32_t row, uint32_t offset) {
    uint32_t word = 0;
    EXPECT_TRUE(array_->Read(AddressOf(column, row, offset), &word));
    return word;
  }
  // A task of the first MM2S channel of a tile, whose stream leads nowhere: eight words fill it.
  struct Place {
    uint32_t row, descriptor, last, valid, queue, control, status, lock;
  };
  static constexpr Place kPlaces[] = {
      {0, 0x1d000, 7, 1u << 25, 0x1d214, 0x1d210, 0x1d228, 0x14000},
      {1, 0xa0000, 7, 1u << 31, 0xa0634, 0xa0630, 0xa0680, 0xc0000},
      {2, 0x1d000, 5, 1u << 25, 0x1de14, 0x1de10, 0x1df10, 0x1f000},
  };
  void Start(const Place& at) {
    const uint32_t base = at.row == 0 ? kHost : at.row == 1 ? 0x20000 : 0x400 << 12 | 4;
    Set(0, at.row, at.descriptor, at.row == 2 ? base : 4);
    if (at.row < 2) Set(0, at.row, at.descriptor + 4, base);
    Set(0, at.row, at.descriptor + 4 * at.last, at.valid);
    Set(0, at.row, at.queue, 0);
  }
  bool Busy(const Place& at) { return (Get(0, at.row, at.status) >> 19 & 1) != 0; }

  // Memory tile or compute tile above the shim, fed by MM2S 0 of the shim through the switches.
  void Lead() {
    Set(0, 0, 0x1f000, 1 << 10);
    Set(0, 0, 0x3f108 + 12, kOn);
    Set(0, 0, 0x3f030, kOn | 5);
    Set(0, 1, 0xb011c, kOn);
    Set(0, 1, 0xb0000, kOn | 7);
    Set(0, 1, 0xa0000, 4);
    Set(0, 1, 0xa0004, 0x20000);
    Set(0, 1, 0xa001c, 1u << 31);
    Set(0, 1, 0xa0604, 0);
    for (uint32_t n = 0; n < 4; ++n) array_->host().Write(kHost + uint64_t{4} * n, 0x70 + n);
    Start(kPlaces[0]);
  }
  bool Arrived() { return Get(0, 1, 12) == 0x73; }

  std::unique_ptr<Array> array_;
};

TEST_F(Controls, AfterTheStartEverythingRuns) {
  EXPECT_EQ(Get(0, 0, 0xfff00), 15u);
  EXPECT_EQ(Get(0, 0, 0xfff04), 1u);
  EXPECT_EQ(Get(0, 0, 0xfff20), 1u);
  EXPECT_EQ(Get(0, 1, 0xfff00), 7u);
  EXPECT_EQ(Get(0, 2, 0x60000), 15u);
  for (const uint32_t offset : {0xfff10u, 0xfff14u, 0xfff28u, 0x36030u}) {
    EXPECT_EQ(Get(0, 0, offset), 0u);
  }
  for (const uint32_t offset : {0xfff10u, 0x96030u, 0x96048u}) EXPECT_EQ(Get(0, 1, offset), 0u);
  for (const uint32_t offset : {0x60010u, 0x36030u, 0x36070u}) EXPECT_EQ(Get(0, 2, offset), 0u);
  EXPECT_TRUE(array_->Unbuilt().empty());
  Lead();
  array_->Clock(Soon(50));
  EXPECT_TRUE(Arrived());
}

// The clock of the module with the DMA.
TEST_F(Controls, ADmaStopsWithItsClock) {
  const uint32_t clock[] = {0xfff04, 0xfff00, 0x60000};
  for (const Place& at : kPlaces) {
    const uint32_t on = Get(0, at.row, clock[at.row]);
    Set(0, at.row, clock[at.row], on & ~(at.row == 0 ? 1u : 2u));
    EXPECT_EQ(Get(0, at.row, clock[at.row]), on & ~(at.row == 0 ? 1u : 2u));
    Start(at);
    array_->Clock(Soon(50));
    EXPECT_TRUE(Busy(at)) << at.row;
    Set(0, at.row, clock[at.row], on);
    array_->Clock(Soon(50));
    EXPECT_FALSE(Busy(at)) << at.row;
  }
}

TEST_F(Controls, ASwitchStopsWithItsClock) {
  for (const uint32_t row : {0u, 1u}) {
    SetUp();
    Set(0, row, 0xfff00, Get(0, row, 0xfff00) & ~1u);
    Lead();
    array_->Clock(100);
    EXPECT_FALSE(Arrived()) << row;
    Set(0, row, 0xfff00, Get(0, row, 0xfff00) | 1);
    array_->Clock(Soon(50));
    EXPECT_TRUE(Arrived()) << row;
  }
}

TEST_F(Controls, ADmaInResetForgetsItsTasks) {
  const uint32_t reset[] = {0xfff14, 0xfff10, 0x60010};
  for (const Place& at : kPlaces) {
    Set(0, at.row, at.lock, 9);
    Set(0, at.row, at.control, 3 << 8);
    Set(0, at.row, at.queue, 1);  // a descriptor that is not valid
    Start(at);
    array_->Clock(Soon(20));
    EXPECT_NE(Get(0, at.row, at.status) & 1u << 11, 0u) << at.row;
    Set(0, at.row, reset[at.row], at.row == 0 ? 1 : 2);
    array_->Clock(Soon(2));
    EXPECT_EQ(Get(0, at.row, at.status) & 0xffffff, 0u) << at.row;
    EXPECT_EQ(Get(0, at.row, at.control), 0u) << at.row;
    EXPECT_EQ(Get(0, at.row, at.lock), 0u) << at.row;
    EXPECT_EQ(Get(0, at.row, at.descriptor + 4 * at.last), at.valid) << at.row;  // stays
    Set(0, at.row, at.queue, 0);                                                 // is lost
    array_->Clock(Soon(20));
    EXPECT_FALSE(Busy(at)) << at.row;
    Set(0, at.row, reset[at.row], 0);
    Start(at);
    EXPECT_TRUE(Busy(at)) << at.row;
    array_->Clock(Soon(50));
    EXPECT_FALSE(Busy(at)) << at.row;
  }
}

TEST_F(Controls, ASwitchInResetForgetsItsRegisters) {
  const std::array<uint32_t, 3> reset[] = {
      {0, 0xfff10, 0x3f030}, {1, 0xfff10, 0xb0000}, {2, 0x60010, 0x3f004}};
  for (const auto& [row, at, port] : reset) {
    Set(0, row, port, kOn | 7);
    EXPECT_EQ(Get(0, row, port), kOn | 7);
    Set(0, row, at, 1);
    array_->Clock(Soon(2));
    EXPECT_EQ(Get(0, row, port), 0u) << row;
    Set(0, row, at, 0);
    Set(0, row, port, kOn | 7);
    array_->Clock(Soon(2));
    EXPECT_EQ(Get(0, row, port), kOn | 7) << row;
  }
}

TEST_F(Controls, AColumnStopsByItsShim) {
  Set(0, 0, 0xfff20, 0);
  for (const Place& at : kPlaces) {
    Start(at);
    array_->Clock(Soon(50));
    EXPECT_EQ(Busy(at), at.row != 0) << at.row;  // the shim itself goes on
  }
  Set(0, 0, 0xfff20, 1);
  array_->Clock(Soon(50));
  for (const Place& at : kPlaces) EXPECT_FALSE(Busy(at)) << at.row;
}

TEST_F(Controls, AColumnIsResetByItsShim) {
  Make(2);
  for (const Place& at : kPlaces) {
    for (const uint32_t column : {0u, 1u}) Set(column, at.row, at.lock, 9);
    Set(0, at.row, at.queue, 1);
  }
  Set(0, 1, 0xb0000, kOn);
  Set(0, 1, 0x40, 77);  // memory
  Set(0, 0, 0xfff28, 1);
  array_->Clock(Soon(2));
  Set(0, 0, 0xfff28, 0);
  for (const Place& at : kPlaces) {
    EXPECT_EQ(Get(0, at.row, at.lock), at.row == 0 ? 9u : 0u) << at.row;
    EXPECT_EQ(Get(0, at.row, at.status) & 1u << 11, at.row == 0 ? 1u << 11 : 0u) << at.row;
    EXPECT_EQ(Get(1, at.row, at.lock), 9u) << at.row;
  }
  EXPECT_EQ(Get(0, 1, 0xb0000), 0u);
  EXPECT_EQ(Get(0, 1, 0x40), 77u);
}

TEST_F(Controls, NothingComesInFromAnIsolatedSide) {
  Set(0, 1, 0x96030, 1);  // south
  Lead();
  array_->Clock(100);
  EXPECT_FALSE(Arrived());
  Set(0, 1, 0x96030, 0xe);  // the other sides
  array_->Clock(Soon(50));
  EXPECT_TRUE(Arrived());
}

// Memory and locks of an isolated neighbour are not there.
TEST_F(Controls, NeighboursOfAnIsolatedMemoryTile) {
  Make(3);
  const struct { uint32_t side, base, lock; } sides[] = {{2, 0x00000, 3}, {8, 0x100000, 128 + 3}};
  for (const auto& [side, base, lock] : sides) {
    for (const bool isolated : {true, false}) {
      Set(1, 1, 0x96030, isolated ? side : 0xf & ~side);
      Set(1, 1, 0xa0000, 4);  // of a stream that leads nowhere, and fills
      Set(1, 1, 0xa0004, base / 4);
      Set(1, 1, 0xa001c, 1u << 31);
      Set(1, 1, 0xa0634, 0);
      array_->Clock(Soon(30));
      EXPECT_EQ(Get(1, 1, 0xa0680) & 0x3f00, isolated ? 1u << 9 : 0u) << side;
      Set(1, 1, 0xa0004, 0x20000);
      Set(1, 1, 0xa001c, 1u << 31 | 1u << 24 | lock << 16);  // releases
      Set(1, 1, 0xa0644, 0);
      array_->Clock(Soon(30));
      EXPECT_EQ(Get(1, 1, 0xa0688) & 0x3f00, isolated ? 1u << 8 : 0u) << side;
      for (const uint32_t control : {0xa0630u, 0xa0640u}) {
        Set(1, 1, control, 2);
        Set(1, 1, control, 0);
      }
    }
    EXPECT_EQ(Get(side == 2 ? 0 : 2, 1, 0xc0030), 1u) << side;
  }
}

TEST_F(Controls, MemoryBecomesZeros) {
  Set(0, 1, 0x40, 77);
  Set(0, 1, 0x7fffc, 78);
  Set(0, 1, 0x96048, 2);  // interleaving: the bytes are the same
  EXPECT_EQ(Get(0, 1, 0x40), 77u);
  Set(0, 1, 0x96048, 3);
  EXPECT_EQ(Get(0, 1, 0x96048), 2u);  // done
  EXPECT_EQ(Get(0, 1, 0x40), 0u);
  EXPECT_EQ(Get(0, 1, 0x7fffc), 0u);
  Set(0, 2, 0x40, 79);
  Set(0, 2, 0xfffc, 80);
  Set(0, 2, 0x16010, 1);
  EXPECT_EQ(Get(0, 2, 0x16010), 0u);
  EXPECT_EQ(Get(0, 2, 0x40), 0u);
  EXPECT_EQ(Get(0, 2, 0xfffc), 0u);
  Set(0, 2, 0x40, 79);
  Set(0, 2, 0x36070, 1);  // of the program memory
  EXPECT_EQ(Get(0, 2, 0x36070), 0u);
  EXPECT_EQ(Get(0, 2, 0x40), 79u);
}

// A packet that goes on behind its last word: an error unless the check is off.
TEST_F(Controls, TheTlastOfControlPackets) {
  Set(0, 0, 0x1f000, 1 << 10);
  Set(0, 0, 0x3f108 + 12, kOn);
  Set(0, 0, 0x3f030, kOn | 5);
  Set(0, 1, 0xb011c, kOn);
  Set(0, 1, 0xb0018, kOn | 7);
  const auto send = [&](const std::vector<uint32_t>& words) {
    for (size_t n = 0; n < words.size(); ++n)
      array_->host().Write(kHost + uint64_t{4} * n, words[n]);
    Set(0, 0, 0x1d000, static_cast<uint32_t>(words.size()));
    Set(0, 0, 0x1d004, kHost);
    Set(0, 0, 0x1d01c, 1u << 25);
    Set(0, 0, 0x1d214, 0);
    array_->Clock(60);
  };
  send({WithParity(0x400), 5, 6});
  EXPECT_EQ(Get(0, 1, 0xb0f30), 8u);
  Set(0, 1, 0xb0f30, 8);
  Set(0, 1, 0xfff00, 3);  // the check is bit 2 of a memory tile
  send({WithParity(0x500), 7, WithParity(0x600), 8});
  EXPECT_EQ(Get(0, 1, 0xb0f30), 0u);
  EXPECT_EQ(Get(0, 1, 0x500), 7u);
  EXPECT_EQ(Get(0, 1, 0x600), 8u);
}

}  // namespace
}  // namespace tessera::aieml
