// A monitor and the pins it watches, one cycle at a time, for the tests of the AXI rules.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <set>

#include "tb/monitor/axi_monitor.h"
#include "tests/bus/pins.h"

namespace tessera {

class AxiMonitorTest : public ::testing::Test {
 protected:
  AxiMonitorTest() {
    in_.aresetn = true;
    in_.arready = in_.awready = in_.wready = true;
    out_.rready = out_.bready = true;
  }
  // Shows the pins to the monitor for one cycle; valids fall afterwards, payloads stay.
  void Cycle(bool reset = false) {
    monitor_.Sample({cycle_++, reset}, in_, out_);
    out_.arvalid = out_.awvalid = out_.wvalid = false;
    in_.rvalid = in_.bvalid = false;
  }
  void Ar(uint64_t addr = 0x1000, int beats = 1) { PutAr(&out_, addr, beats, 8); }
  void Aw(uint64_t addr = 0x1000, int beats = 1) { PutAw(&out_, addr, beats, 8); }
  void W(bool last = true) { PutW(&out_, 0x11, 8, last); }
  void R(bool last = true, uint8_t resp = 0) {
    in_.rvalid = true;
    in_.rlast = last;
    in_.rresp = resp;
    in_.rdata.fill(0x22);
  }
  void B(uint8_t resp = 0) {
    in_.bvalid = true;
    in_.bresp = resp;
  }
  void Finish() { monitor_.AtEnd(cycle_); }
  // Exactly this rule, once; its message names the cycle.
  void Expect(AxiRule rule) {
    Finish();
    EXPECT_EQ(Rules(violations_), RuleName(rule));
    if (violations_.count() > 0) {
      EXPECT_NE(violations_.kept()[0].message.find("in cycle"), std::string::npos);
      seen().insert(rule);
    }
  }
  void ExpectNone() {
    Finish();
    EXPECT_EQ(Rules(violations_), "");
    EXPECT_TRUE(monitor_.Quiet());
  }
  static std::set<AxiRule>& seen() {
    static std::set<AxiRule> rules;
    return rules;
  }
  static void TearDownTestSuite() {
    if (::testing::UnitTest::GetInstance()->test_to_run_count() < 60) return;  // filtered
    EXPECT_EQ(seen().size(), static_cast<size_t>(kAxiRules)) << "a rule has no negative test";
  }

  ViolationList violations_;
  AxiMonitor monitor_{{8, 40, 16, 2}, &violations_};
  DutInputs in_;
  DutOutputs out_;
  uint64_t cycle_ = 0;
};

}  // namespace tessera
