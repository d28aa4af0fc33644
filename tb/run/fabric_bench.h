// FabricBench: a fabric, a memory behind every port, and for each channel what an EngineBench has:
// stream ends, jobs and monitors.
//
// A run ends well only when every job of every channel has its record, everything is idle and
// nothing has moved for a while. No handshake anywhere, or none of a channel that has work, for
// `timeout` cycles is a failure: one channel must not starve behind the others.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tb/bus/axi_memory.h"
#include "tb/bus/axi_tamper.h"
#include "tb/bus/axis.h"
#include "tb/bus/memory.h"
#include "tb/monitor/axi_monitor.h"
#include "tb/monitor/axis_monitor.h"
#include "tb/monitor/engine_monitor.h"
#include "tb/run/job_feeder.h"
#include "tb/sim/fabric.h"
#include "tb/sim/rng.h"
#include "tb/sim/tick.h"

namespace tessera {

struct FabricChannelOptions {
  StreamSourceOptions source;
  StreamSinkOptions sink;
  FeederOptions read, write;
};

struct FabricBenchOptions {
  uint64_t seed = 1;
  AxiMemoryOptions memory;
  std::vector<FabricChannelOptions> channels;  // absent: the defaults
  std::vector<AxiFault> faults;                // between the memory and a port, one after the other
  int fault_port = 0;
  uint64_t timeout = 20000;
  uint64_t cycle_limit = kNever;  // cycles that are a failure
  uint32_t quiet_cycles = 40;
};

struct FabricResult {
  std::string message;  // empty if passed
  uint64_t cycles = 0;
  uint64_t handshakes = 0;
  bool passed() const { return message.empty(); }
};

class FabricBench {
 public:
  // Called in each cycle after everything was sampled, before the edge.
  using Hook = std::function<void(const Tick& tick)>;

  FabricBench(std::unique_ptr<Fabric> fabric, const FabricBenchOptions& options);
  ~FabricBench();

  void AddRead(int k, const EngineTransfer& transfer);
  void AddWrite(int k, const EngineTransfer& transfer);
  void RequestAbort(int k, Direction direction);
  void AddHook(Hook hook) { hooks_.push_back(std::move(hook)); }
  // A packet may be closed by a null beat from now on.
  void AllowClosing(int k);

  // Looks away from what the memory does to channel k (with one ID: to all), and from what its
  // source does, until the next reset of everything.
  void Excuse(int k);
  // Pulls aresetn from the next cycle on.
  void Restart() { reset_left_ = 3; }
  // Called at the end of every cycle, and may change the pins of the next.
  void Meddle(std::function<void()> meddle) { meddle_ = std::move(meddle); }

  FabricResult Run();
  void Step();

  Fabric& fabric() { return *fabric_; }
  Memory& memory() { return memory_; }
  const Memory& memory() const { return memory_; }
  StreamSource& source(int k);
  StreamSink& sink(int k);
  JobFeeder& feeder(int k, Direction direction);
  const ViolationList& violations() const { return violations_; }
  uint64_t cycle() const { return tick_.cycle; }
  // Beats of a channel on R or W of its port; with one ID those of the whole port, in channel 0's.
  uint64_t read_beats(int k) const;
  uint64_t write_beats(int k) const;
  // What stands before the memory of the port where something is to go wrong, if it is.
  const AxiTamper* tamper() const;
  AxiTamper* tamper();
  // The memory of a port has answered everything, and everything has arrived.
  bool MemoryIdle(int port) const;
  // Handshakes so far of all channels; and the end of a run, for those who do not call Run().
  uint64_t handshakes() const { return handshakes_; }
  bool Quiet() const;
  void CheckEnd();
  // What every port and channel is at, for messages.
  std::string Dump() const;
  // Error responses given so far on a port.
  const std::vector<ErrorEvent>& errors(int port) const;

 private:
  struct ChannelParts;
  struct PortParts;
  void Watch(ChannelParts* parts, int k);
  void Forgive();

  Tick Local(int k, Direction direction) const;

  std::unique_ptr<Fabric> fabric_;
  std::function<void()> meddle_;
  FabricBenchOptions options_;
  Rng rng_;
  Memory memory_;
  ViolationList violations_;
  std::vector<std::unique_ptr<PortParts>> ports_;
  std::vector<std::unique_ptr<ChannelParts>> channels_;
  std::vector<Hook> hooks_;
  Tick tick_{0, true};
  uint64_t reset_left_ = 3;
  uint64_t handshakes_ = 0;
  uint64_t last_movement_ = 0;
};

}  // namespace tessera
