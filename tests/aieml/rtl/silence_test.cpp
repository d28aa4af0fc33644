// A stream that is silent for 64 cycles is a fault; one that software has paused is not.
#include <gtest/gtest.h>

#include "tb/sim/unit.h"
#include "units/Vsilence_top.h"

namespace tessera {
namespace {

constexpr int kSilence = 64;

class Silence : public ::testing::Test {
 protected:
  Silence() {
    pins_.rst_ni = pins_.resets_i = pins_.pause_i = pins_.pause_memory_i = 0;
    pins_.in_valid_i = pins_.takes_i = pins_.engine_valid_i = pins_.out_ready_i = 0;
    Faults(2);
    pins_.rst_ni = 1;
  }
  // Cycles of so many in which a stream is told to be at fault.
  int Faults(int cycles) {
    int faults = 0;
    for (int n = 0; n < cycles; ++n) {
      unit_.Settle();
      faults += pins_.in_fault_o + pins_.out_fault_o;
      unit_.Edge();
    }
    return faults;
  }

  VerilatedUnit<Vsilence_top> unit_{1};
  Vsilence_top& pins_ = unit_.model();
};

TEST_F(Silence, OfWhatComesInIsAFaultUnlessItIsPaused) {
  pins_.takes_i = 1;
  for (const bool memory : {false, true}) {
    SCOPED_TRACE(memory);
    EXPECT_EQ(Faults(kSilence / 2), 0);
    (memory ? pins_.pause_memory_i : pins_.pause_i) = 1;
    EXPECT_EQ(Faults(4 * kSilence), 0);
    pins_.pause_i = pins_.pause_memory_i = 0;
    EXPECT_EQ(Faults(kSilence - 1), 0) << "counted before the pause";
    EXPECT_GT(Faults(8), 0);
    pins_.in_valid_i = 1;
    Faults(4);
    pins_.in_valid_i = 0;
    Faults(1);
  }
}

TEST_F(Silence, OfWhatGoesOutIsAFaultUnlessItIsPaused) {
  pins_.engine_valid_i = 1;
  pins_.out_ready_i = 1;
  pins_.pause_i = 1;
  EXPECT_EQ(Faults(4 * kSilence), 0);
  EXPECT_EQ(pins_.out_valid_o, 0);
  pins_.pause_i = 0;
  EXPECT_EQ(Faults(4 * kSilence), 0);
  EXPECT_EQ(pins_.out_valid_o, 1);
  pins_.out_ready_i = 0;
  EXPECT_GT(Faults(kSilence + 8), 0);
}

// A reset sends what waits, paused or not.
TEST_F(Silence, OfWhatGoesOutIsAFaultInAReset) {
  pins_.engine_valid_i = 1;
  pins_.pause_i = 1;
  EXPECT_EQ(Faults(4 * kSilence), 0);
  pins_.resets_i = 1;
  EXPECT_GT(Faults(kSilence + 8), 0);
}

}  // namespace
}  // namespace tessera
