// Throughput and shares: no cycle is lost between channels, and weights are what they say.
#include <fmt/format.h>

#include <cmath>

#include "tests/fabric/fixture.h"

namespace tessera {
namespace {

class Shares : public FabricTest {
 protected:
  // Beats of each channel in `cycles` cycles, once everything runs.
  std::vector<uint64_t> Beats(Direction direction, int channels, uint64_t cycles) {
    const auto now = [&](int k) {
      return direction == Direction::kRead ? bench_->read_beats(k) : bench_->write_beats(k);
    };
    for (int n = 0; n < 2000; ++n) bench_->Step();
    std::vector<uint64_t> beats;
    for (int k = 0; k < channels; ++k) beats.push_back(now(k));
    for (uint64_t n = 0; n < cycles; ++n) bench_->Step();
    for (int k = 0; k < channels; ++k)
      beats[static_cast<size_t>(k)] = now(k) - beats[static_cast<size_t>(k)];
    EXPECT_EQ(bench_->violations().count(), 0U);
    return beats;
  }
  void Load(Direction direction, int channels, uint64_t bytes, uint64_t cycles) {
    const uint64_t count = cycles * bus() / bytes + 10;
    for (int k = 0; k < channels; ++k)
      direction == Direction::kRead ? Reads(k, count, bytes) : Writes(k, count, bytes);
  }
};
TESSERA_EVERY_FABRIC(Shares);

// A fabric that has weights to speak of.
class Rate : public Shares {
 protected:
  void SetUp() override {
    if (config().channel.name != "shared" && config().channel.name != "many")
      GTEST_SKIP() << "measured on others";
  }
};
TESSERA_EVERY_FABRIC(Rate);

// Readers of a memory that takes addresses more slowly than they come.
TEST_P(Shares, EveryPortHasItsOwnWeights) {
  Proves({"fabric.shares"});
  const int group = config().reads / config().ports;
  if (config().ports == 1 || group < 2)
    GTEST_SKIP() << "one port in this build, or one reader each";
  constexpr uint64_t kCycles = 32000, kEvery = 64;
  const double all = static_cast<double>(kCycles / kEvery * config().channel.max_burst);
  for (int favoured = 0; favoured < config().reads; ++favoured) {
    FabricBenchOptions options;
    options.memory = AxiMemoryOptions::Latency(1);
    std::vector<uint8_t> seldom(kEvery, 0);
    seldom[0] = 1;
    options.memory.ar = PacerSpec::List(seldom);
    MakeBench(options);
    bench_->fabric().read_standing(favoured).weight = 3;
    Load(Direction::kRead, config().reads, 4096, kCycles + 4000);
    const std::vector<uint64_t> beats = Beats(Direction::kRead, config().reads, kCycles);
    for (int k = 0; k < config().reads; ++k) {
      const bool beside = k / group == favoured / group;
      const double parts = beside ? group + 2.0 : group;
      const double share = (k == favoured ? 3 : 1) / parts;
      EXPECT_NEAR(static_cast<double>(beats[static_cast<size_t>(k)]), all * share, all / 20)
          << "reader " << k << ", favoured " << favoured;
    }
  }
}

TEST_P(Rate, NoCycleIsLost) {
  Proves({"fabric.rate"});
  for (const Direction direction : {Direction::kRead, Direction::kWrite}) {
    const bool read = direction == Direction::kRead;
    for (const uint64_t bytes : {8U, 64U, 4096U}) {
      for (const uint32_t latency : {1U, 20U, 100U}) {
        for (int channels = 1; channels <= config().reads; channels *= 2) {
          FabricBenchOptions options;
          options.memory = AxiMemoryOptions::Latency(latency);
          MakeBench(options);
          constexpr uint64_t kCycles = 4000;
          Load(direction, channels, bytes, kCycles + 4000);
          uint64_t beats = 0;
          for (const uint64_t n : Beats(direction, channels, kCycles)) beats += n;
          // 64 bursts in flight over a round trip of latency + 2; a channel alone has no more
          // itself, and for it the trip through store and share is longer.
          const double burst = std::min<double>(
              static_cast<double>(bytes) / static_cast<double>(bus()), config().channel.max_burst);
          const double trip = latency + (channels == 1 ? 5.0 : 2.0);
          const double limit = std::min(1.0, 64.0 * burst / trip);
          const double rate = static_cast<double>(beats) / kCycles;
          fmt::print("{:<7} {:<5} {:>2} channels, {:>4} bytes, L = {:>3}: {:.3f} of {:.3f}\n",
                     config().channel.name, read ? "read" : "write", channels, bytes, latency, rate,
                     limit);
          EXPECT_GE(rate, 0.99 * limit);
        }
      }
    }
  }
}

TEST_P(Rate, SharesAreWeights) {
  Proves({"fabric.shares"});
  struct Row {
    std::vector<int> weights;
    uint64_t bytes;
  };
  std::vector<Row> rows{{{1, 1}, 4096}, {{3, 1}, 4096}, {{3, 1}, 64},
                        {{1, 7}, 8},    {{15, 1}, 512}, {{1, 2, 3, 4}, 1000}};
  if (config().reads == 16) rows.push_back({std::vector<int>(16, 1), 512});
  for (const Direction direction : {Direction::kRead, Direction::kWrite}) {
    const bool read = direction == Direction::kRead;
    for (const uint32_t latency : {1U, 100U}) {
      for (const Row& row : rows) {
        FabricBenchOptions options;
        options.memory = AxiMemoryOptions::Latency(latency);
        MakeBench(options);
        // Long enough that a few bursts more or less are nothing.
        const auto cycles = uint64_t{1000} * static_cast<uint64_t>(config().channel.max_burst);
        const int channels = static_cast<int>(row.weights.size());
        double sum = 0;
        for (int k = 0; k < channels; ++k) {
          auto& standing =
              read ? bench_->fabric().read_standing(k) : bench_->fabric().write_standing(k);
          standing.weight = static_cast<uint8_t>(row.weights[static_cast<size_t>(k)]);
          sum += row.weights[static_cast<size_t>(k)];
        }
        Load(direction, channels, row.bytes, cycles + 4000);
        const std::vector<uint64_t> beats = Beats(direction, channels, cycles);
        double total = 0, worst = 0;
        for (const uint64_t n : beats) total += static_cast<double>(n);
        for (int k = 0; k < channels; ++k) {
          // What is measured begins and ends within a burst, and within a round of turns.
          const int weight = row.weights[static_cast<size_t>(k)];
          const double due = total * weight / sum;
          const double off = std::abs(static_cast<double>(beats[static_cast<size_t>(k)]) - due) -
                             (2.0 + weight) * config().channel.max_burst;
          worst = std::max(worst, off / due);
        }
        fmt::print(
            "{:<7} {:<5} {:>2} channels, {:>4} bytes, L = {:>3}: worst share off by {:.2f} %\n",
            config().channel.name, read ? "read" : "write", channels, row.bytes, latency,
            100 * worst);
        EXPECT_LE(worst, 0.01);
      }
    }
  }
}

}  // namespace
}  // namespace tessera
