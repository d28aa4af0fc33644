// What the analysis predicts against what the RTL does.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "tb/check/plan.h"
#include "tb/run/bench.h"
#include "tests/show/enumerate.h"

namespace tessera::show {
namespace {

// The addresses that an engine asks for.
class Addresses : public EngineBench::Hook {
 public:
  explicit Addresses(Direction direction) : direction_(direction) {}
  void OnCycle(EngineBench& bench, const Tick&) override {
    const PairPorts& pins = bench.dut();
    if (direction_ == Direction::kRead && pins.axi.ar.moves()) {
      bursts.push_back({pins.axi.ar->addr, uint64_t{pins.axi.ar->len} + 1});
    }
    if (direction_ == Direction::kWrite && pins.axi.aw.moves()) {
      bursts.push_back({pins.axi.aw->addr, uint64_t{pins.axi.aw->len} + 1});
    }
  }
  std::vector<Burst> bursts;

 private:
  Direction direction_;
};

std::string Text(const std::vector<Burst>& bursts) {
  std::string text;
  for (const Burst& burst : bursts) text += fmt::format("{:#x}+{} ", burst.addr, burst.words);
  return text;
}

// `times` times the transfer, one behind the other, on a memory of that latency.
std::unique_ptr<EngineBench> MakeBench(const Subject& subject, uint32_t latency, int times = 1) {
  BenchOptions options;
  options.memory = AxiMemoryOptions::Latency(latency);
  options.timeout += std::min<uint64_t>(model::Positions(subject.transfer), 1 << 20);
  auto bench = std::make_unique<EngineBench>(MakeDut(subject.config.name, 1), options);
  const uint64_t bytes =
      model::Positions(subject.transfer) * static_cast<uint64_t>(subject.transfer.elem);
  for (int n = 0; n < times; ++n) {
    if (subject.direction == Direction::kRead) {
      bench->AddRead(Encode(subject.transfer, BuildOf(subject.config)));
      continue;
    }
    bench->AddWrite(Encode(subject.transfer, BuildOf(subject.config)));
    if (bytes != 0) bench->source().Push(std::vector<uint8_t>(bytes), PieceEnd::kLast);
  }
  return bench;
}

class Rtl : public ::testing::TestWithParam<Config> {
 protected:
  Subject RandomSubject(uint64_t seed, Direction direction, uint64_t budget) const {
    Rng rng(seed);
    Subject subject{{}, direction, GetParam()};
    subject.transfer = RandomTransfer(rng, subject.config, 0x40000000 + rng.Below(1 << 16), budget);
    if (rng.Chance(0.15)) {
      subject.transfer.last_rule = model::LastRule::kLevel;
      subject.transfer.last_level = static_cast<int>(rng.Below(8));
    }
    return subject;
  }
};

// The memory answers at once and the stream never waits, so that nothing holds the request side up.
TEST_P(Rtl, AsksForThePredictedBursts) {
  Proves({"show.bursts"});
  uint64_t transfers = 0, bursts = 0;
  for (const Direction direction : {Direction::kRead, Direction::kWrite}) {
    for (uint64_t seed = 1; seed <= 300; ++seed) {
      const Subject subject = RandomSubject(seed, direction, 1500);
      if (model::Validate(subject.transfer, BuildOf(subject.config))) continue;
      Addresses seen(direction);
      const std::unique_ptr<EngineBench> bench = MakeBench(subject, 1);
      bench->AddHook(&seen);
      const BenchResult result = bench->Run();
      ASSERT_TRUE(result.passed()) << result.message;
      const std::vector<Burst> predicted = ListBursts(subject);
      ASSERT_EQ(Text(seen.bursts), Text(predicted))
          << NameOf(direction) << " seed " << seed << ": " << model::ToString(subject.transfer);
      ++transfers;
      bursts += predicted.size();
    }
  }
  EXPECT_GT(transfers, 500U);
  EXPECT_GT(bursts, 50'000U);
}

struct Pattern {
  const char* name;
  model::Transfer transfer;
  bool tight = true;  // as many cycles, not only at least as many ...
  bool wide = false;  // ... where the stream is as wide as the bus
};

std::vector<Pattern> Patterns() {
  model::Transfer padded = Dense(0x1000, {64, 64}, {1, 64});
  padded.start = {-1, -1, 0, 0};
  padded.bound[0] = padded.bound[1] = 62;
  const auto edges = [](int32_t before, uint32_t bound, uint32_t count, uint64_t base) {
    model::Transfer t = Dense(base, {count, 200}, {1, 64});
    t.start[0] = -before;
    t.bound[0] = bound;
    return t;
  };
  model::Transfer packets = Dense(0x1000, {20, 100}, {1, 64});
  packets.last_rule = model::LastRule::kLevel;
  return {{"copy", Dense(0x1000, {4096}, {1})},
          {"copy, one byte off", Dense(0x1001, {4096}, {1})},
          {"rows of 16 bytes", Dense(0x1000, {16, 256}, {1, 1024})},
          {"rows of 20 bytes, odd", Dense(0x1003, {20, 256}, {1, 1021})},
          {"rows of 3 bytes that touch", Dense(0x1000, {3, 1000}, {1, 3})},
          {"elements of 4 bytes at 16", Dense(0x1000, {1024}, {16}, 4)},
          {"transposed", Dense(0x1000, {64, 64}, {256, 4}, 4)},
          // Fill beside data takes places of the queue, and cycles where a write drops it.
          {"padded", padded, false},
          {"edges 3 + 40 + 5", edges(3, 40, 48, 0x1000), false},
          {"edges 3 + 5 + 8", edges(3, 5, 16, 0x1000), false},
          {"edges 0 + 6 + 4", edges(0, 6, 10, 0x1002), false},
          {"edges 20 + 9 + 30", edges(20, 9, 59, 0x1003), false},
          {"packets of 20 bytes", packets, false, true}};
}

// Six of them, one behind the other: from record to record as many cycles as predicted.
TEST_P(Rtl, TakesThePredictedCycles) {
  Proves({"show.cycles"});
  for (const Direction direction : {Direction::kRead, Direction::kWrite}) {
    for (const Pattern& pattern : Patterns()) {
      const Subject subject{pattern.transfer, direction, GetParam()};
      if (model::Validate(subject.transfer, BuildOf(subject.config))) continue;
      const Analysis analysis = Analyse(subject, {1, 20});
      for (const CycleLimit& limit : analysis.cycles) {
        constexpr int kTimes = 6;
        const std::unique_ptr<EngineBench> bench = MakeBench(subject, limit.latency, kTimes);
        const BenchResult result = bench->Run();
        ASSERT_TRUE(result.passed()) << result.message;
        const auto& jobs = direction == Direction::kRead ? bench->reads() : bench->writes();
        const double cycles =
            static_cast<double>(jobs[kTimes - 1].done - jobs[1].done) / (kTimes - 2);
        const std::string told =
            fmt::format("{} {} latency {}: {} cycles, predicted {} ({}), best {} ({})",
                        NameOf(direction), pattern.name, limit.latency, cycles, limit.engine,
                        limit.engine_bound, limit.best, limit.best_bound);
        EXPECT_GE(cycles, 0.985 * limit.engine) << told;
        const bool narrow = subject.config.stream_bytes < subject.config.data_bytes;
        if (pattern.tight || (pattern.wide && !narrow)) {
          // With few bursts in flight those inside the engine count.
          const double slack = subject.config.outstanding <= 16 ? 1.2 : 1.04;
          EXPECT_LE(cycles, slack * limit.engine) << told;
        }
      }
    }
  }
}

// A loopback has no stream of its own to feed or to take.
std::vector<Config> Separate() {
  std::vector<Config> configs = Configs();
  std::erase_if(configs, [](const Config& config) { return config.loopback; });
  return configs;
}

INSTANTIATE_TEST_SUITE_P(Every, Rtl, ::testing::ValuesIn(Separate()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace tessera::show
