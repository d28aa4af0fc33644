// Each rule of the stream monitor is broken once, alone, and fires once, alone.
#include "tb/monitor/axis_monitor.h"

#include <gtest/gtest.h>

#include "tests/bus/pins.h"

namespace tessera {
namespace {

using Keep = AxisMonitorOptions::Keep;
using Null = AxisMonitorOptions::Null;

class AxisMonitorTest : public ::testing::Test {
 protected:
  void Use(Keep keep, Null null, int bytes = 8) {
    monitor_ = AxisMonitor(&port_, {"port", bytes, keep, null}, &violations_);
  }
  void Cycle(bool valid, bool ready = true, const LaneMask& keep = FirstLanes(8), bool last = false,
             bool reset = false) {
    port_.valid = valid;
    port_.ready = ready;
    port_.payload = {data_, keep, last, side_};
    monitor_.Sample({cycle_++, reset});
  }
  void Expect(AxisRule rule) {
    monitor_.AtEnd(cycle_);
    EXPECT_EQ(Rules(violations_), RuleName(rule));
  }
  void ExpectNone() {
    monitor_.AtEnd(cycle_);
    EXPECT_EQ(Rules(violations_), "");
  }
  static LaneMask Gap() {
    LaneMask mask;
    mask.Set(0);
    mask.Set(2);
    return mask;
  }

  ViolationList violations_;
  BusData data_{};
  rtl::DescriptorSide side_;
  StreamPort port_;
  AxisMonitor monitor_{&port_, {"port", 8, Keep::kFullUntilLast, Null::kNone}, &violations_};
  uint64_t cycle_ = 0;
};

TEST_F(AxisMonitorTest, LegalTrafficIsSilent) {
  Cycle(false, true, {}, false, true);
  Cycle(false, true, {}, false, true);
  Cycle(false);
  Cycle(true, false);
  Cycle(true, true);
  EXPECT_TRUE(monitor_.packet_open());
  Cycle(true, false, FirstLanes(3), true);
  data_[3] = 0x55;  // a null lane may change
  Cycle(true, true, FirstLanes(3), true);
  EXPECT_FALSE(monitor_.packet_open());
  EXPECT_EQ(monitor_.beats(), 2U);
  ExpectNone();
}

TEST_F(AxisMonitorTest, SideInformationIsStable) {
  Cycle(true, false);
  side_.user = 1;
  Cycle(true, true);
  Expect(AxisRule::kStable);
}

TEST_F(AxisMonitorTest, LooserSettingsAllowMore) {
  Use(Keep::kAllowPartial, Null::kWithLast);
  Cycle(true, true, FirstLanes(3));
  Cycle(true, true, {}, true);
  Use(Keep::kAny, Null::kAny);
  Cycle(true, true, Gap());
  Cycle(true, true, {});
  ExpectNone();
}

TEST_F(AxisMonitorTest, ResetForgetsAWaitingBeat) {
  Cycle(true, false);
  Cycle(true, false, FirstLanes(8), false, true);
  Cycle(false, false, {}, false, true);
  Cycle(false);
  ExpectNone();
}

TEST_F(AxisMonitorTest, DataStable) {
  Cycle(true, false);
  data_[7] ^= 1;
  Cycle(true);
  Expect(AxisRule::kStable);
}

TEST_F(AxisMonitorTest, DataOfAPartialBeatStable) {
  Cycle(true, false, FirstLanes(2), true);
  data_[1] ^= 1;
  Cycle(true, true, FirstLanes(2), true);
  Expect(AxisRule::kStable);
}

TEST_F(AxisMonitorTest, LastStable) {
  Cycle(true, false);
  Cycle(true, true, FirstLanes(8), true);
  Expect(AxisRule::kStable);
}

TEST_F(AxisMonitorTest, KeepStable) {
  Cycle(true, false, FirstLanes(5), true);
  Cycle(true, true, FirstLanes(4), true);
  Expect(AxisRule::kStable);
}

TEST_F(AxisMonitorTest, ValidDrop) {
  Cycle(true, false);
  Cycle(false);
  Expect(AxisRule::kValidDrop);
}

TEST_F(AxisMonitorTest, ValidInReset) {
  Cycle(true, true, FirstLanes(8), false, true);  // registers have not seen the reset yet
  Cycle(true, true, FirstLanes(8), false, true);
  Expect(AxisRule::kResetValid);
}

TEST_F(AxisMonitorTest, ValidRightAfterReset) {
  Cycle(false, true, {}, false, true);
  Cycle(true);
  Expect(AxisRule::kResetValid);
}

TEST_F(AxisMonitorTest, KeepWidth) {
  Cycle(true, true, FirstLanes(9));
  Expect(AxisRule::kKeepWidth);
}

TEST_F(AxisMonitorTest, Contiguous) {
  Cycle(true, true, Gap(), true);
  Expect(AxisRule::kContiguous);
}

TEST_F(AxisMonitorTest, ContiguousWithPartialAllowed) {
  Use(Keep::kAllowPartial, Null::kAny);
  Cycle(true, true, Gap());
  Expect(AxisRule::kContiguous);
}

TEST_F(AxisMonitorTest, Full) {
  Cycle(true, true, FirstLanes(7));
  Expect(AxisRule::kFull);
}

TEST_F(AxisMonitorTest, Null) {
  Cycle(true, true, {}, true);
  Expect(AxisRule::kNull);
}

TEST_F(AxisMonitorTest, NullWithoutLast) {
  Use(Keep::kFullUntilLast, Null::kNone);
  monitor_.AllowNull(Null::kWithLast);
  Cycle(true, true, {}, true);
  Cycle(true, true, {}, false);
  Expect(AxisRule::kNull);
}

TEST_F(AxisMonitorTest, OpenValid) {
  Cycle(true, false);
  EXPECT_FALSE(monitor_.Quiet());
  Expect(AxisRule::kOpenValid);
}

TEST_F(AxisMonitorTest, WideKeepOverBothWords) {
  Use(Keep::kFullUntilLast, Null::kNone, 128);
  Cycle(true, true, FirstLanes(128));
  Cycle(true, true, FirstLanes(65), true);
  Cycle(true, true, FirstLanes(64));
  Expect(AxisRule::kFull);
}

}  // namespace
}  // namespace tessera
