// The limits of transfers counted by hand.
#include "bench/limit.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "bench/row.h"

namespace tessera::bench {
namespace {

using model::Transfer;

Transfer Copy(uint64_t base, uint32_t bytes) {
  Transfer t;
  t.base = base;
  t.count[0] = bytes;
  t.stride[0] = 1;
  return t;
}

RunWork Reads(uint64_t payload, BusWork read, uint64_t stream_beats) {
  return {payload, read, {}, stream_beats};
}

BusWork At64(const Transfer& t) { return CountBus(t, 8, 64); }

TEST(CountBus, WordsOfPlainCopies) {
  EXPECT_EQ(At64(Copy(0x1000, 8)), (BusWork{1, 1}));
  EXPECT_EQ(At64(Copy(0x1001, 8)), (BusWork{2, 1}));
  EXPECT_EQ(At64(Copy(0x1007, 1)), (BusWork{1, 1}));
  EXPECT_EQ(At64(Copy(0x1000, 4096)), (BusWork{512, 8}));  // bursts of 64 words
  EXPECT_EQ(CountBus(Copy(0x1000, 4096), 64, 64), (BusWork{64, 1}));
  EXPECT_EQ(At64(Copy(0x1000, 0)), (BusWork{0, 0}));
}

TEST(CountBus, BurstsEndAtPages) {
  EXPECT_EQ(At64(Copy(0x1ff8, 16)), (BusWork{2, 2}));
  EXPECT_EQ(At64(Copy(0x1001, 4096)), (BusWork{513, 9}));
}

TEST(CountBus, RowsThatTouchAreOneBurst) {
  Transfer box;
  box.base = 0x1000;
  box.count = {8, 512, 1, 1};
  box.stride = {1, 8, 0, 0};
  EXPECT_EQ(At64(box), (BusWork{512, 8}));
  box.base = 0x1001;  // every word but the last two is shared by two rows
  EXPECT_EQ(At64(box), (BusWork{513, 9}));
  EXPECT_EQ(CountBus(box, 64, 64), (BusWork{65, 2}));
}

TEST(CountBus, TheTopOfTheAddressSpaceIsAPage) {
  EXPECT_EQ(At64(Copy(~uint64_t{0} - 15, 32)), (BusWork{4, 2}));
  EXPECT_EQ(CountBus(Copy(0xfffffff1, 32), 8, 64, 0xffffffff), (BusWork{5, 2}));
  Transfer back = Copy(0, 32);
  back.start[0] = -16;
  EXPECT_EQ(CountBus(back, 8, 64, 0xffffffff), (BusWork{4, 2}));
  back.length = 32;  // counted element by element
  EXPECT_EQ(CountBus(back, 8, 64, 0xffffffff), (BusWork{4, 2}));
}

TEST(CountBus, TraversalAndLengthCount) {
  Transfer tiles;  // two tiles of 2 x 8 bytes, side by side
  tiles.base = 0x1000;
  tiles.count = {8, 2, 1, 1};
  tiles.stride = {1, 64, 0, 0};
  tiles.walk[0] = model::WalkLevel{0, 8, 2};
  EXPECT_EQ(At64(tiles), (BusWork{4, 4}));
  tiles.length = 25;  // the last row is one byte
  EXPECT_EQ(At64(tiles), (BusWork{4, 4}));
  tiles.length = 24;
  EXPECT_EQ(At64(tiles), (BusWork{3, 3}));
}

TEST(CountBus, RowsApartAreNot) {
  Transfer rows;
  rows.base = 0x1000;
  rows.count = {16, 64, 1, 1};
  rows.stride = {1, 1024, 0, 0};
  EXPECT_EQ(At64(rows), (BusWork{128, 64}));
  EXPECT_EQ(CountBus(rows, 64, 64), (BusWork{64, 64}));
}

TEST(CountBus, ElementsHaveAWordEach) {
  Transfer t;
  t.elem = 4;
  t.base = 0x1000;
  t.count = {64, 64, 1, 1};
  t.stride = {256, 4, 0, 0};
  EXPECT_EQ(At64(t), (BusWork{4096, 4096}));
}

TEST(CountBus, OutsideTheBoundsIsNotRead) {
  Transfer tile;
  tile.base = 0x1000;
  tile.count = {64, 64, 1, 1};
  tile.stride = {1, 64, 0, 0};
  tile.start = {-1, -1, 0, 0};
  tile.bound = {62, 62, std::nullopt, std::nullopt};
  // 62 rows of 62 bytes in 8 words: the words of one row end where those of the next begin.
  EXPECT_EQ(At64(tile), (BusWork{496, 8}));
}

TEST(CountBus, BackwardRowsStartAnew) {
  Transfer t;
  t.base = 0x1100;
  t.count = {8, 4, 1, 1};
  t.stride = {1, -8, 0, 0};
  EXPECT_EQ(At64(t), (BusWork{4, 4}));
}

TEST(FindLimit, Bus) {
  const Limit limit = FindLimit(Reads(80, {20, 10}, 10), 8, 1, 64);
  EXPECT_EQ(limit.bound, "bus");
  EXPECT_DOUBLE_EQ(limit.utilisation, 0.5);
}

TEST(FindLimit, Stream) {
  const Limit limit = FindLimit(Reads(100, {13, 1}, 25), 8, 1, 64);
  EXPECT_EQ(limit.bound, "stream");
  EXPECT_DOUBLE_EQ(limit.utilisation, 0.5);
}

TEST(FindLimit, SixtyFourBurstsOfOneWordInFlight) {
  // 64 words every L + 2 cycles.
  const Limit limit = FindLimit(Reads(8000, {1000, 1000}, 1000), 8, 100, 64);
  EXPECT_EQ(limit.bound, "flight");
  EXPECT_NEAR(limit.utilisation, 64.0 / 102.0, 1e-12);
  // At 20 cycles the bus is the limit.
  EXPECT_DOUBLE_EQ(FindLimit(Reads(8000, {1000, 1000}, 1000), 8, 20, 64).utilisation, 1.0);
}

TEST(FindLimit, LongerBurstsFillTheBus) {
  const Limit limit = FindLimit({16000, {}, {2000, 1000}, 2000}, 8, 100, 64);
  EXPECT_DOUBLE_EQ(limit.utilisation, 1.0);
}

TEST(Rows, NamesAreUnique) {
  std::vector<std::string> names;
  for (const Row& row : AllRows()) names.push_back(row.id);
  for (const LatencyRow& row : AllLatencyRows()) names.push_back(row.id);
  std::sort(names.begin(), names.end());
  EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
}

TEST(Rows, PayloadIsWhatTheTransfersMove) {
  for (const Row& row : AllRows()) {
    const model::Transfer t =
        row.touched ? row.touched(3) : (row.read ? row.read(3) : row.write(3));
    EXPECT_EQ(model::Positions(t) * static_cast<uint64_t>(t.elem), row.bytes) << row.id;
  }
}

}  // namespace
}  // namespace tessera::bench
