// See channels.h.
#include "bench/channels.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "bench/limit.h"
#include "bench/measure.h"
#include "tb/check/encode.h"
#include "tb/run/fabric_bench.h"
#include "tb/sim/counted.h"

namespace tessera::bench {
namespace {

using Kind = ChannelRow::Kind;

constexpr uint64_t kRegion = 0x0100'0000;  // of a channel
constexpr uint64_t kWarm = 2000;           // cycles until everything runs

model::Transfer Copy(const ChannelRow& row, int k, uint64_t n, uint64_t bytes) {
  model::Transfer t;
  t.base = (row.direction == Direction::kRead ? 0 : 0x8000'0000) +
           kRegion * static_cast<uint64_t>(k + 1) + n * bytes % (kRegion / 2);
  t.count[0] = static_cast<uint32_t>(bytes);
  t.stride[0] = 1;
  return t;
}

uint64_t BytesOf(const ChannelRow& row, int k) {
  return row.bytes[static_cast<size_t>(k) % row.bytes.size()];
}

// A bench in which every channel of the row has work for so many cycles of its share.
std::unique_ptr<FabricBench> Load(const ChannelRow& row, const FabricConfig& config,
                                  uint64_t cycles) {
  FabricBenchOptions options;
  options.memory = AxiMemoryOptions::Latency(row.latency);
  options.memory.max_reads = options.memory.max_writes = kInFlight;
  auto bench = std::make_unique<FabricBench>(MakeFabric(config.channel.name, 1), options);
  bench->StopAtInterrupt();
  const auto bus = static_cast<uint64_t>(config.channel.data_bytes);
  const int channels = static_cast<int>(row.weights.size());
  for (int k = 0; k < channels; ++k) {
    const uint64_t bytes = BytesOf(row, k), count = cycles * bus / bytes + 20;
    const bool read = row.direction == Direction::kRead;
    auto& standing = read ? bench->fabric().read_standing(k) : bench->fabric().write_standing(k);
    standing.weight = static_cast<uint8_t>(row.weights[static_cast<size_t>(k)]);
    const std::vector<uint8_t> packet(bytes, 0x5a);
    for (uint64_t n = 0; n < count; ++n) {
      const EngineTransfer transfer = Encode(Copy(row, k, n, bytes));
      if (read) {
        bench->AddRead(k, transfer);
      } else {
        bench->AddWrite(k, transfer);
        bench->source(k).Push(packet, PieceEnd::kLast);
      }
    }
  }
  return bench;
}

// Beats of each channel in `cycles` cycles once everything runs.
std::vector<uint64_t> Beats(const ChannelRow& row, FabricBench* bench, uint64_t cycles) {
  std::vector<uint64_t> beats(row.weights.size());
  const auto now = [&](size_t k) {
    return row.direction == Direction::kRead ? bench->read_beats(static_cast<int>(k))
                                             : bench->write_beats(static_cast<int>(k));
  };
  for (uint64_t n = 0; n < kWarm; ++n) bench->Step();
  for (size_t k = 0; k < beats.size(); ++k) beats[k] = now(k);
  for (uint64_t n = 0; n < cycles; ++n) bench->Step();
  for (size_t k = 0; k < beats.size(); ++k) beats[k] = now(k) - beats[k];
  return beats;
}

// Of all channels together: each gets as many words, in bursts of its own length.
double TotalLimit(const ChannelRow& row, const FabricConfig& config) {
  RunWork work;
  BusWork& side = row.direction == Direction::kRead ? work.read : work.write;
  const uint64_t longest = *std::max_element(row.bytes.begin(), row.bytes.end());
  for (int k = 0; k < static_cast<int>(row.weights.size()); ++k) {
    const uint64_t bytes = BytesOf(row, k), times = longest / bytes;
    for (uint64_t n = 0; n < times; ++n) {
      side += CountBus(Copy(row, k, n, bytes), config.channel.data_bytes, config.channel.max_burst);
    }
    work.payload += bytes * times;
  }
  return FindLimit(work, config.channel.data_bytes, row.latency, kInFlight).utilisation;
}

void MeasureTotal(const ChannelRow& row, const FabricConfig& config, ChannelResult* result) {
  constexpr uint64_t kCycles = 6000;
  const auto bench = Load(row, config, kWarm + kCycles + 2000);
  const std::vector<uint64_t> beats = Beats(row, bench.get(), kCycles);
  result->value = static_cast<double>(std::accumulate(beats.begin(), beats.end(), uint64_t{0})) /
                  static_cast<double>(kCycles);
  result->limit = TotalLimit(row, config);
  result->target = kShare * result->limit;
  if (bench->violations().count() > 0) result->error = bench->violations().kept().front().message;
}

// The share that is furthest from its weight, over what is due. Channels have their turns one after
// the other, a burst times their weight each, and what is measured begins and ends within a round:
// there are hundreds of them.
void MeasureShare(const ChannelRow& row, const FabricConfig& config, ChannelResult* result) {
  const int weights = std::accumulate(row.weights.begin(), row.weights.end(), 0);
  const auto round = static_cast<uint64_t>(weights * config.channel.max_burst);
  const uint64_t cycles = std::max<uint64_t>(20000, 400 * round);
  const auto bench = Load(row, config, kWarm + cycles + 2000);
  const std::vector<uint64_t> beats = Beats(row, bench.get(), cycles);
  const double total =
      static_cast<double>(std::accumulate(beats.begin(), beats.end(), uint64_t{0}));
  double worst = 0;
  for (size_t k = 0; k < beats.size(); ++k) {
    const double due = total * row.weights[k] / weights;
    worst = std::max(worst, std::abs(static_cast<double>(beats[k]) - due) / due);
  }
  result->value = 1.0 - worst;
  result->limit = 1.0;
  result->target = 0.99;
  if (bench->violations().count() > 0) result->error = bench->violations().kept().front().message;
}

// Cycles from a transfer (read) or the data of a whole burst (write) to the address on the port,
// and of the engine alone: the rest is the fabric's, a cycle for each of its stages at most.
void MeasureAdded(const ChannelRow& row, const FabricConfig& config, ChannelResult* result) {
  constexpr uint64_t kEngine = 4;  // accept to ARVALID: row latency/accept-ar
  FabricBenchOptions options;
  FabricBench bench(MakeFabric(config.channel.name, 1), options);
  bench.StopAtInterrupt();
  for (int n = 0; n < 8; ++n) bench.Step();
  for (int k = 0; config.windows > 0 && k < config.reads + config.writes; ++k) {
    bench.fabric().window = Fabric::Window::Everything(k);
    bench.fabric().window.valid = true;
    bench.Step();
  }
  bench.fabric().window.valid = false;
  bench.AddRead(0, Encode(Copy(row, 0, 0, 8)));
  uint64_t cycles = 0;
  for (; cycles < 200 && !bench.fabric().port(0).ar.valid; ++cycles) bench.Step();
  const uint64_t accepted = bench.feeder(0, Direction::kRead).jobs()[0].accepted;
  if (cycles == 200 || accepted == kNever) {
    result->error = "no address came";
    return;
  }
  result->value = static_cast<double>(bench.cycle() - 1 - accepted - kEngine);
  result->limit = 1.0 + config.cut + (config.windows > 0 ? 1.0 : 0.0);
  result->target = result->limit;
}

}  // namespace

std::vector<ChannelRow> AllChannelRows() {
  std::vector<ChannelRow> rows;
  const std::string most = "many";  // 16 readers and 16 writers on one port
  for (const Direction d : {Direction::kRead, Direction::kWrite}) {
    const std::string_view way = NameOf(d);
    struct Work {
      const char *name, *what;
      std::vector<uint64_t> bytes;
    };
    for (const Work& work :
         {Work{"8", "8 B", {8}}, Work{"64", "64 B", {64}}, Work{"4096", "4096 B", {4096}},
          Work{"mixed", "4096, 64, 512 and 128 B", {4096, 64, 512, 128}}}) {
      for (const int channels : {1, 2, 4, 8, 16}) {
        if (work.bytes.size() > 1 && channels == 1) continue;
        for (const uint32_t latency : {1U, 20U, 100U}) {
          ChannelRow& row = rows.emplace_back();
          row.id = fmt::format("channels/{}/{}/n{}/L{}", way, work.name, channels, latency);
          row.what = fmt::format("{} {}, {}", Counted(channels, "channel"), way, work.what);
          row.config = most;
          row.direction = d;
          row.latency = latency;
          row.weights.assign(static_cast<size_t>(channels), 1);
          row.bytes = work.bytes;
          row.quick = latency == 20 && work.bytes[0] == 64 && channels == 16;
        }
      }
    }
    struct Shares {
      const char* name;
      std::vector<int> weights;
      std::vector<uint64_t> bytes;
    };
    for (const Shares& shares :
         {Shares{"1-1", {1, 1}, {4096}}, Shares{"3-1", {3, 1}, {64}},
          Shares{"15-1", {15, 1}, {512}}, Shares{"1-7-of-8-B", {1, 7}, {8}},
          Shares{"1-2-3-4", {1, 2, 3, 4}, {4096, 64, 512, 128}},
          Shares{"16-equal", std::vector<int>(16, 1), {4096, 64, 512, 128}},
          Shares{"1-to-8-twice", {1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 6, 7, 8}, {512}}}) {
      for (const uint32_t latency : {1U, 100U}) {
        ChannelRow& row = rows.emplace_back();
        row.id = fmt::format("channels/share-{}/{}/L{}", way, shares.name, latency);
        row.what = fmt::format("{}, weights {}", way, shares.name);
        row.kind = Kind::kShare;
        row.config = most;
        row.direction = d;
        row.latency = latency;
        row.weights = shares.weights;
        row.bytes = shares.bytes;
        row.quick = latency == 1 && row.weights.size() == 16 && row.weights[0] != row.weights[1];
      }
    }
  }
  struct Stages {
    const char *config, *what;
  };
  for (const Stages& stages :
       {Stages{"shared", "share"}, Stages{"held", "share, control, guards"},
        Stages{"guarded", "share, control, guards, windows"},
        Stages{"groups", "share with Cut, control, guards"},
        Stages{"in_order", "share with Cut and one ID, control, guards, windows"},
        Stages{"many", "share of 16, control, guards"}}) {
    ChannelRow& row = rows.emplace_back();
    row.id = fmt::format("channels/added-ar/{}/cycles", stages.config);
    row.what = stages.what;
    row.kind = Kind::kAdded;
    row.config = stages.config;
    row.bytes = {8};
    row.quick = true;
  }
  return rows;
}

ChannelResult MeasureChannels(const ChannelRow& row, const FabricConfig& config) {
  ChannelResult result;
  switch (row.kind) {
    case Kind::kTotal:
      MeasureTotal(row, config, &result);
      break;
    case Kind::kShare:
      MeasureShare(row, config, &result);
      break;
    case Kind::kAdded:
      MeasureAdded(row, config, &result);
      break;
  }
  result.pass = result.error.empty() && (row.kind == Kind::kAdded ? result.value <= result.target
                                                                  : result.value >= result.target);
  return result;
}

}  // namespace tessera::bench
