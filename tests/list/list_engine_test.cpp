// Ports with lists against the reference model: descriptors in memory in; bytes, records, entries
// out.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tb/random/generate.h"
#include "tests/list/list_engine_bench.h"

namespace tessera::list {
namespace {

model::Transfer Copy(uint64_t base, uint32_t bytes) {
  model::Transfer t;
  t.base = base;
  t.count[0] = bytes;
  t.stride[0] = 1;
  return t;
}

class ListEngines : public testing::TestWithParam<EngineShape> {};

TEST_P(ListEngines, RunRandomPrograms) {
  const EngineShape& shape = GetParam();
  for (uint64_t seed = 1; seed <= 8; ++seed) {
    Rng rng = Rng(seed).Stream(shape.name);
    ListEngineBench bench(shape, seed,
                          rng.Chance(0.5) ? 256 : static_cast<int>(rng.Between(40, 255)),
                          static_cast<int>(rng.Between(1, 40)));
    bench.Setup();
    for (int c = 0; c < 2 * shape.pairs; ++c) {
      for (int n = 0; n < 30 / shape.pairs; ++n) {
        std::vector<model::Transfer> turn;
        for (uint64_t k = rng.Between(1, 6); k > 0; --k) {
          model::Transfer t = RandomTransfer(
              rng, Config{}, 0x10000 + (static_cast<uint64_t>(c) << 24), rng.Between(1, 600));
          t.join_next = false;
          t.offset = 0;
          t.finish = rng.Chance(0.3) ? model::Finish::kLast : model::Finish::kLength;
          turn.push_back(t);
        }
        bench.Queue(c, turn);
      }
    }
    ASSERT_EQ(bench.Run(900000), "") << shape.name << ", seed " << seed;
  }
}

TEST_P(ListEngines, LatencyFromDescriptorToBurst) {
  ListEngineBench bench(GetParam(), 1, 256, 10);
  bench.Setup();
  bench.Queue(0, {Copy(0x1000, 64)});
  EXPECT_EQ(bench.Run(2000), "");
  fmt::print("{}: last beat of the descriptor to ARVALID of its data: {} cycles\n", GetParam().name,
             bench.latency());
  EXPECT_LE(bench.latency(), GetParam().pairs > 2 ? 22U : 21U);
}

// A descriptor that is not valid stops its channel behind those before it; others go on.
TEST_P(ListEngines, RefuseADescriptorInItsTurn) {
  ListEngineBench bench(GetParam(), 1, 256, 10);
  bench.Setup();
  bench.Spoil(0, 3);
  bench.Queue(0, std::vector<model::Transfer>(6, Copy(0x1000, 64)));
  bench.Queue(1, std::vector<model::Transfer>(6, Copy(0x2000000, 64)));
  bench.Go(3000);
  EXPECT_EQ(bench.failure(), "");
  ASSERT_TRUE(bench.refusal);
  EXPECT_EQ(bench.refusal->channel, 0);
  EXPECT_EQ(bench.refusal->index, 3);
  EXPECT_EQ(bench.refusal->reason, 32);
  EXPECT_EQ(bench.refusal->addr, ListEngineBench::kList + 3 * ListEngineBench::kPitch);
  EXPECT_FALSE(bench.refusal->entry);
  EXPECT_TRUE(bench.halted(0));
  EXPECT_EQ(bench.recorded(0), 3U);
  EXPECT_FALSE(bench.halted(1));
  EXPECT_EQ(bench.recorded(1), 6U);
}

// What is wrong with a list has its own reason.
TEST_P(ListEngines, RefuseAListWithItsReason) {
  ListEngineBench bench(GetParam(), 1, 256, 10);
  bench.Setup();
  bench.Queue(0, std::vector<model::Transfer>(2, Copy(0x1000, 64)));
  ASSERT_EQ(bench.Run(4000), "");
  bench.Overrun(0);
  bench.Go(300);
  EXPECT_EQ(bench.failure(), "");
  ASSERT_TRUE(bench.refusal);
  EXPECT_EQ(bench.refusal->index, 2);
  EXPECT_EQ(bench.refusal->reason, 42);
  EXPECT_EQ(bench.refusal->addr, ListEngineBench::kList + 2 * ListEngineBench::kPitch);
  EXPECT_TRUE(bench.halted(0));
}

INSTANTIATE_TEST_SUITE_P(Shapes, ListEngines, testing::ValuesIn(kEngines),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace tessera::list
