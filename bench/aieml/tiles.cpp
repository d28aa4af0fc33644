// See tiles.h.
#include "bench/aieml/tiles.h"

#include <fmt/format.h>

#include <algorithm>

#include "bench/measure.h"
#include "tb/aieml/tile_bench.h"
#include "tb/sim/model.h"

namespace tessera::bench {
namespace {

using aieml::TileBench;
using aieml::TileConfig;
using Kind = ProgramRow::Kind;

constexpr int kTries = 24;  // of a latency, each at another time
constexpr int kChain = 4;   // descriptors of a channel, in a ring
constexpr uint64_t kWarm = 3000, kCycles = 8000;

// Where an image has its descriptors and its channels.
struct Places {
  uint32_t descriptor, s2mm, mm2s;
};
Places PlacesOf(const TileConfig& config) {
  constexpr Places kPlaces[] = {
      {0xa0000, 0xa0600, 0xa0630}, {0x1d000, 0x1d200, 0x1d210}, {0x1d000, 0x1de00, 0x1de10}};
  return kPlaces[config.image];
}

// The words of a linear descriptor, at a byte address of its own memory.
std::vector<uint32_t> Linear(const TileConfig& config, uint32_t base, uint32_t words) {
  constexpr uint32_t kOwn = 0x80000;  // of a memory tile
  if (config.image == 0) return {words, (kOwn + base) / 4, 0, 0, 0, 0, 0, 1u << 31};
  if (config.image == 1) return {words, base, 0, 0, 0, 0, 0, 1u << 25};
  return {base / 4 << 14 | words, 0, 0, 0, 0, 1u << 25};
}
void Describe(TileBench* bench, uint32_t bd, const std::vector<uint32_t>& words) {
  const uint32_t first = PlacesOf(bench->config()).descriptor + 0x20 * bd;
  for (uint32_t n = 0; n < words.size(); ++n) bench->Set(first + 4 * n, words[n]);
}

TileBench MakeBench(const ProgramRow& row, const TileConfig& config) {
  aieml::TileBenchOptions options;
  options.memory = AxiMemoryOptions::Latency(row.latency);
  options.memory.max_reads = options.memory.max_writes = kInFlight;
  options.source.record = options.sink.record = false;
  return TileBench(MakeTile(config.name, 1), options);
}

void MeasurePush(const ProgramRow& row, const TileConfig& config, ProgramResult* result) {
  TileBench bench = MakeBench(row, config);
  bench.StopAtInterrupt();
  Describe(&bench, 0, Linear(config, 0x1000, 16));
  std::vector<uint64_t> tries;
  for (int n = 0; n < kTries; ++n) {
    bench.Step(static_cast<int>(row.latency) + 60 + n % 7);
    bench.MarkFirst();
    bench.Set(PlacesOf(config).mm2s + 4, 0);
    if (!bench.Until([&] { return bench.first_address() != kNever; }, 2000)) {
      throw std::runtime_error("ARVALID does not come");
    }
    tries.push_back(bench.first_address() - bench.written_at());
  }
  result->Judge(tries, row.target);
}

// The ring of descriptors of a channel; channels of a half of the descriptors share it.
void DescribeRing(TileBench* bench, const ProgramRow& row, uint32_t channel) {
  const uint32_t words = static_cast<uint32_t>(row.bytes) / 4;
  const uint32_t first = channel % 2 * 24 + channel / 2 * kChain;
  for (uint32_t n = 0; n < kChain; ++n) {
    const uint32_t base = channel * 0x8000 + n * static_cast<uint32_t>(row.bytes);
    std::vector<uint32_t> d = Linear(bench->config(), base, words);
    d[1] |= 1u << 19 | (first + (n + 1) % kChain) << 20;  // Use_Next_BD, Next_BD
    Describe(bench, first + n, d);
  }
}

void MeasureRate(const ProgramRow& row, const TileConfig& config, ProgramResult* result) {
  TileBench bench = MakeBench(row, config);
  bench.StopAtInterrupt();
  const auto channels = static_cast<uint32_t>(row.channels);
  const Places at = PlacesOf(config);
  uint64_t moved = 0;
  bench.Watch([&](uint64_t) {
    for (uint32_t c = 0; c < channels; ++c) {
      const auto& pins = bench.tile().streams(static_cast<int>(c));
      moved += (row.receives ? pins.s_axis : pins.m_axis).moves() ? 1 : 0;
    }
  });
  for (uint32_t c = 0; c < channels; ++c) DescribeRing(&bench, row, c);
  for (uint32_t c = 0; c < channels; ++c) {
    const std::vector<uint8_t> words(row.receives ? 4 * (kWarm + kCycles + 1000) : 0, 0x5a);
    if (row.receives) bench.source(static_cast<int>(c)).Push(words, PieceEnd::kOpen);
    bench.Set((row.receives ? at.s2mm : at.mm2s) + 8 * c + 4, c % 2 * 24 + c / 2 * kChain);
  }
  bench.Step(static_cast<int>(kWarm));
  const uint64_t before = moved;
  bench.Step(static_cast<int>(kCycles));
  const double share =
      static_cast<double>(moved - before) / static_cast<double>(kCycles * channels);
  // A stream has a word a cycle, the bus as many as it is wide.
  const double bus = config.data_bytes / 4.0;
  const double limit = std::min(1.0, bus / row.channels);
  // What the bus does not limit shows every cycle that a descriptor costs.
  result->Judge(share, limit, limit < 1.0 ? row.target * limit : 1.0);
}

}  // namespace

std::vector<ProgramRow> AllTileRows() {
  std::vector<ProgramRow> rows;
  for (const char* config : {"memory", "shim", "compute"}) {
    ProgramRow& row = rows.emplace_back();
    row.id = fmt::format("tiles/push-ar/{}", config);
    row.what = "queue word to ARVALID";
    row.kind = Kind::kPush;
    row.config = config;
    row.top = "tessera_aieml";
    row.latency = 20;
    row.target = 20;
    row.quick = true;
  }
  for (const bool receives : {false, true}) {
    for (const int bytes : {64, 1024}) {
      for (const int channels : {1, 2, 4, 6}) {
        for (const uint32_t latency : {1U, 20U, 100U}) {
          ProgramRow& row = rows.emplace_back();
          row.id = fmt::format("tiles/{}-{}/n{}/L{}", receives ? "s2mm" : "mm2s", bytes, channels,
                               latency);
          row.what =
              fmt::format("{} B a descriptor, {}, {}", bytes, receives ? "S2MM" : "MM2S",
                          channels == 1 ? "1 channel" : fmt::format("{} channels", channels));
          row.kind = Kind::kRam;
          row.config = "memory";
          row.top = "tessera_aieml";
          row.receives = receives;
          row.bytes = bytes;
          row.channels = channels;
          row.latency = latency;
          row.target = kShare;
          row.quick = latency == 20 && channels == 6 && bytes == 64;
        }
      }
    }
  }
  return rows;
}

std::optional<ProgramResult> MeasureTile(const ProgramRow& row) {
  const auto config = FindNamed(Tiles(), row.config);
  if (!config) return std::nullopt;
  return Attempt([&](ProgramResult* result) {
    return row.Counts() ? MeasurePush(row, *config, result) : MeasureRate(row, *config, result);
  });
}

}  // namespace tessera::bench
