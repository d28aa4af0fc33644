// Order and addresses of the norm, against tables worked out by hand.
#include "tests/model/support.h"

namespace tessera::model {
namespace {

using Hex = std::vector<uint64_t>;

TEST(Walk, InnermostDimensionTurnsFastest) {
  Proves({"order.nest", "field.count", "field.stride", "field.base"});
  Transfer t;
  t.base = 0x1000;
  t.count = {2, 2, 2, 2};
  t.stride = {1, 0x10, 0x100, 0x1000};
  EXPECT_EQ(Addresses(t), (Hex{0x1000, 0x1001, 0x1010, 0x1011, 0x1100, 0x1101, 0x1110, 0x1111,
                               0x2000, 0x2001, 0x2010, 0x2011, 0x2100, 0x2101, 0x2110, 0x2111}));
}

TEST(Walk, TraversalIsOutsideTheDimensionsAndItsLevelZeroTurnsFastest) {
  Proves({"order.nest", "field.walk"});
  Transfer t;
  t.count[0] = 2;
  t.stride = {1, 100, 0, 0};
  t.walk[0] = WalkLevel{0, 4, 2};
  t.walk[2] = WalkLevel{1, 1, 2};  // level 1 is absent and counts 1
  EXPECT_EQ(Addresses(t), (Hex{0, 1, 4, 5, 100, 101, 104, 105}));
}

TEST(Walk, TurnsOfSeveralLevelsOnOneDimensionAddUp) {
  Proves({"order.coordinate"});
  Transfer t;
  t.stride[0] = 2;
  t.walk[0] = WalkLevel{0, 1, 3};
  t.walk[1] = WalkLevel{0, 10, 2};
  t.walk[3] = WalkLevel{0, -100, 2};
  EXPECT_EQ(Addresses(t), (Hex{0, 2, 4, 20, 22, 24, uint64_t(-200), uint64_t(-198), uint64_t(-196),
                               uint64_t(-180), uint64_t(-178), uint64_t(-176)}));
}

TEST(Walk, StartIsTheCoordinateOfTheFirstPosition) {
  Proves({"field.start", "order.address"});
  Transfer t;
  t.base = 0x1000;
  t.count = {2, 2, 1, 1};
  t.stride = {4, 64, 1000, 7};
  t.start = {3, -2, 1, -1};
  // 0x1000 + 3*4 - 2*64 + 1000 - 7 = 4096 + 12 - 128 + 1000 - 7 = 4973
  EXPECT_EQ(Addresses(t), (Hex{4973, 4977, 5037, 5041}));
}

TEST(Walk, OffsetIsAddedToBase) {
  Proves({"field.offset", "order.address"});
  Transfer t = Copy(0x1000, 2);
  t.offset = 0x234;
  EXPECT_EQ(Addresses(t), (Hex{0x1234, 0x1235}));
}

TEST(Walk, StrideMayBeZeroEverywhere) {
  Proves({"field.stride.zero"});
  for (size_t d = 0; d < kDims; ++d) {
    Transfer t;
    t.base = 0x40;
    t.count[d] = 3;
    EXPECT_EQ(Addresses(t), (Hex{0x40, 0x40, 0x40})) << "dimension " << d;
  }
}

TEST(Walk, StrideIsSigned) {
  Proves({"field.stride"});
  Transfer t;
  t.base = 0x100;
  t.count = {3, 2, 1, 1};
  t.stride = {-2, -0x20, 0, 0};
  EXPECT_EQ(Addresses(t), (Hex{0x100, 0xFE, 0xFC, 0xE0, 0xDE, 0xDC}));
}

TEST(Walk, AddressIsModuloTheAddressWidth) {
  Proves({"order.address"});
  Build narrow;
  narrow.addr_width = 32;
  Transfer t = Copy(0xFFFFFFFE, 4);
  EXPECT_EQ(Addresses(t, narrow), (Hex{0xFFFFFFFE, 0xFFFFFFFF, 0, 1}));
  t.base = 1;
  t.stride[0] = -1;
  EXPECT_EQ(Addresses(t, narrow), (Hex{1, 0, 0xFFFFFFFF, 0xFFFFFFFE}));
  t.base = ~uint64_t{0};
  t.stride[0] = 1;
  EXPECT_EQ(Addresses(t), (Hex{~uint64_t{0}, 0, 1, 2}));
}

TEST(Walk, ValidIsInsideEveryBound) {
  Proves({"order.valid", "field.bound"});
  Transfer t;
  t.count = {4, 3, 1, 1};
  t.stride = {1, 10, 0, 0};
  t.start = {-1, -1, 0, 0};
  t.bound[0] = 2;
  t.bound[1] = 1;
  // rows -1, 0, 1; columns -1, 0, 1, 2: only row 0, columns 0 and 1 are inside
  EXPECT_EQ(Validity(t),
            "ffff"
            "fvvf"
            "ffff");
}

TEST(Walk, UnboundedDimensionIsValidAtAnyCoordinate) {
  Proves({"field.bound"});
  Transfer t;
  t.count = {3, 1, 1, 1};
  t.start = {-1, 5, 0, 0};
  EXPECT_EQ(Validity(t), "vvv");
  t.bound[1] = 5;
  EXPECT_EQ(Validity(t), "fff");
  t.bound[1] = 6;
  EXPECT_EQ(Validity(t), "vvv");
}

TEST(Walk, BoundZeroMakesEverythingFill) {
  Proves({"field.bound"});
  Transfer t;
  t.count[0] = 3;
  t.bound[0] = 0;
  EXPECT_EQ(Validity(t), "fff");
}

TEST(Walk, TraversalMovesTheCoordinatesThatBoundsSee) {
  Proves({"order.coordinate", "order.valid"});
  // A tensor of 5 in tiles of 2: the third tile sticks out by one.
  Transfer t;
  t.count[0] = 2;
  t.stride[0] = 1;
  t.bound[0] = 5;
  t.walk[0] = WalkLevel{0, 2, 3};
  EXPECT_EQ(Addresses(t), (Hex{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(Validity(t), "vvvvvf");
}

TEST(Walk, EdgeTilesInTwoDimensions) {
  Proves({"order.valid", "field.walk"});
  // 3 x 3 bytes at a pitch of 3 in tiles of 2 x 2, tiles row by row.
  Transfer t;
  t.count = {2, 2, 1, 1};
  t.stride = {1, 3, 0, 0};
  t.bound[0] = 3;
  t.bound[1] = 3;
  t.walk[0] = WalkLevel{0, 2, 2};
  t.walk[1] = WalkLevel{1, 2, 2};
  EXPECT_EQ(Addresses(t), (Hex{0, 1, 3, 4, 2, 3, 5, 6, 6, 7, 9, 10, 8, 9, 11, 12}));
  EXPECT_EQ(Validity(t),
            "vvvv"
            "vfvf"
            "vvff"
            "vfff");
}

TEST(Walk, LengthStopsInTheMiddleOfARow) {
  Proves({"order.stop", "field.length"});
  Transfer t;
  t.count = {3, 2, 1, 1};
  t.stride = {1, 16, 0, 0};
  t.length = 4;
  EXPECT_EQ(Addresses(t), (Hex{0, 1, 2, 16}));
}

TEST(Walk, WithoutTraversalLengthLetsTheLastDimensionStepOn) {
  Proves({"length.steps-on", "field.length"});
  Transfer t;
  t.count = {2, 1, 1, 2};
  t.stride = {1, 0, 0, 0x10};
  t.length = 7;
  EXPECT_EQ(Addresses(t), (Hex{0, 1, 0x10, 0x11, 0x20, 0x21, 0x30}));
  EXPECT_EQ(Positions(t), 7u);
}

TEST(Walk, SteppingOnLeavesTheBoundOfTheLastDimension) {
  Proves({"length.steps-on", "order.valid"});
  Transfer t;
  t.count = {2, 1, 1, 1};
  t.stride = {1, 0, 0, 0x10};
  t.bound[3] = 2;
  t.length = 6;
  EXPECT_EQ(Validity(t), "vvvvff");
}

TEST(Walk, LengthWithTraversalOnlyCuts) {
  Proves({"length.cuts-with-traversal"});
  Transfer t;
  t.count[0] = 2;
  t.stride[0] = 1;
  t.walk[0] = WalkLevel{0, 8, 2};
  t.length = 9;
  EXPECT_EQ(Addresses(t), (Hex{0, 1, 8, 9}));
  EXPECT_EQ(Positions(t), 4u);
  t.length = 3;
  EXPECT_EQ(Addresses(t), (Hex{0, 1, 8}));
  EXPECT_EQ(Positions(t), 3u);
}

TEST(Walk, TraversalOfOneTurnStillOnlyCuts) {
  Proves({"length.cuts-with-traversal"});
  Transfer t;
  t.count[0] = 2;
  t.stride[0] = 1;
  t.walk[3] = WalkLevel{0, 0, 1};
  t.length = 5;
  EXPECT_EQ(Addresses(t), (Hex{0, 1}));
}

TEST(Walk, AbsentLengthIsTheProductOfAllCounts) {
  Proves({"field.length"});
  Transfer t;
  t.count = {2, 3, 4, 5};
  t.walk[1] = WalkLevel{0, 0, 6};
  t.walk[3] = WalkLevel{0, 0, 7};
  EXPECT_EQ(Positions(t), 2u * 3 * 4 * 5 * 6 * 7);
  EXPECT_EQ(Addresses(t).size(), Positions(t));
}

TEST(Walk, ACountOfZeroAnywhereIsEmpty) {
  Proves({"empty.count-zero"});
  for (size_t d = 0; d < kDims; ++d) {
    Transfer t = Copy(0, 4);
    t.count[d] = 0;
    t.length = 9;
    EXPECT_TRUE(IsEmpty(t));
    EXPECT_TRUE(Addresses(t).empty()) << "dimension " << d;
    EXPECT_EQ(Positions(t), 0u);
  }
  for (size_t k = 0; k < kWalkLevels; ++k) {
    Transfer t = Copy(0, 4);
    t.walk[k] = WalkLevel{0, 1, 0};
    EXPECT_TRUE(Addresses(t).empty()) << "walk level " << k;
  }
  Transfer t = Copy(0, 4);
  t.length = 0;
  EXPECT_TRUE(Addresses(t).empty());
}

TEST(Walk, TurnsTellWhichLevelsEnd) {
  Proves({"tlast.level"});
  Transfer t;
  t.count = {2, 2, 1, 1};
  t.walk[0] = WalkLevel{0, 2, 2};
  std::vector<size_t> turns;
  Walk(t, {}, [&](const Position& p) {
    turns.push_back(p.turns);
    return true;
  });
  // Dimensions 2 and 3 and walk levels 1 to 3 count 1: they end with what is inside them.
  EXPECT_EQ(turns, (std::vector<size_t>{0, 1, 0, 4, 0, 1, 0, 8}));
}

// Every position as "address valid turns"; a run is taken apart, its `turns` belong to its last.
Lines OneByOne(const Transfer& t, const Build& build, bool at_once, size_t* runs) {
  Lines lines;
  WalkRuns(t, build, at_once, [&](const Position& p, uint64_t run) {
    ++*runs;
    for (uint64_t n = 0; n < run; ++n) {
      const uint64_t addr = (p.addr + n * static_cast<uint64_t>(t.stride[0])) & build.AddressMask();
      const size_t turns = n + 1 == run ? p.turns : 0;
      lines.push_back(std::to_string(p.index + n) + " " + std::to_string(addr) + " " +
                      std::to_string(p.valid) + " " + std::to_string(turns));
    }
    return true;
  });
  return lines;
}

TEST(Walk, RunsAreThePositionsOneByOne) {
  Proves({"order.nest"});
  Build narrow;
  narrow.addr_width = 32;
  size_t runs = 0, positions = 0;
  for (const int elem : {1, 4}) {
    for (const int64_t stride : {0, 1, 4, -4}) {
      for (const int32_t start : {0, -2, 3}) {
        for (const uint32_t bound : {0u, 1u, 5u, 100u}) {
          for (const uint32_t length : {0u, 7u, 40u}) {
            Transfer t;
            t.elem = elem;
            t.base = 0xFFFFFFF3;  // rows go past the last address
            t.count = {6, 3, 1, 2};
            t.stride = {stride, 0x40, 0, 0x1000};
            t.start[0] = start;
            if (bound != 0) t.bound[0] = bound;
            if (length != 0) t.length = length;
            t.bound[1] = 2;
            EXPECT_EQ(OneByOne(t, narrow, true, &runs), OneByOne(t, narrow, false, &positions))
                << ToString(t);
          }
        }
      }
    }
  }
  EXPECT_LT(2 * runs, positions + runs) << "nothing was taken at once";
}

TEST(Walk, ManyTurnsSaturateTheProduct) {
  Proves({"field.count"});
  Transfer t;
  t.count = {~0u, ~0u, ~0u, ~0u};
  EXPECT_EQ(Positions(t), ~uint64_t{0});
  t.length = 5;
  EXPECT_EQ(Addresses(t).size(), 5u);
}

}  // namespace
}  // namespace tessera::model
