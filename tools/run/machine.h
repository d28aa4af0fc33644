// The hardware of a job with memory and stream ends around it: an engine pair, many channels, or a
// tessera_dma behind its registers.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tb/bus/axi_errors.h"
#include "tb/bus/axis.h"
#include "tb/bus/memory.h"
#include "tb/dma/native.h"
#include "tb/run/job_feeder.h"
#include "tb/sim/dut.h"
#include "tb/sim/tick.h"
#include "tools/pictures/timeline.h"
#include "tools/prepare/prepare.h"

namespace tessera::cli {

struct Ending {
  std::string failure;  // empty: it ran to its end
  uint64_t cycles = 0;
};

// What moved on the pins of one channel in a cycle.
struct Moved {
  bool address = false, bus = false, stream = false;
};

// What only a tessera_dma does.
struct DmaFigures {
  uint64_t register_writes = 0, register_reads = 0, descriptors = 0, tasks = 0, tokens = 0,
           interrupts = 0;
  std::vector<int> locks;                      // at the end, as those of the job
  uint64_t bytes_read = 0, bytes_written = 0;  // whole words of external memory
  uint64_t conflicts = 0;  // cycles in which an access waited for its bank on the chip
  // Of each channel and step, where there is one.
  std::vector<std::vector<std::optional<native::Record>>> records;
  std::vector<std::string> failures;
  std::vector<std::string> notes;  // what a user may not have meant
  timeline::Timeline timeline;
};

// Engine k of a direction has stream end k.
class Machine {
 public:
  using Hook = std::function<void(const Tick& tick)>;  // in each cycle, before the edge

  virtual ~Machine() = default;
  virtual Ending Run() = 0;
  virtual void AddHook(Hook hook) = 0;
  // Writes a waveform from the next cycle on; an empty path ends it.
  virtual void Trace(const std::string& path) = 0;

  virtual Memory& memory() = 0;
  virtual StreamSource& source(int k) = 0;
  virtual StreamSink& sink(int k) = 0;
  // Of each transfer, in order.
  virtual const std::vector<JobResult>& Results(int k, Direction direction) = 0;
  // In this cycle, for a hook. `bus` and `address` are false where nobody can tell whose they are.
  virtual Moved MovedNow(int k, Direction direction) = 0;
  virtual const DmaFigures* dma() const { return nullptr; }
  // What is on the chip becomes that of memory(), to be compared with what the model has.
  virtual void Gather(const model::MemoryImage&) {}
  // Error responses that memory has given.
  virtual std::vector<ErrorEvent> Errors() const = 0;
};

// A machine with the memories, transfers and streams of a job.
std::unique_ptr<Machine> MakeMachine(const Prepared& prepared);
std::unique_ptr<Machine> MakeDmaMachine(const Prepared& prepared);  // of a tessera_dma

}  // namespace tessera::cli
