// Rates and latencies of lists: what the header promises, counted.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tb/check/plan.h"
#include "tests/list/list_bench.h"

namespace tessera::list {
namespace {

constexpr uint64_t kRegion = 0x10000;

Registers Array(int channel, uint32_t count) {
  Registers setup;
  setup.base = kRegion * static_cast<uint64_t>(channel + 1);
  setup.done = setup.base + 0x8000;
  setup.count = count;
  return setup;
}

// Descriptors that end no turn.
void Fill(ListBench& bench, int channel, const Registers& setup) {
  bench.Program(channel, setup);
  for (uint32_t n = 0; n < setup.count; ++n) {
    Describe(bench.At(setup.base + n * setup.pitch), bench.rng());
  }
}

struct Rate {
  int shape, channels;
  uint64_t latency;
  bool entries;
};

TEST(ListRates, ThePortIsBusy) {
  Proves({"list.rate"});
  for (const Rate& rate :
       {Rate{0, 1, 1, false}, Rate{0, 1, 20, false}, Rate{0, 1, 100, false}, Rate{0, 1, 1, true},
        Rate{0, 1, 20, true}, Rate{0, 1, 100, true}, Rate{1, 1, 20, true}, Rate{1, 2, 100, false},
        Rate{2, 1, 20, false}, Rate{2, 2, 100, false}, Rate{2, 4, 100, true},
        Rate{2, 16, 100, false}, Rate{2, 16, 20, true}}) {
    const Shape& shape = kShapes[rate.shape];
    Pace pace;
    pace.latency_min = pace.latency_max = rate.latency;
    ListBench bench(shape, 1, pace);
    bench.strict_rate = true;
    for (int c = 0; c < rate.channels; ++c) {
      Registers setup = Array(c, 50);
      setup.entries = rate.entries;
      Fill(bench, c, setup);
    }
    for (int c = 0; c < rate.channels; ++c) bench.Open(c, 0);
    bench.Run(1000);
    const uint64_t beats = bench.memory().beats(), taken = bench.counts.descriptors;
    bench.Run(4000);
    ASSERT_EQ(bench.failure(), "");
    const double busy = static_cast<double>(bench.memory().beats() - beats) / 4000;
    fmt::print(
        "{:8} {:2} channels, latency {:3}{}: port busy {:.3f}, a descriptor in {:.2f} cycles\n",
        shape.name, rate.channels, rate.latency, rate.entries ? ", entries" : "", busy,
        4000.0 / static_cast<double>(bench.counts.descriptors - taken));
    const bool covers = rate.channels * shape.ahead >= 16 || rate.latency < 30;
    if (covers) {
      EXPECT_GE(busy, 0.99);
    }
  }
}

TEST(ListRates, Latencies) {
  for (const Shape& shape : kShapes) {
    Pace pace;
    pace.latency_min = pace.latency_max = 7;
    ListBench bench(shape, 1, pace);
    bench.strict_rate = true;
    const int c = shape.channels - 1;
    Registers setup = Array(c, 8);
    setup.ring = true;
    Fill(bench, c, setup);
    bench.Open(c, 1);
    bench.Run(30);
    uint64_t bell = 0, address = 0, beat = 0;
    bench.memory().on_beat = [&](const ListMemory::Burst&, bool last) {
      if (last) beat = bench.cycle();
    };
    bench.first_address = 0;
    bench.Ring(c, 1);
    bell = bench.cycle() - 1;  // its answer
    bench.first_ready = 0;
    bench.Run(60);
    ASSERT_EQ(bench.failure(), "");
    address = bench.first_address;
    fmt::print("{:8} doorbell to ARVALID {}, last beat to ready {}\n", shape.name, address - bell,
               bench.first_ready - beat);
    EXPECT_LE(address - bell, 6U);
    EXPECT_LE(bench.first_ready - beat, shape.width > 128 ? 5U : 2U);
  }
}

}  // namespace
}  // namespace tessera::list
