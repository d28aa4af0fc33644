// Each rule of the engine monitor is broken once, alone, and fires once, alone.
#include "tb/monitor/engine_monitor.h"

#include <gtest/gtest.h>

#include "tests/bus/pins.h"

namespace tessera {
namespace {

class EngineMonitorTest : public ::testing::Test {
 protected:
  void Cycle(bool transfer, bool done, bool ready = true, bool idle = false, bool busy = false,
             bool reset = false) {
    port_.transfer.valid = port_.transfer.ready = transfer;
    port_.done.valid = done;
    port_.done.ready = ready;
    port_.done.payload = done_;
    port_.idle = idle;
    monitor_.Sample({cycle_++, reset}, busy);
  }
  void Reset() { Cycle(false, false, true, false, false, true); }
  void Expect(EngineRule rule) {
    monitor_.AtEnd(cycle_);
    EXPECT_EQ(Rules(violations_), RuleName(rule));
  }

  ViolationList violations_;
  rtl::Done done_;
  EnginePort port_;
  EngineMonitor monitor_{&port_, Direction::kRead, &violations_};
  uint64_t cycle_ = 0;
};

TEST_F(EngineMonitorTest, LegalTrafficIsSilent) {
  Reset();
  Reset();
  Cycle(false, false, true, true);
  Cycle(true, false);
  Cycle(true, false, true, false, true);
  EXPECT_EQ(monitor_.open(), 2U);
  Cycle(false, true, false);
  Cycle(true, true, true);
  Cycle(false, true, true);
  Cycle(false, true, true);
  Cycle(false, false, true, true);
  monitor_.AtEnd(cycle_);
  EXPECT_EQ(Rules(violations_), "");
}

TEST_F(EngineMonitorTest, Stable) {
  Cycle(true, false);
  Cycle(false, true, false);
  done_.bytes = 9;
  Cycle(false, true);
  Expect(EngineRule::kStable);
}

TEST_F(EngineMonitorTest, ValidDrop) {
  Cycle(true, false);
  Cycle(false, true, false);
  Cycle(false, false);
  Cycle(false, true);
  Expect(EngineRule::kValidDrop);
}

TEST_F(EngineMonitorTest, ValidInReset) {
  Cycle(false, true, true, false, false, true);  // registers have not seen the reset yet
  Cycle(false, true, true, false, false, true);
  Expect(EngineRule::kResetValid);
}

TEST_F(EngineMonitorTest, ValidRightAfterReset) {
  Reset();
  Cycle(false, true);
  Expect(EngineRule::kResetValid);
}

TEST_F(EngineMonitorTest, Unasked) {
  Cycle(true, true);  // in the cycle of acceptance is too early
  Cycle(false, true);
  Expect(EngineRule::kUnasked);
}

TEST_F(EngineMonitorTest, IdleBusy) {
  Cycle(false, false, true, true, true);
  Expect(EngineRule::kIdleBusy);
}

TEST_F(EngineMonitorTest, Open) {
  Cycle(true, false);
  Expect(EngineRule::kOpen);
}

}  // namespace
}  // namespace tessera
