// Readers of the core against the reference model.
#include <gtest/gtest.h>

#include "tb/random/generate.h"
#include "tests/core/reader_bench.h"

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
  config.walk = false;
  return config;
}

class Reader : public testing::TestWithParam<ReaderShape> {};

TEST_P(Reader, CopiesOneByteAndMany) {
  ReaderBench bench(GetParam(), 1, {});
  for (uint32_t n = 1; n <= 40; ++n) bench.Queue(static_cast<int>(n) % GetParam().channels, Copy(0x1000 + 7 * n, n * n));
  EXPECT_EQ(bench.Run(100000), "");
}

TEST_P(Reader, MovesRandomTransfers) {
  const ReaderShape& shape = GetParam();
  for (uint64_t seed = 1; seed <= 12; ++seed) {
    Rng rng = Rng(seed).Stream(shape.name);
    ReaderPace pace;
    const auto draw = [&] { return rng.Chance(0.5) ? 256 : static_cast<int>(rng.Between(20, 255)); };
    pace.word = draw();
    pace.ar = draw();
    pace.r = draw();
    pace.stream = draw();
    pace.end = draw();
    pace.latency = static_cast<int>(rng.Between(1, 40));
    if (rng.Chance(0.3)) pace.pause = 40;
    if (shape.channels > 1 && rng.Chance(0.3)) pace.dead = 1U << rng.Below(static_cast<uint64_t>(shape.channels));
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

// Share of the port that channels with rows of so many bytes use, after the start.
double Rate(const ReaderShape& shape, int busy, uint32_t row, int latency) {
  ReaderPace pace;
  pace.latency = latency;
  ReaderBench bench(shape, 1, pace);
  for (int c = 0; c < busy; ++c) {
    model::Transfer t;
    t.base = 0x100000 * static_cast<uint64_t>(c + 1);
    t.count = {row, 100000 / row * 8, 1, 1};
    t.stride = {1, 8192, 0, 0};
    bench.Queue(c, t);
  }
  EXPECT_EQ(bench.Cycles(1500), "");
  const uint64_t words = bench.words(), cycles = bench.cycle();
  EXPECT_EQ(bench.Cycles(3000), "");
  return static_cast<double>(bench.words() - words) / static_cast<double>(bench.cycle() - cycles);
}

TEST(ReaderRates, Table) {
  for (const ReaderShape& shape : kReaders) {
    for (const int busy : {1, 2, shape.channels}) {
      if (busy > shape.channels || (busy == 2 && shape.channels == 2)) continue;
      for (const int latency : {1, 20, 100}) {
        std::printf("%-8s busy %2d L %3d:", shape.name, busy, latency);
        for (const int words : {1, 2, 8, 64}) std::printf("  %.2f", Rate(shape, busy, static_cast<uint32_t>(words * shape.bytes), latency));
        std::printf("\n");
      }
    }
  }
}

TEST(ReaderRates, Latency) {
  for (const ReaderShape& shape : kReaders) {
    ReaderBench bench(shape, 1, {});
    bench.Queue(0, Copy(0x1000, 64));
    EXPECT_EQ(bench.Run(1000), "");
    std::printf("%-8s go to AR %d\n", shape.name, static_cast<int>(*bench.first_ar() - *bench.first_go()));
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, Reader, testing::ValuesIn(kReaders),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace tessera
