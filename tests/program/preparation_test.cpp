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
          bench.Queue(Access{.area = area,
                             .descriptor = other,
                             .word = word,
                             .expected = value,
                             .error = !there});
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

INSTANTIATE_TEST_SUITE_P(Shapes, Preparations, testing::ValuesIn(kPreparations),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace tessera
