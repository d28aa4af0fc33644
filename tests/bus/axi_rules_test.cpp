// The AXI monitor: each rule of bursts, data, responses and the end is broken alone and fires
// alone.
#include <gtest/gtest.h>

#include "tests/bus/axi_monitor_fixture.h"

namespace tessera {
namespace {

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
