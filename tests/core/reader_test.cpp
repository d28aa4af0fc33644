// Readers of the core against the reference model.
#include <gtest/gtest.h>

#include "tb/check/plan.h"
#include "tb/random/generate.h"
#include "tests/core/reader_bench.h"
#include "tests/core/shares.h"

namespace tessera {
namespace {

model::Transfer Copy(uint64_t base, uint32_t bytes) {
  model::Transfer t;
  t.base = base;
  t.count[0] = bytes;
  t.stride[0] = 1;
  return t;
}

Config ConfigOf(const ReaderShape& shape) {
  Config config;
  config.addr_width = shape.addr_width;
  config.data_bytes = config.stream_bytes = shape.bytes;
  config.max_burst = shape.max_burst;
  return config;
}

class Readers : public testing::TestWithParam<ReaderShape> {};

TEST_P(Readers, CopiesOneByteAndMany) {
  ReaderBench bench(GetParam(), 1, {});
  for (uint32_t n = 1; n <= 40; ++n)
    bench.Queue(static_cast<int>(n) % GetParam().channels, Copy(0x1000 + 7 * n, n * n));
  EXPECT_EQ(bench.Run(100000), "");
}

TEST_P(Readers, MovesRandomTransfers) {
  Proves({"port.route", "port.isolation"});
  const ReaderShape& shape = GetParam();
  for (uint64_t seed = 1; seed <= 8; ++seed) {
    Rng rng = Rng(seed).Stream(shape.name);
    ReaderPace pace;
    const auto draw = [&] {
      return rng.Chance(0.5) ? 256 : static_cast<int>(rng.Between(20, 255));
    };
    pace.word = draw();
    pace.ar = draw();
    pace.r = draw();
    pace.stream = draw();
    pace.end = draw();
    pace.latency = static_cast<int>(rng.Between(1, 40));
    if (rng.Chance(0.3)) pace.pause = 40;
    if (shape.channels > 1 && rng.Chance(0.3))
      pace.dead = 1U << rng.Below(static_cast<uint64_t>(shape.channels));
    std::vector<model::ErrorRange> errors;
    if (rng.Chance(0.3)) errors.push_back({0x1200, 0x120f, rng.Chance(0.5)});
    ReaderBench bench(shape, seed, pace, errors);
    const int transfers = 100 / shape.channels + 5;
    for (int c = 0; c < shape.channels; ++c) {
      bench.Weight(c, static_cast<int>(rng.Between(1, 15)));
      for (int n = 0; n < transfers; ++n) {
        model::Transfer t = RandomTransfer(rng, ConfigOf(shape), 0x1000, rng.Between(1, 600));
        t.task_end = rng.Chance(0.2) || n + 1 == transfers;
        t.join_next = rng.Chance(0.3);
        t.finish = model::Finish::kLength;
        bench.Queue(c, t);
      }
    }
    ASSERT_EQ(bench.Run(300000), "") << shape.name << ", seed " << seed;
  }
}

TEST_P(Readers, EndAnAbortCleanly) {
  Proves({"control.abort"});
  const ReaderShape& shape = GetParam();
  for (uint64_t seed = 1; seed <= 6; ++seed) {
    Rng rng = Rng(seed).Stream(shape.name);
    ReaderPace pace;
    pace.r = pace.stream = static_cast<int>(rng.Between(60, 256));
    pace.latency = static_cast<int>(rng.Between(1, 40));
    pace.abort = 20;
    pace.closes = rng.Chance(0.5);
    if (rng.Chance(0.3)) pace.pause = 10;
    ReaderBench bench(shape, seed, pace);
    const int transfers = 100 / shape.channels + 5;
    for (int c = 0; c < shape.channels; ++c) {
      for (int n = 0; n < transfers; ++n) {
        model::Transfer t = RandomTransfer(rng, ConfigOf(shape), 0x1000, rng.Between(1, 600));
        t.task_end = true;
        t.join_next = false;
        t.finish = model::Finish::kLength;
        if (pace.closes && t.last_rule == model::LastRule::kNever)
          t.last_rule = model::LastRule::kTransfer;
        bench.Queue(c, t);
      }
    }
    ASSERT_EQ(bench.Run(300000), "") << shape.name << ", seed " << seed;
  }
}

// However many beats have left the buffer since.
TEST(Reader, AnEndThatWaitsIsNotForgotten) {
  Proves({"record.never-lost"});
  for (const ReaderShape& shape : kReaders) {
    ReaderPace pace;
    pace.end = 0;
    ReaderBench bench(shape, 1, pace);
    const auto bytes = static_cast<uint32_t>(shape.bytes);
    for (int c = 0; c < shape.channels; ++c) {
      for (const uint32_t beats : {1U, 1U, 1U, static_cast<uint32_t>(shape.buffer) + 20, 1U})
        bench.Queue(c, Copy(0x1000, beats * bytes));
    }
    ASSERT_EQ(bench.Cycles(2000), "") << shape.name;
    bench.PaceOfEnds(256);
    ASSERT_EQ(bench.Run(10000), "") << shape.name;
  }
}

// Share of the port that channels with rows of so many words use, after the start.
double Rate(const ReaderShape& shape, int busy, uint32_t words, int latency) {
  ReaderPace pace;
  pace.latency = latency;
  ReaderBench bench(shape, 1, pace);
  for (int c = 0; c < busy; ++c) {
    model::Transfer t;
    t.base = 0x100000 * static_cast<uint64_t>(c + 1);
    t.count = {words * static_cast<uint32_t>(shape.bytes), 20000 / words, 1, 1};
    t.stride = {1, 8192, 0, 0};
    bench.Queue(c, t);
  }
  EXPECT_EQ(bench.Cycles(600), "");
  const uint64_t before = bench.words(), begun = bench.cycle();
  EXPECT_EQ(bench.Cycles(1000), "");
  return static_cast<double>(bench.words() - before) / static_cast<double>(bench.cycle() - begun);
}

TEST(ReaderRates, OneChannelUsesEveryCycle) {
  Proves({"port.rate"});
  for (const uint32_t words : {1, 2, 64}) {
    EXPECT_GE(Rate(kReaders[0], 1, words, 20), 0.99) << words;
    EXPECT_GE(Rate(kReaders[3], 1, words, 1), 0.99) << words;
  }
  EXPECT_GE(Rate(kReaders[0], 1, 8, 100), 0.99);
  EXPECT_GE(Rate(kReaders[0], 1, 1, 100), 0.58);  // 62 bursts in 105 cycles
}

TEST(ReaderRates, ManyChannelsShareThePort) {
  Proves({"port.rate"});
  for (const ReaderShape& shape : {kReaders[1], kReaders[2]}) {
    EXPECT_GE(Rate(shape, shape.channels, 1, 20), 0.8) << shape.name;
    EXPECT_GE(Rate(shape, shape.channels, 2, 20), 0.95) << shape.name;
    EXPECT_GE(Rate(shape, shape.channels, 8, 100), 0.97) << shape.name;
  }
}

TEST(ReaderRates, SharesAreByWeight) {
  Proves({"port.shares"});
  const ReaderShape& shape = kReaders[1];
  for (const std::vector<int>& weights : SomeWeights()) {
    for (const int latency : {1, 20}) {
      SCOPED_TRACE(testing::PrintToString(weights) + " latency " + std::to_string(latency));
      ReaderPace pace;
      pace.latency = latency;
      ReaderBench bench(shape, 1, pace);
      ExpectSharesByWeight(&bench, weights, shape.bytes,
                           [&](int c, const model::Transfer& t) { bench.Queue(c, t); });
    }
  }
}

TEST(Reader, LatencyFromGoToBurst) {
  for (const ReaderShape& shape : kReaders) {
    ReaderBench bench(shape, 1, {});
    bench.Queue(0, Copy(0x1000, 64));
    EXPECT_EQ(bench.Run(1000), "");
    EXPECT_EQ(*bench.first_ar() - *bench.first_go(), 10) << shape.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, Readers, testing::ValuesIn(kReaders),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace tessera
