// Advice, notes and rewrites: what is advised is the same transfer, and faster.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "tb/check/plan.h"
#include "tests/show/enumerate.h"
#include "tools/show/advice.h"
#include "tools/show/reach.h"
#include "tools/show/rewrite.h"

namespace tessera::show {
namespace {

using model::Transfer;

// What the stream carries, byte by byte: an address, or fill.
std::vector<int64_t> StreamOf(const Transfer& t, const model::Build& build) {
  std::vector<int64_t> bytes;
  model::Walk(t, build, [&](const model::Position& p) {
    for (int b = 0; b < t.elem; ++b) {
      bytes.push_back(
          p.valid ? static_cast<int64_t>((p.addr + static_cast<uint64_t>(b)) & build.AddressMask())
                  : -1 - int64_t{model::FillByte(t.fill, static_cast<size_t>(b))});
    }
    return true;
  });
  return bytes;
}

std::vector<int64_t> Sorted(std::vector<int64_t> bytes) {
  std::sort(bytes.begin(), bytes.end());
  return bytes;
}

std::vector<std::string> Ids(const Transfer& t, Direction direction = Direction::kRead,
                             Config config = {.name = "typical"}) {
  std::vector<std::string> ids;
  for (const Note& note : FindNotes(Analyse(SubjectOf(t, direction, std::move(config))))) {
    ids.push_back(note.id);
  }
  return ids;
}

using List = std::vector<std::string>;

TEST(Advice, RandomAdviceKeepsItsPromise) {
  Proves({"show.advice"});
  std::set<Advice::Kind> kinds;
  uint64_t given = 0;
  for (uint64_t seed = 1; seed <= 1500; ++seed) {
    Rng rng(seed ^ 0xad1ce);
    const std::vector<Config> configs = PlainConfigs();
    Subject subject;
    subject.config = configs[rng.Below(configs.size())];
    subject.transfer = RandomTransfer(rng, subject.config, 0x40000000, 800);
    subject.direction = rng.Chance(0.5) ? Direction::kRead : Direction::kWrite;
    const model::Build build = BuildOf(subject.config);
    if (model::Validate(subject.transfer, build)) continue;
    const std::vector<int64_t> before = StreamOf(subject.transfer, build);
    for (const Advice& advice : Advise(subject)) {
      const std::string told =
          fmt::format("seed {} {}\n{}\n{}", seed, model::ToString(subject.transfer), advice.text,
                      model::ToString(advice.transfer));
      ASSERT_FALSE(model::Validate(advice.transfer, build)) << told;
      const Subject other{advice.transfer, subject.direction, subject.config};
      const Analysis a = Analyse(other, {kAdviceLatency});
      const Analysis now = Analyse(subject, {kAdviceLatency});
      ASSERT_LE(a.cycles[0].engine, now.cycles[0].engine) << told;
      ASSERT_EQ(a.cycles[0].engine, advice.cycles_after) << told;
      ASSERT_EQ(a.tally.engine.bursts, advice.bursts_after) << told;
      const bool better = a.cycles[0].engine < now.cycles[0].engine ||
                          a.tally.engine.bursts < now.tally.engine.bursts ||
                          a.tally.rows < now.tally.rows || advice.kind == Advice::Kind::kWiden;
      ASSERT_TRUE(better) << told;
      const std::vector<int64_t> after = StreamOf(advice.transfer, build);
      ASSERT_EQ(after.size(), before.size()) << told;
      if (advice.same_bytes && advice.same_stream) {
        ASSERT_EQ(after, before) << told;
      }
      if (advice.same_bytes) {
        ASSERT_EQ(Sorted(after), Sorted(before)) << told;
      }
      kinds.insert(advice.kind);
      ++given;
    }
  }
  EXPECT_GT(given, 300U);
  EXPECT_GE(kinds.size(), 3U);
}

TEST(Advice, RandomRewritesVisitTheSame) {
  Proves({"show.advice"});
  uint64_t folded = 0, widened = 0, flipped = 0;
  for (uint64_t seed = 1; seed <= 6000; ++seed) {
    Rng rng(seed ^ 0xf01d);
    const Config config{.name = "typical"};
    Transfer t = RandomTransfer(rng, config, 0x40000000, 500);
    model::Build build;
    if (model::Validate(t, build)) continue;
    const std::vector<int64_t> before = StreamOf(t, build);
    for (size_t d = 0; d < model::kDims; ++d) {
      for (size_t e = d + 1; e < model::kDims; ++e) {
        if (const auto to = Folded(t, d, e)) {
          ASSERT_EQ(StreamOf(*to, build), before) << model::ToString(t) << model::ToString(*to);
          ++folded;
        }
      }
      if (!IsWholeBox(t)) continue;
      if (const auto to = Flipped(t, d)) {
        ASSERT_EQ(Sorted(StreamOf(*to, build)), Sorted(before)) << model::ToString(t);
        ++flipped;
      }
      std::array<size_t, 4> order{0, 1, 2, 3};
      std::swap(order[d], order[rng.Below(4)]);
      ASSERT_EQ(Sorted(StreamOf(Permuted(t, order), build)), Sorted(before)) << model::ToString(t);
    }
    if (const auto to = Widened(t, 8)) {
      ASSERT_EQ(StreamOf(*to, build), before) << model::ToString(t) << model::ToString(*to);
      ++widened;
    }
  }
  EXPECT_GT(folded, 300U);
  EXPECT_GT(widened, 300U);
  EXPECT_GT(flipped, 3000U);
}

TEST(Advice, TransposedReadByHand) {
  Proves({"show.advice"});
  // 64 x 64 elements of 4 bytes, columns first: a word for each element. Rows first: 2 words for 4
  // elements, that is 2048; the whole is contiguous, 32 bursts of 512 bytes.
  const std::vector<Advice> advice = Advise(SubjectOf(Dense(0x1000, {64, 64}, {256, 4}, 4)));
  ASSERT_FALSE(advice.empty());
  EXPECT_EQ(advice[0].kind, Advice::Kind::kOrder);
  EXPECT_EQ(advice[0].cycles_before, 4096);
  EXPECT_EQ(advice[0].cycles_after, 2048);
  EXPECT_EQ(advice[0].bursts_before, 4096U);
  EXPECT_EQ(advice[0].bursts_after, 32U);
  EXPECT_FALSE(advice[0].same_stream);
}

TEST(Advice, RowsThatTouchFoldByHand) {
  Proves({"show.advice"});
  // 1000 rows of 2 bytes: a row a cycle. As one row of 2000 bytes: 250 words.
  const std::vector<Advice> advice = Advise(SubjectOf(Dense(0x1000, {2, 1000}, {1, 2})));
  ASSERT_FALSE(advice.empty());
  EXPECT_EQ(advice[0].kind, Advice::Kind::kFold);
  EXPECT_EQ(advice[0].cycles_before, 1000);
  EXPECT_EQ(advice[0].cycles_after, 250);
  EXPECT_EQ(advice[0].transfer.count, (std::array<uint32_t, 4>{2000, 1, 1, 1}));
  EXPECT_TRUE(advice[0].same_stream);
}

TEST(Advice, AlignedPlaceByHand) {
  Proves({"show.advice"});
  // Rows of 8 bytes, one byte off: two words each instead of one.
  const std::vector<Advice> advice = Advise(SubjectOf(Dense(0x1001, {8, 64}, {1, 64})));
  ASSERT_EQ(advice.size(), 1U);
  EXPECT_EQ(advice[0].kind, Advice::Kind::kPlace);
  EXPECT_EQ(advice[0].transfer.base, 0x1000U);
  EXPECT_EQ(advice[0].cycles_before, 128);
  EXPECT_EQ(advice[0].cycles_after, 64);
}

TEST(Advice, NothingForWhatIsGood) {
  Proves({"show.advice"});
  EXPECT_TRUE(Advise(SubjectOf(Dense(0x1000, {4096}, {1}))).empty());
  EXPECT_TRUE(Advise(SubjectOf(Dense(0x1000, {64, 64}, {1, 256}))).empty());
  EXPECT_TRUE(Advise(SubjectOf(Dense(0x1000, {0}, {1}))).empty());
}

TEST(Advice, NoOtherOrderForWritesThatOverlap) {
  Proves({"show.advice"});
  // Two turns write the same bytes: the order decides which remain.
  for (const Advice& advice :
       Advise(SubjectOf(Dense(0x1000, {64, 8, 2}, {256, 4, 0}, 4), Direction::kWrite))) {
    EXPECT_TRUE(advice.same_stream) << advice.text;
  }
}

TEST(Overlap, AgreesWithEnumeration) {
  Proves({"show.notes"});
  uint64_t overlapping = 0, none = 0;
  for (uint64_t seed = 1; seed <= 2000; ++seed) {
    Rng rng(seed ^ 0x0bad);
    const Subject subject = SubjectOf(RandomTransfer(rng, {.name = "typical"}, 0x40000000, 300));
    if (model::Validate(subject.transfer, {})) continue;
    std::vector<int64_t> bytes = StreamOf(subject.transfer, {});
    std::erase_if(bytes, [](int64_t b) { return b < 0 && b >= -256; });
    bytes = Sorted(bytes);
    const bool twice = std::adjacent_find(bytes.begin(), bytes.end()) != bytes.end();
    ASSERT_EQ(FindOverlap(subject), twice ? Overlap::kSome : Overlap::kNone)
        << model::ToString(subject.transfer);
    (twice ? overlapping : none)++;
  }
  EXPECT_GT(overlapping, 100U);
  EXPECT_GT(none, 100U);
}

TEST(Notes, EachHasItsOccasion) {
  Proves({"show.notes"});
  const Transfer plain = Dense(0x1000, {64, 64}, {1, 64});
  EXPECT_EQ(Ids(plain), List{});
  EXPECT_EQ(Ids(Dense(0x1000, {0}, {1})), List{"empty"});
  EXPECT_EQ(Ids(Dense(0x1000, {8, 5}, {1, 0})), List{"repeat"});
  EXPECT_EQ(Ids(Dense(0x1000, {8, 5}, {1, 0}), Direction::kWrite), List{"repeat"});
  EXPECT_EQ(Ids(Dense(0x1000, {8, 5}, {1, 4}), Direction::kWrite), (List{"overlap", "alignment"}));
  EXPECT_EQ(Ids(Dense(0x1000, {8, 5}, {1, 8}), Direction::kWrite), List{});
  const Config small{.name = "small", .addr_width = 32};
  EXPECT_EQ(Ids(Dense(0xFFFFFF00, {1024}, {1}), Direction::kRead, small), List{"wrap"});
  EXPECT_EQ(Ids(Dense(0, {4}, {-8}, 8)), List{"wrap"});
  Transfer outside = plain;
  outside.bound[1] = 0;
  EXPECT_EQ(Ids(outside), List{"all-fill"});
  EXPECT_EQ(Ids(Dense(0x1001, {8, 64}, {1, 64})), List{"alignment"});
  Transfer packets = Dense(0x1000, {3, 64}, {1, 8});
  packets.last_rule = model::LastRule::kLevel;
  EXPECT_EQ(Ids(packets), List{"partial-beats"});
  Transfer on_last = plain;
  on_last.finish = model::Finish::kLast;
  EXPECT_EQ(Ids(on_last, Direction::kWrite), List{"on-tlast"});
  Transfer cut = plain;
  cut.length = 5;
  EXPECT_EQ(Ids(cut), List{"length"});
  EXPECT_EQ(Ids(Dense(0, {0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF}, {1, 1, 1})),
            (List{"huge", "estimate"}));
  EXPECT_EQ(Ids(Dense(0, {0x80000000, 0x20000}, {1, 0x80000000})), List{"huge"});
}

}  // namespace
}  // namespace tessera::show
