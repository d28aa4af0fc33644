// The shrinker against predicates whose smallest failing case is known.
#include "tb/random/shrink.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tb/check/plan.h"
#include "tb/random/generate.h"

namespace tessera {
namespace {

Config TestConfig() {
  Config config;
  config.name = "typical";
  return config;
}

ShrinkResult ShrinkFirst(const std::function<bool(const Case&)>& fails) {
  const Config config = TestConfig();
  ShrinkOptions options;
  options.most_runs = 20000;
  options.repair = [config](Case* value) { return Repair(value, config); };
  for (uint64_t seed = 0; seed < 5000; ++seed) {
    const Case value = RandomCase(config, seed);
    if (fails(value)) return Shrink(value, fails, options);
  }
  ADD_FAILURE() << "no random case fails";
  return {};
}

TEST(Shrink, DropsEverythingThatIsNotNeeded) {
  Proves({"random.shrink"});
  // Fails as soon as a read has a negative innermost stride and more than 3 elements in a row.
  const auto fails = [](const Case& value) {
    return std::any_of(value.reads.begin(), value.reads.end(),
                       [](const model::Transfer& t) { return t.stride[0] < 0 && t.count[0] > 3; });
  };
  const ShrinkResult result = ShrinkFirst(fails);
  const Case& c = result.smallest;
  ASSERT_EQ(c.reads.size(), 1u);
  EXPECT_TRUE(c.writes.empty());
  EXPECT_TRUE(c.stream.empty());
  EXPECT_EQ(c.reads[0].count, (std::array<uint32_t, 4>{4, 1, 1, 1}));
  EXPECT_LT(c.reads[0].stride[0], 0);
  EXPECT_EQ(c.reads[0].stride[1], 0);
  EXPECT_FALSE(c.reads[0].has_walk());
  EXPECT_FALSE(c.reads[0].length.has_value());
  EXPECT_EQ(c.reads[0].elem, 1);
  EXPECT_EQ(c.sink, PacerSpec{});
  EXPECT_EQ(c.memory.ToString(), AxiMemoryOptions{}.ToString());
  EXPECT_TRUE(c.abort_read.empty());
  EXPECT_GT(result.kept, 0u);
}

TEST(Shrink, KeepsWhatBelongsTogether) {
  Proves({"random.shrink"});
  // Needs a joined read of odd length, some sink that stalls, and a read after it.
  const auto fails = [](const Case& value) {
    if (value.sink == PacerSpec{}) return false;
    for (size_t k = 0; k + 1 < value.reads.size(); ++k) {
      if (value.reads[k].joins() && model::Positions(value.reads[k]) % 2 == 1) return true;
    }
    return false;
  };
  const Case c = ShrinkFirst(fails).smallest;
  ASSERT_EQ(c.reads.size(), 2u);
  EXPECT_TRUE(c.reads[0].joins());
  EXPECT_EQ(model::Positions(c.reads[0]), 1u);
  EXPECT_EQ(model::Positions(c.reads[1]), 1u);
  EXPECT_TRUE(c.writes.empty());
  EXPECT_FALSE(c.sink == PacerSpec{});
  EXPECT_EQ(c.source, PacerSpec{});
}

TEST(Shrink, FindsTheThresholdOfANumber) {
  Proves({"random.shrink"});
  const auto fails = [](const Case& value) {
    uint64_t bytes = 0;
    for (const StreamPiece& piece : value.stream) bytes += piece.bytes;
    return bytes >= 100 && !value.writes.empty();
  };
  const Case c = ShrinkFirst(fails).smallest;
  EXPECT_EQ(c.writes.size(), 1u);
  uint64_t bytes = 0;
  for (const StreamPiece& piece : c.stream) bytes += piece.bytes;
  EXPECT_EQ(bytes, 100u);
  EXPECT_TRUE(c.reads.empty());
}

TEST(Shrink, StopsAtItsLimit) {
  Proves({"random.shrink"});
  ShrinkOptions options;
  options.most_runs = 7;
  const ShrinkResult result = Shrink(
      RandomCase(TestConfig(), 1), [](const Case&) { return false; }, options);
  EXPECT_LE(result.tried, 7u);
  EXPECT_EQ(result.kept, 0u);
}

TEST(Shrink, NeverMakesACaseHeavier) {
  Proves({"random.shrink"});
  uint64_t weight = ~uint64_t{0};
  ShrinkOptions options;
  options.progress = [&](const ShrinkResult& result) {
    EXPECT_LT(Weight(result.smallest), weight);
    weight = Weight(result.smallest);
  };
  const ShrinkResult result = Shrink(
      RandomCase(TestConfig(), 3), [](const Case& c) { return !c.reads.empty(); }, options);
  EXPECT_EQ(result.smallest.reads.size(), 1u);
  EXPECT_EQ(model::Positions(result.smallest.reads[0]) > 1, false);
}

}  // namespace
}  // namespace tessera
