// Beside the random accesses, what they meet too seldom: what is set in each cycle around the write
// that clears it, counts and times of records and completion entries.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <vector>

#include "tb/check/plan.h"
#include "tests/native/native_unit.h"

namespace tessera {
namespace {

constexpr uint32_t kError = 0x18, kInfo = 0x1c, kIrqEnable = 0x28, kIrqStatus = 0x2c;
constexpr uint32_t kCoalesce = 0x30, kGlobalStatus = 0x24;
constexpr uint64_t kLook = 64;  // a look at each channel, in a build of 5

// The build of 5 channels.
class NativeCauses : public ::testing::Test {
 protected:
  ~NativeCauses() override { EXPECT_EQ(unit_.failure(), ""); }
  uint32_t Read(uint32_t c, uint32_t offset) { return unit_.Read(unit_.base(c) + offset).data; }
  void Write(uint32_t c, uint32_t offset, uint32_t data) {
    EXPECT_TRUE(unit_.Write(unit_.base(c) + offset, data).okay());
  }
  // What has come is read and cleared.
  uint32_t Take(uint32_t c, uint32_t offset) {
    const uint32_t data = Read(c, offset);
    Write(c, offset, data);
    return data;
  }
  void Records(uint32_t c, int count) {
    for (int i = 0; i < count; ++i) unit_.Happen({.channel = c, .record = true});
  }
  void Entry(uint32_t c, bool interrupts) {
    unit_.pins().entry = {true, interrupts, c};
    unit_.Cycle();
    unit_.pins().entry = {};
  }

