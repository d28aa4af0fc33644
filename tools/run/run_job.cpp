// See run_job.h.
#include "tools/run/run_job.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "tb/check/encode.h"
#include "tb/check/scoreboard.h"
#include "tb/files/interrupt.h"
#include "tb/files/output.h"
#include "tb/sim/counted.h"
#include "tools/prepare/executor.h"

namespace tessera::cli {
namespace {

// The cycles from the first beat to the last, both included.
struct Span {
  uint64_t first = kNever, last = 0;
  void Note(uint64_t cycle) { *this += Span{cycle, cycle}; }
  Span& operator+=(const Span& more) {
    first = std::min(first, more.first);
    last = std::max(last, more.last);
    return *this;
  }
  uint64_t cycles() const { return first == kNever ? 0 : last - first + 1; }
};

// What moved on the pins of one engine.
struct Traffic {
  Span bus, stream;
  uint64_t bursts = 0, bus_beats = 0, stream_beats = 0;

  void Note(uint64_t cycle, const Moved& moved) {
    bursts += moved.address ? 1 : 0;
    if (moved.bus) {
      bus.Note(cycle);
      ++bus_beats;
    }
    if (moved.stream) {
      stream.Note(cycle);
      ++stream_beats;
    }
  }
};

// Watches every channel of a run, and tells how far it is.
class Watch {
 public:
  Watch(const RunOptions& options, const Prepared& prepared, Machine* machine)
      : progress_(options.progress),
        prepared_(prepared),
        machine_(machine),
        traffic_(prepared.channels.size()) {
    for (const PreparedChannel& c : prepared.channels) all_ += c.payload;
  }

  void OnCycle(const Tick& tick) {
    if (Interrupted()) throw InterruptedRun();
    cycle_ = tick.cycle;
    if (tick.reset) return;
    for (size_t n = 0; n < traffic_.size(); ++n) {
      const job::Channel& channel = *prepared_.channels[n].channel;
      traffic_[n].Note(tick.cycle, machine_->MovedNow(channel.engine, channel.direction));
    }
    if (progress_ && tick.cycle % 65536 == 65535) Tell(tick.cycle);
  }
  uint64_t cycle() const { return cycle_; }
  const std::vector<Traffic>& traffic() const { return traffic_; }

 private:
  void Tell(uint64_t cycle) const {
    uint64_t bytes = 0;
    for (size_t n = 0; n < traffic_.size(); ++n) {
      const bool seen = !prepared_.config().loopback;
      const uint64_t beats = seen ? traffic_[n].stream_beats : traffic_[n].bus_beats;
      const int width = seen ? prepared_.config().stream_bytes : prepared_.config().data_bytes;
      bytes += std::min(beats * static_cast<uint64_t>(width), prepared_.channels[n].payload);
    }
    progress_(cycle, bytes, all_);
  }

