// Checking the transfer and record interface, cycle by cycle.
#include "tb/monitor/engine_monitor.h"

#include <fmt/format.h>

#include <utility>

namespace tessera {
namespace {

constexpr ChannelRules kHandshake{RuleName(EngineRule::kStable), RuleName(EngineRule::kValidDrop),
                                  RuleName(EngineRule::kResetValid), RuleName(EngineRule::kOpen)};

}  // namespace

EngineMonitor::EngineMonitor(const EnginePort* port, Direction direction, ViolationList* violations)
    : port_(port),
      name_(std::string(NameOf(direction)) + " engine"),
      violations_(violations),
      record_(&port->done, {name_ + ": ", "record valid", "record ready"}, kHandshake, violations) {
}

void EngineMonitor::Report(EngineRule rule, uint64_t cycle, const std::string& message) {
  violations_->Add(RuleName(rule), cycle, fmt::format("{}: {} in cycle {}", name_, message, cycle));
}

void EngineMonitor::Sample(const Tick& tick, bool bus_busy) {
  const bool fresh = record_.Sample(tick);
  const bool first = std::exchange(after_reset_, tick.reset);
  if (tick.reset) {
    open_ = 0;
    return;
  }
  if (fresh && open_ == 0 && !first) {
    Report(EngineRule::kUnasked, tick.cycle,
           "a record is offered, legal only while an accepted transfer has none");
  }
  if (port_->idle && bus_busy) {
    Report(EngineRule::kIdleBusy, tick.cycle,
           "idle is 1 while bursts are open, must be 0 until they are complete");
  }
  if (port_->done.moves() && open_ > 0) --open_;
  if (port_->transfer.moves()) ++open_;
}

void EngineMonitor::AtEnd(uint64_t cycle) {
  if (open_ == 0) return;
  Report(EngineRule::kOpen, cycle,
         fmt::format("{} accepted transfers have no record when the run ended", open_));
}

}  // namespace tessera
