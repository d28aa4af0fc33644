// FabricBench: a fabric, a memory behind every port, and around each channel what surrounds an
// engine pair (pair_bench.h).
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
#include "tb/bus/memory.h"
#include "tb/monitor/axi_monitor.h"
#include "tb/run/cycle_loop.h"
#include "tb/run/pair_bench.h"
#include "tb/sim/fabric.h"
#include "tb/sim/rng.h"
#include "tb/sim/tick.h"

namespace tessera {

struct FabricBenchOptions {
  uint64_t seed = 1;
  AxiMemoryOptions memory;
  std::vector<PairOptions> channels;  // absent: the defaults
  std::vector<AxiFault> faults;       // between the memory and a port, one after the other
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

class FabricBench : public CycleLoop {
 public:
  // Called in each cycle after everything was sampled, before the edge.
  using Hook = std::function<void(const Tick& tick)>;

  FabricBench(std::unique_ptr<Fabric> fabric, const FabricBenchOptions& options);
  ~FabricBench() override;

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
  void Restart() { Reset(3); }
  // Called at the end of every cycle, and may change the pins of the next.
  void OverridePins(std::function<void()> override_pins) {
    override_pins_ = std::move(override_pins);
  }

  FabricResult Run();

  Fabric& fabric() { return *fabric_; }
  Memory& memory() { return memory_; }
  const Memory& memory() const { return memory_; }
  StreamSource& source(int k);
  StreamSink& sink(int k);
  JobFeeder& feeder(int k, Direction direction);
  const ViolationList& violations() const { return violations_; }
  // Beats of a channel on R or W of its port; with one ID those of the whole port, in channel 0's.
  uint64_t read_beats(int k) const;
  uint64_t write_beats(int k) const;
  // What stands before the memory of the port where something is to go wrong, if it is.
  const AxiTamper* tamper() const;
  AxiTamper* tamper();
  // The memory of a port has answered everything, and everything has arrived.
  bool MemoryIdle(int port) const;
  // Handshakes so far of all channels; and the end of a run, for those who do not call Run().
  uint64_t handshakes() const;
  bool Quiet() const;
  void CheckEnd();
  // What every port and channel is at, for messages.
  std::string Dump() const;
  // Error responses given so far on a port.
  const std::vector<ErrorEvent>& errors(int port) const;

 private:
  class Port;
  struct ChannelBench;
  void AfterSample() override;
  void BeforeDrive(const Tick& next) override;
  void AfterDrive() override;
  ChannelBench& channel(int k) const { return *channels_.at(static_cast<size_t>(k)); }
  // Where IDs do not tell whose traffic is whose, the port as a whole is watched.
  bool one_id() const { return fabric_->config().one_id; }

  std::unique_ptr<Fabric> fabric_;
  std::function<void()> override_pins_;
  FabricBenchOptions options_;
  Rng rng_;
  Memory memory_;
  ViolationList violations_;
  std::vector<std::unique_ptr<Port>> ports_;
  std::vector<std::unique_ptr<ChannelBench>> channels_;
  std::vector<Hook> hooks_;
  uint64_t last_movement_ = 0;
};

}  // namespace tessera
