// See machine.h.
#include "tools/run/machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tb/check/encode.h"
#include "tb/run/bench.h"
#include "tb/run/fabric_bench.h"
#include "tb/sim/counted.h"
#include "tools/run/dma_machine.h"

namespace tessera::cli {
namespace {

// Engines whose transfers and records are on pins.
class EngineMachine : public Machine {
 public:
  virtual JobFeeder& feeder(int k, Direction direction) = 0;
  virtual const PairPorts& pins(int k) = 0;

  const std::vector<JobResult>& Results(int k, Direction direction) override {
    return feeder(k, direction).jobs();
  }
  Moved MovedNow(int k, Direction direction) override {
    const PairPorts& ports = pins(k);
    if (direction == Direction::kWrite) {
      return {ports.axi.aw.moves(), ports.axi.w.moves(), ports.s_axis.moves()};
    }
    return {ports.axi.ar.moves(), ports.axi.r.moves(), ports.m_axis.moves()};
  }
  std::optional<int> Held(int k) override { return pins(k).held; }
};

class PairMachine final : public EngineMachine {
 public:
  PairMachine(const std::string& name, const BenchOptions& options)
      : bench_(MakeDut(name, options.seed), options) {
    bench_.AddHook(&hooks_);
  }
  Ending Run() override {
    const BenchResult run = bench_.Run();
    return {run.message, run.cycles};
  }
  void AddHook(Hook hook) override { hooks_.all.push_back(std::move(hook)); }
  void Trace(const std::string& path) override { bench_.dut().Trace(path); }
  Memory& memory() override { return bench_.memory(); }
  StreamSource& source(int) override { return bench_.source(); }
  StreamSink& sink(int) override { return bench_.sink(); }
  JobFeeder& feeder(int, Direction direction) override { return bench_.feeder(direction); }
  const PairPorts& pins(int) override { return bench_.dut(); }
  std::vector<ErrorEvent> Errors() const override { return bench_.axi_memory().errors(); }

 private:
  struct Hooks : EngineBench::Hook {
    void OnCycle(EngineBench&, const Tick& tick) override {
      for (const Machine::Hook& hook : all) hook(tick);
    }
    std::vector<Machine::Hook> all;
  };
  Hooks hooks_;
  EngineBench bench_;
};

// What a guard found, in words.
std::string WhatHappened(rtl::Fault cause, const FabricConfig& config) {
  switch (cause) {
    case rtl::Fault::kBusTime:
      return fmt::format("memory let it wait for {}, and legal is less",
                         Counted(config.silence, "cycle"));
    case rtl::Fault::kStreamTime:
      return fmt::format("its stream let it wait for {}, and legal is less",
                         Counted(config.stream_silence, "cycle"));
    default:
      return "memory or stream broke a rule";
  }
}

class FabricMachine final : public EngineMachine {
 public:
  FabricMachine(const std::string& name, const FabricBenchOptions& options)
      : bench_(MakeFabric(name, options.seed), options) {}
  Ending Run() override {
    if (bench_.fabric().config().guard) {
      bench_.AddHook([this](const Tick& tick) { StopAtFault(tick); });
    }
    OpenWindows();
    const FabricResult run = bench_.Run();
    return {run.message, run.cycles};
  }
  void AddHook(Hook hook) override { bench_.AddHook(std::move(hook)); }
  void Trace(const std::string& path) override { bench_.fabric().Trace(path); }
  Memory& memory() override { return bench_.memory(); }
  StreamSource& source(int k) override { return bench_.source(k); }
  StreamSink& sink(int k) override { return bench_.sink(k); }
  JobFeeder& feeder(int k, Direction direction) override { return bench_.feeder(k, direction); }
  const PairPorts& pins(int k) override { return bench_.fabric().channel(k); }
  std::vector<ErrorEvent> Errors() const override {
    std::vector<ErrorEvent> all;
    for (int p = 0; p < ports(); ++p) {
      const std::vector<ErrorEvent>& mine = bench_.errors(p);
      all.insert(all.end(), mine.begin(), mine.end());
    }
    return all;
  }

  void SetWeight(const job::Channel& channel) {
    Fabric& fabric = bench_.fabric();
    Fabric::Standing& standing = channel.direction == Direction::kWrite
                                     ? fabric.write_standing(channel.engine)
                                     : fabric.read_standing(channel.engine);
    standing.weight = static_cast<uint8_t>(channel.weight.value_or(1));
  }

 private:
  int ports() const { return const_cast<FabricBench&>(bench_).fabric().config().ports; }

  // After reset nothing is permitted; here everything is, before the first transfer asks.
  void OpenWindows() {
    Fabric& fabric = bench_.fabric();
    const FabricConfig& config = fabric.config();
    if (config.windows == 0) return;
    PauseAll(true);
    while (!fabric.aresetn) bench_.Step();
    for (int k = 0; k < config.reads + config.writes; ++k) {
      fabric.window = Fabric::Window::Everything(k);
      fabric.window.valid = true;
      bench_.Step();
    }
    fabric.window.valid = false;
    PauseAll(false);
  }

