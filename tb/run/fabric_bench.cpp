// Many channels from the first cycle to the verdict.
#include "tb/run/fabric_bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "tb/sim/counted.h"

namespace tessera {
namespace {

constexpr uint64_t kResetCycles = 4;

// The port as a whole: with one ID everything is in order; with several each channel is watched.
AxiMonitorOptions PortOptions(const FabricConfig& config) {
  AxiMonitorOptions options = AxiMonitorOptions::For(config.channel);
  options.outstanding *= config.channels();
  return options;
}

}  // namespace

// A memory behind a port, with what goes wrong before it.
class FabricBench::Port final : public Component {
 public:
  Port(AxiPort* port, const FabricConfig& config, const FabricBenchOptions& options, bool faulty,
       Memory* memory, const Rng& rng, ViolationList* violations)
      : tamper(faulty ? std::make_unique<AxiTamper>(port, options.faults, config.channel.data_bytes)
                      : nullptr),
        memory(memory, tamper ? tamper->memory_side() : port, config.channel.data_bytes,
               options.memory, rng),
        monitor(port, PortOptions(config), violations),
        port_(port),
        config_(config),
        violations_(violations) {}
  void Sample(const Tick& tick) override {
    if (tamper) tamper->Forward();
    memory.Sample(tick);
    if (tamper) tamper->Sample(tick);
    if (watched()) monitor.Sample(tick);
  }
  void Drive(const Tick& next) override {
    memory.Drive(next);
    if (tamper) tamper->Drive(next);
  }
  // With one ID the port as a whole is watched, unless it is excused.
  bool watched() const { return config_.one_id && !excused_; }
  void Excuse() { excused_ = true; }
  void Forgive() {
    if (excused_) monitor = AxiMonitor(port_, PortOptions(config_), violations_);
    excused_ = false;
  }

  std::unique_ptr<AxiTamper> tamper;
  AxiMemory memory;
  AxiMonitor monitor;

