// Counts of transfers against plain enumeration and tables worked out by hand.
#include <gtest/gtest.h>

#include "tb/check/plan.h"
#include "tests/show/enumerate.h"

namespace tessera::show {
namespace {

using model::Transfer;

// Row by row, without any short cut.
Tally Sequential(const Subject& subject) {
  Tally tally;
  const Nest nest = NestOf(subject);
  BurstPlanner planner(RulesOf(subject.config));
  ForEachRow(nest, [&](const RowStep& step) {
    planner.Add(step.row);
    tally.positions += step.row.bytes() / nest.elem;
    tally.data += step.row.data / nest.elem;
    ++tally.rows;
    if (step.row.data != 0) {
      const uint64_t word = static_cast<uint64_t>(subject.config.data_bytes);
      ++tally.data_rows;
      tally.aligned_words += (step.row.data + word - 1) / word;
      if ((step.row.addr() & nest.mask) % static_cast<uint64_t>(subject.config.data_bytes) != 0) {
        ++tally.odd_rows;
      }
    }
    return true;
  });
  tally.engine = planner.engine();
  tally.least = planner.least();
  tally.operations = planner.operations();
  return tally;
}

std::string Told(const Subject& subject) {
  return subject.config.name + " " + model::ToString(subject.transfer);
}

Subject RandomSubject(uint64_t seed, uint64_t budget) {
  Rng rng(seed);
  const std::vector<Config> configs = PlainConfigs();
  Subject subject;
  subject.config = configs[rng.Below(configs.size())];
  subject.transfer = RandomTransfer(rng, subject.config, 0x40000000 + rng.Below(1 << 16), budget);
  subject.direction = rng.Chance(0.5) ? Direction::kRead : Direction::kWrite;
  if (rng.Chance(0.3)) {
    subject.transfer.last_rule = model::LastRule::kLevel;
    subject.transfer.last_level = static_cast<int>(rng.Below(8));
  }
  if (rng.Chance(0.2)) subject.transfer.finish = model::Finish::kLast;
  return subject;
}

TEST(Count, RandomTransfersAsEnumerated) {
  Proves({"show.counts"});
  uint64_t compared = 0;
  for (uint64_t seed = 1; seed <= 3000; ++seed) {
    const Subject subject = RandomSubject(seed, 1500);
    if (model::Validate(subject.transfer, BuildOf(subject.config))) continue;
    const Analysis a = Analyse(subject);
    const Enumerated e = Enumerate(subject);
    const std::string told = "seed " + std::to_string(seed) + " " + Told(subject);
    ASSERT_TRUE(a.exact) << told;
    ASSERT_EQ(a.tally.positions, e.positions) << told;
    ASSERT_EQ(a.tally.data, e.data) << told;
    ASSERT_EQ(a.tally.rows, e.rows) << told;
    ASSERT_EQ(a.tally.data_rows, e.data_rows) << told;
    ASSERT_EQ(a.tally.odd_rows, e.odd_rows) << told;
    ASSERT_EQ(a.tally.least, e.least) << told;
    ASSERT_LE(a.tally.least.bursts, a.tally.engine.bursts) << told;
    ASSERT_LE(a.tally.least.words, a.tally.engine.words) << told;
    if (subject.direction == Direction::kRead) {
      ASSERT_EQ(a.stream_beats, e.beats) << told;
      ASSERT_EQ(a.packets, e.packets) << told;
    }
    ASSERT_EQ(a.extent.any, e.any) << told;
    const __int128 space = static_cast<__int128>(BuildOf(subject.config).AddressMask()) + 1;
    if (e.any && a.extent.low >= 0 && a.extent.high < space) {
      ASSERT_TRUE(a.extent.exact) << told;
      ASSERT_EQ(static_cast<uint64_t>(a.extent.low), e.low) << told;
      ASSERT_EQ(static_cast<uint64_t>(a.extent.high), e.high) << told;
    }
    ++compared;
  }
  EXPECT_GT(compared, 2500U);
}

TEST(Count, PeriodsGiveWhatEveryRowByItselfGives) {
  Proves({"show.counts"});
  uint64_t compared = 0, saved = 0;
  for (uint64_t seed = 1; seed <= 400; ++seed) {
    const Subject subject = RandomSubject(seed ^ 0x5eed0000, 300'000);
    if (model::Validate(subject.transfer, BuildOf(subject.config))) continue;
    const Analysis a = Analyse(subject);
    const Tally tally = Sequential(subject);
    ASSERT_TRUE(a.exact);
    ASSERT_EQ(a.tally, tally) << "seed " << seed << " " << Told(subject);
    ++compared;
    if (a.steps < tally.rows) ++saved;
  }
  EXPECT_GT(compared, 300U);
  EXPECT_GT(saved, 30U);
}

TEST(Count, ListIsAsLongAsTheCount) {
  Proves({"show.counts"});
  for (uint64_t seed = 1; seed <= 500; ++seed) {
    const Subject subject = RandomSubject(seed ^ 0x11570000, 2000);
    if (model::Validate(subject.transfer, BuildOf(subject.config))) continue;
    const Analysis a = Analyse(subject);
    const std::vector<Burst> bursts = ListBursts(subject);
    uint64_t words = 0;
    const uint64_t word = static_cast<uint64_t>(subject.config.data_bytes);
    for (const Burst& burst : bursts) {
      words += burst.words;
      ASSERT_EQ(burst.addr % word, 0U);
      ASSERT_LE(burst.addr % kPage + burst.words * word, kPage) << Told(subject);
      ASSERT_LE(burst.words, static_cast<uint64_t>(subject.config.max_burst));
    }
    ASSERT_EQ(bursts.size(), a.tally.engine.bursts) << Told(subject);
    ASSERT_EQ(words, a.tally.engine.words) << Told(subject);
  }
}

struct ByHand {
  const char* name;
  Transfer transfer;
  uint64_t rows, bursts, words, least_bursts, beats;
};

// 64-bit bus and stream, bursts of 64.
TEST(Count, WorkedOutByHand) {
  Proves({"show.counts"});
  Transfer padded = Dense(0x1000, {64, 64}, {1, 64});
  padded.start = {-1, -1, 0, 0};
  padded.bound[0] = 62;
  padded.bound[1] = 62;
  Transfer tiles = Dense(0x1000, {2, 2}, {1, 3});
  tiles.bound[0] = tiles.bound[1] = 3;
  tiles.walk[0] = model::WalkLevel{0, 2, 2};
  tiles.walk[1] = model::WalkLevel{1, 2, 2};
  const std::vector<ByHand> table{
      {"plain copy", Dense(0x1000, {64}, {1}), 1, 1, 8, 1, 8},
      {"one byte off", Dense(0x1001, {64}, {1}), 1, 1, 9, 1, 8},
      {"40 bytes across 4 KiB", Dense(0x1fe4, {40}, {1}), 1, 2, 6, 2, 5},
      {"a page and a burst", Dense(0x1000, {4096 + 512}, {1}), 1, 9, 576, 9, 576},
      {"four rows that touch", Dense(0x1000, {8, 4}, {1, 8}), 4, 4, 4, 1, 4},
      {"rows of 16 at 1024", Dense(0x1000, {16, 64}, {1, 1024}), 64, 64, 128, 64, 128},
      {"4 B elements at 16", Dense(0x1000, {64}, {16}, 4), 64, 64, 64, 64, 32},
      {"transposed 64 x 64", Dense(0x1000, {64, 64}, {256, 4}, 4), 4096, 4096, 4096, 4096, 2048},
      // 62 bytes at x0 = 0: 8 words of each of 62 rows, and rows whose words follow each other.
      {"padded", padded, 64, 62, 62 * 8, 8, 512},
      // Tiles of 2 x 2 of 3 x 3 bytes: rows of 2, 2, then 1, 1, then 2 and none, then 1 and none.
      // All but the last lie in word 0x1000, which the engine asks for each time anew.
      {"edge tiles", tiles, 8, 6, 6, 1, 2},
      {"every second word", Dense(0x1000, {8, 8}, {1, 16}), 8, 8, 8, 8, 8},
      // A quarter of the rows lies in two words, and one across 0x1200.
      {"rows of 3 that touch", Dense(0x1000, {3, 200}, {1, 3}), 200, 201, 250, 2, 75},
      {"the same, one byte off", Dense(0x1001, {3, 200}, {1, 3}), 200, 201, 250, 2, 75},
  };
  for (const ByHand& row : table) {
    const Analysis a = Analyse(SubjectOf(row.transfer));
    EXPECT_EQ(a.tally.rows, row.rows) << row.name;
    EXPECT_EQ(a.tally.engine.bursts, row.bursts) << row.name;
    EXPECT_EQ(a.tally.engine.words, row.words) << row.name;
    EXPECT_EQ(a.tally.least.bursts, row.least_bursts) << row.name;
    EXPECT_EQ(a.stream_beats, row.beats) << row.name;
  }
}

// What a loop would need hours for.
TEST(Count, SizeDoesNotMatter) {
  Proves({"show.counts"});
  // 2^32-1 rows of 16 bytes at 1024: two words and a burst each.
  const Analysis rows = Analyse(SubjectOf(Dense(0, {16, 0xFFFFFFFF}, {1, 1024})));
  EXPECT_TRUE(rows.exact);
  EXPECT_EQ(rows.tally.engine.bursts, 0xFFFFFFFFU);
  EXPECT_EQ(rows.tally.engine.words, 0xFFFFFFFFU * uint64_t{2});
  // A transposed 65536 x 65536 of 4 bytes.
  const Analysis turned = Analyse(SubjectOf(Dense(0, {65536, 65536}, {262144, 4}, 4)));
  EXPECT_TRUE(turned.exact);
  EXPECT_EQ(turned.tally.engine.bursts, uint64_t{1} << 32);
  // 64 GiB contiguous, as rows of 1 MiB: bursts of 512 bytes.
  const Analysis copy = Analyse(SubjectOf(Dense(0, {1 << 20, 1 << 16}, {1, 1 << 20})));
  EXPECT_TRUE(copy.exact);
  EXPECT_EQ(copy.tally.engine.bursts, (uint64_t{1} << 36) / 512);
  // Padded tiles of a large image, edges and all: valid bytes are those of the image.
  Transfer tiles = Dense(0, {34, 34}, {1, 100'000});
  tiles.start = {-1, -1, 0, 0};
  tiles.bound[0] = tiles.bound[1] = 96'000;
  tiles.walk[0] = model::WalkLevel{0, 34, 2824};
  tiles.walk[1] = model::WalkLevel{1, 34, 2824};
  const Analysis image = Analyse(SubjectOf(tiles));
  EXPECT_TRUE(image.exact);
  EXPECT_EQ(image.memory_bytes, uint64_t{96'000} * 96'000);
  for (const Analysis& a : {rows, turned, copy, image}) EXPECT_LT(a.steps, 1'000'000U);
}

TEST(Count, SaysWhenItEstimates) {
  Proves({"show.counts"});
  const Subject subject = SubjectOf(Dense(0, {3, 2000, 2000}, {1, 17, 90'001}));
  const Analysis exact = Analyse(subject);
  ASSERT_TRUE(exact.exact);
  const Analysis a = Analyse(subject, {1}, 1000);
  EXPECT_FALSE(a.exact);
  EXPECT_LT(a.counted, a.tally.positions);
  EXPECT_LE(a.steps, 1001U);
  EXPECT_EQ(a.tally.positions, 12'000'000U);
  const double share =
      static_cast<double>(a.tally.engine.bursts) / static_cast<double>(exact.tally.engine.bursts);
  EXPECT_NEAR(share, 1.0, 0.02);
}

}  // namespace
}  // namespace tessera::show
