// See machine.h.
#include "tools/run/machine.h"

#include <algorithm>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tb/check/encode.h"
#include "tb/run/bench.h"
#include "tb/run/joint.h"

namespace tessera::cli {
namespace {

// An engine pair, whose transfers and records are on pins.
class PairMachine final : public Machine {
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
  JobFeeder& feeder(Direction direction) { return bench_.feeder(direction); }
  const std::vector<JobResult>& Results(int, Direction direction) override {
    return feeder(direction).jobs();
  }
  Moved MovedNow(int, Direction direction) override {
    const PairPorts& ports = bench_.dut();
    if (direction == Direction::kWrite) {
      return {ports.axi.aw.moves(), ports.axi.w.moves(), ports.s_axis.moves()};
    }
    return {ports.axi.ar.moves(), ports.axi.r.moves(), ports.m_axis.moves()};
  }
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

// Patience is for memories that answer late and rarely.
std::unique_ptr<PairMachine> MakePair(const Prepared& p) {
  BenchOptions options;
  options.seed = p.job.seed;
  options.memory = p.job.bus;
  options.memory.errors = RulesOf(p.read_errors, p.write_errors);
  options.timeout = p.job.timeout + 4 * uint64_t{p.job.bus.latency_max};
  options.cycle_limit = p.job.cycle_limit;
  for (const PreparedChannel& c : p.channels) {
    const job::Channel& channel = *c.channel;
    if (channel.direction == Direction::kRead) {
      options.sink.pacer = channel.stream.pacer;
      options.sink.after_valid = channel.stream.after_valid;
      options.read.offer = channel.offer;
      options.read.take = channel.take;
    } else {
      options.source.pacer = channel.stream.pacer;
      options.source.shape = channel.stream.shape;
      options.write.offer = channel.offer;
      options.write.take = channel.take;
    }
    if (!c.write() || !p.config().loopback) continue;
    for (const model::Transfer& t : c.transfers) {  // fill that is dropped shows on no pin
      options.timeout += std::min<uint64_t>(model::Positions(t), 1 << 20);
    }
  }
  return std::make_unique<PairMachine>(p.config().name, options);
}

}  // namespace

std::unique_ptr<Machine> MakeMachine(const Prepared& p) {
  std::unique_ptr<Machine> machine;
  if (p.hardware.dma) {
    machine = MakeDmaMachine(p);
  } else {
    std::unique_ptr<PairMachine> engines = MakePair(p);
    for (const PreparedChannel& c : p.channels) {
      JobFeeder& feeder = engines->feeder(c.channel->direction);
      for (const model::Transfer& t : c.transfers) feeder.Add(Encode(t, BuildOf(p.config())));
    }
    machine = std::move(engines);
  }
  p.LoadInto(&machine->memory());
  for (const PreparedChannel& c : p.channels) {
    const int k = c.channel->engine;
    if (c.from != nullptr && !p.Joined(c)) {
      machine->AddHook([m = machine.get(), from = c.from->channel->engine, k, joint = Joint()](
                           const Tick&) mutable { joint.Move(m->sink(from), &m->source(k)); });
    }
    size_t next = 0;
    for (const StreamPiece& piece : c.pieces) {
      machine->source(k).Push(std::span(c.source).subspan(next, piece.bytes), piece.end);
      next += piece.bytes;
    }
  }
  return machine;
}

}  // namespace tessera::cli
