// Random runs of kernels without lists, all channels at once, with memories and streams that are as
// unhelpful as they may be. A seed is a case: MOVER_SEEDS=first:count runs others.
#include <algorithm>
#include <cstdlib>

#include "tests/mover4d/fixture.h"

namespace tessera {
namespace {

class RandomKernelTest : public MoverTest {
 protected:
  static constexpr uint64_t kRom = 20;  // bytes of the ROM of the build, which holds 1, 2, 3 ...

  bool stored() { return config().ram_words > 0 || GetParam() == "rom"; }
  size_t lanes() { return static_cast<size_t>(config().channel.stream_bytes); }

  static uint64_t Size(Rng& rng) {
    if (rng.Chance(0.08)) return 0;
    if (rng.Chance(0.3)) return rng.Between(1, 20);
    return rng.Between(1, rng.Chance(0.2) ? 9000 : 700);
  }

  // Sets a channel up with `size` bytes at `address`.
  void SetChannel(int channel, uint64_t address, uint64_t size, MoverLast last) {
    bench().SetList(channel, stored() ? 0 : address);
    bench().SetBase(channel, size);
    bench().SetOptions(channel, last);
  }
  void FillRam(int channel, Rng& rng, std::vector<uint8_t>* contents) {
    if (contents->empty() || rng.Chance(0.5)) {
      contents->resize(static_cast<size_t>(config().ram_words) * lanes());
      for (uint8_t& byte : *contents) byte = static_cast<uint8_t>(rng());
      bench().Set(mover::Channel(channel) + mover::kRamPlace, 0);
      for (size_t n = 0; n < contents->size(); n += 4) {
        uint32_t word = 0;
        for (size_t b = 4; b-- > 0;) word = word << 8 | (*contents)[n + b];
        bench().Set(mover::Channel(channel) + mover::kRamData, word);
      }
    }
  }
  // What a read channel sends.
  std::vector<uint8_t> Sent(uint64_t address, uint64_t size, const std::vector<uint8_t>& ram) {
    if (!stored()) return bench().memory().ReadBytes(address, size);
    std::vector<uint8_t> out(size);
    for (size_t n = 0; n < size; ++n) {
      out[n] = ram.empty() ? static_cast<uint8_t>(n % kRom + 1) : ram[n % ram.size()];
    }
    return out;
  }

  struct ReadRun {
    std::vector<uint8_t> bytes;
    size_t seen = 0, packets = 0;  // of its sink, before
    bool last = false;
    uint64_t wrong = 0, first = ~uint64_t{0};  // beats, of a check
  };
  ReadRun BeginRead(int channel, Rng& rng, std::vector<uint8_t>* ram) {
    const uint64_t size = Size(rng), address = DataAt(channel) + rng.Below(5000);
    if (config().ram_words > 0) FillRam(channel, rng, ram);
    ReadRun run;
    run.last = rng.Chance(0.5);
    SetChannel(channel, address, size, run.last ? MoverLast::kList : MoverLast::kNever);
    run.bytes = Sent(address, size, *ram);
    if (!config().check) {
      run.seen = bench().sink(channel).bytes().size();
      run.packets = bench().sink(channel).packets_taken();
      return run;
    }
    std::vector<uint8_t> data = run.bytes;
    data.resize((size + lanes() - 1) / lanes() * lanes(), static_cast<uint8_t>(rng()));
    while (size > 0 && rng.Chance(0.4))
      data[rng.Below(size)] ^= static_cast<uint8_t>(1U << rng.Below(8));
    for (size_t beat = 0; beat < size; beat += lanes()) {
      const size_t end = std::min<size_t>(beat + lanes(), size);
      if (std::equal(data.begin() + static_cast<ptrdiff_t>(beat),
                     data.begin() + static_cast<ptrdiff_t>(end),
                     run.bytes.begin() + static_cast<ptrdiff_t>(beat)))
        continue;
      if (run.wrong++ == 0) run.first = beat;
    }
    bench().source(channel).Push(data, PieceEnd::kBeat);
    return run;
  }
  void EndRead(int channel, const ReadRun& run) {
    ASSERT_EQ(Error(channel), 0U);
    ASSERT_EQ(Long(channel, mover::kBytes), run.bytes.size());
    if (config().check) {
      ASSERT_EQ(Register(channel, mover::kResult), run.wrong == 0 ? 1U : 0U);
      ASSERT_EQ(Register(channel, mover::kMismatches), run.wrong);
      ASSERT_EQ(Long(channel, mover::kMismatch), run.first);
      return;
    }
    const auto& bytes = bench().sink(channel).bytes();
    ASSERT_EQ(bytes.size() - run.seen, run.bytes.size());
    for (size_t n = 0; n < run.bytes.size(); ++n) ASSERT_EQ(bytes[run.seen + n], run.bytes[n]) << n;
    ASSERT_EQ(bench().sink(channel).packets_taken() - run.packets,
              run.last && !run.bytes.empty() ? 1U : 0U);
  }

