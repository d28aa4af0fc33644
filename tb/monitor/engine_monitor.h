// Watches the transfer and record interface of one engine for broken rules.
//
// Records: stable until taken, never dropped, one for each accepted transfer and none else. `idle`:
// never while bursts of its direction are open or an address waits.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "tb/monitor/channel_monitor.h"
#include "tb/monitor/violation.h"
#include "tb/sim/ports.h"
#include "tb/sim/tick.h"

namespace tessera {

enum class EngineRule : uint8_t {
  kStable,      // the record changes while it waits
  kValidDrop,   // the record's valid falls before ready
  kResetValid,  // record valid in reset (from its second cycle) or in the first cycle after it
  kUnasked,     // a record without an accepted transfer
  kIdleBusy,    // idle while bursts are open
  kOpen,        // at the end: an accepted transfer without record
};
inline constexpr int kEngineRules = 6;

constexpr std::string_view RuleName(EngineRule rule) {
  constexpr std::string_view kNames[kEngineRules] = {"engine.stable",      "engine.valid_drop",
                                                     "engine.reset_valid", "engine.unasked",
                                                     "engine.idle_busy",   "engine.open"};
  return kNames[static_cast<int>(rule)];
}

class EngineMonitor {
 public:
  EngineMonitor(const EnginePort* port, Direction direction, ViolationList* violations);

  // `bus_busy`: bursts of the direction are open, or an address is valid.
  void Sample(const Tick& tick, bool bus_busy);
  void AtEnd(uint64_t cycle);
  uint64_t open() const { return open_; }

 private:
  void Report(EngineRule rule, uint64_t cycle, const std::string& message);

  const EnginePort* port_;
  std::string name_;
  ViolationList* violations_;
  ChannelMonitor<rtl::Done> record_;
  bool after_reset_ = false;
  uint64_t open_ = 0;
};

}  // namespace tessera
