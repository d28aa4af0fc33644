// tsr_sync: how late each bit comes.
#include <gtest/gtest.h>

#include <array>

#include "tb/sim/unit.h"
#include "tests/fabric_streams/streams.h"
#include "units/Vsync_top.h"

namespace tessera {
namespace {

struct Shape {
  int width, stages;
};
constexpr std::array<Shape, 3> kShapes = {{{1, 2}, {8, 3}, {5, 4}}};
constexpr int kMost = 8;

// A bit that changes arrives with the last flop or one cycle later, both happen, and it stays; its
// neighbours do not move.
TEST(Sync, EachBitArrivesWithTheLastFlopOrACycleLater) {
  constexpr int kTurns = 40, kLong = 10;
  VerilatedUnit<Vsync_top> unit(1);
  unit.model().data_i = 0;
  for (int n = 0; n < kLong; ++n) {
    unit.Settle();
    unit.Edge();
  }
  for (size_t cell = 0; cell < kShapes.size(); ++cell) {
    for (int bit = 0; bit < kShapes[cell].width; ++bit) {
      const int at = static_cast<int>(cell) * kMost + bit;
      int in_time = 0, late = 0;
      for (int turn = 0; turn < kTurns; ++turn) {
        const bool value = turn % 2 == 0;
        SetPinBit(unit.model().data_i, at, value);
        int cycles = 0;
        for (int n = 0; n < kLong; ++n) {
          unit.Settle();
          const uint32_t wanted = PinBit(unit.model().data_o, at) ? 1U << at : 0U;
          EXPECT_EQ(unit.model().data_o, wanted) << "a neighbour of bit " << bit << " moved";
          if (PinBit(unit.model().data_o, at) != value) {
            EXPECT_EQ(cycles, n) << "bit " << bit << " went back";
            ++cycles;
          }
          unit.Edge();
        }
        in_time += cycles == kShapes[cell].stages ? 1 : 0;
        late += cycles == kShapes[cell].stages + 1 ? 1 : 0;
      }
      EXPECT_EQ(in_time + late, kTurns) << "bit " << bit << " of cell " << cell;
      EXPECT_GT(in_time, 0) << "bit " << bit << " of cell " << cell;
      EXPECT_GT(late, 0) << "bit " << bit << " of cell " << cell;
    }
  }
}

}  // namespace
}  // namespace tessera
