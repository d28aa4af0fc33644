// The cycle of many channels: settle, sample, edge, drive.
#include "tb/run/fabric_bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace tessera {
namespace {

// The port as a whole: with one ID everything is in order; with several each channel is watched.
AxiMonitorOptions PortOptions(const FabricConfig& config) {
  AxiMonitorOptions options = AxiMonitorOptions::For(config.channel);
  options.outstanding *= config.channels();
  return options;
}

}  // namespace

struct FabricBench::PortParts {
  PortParts(const FabricConfig& config, const AxiMemoryOptions& options, Memory* memory,
            const Rng& rng, ViolationList* violations)
      : memory(memory, config.channel.data_bytes, options, rng),
        monitor(PortOptions(config), violations) {}
  AxiMemory memory;
  AxiMonitor monitor;
  bool excused = false;
  std::unique_ptr<AxiTamper> tamper;
  DutInputs memory_in;  // with a tamper: what the memory drives
};

struct FabricBench::ChannelParts {
  ChannelParts(const FabricConfig& config, const FabricChannelOptions& options, const Rng& rng,
               ViolationList* violations, int k)
      : source(config.channel.stream_bytes, options.source, rng.Stream("source")),
        sink(config.channel.stream_bytes, options.sink, rng.Stream("sink")),
        read(Direction::kRead, options.read, rng.Stream("read jobs")),
        write(Direction::kWrite, options.write, rng.Stream("write jobs")),
        bus(AxiMonitorOptions::For(config.channel), violations),
        master({fmt::format("m_axis[{}]", k), config.channel.stream_bytes,
                AxisMonitorOptions::Keep::kAllowPartial, AxisMonitorOptions::Null::kNone},
               violations),
        slave({fmt::format("s_axis[{}]", k), config.channel.stream_bytes,
               AxisMonitorOptions::Keep::kAny, AxisMonitorOptions::Null::kAny},
              violations),
        reads(Direction::kRead, violations),
        writes(Direction::kWrite, violations) {}
  StreamSource source;
  StreamSink sink;
  JobFeeder read, write;
  AxiMonitor bus;
  AxisMonitor master, slave;
  EngineMonitor reads, writes;
  uint64_t last_progress = 0;
  bool excused = false;
};

FabricBench::FabricBench(std::unique_ptr<Fabric> fabric, const FabricBenchOptions& options)
    : fabric_(std::move(fabric)),
      options_(options),
      rng_(options.seed),
      memory_(rng_.Stream("memory contents").seed()) {
  const FabricConfig& config = fabric_->config();
  options_.channels.resize(static_cast<size_t>(config.channels()));
  for (int p = 0; p < config.ports; ++p) {
    ports_.push_back(std::make_unique<PortParts>(config, options.memory, &memory_,
                                                 rng_.Stream("port", static_cast<uint64_t>(p)),
                                                 &violations_));
  }
  if (!options.faults.empty()) {
    ports_.at(static_cast<size_t>(options.fault_port))->tamper =
        std::make_unique<AxiTamper>(options.faults, config.channel.data_bytes);
  }
  for (int k = 0; k < config.channels(); ++k) {
    channels_.push_back(std::make_unique<ChannelParts>(
        config, options_.channels[static_cast<size_t>(k)],
        rng_.Stream("channel", static_cast<uint64_t>(k)), &violations_, k));
  }
}

FabricBench::~FabricBench() = default;

void FabricBench::AddRead(int k, const EngineTransfer& transfer) {
  channels_.at(static_cast<size_t>(k))->read.Add(transfer);
}
void FabricBench::AddWrite(int k, const EngineTransfer& transfer) {
  channels_.at(static_cast<size_t>(k))->write.Add(transfer);
}
void FabricBench::RequestAbort(int k, Direction direction) {
  AllowClosing(k);
  feeder(k, direction).RequestAbort();
}
void FabricBench::AllowClosing(int k) {
  channels_.at(static_cast<size_t>(k))->master.AllowNull(AxisMonitorOptions::Null::kWithLast);
}
void FabricBench::Excuse(int k) {
  channels_.at(static_cast<size_t>(k))->excused = true;
  if (!fabric_->config().one_id) return;
  for (auto& port : ports_) port->excused = true;
}
const AxiTamper* FabricBench::tamper() const {
  return ports_[static_cast<size_t>(options_.fault_port)]->tamper.get();
}
AxiTamper* FabricBench::tamper() {
  return ports_[static_cast<size_t>(options_.fault_port)]->tamper.get();
}
bool FabricBench::MemoryIdle(int port) const {
  const PortParts& parts = *ports_.at(static_cast<size_t>(port));
  return parts.memory.Idle() && (!parts.tamper || parts.tamper->Empty());
}
StreamSource& FabricBench::source(int k) { return channels_.at(static_cast<size_t>(k))->source; }
StreamSink& FabricBench::sink(int k) { return channels_.at(static_cast<size_t>(k))->sink; }
JobFeeder& FabricBench::feeder(int k, Direction direction) {
  ChannelParts& parts = *channels_.at(static_cast<size_t>(k));
  return direction == Direction::kRead ? parts.read : parts.write;
}
uint64_t FabricBench::read_beats(int k) const {
  return fabric_->config().one_id ? ports_[0]->monitor.read_beats()
                                  : channels_.at(static_cast<size_t>(k))->bus.read_beats();
}
uint64_t FabricBench::write_beats(int k) const {
  return fabric_->config().one_id ? ports_[0]->monitor.write_beats()
                                  : channels_.at(static_cast<size_t>(k))->bus.write_beats();
}
const std::vector<ErrorEvent>& FabricBench::errors(int port) const {
  return ports_.at(static_cast<size_t>(port))->memory.errors();
}

