// The registers of a build show every bit of what they are given.
#include <gtest/gtest.h>

#include "tb/mover4d/mover_bench.h"
#include "tb/sim/unit.h"
#include "units/Vbuild_regs_top.h"

namespace tessera {
namespace {

class BuildRegisters : public ::testing::Test {
 protected:
  BuildRegisters() { model().cycles_i = model().errors_i = 0; }
  Vbuild_regs_top& model() { return unit_.model(); }
  uint32_t Get(uint32_t address) {
    model().word_i = static_cast<uint8_t>((address - mover::kId) / 4);
    unit_.Evaluate();
    return model().data_o;
  }

 private:
  VerilatedUnit<Vbuild_regs_top> unit_{1};
};

TEST_F(BuildRegisters, CyclesHave48Bits) {
  for (int bit = 0; bit < 48; ++bit) {
    const uint64_t cycles = uint64_t{1} << bit;
    model().cycles_i = cycles;
    EXPECT_EQ(Get(mover::kCycles), static_cast<uint32_t>(cycles)) << "bit " << bit;
    EXPECT_EQ(Get(mover::kCycles + 4), static_cast<uint32_t>(cycles >> 32)) << "bit " << bit;
  }
}

TEST_F(BuildRegisters, ErrorsHaveABitAChannel) {
  for (int bit = 0; bit < 32; ++bit) {
    model().errors_i = uint32_t{1} << bit;
    EXPECT_EQ(Get(mover::kErrors), uint32_t{1} << bit);
    EXPECT_EQ(Get(mover::kCycles), 0U);
  }
}

}  // namespace
}  // namespace tessera
