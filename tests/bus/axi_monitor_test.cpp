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

}  // namespace
}  // namespace tessera
