// The channels of a port together: no cycle of it is lost, and each gets its share by weight.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tb/check/plan.h"
#include "tests/dma/fixture.h"

namespace tessera {
namespace {

class Rates : public DmaTest {
 protected:
  void MakeAt(uint32_t latency) {
    DmaBenchOptions options;
    options.memory = AxiMemoryOptions::Latency(latency);
    Make(options);
  }
  // Channels that share port 0.
  int Channels(Direction way) {
    return (way == kRead ? config().reads : config().writes) / config().ports;
  }
  int WordBytes() { return config().channel.data_bytes; }
  // A channel begins with a transfer that does not end, of rows of so many words.
  void Start(Direction way, int number, int words) {
    native::Descriptor d;
    d.transfer.base = 0x1000000 * static_cast<uint64_t>(number + 1);
    d.transfer.count = {static_cast<uint32_t>(words * WordBytes()), 50000, 1, 1};
    d.transfer.stride = {1, 4096, 0, 0};
    const int index = way == kRead ? number : config().reads + number;
    Write(index, d);
    if (way == kWrite) {
      const auto bytes = static_cast<size_t>(50000 * WordBytes());
      bench().source(number).Push(std::vector<uint8_t>(bytes), PieceEnd::kOpen);
    }
    Push(way, {.start = index}, number);
  }
  // Words of port 0 in so many cycles.
  uint64_t Words(Direction way, int cycles) {
    uint64_t words = 0;
    bench().Watch([&](uint64_t) {
      AxiPort& port = bench().dma().port(0);
      words += way == kRead ? port.r.moves() : port.w.moves();
    });
    bench().Step(cycles);
    bench().Watch({});
    return words;
  }
  // Words of the bus that a stream has moved.
  uint64_t Moved(Direction way, int number) {
    const uint64_t bytes = way == kRead ? bench().sink(number).bytes().size()
                                        : bench().source(number).bytes_accepted();
    return bytes / static_cast<uint64_t>(WordBytes());
  }
};

TEST_P(Rates, ChannelsTogetherUseTheirPortAsOneAloneDoes) {
  Proves({"port.rate"});
  Make();
  if (config().channel.stream_bytes < WordBytes()) GTEST_SKIP() << "streams are the limit";
  constexpr int kCycles = 1000;
  for (const Direction way : {kRead, kWrite}) {
    for (const int latency : {1, 20, 100}) {
      for (const int words : {1, 2, 8}) {
        for (const bool all : {false, true}) {
          MakeAt(static_cast<uint32_t>(latency));
          const int channels = all ? Channels(way) : 1;
          // The bursts in flight and the room for them are other limits, of the memory's latency
          // and of the way there.
          if (config().outstanding * words < latency + 20) continue;
          if (way == kRead && Channels(way) > 1 &&
              config().buffer_beats * channels < latency + 20 + words * channels)
            continue;
          for (int c = 0; c < channels; ++c) Start(way, c, words);
          bench().Step(600);
          const double rate = static_cast<double>(Words(way, kCycles)) / kCycles;
          double least = words == 1 ? 0.8 : 0.95;
          if (!all) least = Channels(way) == 1 ? 0.99 : words == 1 ? 0.95 : 0.97;
          // Each burst of another channel looks for its window: ten cycles, beside the data.
          if (config().windows != 0 && channels > 1) least = std::min(least, words / 10.0);
          EXPECT_GE(rate, least) << fmt::format("{}, {} channels, {} words, latency {}",
                                                NameOf(way), channels, words, latency);
        }
      }
    }
  }
}

// Over the beats of 640 of the longest bursts no share differs by more than 2 % from that due to
// the channel's weight, whatever the length of the rows.
TEST_P(Rates, SharesAreByWeight) {
  Proves({"port.shares"});
  const std::vector<std::vector<uint32_t>> some = {{1, 1, 1, 1}, {3, 1},       {1, 3},
                                                   {15, 1},      {1, 2, 4, 8}, {5, 1, 1, 1}};
  Make();
  if (config().channel.stream_bytes < WordBytes() || Channels(kRead) + Channels(kWrite) < 3)
    GTEST_SKIP() << "no two channels of a port that each could use all of it";
  const int beats = 640 * config().channel.max_burst;
  for (const Direction way : {kRead, kWrite}) {
    for (const std::vector<uint32_t>& weights : some) {
      const auto channels = static_cast<int>(weights.size());
      for (const uint32_t latency : {1U, 20U, 100U}) {
        if (channels > Channels(way)) continue;
        // A buffer must hold the share of its channel, and there must be places for its bursts.
        const bool few = config().outstanding < 16;
        const uint32_t most =
            way == kRead ? (few || config().windows != 0 ? 1U : 20U) : (few ? 20U : 100U);
        if (latency > most) continue;
        SCOPED_TRACE(fmt::format("{}, weights {}, latency {}", NameOf(way),
                                 testing::PrintToString(weights), latency));
        MakeAt(latency);
        double all = 0;
        for (int c = 0; c < channels; ++c) {
          const uint32_t weight = weights[static_cast<size_t>(c)];
          Software::Must(Channel(way, c).SetStanding(weight, 0, 0, 0, 0), "SetStanding");
          all += weight;
        }
        for (int c = 0; c < channels; ++c) Start(way, c, c % 2 == 0 ? 16 : 5);
        bench().Step(3000);
        std::vector<uint64_t> from;  // then what came since
        for (int c = 0; c < channels; ++c) from.push_back(Moved(way, c));
        bench().Step(beats);
        double total = 0;
        for (int c = 0; c < channels; ++c) {
          from[static_cast<size_t>(c)] = Moved(way, c) - from[static_cast<size_t>(c)];
          total += static_cast<double>(from[static_cast<size_t>(c)]);
        }
        // A search for a window takes ten cycles, as long as a burst of the mean length.
        EXPECT_GE(total / beats, config().windows == 0 ? 0.97 : 0.8);
        for (int c = 0; c < channels; ++c) {
          const auto at = static_cast<size_t>(c);
          const double due = total * weights[at] / all;
          EXPECT_LE(std::abs(static_cast<double>(from[at]) - due) * 100 / due, 2)
              << "channel " << c;
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Builds, Rates, EveryDmaForPrograms(), DmaName);

}  // namespace
}  // namespace tessera
