// What surrounds one pair of engines.
#include "tb/run/pair_bench.h"

namespace tessera {

using Monitors = PairBench::Monitors;

Monitors::Monitors(const PairPorts* pins, const Config& config, AxisMonitorOptions::Keep keep,
                   const std::string& suffix, bool own_bus, ViolationList* violations)
    : pins_(pins),
      bus_options_(AxiMonitorOptions::For(config)),
      violations_(violations),
      own_bus_(own_bus),
      bus_(&pins->axi, bus_options_, violations),
      master_(&pins->m_axis,
              {"m_axis" + suffix, config.stream_bytes, keep, AxisMonitorOptions::Null::kNone},
              violations),
      slave_(&pins->s_axis,
             {"s_axis" + suffix, config.stream_bytes, AxisMonitorOptions::Keep::kAny,
              AxisMonitorOptions::Null::kAny},
             violations),
      read_(&pins->read, Direction::kRead, violations),
      write_(&pins->write, Direction::kWrite, violations) {
  last_.fill(kNever);
}

void Monitors::ResetAlone(const bool* read, const bool* write) {
  read_reset_ = read;
  write_reset_ = write;
}

void Monitors::ForgetBus() { bus_ = AxiMonitor(&pins_->axi, bus_options_, violations_); }

void Monitors::Sample(const Tick& tick) {
  Tick read = tick, write = tick;
  read.reset = tick.reset || (read_reset_ != nullptr && *read_reset_);
  write.reset = tick.reset || (write_reset_ != nullptr && *write_reset_);
  if (own_bus_ && !excused_) bus_.Sample(tick);
  master_.Sample(read);
  if (!excused_) slave_.Sample(write);
  read_.Sample(read, !excused_ && (bus_.open_reads() > 0 || pins_->axi.ar.valid));
  write_.Sample(write, !excused_ && (bus_.open_writes() > 0 || pins_->axi.aw.valid));
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
  if (own_bus_ && !excused_) bus_.AtEnd(cycle);
  master_.AtEnd(cycle);
  read_.AtEnd(cycle);
  write_.AtEnd(cycle);
}

PairBench::PairBench(PairPorts* ports, const Config& config, const PairOptions& options,
                     AxisMonitorOptions::Keep keep, const std::string& suffix, bool own_bus,
                     const Rng& rng, ViolationList* violations)
    : pins(ports),
      source(&ports->s_axis, config.stream_bytes, options.source, rng.Stream("source")),
      sink(&ports->m_axis, config.stream_bytes, options.sink, rng.Stream("sink")),
      read(&ports->read, Direction::kRead, options.read, rng.Stream("read jobs")),
      write(&ports->write, Direction::kWrite, options.write, rng.Stream("write jobs")),
      monitors(ports, config, keep, suffix, own_bus, violations) {}

bool PairBench::Quiet() const {
  if (!read.Finished() || !write.Finished()) return false;
  if (!pins->read.idle || !pins->write.idle || pins->m_axis.valid) return false;
  return !pins->read.done.valid && !pins->write.done.valid && !pins->s_axis.moves();
}

}  // namespace tessera
