// The library in C++, on the bench of the harness; see include/tessera/sim.hpp.
#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "include/tessera/sim.hpp"
#include "lib/buffer.h"
#include "tb/check/encode.h"
#include "tb/run/bench.h"
#include "tb/run/joint.h"

namespace tessera::sim {
namespace {

// What goes wrong inside becomes an Error.
template <typename Function>
auto Guard(Function&& function) {
  try {
    return function();
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {
    throw Error(error.what());
  }
}

tessera::Direction Inside(Direction direction) {
  return direction == Direction::kRead ? tessera::Direction::kRead : tessera::Direction::kWrite;
}

Configuration Outside(const Config& c) {
  return {c.name,        c.addr_width, c.data_bytes, c.stream_bytes, c.max_burst,
          c.outstanding, c.walk,       c.bounds,     c.loopback};
}

PacerSpec ParsePacer(const char* name, const std::string& text) {
  try {
    return PacerSpec::Parse(text);
  } catch (const std::invalid_argument& error) {
    throw Error(fmt::format("options.{}: {}", name, error.what()));
  }
}

template <typename T>
T Within(const char* name, T value, T least, T most) {
  if (value >= least && value <= most) return value;
  throw Error(fmt::format("options.{} is {}: legal is {} to {}", name, value, least, most));
}

BenchOptions ToBench(const Options& o) {
  BenchOptions b;
  b.seed = o.seed;
  b.memory.latency_min = Within("latency_min", o.latency_min, 1U, 100000U);
  b.memory.latency_max = Within("latency_max", o.latency_max, o.latency_min, 100000U);
  b.memory.max_reads = Within("max_reads", o.max_reads, 1U, 1024U);
  b.memory.max_writes = Within("max_writes", o.max_writes, 1U, 1024U);
  b.memory.ar = ParsePacer("ar", o.ar);
  b.memory.r = ParsePacer("r", o.r);
  b.memory.aw = ParsePacer("aw", o.aw);
  b.memory.w = ParsePacer("w", o.w);
  b.memory.b = ParsePacer("b", o.b);
  b.sink.pacer = ParsePacer("sink", o.sink);
  b.source.pacer = ParsePacer("source", o.source);
  b.timeout = Within<uint64_t>("timeout", o.timeout, 100, uint64_t{1} << 40);
  return b;
}

model::Transfer ToModel(const Transfer& t) {
  model::Transfer m;
  m.elem = t.elem;
  m.base = t.base;
  m.offset = t.offset;
  m.count = t.count;
  m.stride = t.stride;
  m.start = t.start;
  m.bound = t.bound;
  for (size_t k = 0; k < t.walk.size(); ++k) {
    if (t.walk[k]) m.walk[k] = model::WalkLevel{t.walk[k]->dim, t.walk[k]->step, t.walk[k]->count};
  }
  m.length = t.length;
  m.fill = t.fill;
  m.last_rule = static_cast<model::LastRule>(t.last_rule);
  m.last_level = t.last_level;
  m.join_next = t.join_next;
  m.task_end = t.task_end;
  m.finish = static_cast<model::Finish>(t.finish);
  return m;
}

class Adapter : public MemoryDevice {
 public:
  explicit Adapter(Device* device) : device_(device) {}
  void Read(uint64_t addr, std::span<uint8_t> out) override {
    device_->Read(addr, out.data(), out.size());
  }
  void Write(uint64_t addr, std::span<const uint8_t> data, const LaneMask& strobe,
             int lane) override {
    std::array<uint8_t, kMaxBusBytes> enable{};
    bool any = false;
    for (size_t n = 0; n < data.size(); ++n) {
      enable[n] = strobe[lane + static_cast<int>(n)] ? 1 : 0;
      any = any || enable[n] != 0;
    }
    if (any) device_->Write(addr, data.data(), enable.data(), data.size());
  }

 private:
  Device* device_;
};

}  // namespace

struct [[gnu::visibility("hidden")]] Simulation::Parts {
  Parts(const Options& options, std::unique_ptr<Dut> dut)
      : configuration(Outside(dut->config())), bench(std::move(dut), ToBench(options)) {
    if (options.join && !configuration.loopback) bench.AddHook(&joined);
  }

  void Attach(uint64_t address, uint64_t size, std::unique_ptr<MemoryDevice> device) {
    CheckRange(address, size);
    devices.push_back(std::move(device));
    bench.memory().Attach({address, address + (size - 1)}, devices.back().get());
  }
  const std::vector<JobResult>& Jobs(Direction direction) const {
    return direction == Direction::kRead ? bench.reads() : bench.writes();
  }

  // The write engine gets what the read engine sends, in the next cycle.
  struct Joined : EngineBench::Hook {
    void OnCycle(EngineBench& bench, const Tick&) override {
      joint.Move(bench.sink(), &bench.source());
    }
    Joint joint;
  };

