// What surrounds one read and one write engine with their streams: stream ends, feeders, monitors,
// and the count of what has moved on each channel.
#pragma once

#include <array>
#include <cstdint>

#include "tb/bus/axis.h"
#include "tb/monitor/axi_monitor.h"
#include "tb/monitor/axis_monitor.h"
#include "tb/monitor/engine_monitor.h"
#include "tb/run/job_feeder.h"
#include "tb/sim/component.h"
#include "tb/sim/dut.h"
#include "tb/sim/rng.h"

namespace tessera {

// The channels of an engine pair, for counting and reporting.
enum class ChannelName : uint8_t {
  kReadTransfer,
  kReadDone,
  kWriteTransfer,
  kWriteDone,
  kAr,
  kR,
  kAw,
  kW,
  kB,
  kMaster,
  kSlave
};
inline constexpr size_t kChannels = 11;

struct PairOptions {
  StreamSourceOptions source;
  StreamSinkOptions sink;
  FeederOptions read, write;
};

struct PairBench {
  // Watches the bus, the streams and the handshakes of all channels of a pair.
  class Monitors final : public Component {
   public:
    Monitors(const PairPorts* pins, const Config& config, ViolationList* violations);

    void AllowNull(AxisMonitorOptions::Null null) { master_.AllowNull(null); }
    void Sample(const Tick& tick) override;
    void AtEnd(uint64_t cycle);

    const AxiMonitor& bus() const { return bus_; }
    uint64_t count(ChannelName c) const { return counts_[static_cast<size_t>(c)]; }
    uint64_t last(ChannelName c) const { return last_[static_cast<size_t>(c)]; }
    // Handshakes of all channels.
    uint64_t total() const { return total_; }
    // Something moved in the cycle that was sampled last.
    bool moved() const { return moved_; }

   private:
    void Count(uint64_t cycle);

    const PairPorts* pins_;
    AxiMonitor bus_;
    AxisMonitor master_, slave_;
    EngineMonitor read_, write_;
    std::array<uint64_t, kChannels> counts_{}, last_;
    uint64_t total_ = 0;
    bool moved_ = false;
  };

  PairBench(PairPorts* pins, const Config& config, const PairOptions& options, const Rng& rng,
            ViolationList* violations);

  JobFeeder& feeder(Direction d) { return d == Direction::kRead ? read : write; }
  // Every job has its record, both engines are idle, and nothing of them is on the pins.
  bool Quiet() const;

  const PairPorts* pins;
  StreamSource source;
  StreamSink sink;
  JobFeeder read, write;
  Monitors monitors;
};

}  // namespace tessera
