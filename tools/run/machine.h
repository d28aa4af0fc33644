// The hardware of a job with memory and stream ends around it: an engine pair, or many channels.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "tb/bus/axis.h"
#include "tb/bus/memory.h"
#include "tb/run/job_feeder.h"
#include "tb/sim/dut.h"
#include "tb/sim/tick.h"
#include "tools/prepare/prepare.h"

namespace tessera::cli {

struct Ending {
  std::string failure;  // empty: it ran to its end
  uint64_t cycles = 0;
};

// Engine k of a direction has stream end, feeder and pins k.
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
  virtual JobFeeder& feeder(int k, Direction direction) = 0;
  virtual const Dut& pins(int k) = 0;
  // Error responses that memory has given.
  virtual std::vector<ErrorEvent> Errors() const = 0;
};

// A machine with the memories, transfers and streams of a job.
std::unique_ptr<Machine> MakeMachine(const Prepared& prepared);

}  // namespace tessera::cli