// The cycle as one direction of a channel sees it, which can be reset alone.
Tick FabricBench::Local(int k, Direction direction) const {
  Tick tick = tick_;
  tick.reset = tick.reset || fabric_->state(k, direction).in_reset;
  return tick;
}

void FabricBench::Watch(ChannelParts* parts, int k) {
  const DutInputs& in = fabric_->channel(k).in;
  const DutOutputs& out = fabric_->channel(k).out;
  const Tick read = Local(k, Direction::kRead), write = Local(k, Direction::kWrite);
  parts->source.Sample(write, in, out);
  parts->sink.Sample(read, in, out);
  parts->read.Sample(read, in, out);
  parts->write.Sample(write, in, out);
  if (!fabric_->config().one_id && !parts->excused) parts->bus.Sample(tick_, in, out);
  parts->master.SampleMaster(read, in, out);
  if (!parts->excused) parts->slave.SampleSlave(write, in, out);
  const bool watched = !parts->excused;
  parts->reads.Sample(
      read,
      {in.rd_valid && out.rd_ready, out.rd_done_valid, in.rd_done_ready, out.rd_idle, &out.rd_done},
      watched && (parts->bus.open_reads() > 0 || out.arvalid));
  parts->writes.Sample(
      write,
      {in.wr_valid && out.wr_ready, out.wr_done_valid, in.wr_done_ready, out.wr_idle, &out.wr_done},
      watched && (parts->bus.open_writes() > 0 || out.awvalid));
  const bool moved[] = {in.rd_valid && out.rd_ready,
                        in.wr_valid && out.wr_ready,
                        out.rd_done_valid && in.rd_done_ready,
                        out.wr_done_valid && in.wr_done_ready,
                        out.m_tvalid && in.m_tready,
                        in.s_tvalid && out.s_tready,
                        out.wvalid && in.wready,
                        in.rvalid && out.rready,
                        in.bvalid && out.bready};
  const auto count = std::count(std::begin(moved), std::end(moved), true);
  handshakes_ += static_cast<uint64_t>(count);
  const bool idle = parts->read.Finished() && parts->write.Finished();
  if (count > 0 || idle) parts->last_progress = tick_.cycle;
}

void FabricBench::Step() {
  fabric_->Settle();
  for (size_t p = 0; p < ports_.size(); ++p) {
    Fabric::Port& port = fabric_->port(static_cast<int>(p));
    PortParts& parts = *ports_[p];
    if (parts.tamper) {
      DutOutputs taken = port.out;
      taken.rready = taken.bready = true;
      parts.memory.Sample(tick_, parts.memory_in, taken);
      parts.tamper->Sample(tick_, parts.memory_in, port.out);
    } else {
      parts.memory.Sample(tick_, port.in, port.out);
    }
    if (fabric_->config().one_id && !parts.excused) {
      parts.monitor.Sample(tick_, port.in, port.out);
    }
  }
  for (size_t k = 0; k < channels_.size(); ++k) Watch(channels_[k].get(), static_cast<int>(k));
  for (const Hook& hook : hooks_) hook(tick_);
  if (!Quiet()) last_movement_ = tick_.cycle;

  fabric_->Edge();

  const Tick next{tick_.cycle + 1, reset_left_ > 0};
  if (next.reset && !tick_.reset) Forgive();
  if (reset_left_ > 0) --reset_left_;
  fabric_->aresetn = !next.reset;
  for (size_t p = 0; p < ports_.size(); ++p) {
    DutInputs& in = fabric_->port(static_cast<int>(p)).in;
    PortParts& parts = *ports_[p];
    parts.memory.Drive(next, parts.tamper ? &parts.memory_in : &in);
    if (parts.tamper) parts.tamper->Drive(parts.memory_in, &in);
  }
  for (size_t k = 0; k < channels_.size(); ++k) {
    Dut& dut = fabric_->channel(static_cast<int>(k));
    ChannelParts& parts = *channels_[k];
    parts.source.Drive(next, &dut.in);
    parts.sink.Drive(next, &dut.in);
    parts.read.Drive(next, &dut);
    parts.write.Drive(next, &dut);
  }
  if (meddle_) meddle_();
  tick_ = next;
}

// A reset of everything ends what was excused.
void FabricBench::Forgive() {
  for (auto& parts : channels_) {
    if (parts->excused) {
      parts->bus = AxiMonitor(AxiMonitorOptions::For(fabric_->config().channel), &violations_);
    }
    parts->excused = false;
  }
  for (auto& parts : ports_) {
    if (parts->excused) parts->monitor = AxiMonitor(PortOptions(fabric_->config()), &violations_);
    parts->excused = false;
  }
}

