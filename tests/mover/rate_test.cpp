// How fast lists run: cycles from one descriptor to the next, and from the start to the first
// address.
//
// A descriptor of 9 words takes 9 cycles on the port of the list. So a list keeps the data busy
// from 9 beats a descriptor on, whatever the latency; shorter ones come at 9 cycles each.
#include <algorithm>

#include "tests/mover/fixture.h"

namespace tessera {
namespace {

class RateTest : public MoverTest {
 protected:
  // Cycles a descriptor in the middle half of a long list.
  double Cycles(const Cuboid& shape, uint32_t latency, bool writes, int count = 120) {
    MoverBenchOptions options;
    options.memory = AxiMemoryOptions::Latency(latency);
    options.lists = AxiMemoryOptions::Latency(latency);
    Make(options);
    Rest();
    const int channel = writes ? writer() : 0;
    std::vector<Cuboid> list;
    for (int n = 0; n < count; ++n) {
      list.push_back(shape);
      list.back().bias = 1024 * n;
    }
    GiveList(channel, list);
    const auto transfers = Transfers(list, DataAt(channel), element(), MoverLast::kNever);
    std::vector<std::pair<uint64_t, uint8_t>> wanted;
    if (writes) wanted = Feed(channel, transfers, Rng(4));
    bench().Run();
    EXPECT_EQ(Error(channel), 0U);
    ExpectMemory(wanted);
    if (!writes) ExpectBeats(bench().sink(0), Sent(transfers));
    const std::vector<StreamBeat>& beats =
        writes ? bench().source(0).beats() : bench().sink(0).beats();
    const size_t each = beats.size() / static_cast<size_t>(count);
    const size_t first = each * static_cast<size_t>(count / 4),
                 last = each * static_cast<size_t>(3 * count / 4);
    return static_cast<double>(beats[last].cycle - beats[first].cycle) / (count / 2);
  }
};
TESSERA_MOVER_SUITE(RateTest, Built({"single"}));

TEST_P(RateTest, DescriptorsFollowEachOtherWithoutIdleCycles) {
  struct Row {
    const char* name;
    Cuboid shape;
    double beats;
  };
  const Row rows[] = {
      {"8 in a row", Box(0, {8, 1, 1, 1}, {1, 0, 0, 0}), 8},
      {"9 in a row", Box(0, {9, 1, 1, 1}, {1, 0, 0, 0}), 9},
      {"16 in a row", Box(0, {16, 1, 1, 1}, {1, 0, 0, 0}), 16},
      {"64 in a row", Box(0, {64, 1, 1, 1}, {1, 0, 0, 0}), 64},
      {"4 x 2", Box(0, {4, 2, 1, 1}, {1, 20, 0, 0}), 8},
      {"2 x 2 x 2", Box(0, {2, 2, 2, 1}, {1, 20, 100, 0}), 8},
      {"16, one by one", Box(0, {16, 1, 1, 1}, {3, 0, 0, 0}), 16},
      {"4 x 4", Box(0, {4, 4, 1, 1}, {1, 20, 0, 0}), 16},
      {"2 x 2 x 2 x 2", Box(0, {2, 2, 2, 2}, {1, 20, 100, 400}), 16},
      {"8 x 4", Box(0, {8, 4, 1, 1}, {1, 20, 0, 0}), 32},
  };
  for (const Row& row : rows) {
    for (const uint32_t latency : {1U, 20U, 100U}) {
      for (const bool writes : {false, true}) {
        const double cycles = Cycles(row.shape, latency, writes);
        // A burst a row; the memory has at most 64 of them in hand.
        const double bursts = row.shape.stride[0] == 1
                                  ? row.beats / static_cast<double>(row.shape.size[0])
                                  : row.beats;
        const double limit = std::max({row.beats, 9.0, bursts * (latency + 2) / 64});
        printf("%-14s latency %3u %s: %.2f cycles, limit %.2f\n", row.name, latency,
               writes ? "write" : "read ", cycles, limit);
        EXPECT_LE(cycles, 1.01 * limit);
      }
    }
  }
}

}  // namespace
}  // namespace tessera
