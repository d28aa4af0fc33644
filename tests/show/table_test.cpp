// The table of positions against the reference model's stream and the engine's bursts.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tb/check/plan.h"
#include "tests/show/enumerate.h"
#include "tools/show/table.h"

namespace tessera::show {
namespace {

TEST(TableTest, WorkedOutByHand) {
  Proves({"show.table"});
  // Two rows of three bytes in beats of four, as in the manual: 00 01 02 10, 11 12.
  Subject subject = SubjectOf(Dense(0x1000, {3, 2}, {1, 16}));
  subject.config.stream_bytes = 4;
  const Table table = MakeTable(subject, 100);
  ASSERT_EQ(table.entries.size(), 6U);
  EXPECT_TRUE(table.whole);
  EXPECT_EQ(table.rows, 2U);
  EXPECT_EQ(table.bursts, (std::vector<Burst>{{0x1000, 1}, {0x1010, 1}}));
  const uint64_t beats[] = {0, 0, 0, 0, 1, 1}, lanes[] = {0, 1, 2, 3, 0, 1},
                 bursts[] = {0, 0, 0, 1, 1, 1};
  for (size_t n = 0; n < 6; ++n) {
    EXPECT_EQ(table.entries[n].addr, 0x1000 + n / 3 * 16 + n % 3);
    EXPECT_EQ(table.entries[n].beat, beats[n]);
    EXPECT_EQ(table.entries[n].lane, lanes[n]);
    EXPECT_EQ(table.entries[n].burst, bursts[n]);
    EXPECT_EQ(table.entries[n].ends_packet, n == 5);
  }
}

TEST(TableTest, RandomTransfersLieInTheirBeatsAndBursts) {
  Proves({"show.table"});
  uint64_t compared = 0;
  for (uint64_t seed = 1; seed <= 1500; ++seed) {
    Rng rng(seed ^ 0x7ab1e);
    const std::vector<Config> configs = PlainConfigs();
    Subject subject;
    subject.config = configs[rng.Below(configs.size())];
    subject.transfer = RandomTransfer(rng, subject.config, 0x40000000, 400);
    model::Transfer& t = subject.transfer;
    if (rng.Chance(0.4)) {
      t.last_rule = model::LastRule::kLevel;
      t.last_level = static_cast<int>(rng.Below(8));
    }
    const model::Build build = BuildOf(subject.config);
    if (model::Validate(t, build)) continue;
    const Table table = MakeTable(subject, 100'000);
    const std::vector<Burst> bursts = ListBursts(subject);
    ASSERT_EQ(table.bursts, bursts) << model::ToString(t);
    const model::MemoryImage memory;
    model::ReadModel reader(build, memory);
    reader.Run(t);
    const auto& beats = reader.beats();
    for (const TableEntry& e : table.entries) {
      const std::string told = fmt::format("seed {} position {}", seed, e.index);
      uint64_t beat = e.beat, lane = e.lane;
      for (uint64_t b = 0; b < static_cast<uint64_t>(t.elem); ++b) {
        if (lane == static_cast<uint64_t>(subject.config.stream_bytes)) {
          lane = 0;
          ++beat;
        }
        ASSERT_LT(beat, beats.size()) << told;
        ASSERT_TRUE(beats[beat].keep[lane]) << told;
        const uint8_t byte =
            e.valid ? memory.Read((e.addr + b) & build.AddressMask()) : model::FillByte(t.fill, b);
        ASSERT_EQ(beats[beat].data[lane], byte) << told;
        ++lane;
      }
      ASSERT_EQ(beat, e.last_beat) << told;
      if (e.ends_packet) {
        ASSERT_TRUE(beats[beat].last) << told;
      }
      ASSERT_EQ(e.valid, e.burst.has_value() && e.last_burst.has_value()) << told;
      if (!e.valid) continue;
      const auto inside = [&](uint64_t burst, uint64_t addr) {
        const uint64_t bytes =
            bursts[burst].words * static_cast<uint64_t>(subject.config.data_bytes);
        return ((addr - bursts[burst].addr) & build.AddressMask()) < bytes;
      };
      const uint64_t last = e.addr + static_cast<uint64_t>(t.elem) - 1;
      ASSERT_TRUE(inside(*e.burst, e.addr)) << told;
      ASSERT_TRUE(inside(*e.last_burst, last & build.AddressMask())) << told;
      ++compared;
    }
  }
  EXPECT_GT(compared, 50'000U);
}

TEST(TableTest, BeginsAtTheFirstRowWithDataIfAllBeforeItIsFill) {
  Proves({"show.table"});
  model::Transfer t = Dense(0x1000, {10, 6}, {1, 16});
  t.start = {-2, -3, 0, 0};
  t.bound[0] = 8;
  t.bound[1] = 6;
  const Table table = MakeTable(SubjectOf(t), 20);
  EXPECT_EQ(table.first, 30U);  // three rows of fill
  ASSERT_EQ(table.entries.size(), 20U);
  EXPECT_EQ(table.entries[0].index, 30U);
  EXPECT_FALSE(table.entries[1].valid);
  EXPECT_EQ(table.entries[2].addr, 0x1000U);
  EXPECT_EQ(table.entries[2].beat, 4U);
  EXPECT_EQ(table.entries[2].burst, 0U);
  EXPECT_EQ(MakeTable(SubjectOf(t), 33).first, 0U);  // data are among the first
}

TEST(TableTest, BeginningOfALargeTransferIsCheap) {
  Proves({"show.table"});
  const Table table = MakeTable(SubjectOf(Dense(0, {0xFFFFFFFF, 0xFFFFFFFF}, {1, 3})), 50);
  EXPECT_EQ(table.entries.size(), 50U);
  EXPECT_FALSE(table.whole);
  EXPECT_EQ(table.bursts.size(), 1U);
}

}  // namespace
}  // namespace tessera::show