 private:
  const AxiPort* port_;
  const FabricConfig& config_;
  ViolationList* violations_;
  bool excused_ = false;
};

struct FabricBench::ChannelBench : PairBench {
  using PairBench::PairBench;
  uint64_t last_progress = 0;
};

FabricBench::FabricBench(std::unique_ptr<Fabric> fabric, const FabricBenchOptions& options)
    : CycleLoop(fabric.get(), Rng(options.seed), true, kResetCycles),
      fabric_(std::move(fabric)),
      options_(options),
      rng_(options.seed),
      memory_(rng_.Stream("memory contents").seed()) {
  const FabricConfig& config = fabric_->config();
  options_.channels.resize(static_cast<size_t>(config.channels()));
  for (int p = 0; p < config.ports; ++p) {
    ports_.push_back(std::make_unique<Port>(
        &fabric_->port(p), config, options_, !options.faults.empty() && p == options.fault_port,
        &memory_, rng_.Stream("port", static_cast<uint64_t>(p)), &violations_));
    Add(ports_.back().get());
  }
  for (int k = 0; k < config.channels(); ++k) {
    channels_.push_back(std::make_unique<ChannelBench>(
        &fabric_->channel(k), config.channel, options_.channels[static_cast<size_t>(k)],
        AxisMonitorOptions::Keep::kAllowPartial, fmt::format("[{}]", k), !config.one_id,
        rng_.Stream("channel", static_cast<uint64_t>(k)), &violations_));
    ChannelBench& added = *channels_.back();
    const bool* read_reset = &fabric_->state(k, Direction::kRead).in_reset;
    const bool* write_reset = &fabric_->state(k, Direction::kWrite).in_reset;
    added.monitors.ResetAlone(read_reset, write_reset);
    Add(&added.source, write_reset);
    Add(&added.sink, read_reset);
    Add(&added.read, read_reset);
    Add(&added.write, write_reset);
    Add(&added.monitors);
  }
}

FabricBench::~FabricBench() = default;

void FabricBench::AddRead(int k, const EngineTransfer& transfer) { channel(k).read.Add(transfer); }
void FabricBench::AddWrite(int k, const EngineTransfer& transfer) {
  channel(k).write.Add(transfer);
}
void FabricBench::RequestAbort(int k, Direction direction) {
  AllowClosing(k);
  feeder(k, direction).RequestAbort();
}
void FabricBench::AllowClosing(int k) {
  channel(k).monitors.AllowNull(AxisMonitorOptions::Null::kWithLast);
}
void FabricBench::Excuse(int k) {
  channel(k).monitors.Excuse(true);
  if (!one_id()) return;
  for (auto& port : ports_) port->Excuse();
}
const AxiTamper* FabricBench::tamper() const {
  return ports_[static_cast<size_t>(options_.fault_port)]->tamper.get();
}
AxiTamper* FabricBench::tamper() {
  return ports_[static_cast<size_t>(options_.fault_port)]->tamper.get();
}
bool FabricBench::MemoryIdle(int port) const {
  const Port& parts = *ports_.at(static_cast<size_t>(port));
  return parts.memory.Idle() && (!parts.tamper || parts.tamper->Empty());
}
StreamSource& FabricBench::source(int k) { return channel(k).source; }
StreamSink& FabricBench::sink(int k) { return channel(k).sink; }
JobFeeder& FabricBench::feeder(int k, Direction direction) { return channel(k).feeder(direction); }
uint64_t FabricBench::read_beats(int k) const {
  return one_id() ? ports_[0]->monitor.read_beats() : channel(k).monitors.bus().read_beats();
}
uint64_t FabricBench::write_beats(int k) const {
  return one_id() ? ports_[0]->monitor.write_beats() : channel(k).monitors.bus().write_beats();
}
const std::vector<ErrorEvent>& FabricBench::errors(int port) const {
  return ports_.at(static_cast<size_t>(port))->memory.errors();
}
uint64_t FabricBench::handshakes() const {
  uint64_t all = 0;
  for (const auto& channel : channels_) all += channel->monitors.total();
  return all;
}

void FabricBench::AfterSample() {
  for (auto& channel : channels_) {
    const bool idle = channel->read.Finished() && channel->write.Finished();
    if (channel->monitors.moved() || idle) channel->last_progress = cycle();
  }
  for (const Hook& hook : hooks_) hook(tick());
  if (!Quiet()) last_movement_ = cycle();
}

// A reset of everything ends what was excused.
void FabricBench::BeforeDrive(const Tick& next) {
  if (!next.reset || tick().reset) return;
  for (auto& channel : channels_) {
    if (channel->monitors.excused()) channel->monitors.ForgetBus();
    channel->monitors.Excuse(false);
  }
  for (auto& port : ports_) port->Forgive();
}

void FabricBench::AfterDrive() {
  if (override_pins_) override_pins_();
}

bool FabricBench::Quiet() const {
  if (tick().reset) return false;
  for (const auto& channel : channels_) {
    if (!channel->Quiet()) return false;
  }
  for (size_t p = 0; p < ports_.size(); ++p) {
    const AxiPort& port = fabric_->port(static_cast<int>(p));
    if (port.ar.valid || port.aw.valid || port.w.valid || !ports_[p]->memory.Idle()) return false;
  }
  return true;
}

void FabricBench::CheckEnd() {
  for (auto& channel : channels_) channel->monitors.AtEnd(cycle());
  for (auto& port : ports_) {
    if (port->watched()) port->monitor.AtEnd(cycle());
  }
}

FabricResult FabricBench::Run() {
  FabricResult result;
  std::string failure;
  uint64_t jobs = 0;
  try {
    while (failure.empty() && cycle() - last_movement_ <= options_.quiet_cycles) {
      Step();
      if (violations_.count() > 0) {
        failure = fmt::format("{}: {}", violations_.kept().front().rule,
                              violations_.kept().front().message);
      }
      if (failure.empty() && cycle() >= options_.cycle_limit) {
        failure = fmt::format("not finished after {}", Counted(options_.cycle_limit, "cycle"));
      }
      for (size_t k = 0; k < channels_.size() && failure.empty(); ++k) {
        if (cycle() - channels_[k]->last_progress > options_.timeout) {
          failure =
              fmt::format("channel {} has not moved for {}", k, Counted(options_.timeout, "cycle"));
        }
      }
    }
    for (auto& channel : channels_) {
      jobs += channel->read.jobs().size() + channel->write.jobs().size();
    }
    if (failure.empty()) CheckEnd();
  } catch (const std::runtime_error& error) {
    failure = error.what();
  }
  if (failure.empty() && violations_.count() > 0) failure = violations_.kept().front().message;
  if (failure.empty() && jobs == 0) failure = "no transfer was given, so nothing was checked";
  result.cycles = cycle();
  result.handshakes = handshakes();
  if (!failure.empty()) {
    result.message =
        fmt::format("fabric {} seed {:#x} cycle {}: {}\n{}", fabric_->config().channel.name,
                    options_.seed, cycle(), failure, Dump());
  }
  return result;
}

std::string FabricBench::Dump() const {
  std::string text;
  for (size_t p = 0; p < ports_.size(); ++p) {
    const AxiPort& port = fabric_->port(static_cast<int>(p));
    text += fmt::format(
        "port {}: AR {}/{} id {}, R {}/{} id {}, AW {}/{} id {}, W {}/{}, B {}/{} id {}; {}\n", p,
        port.ar.valid, port.ar.ready, port.ar->id, port.r.valid, port.r.ready, port.r->id,
        port.aw.valid, port.aw.ready, port.aw->id, port.w.valid, port.w.ready, port.b.valid,
        port.b.ready, port.b->id, ports_[p]->memory.Describe());
  }
  for (size_t k = 0; k < channels_.size(); ++k) {
    const PairPorts& pins = fabric_->channel(static_cast<int>(k));
    text += fmt::format("channel {}: {}; {}; m_axis {}/{}, s_axis {}/{}; last moved in cycle {}\n",
                        k, channels_[k]->read.Describe(), channels_[k]->write.Describe(),
                        pins.m_axis.valid, pins.m_axis.ready, pins.s_axis.valid, pins.s_axis.ready,
                        channels_[k]->last_progress);
    if (!fabric_->config().control) continue;
    for (const Direction d : {Direction::kRead, Direction::kWrite}) {
      const Fabric::State& s = fabric_->state(static_cast<int>(k), d);
      text += fmt::format(
          "  {}: idle {}, paused {}, in reset {}, stuck {}, faulted {}, cause {}, transfer {}, "
          "address "
          "{:#x}\n",
          NameOf(d), s.idle, s.paused, s.in_reset, s.stuck, s.faulted, NameOf(s.cause), s.transfer,
          s.addr);
    }
  }
  return text;
}

}  // namespace tessera
