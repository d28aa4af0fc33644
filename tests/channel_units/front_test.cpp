// Start programs against their header.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>

#include "tb/check/plan.h"
#include "tests/channel_units/unit.h"
#include "units/Vfront_top.h"

namespace tessera {
namespace {

constexpr int kPrograms = 2;

class Front : public ::testing::Test {
 protected:
  Front() {
    Vfront_top& m = model();
    m.start_ready_i = m.start_error_i = 0;
    unit_.Reset();
  }
  Vfront_top& model() { return unit_.model(); }

  ClockedUnit<Vfront_top> unit_{1};
  Rng rng_{11};
};

// Again after each reset: each write once, in order, whatever is refused.
TEST_F(Front, StartProgramsWriteEachRegisterOnce) {
  Proves({"program.start"});
  constexpr std::array<uint32_t, kPrograms> kWrites = {5, 1};
  Vfront_top& m = model();
  for (int run = 0; run < 100; ++run) {
    SCOPED_TRACE(fmt::format("run {}", run));
    unit_.Reset(1);
    std::array<uint32_t, kPrograms> done = {};
    std::array<bool, kPrograms> refused = {};
    const double pace = rng_.Chance(0.3) ? 1 : 0.4;
    const int cycles = rng_.Chance(0.2) ? static_cast<int>(rng_.Below(8)) : 60;
    for (int i = 0; i < cycles; ++i) {
      for (int p = 0; p < kPrograms; ++p) {
        SetPinBit(m.start_ready_i, p, rng_.Chance(pace));
        SetPinBit(m.start_error_i, p, rng_.Chance(0.3));
      }
      unit_.Cycle([&] {
        for (int p = 0; p < kPrograms; ++p) {
          uint32_t& at = done[static_cast<size_t>(p)];
          const bool busy = at < kWrites[static_cast<size_t>(p)];
          EXPECT_EQ(PinBit(m.start_busy_o, p), busy);
          EXPECT_EQ(PinBit(m.start_refused_o, p), refused[static_cast<size_t>(p)]);
          if (!busy) continue;
          EXPECT_TRUE(PinBit(m.start_whole_o, p));
          EXPECT_EQ(PinAt<uint32_t>(m.start_address_o, p), 0x1004 + 12 * at);
          EXPECT_EQ(PinAt<uint32_t>(m.start_data_o, p), (at + 1) * 0x9e3779b9U);
          if (!PinBit(m.start_ready_i, p)) continue;
          ++at;
          if (PinBit(m.start_error_i, p)) refused[static_cast<size_t>(p)] = true;
        }
      });
    }
    EXPECT_TRUE(cycles < 60 || done == kWrites);
  }
}

}  // namespace
}  // namespace tessera