  // A job has nobody who resets a faulted channel: it ends, and says what the guard found.
  void StopAtFault(const Tick& tick) {
    if (tick.reset) return;
    Fabric& fabric = bench_.fabric();
    const FabricConfig& config = fabric.config();
    for (const Direction direction : {Direction::kRead, Direction::kWrite}) {
      const bool write = direction == Direction::kWrite;
      for (int k = 0; k < (write ? config.writes : config.reads); ++k) {
        const Fabric::State& state = fabric.state(k, direction);
        if (!state.faulted) continue;
        throw std::runtime_error(
            fmt::format("the guard of {} engine {} stopped it in transfer {}: {} (cause {})",
                        write ? "write" : "read", k, state.transfer,
                        WhatHappened(state.cause, config), NameOf(state.cause)));
      }
    }
  }

  void PauseAll(bool pause) {
    const FabricConfig& config = bench_.fabric().config();
    for (int k = 0; k < config.reads; ++k) bench_.feeder(k, Direction::kRead).Pause(pause);
    for (int k = 0; k < config.writes; ++k) bench_.feeder(k, Direction::kWrite).Pause(pause);
  }

  FabricBench bench_;
};

// The stream ends and feeders of a channel, in the options of a bench or of one of its channels.
template <typename Options>
void SetEnds(const job::Channel& channel, Options* options) {
  if (channel.direction == Direction::kRead) {
    options->sink.pacer = channel.stream.pacer;
    options->sink.after_valid = channel.stream.after_valid;
    options->read.offer = channel.offer;
    options->read.take = channel.take;
  } else {
    options->source.pacer = channel.stream.pacer;
    options->source.shape = channel.stream.shape;
    options->write.offer = channel.offer;
    options->write.take = channel.take;
  }
}

// What both benches are told. Patience is for memories that answer late and rarely.
template <typename Options>
Options CommonOptions(const Prepared& p) {
  Options options;
  options.seed = p.job.seed;
  options.memory = p.job.bus;
  options.memory.errors = ErrorRules(p);
  options.timeout = p.job.timeout + 4 * uint64_t{p.job.bus.latency_max};
  options.cycle_limit = p.job.cycle_limit;
  return options;
}

std::unique_ptr<EngineMachine> MakePair(const Prepared& p) {
  auto options = CommonOptions<BenchOptions>(p);
  for (const PreparedChannel& c : p.channels) {
    SetEnds(*c.channel, &options);
    if (!c.write() || !p.config().loopback) continue;
    for (const model::Transfer& t : c.transfers) {  // fill that is dropped shows on no pin
      options.timeout += std::min<uint64_t>(model::Positions(t), 1 << 20);
    }
  }
  return std::make_unique<PairMachine>(p.config().name, options);
}

std::unique_ptr<EngineMachine> MakeMany(const Prepared& p) {
  auto options = CommonOptions<FabricBenchOptions>(p);
  const int channels = std::max(p.hardware.reads, p.hardware.writes);
  options.timeout *= static_cast<uint64_t>(channels);  // others may come first
  options.channels.resize(static_cast<size_t>(channels));
  for (const PreparedChannel& c : p.channels) {
    SetEnds(*c.channel, &options.channels[static_cast<size_t>(c.channel->engine)]);
  }
  auto machine = std::make_unique<FabricMachine>(p.config().name, options);
  for (const PreparedChannel& c : p.channels) machine->SetWeight(*c.channel);
  return machine;
}

// Gives the source of a write engine every beat that a read engine's sink takes, in the next cycle:
// a wire with a queue as long as need be.
void Join(Machine* machine, int from, int to) {
  machine->AddHook([machine, from, to, next = size_t{0}](const Tick&) mutable {
    const StreamSink& sink = machine->sink(from);
    for (; next < sink.beats().size(); ++next) {
      const StreamBeat& beat = sink.beats()[next];
      machine->source(to).Push(std::span(sink.bytes()).subspan(beat.first, beat.count),
                               beat.last ? PieceEnd::kLast : PieceEnd::kBeat);
    }
  });
}

}  // namespace

std::vector<ErrorRule> ErrorRules(const Prepared& p) {
  std::vector<ErrorRule> rules;
  const auto add = [&](const model::ErrorRange& r, bool reads) {
    const ErrorRule rule = ErrorRule::Range(r.first, r.last, r.decerr ? kDecErr : kSlvErr);
    rules.push_back(reads ? rule.ReadsOnly() : rule.WritesOnly());
  };
  for (const model::ErrorRange& r : p.read_errors) add(r, true);
  for (const model::ErrorRange& r : p.write_errors) add(r, false);
  return rules;
}

std::unique_ptr<Machine> MakeMachine(const Prepared& p) {
  std::unique_ptr<Machine> machine;
  if (p.hardware.dma) {
    machine = MakeDmaMachine(p);
  } else {
    std::unique_ptr<EngineMachine> engines = p.hardware.shared ? MakeMany(p) : MakePair(p);
    for (const PreparedChannel& c : p.channels) {
      JobFeeder& feeder = engines->feeder(c.channel->engine, c.channel->direction);
      for (const model::Transfer& t : c.transfers) feeder.Add(Encode(t));
    }
    machine = std::move(engines);
  }
  p.LoadInto(&machine->memory());
  for (const PreparedChannel& c : p.channels) {
    const int k = c.channel->engine;
    if (c.from != nullptr && !p.config().loopback) Join(machine.get(), c.from->channel->engine, k);
    size_t next = 0;
    for (const StreamPiece& piece : c.pieces) {
      machine->source(k).Push(std::span(c.source).subspan(next, piece.bytes), piece.end);
      next += piece.bytes;
    }
  }
  return machine;
}

}  // namespace tessera::cli
