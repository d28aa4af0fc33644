// Order, addresses, bounds, fill and length on the engines, one test for a sentence of the norm.
#include "tests/engine/fixture.h"

namespace tessera {
namespace {

class Order : public EngineTest {
 protected:
  // Both engines do the same transfer, each in its own memory; the stream gives the write its
  // bytes.
  void RunBoth(Transfer t, LastRule rule = LastRule::kTransfer) const {
    t.last_rule = rule;
    Transfer w = t;
    t.base += kReadBase;
    w.base += kWriteBase;
    Run(Reads({t}));
    if (!NeedsStream()) return;
    const uint64_t bytes = model::Positions(w) * static_cast<uint64_t>(w.elem);
    Run(Writes({w}, {{bytes, PieceEnd::kLast}}));
  }
  Transfer Box() const {
    Transfer t;
    t.base = 0x400;
    t.elem = Elem(4);
    t.count = {3, 4, 2, 3};
    t.stride = {t.elem, 40, 0x200, 0x1000};
    return t;
  }
};
TESSERA_EVERY_CONFIG(Order);

TEST_P(Order, DimensionZeroIsTheInnermostAndThreeTheOutermost) {
  Proves({"order.nest", "order.read", "order.write", "field.count", "field.base"});
  RunBoth(Box());
}

TEST_P(Order, EachDimensionAlone) {
  Proves({"field.count", "field.stride"});
  for (size_t d = 0; d < 4; ++d) {
    for (uint32_t count : {1u, 2u, 7u, 33u}) {
      Transfer t;
      t.elem = Elem(2);
      t.count[d] = count;
      t.stride[d] = 7;
      RunBoth(t);
    }
  }
}

TEST_P(Order, EveryElementSizeAtEveryAlignment) {
  Proves({"field.elem"});
  for (int elem = 1; elem <= bus(); elem *= 2) {
    for (int shift = 0; shift < std::min(bus(), 16); ++shift) {
      Transfer t;
      t.elem = elem;
      t.base = static_cast<uint64_t>(shift);
      t.count = {3, 2, 1, 1};
      t.stride = {elem, 5 * elem + 3, 0, 0};
      RunBoth(t);
    }
  }
}

TEST_P(Order, TraversalOfFourLevelsIsOutsideTheDimensions) {
  Proves({"order.nest", "field.walk", "order.coordinate"});
  if (!config().walk) GTEST_SKIP() << "no traversal in this build";
  Transfer t = Box();
  t.count = {2, 2, 1, 1};
  t.walk[0] = WalkLevel{0, 2, 3};
  t.walk[1] = WalkLevel{1, 2, 2};
  t.walk[2] = WalkLevel{2, -1, 2};
  t.walk[3] = WalkLevel{0, 9, 2};
  t.start[2] = 1;
  RunBoth(t);
  t.walk[1].reset();
  RunBoth(t);
}

TEST_P(Order, StartAndOffsetMoveTheFirstPosition) {
  Proves({"field.start", "field.offset", "order.address"});
  Transfer t = Box();
  t.base = 0x4000;
  t.start = {-2, 3, 1, -1};
  t.offset = 0x123;
  RunBoth(t);
}

TEST_P(Order, StrideZeroIsAllowedEverywhere) {
  Proves({"field.stride.zero", "write.later-wins", "map.repeat"});
  for (size_t d = 0; d < 4; ++d) {
    Transfer t = Box();
    t.stride[d] = 0;
    RunBoth(t);
  }
  Transfer t = Box();
  t.stride = {};
  RunBoth(t);
}

TEST_P(Order, StrideIsSigned) {
  Proves({"field.stride"});
  for (size_t d = 0; d < 4; ++d) {
    Transfer t = Box();
    t.base = 0x4000;
    t.stride[d] = -t.stride[d];
    RunBoth(t);
  }
  Transfer t = Box();
  t.base = 0x4000;
  t.elem = 1;
  t.count = {100, 1, 1, 1};
  t.stride = {-1, 0, 0, 0};
  RunBoth(t);
}

TEST_P(Order, TransposesAndInterleaves) {
  Proves({"field.stride", "order.read", "order.write"});
  Transfer t;
  t.elem = Elem(4);
  t.count = {8, 8, 1, 1};
  t.stride = {8 * t.elem, t.elem, 0, 0};
  RunBoth(t);
  t.count = {16, 4, 1, 1};
  t.stride = {4 * t.elem, t.elem, 0, 0};
  RunBoth(t);
}

TEST_P(Order, AddressesWrapAtTheEndOfTheAddressSpace) {
  Proves({"order.address"});
  const uint64_t mask = build().AddressMask();
  Transfer read = Copy(mask - 20, 50), write = Copy(mask - 20, 50);
  Run(Reads({read}));
  read.stride[0] = 7;
  Run(Reads({read}));
  read = Copy(20, 50);
  read.stride[0] = -1;
  Run(Reads({read}));
  if (!NeedsStream()) return;
  Run(Writes({write}, {{50, PieceEnd::kLast}}));
  write.stride[0] = 7;
  Run(Writes({write}, {{50, PieceEnd::kLast}}));
  write.base = 20;
  write.stride[0] = -1;
  Run(Writes({write}, {{50, PieceEnd::kLast}}));
}

TEST_P(Order, OutsideTheBoundsIsFillOnTheWayOutAndDroppedOnTheWayIn) {
  Proves({"order.valid", "field.bound", "order.read", "order.write"});
  if (!config().bounds) GTEST_SKIP() << "no bounds in this build";
  for (size_t d = 0; d < 4; ++d) {
    for (int32_t start : {-4, -1, 0, 1, 5}) {
      for (uint32_t bound : {0u, 1u, 2u, 100u}) {
        Transfer t = Box();
        t.base = 0x8000;
        t.start[d] = start;
        t.bound[d] = bound;
        t.fill = 0x5A;
        RunBoth(t);
      }
    }
  }
}

TEST_P(Order, EveryStartAgainstEveryBoundWhereRowsTouch) {
  Proves({"order.valid", "field.bound"});
  if (!config().bounds) GTEST_SKIP() << "no bounds in this build";
  for (size_t d = 0; d < 4; ++d) {
    std::vector<Transfer> reads, writes;
    uint64_t bytes = 0;
    for (int32_t start = -10; start <= 4; ++start) {
      for (uint32_t bound = 0; bound <= 12; ++bound) {
        Transfer t;
        t.base = kReadBase + 0x100;
        t.count = {2, 2, 2, 2};
        t.count[d] = 9;
        t.stride[0] = 1;
        for (size_t n = 1; n < 4; ++n) t.stride[n] = t.stride[n - 1] * t.count[n - 1];
        t.start[d] = start;
        t.bound[d] = bound;
        t.fill = 0xC3;
        bytes += model::Positions(t);
        reads.push_back(t);
        t.base = kWriteBase + 0x100 + 0x400 * writes.size();
        writes.push_back(t);
      }
    }
    Run(Reads(reads));
    if (NeedsStream()) Run(Writes(writes, {{bytes, PieceEnd::kLast}}));
  }
}

TEST_P(Order, ManyRowsOfWhichTheLastAreOutside) {
  Proves({"order.valid", "field.bound", "burst.merge"});
  if (!config().bounds) GTEST_SKIP() << "no bounds in this build";
  for (uint32_t rows : {16u, 17u, 18u, 22u, 33u, 70u}) {
    for (uint32_t bound : {rows - 1, rows - 5}) {
      Transfer t;
      t.elem = Elem(4);
      t.count = {1, rows, 1, 1};
      t.stride = {0, t.elem, 0, 0};
      t.bound[1] = bound;
      t.fill = 0x5A;
      RunBoth(t);
      t.count = {12, rows, 1, 1};
      t.stride = {t.elem, 12 * t.elem, 0, 0};
      RunBoth(t);
    }
  }
}

TEST_P(Order, PaddedTile) {
  Proves({"map.aie-memory-tile", "field.bound", "field.fill"});
  if (!config().bounds) GTEST_SKIP() << "no bounds in this build";
  Transfer t;
  t.elem = Elem(4);
  t.base = 0x100;
  t.count = {16, 64, 1, 1};
  t.stride = {t.elem, 14 * t.elem, 0, 0};
  t.start = {-1, -1, 0, 0};
  t.bound[0] = 14;
  t.bound[1] = 61;
  t.length = 1024;
  RunBoth(t);
}

TEST_P(Order, EdgeTilesOfATraversal) {
  Proves({"order.valid", "order.coordinate", "map.adf-tiling"});
  if (!config().bounds || !config().walk) GTEST_SKIP() << "no bounds or no traversal in this build";
  Transfer t;  // 13 x 9 elements in tiles of 5 x 4, the first one sticking out by one
  t.base = 0x100;
  t.elem = Elem(2);
  t.count = {5, 4, 1, 1};
  t.stride = {t.elem, 13 * t.elem, 0, 0};
  t.start = {-1, -1, 0, 0};
  t.bound[0] = 13;
  t.bound[1] = 9;
  t.walk[0] = WalkLevel{0, 5, 3};
  t.walk[1] = WalkLevel{1, 4, 3};
  t.fill = 0x77;
  RunBoth(t);
}

TEST_P(Order, FillIsAnElementLittleEndian) {
  Proves({"fill.little-endian", "field.fill"});
  if (!config().bounds) GTEST_SKIP() << "no bounds in this build";
  for (int elem = 1; elem <= bus(); elem *= 2) {
    Transfer t;
    t.elem = elem;
    t.base = 0x103;
    t.count = {5, 2, 1, 1};
    t.stride = {elem, 8 * elem, 0, 0};
    t.start[0] = -2;
    t.bound[0] = 2;
    t.fill =
        elem >= 8 ? 0x8877665544332211 : 0x8877665544332211 & ((uint64_t{1} << (8 * elem)) - 1);
    RunBoth(t);
  }
}

TEST_P(Order, FillIsThatOfTheTransferAtHand) {
  Proves({"field.fill"});
  if (!config().bounds) GTEST_SKIP() << "no bounds in this build";
  std::vector<Transfer> transfers;
  for (auto [fill, bounded] : {std::pair{0x11, true},
                               {0x22, false},
                               {0x22, true},
                               {0x22, true},
                               {0x33, false},
                               {0x22, true},
                               {0x11, true}}) {
    Transfer t;
    t.base = 0x100;
    t.count[0] = 5;
    if (bounded) t.start[0] = -2;
    if (bounded) t.bound[0] = 2;
    t.fill = static_cast<uint64_t>(fill);
    transfers.push_back(t);
  }
  Run(Reads(transfers));
}

TEST_P(Order, LengthCutsAnywhere) {
  Proves({"order.stop", "field.length"});
  for (uint32_t length = 1; length <= 13; ++length) {
    Transfer t = Box();
    t.length = length;
    RunBoth(t);
  }
}

TEST_P(Order, LengthLetsTheLastDimensionStepOn) {
  Proves({"length.steps-on"});
  for (uint32_t length : {72u, 73u, 75u, 100u}) {
    Transfer t = Box();
    t.length = length;
    RunBoth(t);
    if (!config().bounds) continue;
    t.bound[3] = 3;
    RunBoth(t);
  }
}

TEST_P(Order, LengthWithTraversalOnlyCuts) {
  Proves({"length.cuts-with-traversal"});
  if (!config().walk) GTEST_SKIP() << "no traversal in this build";
  for (uint32_t length : {1u, 5u, 12u, 13u, 24u, 25u, 1000u}) {
    Transfer t = Box();
    t.count = {3, 4, 1, 1};
    t.walk[2] = WalkLevel{3, 1, 2};
    t.length = length;
    RunBoth(t);
  }
}

TEST_P(Order, LaterElementWins) {
  Proves({"write.later-wins"});
  if (!NeedsStream()) GTEST_SKIP() << "its stream is inside";
  for (int64_t stride : {0, 1, 2, 3, -1, -3}) {
    for (int shift = 0; shift < bus(); shift += std::max(1, bus() / 8)) {
      Transfer t;
      t.elem = Elem(4);
      t.base = kWriteBase + 0x100 + static_cast<uint64_t>(shift);
      t.count = {40, 3, 1, 1};
      t.stride = {stride, 5, 0, 0};
      Run(Writes({t}, {{120 * static_cast<uint64_t>(t.elem), PieceEnd::kLast}}));
    }
  }
}

TEST_P(Order, OverlapAcrossTransfers) {
  Proves({"write.later-wins"});
  if (!NeedsStream()) GTEST_SKIP() << "its stream is inside";
  Case value = Writes({Copy(kWriteBase, 100), Copy(kWriteBase + 3, 50), Copy(kWriteBase, 7)},
                      {{157, PieceEnd::kLast}});
  value.memory = AxiMemoryOptions::Latency(20);
  Run(value);
}

}  // namespace
}  // namespace tessera