  Configuration configuration;
  EngineBench bench;
  Joined joined;
  std::vector<std::unique_ptr<MemoryDevice>> devices;
  uint64_t received = 0;  // bytes that Receive has given
};

std::vector<Configuration> Configurations() {
  std::vector<Configuration> all;
  for (const Config& config : Configs()) all.push_back(Outside(config));
  return all;
}

const char* Version() { return TESSERA_VERSION; }

Simulation::Simulation(const Options& options) {
  Guard([&] { parts_ = std::make_unique<Parts>(options, MakeDut(options.config, options.seed)); });
}
Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

const Configuration& Simulation::configuration() const { return parts_->configuration; }

void Simulation::WriteMemory(uint64_t address, const void* data, size_t size) {
  parts_->bench.memory().Load(address, {static_cast<const uint8_t*>(data), size});
}

void Simulation::ReadMemory(uint64_t address, void* data, size_t size) const {
  std::as_const(parts_->bench).memory().Read(address, {static_cast<uint8_t*>(data), size});
}

void Simulation::AttachBuffer(uint64_t address, void* data, size_t size) {
  parts_->Attach(address, size, std::make_unique<Buffer>(address, data));
}

void Simulation::AttachDevice(uint64_t address, uint64_t size, Device* device) {
  parts_->Attach(address, size, std::make_unique<Adapter>(device));
}

size_t Simulation::Queue(Direction direction, const Transfer& transfer) {
  const model::Transfer t = ToModel(transfer);
  if (const auto broken = model::Validate(t, BuildOf(parts_->bench.dut().config()))) {
    throw Error("transfer." + *broken);
  }
  EngineBench& bench = parts_->bench;
  if (direction == Direction::kRead) {
    bench.AddRead(Encode(t, BuildOf(bench.dut().config())));
  } else {
    bench.AddWrite(Encode(t, BuildOf(bench.dut().config())));
  }
  return parts_->Jobs(direction).size() - 1;
}

void Simulation::Send(const void* data, size_t size, End end) {
  if (parts_->configuration.loopback) {
    throw Error(
        fmt::format("configuration {} joins its streams inside: legal is no data from outside",
                    parts_->configuration.name));
  }
  const PieceEnd ends[] = {PieceEnd::kOpen, PieceEnd::kBeat, PieceEnd::kLast};
  parts_->bench.source().Push({static_cast<const uint8_t*>(data), size},
                              ends[static_cast<size_t>(end)]);
}

std::vector<uint8_t> Simulation::Receive(size_t most) {
  const std::vector<uint8_t>& all = parts_->bench.sink().bytes();
  const size_t count = std::min<size_t>(most, all.size() - parts_->received);
  const auto first = all.begin() + static_cast<std::ptrdiff_t>(parts_->received);
  parts_->received += count;
  return {first, first + static_cast<std::ptrdiff_t>(count)};
}

size_t Simulation::beats() const { return parts_->bench.sink().beats().size(); }

Beat Simulation::beat(size_t number) const {
  const StreamSink& sink = parts_->bench.sink();
  if (number >= sink.beats().size()) {
    throw Error(fmt::format("beat {}: legal is less than {}, the beats so far", number,
                            sink.beats().size()));
  }
  const StreamBeat& from = sink.beats()[number];
  Beat beat;
  beat.cycle = from.cycle;
  beat.last = from.last;
  uint64_t next = from.first;
  for (int lane = 0; lane < parts_->configuration.stream_bytes; ++lane) {
    beat.keep.push_back(from.keep[lane]);
    beat.data.push_back(from.keep[lane] ? sink.bytes()[next++] : uint8_t{0});
  }
  return beat;
}

void Simulation::Step(uint64_t cycles) {
  Guard([&] {
    for (; cycles > 0; --cycles) {
      parts_->bench.Step();
      if (parts_->bench.violations().count() == 0) continue;
      const Violation& first = parts_->bench.violations().kept().front();
      throw Error(
          fmt::format("cycle {}: rule {} is broken: {}", first.cycle, first.rule, first.message));
    }
  });
}

void Simulation::Run() {
  const BenchResult result = Guard([&] { return parts_->bench.Run(); });
  if (!result.passed()) throw Error(result.message);
}

bool Simulation::idle() const { return parts_->bench.Quiet(); }
uint64_t Simulation::cycle() const { return parts_->bench.tick().cycle; }

Record Simulation::record(Direction direction, size_t number) const {
  const std::vector<JobResult>& jobs = parts_->Jobs(direction);
  if (number >= jobs.size()) {
    throw Error(
        fmt::format("record {}: legal is less than {}, the transfers queued", number, jobs.size()));
  }
  const JobResult& job = jobs[number];
  Record record;
  record.accepted_cycle = job.accepted;
  record.done = job.state == JobResult::State::kDone;
  if (!record.done) return record;
  record.status = job.record.status;
  record.bytes = job.record.bytes;
  record.dropped = job.record.dropped;
  record.addr = job.record.addr;
  record.last = job.record.last;
  record.done_cycle = job.done;
  return record;
}

Report Simulation::report() const {
  const EngineBench& bench = parts_->bench;
  const AxiMonitor& bus = bench.axi_monitor();
  const auto done = [](const std::vector<JobResult>& jobs) {
    return static_cast<uint64_t>(std::count_if(jobs.begin(), jobs.end(), [](const JobResult& job) {
      return job.state == JobResult::State::kDone;
    }));
  };
  Report report;
  report.cycles = bench.tick().cycle;
  report.read = {bench.reads().size(), done(bench.reads()), bus.read_bursts(), bus.read_beats(),
                 bench.handshakes(ChannelName::kMaster)};
  report.write = {bench.writes().size(), done(bench.writes()), bus.write_bursts(),
                  bus.write_beats(), bench.handshakes(ChannelName::kSlave)};
  return report;
}

void Simulation::Abort(Direction direction) { parts_->bench.RequestAbort(Inside(direction)); }
void Simulation::Reset(uint32_t cycles) { parts_->bench.ResetAt(cycle(), cycles); }
void Simulation::Trace(const std::string& path) {
  Guard([&] { parts_->bench.dut().Trace(path); });
}

}  // namespace tessera::sim
