// Read and write ports: order, windows, faults, give up, rates.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "tb/check/plan.h"
#include "tests/port/read_port_bench.h"
#include "tests/port/write_port_bench.h"

namespace tessera {
namespace {

// How often something goes on, at least `least` of 256.
PortPace RandomPace(Rng& rng, int least, bool slow_claims) {
  const auto some = [&] {
    return rng.Below(2) == 0
               ? 256
               : least + static_cast<int>(rng.Below(static_cast<uint64_t>(256 - least)));
  };
  PortPace pace;
  pace.claim = slow_claims && rng.Below(4) == 0 ? 8 : some();
  pace.ax = some();
  pace.data = some();
  pace.memory = some();
  pace.tick = some();
  pace.latency = 1 + static_cast<int>(rng.Below(30));
  pace.access_rare = rng.Below(2) == 0 ? 0 : 200;
  pace.quiesce_rare = rng.Below(2) == 0 ? 0 : 20;
  pace.most_len = rng.Below(2) == 0 ? 2 : 20;
  return pace;
}

template <typename Bench>
void PassAllBurstsInOrder(const PortShape& shape) {
  Proves({"port.order", "window.outside", "window.permission", "window.lock", "control.quiesce"});
  uint64_t barred = 0;
  for (uint64_t seed = 0; seed < 4; ++seed) {
    Rng rng(seed);
    Bench bench(shape, seed, RandomPace(rng, 20, false));
    ASSERT_EQ(bench.SetUp(), "") << "seed " << seed;
    ASSERT_EQ(bench.Run(300), "") << "seed " << seed;
    barred += bench.barred();
  }
  EXPECT_EQ(barred != 0, shape.windows != 0);
}

template <typename Bench>
void ContainFaults(const PortShape& shape) {
  Proves({"port.order", "fault.named", "fault.recovered", "fault.patience"});
  if (!shape.guard) GTEST_SKIP() << "without a guard";
  std::map<std::string, uint64_t> seen;
  // Until every kind was seen.
  const auto every = [&seen] {
    return std::all_of(seen.begin(), seen.end(), [](const auto& kind) { return kind.second > 0; });
  };
  for (uint64_t seed = 100; seed < 108 || (!every() && seed < 200); ++seed) {
    Rng rng(seed);
    PortPace pace = RandomPace(rng, 40, true);
    pace.fault_rare = 40;
    pace.stray_rare = rng.Below(2) == 0 ? 0 : 40;
    Bench bench(shape, seed, pace);
    ASSERT_EQ(bench.SetUp(), "") << "seed " << seed;
    ASSERT_EQ(bench.Run(400), "") << "seed " << seed;
    for (const auto& [kind, count] : bench.Seen()) seen[kind] += count;
  }
  for (const auto& [kind, count] : seen) EXPECT_GT(count, 0U) << kind;
}

// In one window a burst and a beat a cycle; an address is shown one cycle after it came.
template <typename Bench>
void LoseNoCycle(const PortShape& shape) {
  Proves({"port.rate"});
  PortPace pace;
  pace.most_len = 0;
  pace.one_page = true;
  Bench bench(shape, 1, pace);
  ASSERT_EQ(bench.SetUp(), "");
  const uint64_t begun = bench.cycle();
  ASSERT_EQ(bench.Run(500), "");
  if (shape.outstanding > 4 && (shape.channels == 1 || shape.windows == 0)) {
    EXPECT_LE(bench.cycle() - begun, 500 + 60 + 10);
  }
  if (shape.windows == 0) {
    EXPECT_EQ(bench.first_shown() - begun, 2);  // claimed, queued, shown
  }
}

class ReadPort : public testing::TestWithParam<PortShape> {};
class WritePort : public testing::TestWithParam<PortShape> {};

TEST_P(ReadPort, PassesAllBurstsInOrder) { PassAllBurstsInOrder<ReadPortBench>(GetParam()); }
TEST_P(ReadPort, ContainsFaults) { ContainFaults<ReadPortBench>(GetParam()); }
TEST_P(ReadPort, LosesNoCycle) { LoseNoCycle<ReadPortBench>(GetParam()); }
TEST_P(WritePort, PassesAllBurstsInOrder) { PassAllBurstsInOrder<WritePortBench>(GetParam()); }
TEST_P(WritePort, ContainsFaults) { ContainFaults<WritePortBench>(GetParam()); }
TEST_P(WritePort, LosesNoCycle) { LoseNoCycle<WritePortBench>(GetParam()); }

INSTANTIATE_TEST_SUITE_P(All, ReadPort, testing::ValuesIn(kPorts),
                         [](const auto& each) { return each.param.name; });
INSTANTIATE_TEST_SUITE_P(All, WritePort, testing::ValuesIn(kPorts),
                         [](const auto& each) { return each.param.name; });

}  // namespace
}  // namespace tessera
