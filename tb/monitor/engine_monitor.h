// Watches the transfer and record interface of one engine for broken rules.
//
// Records: stable until taken, never dropped, one for each accepted transfer and none else. `idle`:
// never while bursts of its direction are open or an address waits.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "tb/monitor/violation.h"
#include "tb/sim/dut.h"
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
  struct Pins {
    bool transfer = false;  // valid and ready
    bool done_valid = false;
    bool done_ready = false;
    bool idle = false;
    const rtl::Done* done = nullptr;
  };

  EngineMonitor(Direction direction, ViolationList* violations)
      : name_(direction == Direction::kRead ? "read engine" : "write engine"),
        violations_(violations) {}

  // `bus_busy`: bursts of the direction are open, or an address is valid.
  void Sample(const Tick& tick, const Pins& pins, bool bus_busy);
  void AtEnd(uint64_t cycle);
  uint64_t open() const { return open_; }

 private:
  void Report(EngineRule rule, uint64_t cycle, const std::string& message);

  std::string name_;
  ViolationList* violations_;
  uint64_t reset_cycles_ = 0;
  bool in_reset_ = false;
  bool waits_ = false;
  rtl::Done held_;
  uint64_t open_ = 0;
};

}  // namespace tessera
