// Timers, event status, performance counters and monitored ports of the simulated array.
#include <gtest/gtest.h>

#include <memory>

#include "lib/aieml/array.h"
#include "sw/driver/tessera/aieml/transaction.hpp"
#include "tests/aieml/on_rtl.h"

namespace tessera::aieml {
namespace {

using driver::npu::AddressOf;

constexpr uint32_t kOn = 0x80000000;
constexpr uint64_t kHost = 0x1000;
constexpr uint32_t kTrue = 1, kTimer = 4, kCounter0 = 5, kUser = 124;  // events

// A module: its tile, the first register of its timer and of its counters, and their number.
struct Module {
  uint32_t row, timer, counter, counters;
};
constexpr Module kModules[] = {{0, 0x34000, 0x31000, 2},
                               {1, 0x94000, 0x91000, 4},
                               {2, 0x14000, 0x11000, 2},
                               {2, 0x34000, 0x31500, 4}};

class EventsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ArrayOptions options;
    options.compute_rows = 1;
    options.routes = {{{0, 0, 0}, {{0, 0, 0}}}};
    array_ = std::make_unique<Array>(Here(options));
    ASSERT_TRUE(array_->host().Add(kHost, 8192));
  }
  void Set(uint32_t row, uint32_t offset, uint32_t value) {
    EXPECT_TRUE(array_->Write(AddressOf(0, row, offset), value));
  }
  uint32_t Get(uint32_t row, uint32_t offset) {
    uint32_t word = 0;
    EXPECT_TRUE(array_->Read(AddressOf(0, row, offset), &word));
    return word;
  }
  uint64_t Time(const Module& at) {
    const uint64_t low = Get(at.row, at.timer + 0xf8);
    return low | uint64_t{Get(at.row, at.timer + 0xfc)} << 32;
  }
  bool Happened(const Module& at, uint32_t event) {
    return (Get(at.row, at.timer + 0x200 + event / 32 * 4) >> event % 32 & 1) != 0;
  }
  void Forget(const Module& at) {
    for (uint32_t n = 0; n < (at.row == 1 ? 6 : 4); ++n) {
      Set(at.row, at.timer + 0x200 + 4 * n, 0xffffffff);
    }
  }
  uint32_t Count(const Module& at, uint32_t n) { return Get(at.row, at.counter + 0x20 + 4 * n); }
  void Counts(const Module& at, uint32_t n, uint32_t start, uint32_t stop) {
    const uint32_t place = at.counter + n / 2 * 4, low = 16 * (n % 2);
    const uint32_t others = Get(at.row, place) & ~(0xffffu << low);
    Set(at.row, place, others | (start | stop << 8) << low);
  }
  // So many words from host to host, by the shim.
  void Copy(uint32_t words) {
    for (const uint32_t bd : {0u, 1u}) {
      Set(0, 0x1d000 + 0x20 * bd, words);
      Set(0, 0x1d004 + 0x20 * bd, kHost + 4096 * bd);
      Set(0, 0x1d01c + 0x20 * bd, 1u << 25);
    }
    Set(0, 0x1d204, 1);
    Set(0, 0x1d214, 0);
  }
  std::unique_ptr<Array> array_;
};

TEST_F(EventsTest, TimersRunWithSimulatedTime) {
  for (const Module& at : kModules) {
    SetUp();
    const uint64_t before = Time(at), cycles = array_->cycles();
    array_->Run((uint64_t{1} << 33) + 5);
    const uint64_t gone = Time(at) - before;
    EXPECT_GE(gone, (uint64_t{1} << 33) + 5) << at.timer;
    EXPECT_LE(gone, array_->cycles() - cycles) << at.timer;
    Set(at.row, at.timer, kOn);
    EXPECT_LT(Time(at), 10u) << at.timer;
    EXPECT_EQ(Get(at.row, at.timer), 0u) << at.timer;
  }
  EXPECT_TRUE(array_->Unbuilt().empty());
}

// At its value a timer raises an event, also while nothing else happens, and may reset itself.
TEST_F(EventsTest, ATimerReachesItsValue) {
  for (const Module& at : kModules) {
    SetUp();
    Set(at.row, at.timer + 0xf0, 50000);
    Set(at.row, at.timer + 0xf4, 1);
    EXPECT_EQ(Get(at.row, at.timer + 0xf4), 1u);
    array_->Run(uint64_t{1} << 32);
    EXPECT_FALSE(Happened(at, kTimer)) << at.timer;
    array_->Run(50000);
    EXPECT_TRUE(Happened(at, kTimer)) << at.timer;
    Forget(at);
    EXPECT_FALSE(Happened(at, kTimer)) << at.timer;
    Set(at.row, at.timer + 0xf4, 0);
    Set(at.row, at.timer, kOn | kTimer << 8);
    EXPECT_EQ(Get(at.row, at.timer), kTimer << 8);
    array_->Run(120000);
    EXPECT_GT(Time(at), 19000u) << at.timer;
    EXPECT_LT(Time(at), 21000u) << at.timer;
  }
}

