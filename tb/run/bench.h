// EngineBench: a model, a memory, two stream ends, monitors, and the jobs of both engines.
//
// Give it jobs, stream data and memory contents, then Run(). The run ends well only when every job
// has its record, everything is idle, and nothing has moved for a while; a time without any
// handshake, a broken rule or a stopped model ends it as a failure with a dump of who waits for
// whom. Everything follows from the seed: the same options and jobs give the same run, cycle by
// cycle. The order in which components are called is drawn from the seed and must not matter.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tb/bus/axi_memory.h"
#include "tb/bus/axis.h"
#include "tb/bus/memory.h"
#include "tb/monitor/axi_monitor.h"
#include "tb/monitor/axis_monitor.h"
#include "tb/monitor/engine_monitor.h"
#include "tb/run/job_feeder.h"
#include "tb/sim/dut.h"
#include "tb/sim/rng.h"
#include "tb/sim/tick.h"

namespace tessera {

struct BenchOptions {
  uint64_t seed = 1;
  AxiMemoryOptions memory;
  StreamSourceOptions source;
  StreamSinkOptions sink;
  FeederOptions read, write;
  // What the read engine may send; null beats with TLAST are allowed as well once it was aborted.
  AxisMonitorOptions::Keep keep = AxisMonitorOptions::Keep::kAllowPartial;
  uint64_t timeout = 5000;        // cycles without a handshake that are a failure
  uint64_t cycle_limit = kNever;  // cycles that are a failure
  uint32_t reset_cycles = 4;      // at the start
  uint32_t quiet_cycles = 40;     // without movement, at the end
  bool shuffle = true;            // order of components
  bool stop_at_violation = true;
  bool record_w_cycles = false;  // keep the cycle of each W handshake
};

struct BenchResult {
  enum class Failure : uint8_t { kNone, kTimeout, kCycleLimit, kViolation, kModelStopped, kNoWork };
  Failure failure = Failure::kNone;
  std::string message;  // empty if passed; else several lines, the first names the failure
  uint64_t cycles = 0;  // that were run
  uint64_t fail_cycle = kNever;
  uint64_t handshakes = 0;  // on all channels: the evidence that something ran
  std::vector<Violation> violations;
  std::string unwritten;  // why the waveform is not there; empty: it is, or none was asked for
  bool passed() const { return failure == Failure::kNone; }
};

// Channels of an engine pair, for counting and reporting.
enum class Channel : uint8_t {
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

class EngineBench {
 public:
  // Called in each cycle after everything was sampled, before the edge. May request aborts and
  // resets, add jobs and stream data; all of it takes effect from the next cycle on.
  class Hook {
   public:
    virtual ~Hook() = default;
    virtual void OnCycle(EngineBench& bench, const Tick& tick) = 0;
  };

  EngineBench(std::unique_ptr<Dut> dut, const BenchOptions& options);
  EngineBench(const EngineBench&) = delete;
  EngineBench& operator=(const EngineBench&) = delete;

  void AddRead(const EngineTransfer& transfer) { read_.Add(transfer); }
  void AddWrite(const EngineTransfer& transfer) { write_.Add(transfer); }
  void AddHook(Hook* hook) { hooks_.push_back(hook); }

  // Abort is high from `cycle` on until the engine is idle. Aborting twice at once is aborting
  // once.
  void AbortAt(Direction direction, uint64_t cycle);
  void RequestAbort(Direction direction);
  // aresetn is low for `length` cycles from `cycle` on.
  void ResetAt(uint64_t cycle, uint32_t length = 4);
  // Writes a waveform of cycles from .. to (the run goes on up to `to` after a failure).
  void TraceWindow(const std::string& path, uint64_t from, uint64_t to);

  BenchResult Run();
  // One cycle, for those who decide themselves when to stop; Finish() then checks the end.
  void Step();
  BenchResult Finish();
  // All jobs are done, nothing is open, nothing moves.
  bool Quiet() const;

  Dut& dut() { return *dut_; }
  const Dut& dut() const { return *dut_; }
  Memory& memory() { return memory_; }
  const Memory& memory() const { return memory_; }
  AxiMemory& axi_memory() { return axi_memory_; }
  const AxiMemory& axi_memory() const { return axi_memory_; }
  StreamSource& source() { return source_; }
  const StreamSource& source() const { return source_; }
  StreamSink& sink() { return sink_; }
  const StreamSink& sink() const { return sink_; }
  JobFeeder& feeder(Direction d) { return d == Direction::kRead ? read_ : write_; }
  const std::vector<JobResult>& reads() const { return read_.jobs(); }
  const std::vector<JobResult>& writes() const { return write_.jobs(); }
  const AxiMonitor& axi_monitor() const { return axi_monitor_; }
  const ViolationList& violations() const { return violations_; }
  const Tick& tick() const { return tick_; }
  uint64_t handshakes(Channel c) const { return counts_[static_cast<size_t>(c)]; }
  uint64_t last_handshake(Channel c) const { return last_[static_cast<size_t>(c)]; }
  uint64_t resets() const { return resets_; }
  const std::vector<uint64_t>& w_cycles() const { return w_cycles_; }
  const BenchOptions& options() const { return options_; }

  // Pins, components and who waits for whom, in lines.
  std::string Dump() const;

 private:
  enum class Part : uint8_t { kMemory, kSource, kSink, kRead, kWrite, kMonitors };
  static constexpr size_t kParts = 6;

  void SamplePart(Part part);
  void DrivePart(Part part, const Tick& next);
  void SampleMonitors();
  void CountHandshakes();
  void Stamp();
  void ApplySchedule(uint64_t next_cycle);
  void UpdateTrace(uint64_t next_cycle);
  void Trace(const std::string& path);
  void Moved(Channel channel) {
    ++counts_[static_cast<size_t>(channel)];
    last_[static_cast<size_t>(channel)] = tick_.cycle;
    last_progress_ = tick_.cycle;
  }
  BenchResult Fail(BenchResult::Failure failure, const std::string& what);

  struct Scheduled {
    enum class Kind : uint8_t { kAbortRead, kAbortWrite, kReset } kind = Kind::kReset;
    uint64_t cycle = 0;
    uint32_t length = 0;
  };

  std::unique_ptr<Dut> dut_;
  BenchOptions options_;
  Rng rng_;
  Memory memory_;
  AxiMemory axi_memory_;
  StreamSource source_;
  StreamSink sink_;
  JobFeeder read_, write_;
  ViolationList violations_;
  AxiMonitor axi_monitor_;
  AxisMonitor master_monitor_, slave_monitor_;
  EngineMonitor read_monitor_, write_monitor_;
  std::array<Part, kParts> sample_order_, drive_order_;
  std::vector<Hook*> hooks_;
  std::vector<Scheduled> schedule_;  // not yet due
  uint64_t next_due_ = kNever;

  Tick tick_;
  uint64_t reset_left_ = 0;
  uint64_t resets_ = 0;
  uint64_t last_progress_ = 0;
  uint64_t last_movement_ = 0;  // the last cycle that was not Quiet()
  std::array<uint64_t, kChannels> counts_{};
  std::array<uint64_t, kChannels> last_;
  std::vector<uint64_t> w_cycles_;
  std::string trace_path_;
  uint64_t trace_from_ = kNever, trace_to_ = kNever;
  std::string unwritten_;
};

}  // namespace tessera
