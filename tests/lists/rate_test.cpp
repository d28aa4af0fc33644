// Rates and latencies of tsr_lists: what its header promises, counted.
#include <fmt/format.h>

#include <bit>

#include "tb/check/plan.h"
#include "tests/lists/lists_bench.h"

namespace tessera::lists {
namespace {

constexpr uint64_t kListBase = 0x10000, kStep = 0x10000;

uint64_t BaseOf(int channel) { return kListBase + static_cast<uint64_t>(channel) * kStep; }

// Channels 0 .. n-1 of a cell with one list each, taken as fast as they come.
class Rates : public Bench {
 public:
  explicit Rates(const MemoryOptions& memory) : Bench(1, [memory](int) { return memory; }) {
    choose = [this](int i) {
      Cell& cell = cells[static_cast<size_t>(i)];
      if (cell.valid == 0) return;
      // Round robin from the last one on.
      const uint32_t later = cell.valid & ~((2U << cell.select) - 1U);
      const int next = std::countr_zero(later != 0 ? later : cell.valid);
      if (!(cell.valid >> cell.select & 1U) || !held) cell.select = next;
      cell.take = taking;
    };
    Reset();
    Run(40);
  }
  void Array(int i, int channel, uint32_t count, uint32_t pitch = 1, bool again = false) {
    Cell& cell = cells[static_cast<size_t>(i)];
    cell.Permit(channel);
    cell.Set(channel, BaseOf(channel), count, (pitch - 1) << 4, 0);
    if (again) cell.again |= 1U << channel;
  }
  bool taking = true, held = false;
};

struct Rate {
  int cell, channels;
  uint64_t latency;
};

// Part of the cycles in which the list port carries data.
double Measure(const Rate& rate, double* descriptors) {
  MemoryOptions memory;
  memory.latency_min = memory.latency_max = rate.latency;
  Rates bench(memory);
  Cell& cell = bench.cells[static_cast<size_t>(rate.cell)];
  for (int c = 0; c < rate.channels; ++c) bench.Array(rate.cell, c, 100, 1, true);
  bench.Finish();
  cell.open = rate.channels == 32 ? ~0U : (1U << rate.channels) - 1U;
  bench.Run(1000);
  uint64_t taken = 0;
  const uint64_t beats = cell.memory.read_beats();
  bench.sample = [&](int i) { taken += i == rate.cell && cell.take; };
  bench.Run(4000);
  *descriptors = static_cast<double>(taken) / 4000;
  return static_cast<double>(cell.memory.read_beats() - beats) / 4000;
}

TEST(ListRates, ThePortIsBusyAtEveryLatency) {
  Proves({"list.rate"});
  const std::vector<Rate> rates = {{0, 1, 1},   {0, 1, 20},  {0, 1, 100}, {3, 1, 1},   {3, 1, 20},
                                   {3, 1, 100}, {3, 2, 100}, {3, 4, 100}, {3, 8, 100}, {3, 16, 100},
                                   {4, 1, 1},   {4, 16, 20}, {4, 32, 20}, {5, 1, 20},  {2, 4, 20}};
  for (const Rate& rate : rates) {
    const Shape& shape = kShapes[static_cast<size_t>(rate.cell)];
    double descriptors = 0;
    const double busy = Measure(rate, &descriptors);
    // What the slots and the bursts in flight allow, over a round trip of 4 cycles more than the
    // memory takes.
    const double beats = 512.0 / shape.list_width;
    const double flight = std::min(rate.channels * shape.slots, shape.outstanding) * beats;
    const double limit = std::min(1.0, flight / (static_cast<double>(rate.latency) + beats + 5));
    fmt::print(
        "{:3} bits, {:2} slots, {:2} in flight, {:2} channels, latency {:3}: port busy {:.3f} of "
        "{:.3f}, "
        "a descriptor in {:.2f} cycles\n",
        shape.list_width, shape.slots, shape.outstanding, rate.channels, rate.latency, busy, limit,
        1 / descriptors);
    EXPECT_GE(busy, 0.99 * limit);
    EXPECT_NEAR(descriptors * beats, busy, 0.02);
  }
}

TEST(ListRates, Latencies) {
  Proves({"list.rate"});
  for (int i = 0; i < kCells; ++i) {
    MemoryOptions memory;
    memory.latency_min = memory.latency_max = 7;
    Rates bench(memory);
    Cell& cell = bench.cells[static_cast<size_t>(i)];
    const int c = cell.shape.channels - 1;
    cell.Permit(c);
    cell.Set(c, BaseOf(c), 8, 1, 0);
    bench.Finish();
    cell.open = 1U << c;
    bench.Run(20);
    uint64_t doorbell = 0, asked = 0, beat = 0, seen = 0;
    cell.accesses.push_back({c, kTail, 1, true, 15, [&](bool error, uint32_t) {
                               EXPECT_FALSE(error);
                               doorbell = bench.cycle;
                             }});
    cell.memory.on_beats = [&](uint64_t) { beat = bench.cycle; };
    bench.sample = [&](int number) {
      if (number != i) return;
      if (cell.bus.arvalid && asked == 0) asked = bench.cycle;
      if (cell.valid != 0 && seen == 0) seen = bench.cycle;
    };
    bench.Run(60);
    EXPECT_EQ(asked - doorbell, 3U) << "cell " << i << ": doorbell to ARVALID";
    EXPECT_EQ(seen - beat, 1U) << "cell " << i << ": last beat to valid";

    // And from the opening of an array.
    cell.open = 0;
    bench.Run(20);
    cell.Set(c, BaseOf(c), 8, 0, 0);
    bench.Finish();
    bench.Run(4);
    asked = 0;
    const uint64_t opened = bench.cycle;
    cell.open = 1U << c;
    bench.Run(10);
    EXPECT_EQ(asked - opened, 3U) << "cell " << i << ": open to ARVALID";
  }
}

}  // namespace
}  // namespace tessera::lists