TEST_F(EventsTest, AnEventIsGenerated) {
  for (const Module& at : kModules) {
    const uint32_t event = at.row == 1 ? 160 : kUser + 2;
    EXPECT_FALSE(Happened(at, event));
    EXPECT_TRUE(Happened(at, kTrue));
    Counts(at, 0, event, event);
    Set(at.row, at.timer + 8, event);
    array_->Clock(3);
    EXPECT_TRUE(Happened(at, event));
    EXPECT_EQ(Count(at, 0), 1u);
    Forget(at);
    EXPECT_FALSE(Happened(at, event));
  }
}

// Channels of the shim: MM2S 0 sends to S2MM 0.
TEST_F(EventsTest, ATransferIsSeenInTheEvents) {
  const Module& shim = kModules[0];
  Counts(shim, 0, 16, 24);  // from the start of MM2S 0 to its end
  Counts(shim, 1, 30, 30);  // cycles in which S2MM 0 lacks words
  Copy(100);
  array_->Run(1000);
  for (const uint32_t event : {14u, 16u, 18u, 20u, 22u, 24u, 30u}) {
    EXPECT_TRUE(Happened(shim, event)) << event;
  }
  for (const uint32_t event : {15u, 17u, 19u, 21u, 23u, 25u, 26u, 32u, 72u, 73u}) {
    // The RTL calls the way of a descriptor to the engine a wait for a lock.
    if (OnRtl() && event == 26) continue;
    EXPECT_FALSE(Happened(shim, event)) << event;
  }
  EXPECT_GE(Count(shim, 0), 99u);
  EXPECT_LE(Count(shim, 0), OnRtl() ? 140u : 110u);
  EXPECT_GE(Count(shim, 1), 1u);
  EXPECT_LE(Count(shim, 1), OnRtl() ? 30u : 20u);
}

TEST_F(EventsTest, AnErrorIsAnEvent) {
  Set(0, 0x1d204, 5);  // a descriptor that is not valid
  array_->Clock(Soon(5));
  EXPECT_TRUE(Happened(kModules[0], 72));
  EXPECT_FALSE(Happened(kModules[0], 73));
  Set(2, 0x1de1c, 5);  // MM2S 1 of the compute tile
  array_->Clock(Soon(5));
  EXPECT_TRUE(Happened(kModules[2], 100));
  for (const uint32_t event : {97u, 98u, 99u}) EXPECT_FALSE(Happened(kModules[2], event));
  Set(1, 0xa0634, 5);
  array_->Clock(Soon(5));
  EXPECT_TRUE(Happened(kModules[1], 134));
}

// A level is counted to the cycle while time is skipped.
TEST_F(EventsTest, ACounterCountsSkippedTime) {
  const Module& memory = kModules[2];
  Counts(memory, 0, 33, 33);  // MM2S 0 waits for a lock
  Counts(memory, 1, kTrue, 0);
  Set(2, 0x11084, 70000);
  Set(2, 0x1d000, 4);
  Set(2, 0x1d014, 1u << 25 | 1u << 12 | 0x7f << 5 | 3);  // takes lock 3
  Set(2, 0x1de14, 0);
  array_->Run(10);
  const uint64_t cycles = array_->cycles();
  const uint32_t first = Count(memory, 0), all = Count(memory, 1);
  array_->Run(1'000'000);
  const uint32_t last = Count(memory, 0);
  const auto gone = static_cast<uint32_t>(array_->cycles() - cycles);
  EXPECT_GE(last - first, 1'000'000u);
  EXPECT_LE(last - first, gone);
  EXPECT_GE(Count(memory, 1) - all, 1'000'000u);
  EXPECT_TRUE(Happened(memory, kCounter0 + 1));  // its value was passed
  EXPECT_FALSE(Happened(memory, kCounter0));
  Set(2, 0x1f030, 1);
  array_->Run(1000);
  const uint32_t done = Count(memory, 0);
  array_->Run(1000);
  EXPECT_EQ(Count(memory, 0), done);
  EXPECT_LE(done - last, 10u);
}

