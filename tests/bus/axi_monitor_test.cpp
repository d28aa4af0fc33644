// Each rule of the AXI monitor is broken once, alone, and fires once, alone.
#include "tb/monitor/axi_monitor.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/bus/pins.h"

namespace tessera {
namespace {

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

TEST_F(AxiMonitorTest, LegalTrafficIsSilent) {
  Cycle(true);
  Cycle(true);
  Cycle();
  in_.arready = in_.awready = in_.wready = false;
  for (int i = 0; i < 3; ++i) {  // everything waits, unchanged
    Ar(0xf80, 16);
    Aw(0x0, 2);
    W(false);
    Cycle();
  }
  in_.arready = in_.awready = in_.wready = true;
  Ar(0xf80, 16);
  Aw(0x0, 2);
  W(false);
  Cycle();
  W(true);
  R(false);
  out_.rready = false;
  Cycle();
  for (int beat = 1; beat <= 16; ++beat) {
    out_.rready = true;
    R(beat == 16, beat == 3 ? 2 : 0);
    if (beat == 2) B(3);
    if (beat == 5) {
      W(true);
      Aw(0x8, 1);
    }
    if (beat == 9) B(0);
    // The first beat was refused once and must come again unchanged.
    Cycle();
  }
  ExpectNone();
  EXPECT_EQ(monitor_.read_beats(), 16U);
  EXPECT_EQ(monitor_.write_beats(), 3U);
  EXPECT_EQ(monitor_.write_bursts(), 2U);
}

TEST_F(AxiMonitorTest, DataMayRunAheadOfAnAddressThatWaits) {
  in_.awready = false;
  Aw(0x40, 2);
  W(false);
  Cycle();
  Aw(0x40, 2);
  W(true);
  Cycle();
  in_.awready = true;
  Aw(0x40, 2);
  Cycle();
  B();
  Cycle();
  ExpectNone();
}

TEST_F(AxiMonitorTest, ResetForgetsEverything) {
  Ar();
  Cycle();
  in_.awready = false;
  Aw();
  Cycle();
  Cycle(true);
  Cycle(true);
  Cycle();
  ExpectNone();
}

TEST_F(AxiMonitorTest, ArStable) {
  in_.arready = false;
  Ar(0x1000);
  Cycle();
  in_.arready = true;
  Ar(0x1008);
  Cycle();
  R();
  Cycle();
  Expect(AxiRule::kStable);
}

TEST_F(AxiMonitorTest, AwStable) {
  in_.awready = false;
  Aw(0x1000, 1);
  Cycle();
  in_.awready = true;
  Aw(0x1000, 2);
  Cycle();
  W(false);
  Cycle();
  W(true);
  Cycle();
  B();
  Cycle();
  Expect(AxiRule::kStable);
}

TEST_F(AxiMonitorTest, WStable) {
  in_.wready = false;
  Aw();
  W();
  Cycle();
  in_.wready = true;
  W();
  out_.wstrb = FirstLanes(3);
  Cycle();
  B();
  Cycle();
  Expect(AxiRule::kStable);
}

TEST_F(AxiMonitorTest, WDataStable) {
  in_.wready = false;
  Aw();
  W();
  Cycle();
  in_.wready = true;
  W();
  out_.wdata[7] ^= 1;
  Cycle();
  B();
  Cycle();
  Expect(AxiRule::kStable);
}

TEST_F(AxiMonitorTest, RStable) {
  Ar();
  Cycle();
  out_.rready = false;
  R();
  Cycle();
  out_.rready = true;
  R();
  in_.rdata[0] ^= 1;
  Cycle();
  Expect(AxiRule::kStable);
}

TEST_F(AxiMonitorTest, BStable) {
  Aw();
  W();
  Cycle();
  out_.bready = false;
  B(0);
  Cycle();
  out_.bready = true;
  B(2);
  Cycle();
  Expect(AxiRule::kStable);
}

TEST_F(AxiMonitorTest, ArValidDrop) {
  in_.arready = false;
  Ar();
  Cycle();
  Cycle();
  Expect(AxiRule::kValidDrop);
}

TEST_F(AxiMonitorTest, AwValidDrop) {
  in_.awready = false;
  Aw();
  Cycle();
  Cycle();
  Expect(AxiRule::kValidDrop);
}

TEST_F(AxiMonitorTest, WValidDrop) {
  in_.wready = false;
  Aw();
  W();
  Cycle();
  Cycle();
  in_.wready = true;
  W();
  Cycle();
  B();
  Cycle();
  Expect(AxiRule::kValidDrop);
}

TEST_F(AxiMonitorTest, RValidDrop) {
  Ar();
  Cycle();
  out_.rready = false;
  R();
  Cycle();
  Cycle();
  out_.rready = true;
  R();
  Cycle();
  Expect(AxiRule::kValidDrop);
}

TEST_F(AxiMonitorTest, BValidDrop) {
  Aw();
  W();
  Cycle();
  out_.bready = false;
  B();
  Cycle();
  Cycle();
  out_.bready = true;
  B();
  Cycle();
  Expect(AxiRule::kValidDrop);
}

TEST_F(AxiMonitorTest, ValidInReset) {
  Ar();
  Cycle(true);  // registers have not seen the reset yet
  Ar();
  Cycle(true);
  Cycle();
  Expect(AxiRule::kResetValid);
}

TEST_F(AxiMonitorTest, ValidRightAfterReset) {
  Cycle(true);
  Ar();
  Cycle();
  R();
  Cycle();
  Expect(AxiRule::kResetValid);
}

TEST_F(AxiMonitorTest, Length) {
  Ar(0x1000, 17);
  Cycle();
  for (int i = 1; i <= 17; ++i) {
    R(i == 17);
    Cycle();
  }
  Expect(AxiRule::kLength);
}

TEST_F(AxiMonitorTest, Size) {
  Ar();
  out_.arsize = 2;
  Cycle();
  R();
  Cycle();
  Expect(AxiRule::kSize);
}

TEST_F(AxiMonitorTest, Incr) {
  Aw();
  W();
  out_.awburst = 2;
  Cycle();
  B();
  Cycle();
  Expect(AxiRule::kIncr);
}

TEST_F(AxiMonitorTest, Align) {
  Ar(0x1004);
  Cycle();
  R();
  Cycle();
  Expect(AxiRule::kAlign);
}

TEST_F(AxiMonitorTest, FourK) {
  Ar(0xff8, 2);
  Cycle();
  R(false);
  Cycle();
  R(true);
  Cycle();
  Expect(AxiRule::k4K);
}

TEST_F(AxiMonitorTest, AddressWidth) {
  Aw(uint64_t{1} << 40);
  W();
  Cycle();
  B();
  Cycle();
  Expect(AxiRule::kAddressWidth);
}

TEST_F(AxiMonitorTest, OutstandingReads) {
  for (int i = 0; i < 3; ++i) {
    Ar();
    Cycle();
  }
  for (int i = 0; i < 3; ++i) {
    R();
    Cycle();
  }
  Expect(AxiRule::kOutstanding);
}

TEST_F(AxiMonitorTest, OutstandingWrites) {
  for (int i = 0; i < 3; ++i) {
    Aw();
    W();
    Cycle();
  }
  for (int i = 0; i < 3; ++i) {
    B();
    Cycle();
  }
  Expect(AxiRule::kOutstanding);
}

TEST_F(AxiMonitorTest, WLastEarly) {
  Aw(0x1000, 2);
  W(true);
  Cycle();
  B();
  Cycle();
  Expect(AxiRule::kWLast);
}

TEST_F(AxiMonitorTest, WLastMissing) {
  Aw(0x1000, 2);
  Cycle();
  W(false);
  Cycle();
  W(false);
  Cycle();
  B();
  Cycle();
  Expect(AxiRule::kWLast);
}

TEST_F(AxiMonitorTest, WBeforeAw) {
  W();
  Cycle();
  Aw();
  Cycle();
  B();
  Cycle();
  Expect(AxiRule::kWBeforeAw);
}

TEST_F(AxiMonitorTest, WBeyondTheWaitingAw) {
  in_.awready = false;
  Aw(0x1000, 1);
  W();
  Cycle();
  Aw(0x1000, 1);
  in_.wready = false;
  W();  // of the next burst, whose AWVALID cannot be there yet
  Cycle();
  in_.awready = true;
  Aw(0x1000, 1);
  W();
  Cycle();
  Aw(0x2000, 1);
  in_.wready = true;
  W();
  Cycle();
  B();
  Cycle();
  B();
  Cycle();
  Expect(AxiRule::kWBeforeAw);
}

TEST_F(AxiMonitorTest, StrobeWidth) {
  Aw();
  W();
  out_.wstrb.Set(8);
  Cycle();
  B();
  Cycle();
  Expect(AxiRule::kStrobeWidth);
}

TEST_F(AxiMonitorTest, RUnasked) {
  Ar();
  R();  // in the cycle of the request is too early
  Cycle();
  R();
  Cycle();
  Expect(AxiRule::kRUnasked);
}

TEST_F(AxiMonitorTest, RLastEarly) {
  Ar(0x1000, 2);
  Cycle();
  R(true);
  Cycle();
  Expect(AxiRule::kRLast);
}

TEST_F(AxiMonitorTest, RLastMissing) {
  Ar();
  Cycle();
  R(false);
  Cycle();
  Expect(AxiRule::kRLast);
}

TEST_F(AxiMonitorTest, BBeforeWLast) {
  Aw(0x1000, 2);
  W(false);
  Cycle();
  B();
  W(true);
  Cycle();
  B();
  Cycle();
  Expect(AxiRule::kBUnasked);
}

TEST_F(AxiMonitorTest, BUnasked) {
  B();
  Cycle();
  Expect(AxiRule::kBUnasked);
}

TEST_F(AxiMonitorTest, ReadResponse) {
  Ar();
  Cycle();
  R(true, 1);
  Cycle();
  Expect(AxiRule::kResponse);
}

TEST_F(AxiMonitorTest, WriteResponse) {
  Aw();
  W();
  Cycle();
  B(1);
  Cycle();
  Expect(AxiRule::kResponse);
}

TEST_F(AxiMonitorTest, OpenRead) {
  Ar(0x1000, 2);
  Cycle();
  R(false);
  Cycle();
  EXPECT_FALSE(monitor_.Quiet());
  Expect(AxiRule::kOpenRead);
}

TEST_F(AxiMonitorTest, OpenWrite) {
  Aw();
  W();
  Cycle();
  EXPECT_FALSE(monitor_.Quiet());
  Expect(AxiRule::kOpenWrite);
}

TEST_F(AxiMonitorTest, OpenValid) {
  in_.arready = false;
  Ar();
  Cycle();
  EXPECT_FALSE(monitor_.Quiet());
  Expect(AxiRule::kOpenValid);
}

TEST(ViolationList, KeepsTheFirstAndCountsAll) {
  ViolationList list;
  for (uint64_t i = 0; i < 100; ++i) list.Add("rule", i, "message");
  EXPECT_EQ(list.count(), 100U);
  EXPECT_EQ(list.kept().size(), ViolationList::kMaxKept);
}

}  // namespace
}  // namespace tessera
