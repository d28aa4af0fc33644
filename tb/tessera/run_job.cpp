// See run_job.h.
#include "tb/tessera/run_job.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "tb/check/compare.h"
#include "tb/check/encode.h"
#include "tb/run/joint.h"

namespace tessera::cli {
namespace {

// How long data moved on bus and stream, each way; progress.
class Watch : public EngineBench::Hook {
 public:
  Watch(const RunOptions& options, const Prepared& prepared)
      : progress_(options.progress), prepared_(prepared) {}

  void OnCycle(EngineBench& bench, const Tick& tick) override {
    const DutInputs& in = bench.dut().in;
    const DutOutputs& out = bench.dut().out;
    if (tick.reset) return;
    if (in.rvalid && out.rready) read_bus.Note(tick.cycle);
    if (out.m_tvalid && in.m_tready) read_stream.Note(tick.cycle);
    if (in.s_tvalid && out.s_tready) write_stream.Note(tick.cycle);
    if (out.wvalid && in.wready) write_bus.Note(tick.cycle);
    if (progress_ && tick.cycle % 65536 == 65535) Tell(bench, tick.cycle);
  }

  // The cycles from the first beat to the last, both included.
  struct Span {
    uint64_t first = kNever, last = 0;
    void Note(uint64_t cycle) {
      first = std::min(first, cycle);
      last = cycle;
    }
    uint64_t cycles() const { return first == kNever ? 0 : last - first + 1; }
  };
  Span read_bus, read_stream, write_bus, write_stream;

 private:
  void Tell(const EngineBench& bench, uint64_t cycle) const {
    const bool write = prepared_.write != nullptr;
    const uint64_t all = prepared_.payload[write ? 1 : 0];
    uint64_t bytes = write ? bench.source().bytes_accepted() : bench.sink().bytes().size();
    if (prepared_.config.loopback) {
      bytes = bench.handshakes(Channel::kW) * static_cast<uint64_t>(prepared_.config.data_bytes);
    }
    progress_(cycle, std::min(bytes, all), all);
  }