bool FabricBench::Quiet() const {
  if (tick_.reset) return false;
  for (size_t k = 0; k < channels_.size(); ++k) {
    const ChannelParts& parts = *channels_[k];
    const DutInputs& in = fabric_->channel(static_cast<int>(k)).in;
    const DutOutputs& out = fabric_->channel(static_cast<int>(k)).out;
    if (!parts.read.Finished() || !parts.write.Finished()) return false;
    if (!out.rd_idle || !out.wr_idle || out.m_tvalid) return false;
    if (out.rd_done_valid || out.wr_done_valid || (in.s_tvalid && out.s_tready)) return false;
  }
  for (size_t p = 0; p < ports_.size(); ++p) {
    const DutOutputs& out = fabric_->port(static_cast<int>(p)).out;
    if (out.arvalid || out.awvalid || out.wvalid || !ports_[p]->memory.Idle()) return false;
  }
  return true;
}

void FabricBench::CheckEnd() {
  for (auto& parts : channels_) {
    if (!fabric_->config().one_id && !parts->excused) parts->bus.AtEnd(tick_.cycle);
    parts->master.AtEnd(tick_.cycle);
    parts->reads.AtEnd(tick_.cycle);
    parts->writes.AtEnd(tick_.cycle);
  }
  for (auto& parts : ports_) {
    if (fabric_->config().one_id && !parts->excused) parts->monitor.AtEnd(tick_.cycle);
  }
}

FabricResult FabricBench::Run() {
  FabricResult result;
  std::string failure;
  uint64_t jobs = 0;
  try {
    while (failure.empty() && tick_.cycle - last_movement_ <= options_.quiet_cycles) {
      Step();
      if (violations_.count() > 0) {
        failure = fmt::format("{}: {}", violations_.kept().front().rule,
                              violations_.kept().front().message);
      }
      if (failure.empty() && tick_.cycle >= options_.cycle_limit) {
        failure = fmt::format("not finished after {} cycles", options_.cycle_limit);
      }
      for (size_t k = 0; k < channels_.size() && failure.empty(); ++k) {
        if (tick_.cycle - channels_[k]->last_progress > options_.timeout) {
          failure = fmt::format("channel {} has not moved for {} cycles", k, options_.timeout);
        }
      }
    }
    for (auto& parts : channels_) jobs += parts->read.jobs().size() + parts->write.jobs().size();
    if (failure.empty()) CheckEnd();
  } catch (const std::runtime_error& error) {
    failure = error.what();
  }
  if (failure.empty() && violations_.count() > 0) failure = violations_.kept().front().message;
  if (failure.empty() && jobs == 0) failure = "no transfer was given, so nothing was checked";
  result.cycles = tick_.cycle;
  result.handshakes = handshakes_;
  if (!failure.empty()) {
    result.message =
        fmt::format("fabric {} seed {:#x} cycle {}: {}\n{}", fabric_->config().channel.name,
                    options_.seed, tick_.cycle, failure, Dump());
  }
  return result;
}

std::string FabricBench::Dump() const {
  std::string text;
  for (size_t p = 0; p < ports_.size(); ++p) {
    const Fabric::Port& port = fabric_->port(static_cast<int>(p));
    text += fmt::format(
        "port {}: AR {}/{} id {}, R {}/{} id {}, AW {}/{} id {}, W {}/{}, B {}/{} id {}; {}\n", p,
        port.out.arvalid, port.in.arready, port.out.arid, port.in.rvalid, port.out.rready,
        port.in.rid, port.out.awvalid, port.in.awready, port.out.awid, port.out.wvalid,
        port.in.wready, port.in.bvalid, port.out.bready, port.in.bid, ports_[p]->memory.Describe());
  }
  for (size_t k = 0; k < channels_.size(); ++k) {
    const DutInputs& in = fabric_->channel(static_cast<int>(k)).in;
    const DutOutputs& out = fabric_->channel(static_cast<int>(k)).out;
    text +=
        fmt::format("channel {}: {}; {}; m_axis {}/{}, s_axis {}/{}; last moved in cycle {}\n", k,
                    channels_[k]->read.Describe(), channels_[k]->write.Describe(), out.m_tvalid,
                    in.m_tready, in.s_tvalid, out.s_tready, channels_[k]->last_progress);
    if (!fabric_->config().control) continue;
    for (const Direction d : {Direction::kRead, Direction::kWrite}) {
      const Fabric::State& s = fabric_->state(static_cast<int>(k), d);
      text += fmt::format(
          "  {}: idle {}, paused {}, in reset {}, stuck {}, faulted {}, cause {}, transfer {}, "
          "address "
          "{:#x}\n",
          d == Direction::kRead ? "read" : "write", s.idle, s.paused, s.in_reset, s.stuck,
          s.faulted, NameOf(s.cause), s.transfer, s.addr);
    }
  }
  return text;
}

}  // namespace tessera
