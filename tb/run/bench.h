// EngineBench: an engine pair, a memory, and what surrounds a pair (pair_bench.h).
//
// Give it jobs, stream data and memory contents, then Run(). The run ends well only when every job
// has its record, everything is idle, and nothing has moved for a while; a time without any
// handshake, a broken rule or a stopped model ends it as a failure with a dump of who waits for
// whom. Everything follows from the seed: the same options and jobs give the same run, cycle by
// cycle. The order in which components are called is drawn from the seed and must not matter.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tb/bus/axi_memory.h"
#include "tb/bus/memory.h"
#include "tb/run/cycle_loop.h"
#include "tb/run/pair_bench.h"
#include "tb/sim/dut.h"
#include "tb/sim/rng.h"
#include "tb/sim/tick.h"

namespace tessera {

struct BenchOptions : PairOptions {
  uint64_t seed = 1;
  AxiMemoryOptions memory;
  uint64_t timeout = 5000;        // cycles without a handshake that are a failure
  uint64_t cycle_limit = kNever;  // cycles that are a failure
  uint32_t reset_cycles = 4;      // at the start
  uint32_t quiet_cycles = 40;     // without movement, at the end
  bool shuffle = true;            // order of components
  bool record_w_cycles = false;   // keep the cycle of each W handshake
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

class EngineBench : public CycleLoop {
 public:
  // Called in each cycle after everything was sampled, before the edge. May request aborts and
  // resets, add jobs and stream data; all of it takes effect from the next cycle on.
  class Hook {
   public:
    virtual ~Hook() = default;
    virtual void OnCycle(EngineBench& bench, const Tick& tick) = 0;
  };

  EngineBench(std::unique_ptr<Dut> dut, const BenchOptions& options);

  void AddRead(const EngineTransfer& transfer) { pair_.read.Add(transfer); }
  void AddWrite(const EngineTransfer& transfer) { pair_.write.Add(transfer); }
  void AddHook(Hook* hook) { hooks_.push_back(hook); }

  // Abort is high from `cycle` on until the engine is idle. Aborting twice at once is aborting
  // once.
  void AbortAt(Direction direction, uint64_t cycle);
  void RequestAbort(Direction direction);
  // aresetn is low for `length` cycles from `cycle` on.
  void ResetAt(uint64_t cycle, uint32_t length = 4);

  // With a waveform the run goes on up to its end after a failure.
  BenchResult Run();
  // For those who step themselves: checks the end.
  BenchResult Finish();
  // All jobs are done, nothing is open, nothing moves.
  bool Quiet() const;

  Dut& dut() { return *dut_; }
  const Dut& dut() const { return *dut_; }
  Memory& memory() { return memory_; }
  const Memory& memory() const { return memory_; }
  AxiMemory& axi_memory() { return axi_memory_; }
  const AxiMemory& axi_memory() const { return axi_memory_; }
  StreamSource& source() { return pair_.source; }
  const StreamSource& source() const { return pair_.source; }
  StreamSink& sink() { return pair_.sink; }
  const StreamSink& sink() const { return pair_.sink; }
  JobFeeder& feeder(Direction d) { return pair_.feeder(d); }
  const std::vector<JobResult>& reads() const { return pair_.read.jobs(); }
  const std::vector<JobResult>& writes() const { return pair_.write.jobs(); }
  const AxiMonitor& axi_monitor() const { return pair_.monitors.bus(); }
  const ViolationList& violations() const { return violations_; }
  uint64_t handshakes(ChannelName c) const { return pair_.monitors.count(c); }
  uint64_t last_handshake(ChannelName c) const { return pair_.monitors.last(c); }
  const std::vector<uint64_t>& w_cycles() const { return w_cycles_; }
  const BenchOptions& options() const { return options_; }

  // Pins, components and who waits for whom, in lines.
  std::string Dump() const;

 private:
  void AfterSample() override;
  void BeforeDrive(const Tick& next) override;
  void Stamp();
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
  ViolationList violations_;
  PairBench pair_;
  std::vector<Hook*> hooks_;
  std::vector<Scheduled> schedule_;  // not yet due
  uint64_t next_due_ = kNever;

  uint64_t last_progress_ = 0;
  uint64_t last_movement_ = 0;  // the last cycle that was not Quiet()
  std::vector<uint64_t> w_cycles_;
};

}  // namespace tessera