  const std::function<void(uint64_t, uint64_t, uint64_t)>& progress_;
  const Prepared& prepared_;
};

std::vector<ErrorRule> Rules(const Prepared& p) {
  std::vector<ErrorRule> rules;
  const auto add = [&](const model::ErrorRange& r, bool reads) {
    const ErrorRule rule = ErrorRule::Range(r.first, r.last, r.decerr ? kDecErr : kSlvErr);
    rules.push_back(reads ? rule.ReadsOnly() : rule.WritesOnly());
  };
  for (const model::ErrorRange& r : p.read_errors) add(r, true);
  for (const model::ErrorRange& r : p.write_errors) add(r, false);
  return rules;
}

std::unique_ptr<EngineBench> MakeBench(const Prepared& p) {
  BenchOptions options;
  options.seed = p.job.seed;
  options.memory = p.job.bus;
  options.memory.errors = Rules(p);
  // Patience for memories that answer late and rarely.
  options.timeout = p.job.timeout + 4 * uint64_t{p.job.bus.latency_max};
  options.cycle_limit = p.job.cycle_limit;
  if (p.read != nullptr) {
    options.sink.pacer = p.read->stream.pacer;
    options.sink.after_valid = p.read->stream.after_valid;
    options.read.offer = p.read->offer;
    options.read.take = p.read->take;
  }
  if (p.write != nullptr) {
    options.source.pacer = p.write->stream.pacer;
    options.source.shape = p.write->stream.shape;
    options.write.offer = p.write->offer;
    options.write.take = p.write->take;
  }
  if (p.config.loopback) {  // fill that is dropped shows on no pin
    for (const model::Transfer& t : p.writes) {
      options.timeout += std::min<uint64_t>(model::Positions(t), 1 << 20);
    }
  }
  auto bench = std::make_unique<EngineBench>(MakeDut(p.config.name, p.job.seed), options);
  p.LoadInto(&bench->memory());
  for (const model::Transfer& t : p.reads) bench->AddRead(Encode(t));
  for (const model::Transfer& t : p.writes) bench->AddWrite(Encode(t));
  size_t next = 0;
  for (const StreamPiece& piece : p.pieces) {
    bench->source().Push(std::span(p.source).subspan(next, piece.bytes), piece.end);
    next += piece.bytes;
  }
  return bench;
}

// The first byte that is not as the job expects.
void Expect(const std::string& place, std::span<const uint8_t> wanted,
            std::span<const uint8_t> seen, RunResult* result) {
  result->compared += wanted.size();
  const size_t common = std::min(wanted.size(), seen.size());
  for (size_t n = 0; n < common; ++n) {
    if (wanted[n] == seen[n]) continue;
    result->failures.push_back(fmt::format("{}: byte {} is {:#04x}, the job expects {:#04x}", place,
                                           n, seen[n], wanted[n]));
    return;
  }
  if (wanted.size() > seen.size()) {
    result->failures.push_back(fmt::format("{}: there are {} bytes, the job expects {}", place,
                                           seen.size(), wanted.size()));
  }
}

void CheckExpectations(const Prepared& p, RunResult* result) {
  for (size_t k = 0; k < p.regions.size(); ++k) {
    const LoadedRegion& region = p.regions[k];
    if (!region.expect) continue;
    Expect(p.job.memories[k].place + ".expect", *region.expect,
           result->bench->memory().ReadBytes(region.base, region.expect->size()), result);
  }
  if (!p.expect) return;
  const std::vector<uint8_t>& seen = result->bench->sink().bytes();
  const std::string place = p.read->stream.place + ".expect";
  Expect(place, *p.expect, seen, result);
  if (seen.size() > p.expect->size()) {
    result->failures.push_back(fmt::format("{}: there are {} bytes, the job expects {}", place,
                                           seen.size(), p.expect->size()));
  }
}

bench::BusWork Least(const std::vector<model::Transfer>& chain, const Config& config) {
  bench::BusWork work;
  for (const model::Transfer& t : chain) {
    work += bench::CountBus(t, config.data_bytes, config.max_burst);
  }
  return work;
}

void FillChannels(const Prepared& p, const Watch& watch, RunResult* result) {
  const EngineBench& bench = *result->bench;
  const AxiMonitor& bus = bench.axi_monitor();
  for (const job::Channel& channel : p.job.channels) {
    const bool write = channel.direction == Direction::kWrite;
    ChannelResult& r = result->channels.emplace_back();
    r.channel = &channel;
    for (const JobResult& job : write ? bench.writes() : bench.reads()) r.bytes += job.record.bytes;
    r.stream_beats = bench.handshakes(write ? tessera::Channel::kSlave : tessera::Channel::kMaster);
    r.bus_beats = write ? bus.write_beats() : bus.read_beats();
    r.bursts = write ? bus.write_bursts() : bus.read_bursts();
    r.least = Least(write ? p.writes : p.reads, p.config);
    bench::RunWork work;
    work.payload = r.bytes;
    (write ? work.write : work.read) = r.least;
    work.stream_beats = bench::Beats(r.bytes, p.config.stream_bytes);
    const int most = static_cast<int>(write ? p.job.bus.max_writes : p.job.bus.max_reads);
    r.limit = bench::FindLimit(work, p.config.data_bytes, p.job.bus.latency_min,
                               std::min(p.config.outstanding, most));
    r.cycles = write ? std::max(watch.write_bus.cycles(), watch.write_stream.cycles())
                     : std::max(watch.read_bus.cycles(), watch.read_stream.cycles());
    if (r.cycles == 0) continue;
    r.utilisation = static_cast<double>(r.bytes) /
                    (static_cast<double>(r.cycles) * static_cast<double>(p.config.data_bytes));
  }
}

}  // namespace

RunResult RunJob(const Prepared& p, const RunOptions& options) {
  RunResult result;
  result.bench = MakeBench(p);
  EngineBench& bench = *result.bench;
  const Memory before = bench.memory();
  Joint joint;
  if (p.joined && !p.config.loopback) bench.AddHook(&joint);
  Watch watch(options, p);
  bench.AddHook(&watch);
  if (!options.wave.empty()) bench.TraceWindow(options.wave, 0, kNever);
  const BenchResult run = bench.Run();
  bench.dut().Trace("");
  result.cycles = run.cycles;
  if (!run.passed()) {
    result.failures.push_back(run.message);
  } else {
    Scoreboard board(p.config, before, p.read_errors, p.write_errors);
    CompareRun(bench, p.reads, p.writes, &board);
    result.compared = board.compared();
    if (!board.ok()) {
      result.failures.push_back(fmt::format("{} differences from the reference model\n{}",
                                            board.failure_count(), board.Report()));
    }
    CheckExpectations(p, &result);
    if (result.compared == 0) result.failures.emplace_back("nothing was compared");
  }
  FillChannels(p, watch, &result);
  return result;
}

}  // namespace tessera::cli
