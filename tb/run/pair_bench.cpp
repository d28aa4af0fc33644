// What surrounds one pair of engines.
#include "tb/run/pair_bench.h"

namespace tessera {

using Monitors = PairBench::Monitors;

// Null beats are allowed once a read was aborted.
Monitors::Monitors(const PairPorts* pins, const Config& config, ViolationList* violations)
    : pins_(pins),
      bus_(&pins->axi, AxiMonitorOptions::For(config), violations),
      master_(&pins->m_axis,
              {"m_axis", config.stream_bytes, AxisMonitorOptions::Keep::kAllowPartial,
               AxisMonitorOptions::Null::kNone},
              violations),
      slave_(&pins->s_axis,
             {"s_axis", config.stream_bytes, AxisMonitorOptions::Keep::kAny,
              AxisMonitorOptions::Null::kAny},
             violations),
      read_(&pins->read, Direction::kRead, violations),
      write_(&pins->write, Direction::kWrite, violations) {
  last_.fill(kNever);
}

void Monitors::Sample(const Tick& tick) {
  bus_.Sample(tick);
  master_.Sample(tick);
  slave_.Sample(tick);
  read_.Sample(tick, bus_.open_reads() > 0 || pins_->axi.ar.valid);
  write_.Sample(tick, bus_.open_writes() > 0 || pins_->axi.aw.valid);
  moved_ = false;
  if (!tick.reset) Count(tick.cycle);
}

void Monitors::Count(uint64_t cycle) {
  const auto count = [&](const auto& channel, ChannelName name) {
    if (!channel.moves()) return;
    ++counts_[static_cast<size_t>(name)];
    last_[static_cast<size_t>(name)] = cycle;
    ++total_;
    moved_ = true;
  };
  count(pins_->read.transfer, ChannelName::kReadTransfer);
  count(pins_->read.done, ChannelName::kReadDone);
  count(pins_->write.transfer, ChannelName::kWriteTransfer);
  count(pins_->write.done, ChannelName::kWriteDone);
  count(pins_->axi.ar, ChannelName::kAr);
  count(pins_->axi.r, ChannelName::kR);
  count(pins_->axi.aw, ChannelName::kAw);
  count(pins_->axi.w, ChannelName::kW);
  count(pins_->axi.b, ChannelName::kB);
  count(pins_->m_axis, ChannelName::kMaster);
  count(pins_->s_axis, ChannelName::kSlave);
}

void Monitors::AtEnd(uint64_t cycle) {
  bus_.AtEnd(cycle);
  master_.AtEnd(cycle);
  read_.AtEnd(cycle);
  write_.AtEnd(cycle);
}

PairBench::PairBench(PairPorts* ports, const Config& config, const PairOptions& options,
                     const Rng& rng, ViolationList* violations)
    : pins(ports),
      source(&ports->s_axis, config.stream_bytes, options.source, rng.Stream("source")),
      sink(&ports->m_axis, config.stream_bytes, options.sink, rng.Stream("sink")),
      read(&ports->read, Direction::kRead, options.read, rng.Stream("read jobs")),
      write(&ports->write, Direction::kWrite, options.write, rng.Stream("write jobs")),
      monitors(ports, config, violations) {}

bool PairBench::Quiet() const {
  if (!read.Finished() || !write.Finished()) return false;
  if (!pins->read.idle || !pins->write.idle || pins->m_axis.valid) return false;
  return !pins->read.done.valid && !pins->write.done.valid && !pins->s_axis.moves();
}

}  // namespace tessera
