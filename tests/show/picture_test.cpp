// The picture: well-formed, what it shows, and that no text lies on another.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tb/check/plan.h"
#include "tests/show/enumerate.h"
#include "tests/show/svg_texts.h"
#include "tools/show/memory_map.h"
#include "tools/show/picture.h"

namespace tessera::show {
namespace {

std::string PictureOf(const Subject& subject) {
  return MakePicture(MakeReport("<t & \"u\">", subject, {}));
}

std::vector<Subject> Subjects() {
  std::vector<Subject> all{SubjectOf(Dense(0x1000, {3, 4}, {16, 4}, 4)),
                           SubjectOf(Dense(0x1000, {0}, {1})),
                           SubjectOf(Dense(0x1000, {16, 8}, {1, 1024})),
                           SubjectOf(Dense(0x1000, {4096, 4096}, {1, 4096})),
                           SubjectOf(Dense(0x1000, {100, 3}, {3, 1})),
                           SubjectOf(Dense(0x1000, {8, 8, 3, 2}, {1, 16, 400, 3000})),
                           SubjectOf(Dense(0x1007, {5}, {-64}, 8), Direction::kWrite)};
  model::Transfer padded = Dense(0x1000, {8, 6}, {1, 6});
  padded.start = {-1, -1, 0, 0};
  padded.bound[0] = 6;
  padded.bound[1] = 4;
  all.push_back(SubjectOf(padded));
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    Rng rng(seed ^ 0x91c);
    const std::vector<Config> configs = PlainConfigs();
    const Config& config = configs[rng.Below(configs.size())];
    const uint64_t budget = seed % 3 == 0 ? 100'000 : 60;
    Subject subject{RandomTransfer(rng, config, 0x40000000, budget), Direction::kRead, config};
    if (!model::Validate(subject.transfer, BuildOf(config))) all.push_back(subject);
  }
  return all;
}

TEST(PictureTest, IsWellFormed) {
  Proves({"show.picture"});
  if (std::system("command -v xmllint >/dev/null 2>&1") != 0) {
    GTEST_SKIP() << "no xmllint: scripts/setup installs it";
  }
  const auto folder =
      std::filesystem::temp_directory_path() / fmt::format("tessera_picture_{}", getpid());
  std::filesystem::create_directories(folder);
  size_t number = 0;
  for (const Subject& subject : Subjects()) {
    std::ofstream(folder / fmt::format("{}.svg", number++)) << PictureOf(subject);
  }
  const std::string command = fmt::format("xmllint --noout {}/*.svg", folder.string());
  EXPECT_EQ(std::system(command.c_str()), 0);
  std::filesystem::remove_all(folder);
  EXPECT_GT(number, 50U);
}

TEST(PictureTest, NoTextLiesOnAnother) {
  Proves({"show.picture"});
  for (const Subject& subject : Subjects()) {
    const std::vector<TextBox> texts = Texts(PictureOf(subject));
    ASSERT_GT(texts.size(), 2U);
    ASSERT_EQ(Overlap(texts), "") << subject.config.name << " "
                                  << model::ToString(subject.transfer);
  }
}

// 2 x 2 of 4 bytes: worked out by hand, down to the shapes.
TEST(PictureTest, SmallOneByHand) {
  Proves({"show.picture"});
  const std::string svg = PictureOf(SubjectOf(Dense(0x1000, {2, 2}, {16, 4}, 4)));
  const std::vector<TextBox> texts = Texts(svg);
  std::vector<std::string> words;
  words.reserve(texts.size());
  for (const TextBox& text : texts) words.push_back(text.text);
  const auto has = [&](const std::string& word) {
    return std::count(words.begin(), words.end(), word);
  };
  EXPECT_EQ(has("0x1000"), 1);
  EXPECT_EQ(has("0x1010"), 1);
  // Each position in memory and in the stream; two beats are numbered 0 and 1.
  EXPECT_EQ(has("0"), 3);
  EXPECT_EQ(has("1"), 3);
  EXPECT_EQ(has("2"), 2);
  EXPECT_EQ(has("3"), 2);
  EXPECT_EQ(has("TLAST"), 1);
  EXPECT_EQ(has("bursts 0, 2"), 1);
  EXPECT_EQ(has("bursts 1, 3"), 1);
  EXPECT_NE(svg.find("&lt;t &amp; &quot;u&quot;&gt;"), std::string::npos);
}

TEST(Map, TransposedLinesAreRowsOfMemory) {
  Proves({"show.picture"});
  const Subject subject = SubjectOf(Dense(0x1000, {3, 4}, {16, 4}, 4));
  const MemoryMap map = MakeMap(subject, MakeTable(subject, 100));
  EXPECT_TRUE(map.sheet);
  EXPECT_EQ(map.pitch, 16U);
  EXPECT_EQ(map.line_dim, 0U);
  ASSERT_EQ(map.lines.size(), 3U);
  EXPECT_EQ(map.lines[2].addr, 0x1020U);
  for (const MapCell& cell : map.cells) {
    const uint64_t index = cell.visits.front();
    EXPECT_EQ(cell.line, index % 3);
    EXPECT_EQ(cell.column, static_cast<int64_t>(index / 3 * 4));
  }
}

TEST(Map, FillLiesBesideTheLinesAndNotOnTheirBytes) {
  Proves({"show.picture"});
  model::Transfer t = Dense(0x1000, {8, 6}, {1, 6});
  t.start = {-1, -1, 0, 0};
  t.bound[0] = 6;
  t.bound[1] = 4;
  const Subject subject = SubjectOf(t);
  const MemoryMap map = MakeMap(subject, MakeTable(subject, 100));
  EXPECT_TRUE(map.sheet);
  EXPECT_EQ(map.hidden, 0U);
  EXPECT_EQ(map.lines.size(), 6U);
  ASSERT_EQ(map.columns.size(), 1U);
  EXPECT_EQ(map.columns[0].first, -1);
  EXPECT_EQ(map.columns[0].last, 6);
  uint64_t fill = 0;
  for (const MapCell& cell : map.cells) fill += cell.valid ? 0 : 1;
  EXPECT_EQ(fill, 48U - 24U);
}

// Every position that is not hidden has a cell, and cells of data are the bytes of memory.
TEST(Map, RandomCellsAreTheirAddresses) {
  Proves({"show.picture"});
  uint64_t sheets = 0, plain = 0;
  for (uint64_t seed = 1; seed <= 800; ++seed) {
    Rng rng(seed ^ 0x3a9);
    const Subject subject = SubjectOf(RandomTransfer(rng, {.name = "typical"}, 0x40000000, 300));
    if (model::Validate(subject.transfer, {})) continue;
    const Table table = MakeTable(subject, 200);
    const MemoryMap map = MakeMap(subject, table);
    uint64_t visits = map.hidden;
    for (const MapCell& cell : map.cells) {
      visits += cell.visits.size();
      if (!cell.valid) continue;
      const uint64_t addr = map.lines[cell.line].addr + static_cast<uint64_t>(cell.column);
      for (const uint64_t visit : cell.visits) {
        ASSERT_EQ(addr, table.entries[visit].addr) << model::ToString(subject.transfer);
      }
    }
    ASSERT_EQ(visits, table.entries.size()) << model::ToString(subject.transfer);
    (map.sheet ? sheets : plain)++;
  }
  EXPECT_GT(sheets, 100U);
  EXPECT_GT(plain, 100U);
}

}  // namespace
}  // namespace tessera::show
