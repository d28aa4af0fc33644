// Programmed ports against the reference model: descriptors in, bytes and records out.
#include <gtest/gtest.h>

#include "tb/random/generate.h"
#include "tests/program/dma_engine_bench.h"

namespace tessera {
namespace {

model::Transfer Copy(uint64_t base, uint32_t bytes) {
  model::Transfer t;
  t.base = base;
  t.count[0] = bytes;
  t.stride[0] = 1;
  return t;
}

class Engines : public testing::TestWithParam<EngineShape> {};

TEST_P(Engines, RunRandomPrograms) {
  const EngineShape& shape = GetParam();
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    Rng rng = Rng(seed).Stream(shape.name);
    EngineBench bench(shape, seed, rng.Chance(0.5) ? 256 : static_cast<int>(rng.Between(40, 255)),
                      static_cast<int>(rng.Between(1, 40)));
    for (int c = 0; c < 2 * shape.pairs; ++c) {
      for (int n = 0; n < 40 / shape.pairs; ++n) {
        Config config;
        config.addr_width = shape.addr_width;
        config.walk = shape.walk;
        config.bounds = shape.bounds;
        model::Transfer t = RandomTransfer(rng, config, 0x10000 + (static_cast<uint64_t>(c) << 24),
                                           rng.Between(1, 600));
        if (!shape.bounds) {
          t.start = {};
          t.fill = 0;
          for (auto& stride : t.stride) stride = static_cast<int32_t>(stride);
        }
        t.task_end = true;
        t.join_next = false;
        t.offset = 0;
        t.finish = rng.Chance(0.3) ? model::Finish::kLast : model::Finish::kLength;
        bench.Queue(c, t);
      }
    }
    ASSERT_EQ(bench.Run(400000), "") << shape.name << ", seed " << seed;
  }
}

TEST_P(Engines, RunTransfersWithoutBytes) {
  EngineBench bench(GetParam(), 1, 256, 1);
  for (int c = 0; c < 2 * GetParam().pairs; ++c) {
    for (int n = 0; n < 12; ++n) {
      model::Transfer t = Copy(0x1000 + (static_cast<uint64_t>(c) << 24), 24);
      if (n % 3 == 1) t.length = 0;
      if (n % 3 == 2) t.count[2] = 0;
      bench.Queue(c, t);
    }
  }
  EXPECT_EQ(bench.Run(20000), "");
}

TEST_P(Engines, LatencyFromPushToBurst) {
  EngineBench bench(GetParam(), 1, 256, 1);
  bench.Queue(0, Copy(0x1000, 64));
  EXPECT_EQ(bench.Run(1000), "");
  EXPECT_LE(bench.latency(), 22U);
}

INSTANTIATE_TEST_SUITE_P(Shapes, Engines, testing::ValuesIn(kEngines),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace tessera
