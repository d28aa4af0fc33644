// See measure.h.
#include "bench/measure.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "tb/check/compare.h"
#include "tb/check/encode.h"
#include "tb/sim/counted.h"

namespace tessera::bench {

// ---- Work ---------------------------------------------------------------------------------------

Work::Work(const Config& config, uint32_t latency, uint64_t seed)
    : config_(config), data_(Rng(seed).Stream("payload")) {
  options_.seed = seed;
  options_.memory = AxiMemoryOptions::Latency(latency);
  options_.memory.max_reads = options_.memory.max_writes = kInFlight;
  options_.record_w_cycles = true;
}

void Work::Read(std::vector<model::Transfer> chain) { reads_ = std::move(chain); }
void Work::Write(std::vector<model::Transfer> chain) { writes_ = std::move(chain); }

void Work::Packet(uint64_t bytes) {
  std::vector<uint8_t>& packet = packets_.emplace_back(bytes);
  for (uint8_t& byte : packet) byte = static_cast<uint8_t>(data_());
}

EngineBench& Work::Make() {
  bench_ = std::make_unique<EngineBench>(MakeDut(config_.name, options_.seed), options_);
  bench_->StopAtInterrupt();
  const model::Build build = BuildOf(config_);
  for (const model::Transfer& t : reads_) bench_->AddRead(Encode(t, build));
  for (const model::Transfer& t : writes_) bench_->AddWrite(Encode(t, build));
  for (const std::vector<uint8_t>& packet : packets_) {
    bench_->source().Push(packet, PieceEnd::kLast);
  }
  return *bench_;
}

std::string Work::Run() {
  if (!bench_) Make();
  const Memory before = bench_->memory();
  const std::clock_t start = std::clock();
  const BenchResult result = bench_->Run();
  run_seconds_ = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  unwritten_ = result.unwritten;
  if (!result.passed()) return result.message;
  return Compare(before);
}

std::string Work::Compare(const Memory& before) {
  Scoreboard board(config_, before);
  CompareRun(*bench_, reads_, writes_, &board);
  compared_ = board.compared();
  if (!board.ok()) {
    return fmt::format("{} from the reference model\n{}",
                       Counted(board.failure_count(), "difference"), board.Report());
  }
  return compared_ == 0 ? "nothing was compared" : "";
}

// ---- Rows ---------------------------------------------------------------------------------------

namespace {

std::vector<model::Transfer> Chain(const Maker& make, uint64_t transfers) {
  std::vector<model::Transfer> chain;
  for (uint64_t i = 0; make && i < transfers; ++i) chain.push_back(make(i));
  return chain;
}

BusWork Total(const std::vector<model::Transfer>& chain, const Config& config) {
  BusWork work;
  for (const model::Transfer& t : chain) work += CountBus(t, config.data_bytes, config.max_burst);
  return work;
}

uint64_t BeatsOfOne(const Row& row, const Config& config) {
  uint64_t beats = Beats(row.bytes, config.stream_bytes);
  for (const Maker& make : {row.read, row.touched ? row.touched : row.write}) {
    if (make) {
      beats = std::max(beats, CountBus(make(0), config.data_bytes, config.max_burst).words);
    }
  }
  return beats;
}

std::vector<uint64_t> PayloadCycles(const Row& row, EngineBench& bench) {
  if (row.path != Path::kRead) return bench.w_cycles();
  std::vector<uint64_t> cycles;
  for (const StreamBeat& beat : bench.sink().beats()) cycles.push_back(beat.cycle);
  return cycles;
}

}  // namespace

RowResult Measure(const Row& row, const Config& config, const WaveRequest& wave) {
  RowResult result;
  const uint64_t tasks =
      (TransfersToRun(BeatsOfOne(row, config)) + row.per_task - 1) / row.per_task;
  const uint64_t n = result.transfers = tasks * row.per_task;

  Work work(config, row.latency);
  const std::vector<model::Transfer> reads = Chain(row.read, n);
  const std::vector<model::Transfer> writes = Chain(row.write, n);
  work.Read(reads);
  work.Write(writes);
  for (uint64_t k = 0; row.path == Path::kWrite && k < tasks; ++k) {
    work.Packet(row.bytes * row.per_task);
  }
  if (!wave.path.empty()) work.Make().TraceWindow(wave.path, wave.from, wave.to);
  result.error = work.Run();
  result.compared = work.compared();
  result.unwritten = work.unwritten();
  if (!result.error.empty()) return result;

  RunWork ideal;
  ideal.payload = n * row.bytes;
  ideal.read = Total(reads, config);
  ideal.write = Total(row.touched ? Chain(row.touched, n) : writes, config);
  ideal.stream_beats = tasks * Beats(row.bytes * row.per_task, config.stream_bytes);
  result.limit = FindLimit(ideal, config.data_bytes, row.latency, kInFlight);

  EngineBench& bench = work.bench();
  const std::vector<uint64_t> cycles = PayloadCycles(row, bench);
  const double transfers = static_cast<double>(n);
  if (cycles.size() >= n) {
    result.utilisation =
        static_cast<double>(row.bytes) / (CyclesPerTransfer(cycles, n) * config.data_bytes);
  } else {  // joined transfers have fewer beats than there are of them
    result.utilisation = static_cast<double>(row.bytes * row.per_task) /
                         (CyclesPerTransfer(cycles, tasks) * config.data_bytes);
  }
  const AxiMonitor& bus = bench.axi_monitor();
  result.bursts = static_cast<double>(std::max(bus.read_bursts(), bus.write_bursts())) / transfers;
  result.bursts_least =
      static_cast<double>(std::max(ideal.read.bursts, ideal.write.bursts)) / transfers;

  result.target = row.target ? std::min(*row.target, result.limit.utilisation)
                             : kShare * result.limit.utilisation;
  result.pass = result.utilisation >= result.target &&
                (!row.merged || result.bursts <= result.bursts_least / kShare);
  return result;
}

// ---- Rates
// ----------------------------------------------------------------------------------------

namespace {

constexpr uint64_t kBunch = 64;

double Mean(std::span<const uint64_t> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace

uint64_t TransfersToRun(uint64_t beats) {
  return std::clamp<uint64_t>(200000 / (beats + 20), 24, 2000);
}

double CyclesPerTransfer(std::span<const uint64_t> cycles, uint64_t transfers) {
  const uint64_t beats = cycles.size();
  if (transfers < 4 || beats < transfers) {
    throw std::invalid_argument(fmt::format("{} of {}: a rate needs 4 transfers and a beat of each",
                                            Counted(beats, "beat"),
                                            Counted(transfers, "transfer")));
  }
  const uint64_t quarter = transfers / 4;
  const uint64_t from = beats * quarter / transfers;
  const uint64_t to = beats * (transfers - quarter) / transfers;
  const uint64_t bunch = std::min({kBunch, beats - to, to - from});
  const double passed = Mean(cycles.subspan(to, bunch)) - Mean(cycles.subspan(from, bunch));
  return passed * static_cast<double>(beats) /
         (static_cast<double>(to - from) * static_cast<double>(transfers));
}

// ---- Speed
// ----------------------------------------------------------------------------------------

namespace {

constexpr uint64_t kBytes = 4096;
constexpr uint64_t kTransfers = 200;

std::vector<model::Transfer> Copies(uint64_t base) {
  std::vector<model::Transfer> chain(kTransfers);
  for (uint64_t i = 0; i < kTransfers; ++i) {
    chain[i].base = base + i * kBytes + 1;
    chain[i].count[0] = kBytes;
    chain[i].stride[0] = 1;
  }
  return chain;
}

}  // namespace

SpeedResult MeasureSpeed(const Config& config, double seconds) {
  SpeedResult result;
  for (uint64_t seed = 1; result.seconds < seconds && result.error.empty(); ++seed) {
    Work work(config, 20, seed);
    work.Read(Copies(0x1000'0000));
    work.Write(Copies(0x8'0000'0000));
    for (uint64_t i = 0; i < kTransfers; ++i) work.Packet(kBytes);
    work.Make();
    const std::clock_t start = std::clock();
    result.error = work.Run();
    result.seconds += static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    result.model_seconds += work.run_seconds();
    result.cycles += work.bench().tick().cycle;
  }
  return result;
}

}  // namespace tessera::bench
