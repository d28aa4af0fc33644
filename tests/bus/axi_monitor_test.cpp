// The AXI monitor: legal traffic is silent, and each rule of the handshake is broken alone.
// What is broken fires once, alone; the fixture checks at the end that no rule lacks a test.
#include <gtest/gtest.h>

#include "tests/bus/axi_monitor_fixture.h"

namespace tessera {
namespace {

TEST_F(AxiMonitorTest, LegalTrafficIsSilent) {
  Cycle(true);
  Cycle(true);
  Cycle();
  port_.ar.ready = port_.aw.ready = port_.w.ready = false;
  for (int i = 0; i < 3; ++i) {  // everything waits, unchanged
    Ar(0xf80, 16);
    Aw(0x0, 2);
    W(false);
    Cycle();
  }
  port_.ar.ready = port_.aw.ready = port_.w.ready = true;
  Ar(0xf80, 16);
  Aw(0x0, 2);
  W(false);
  Cycle();
  W(true);
  R(false);
  port_.r.ready = false;
  Cycle();
  for (int beat = 1; beat <= 16; ++beat) {
    port_.r.ready = true;
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
  port_.aw.ready = false;
  Aw(0x40, 2);
  W(false);
  Cycle();
  Aw(0x40, 2);
  W(true);
  Cycle();
  port_.aw.ready = true;
  Aw(0x40, 2);
  Cycle();
  B();
  Cycle();
  ExpectNone();
}

TEST_F(AxiMonitorTest, ResetForgetsEverything) {
  Ar();
  Cycle();
  port_.aw.ready = false;
  Aw();
  Cycle();
  Cycle(true);
  Cycle(true);
  Cycle();
  ExpectNone();
}

TEST_F(AxiMonitorTest, ArStable) {
  port_.ar.ready = false;
  Ar(0x1000);
  Cycle();
  port_.ar.ready = true;
  Ar(0x1008);
  Cycle();
  R();
  Cycle();
  Expect(AxiRule::kStable);
}

TEST_F(AxiMonitorTest, AwStable) {
  port_.aw.ready = false;
  Aw(0x1000, 1);
  Cycle();
  port_.aw.ready = true;
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
  port_.w.ready = false;
  Aw();
  W();
  Cycle();
  port_.w.ready = true;
  W();
  port_.w->strb = FirstLanes(3);
  Cycle();
  B();
  Cycle();
  Expect(AxiRule::kStable);
}

TEST_F(AxiMonitorTest, WDataStable) {
  port_.w.ready = false;
  Aw();
  W();
  Cycle();
  port_.w.ready = true;
  W();
  port_.w->data[7] ^= 1;
  Cycle();
  B();
  Cycle();
  Expect(AxiRule::kStable);
}

TEST_F(AxiMonitorTest, RStable) {
  Ar();
  Cycle();
  port_.r.ready = false;
  R();
  Cycle();
  port_.r.ready = true;
  R();
  port_.r->data[0] ^= 1;
  Cycle();
  Expect(AxiRule::kStable);
}

TEST_F(AxiMonitorTest, BStable) {
  Aw();
  W();
  Cycle();
  port_.b.ready = false;
  B(0);
  Cycle();
  port_.b.ready = true;
  B(2);
  Cycle();
  Expect(AxiRule::kStable);
}

TEST_F(AxiMonitorTest, ArValidDrop) {
  port_.ar.ready = false;
  Ar();
  Cycle();
  Cycle();
  Expect(AxiRule::kValidDrop);
}

TEST_F(AxiMonitorTest, AwValidDrop) {
  port_.aw.ready = false;
  Aw();
  Cycle();
  Cycle();
  Expect(AxiRule::kValidDrop);
}

TEST_F(AxiMonitorTest, WValidDrop) {
  port_.w.ready = false;
  Aw();
  W();
  Cycle();
  Cycle();
  port_.w.ready = true;
  W();
  Cycle();
  B();
  Cycle();
  Expect(AxiRule::kValidDrop);
}

TEST_F(AxiMonitorTest, RValidDrop) {
  Ar();
  Cycle();
  port_.r.ready = false;
  R();
  Cycle();
  Cycle();
  port_.r.ready = true;
  R();
  Cycle();
  Expect(AxiRule::kValidDrop);
}

TEST_F(AxiMonitorTest, BValidDrop) {
  Aw();
  W();
  Cycle();
  port_.b.ready = false;
  B();
  Cycle();
  Cycle();
  port_.b.ready = true;
  B();
  Cycle();
  Expect(AxiRule::kValidDrop);
}

}  // namespace
}  // namespace tessera
