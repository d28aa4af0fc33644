// The AXI monitor: each rule of bursts, data, responses and the end is broken alone and fires
// alone.
#include <gtest/gtest.h>

#include <initializer_list>

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
  port_.ar->size = 2;
  Cycle();
  R();
  Cycle();
  Expect(AxiRule::kSize);
}

TEST_F(AxiMonitorTest, Incr) {
  Aw();
  W();
  port_.aw->burst = 2;
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
  port_.aw.ready = false;
  Aw(0x1000, 1);
  W();
  Cycle();
  Aw(0x1000, 1);
  port_.w.ready = false;
  W();  // of the next burst, whose AWVALID cannot be there yet
  Cycle();
  port_.aw.ready = true;
  Aw(0x1000, 1);
  W();
  Cycle();
  Aw(0x2000, 1);
  port_.w.ready = true;
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
  port_.w->strb.Set(8);
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
  port_.ar.ready = false;
  Ar();
  Cycle();
  EXPECT_FALSE(monitor_.Quiet());
  Expect(AxiRule::kOpenValid);
}

TEST_F(AxiMonitorTest, Id) {
  Ar();
  port_.ar->id = 1;
  Cycle();
  R();
  port_.r->id = 1;
  Cycle();
  Expect(AxiRule::kId);
}

// Several IDs on one port.
class AxiIdsTest : public AxiMonitorTest {
 protected:
  AxiIdsTest() { monitor_ = AxiMonitor(&port_, {8, 40, 16, 2, 3, 3}, &violations_); }
  void Ar(uint16_t id, int beats = 1) {
    AxiMonitorTest::Ar(0x1000, beats);
    port_.ar->id = id;
  }
  void Aw(uint16_t id, int beats = 1) {
    AxiMonitorTest::Aw(0x1000, beats);
    port_.aw->id = id;
  }
  void R(uint16_t id, bool last = true) {
    AxiMonitorTest::R(last);
    port_.r->id = id;
  }
  void B(uint16_t id) {
    AxiMonitorTest::B();
    port_.b->id = id;
  }
};

TEST_F(AxiIdsTest, ResponsesOfSeveralIdsComeInAnyOrderAndMixed) {
  Ar(0, 2);
  Aw(2, 2);
  W(false);
  Cycle();
  Ar(1, 2);
  W(true);
  Cycle();
  Aw(0);
  W(true);
  R(1, false);
  Cycle();
  R(0, false);
  B(0);
  Cycle();
  R(1);
  B(2);
  Cycle();
  R(0);
  Cycle();
  ExpectNone();
  EXPECT_EQ(monitor_.read_beats(), 4U);
}

TEST_F(AxiIdsTest, TheLimitCountsBurstsOfOneId) {
  for (const uint16_t id : std::initializer_list<uint16_t>{0, 1, 2, 0, 1, 2}) {
    Ar(id);
    Cycle();
  }
  EXPECT_EQ(Rules(violations_), "");
  Ar(1);
  Cycle();
  for (const uint16_t id : std::initializer_list<uint16_t>{1, 1, 1, 0, 0, 2, 2}) {
    R(id);
    Cycle();
  }
  Expect(AxiRule::kOutstanding);
}

TEST_F(AxiIdsTest, AResponseOfAnIdThatAskedNothing) {
  Ar(0);
  Cycle();
  R(1);
  Cycle();
  R(0);
  Cycle();
  Expect(AxiRule::kRUnasked);
}

TEST_F(AxiIdsTest, AResponseBeforeTheDataOfItsOwnId) {
  Aw(0);
  W();
  Cycle();
  Aw(1);
  B(1);
  Cycle();
  W();
  B(0);
  Cycle();
  B(1);
  Cycle();
  Expect(AxiRule::kBUnasked);
}

TEST_F(AxiIdsTest, RLastOfTheRightBurst) {
  Ar(0, 2);
  Cycle();
  Ar(1, 1);
  Cycle();
  R(0, true);
  Cycle();
  R(1, true);
  Cycle();
  Expect(AxiRule::kRLast);
}

TEST(ViolationList, KeepsTheFirstAndCountsAll) {
  ViolationList list;
  for (uint64_t i = 0; i < 100; ++i) list.Add("rule", i, "message");
  EXPECT_EQ(list.count(), 100U);
  EXPECT_EQ(list.kept().size(), ViolationList::kMaxKept);
}

}  // namespace
}  // namespace tessera
