// Write ports: order, windows, faults, give up, rates.
#include <gtest/gtest.h>

#include <algorithm>

#include "tb/check/plan.h"
#include "tests/port/write_port_bench.h"

namespace tessera {
namespace {

class WritePort : public testing::TestWithParam<PortShape> {};

TEST_P(WritePort, PassesAllBurstsInOrder) {
  Proves({"port.order", "window.outside", "window.permission", "window.lock", "control.quiesce"});
  uint64_t barred = 0;
  for (uint64_t seed = 0; seed < 4; ++seed) {
    Rng rng(seed);
    PortPace pace;
    const auto some = [&] {
      return rng.Below(2) == 0 ? 256 : 20 + static_cast<int>(rng.Below(236));
    };
    pace.claim = some();
    pace.ax = some();
    pace.data = some();
    pace.memory = some();
    pace.tick = some();
    pace.latency = 1 + static_cast<int>(rng.Below(30));
    pace.access_rare = rng.Below(2) == 0 ? 0 : 200;
    pace.quiesce_rare = rng.Below(2) == 0 ? 0 : 20;
    pace.most_len = rng.Below(2) == 0 ? 2 : 20;
    WritePortBench bench(GetParam(), seed, pace);
    ASSERT_EQ(bench.SetUp(), "") << "seed " << seed;
    ASSERT_EQ(bench.Run(300), "") << "seed " << seed;
    barred += bench.barred();
  }
  EXPECT_EQ(barred != 0, GetParam().windows != 0);
}

TEST_P(WritePort, ContainsFaults) {
  Proves({"port.order", "fault.named", "fault.recovered", "fault.patience"});
  if (!GetParam().guard) GTEST_SKIP() << "without a guard";
  uint64_t early = 0, paid = 0, unasked = 0, time = 0, forgotten = 0, strays = 0, stuck = 0,
           timed_out = 0;
  // Until every kind was seen.
  const auto seen = [&] {
    return std::min({early, paid, unasked, time, forgotten, strays, stuck, timed_out}) > 0;
  };
  for (uint64_t seed = 100; seed < 108 || (!seen() && seed < 200); ++seed) {
    Rng rng(seed);
    PortPace pace;
    const auto some = [&] {
      return rng.Below(2) == 0 ? 256 : 40 + static_cast<int>(rng.Below(216));
    };
    pace.claim = rng.Below(4) == 0 ? 8 : some();
    pace.ax = some();
    pace.data = some();
    pace.memory = some();
    pace.tick = some();
    pace.latency = 1 + static_cast<int>(rng.Below(30));
    pace.access_rare = rng.Below(2) == 0 ? 0 : 200;
    pace.quiesce_rare = rng.Below(2) == 0 ? 0 : 20;
    pace.most_len = rng.Below(2) == 0 ? 2 : 20;
    pace.fault_rare = 40;
    pace.stray_rare = rng.Below(2) == 0 ? 0 : 40;
    WritePortBench bench(GetParam(), seed, pace);
    ASSERT_EQ(bench.SetUp(), "") << "seed " << seed;
    ASSERT_EQ(bench.Run(400), "") << "seed " << seed;
    early += bench.faults(kEarly);
    paid += bench.paid();
    unasked += bench.faults(kUnasked);
    time += bench.faults(kBusTime);
    forgotten += bench.forgotten();
    strays += bench.strays();
    stuck += bench.stuck();
    timed_out += bench.timed_out();
  }
  RecordProperty("faults", static_cast<int>(early + unasked + time));
  EXPECT_GT(early, 0);
  EXPECT_GT(paid, 0);
  EXPECT_GT(unasked, 0);
  EXPECT_GT(time, 0);
  EXPECT_GT(forgotten, 0);
  EXPECT_GT(strays, 0);
  EXPECT_GT(stuck, 0);
  EXPECT_GT(timed_out, 0);
}

// In one window a burst and a beat a cycle; an address is shown one cycle after it came.
TEST_P(WritePort, LosesNoCycle) {
  Proves({"port.rate"});
  PortPace pace;
  pace.most_len = 0;
  pace.one_page = true;
  WritePortBench bench(GetParam(), 1, pace);
  ASSERT_EQ(bench.SetUp(), "");
  const uint64_t begun = bench.cycle();
  ASSERT_EQ(bench.Run(500), "");
  if (GetParam().outstanding > 4 && (GetParam().channels == 1 || GetParam().windows == 0)) {
    EXPECT_LE(bench.cycle() - begun, 500 + 60 + 10);
  }
  if (GetParam().windows == 0) {
    EXPECT_EQ(bench.first_shown() - begun, 2);  // claimed, queued, shown
  }
}

INSTANTIATE_TEST_SUITE_P(All, WritePort, testing::ValuesIn(kPorts),
                         [](const auto& each) { return each.param.name; });

}  // namespace
}  // namespace tessera
