// Writers of the core against the reference model.
#include <gtest/gtest.h>

#include "tb/check/plan.h"
#include "tb/random/generate.h"
#include "tests/core/shares.h"
#include "tests/core/writer_bench.h"

namespace tessera {
namespace {

model::Transfer Copy(uint64_t base, uint32_t bytes, model::Finish finish) {
  model::Transfer t;
  t.base = base;
  t.count[0] = bytes;
  t.stride[0] = 1;
  t.finish = finish;
  return t;
}

Config ConfigOf(const WriterShape& shape) {
  Config config;
  config.addr_width = shape.addr_width;
  config.data_bytes = config.stream_bytes = shape.bytes;
  config.max_burst = shape.max_burst;
  return config;
}

class Writers : public testing::TestWithParam<WriterShape> {};

TEST_P(Writers, CopiesOneByteAndMany) {
  WriterBench bench(GetParam(), 1, {});
  for (uint32_t n = 1; n <= 40; ++n) {
    bench.Queue(static_cast<int>(n) % GetParam().channels,
                Copy(0x1000 * n + 7 * n, n * n, model::Finish::kLength), {});
  }
  EXPECT_EQ(bench.Run(100000), "");
}

TEST_P(Writers, EndsWithThePacket) {
  WriterBench bench(GetParam(), 1, {});
  for (uint32_t n = 1; n <= 40; ++n) {
    bench.Queue(static_cast<int>(n) % GetParam().channels,
                Copy(0x1000 * n + 7 * n, n * n, model::Finish::kLast),
                {.last = 40, .partial = 128});
  }
  EXPECT_EQ(bench.Run(100000), "");
}

TEST_P(Writers, MovesRandomTransfers) {
  Proves({"port.route", "port.isolation"});
  const WriterShape& shape = GetParam();
  for (uint64_t seed = 1; seed <= 12; ++seed) {
    Rng rng = Rng(seed).Stream(shape.name);
    WriterPace pace;
    const auto draw = [&] {
      return rng.Chance(0.5) ? 256 : static_cast<int>(rng.Between(20, 255));
    };
    pace.word = draw();
    pace.aw = draw();
    pace.w = draw();
    pace.b = draw();
    pace.stream = draw();
    pace.end = draw();
    pace.latency = static_cast<int>(rng.Between(1, 40));
    if (rng.Chance(0.3)) pace.pause = 40;
    if (shape.channels > 1 && rng.Chance(0.3))
      pace.dead = 1U << rng.Below(static_cast<uint64_t>(shape.channels));
    std::optional<model::ErrorRange> error;
    if (rng.Chance(0.3)) error = model::ErrorRange{0x11000, 0x117ff, rng.Chance(0.5)};
    WriterBench bench(shape, seed, pace, error);
    const int transfers = 100 / shape.channels + 5;
    for (int c = 0; c < shape.channels; ++c) {
      bench.Weight(c, static_cast<int>(rng.Between(1, 15)));
      StreamKind kind;
      if (rng.Chance(0.7)) kind.last = static_cast<int>(rng.Between(2, 100));
      if (rng.Chance(0.5)) kind.partial = static_cast<int>(rng.Between(20, 256));
      if (rng.Chance(0.3)) kind.sparse = static_cast<int>(rng.Between(2, 60));
      if (rng.Chance(0.3)) kind.null = static_cast<int>(rng.Between(2, 60));
      for (int n = 0; n < transfers; ++n) {
        model::Transfer t = RandomTransfer(
            rng, ConfigOf(shape), 0x10000 + (static_cast<uint64_t>(c) << 24), rng.Between(1, 600));
        t.task_end = rng.Chance(0.2);
        t.finish = kind.last > 0 && rng.Chance(0.5) ? model::Finish::kLast : model::Finish::kLength;
        bench.Queue(c, t, kind);
      }
    }
    ASSERT_EQ(bench.Run(300000), "") << shape.name << ", seed " << seed;
  }
}

TEST_P(Writers, EndAnAbortCleanly) {
  Proves({"control.abort"});
  const WriterShape& shape = GetParam();
  for (uint64_t seed = 1; seed <= 24; ++seed) {
    Rng rng = Rng(seed).Stream(shape.name);
    WriterPace pace;
    pace.w = pace.stream = static_cast<int>(rng.Between(60, 256));
    pace.latency = static_cast<int>(rng.Between(1, 40));
    pace.abort = 20;
    if (rng.Chance(0.3)) pace.pause = 10;
    WriterBench bench(shape, seed, pace);
    const int transfers = 100 / shape.channels + 5;
    for (int c = 0; c < shape.channels; ++c) {
      for (int n = 0; n < transfers; ++n) {
        // Whole beats, so that none belongs to two transfers; packets end with the transfer or
        // behind.
        const auto bytes = static_cast<uint32_t>(shape.bytes);
        model::Transfer t;
        t.base = 0x10000 + (static_cast<uint64_t>(c) << 24) + static_cast<uint64_t>(n) * 0x1000 +
                 rng.Below(64);
        t.count = {bytes * static_cast<uint32_t>(rng.Between(1, 8)),
                   static_cast<uint32_t>(rng.Between(1, 8)), 1, 1};
        t.stride = {1, t.count[0] + static_cast<int64_t>(rng.Below(40)), 0, 0};
        t.finish = rng.Chance(0.3) ? model::Finish::kLast : model::Finish::kLength;
        bench.Queue(c, t, {.last = t.finish == model::Finish::kLast ? 20 : 0});
      }
    }
    ASSERT_EQ(bench.Run(300000), "") << shape.name << ", seed " << seed;
  }
}

// Share of the port that channels with rows of so many words use, after the start.
double Rate(const WriterShape& shape, int busy, uint32_t words, int latency) {
  WriterPace pace;
  pace.latency = latency;
  WriterBench bench(shape, 1, pace);
  for (int c = 0; c < busy; ++c) {
    model::Transfer t;
    t.base = 0x10000000 * static_cast<uint64_t>(c + 1) % 0xf0000000;
    t.count = {words * static_cast<uint32_t>(shape.bytes), 4000 / words, 1, 1};
    t.stride = {1, 8192, 0, 0};
    bench.Queue(c, t, {});
  }
  EXPECT_EQ(bench.Cycles(600), "");
  const uint64_t before = bench.words(), begun = bench.cycle();
  EXPECT_EQ(bench.Cycles(1000), "");
  return static_cast<double>(bench.words() - before) / static_cast<double>(bench.cycle() - begun);
}

TEST(WriterRates, OneChannelUsesEveryCycle) {
  Proves({"port.rate"});
  for (const uint32_t words : {1, 2, 64}) {
    EXPECT_GE(Rate(kWriters[0], 1, words, 20), 0.99) << words;
    EXPECT_GE(Rate(kWriters[3], 1, words, 1), 0.99) << words;
  }
}

TEST(WriterRates, ManyChannelsShareThePort) {
  Proves({"port.rate"});
  for (const WriterShape& shape : {kWriters[1], kWriters[2]}) {
    EXPECT_GE(Rate(shape, shape.channels, 1, 20), 0.8) << shape.name;
    EXPECT_GE(Rate(shape, shape.channels, 2, 20), 0.95) << shape.name;
    EXPECT_GE(Rate(shape, shape.channels, 8, 100), 0.97) << shape.name;
    EXPECT_GE(Rate(shape, 1, 2, 1), 0.97) << shape.name;
  }
}

TEST(WriterRates, SharesAreByWeight) {
  Proves({"port.shares"});
  const WriterShape& shape = kWriters[1];
  for (const std::vector<int>& weights : SomeWeights()) {
    for (const int latency : {1, 20, 100}) {
      SCOPED_TRACE(testing::PrintToString(weights) + " latency " + std::to_string(latency));
      WriterPace pace;
      pace.latency = latency;
      WriterBench bench(shape, 1, pace);
      ExpectSharesByWeight(&bench, weights, shape.bytes,
                           [&](int c, const model::Transfer& t) { bench.Queue(c, t, {}); });
    }
  }
}

TEST(Writer, LatencyFromGoToBurst) {
  for (const WriterShape& shape : kWriters) {
    WriterBench bench(shape, 1, {});
    bench.Queue(0, Copy(0x1000, 64, model::Finish::kLength), {});
    EXPECT_EQ(bench.Run(1000), "");
    EXPECT_LE(*bench.first_aw() - *bench.first_go(), 24) << shape.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, Writers, testing::ValuesIn(kWriters),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace tessera
