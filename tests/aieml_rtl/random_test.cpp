// Random programs: the RTL leaves behind what the behavioural model leaves behind.
#include <gtest/gtest.h>

#include "tests/aieml_rtl/random_program.h"

namespace tessera::aieml {
namespace {

TEST(RandomTile, EndsAsTheModelEnds) {
  ASSERT_FALSE(Tiles().empty());
  for (const TileConfig& config : Tiles()) {
    uint64_t words = 0;
    for (uint64_t seed = 1; seed <= 25; ++seed) {
      const std::string text = RunSeed(config, seed, {}, &words);
      ASSERT_EQ(text, "") << "aieml_random --config " << config.name << " --seed " << seed;
    }
    EXPECT_GT(words, 1000u) << config.name;
  }
}

TEST(RandomTile, WithHeadersAndCompression) {
  for (const TileConfig& config : Tiles()) {
    if (config.stream_bytes != 4) continue;
    for (uint64_t seed = 1; seed <= 25; ++seed) {
      const std::string text = RunSeed(config, seed, {.headers = true, .compression = true});
      ASSERT_EQ(text, "") << "aieml_random --headers --compression --config " << config.name
                          << " --seed " << seed;
    }
  }
}

// Runs that once failed: more words go out than come in.
TEST(RandomTile, SeedsThatOnceFailed) {
  for (const TileConfig& config : Tiles()) {
    if (config.name != "compute") continue;
    EXPECT_EQ(RunSeed(config, 240917743890940, {}), "");
  }
}

}  // namespace
}  // namespace tessera::aieml
