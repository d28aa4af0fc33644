// Rates of made-up runs, the baseline, plots.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <stdexcept>
#include <vector>

#include "bench/measure.h"
#include "bench/report.h"
#include "tools/bench/plot.h"

namespace tessera::bench {
namespace {

TEST(TransfersToRun, ClampsAtBothEnds) {
  EXPECT_EQ(TransfersToRun(1), 2000);
  EXPECT_EQ(TransfersToRun(512), 375);
  EXPECT_EQ(TransfersToRun(1000000), 24);
}

TEST(CyclesPerTransfer, SteadyRun) {
  std::vector<uint64_t> cycles;
  for (uint64_t n = 0; n < 4000; ++n) cycles.push_back(77 + n);
  EXPECT_DOUBLE_EQ(CyclesPerTransfer(cycles, 1000), 4.0);
}

TEST(CyclesPerTransfer, BeginningAndEndDoNotCount) {
  std::vector<uint64_t> cycles;
  uint64_t cycle = 0;
  for (uint64_t n = 0; n < 4000; ++n) {
    cycle += n < 900 || n > 3100 ? 9 : 2;
    cycles.push_back(cycle);
  }
  EXPECT_DOUBLE_EQ(CyclesPerTransfer(cycles, 4000), 2.0);
}

TEST(CyclesPerTransfer, BunchesOf64DoNotDependOnTheirPhase) {
  for (uint64_t phase = 0; phase < 64; ++phase) {
    std::vector<uint64_t> cycles;
    for (uint64_t n = phase; n < 2000 + phase; ++n) cycles.push_back(n / 64 * 102 + n % 64);
    EXPECT_NEAR(CyclesPerTransfer(cycles, 2000), 102.0 / 64.0, 1e-9) << phase;
  }
}

TEST(CyclesPerTransfer, RefusesWhatHasNoRate) {
  EXPECT_THROW(CyclesPerTransfer(std::vector<uint64_t>(3), 3), std::invalid_argument);
  EXPECT_THROW(CyclesPerTransfer(std::vector<uint64_t>(9), 10), std::invalid_argument);
}

TEST(Compare, OnePercentIsTheLimit) {
  const Figures baseline{{"a", 1.0}, {"b", 0.5}, {"c/bursts", 100.0}, {"d/cycles", 3.0}};
  EXPECT_TRUE(
      Compare(baseline, {{"a", 0.991}, {"c/bursts", 100.9}, {"d/cycles", 3}}).worse.empty());
  EXPECT_EQ(Compare(baseline, {{"a", 0.989}}).worse.size(), 1);
  EXPECT_EQ(Compare(baseline, {{"c/bursts", 101.1}}).worse.size(), 1);
  EXPECT_EQ(Compare(baseline, {{"d/cycles", 4}}).worse.size(), 1);
  EXPECT_EQ(Compare(baseline, {{"d/cycles", 2}}).better.size(), 1);
  const Comparison unknown = Compare(baseline, {{"e", 1.0}});
  EXPECT_EQ(unknown.unknown.size(), 1);
  EXPECT_EQ(unknown.compared, 0);
}

TEST(Baseline, IsReadAsWritten) {
  const std::string path = ::testing::TempDir() + "bench_baseline_test.csv";
  const Figures figures{{"read/copy-8/64/L1", 0.5}, {"x/bursts", 2}};
  SaveBaseline(path, figures);
  EXPECT_EQ(LoadBaseline(path), figures);
  std::remove(path.c_str());
  EXPECT_THROW(LoadBaseline(path), std::invalid_argument);
}

TEST(Clocks, AreThoseOfTheRelease) {
  const Clocks clocks = Clocks::Load(TESSERA_SOURCE_DIR "/bench/figures.json");
  ASSERT_TRUE(clocks.Mhz(Path::kRead, 64));
  ASSERT_TRUE(clocks.Mhz(Path::kWrite, 64));
  EXPECT_EQ(clocks.Mhz(Path::kLoop, 64),
            std::min(clocks.Mhz(Path::kRead, 64), clocks.Mhz(Path::kWrite, 64)));
}

TEST(Clocks, NoFileIsNoClock) {
  EXPECT_THROW(Clocks::Load("/nowhere/figures.json"), std::invalid_argument);
  const Clocks none;
  EXPECT_FALSE(none.Mhz(Path::kRead, 64));
  EXPECT_FALSE(none.Mhz(Path::kLoop, 512));
  EXPECT_DOUBLE_EQ(Bandwidth(1.0, 64, 190.0), 1.52);
}

TEST(Plot, DrawsEverySeries) {
  const std::string svg =
      Plot("title", {{"one", "#123456", Series::Style::kLine, {{8, 0.5}, {64, 1}}},
                     {"none", "#654321", Series::Style::kDots, {}}});
  EXPECT_NE(svg.find("points=\"0,194 560,34\""), std::string::npos) << svg;
  EXPECT_NE(svg.find(">one<"), std::string::npos);
  EXPECT_EQ(svg.find("none<"), std::string::npos);
  EXPECT_THROW(Plot("empty", {}), std::invalid_argument);
}

}  // namespace
}  // namespace tessera::bench
