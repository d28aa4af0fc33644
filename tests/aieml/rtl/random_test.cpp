// Random programs: the RTL leaves behind what the behavioural model leaves behind.
#include <gtest/gtest.h>

#include "tests/aieml/rtl/random_program.h"

namespace tessera::aieml {
namespace {

TEST(RandomTile, EndsAsTheModelEnds) {
  if (Tiles().empty()) GTEST_SKIP() << "no build of tessera_aieml";
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
  if (Tiles().empty()) GTEST_SKIP() << "no build of tessera_aieml";
  for (const TileConfig& config : Tiles()) {
    if (config.stream_bytes != 4) continue;
    for (uint64_t seed = 1; seed <= 25; ++seed) {
      const std::string text = RunSeed(config, seed, {.headers = true, .compression = true});
      ASSERT_EQ(text, "") << "aieml_random --headers --compression --config " << config.name
                          << " --seed " << seed;
    }
  }
}

// On the model alone: of a program that sends something the smallest part is a task, or two that
// hand a buffer over.
TEST(RandomTile, PartsAreTasksWithTheirFeed) {
  for (const TileKind kind : {TileKind::kShim, TileKind::kMemory, TileKind::kCompute}) {
    int found = 0;
    for (uint64_t seed = 1; seed <= 12; ++seed) {
      const RandomProgram whole = MakeRandom(kind, Rng(seed));
      const auto fed = [](const RandomProgram& program) {
        std::vector<size_t> words(program.feed.size());
        for (const RandomProgram::Task& task : program.tasks) words[task.channel] += task.fed;
        for (size_t k = 0; k < words.size(); ++k) EXPECT_EQ(program.feed[k].size(), words[k]);
      };
      fed(whole);
      const auto sends = [&](const Parts& parts) {
        RandomProgram part = whole;
        Reduce(parts, &part);
        fed(part);
        ModelSide model(kind, seed);
        return aieml::Run(part, &model) && model.SentWords(0) > 0;
      };
      Parts parts = PartsOf(whole);
      if (!sends(parts)) continue;
      ++found;
      parts.Shrink(300, sends);
      EXPECT_LE(parts.kept(), 2u) << parts.ToString();
    }
    EXPECT_GT(found, 3);
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
