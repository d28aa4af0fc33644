// How fast lists run: cycles from one descriptor to the next.
//
// A descriptor of 9 words takes 9 cycles on the port of the list, 11 if elements of dimension 1 are
// no neighbours. So a list keeps the data busy from 9 or 11 beats a descriptor on, whatever the
// latency. Each descriptor takes a cycle more than it has bursts, and at most 16 are in flight.
#include <algorithm>

#include "tests/mover4d/fixture.h"

namespace tessera {
namespace {

class RateTest : public MoverTest {
 protected:
  // Cycles a descriptor in the second half of a long list: buffers are as full as they get.
  double Cycles(const Cuboid& shape, uint32_t latency, bool writes, int count = 400) {
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
    const size_t first = each * static_cast<size_t>(count / 2),
                 last = each * static_cast<size_t>(count - 1);
    return static_cast<double>(beats[last].cycle - beats[first].cycle) / (count / 2 - 1);
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
        // A burst a row. Of the 64 bursts in flight some are on their way in the engine.
        const bool rows = row.shape.stride[0] == 1;
        const double bursts = rows ? row.beats / static_cast<double>(row.shape.size[0]) : row.beats;
        const double round = latency + (writes ? 8 : 3), places = writes ? 59 : 62;
        const double flight = latency + (writes ? 46 : 40);
        const double limit = std::max(
            {row.beats, rows ? 9.0 : 11.0, bursts + 1, bursts * round / places, flight / 16});
        printf("%-14s latency %3u %s: %.2f cycles, limit %.2f\n", row.name, latency,
               writes ? "write" : "read ", cycles, limit);
        EXPECT_LE(cycles, 1.01 * limit);
        // What the shape and the memory allow is reached to 95 %, but for bursts of one beat.
        const double most = std::max({row.beats, 9.0, bursts * (latency + 2) / 64});
        if (rows) {
          EXPECT_LE(0.95 * cycles, most);
        }
      }
    }
  }
}

// From the last word of the first descriptor to the address of its data, and from the start to that
// of the list.
TEST_P(RateTest, LatencyOfTheFirstDescriptor) {
  constexpr uint64_t kNever = ~uint64_t{0};
  MoverBenchOptions options;
  options.memory = options.lists = AxiMemoryOptions::Latency(20);
  Make(options);
  uint64_t list_word = kNever, address = kNever;
  bench().Watch([&](uint64_t cycle) {
    if (address == kNever && bench().mover().list(0).r.moves()) list_word = cycle;
    if (address == kNever && bench().mover().channel(0).axi.ar.valid) address = cycle;
  });
  for (const Cuboid& shape :
       {Box(0, {8, 1, 1, 1}, {1, 0, 0, 0}), Box(0, {4, 2, 2, 2}, {1, 9, 90, 500}),
        Box(0, {4, 1, 1, 1}, {3, 0, 0, 0})}) {
    Rest();
    GiveList(0, std::vector<Cuboid>{shape});
    list_word = address = kNever;
    bench().Run();
    printf("%lu cycles from the last word to the address of the data\n", address - list_word);
    EXPECT_LE(address - list_word, shape.stride[0] != 1 ? 21U : shape.size[1] == 1 ? 18U : 19U);
  }
}

}  // namespace
}  // namespace tessera
