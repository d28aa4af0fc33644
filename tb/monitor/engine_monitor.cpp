// Checking the transfer and record interface, cycle by cycle.
#include "tb/monitor/engine_monitor.h"

#include <fmt/format.h>

namespace tessera {

void EngineMonitor::Report(EngineRule rule, uint64_t cycle, const std::string& message) {
  violations_->Add(RuleName(rule), cycle, fmt::format("{}: {} in cycle {}", name_, message, cycle));
}

void EngineMonitor::Sample(const Tick& tick, const Pins& pins, bool bus_busy) {
  if (tick.reset) {
    if (++reset_cycles_ >= 2 && pins.done_valid) {
      Report(EngineRule::kResetValid, tick.cycle, "record valid is 1, must be 0 in reset");
    }
    in_reset_ = true;
    waits_ = false;
    open_ = 0;
    return;
  }
  reset_cycles_ = 0;
  const bool first = in_reset_;
  in_reset_ = false;
  if (waits_) {
    if (!pins.done_valid) {
      Report(EngineRule::kValidDrop, tick.cycle, "record valid fell before ready, must stay 1");
    } else if (*pins.done != held_) {
      Report(EngineRule::kStable, tick.cycle,
             fmt::format("record ({} bytes, status {:#x}) changed, must stay ({} bytes, status "
                         "{:#x}) until ready",
                         pins.done->bytes, pins.done->status, held_.bytes, held_.status));
    }
  } else if (pins.done_valid) {
    if (first) {
      Report(EngineRule::kResetValid, tick.cycle,
             "record valid is 1, must be 0 in the first cycle after reset");
    } else if (open_ == 0) {
      Report(EngineRule::kUnasked, tick.cycle,
             "a record is offered, legal only while an accepted transfer has none");
    }
  }
  if (pins.idle && bus_busy) {
    Report(EngineRule::kIdleBusy, tick.cycle,
           "idle is 1 while bursts are open, must be 0 until they are complete");
  }
  waits_ = pins.done_valid && !pins.done_ready;
  if (waits_) held_ = *pins.done;
  if (pins.done_valid && pins.done_ready && open_ > 0) --open_;
  if (pins.transfer) ++open_;
}

void EngineMonitor::AtEnd(uint64_t cycle) {
  if (open_ == 0) return;
  Report(EngineRule::kOpen, cycle,
         fmt::format("{} accepted transfers have no record when the run ended", open_));
}

}  // namespace tessera