  const std::function<void(uint64_t, uint64_t, uint64_t)>& progress_;
  const Prepared& prepared_;
  Machine* machine_;
  std::vector<Traffic> traffic_;
  uint64_t all_ = 0, cycle_ = 0;
};

// The first byte that is not as the job expects.
void Expect(const std::string& place, std::span<const uint8_t> wanted,
            std::span<const uint8_t> seen, RunResult* result) {
  result->expected += wanted.size();
  const size_t common = std::min(wanted.size(), seen.size());
  for (size_t n = 0; n < common; ++n) {
    if (wanted[n] == seen[n]) continue;
    result->failures.push_back(fmt::format("{}: byte {} is {:#04x}, the job expects {:#04x}", place,
                                           n, seen[n], wanted[n]));
    return;
  }
  if (wanted.size() > seen.size()) {
    result->failures.push_back(fmt::format("{}: it has {}, the job expects {}", place,
                                           Counted(seen.size(), "byte"), wanted.size()));
  }
}

void CheckExpectations(const Prepared& p, RunResult* result) {
  for (size_t k = 0; k < p.regions.size(); ++k) {
    const LoadedRegion& region = p.regions[k];
    if (!region.expect) continue;
    Expect(p.job.memories[k].place + ".expect", *region.expect,
           result->machine->memory().ReadBytes(region.base, region.expect->size()), result);
  }
  for (const PreparedChannel& c : p.channels) {
    if (!c.expect) continue;
    const std::vector<uint8_t>& seen = result->machine->sink(c.channel->engine).bytes();
    const std::string place = c.channel->stream.place + ".expect";
    Expect(place, *c.expect, seen, result);
    if (seen.size() > c.expect->size()) {
      result->failures.push_back(fmt::format("{}: it has {}, the job expects {}", place,
                                             Counted(seen.size(), "byte"), c.expect->size()));
    }
  }
}

// Error responses of writes belong to the channel that writes in the first word of their burst.
std::vector<ErrorEvent> ErrorsOf(const Prepared& p, const PreparedChannel& c,
                                 const std::vector<ErrorEvent>& all) {
  std::vector<ErrorEvent> mine;
  for (const ErrorEvent& event : all) {
    if (event.direction != c.channel->direction) continue;
    const uint64_t word = event.burst_addr / static_cast<uint64_t>(p.config().data_bytes);
    if (!c.write() || c.words.contains(word)) mine.push_back(event);
  }
  return mine;
}

// Compares streams, records and memory with the reference model.
void Compare(const Prepared& p, const Memory& before, RunResult* result) {
  Scoreboard board(p.config(), before, p.read_errors, p.write_errors);
  Machine& machine = *result->machine;
  const std::vector<ErrorEvent> errors = machine.Errors();
  std::vector<model::StreamBeat> looped;
  for (const bool write : {false, true}) {  // what reads send may be what writes get
    for (const PreparedChannel& c : p.channels) {
      if (c.write() != write) continue;
      const int k = c.channel->engine;
      Seen seen;
      for (const JobResult& job : machine.Results(k, c.channel->direction)) {
        if (job.state == JobResult::State::kDone) seen.records.push_back(job.record);
      }
      seen.errors = ErrorsOf(p, c, errors);
      if (!write) {
        seen.beats = BeatList(machine.sink(k).beats(), machine.sink(k).bytes());
        looped = board.CheckRead(c.transfers, seen, !p.config().loopback);
        continue;
      }
      seen.beats = p.config().loopback
                       ? BeatList(std::move(looped))
                       : BeatList(machine.source(k).beats(), machine.source(k).bytes());
      board.CheckWrite(c.transfers, seen);
    }
  }
  board.CheckMemory(machine.memory());
  result->count = board.count();
  if (!board.ok()) {
    result->failures.push_back(fmt::format("{} from the reference model\n{}",
                                           Counted(board.failure_count(), "difference"),
                                           board.Report()));
  }
}

// Fills in what follows from bytes, cycles and the work that there was.
void Measure(const Prepared& p, Direction direction, const bench::BusWork& least,
             uint64_t stream_beats, int engines, Throughput* out) {
  const bool write = direction == Direction::kWrite;
  bench::RunWork work;
  work.payload = out->bytes;
  (write ? work.write : work.read) = least;
  work.stream_beats = stream_beats;
  const int most = static_cast<int>(write ? p.job.bus.max_writes : p.job.bus.max_reads);
  out->limit = bench::FindLimit(work, p.config().data_bytes, p.job.bus.latency_min,
                                std::min(p.config().outstanding * engines, most));
  if (out->cycles == 0) return;
  out->utilisation = static_cast<double>(out->bytes) / (static_cast<double>(out->cycles) *
                                                        static_cast<double>(p.config().data_bytes));
}

void FillChannels(const Prepared& p, const Watch& watch, RunResult* result) {
  for (size_t n = 0; n < p.channels.size(); ++n) {
    const PreparedChannel& c = p.channels[n];
    const Traffic& traffic = watch.traffic()[n];
    ChannelResult& r = result->channels[n];
    for (const JobResult& job : r.transfers) r.bytes += job.record.bytes;
    r.stream_beats = traffic.stream_beats;
    r.bus_beats = traffic.bus_beats;
    r.bursts = traffic.bursts;
    for (const model::Transfer& t : std::span(c.transfers).first(r.transfers.size())) {
      r.least += bench::CountBus(t, p.config().data_bytes, p.config().max_burst,
                                 BuildOf(p.config()).AddressMask());
    }
    r.cycles = std::max(traffic.bus.cycles(), traffic.stream.cycles());
    Measure(p, c.channel->direction, r.least, bench::Beats(r.bytes, p.config().stream_bytes), 1,
            &r);
  }
}

// The channels of each direction together, port by port.
void FillPorts(const Prepared& p, const Watch& watch, RunResult* result) {
  if (!p.hardware.shared) return;
  for (const Direction direction : {Direction::kRead, Direction::kWrite}) {
    const int engines =
        (direction == Direction::kWrite ? p.hardware.writes : p.hardware.reads) / p.hardware.ports;
    for (int port = 0; port < p.hardware.ports; ++port) {
      PortResult r;
      r.port = port;
      r.direction = direction;
      bench::BusWork least;
      Span bus, stream;
      uint64_t beats = 0;
      int used = 0;
      for (size_t n = 0; n < p.channels.size(); ++n) {
        const job::Channel& channel = *p.channels[n].channel;
        if (channel.direction != direction || channel.engine / engines != port) continue;
        const ChannelResult& c = result->channels[n];
        ++used;
        r.bytes += c.bytes;
        least += c.least;
        beats = std::max(beats, bench::Beats(c.bytes, p.config().stream_bytes));
        bus += watch.traffic()[n].bus;
        stream += watch.traffic()[n].stream;
      }
      if (used == 0) continue;
      r.cycles = std::max(bus.cycles(), stream.cycles());
      Measure(p, direction, least, beats, used, &r);
      result->ports.push_back(r);
    }
  }
}

}  // namespace

RunResult RunJob(const Prepared& p, const RunOptions& options) {
  RunResult result;
  result.machine = MakeMachine(p);
  Machine& machine = *result.machine;
  const Memory before = machine.memory();
  Watch watch(options, p, &machine);
  machine.AddHook([&watch](const Tick& tick) { watch.OnCycle(tick); });
  if (!options.wave.empty()) machine.Trace(options.wave);
  Ending end;
  try {
    end = machine.Run();
  } catch (const InterruptedRun&) {
    result.interrupted = true;
    end.cycles = watch.cycle();
  }
  try {
    machine.Trace("");
  } catch (const OutputError& error) {
    result.unwritten = error.what();
  }
  result.cycles = end.cycles;
  for (const PreparedChannel& c : p.channels) {
    ChannelResult& r = result.channels.emplace_back();
    r.channel = &c;
    r.transfers = machine.Results(c.channel->engine, c.channel->direction);
  }
  if (result.interrupted) {
    // What moved is told below.
  } else if (!end.failure.empty()) {
    if (p.hardware.dma) CheckProgram(p);
    result.failures.push_back(end.failure);
  } else {
    if (p.hardware.dma) {
      CompareProgram(p, before, &result);
    } else {
      Compare(p, before, &result);
    }
    CheckExpectations(p, &result);
    if (result.compared() == 0) result.failures.emplace_back("nothing was compared");
  }
  FillChannels(p, watch, &result);
  FillPorts(p, watch, &result);
  return result;
}

}  // namespace tessera::cli