  struct Work {
    std::vector<ReadRun> reads;
    std::vector<std::pair<uint64_t, uint8_t>> wanted;
  };
  Work SetUpAll(Rng& rng, std::vector<std::vector<uint8_t>>* rams) {
    Work work;
    bench().memory().ClearTouched();
    for (int c = 0; c < config().reads; ++c)
      work.reads.push_back(BeginRead(c, rng, &(*rams)[static_cast<size_t>(c)]));
    for (int w = 0; w < config().writes; ++w) {
      const int c = config().reads + w;
      const uint64_t size = Size(rng), address = DataAt(c) + rng.Below(5000);
      SetChannel(c, address, size, MoverLast::kNever);
      std::vector<uint8_t> data((size + lanes() - 1) / lanes() * lanes());
      for (uint8_t& byte : data) byte = static_cast<uint8_t>(rng());
      for (size_t n = 0; n < size; ++n) work.wanted.emplace_back(address + n, data[n]);
      bench().source(w).Push(data, PieceEnd::kBeat);
    }
    return work;
  }

  void Case(uint64_t seed) {
    Rng rng(seed);
    MoverBenchOptions options;
    options.seed = seed;
    options.memory = AxiMemoryOptions::Random(rng);
    if (rng.Chance(0.5)) options.source.pacer = PacerSpec::Parse("bursts=1-8/0-20");
    if (rng.Chance(0.5)) options.sink.pacer = PacerSpec::Parse("bursts=1-8/0-20");
    Make(options);
    std::vector<std::vector<uint8_t>> rams(static_cast<size_t>(config().reads));
    Rng disturbs = rng.Stream("disturbs"), places = rng.Stream("places");
    for (int turn = 0; turn < 3; ++turn) {
      DrawPlace(places);
      if (disturbs.Chance(0.25)) {
        SetUpAll(disturbs, &rams);
        StartAndReset(disturbs.Below(disturbs.Chance(0.5) ? 60 : 1500));
      }
      const Work work = SetUpAll(rng, &rams);
      bench().Run();
      for (int c = 0; c < config().reads; ++c) EndRead(c, work.reads[static_cast<size_t>(c)]);
      for (int c = config().reads; c < config().channels(); ++c) ASSERT_EQ(Error(c), 0U);
      ExpectMemory(work.wanted);
      ASSERT_EQ(bench().memory().TouchedBytes(), work.wanted.size());
      if (HasFatalFailure() || HasNonfatalFailure()) return;
    }
  }
};

std::vector<std::string> Kernels() {
  std::vector<std::string> names;
  for (const MoverConfig& config : Movers()) {
    if (config.ranges) names.push_back(config.channel.name);
  }
  return names;
}
TESSERA_MOVER_SUITE(RandomKernelTest, Kernels());

TEST_P(RandomKernelTest, RangesToTheByte) {
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
