// What comes together: a bit that is set and cleared, an error that is reported and shown, the
// halves of the cycles, a lock that is released and read.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tb/check/plan.h"
#include "tests/native/native_unit.h"

namespace tessera {
namespace {

constexpr uint32_t kError = 0x18, kIrqStatus = 0x2c, kGlobalStatus = 0x24;

void Wait(NativeUnit* unit, uint64_t cycles) {
  for (uint64_t i = 0; i < cycles; ++i) unit->Cycle();
}

// A write, with what happens `before` each cycle up to its own, and `after` that.
template <typename Before, typename After>
void Write(NativeUnit* unit, uint32_t address, Before&& before, After&& after) {
  bool written = false;
  unit->on_cycle = [unit, &written] {
    written = written || (unit->model().spy_done_o && unit->model().spy_write_o);
  };
  unit->Queue({true, address, 0x7fffffff, 15});
  for (int i = 0; i < 100 && !written; ++i) {
    before();
    unit->Cycle();
  }
  EXPECT_TRUE(written);
  unit->on_cycle = nullptr;
  after();
  unit->Finish(100);
}

TEST(NativeTogether, WhatIsSetAndClearedInOneCycleStaysSet) {
  Proves({"program.error-sticky"});
  NativeUnit unit(21);
  NativePins& pins = unit.pins();
  const auto clear = [&unit](uint32_t address, const auto& events) {
    Write(
        &unit, address, [&] { events(true); }, [&] { events(false); });
    return unit.Read(address).data;
  };
  EXPECT_EQ(clear(kGlobalStatus,
                  [&](bool there) {
                    pins.misrouted = there;
                    pins.rd_stray = pins.wr_stray = there ? 3 : 0;
                  }),
            0x030310U);
  EXPECT_FALSE(unit.Write(kGlobalStatus, 0x7fffffff).error);
  EXPECT_EQ(unit.Read(kGlobalStatus).data, 0U);
  for (uint32_t c = 0; c < kChannels; ++c) {
    SCOPED_TRACE(fmt::format("channel {}", c));
    const auto events = [&](bool there) { pins.events[c] = there ? 0x7f : 0; };
    EXPECT_EQ(clear(NativeModel::ChannelBase(c) + kError, events), 0x700U);
    EXPECT_EQ(clear(NativeModel::ChannelBase(c) + kIrqStatus, events), 0x2fU);
  }
  EXPECT_EQ(unit.failure(), "");
}

// Reports come all the time up to the write; one is taken when its channel is looked at, in the
// cycle of the write or in another one.
TEST(NativeTogether, AnErrorThatIsReportedWhileErrorsAreClearedIsTold) {
  Proves({"program.error-sticky"});
  constexpr uint32_t kCauses = 0x7fff;
  for (uint32_t c = 0; c < kChannels; ++c) {
    NativeUnit unit(22);
    NativePins& pins = unit.pins();
    const uint32_t address = NativeModel::ChannelBase(c) + kError;
    pins.report[c] = {kCauses, 0x11, 0x2000, 0};
    size_t together = 0;
    for (uint64_t when = 0; when < 16; ++when) {
      SCOPED_TRACE(fmt::format("channel {}, cycle {}", c, when));
      bool taken = false;
      Write(
          &unit, address, [&] { pins.report_valid = 1U << c; },
          [&] {
            taken = pins.report_valid == 0;
            pins.report_valid = 0;
          });
      Wait(&unit, 20);
      EXPECT_EQ(unit.Read(address).data, taken ? kCauses : 0U);
      EXPECT_EQ(unit.Read(address + 4).data, taken ? 0x11U : 0U);
      EXPECT_FALSE(unit.Write(address, kCauses).error);
      EXPECT_EQ(unit.Read(address).data, 0U);
      Wait(&unit, when);
      together += taken;
    }
    EXPECT_GT(together, 0U);
    EXPECT_EQ(unit.failure(), "");
  }
}

// A descriptor of a list that was not loaded is reported, and shows as a level too.
TEST(NativeTogether, AnErrorThatIsReportedAndShownIsToldOnce) {
  Proves({"program.error-sticky"});
  NativeUnit unit(23);
  const uint32_t address = NativeModel::ChannelBase(2) + kError;
  for (uint64_t when = 0; when < 16; ++when) {
    SCOPED_TRACE(fmt::format("cycle {}", when));
    Wait(&unit, when);
    unit.pins().view[2][1] |= 5U << 8;
    unit.pins().report[2] = {1U << 13 | 1U, 0x511, 0x2000, 0};
    unit.pins().report_valid = 1U << 2;
    for (int i = 0; i < 40 && unit.pins().report_valid != 0; ++i) unit.Cycle();
    // Before the channel is looked at again.
    EXPECT_FALSE(unit.Write(address, 0x7fff).error);
    Wait(&unit, 40);
    EXPECT_EQ(unit.Read(address).data, 0U);
    // The level falls and rises: another one.
    unit.pins().view[2][1] &= ~0x3f00U;
    Wait(&unit, 1);
    unit.pins().view[2][1] |= 6U << 8;
    Wait(&unit, 40);
    EXPECT_EQ(unit.Read(address).data, 1U);
    unit.pins().view[2][1] &= ~0x3f00U;
    Wait(&unit, 1);
    EXPECT_FALSE(unit.Write(address, 0x7fff).error);
  }
  EXPECT_EQ(unit.failure(), "");
}

TEST(NativeTogether, TheHighHalfOfTheCyclesIsThatOfTheLastReadOfTheLowOne) {
  constexpr uint32_t kLow = 0x2c, kHigh = 0x30, kScratch = 0x1c;
  NativeUnit unit(24);
  unit.Write(kScratch, 5);
  unit.Jump((uint64_t{3} << 32) - 64);
  EXPECT_EQ(unit.Read(kHigh).data, 0U) << "the low half has not been read";
  EXPECT_GE(unit.Read(kLow).data, 0xffffffc0U);
  EXPECT_EQ(unit.Read(kHigh).data, 2U);
  Wait(&unit, 100);
  EXPECT_EQ(unit.Read(kScratch).data, 5U);
  for (int i = 0; i < 2; ++i) EXPECT_EQ(unit.Read(kHigh).data, 2U);
  EXPECT_LT(unit.Read(kLow).data, 0x1000U);
  EXPECT_EQ(unit.Read(kHigh).data, 3U);
  EXPECT_EQ(unit.failure(), "");
}

// The locks do not answer.
TEST(NativeTogether, WhatNeedsNoLockAsksNone) {
  Proves({"register.access"});
  NativeOptions options;
  options.answers = 0;
  NativeUnit unit(25, options);
  uint64_t asked = 0;
  unit.on_cycle = [&] { asked += unit.model().lock_valid_o; };
  unit.pins().lock_value = 33;
  for (uint32_t lock = 0; lock < kLocks; ++lock) {
    const uint32_t value = 0x3000 + 0x10 * lock, release = value + 4;
    const NativeUnit::Response response = unit.Read(release);
    EXPECT_FALSE(response.error);
    EXPECT_EQ(response.data, 0U);
    for (const uint32_t address : {value, release}) {
      EXPECT_TRUE(unit.Write(address, 0x01010101, 14).error);  // not the byte that counts
    }
    EXPECT_TRUE(unit.Write(0x8000 + 0x200 * lock, 1).error);
  }
  EXPECT_EQ(asked, 0U);
  EXPECT_EQ(unit.failure(), "");
}

}  // namespace
}  // namespace tessera
