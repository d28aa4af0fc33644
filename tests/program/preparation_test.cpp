// The preparation against the reference: contexts, errors, turns, accesses of software, cycles.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/program/preparation_bench.h"

namespace tessera {
namespace {

using Job = PreparationBench::Job;
using Access = PreparationBench::Access;

class Preparations : public testing::TestWithParam<PreparationShape> {};

// Descriptors at random, a job each, while software reads words and writes the next ones.
TEST_P(Preparations, MakesTheContextsOfRandomDescriptors) {
  const PreparationShape& shape = GetParam();
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    Rng rng = Rng(seed).Stream(shape.name);
    PreparationBench bench(shape, seed);
    std::vector<Descriptor> ram(static_cast<size_t>(shape.descriptors));
    for (int n = 0; n < 500; ++n) {
      const bool list = shape.places > 0 && rng.Chance(0.2);
      const int entries = list ? shape.places : shape.descriptors;
      const int entry = static_cast<int>(rng.Below(static_cast<uint64_t>(entries)));
      Descriptor d = RandomDescriptor(rng, shape);
      d.area[kBase][15] &= ~(1U << 15);  // see Traversals
      if (list) {
        bench.WriteList(entry, d);
      } else {
        if (rng.Chance(0.3)) d.area[kTurns][0] = static_cast<uint32_t>(rng.Below(6));
        bench.Write(entry, d);
      }
      bench.SetPace(rng.Chance(0.5) ? 256 : 100, rng.Chance(0.5) ? 256 : 60);
      ASSERT_EQ(bench.Run(), "") << "seed " << seed << ", descriptor " << n;
      for (uint64_t repeat = rng.Between(1, 3); repeat > 0; --repeat) {
        Job job;
        job.channel = static_cast<int>(rng.Below(static_cast<uint64_t>(shape.channels)));
        job.slot = static_cast<int>(rng.Below(4));
        job.descriptor = entry;
        job.circumstance = {rng.Chance(0.5), list, rng.Chance(0.5), true};
        if (rng.Chance(0.01)) {
          job.descriptor = entries + static_cast<int>(rng.Below(100));
          job.circumstance.exists = false;
        }
        job.error = ErrorOf(d, job.circumstance, shape);
        if (job.error == 0) {
          job.tile = TilesOf(TransferOf(d, job.circumstance, shape), 1).front();
          d.area[kTurns][0] = NextTurns(d, job.circumstance);
        }
        bench.Queue(job);
      }
      if (!list) ram[static_cast<size_t>(entry)] = d;
      // Of a descriptor that has no job.
      const int other = static_cast<int>(rng.Below(static_cast<uint64_t>(shape.descriptors)));
      if (list || other != entry) {
        for (uint64_t reads = rng.Below(4); reads > 0; --reads) {
          const int area = static_cast<int>(rng.Below(4)), word = static_cast<int>(rng.Below(16));
          const bool there = area == kBase || (area == kBoundsArea && shape.bounds && word != 11) ||
                             (area == kWalkArea && shape.walk && word < 9) ||
                             (area == kTurns && word == 0);
          const auto& words = ram[static_cast<size_t>(other)];
          uint32_t value = words.area[static_cast<size_t>(area)][static_cast<size_t>(word)];
          if (area == kBase && word == 15 && !words.valid) value &= 0x7fffffff;
          bench.Queue(Access{
              .area = area, .descriptor = other, .word = word, .expected = value, .error = !there});
        }
      }
      ASSERT_EQ(bench.Run(), "") << "seed " << seed << ", descriptor " << n;
      if (!list) {
        bench.Queue(Access{.area = kTurns, .descriptor = entry, .expected = d.turns()});
        ASSERT_EQ(bench.Run(), "") << "seed " << seed << ", descriptor " << n;
      }
    }
  }
}

// ---- Cycles

struct Cost {
  uint64_t latency = 0;  // from the job to its context
  double sustained = 0;  // cycles a descriptor
};

Cost CostOf(const Descriptor& d) {
  Cost cost;
  for (const int jobs : {1, 40}) {
    PreparationBench bench(kPreparations[0], 1);
    Descriptor written = d;
    written.valid = true;
    written.area[kBase][15] |= 1U << 31;
    bench.Write(1, written);
    EXPECT_EQ(bench.Run(), "");
    for (int n = 0; n < jobs; ++n) {
      Job job;
      job.descriptor = 1;
      job.tile = TilesOf(TransferOf(written, job.circumstance, kPreparations[0]), 1).front();
      written.area[kTurns][0] = NextTurns(written, job.circumstance);
      bench.Queue(job);
    }
    EXPECT_EQ(bench.Run(), "");
    cost.latency = bench.first_prepared() - bench.first_taken();
    if (jobs > 1)
      cost.sustained =
          static_cast<double>(bench.last_prepared() - bench.first_prepared()) / (jobs - 1);
  }
  return cost;
}

// Of so many dimensions; dimension 0 is a row of 4-byte elements.
Descriptor Nest(int dims) {
  Descriptor d;
  d.area[kBase] = {0x1000, 0, 8, 1, 1, 1, 4, 100, 1000, 10000};
  d.area[kBase][15] = 2 | 1 << 4;
  for (size_t k = 1; k < static_cast<size_t>(dims); ++k) d.area[kBase][2 + k] = 5;
  return d;
}

Descriptor Bounded(Descriptor d, uint32_t mask) {
  d.area[kBase][15] |= 1 << 14;
  for (size_t k = 0; k < 4; ++k) {
    d.area[kBoundsArea][k] = static_cast<uint32_t>(-1);
    d.area[kBoundsArea][4 + k] = 3;
  }
  d.area[kBoundsArea][10] = mask;
  return d;
}

void ExpectCost(const char* name, const Descriptor& d, uint64_t latency, double sustained) {
  const Cost cost = CostOf(d);
  fmt::print("{:24} {:3} cycles, one in {:4.1f}\n", name, cost.latency, cost.sustained);
  EXPECT_LE(cost.latency, latency) << name;
  EXPECT_LE(cost.sustained, sustained) << name;
}

TEST(Preparation, CyclesOfEachKind) {
  ExpectCost("one dimension", Nest(1), 6, 4);
  ExpectCost("two dimensions", Nest(2), 10, 8);
  ExpectCost("three dimensions", Nest(3), 17, 15);
  ExpectCost("four dimensions", Nest(4), 17, 15);
  Descriptor d = Nest(4);
  d.area[kBase][6] = 12;
  ExpectCost("four, no row", d, 26, 24);
  d = Nest(1);
  d.area[kBase][11] = 256;
  d.area[kBase][13] = 3 << 16;
  ExpectCost("iteration", d, 20, 18);
  d = Nest(1);
  d.area[kBase][10] = 7;
  d.area[kBase][15] |= 8;
  ExpectCost("length", d, 28, 26);
  ExpectCost("two, bounds", Bounded(Nest(2), 3), 60, 58);
  ExpectCost("four, bounds of two", Bounded(Nest(4), 3), 60, 58);
  ExpectCost("four, bounds", Bounded(Nest(4), 15), 60, 58);
  d = Nest(4);
  d.area[kBase][6] = 12;
  ExpectCost("four, no row, bounds", Bounded(d, 15), 70, 68);
  d = Bounded(Nest(4), 15);
  d.area[kBase][8] = static_cast<uint32_t>(-1000);
  d.area[kBoundsArea][14] = 0xffffffff;
  ExpectCost("four, bounds, backwards", d, 100, 98);
}

// Traversals of several channels at once, tile by tile; some are cut.
TEST_P(Preparations, WalksTraversalsTileByTile) {
  const PreparationShape& shape = GetParam();
  if (!shape.walk) GTEST_SKIP() << "no traversals";
  size_t tiles_seen = 0;
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    Rng rng = Rng(seed).Stream(shape.name);
    PreparationBench bench(shape, seed);
    const int slots = rng.Chance(0.5) ? 2 : 4;
    struct Walker {
      int channel = 0, descriptor = 0, slot = 0;
      Circumstance circumstance = {};
      std::vector<Tile> tiles = {};
      size_t next = 0;
      size_t cut = SIZE_MAX;  // instead of this tile
      uint32_t error = 0;
    };
    std::vector<Walker> walkers;
    const int most = std::min({shape.channels, shape.descriptors, 6});
    for (int n = 0; n < most; ++n) {
      Walker walker{n * (shape.channels / most), n, static_cast<int>(rng.Below(4)) % slots};
      Descriptor d = RandomDescriptor(rng, shape);
      d.area[kBase][15] |= 1U << 15;
      if (rng.Chance(0.3)) {
        d.area[kBase][15] |= 8;
        d.area[kBase][10] = static_cast<uint32_t>(rng.Between(1, 20000));
      }
      const bool list = shape.places > n && rng.Chance(0.3);
      walker.circumstance = {rng.Chance(0.3), list, rng.Chance(0.5), true};
      if (list)
        bench.WriteList(n, d);
      else
        bench.Write(n, d);
      walker.error = ErrorOf(d, walker.circumstance, shape);
      if (walker.error == 0)
        walker.tiles = TilesOf(TransferOf(d, walker.circumstance, shape), 20);
      else
        walker.tiles.resize(1);
      if (rng.Chance(0.2) && walker.tiles.size() > 1)
        walker.cut = rng.Between(1, walker.tiles.size() - 1);
      if (walker.tiles.size() == 20) walker.cut = std::min<size_t>(walker.cut, 19);
      walkers.push_back(walker);
    }
    ASSERT_EQ(bench.Run(), "") << "seed " << seed;
    bench.SetPace(256, rng.Chance(0.5) ? 256 : 30);
    while (!walkers.empty()) {
      const size_t chosen = rng.Below(walkers.size());
      Walker& walker = walkers[chosen];
      Job job;
      job.channel = walker.channel;
      job.slot = walker.slot;
      job.circumstance = walker.circumstance;
      job.descriptor = walker.descriptor;
      job.continues = walker.next > 0;
      job.cut = walker.next == walker.cut;
      job.error = walker.error;
      if (job.error == 0) job.tile = walker.tiles[walker.next];
      if (job.cut) {
        job.tile->more = false;
        job.tile->transfer.count[0] = 0;
      }
      bench.Queue(job);
      ++tiles_seen;
      walker.slot = (walker.slot + 1) % slots;
      if (job.cut || ++walker.next == walker.tiles.size())
        walkers.erase(walkers.begin() + static_cast<std::ptrdiff_t>(chosen));
      if (rng.Chance(0.3)) {
        ASSERT_EQ(bench.Run(), "") << "seed " << seed;
      }
    }
    ASSERT_EQ(bench.Run(100000), "") << "seed " << seed;
  }
  EXPECT_GT(tiles_seen, 1000);
}

