// DmaBench: a tessera_dma with memory, streams and monitors around it, and a processor that reads
// and writes its registers.
//
// Software is plain C++: Write and Read of a register take as many cycles as the bus does,
// everything else goes on meanwhile. A register access that is not answered within `timeout`
// cycles, or a rule that is broken on any port, throws std::runtime_error with a dump.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tb/bus/axi_memory.h"
#include "tb/bus/axis.h"
#include "tb/bus/memory.h"
#include "tb/dma/dma.h"
#include "tb/monitor/axi_monitor.h"
#include "tb/monitor/axis_monitor.h"
#include "tb/sim/rng.h"
#include "tb/sim/tick.h"

namespace tessera {

struct DmaBenchOptions {
  uint64_t seed = 1;
  AxiMemoryOptions memory;
  StreamSourceOptions source;
  StreamSinkOptions sink;
  uint64_t timeout = 5000;
};

class DmaBench {
 public:
  DmaBench(std::unique_ptr<Dma> dma, const DmaBenchOptions& options);
  ~DmaBench();

  // One cycle of everything.
  void Step();
  void Step(int cycles);
  // Steps until `what` holds; false after `limit` cycles.
  bool Until(const std::function<bool()>& what, uint64_t limit);
  void Reset();

  // Registers. False: answered with an error.
  bool Write(uint32_t address, uint32_t value, uint8_t strobe = 0xf);
  bool Read(uint32_t address, uint32_t* value);
  uint32_t Get(uint32_t address);              // throws if refused
  void Set(uint32_t address, uint32_t value);  // throws if refused

  Dma& dma() { return *dma_; }
  const DmaConfig& config() const { return dma_->config(); }
  Memory& memory() { return memory_; }
  // Error responses that memory has given on a port.
  const std::vector<ErrorEvent>& errors(int port) const;
  StreamSource& source(int write_channel);
  StreamSink& sink(int read_channel);
  WordSource& control() { return control_; }  // packets that read and write registers
  WordSink& responses() { return responses_; }
  WordSink& tokens() { return tokens_; }
  // What travelled beside each beat that the sink has taken.
  const std::vector<rtl::Side>& sides(int read_channel) const;
  // What travels beside beat `beat` of packet `packet` of the source, both from 0; else nothing
  // does.
  using SideOf = std::function<rtl::Side(uint64_t packet, uint64_t beat)>;
  void SetSides(int stream, SideOf side_of);
  uint64_t cycle() const { return tick_.cycle; }
  // Cycle of the last register write that was accepted, address and data.
  uint64_t written_at() const { return written_at_; }
  // First cycle since MarkFirst() in which an address showed on any port; kNever: none.
  uint64_t first_address() const { return first_address_; }
  void MarkFirst() { first_address_ = kNever; }
  // Is called in every cycle, with its number, when the pins have settled.
  void Watch(std::function<void(uint64_t)> watcher) { watcher_ = std::move(watcher); }
  const ViolationList& violations() const { return violations_; }
  std::string Dump();

 private:
  struct Port;
  struct Stream;
  Dma::Pins& PinsOf(size_t port);
  void Check();
  [[noreturn]] void Fail(const std::string& message);

  std::unique_ptr<Dma> dma_;
  DmaBenchOptions options_;
  Rng rng_;
  Memory memory_;
  ViolationList violations_;
  std::vector<std::unique_ptr<Port>> ports_;  // the last is that of the lists
  std::vector<std::unique_ptr<Stream>> streams_;
  WordSource control_;
  WordSink responses_, tokens_;
  Tick tick_{0, true};
  int reset_left_ = 3;
  uint64_t written_at_ = 0, first_address_ = kNever;
  std::function<void(uint64_t)> watcher_;
};

}  // namespace tessera
