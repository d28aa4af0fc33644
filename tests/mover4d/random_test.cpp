// Random lists on all channels at once, with memories and streams that are as unhelpful as they may
// be, against the norm. A seed is a case: MOVER_SEEDS=first:count runs others.
#include <cstdlib>

#include "tests/mover4d/fixture.h"

namespace tessera {
namespace {

class RandomTest : public MoverTest {
 protected:
  // Sizes that are small, with corners.
  static uint64_t Size(Rng& rng) {
    if (rng.Chance(0.04)) return 0;
    return rng.Chance(0.3) ? 1 : rng.Between(1, 9);
  }
  static int64_t Stride(Rng& rng, uint64_t most) {
    if (rng.Chance(0.3)) return 1;
    if (rng.Chance(0.1)) return 0;
    const auto stride = static_cast<int64_t>(rng.Between(0, most));
    return rng.Chance(0.3) ? -stride : stride;
  }
  static Cuboid DrawCuboid(Rng& rng) {
    Cuboid cuboid;
    cuboid.bias = static_cast<int64_t>(rng.Between(8000, 12000));
    for (size_t d = 0; d < 4; ++d) {
      cuboid.size[d] = d < rng.Below(5) ? Size(rng) : 1;
      cuboid.stride[d] = Stride(rng, d == 0 ? 4 : 300);
    }
    if (rng.Chance(0.2)) {  // a long row
      cuboid.size = {rng.Between(20, 700), 1, rng.Between(1, 2), 1};
      cuboid.stride[0] = rng.Chance(0.9) ? 1 : -1;
    }
    return cuboid;
  }
  static Pattern DrawPattern(Rng& rng) {
    Pattern pattern;
    for (size_t d = 0; d < 4; ++d) {
      pattern.buffer[d] = static_cast<uint32_t>(rng.Between(1, 12));
      pattern.offset[d] = static_cast<int32_t>(rng.Below(4));
      pattern.tiling[d] = static_cast<uint32_t>(rng.Chance(0.03) ? 0 : rng.Between(1, 4));
      pattern.order[d] = static_cast<uint32_t>(rng.Below(4));
      pattern.step[d] = static_cast<int32_t>(rng.Below(4)) - (rng.Chance(0.2) ? 2 : 0);
      pattern.wrap[d] = static_cast<uint32_t>(rng.Chance(0.03) ? 0 : rng.Between(1, 3));
    }
    pattern.offset[3] += 4;  // nothing before the buffer
    return pattern;
  }

  template <typename Descriptor, typename Draw>
  std::vector<model::Transfer> DrawList(int channel, Rng& rng, Draw&& draw) {
    std::vector<Descriptor> list(rng.Below(14));
    for (Descriptor& descriptor : list) descriptor = draw(rng);
    const auto last = static_cast<MoverLast>(rng.Below(4));
    const uint64_t at = ListAt(channel) + 0x1000 - 8 * rng.Below(60);  // across a page
    const uint64_t base = DataAt(channel) + rng.Below(64);
    bench().Give(channel, at, list);
    bench().SetBase(channel, base);
    bench().SetOptions(channel, last, std::is_same_v<Descriptor, Pattern>);
    return Transfers(list, base, element(), last);
  }

  // A list for each channel, and what they must do.
  struct Work {
    std::vector<std::vector<model::Transfer>> transfers;
    std::vector<std::vector<model::StreamBeat>> sent;
    std::vector<size_t> seen;  // beats of each sink before
    std::vector<std::pair<uint64_t, uint8_t>> wanted;
  };
  Work SetUpAll(Rng& rng) {
    Work work;
    bench().memory().ClearTouched();
    for (int c = 0; c < config().channels(); ++c) {
      const bool patterns = config().patterns && rng.Chance(0.4);
      work.transfers.push_back(patterns ? DrawList<Pattern>(c, rng, DrawPattern)
                                        : DrawList<Cuboid>(c, rng, DrawCuboid));
      if (c < config().reads) {
        work.sent.push_back(Sent(work.transfers.back()));
        work.seen.push_back(bench().sink(c).beats().size());
      } else {
        for (const auto& byte : Feed(c, work.transfers.back(), rng.Stream("data")))
          work.wanted.push_back(byte);
      }
    }
    return work;
  }
  void Check(const Work& work) {
    for (int c = 0; c < config().channels(); ++c) {
      const auto n = static_cast<size_t>(c);
      ASSERT_EQ(Error(c), 0U) << "channel " << c;
      ASSERT_EQ(Register(c, mover::kCount), work.transfers[n].size());
      ASSERT_EQ(Long(c, mover::kBytes), Bytes(work.transfers[n]));
      if (c < config().reads) ExpectBeats(bench().sink(c), work.sent[n], work.seen[n]);
    }
    ExpectMemory(work.wanted);
    ASSERT_EQ(bench().memory().TouchedBytes(), work.wanted.size());
  }

  void Case(uint64_t seed) {
    Rng rng(seed);
    MoverBenchOptions options;
    options.seed = seed;
    options.memory = AxiMemoryOptions::Random(rng);
    options.lists = AxiMemoryOptions::Random(rng);
    if (rng.Chance(0.5)) options.source.pacer = PacerSpec::Parse("bursts=1-8/0-20");
    if (rng.Chance(0.5)) options.sink.pacer = PacerSpec::Parse("bursts=1-8/0-20");
    Make(options);
    Rng disturbs = rng.Stream("disturbs"), places = rng.Stream("places");
    for (int run = 0; run < 2; ++run) {
      DrawPlace(places);
      if (disturbs.Chance(0.3)) {
        SetUpAll(disturbs);
        StartAndReset(disturbs.Below(disturbs.Chance(0.5) ? 60 : 1500));
      }
      const Work work = SetUpAll(rng);
      bench().Run();
      Check(work);
      if (HasFatalFailure() || HasNonfatalFailure()) return;
    }
  }
};
TESSERA_ALL_MOVERS(RandomTest);

TEST_P(RandomTest, ListsAgainstTheNorm) {
  uint64_t first = 1, count = 25;
  if (const char* seeds = std::getenv("MOVER_SEEDS")) {
    ASSERT_EQ(sscanf(seeds, "%lu:%lu", &first, &count), 2);
  }
  for (uint64_t seed = first; seed < first + count; ++seed) {
    SCOPED_TRACE(fmt::format("MOVER_SEEDS={}:1 {}", seed, GetParam()));
    try {
      Case(seed);
    } catch (const std::exception& error) {
      FAIL() << error.what();
    }
    if (HasFatalFailure() || HasNonfatalFailure()) return;
  }
}

}  // namespace
}  // namespace tessera