// The event of one counter resets the other one.
TEST_F(EventsTest, ACounterIsResetByAnEvent) {
  const Module& shim = kModules[0];
  Set(0, 0x31080, 1000);
  Set(0, 0x31008, kCounter0 << 8 | kCounter0);
  EXPECT_EQ(Get(0, 0x31008), kCounter0 << 8 | kCounter0);
  Counts(shim, 0, kTrue, 0);
  Counts(shim, 1, kTrue, 0);
  array_->Run(100'500);
  EXPECT_LE(Count(shim, 0), 1000u);
  EXPECT_LE(Count(shim, 1), 1001u);
  Set(0, 0x31020, 7);
  Counts(shim, 0, 0, 0);
  Set(0, 0x31020, 7);
  array_->Run(100);
  EXPECT_EQ(Count(shim, 0), 7u);
}

// A reset event that lasts resets in every cycle, also while time is skipped.
TEST_F(EventsTest, AResetEventMayLast) {
  constexpr uint32_t kWaits = 33;  // MM2S 0 waits for a lock
  const Module& memory = kModules[2];
  Counts(memory, 0, kTrue, 0);
  Counts(memory, 1, kTrue, 0);
  Set(2, 0x11008, kWaits);  // counter 0
  Set(2, memory.timer, kWaits << 8);
  Set(2, 0x1d000, 4);
  Set(2, 0x1d014, 1u << 25 | 1u << 12 | 0x7f << 5 | 3);  // takes lock 3
  Set(2, 0x1de14, 0);
  array_->Run(100);
  for (int n = 0; n < 2; ++n) {
    array_->Run(1'000'000);
    EXPECT_LE(Count(memory, 0), 1u);
    EXPECT_LE(Time(memory), 20u);  // of reading it
  }
  EXPECT_GT(Count(memory, 1), 2'000'000u);
  // It is taken back, and nothing counts.
  Set(2, 0x11008, 0);
  Set(2, memory.timer, 0);
  Set(2, 0x11000, 0);
  const uint32_t count = Count(memory, 0);
  array_->Run(1'000'000);
  EXPECT_EQ(Count(memory, 0), count);
  EXPECT_GE(Time(memory), 1'000'000u);
  Counts(memory, 0, kTrue, 0);
  Set(2, 0x11008, kWaits);
  Set(2, memory.timer, kWaits << 8);
  Set(2, 0x1f030, 1);
  array_->Run(1000);
  EXPECT_GT(Count(memory, 0), 900u);
  EXPECT_GT(Time(memory), 900u);
}

// Which channels of a memory tile are events is selected.
TEST_F(EventsTest, ChannelsOfAMemoryTileAreSelected) {
  const Module& tile = kModules[1];
  Set(1, 0xa06a0, 4u << 24 | 5u << 8);  // MM2S 0 and 4, S2MM 0 and 5
  EXPECT_EQ(Get(1, 0xa06a0), 4u << 24 | 5u << 8);
  Set(1, 0xa0000, 2);
  Set(1, 0xa0004, 0x20000);
  Set(1, 0xa001c, kOn);
  Set(1, 0xa0654, 0);  // MM2S 4
  array_->Clock(Soon(20));
  EXPECT_TRUE(Happened(tile, 24));
  EXPECT_TRUE(Happened(tile, 28));
  EXPECT_TRUE(Happened(tile, 32));
  EXPECT_FALSE(Happened(tile, 23));
  Forget(tile);
  Set(1, 0xa0644, 0);  // MM2S 2: not selected
  array_->Clock(Soon(20));
  for (const uint32_t event : {21u, 22u, 23u, 24u, 27u, 28u}) EXPECT_FALSE(Happened(tile, event));
}

// Words through a port, and what it does otherwise.
TEST_F(EventsTest, APortIsMonitored) {
  const Module& tile = kModules[1];
  Set(1, 0xb0100, kOn);  // slave DMA 0 leads to master DMA 2
  Set(1, 0xb0008, kOn);
  Set(1, 0xb0f00, 0x22 << 8);  // port 0: slave 0, port 1: master 2
  EXPECT_EQ(Get(1, 0xb0f00), 0x22u << 8);
  Counts(tile, 0, 80, 80);
  Counts(tile, 1, 84, 84);
  Counts(tile, 2, 81, 81);
  Set(1, 0xa0000, 20);
  Set(1, 0xa0004, 0x20000);
  Set(1, 0xa001c, kOn);
  Set(1, 0xa0634, 0);
  array_->Run(1000);
  EXPECT_EQ(Count(tile, 0), 8u);  // 8 words lie behind it, 8 before it, 4 are not sent
  EXPECT_TRUE(Happened(tile, 81));
  EXPECT_FALSE(Happened(tile, 82));
  EXPECT_GE(Count(tile, 2), 900u);
  Set(1, 0xa0614, 0);  // S2MM 2 takes them
  array_->Run(1000);
  EXPECT_EQ(Count(tile, 0), 20u);
  EXPECT_EQ(Count(tile, 1), 20u);
  for (const uint32_t event : {79u, 82u, 83u, 86u}) EXPECT_TRUE(Happened(tile, event)) << event;
}

}  // namespace
}  // namespace tessera::aieml
