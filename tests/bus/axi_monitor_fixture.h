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
    port_.ar.ready = port_.aw.ready = port_.w.ready = true;
    port_.r.ready = port_.b.ready = true;
  }
  // Shows the pins to the monitor for one cycle; valids fall afterwards, payloads stay.
  void Cycle(bool reset = false) {
    monitor_.Sample({cycle_++, reset});
    port_.ar.valid = port_.aw.valid = port_.w.valid = false;
    port_.r.valid = port_.b.valid = false;
  }
  void Ar(uint64_t addr = 0x1000, int beats = 1) { PutAddress(&port_.ar, addr, beats, 8); }
  void Aw(uint64_t addr = 0x1000, int beats = 1) { PutAddress(&port_.aw, addr, beats, 8); }
  void W(bool last = true) { PutW(&port_.w, 0x11, 8, last); }
  void R(bool last = true, uint8_t resp = 0) {
    port_.r.valid = true;
    port_.r->last = last;
    port_.r->resp = resp;
    port_.r->data.fill(0x22);
  }
  void B(uint8_t resp = 0) {
    port_.b.valid = true;
    port_.b->resp = resp;
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
  AxiPort port_;
  AxiMonitor monitor_{&port_, {8, 40, 16, 2, 1, 1}, &violations_};
  uint64_t cycle_ = 0;
};

}  // namespace tessera
