// The bench of an IP with AXI4-Lite registers: a processor that reads and writes them while
// everything else goes on, and the monitors' verdict after each cycle.
//
// An access that is not answered within `timeout` cycles, or a rule that is broken on any port,
// throws std::runtime_error with the dump of the bench that derives from it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tb/bus/axi_lite.h"
#include "tb/bus/axi_memory.h"
#include "tb/bus/axi_tamper.h"
#include "tb/bus/axis.h"
#include "tb/bus/memory.h"
#include "tb/monitor/axi_lite_monitor.h"
#include "tb/monitor/axi_monitor.h"
#include "tb/monitor/axis_monitor.h"
#include "tb/monitor/violation.h"
#include "tb/run/cycle_loop.h"
#include "tb/sim/clocked.h"
#include "tb/sim/ports.h"
#include "tb/sim/rng.h"

namespace tessera {

struct RegisterBenchOptions {
  uint64_t seed = 1;
  AxiMemoryOptions memory;
  StreamSourceOptions source;
  StreamSinkOptions sink;
  AxiLiteMasterOptions registers;
  uint64_t timeout = 5000;
};

// Words that show every bit of a register: none, all, mixed ones, and each bit alone.
std::vector<uint32_t> RegisterPatterns();

class RegisterBench : public CycleLoop {
 public:
  using CycleLoop::Step;
  void Step(int cycles);
  // Steps until `what` holds; false after `limit` cycles.
  bool Until(const std::function<bool()>& what, uint64_t limit);
  // Resets everything and waits until it is over.
  void Reset();

  // Registers. False: answered with an error.
  bool Write(uint32_t address, uint32_t value, uint8_t strobe = 0xf);
  bool Read(uint32_t address, uint32_t* value);
  uint32_t Get(uint32_t address);              // throws if refused
  void Set(uint32_t address, uint32_t value);  // throws if refused
  // Of two registers, the low word first.
  uint64_t Get64(uint32_t address);
  void Set64(uint32_t address, uint64_t value);
  // Cycle in which the data of the last register write were accepted.
  uint64_t written_at() const { return registers_.data_moved_at(); }

  // Is called in every cycle, with its number, when the pins have settled.
  void Watch(std::function<void(uint64_t)> watcher) { watcher_ = std::move(watcher); }
  const ViolationList& violations() const { return violations_; }
  // Pins and who waits, in lines.
  virtual std::string Dump() = 0;

 protected:
  // `name` is that of the model, for messages.
  RegisterBench(Clocked* model, AxiLitePort* port, std::string name,
                const RegisterBenchOptions& options);

  // A memory behind a port, and its monitor. With `faults` they stand before the memory, and the
  // monitor behind them: it judges the requests of the model and a memory that is right.
  struct MemoryPort : Component {
    MemoryPort(AxiPort* pins, const AxiMemoryOptions& options, Memory* contents, const Rng& rng,
               const AxiMonitorOptions& limits, ViolationList* violations,
               const std::vector<AxiFault>& faults = {})
        : tamper(faults.empty() ? nullptr
                                : std::make_unique<AxiTamper>(pins, faults, limits.data_bytes)),
          memory(contents, tamper ? tamper->memory_side() : pins, limits.data_bytes, options, rng),
          monitor(tamper ? tamper->memory_side() : pins, limits, violations) {}
    void Sample(const Tick& tick) override;
    void Drive(const Tick& next) override;
    std::unique_ptr<AxiTamper> tamper;
    AxiMemory memory;
    AxiMonitor monitor;
  };

  // The partners of the two streams of a channel, and their monitors. The model sends as `sent`
  // says; what is sent to it may be any beat of a stream.
  struct StreamEnds {
    StreamEnds(StreamPort* m_axis, StreamPort* s_axis, const AxisMonitorOptions& sent,
               const RegisterBenchOptions& options, int k, const Rng& rng,
               ViolationList* violations);
    StreamSource source;
    StreamSink sink;
    AxisMonitor master, slave;
  };
  void AddStream(StreamEnds* stream);

  // Who is valid and who is ready, for Dump().
  static std::string Text(const AxiPort& pins);
  static std::string Text(const StreamPort& m_axis, const StreamPort& s_axis);

  // A register was written whole, and that was not refused.
  virtual void Written(uint32_t /*address*/, uint32_t /*value*/) {}
  // What a bench does in each cycle when everybody has looked at the pins.
  virtual void Look() {}
  [[noreturn]] void Fail(const std::string& message);
  const Rng& rng() const { return rng_; }
  ViolationList* violation_list() { return &violations_; }

 private:
  void AfterSample() final;
  LiteResponse Access(const std::function<std::optional<LiteResponse>()>& take,
                      const std::string& what);

  std::string name_;
  uint64_t timeout_;
  Rng rng_;
  ViolationList violations_;
  AxiLiteMaster registers_;
  AxiLiteMonitor register_monitor_;
  std::function<void(uint64_t)> watcher_;
};

}  // namespace tessera
