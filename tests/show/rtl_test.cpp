// What the analysis predicts against what the RTL does.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "tb/run/bench.h"
#include "tests/show/enumerate.h"

namespace tessera::show {
namespace {

// The addresses that an engine asks for.
class Addresses : public EngineBench::Hook {
 public:
  explicit Addresses(Direction direction) : direction_(direction) {}
  void OnCycle(EngineBench& bench, const Tick&) override {
    const DutInputs& in = bench.dut().in;
    const DutOutputs& out = bench.dut().out;
    if (direction_ == Direction::kRead && out.arvalid && in.arready) {
      bursts.push_back({out.araddr, uint64_t{out.arlen} + 1});
    }
    if (direction_ == Direction::kWrite && out.awvalid && in.awready) {
      bursts.push_back({out.awaddr, uint64_t{out.awlen} + 1});
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
      bench->AddRead(Encode(subject.transfer));
      continue;
    }
    bench->AddWrite(Encode(subject.transfer));
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
          << (direction == Direction::kRead ? "read" : "write") << " seed " << seed << ": "
          << model::ToString(subject.transfer);
      ++transfers;
      bursts += predicted.size();
    }
  }
  EXPECT_GT(transfers, 500U);
  EXPECT_GT(bursts, 50'000U);
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