  NativeUnit unit_{5};
};

// Each cause in each cycle around the write that clears it. What comes behind the write is there
// afterwards, and never is a bit lost or told twice.
TEST_F(NativeCauses, WhatIsSetWhileItIsClearedIsTold) {
  Proves({"program.error-sticky"});
  NativePins& pins = unit_.pins();
  const uint32_t c = 3;
  for (uint32_t when = 0; when < 12; ++when) {
    SCOPED_TRACE(fmt::format("cycle {}", when));
    uint64_t written = 0, set = 0;
    unit_.on_cycle = [&] {
      if (unit_.model().spy_acts_o && unit_.model().spy_write_o) written = unit_.cycle();
    };
    unit_.Queue({true, unit_.base(c) + kError, 0x7fff, 15});
    unit_.Wait(when);
    set = unit_.cycle();
    unit_.Happen({.channel = c, .causes = 2, .descriptor = 0x11, .addr = 0x2000});
    unit_.Wait(kLook);
    const bool after = set + 1 > written;
    EXPECT_EQ(Read(c, kInfo), after ? 0x11U : 0U);
    EXPECT_EQ(Take(c, kError), after ? 2U : 0U);
    EXPECT_EQ(Read(c, kInfo), 0U);
    EXPECT_EQ(Take(c, kIrqStatus), 8U);
  }
  // Of the whole: up to each cycle around the write.
  for (const uint32_t address : {kGlobalStatus, 0x40U, 0x48U}) {
    for (uint32_t when = 0; when < 6; ++when) {
      SCOPED_TRACE(fmt::format("{:#x} cycle {}", address, when));
      uint64_t written = 0;
      unit_.on_cycle = [&] {
        if (unit_.model().spy_done_o && unit_.model().spy_write_o) written = unit_.cycle();
      };
      unit_.Queue({true, address, 0x7fffffff, 15});
      pins.misrouted = true;
      pins.rd_stray = pins.wr_stray = 3;
      pins.lock_report = {true, true, false, 5, 0};
      unit_.Wait(when + 1);
      const uint64_t last = unit_.cycle() - 1;
      pins.misrouted = false;
      pins.rd_stray = pins.wr_stray = 0;
      pins.lock_report = {};
      unit_.Finish(100);
      const uint32_t all = address == kGlobalStatus ? 0x030310U : 1U << 5;
      EXPECT_EQ(unit_.Read(address).data, last >= written ? all : 0U);
      for (const uint32_t each : {kGlobalStatus, 0x40U, 0x48U}) unit_.Write(each, 0x7fffffff);
      EXPECT_EQ(unit_.Read(address).data, 0U);
    }
  }
}

TEST_F(NativeCauses, RecordsAreToldByCountByTimeAndWhenTheirQueueIsFull) {
  Proves({"program.coalesce"});
  const uint32_t c = 4;
  Records(c, 1);
  EXPECT_EQ(Take(c, kIrqStatus), 4U);  // each
  Write(c, kCoalesce, 20);
  Records(c, 19);
  unit_.Wait(1000);
  EXPECT_EQ(Read(c, kIrqStatus), 0U);  // one too few, and no time is set
  Records(c, 1);
  unit_.Wait(kLook);
  EXPECT_EQ(Take(c, kIrqStatus), 4U);
  unit_.Wait(200);
  EXPECT_EQ(Read(c, kIrqStatus), 0U);  // they do not count twice
  Records(c, 5);
  unit_.channel(c).records = 16;
  unit_.Wait(kLook);
  EXPECT_EQ(Take(c, kIrqStatus), 4U);
  unit_.Wait(kLook);
  EXPECT_EQ(Read(c, kIrqStatus), 0U);  // a full queue without a new one
  unit_.channel(c).records = 0;
  EXPECT_EQ(Read(0, kIrqStatus), 0U);  // a neighbour had none
  Write(c, kCoalesce, 31);
  Records(c, 33);  // more than the bits of its count hold, and no look in between
  unit_.Wait(kLook);
  EXPECT_EQ(Take(c, kIrqStatus), 4U);
}

// Cycles from a record, or an entry, to the interrupt: times at every place within a tick.
TEST_F(NativeCauses, TimesOfRecordsAndEntries) {
  Proves({"program.coalesce"});
  const uint32_t c = 1;
  Write(c, kIrqEnable, 0x24);
  const auto interrupt = [this](uint64_t from) {
    while (unit_.model().irq_channel_o == 0 && unit_.cycle() < from + 1000) unit_.Cycle();
    return unit_.cycle() - from;
  };
  for (const uint32_t ticks : {1U, 3U}) {
    Write(c, kCoalesce, ticks << 16 | 31);
    for (uint32_t when = 0; when < 70; ++when) {
      SCOPED_TRACE(fmt::format("{} ticks, cycle {}", ticks, when));
      unit_.Wait(when);
      const uint64_t record = unit_.cycle();
      Records(c, 1);
      unit_.Wait(when % 40);
      Records(c, 2);
      const uint64_t passed = interrupt(record);
      EXPECT_EQ(Take(c, kIrqStatus), 4U);
      EXPECT_GE(passed, 64 * ticks);
      EXPECT_LE(passed, 64 * ticks + 32);
      const uint64_t entry = unit_.cycle();
      Entry(c, false);
      unit_.Wait(when % 40);
      Entry(c, false);
      const uint64_t waited = interrupt(entry);
      EXPECT_EQ(Take(c, kIrqStatus), 0x20U);
      EXPECT_GE(waited, 64 * ticks);
      EXPECT_LE(waited, 64 * ticks + 40);
    }
  }
}

// Records that wait have the whole time from a write of COALESCE on, and the next ones have theirs,
// whenever the time without records would have been over.
TEST_F(NativeCauses, AWriteOfCoalesceBeginsTheTimeAnew) {
  Proves({"program.coalesce"});
  const uint32_t c = 1, ticks = 2, setting = ticks << 16 | 31;
  Write(c, kIrqEnable, 4);
  const auto interrupt = [this](uint64_t from) {
    while (unit_.model().irq_channel_o == 0 && unit_.cycle() < from + 1000) unit_.Cycle();
    return unit_.cycle() - from;
  };
  for (uint32_t when = 0; when < 100; ++when) {
    SCOPED_TRACE(when);
    Write(c, kCoalesce, setting);
    Records(c, 1);
    unit_.Wait(when);
    const uint64_t written = unit_.cycle();
    Write(c, kCoalesce, setting);
    const uint64_t passed = interrupt(written);
    EXPECT_EQ(Take(c, kIrqStatus), 4U);
    EXPECT_GE(passed, 64 * ticks);
    EXPECT_LE(passed, 64 * ticks + 40);

    Write(c, kCoalesce, setting);
    unit_.Wait(80 + when);
    const uint64_t record = unit_.cycle();
    Records(c, 1);
    const uint64_t waited = interrupt(record);
    EXPECT_EQ(Take(c, kIrqStatus), 4U);
    EXPECT_GE(waited, 64 * ticks);
    EXPECT_LE(waited, 64 * ticks + 40);
  }
}

// One that interrupts tells of those before it; entries that come around an interrupt by time wait
// for a time of their own.
TEST_F(NativeCauses, EntriesAreToldOnce) {
  Proves({"program.coalesce"});
  const uint32_t c = 1;
  Write(c, kCoalesce, 1 << 16);
  unit_.Wait(300);
  EXPECT_EQ(Read(c, kIrqStatus), 0U);  // nothing waits after a reset
  Write(c, kCoalesce, 1 << 16);
  Entry(c, false);
  unit_.Wait(20);
  Entry(c, true);
  unit_.Wait(kLook);
  EXPECT_EQ(Take(c, kIrqStatus), 0x20U);
  unit_.Wait(300);
  EXPECT_EQ(Read(c, kIrqStatus), 0U);
  Write(c, kIrqEnable, 0x20);
  for (uint64_t i = 0; i < 8 * 30; ++i) {
    const uint64_t distance = 60 + i / 8;
    SCOPED_TRACE(fmt::format("{} {}", distance, i % 8));
    // Each distance in each phase of the looks.
    while (!unit_.model().spy_look_o || unit_.model().spy_channel_o != c) unit_.Cycle();
    unit_.Wait(i % 8);
    const uint64_t first = unit_.cycle(), second = first + distance;
    std::vector<uint64_t> interrupts;
    while (unit_.cycle() < first + 400) {
      if (unit_.cycle() == first || unit_.cycle() == second) {
        Entry(c, false);
      } else {
        unit_.Cycle();
      }
      if (unit_.model().irq_channel_o == 0 || !unit_.idle()) continue;
      interrupts.push_back(unit_.cycle());
      unit_.Queue({true, unit_.base(c) + kIrqStatus, 0x20, 15});
    }
    ASSERT_TRUE(interrupts.size() == 1 || interrupts.size() == 2) << interrupts.size();
    EXPECT_GE(interrupts.front(), first + 64);
    EXPECT_GE(interrupts.back(), interrupts.size() == 1 ? second : second + 64);
  }
}

// Software that reads all the time, and events all the time, hold up no look for long: COALESCE
// counts right with less than 512 cycles.
TEST(NativeLooks, ComeWithinATime) {
  for (uint32_t build = 0; build < kBuilds.size(); ++build) {
    NativeUnit unit(build, {.build = build, .second = 100});
    const uint32_t address = unit.base(1) + kError;
    unit.second_access = [address] { return NativeAccess{false, address, 0, 0}; };
    for (int i = 0; i < 2000; ++i) unit.Queue({false, address, 0, 0});
    for (int i = 0; i < 8000 && !unit.idle(); ++i) {
      if (i % 4 == 0) {
        unit.Happen({.channel = 0});
      } else {
        unit.Cycle();
      }
    }
    EXPECT_EQ(unit.failure(), "");
    EXPECT_GT(unit.looks(), 100U);
    EXPECT_LE(unit.longest(), unit.build().channels() > 8 ? 400U : 128U) << build;
  }
}

}  // namespace
}  // namespace tessera