// Cycles of the tiles of a traversal of two levels, five turns each, two slots: those of tile 1 (a
// slot that holds nothing yet), 2 (level 0 moves) and 5 (level 1 moves).
std::array<uint64_t, 3> TileCosts(Descriptor d) {
  PreparationBench bench(kPreparations[0], 1);
  d.area[kWalkArea] = {5, 5, 1, 1, 8, 5, 0, 0, 0 | 1 << 2};
  d.area[kBase][15] |= 1U << 15 | 1U << 31;
  d.valid = true;
  bench.Write(1, d);
  EXPECT_EQ(bench.Run(), "");
  int n = 0;
  for (const Tile& tile : TilesOf(TransferOf(d, {}, kPreparations[0]), 8)) {
    Job job;
    job.descriptor = 1;
    job.slot = n % 2;
    job.continues = n++ > 0;
    job.tile = tile;
    bench.Queue(job);
  }
  EXPECT_EQ(bench.Run(), "");
  const auto& at = bench.prepared_at();
  return {at[1] - at[0], at[2] - at[1], at[5] - at[4]};
}

TEST(Preparation, CyclesOfTiles) {
  const auto expect = [](const char* name, const Descriptor& d, std::array<uint64_t, 3> most) {
    const auto cost = TileCosts(d);
    fmt::print("{:24} {:3} in a new slot, {:3}, {:3} if level 1 moves\n", name, cost[0], cost[1],
               cost[2]);
    for (size_t n = 0; n < 3; ++n) EXPECT_LE(cost[n], most[n]) << name;
  };
  expect("two dimensions", Nest(2), {60, 40, 75});
  expect("two, bounds", Bounded(Nest(2), 3), {85, 60, 75});
  expect("four", Nest(4), {60, 40, 75});
  expect("four, bounds", Bounded(Nest(4), 15), {90, 75, 90});
}

INSTANTIATE_TEST_SUITE_P(Shapes, Preparations, testing::ValuesIn(kPreparations),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace tessera
