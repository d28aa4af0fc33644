// Checking AXI4-Stream, cycle by cycle.
#include "tb/monitor/axis_monitor.h"

#include <fmt/format.h>

#include "tb/sim/lanes.h"

namespace tessera {
namespace {

constexpr ChannelRules kHandshake{RuleName(AxisRule::kStable), RuleName(AxisRule::kValidDrop),
                                  RuleName(AxisRule::kResetValid), RuleName(AxisRule::kOpenValid)};

}  // namespace

AxisMonitor::AxisMonitor(const StreamPort* port, const AxisMonitorOptions& options,
                         ViolationList* violations)
    : port_(port),
      options_(options),
      violations_(violations),
      handshake_(port, {options.name + " ", "TVALID", "TREADY"}, kHandshake, violations),
      all_(FirstLanes(options.bytes)) {}

void AxisMonitor::Report(AxisRule rule, uint64_t cycle, const std::string& message) {
  violations_->Add(RuleName(rule), cycle,
                   fmt::format("{} {} in cycle {}", options_.name, message, cycle));
}

void AxisMonitor::Sample(const Tick& tick) {
  if (excused_) return;
  if (handshake_.Sample(tick)) CheckBeat(tick.cycle, port_->payload);
  if (tick.reset) {
    packet_open_ = false;
  } else if (port_->moves()) {
    ++beats_;
    packet_open_ = !port_->payload.last;
  }
}

// A beat that is valid for the first time.
void AxisMonitor::CheckBeat(uint64_t cycle, const AxisBeat& beat) {
  using Keep = AxisMonitorOptions::Keep;
  using Null = AxisMonitorOptions::Null;
  if (beat.keep == all_) return;
  if (LanesPast(beat.keep, options_.bytes)) {
    Report(AxisRule::kKeepWidth, cycle,
           fmt::format("TKEEP has a lane set at or above {}, only lanes 0 to {} exist",
                       options_.bytes, options_.bytes - 1));
    return;
  }
  if (NoLanes(beat.keep)) {
    if (options_.null == Null::kNone || (options_.null == Null::kWithLast && !beat.last)) {
      Report(AxisRule::kNull, cycle,
             fmt::format("TKEEP is 0 with TLAST {}, a null beat is legal {}", beat.last,
                         options_.null == Null::kNone ? "nowhere" : "with TLAST only"));
    }
    return;
  }
  if (options_.keep == Keep::kAny) return;
  if (!ContiguousFromZero(beat.keep)) {
    Report(AxisRule::kContiguous, cycle,
           fmt::format("TKEEP is {:#x}:{:016x}, must be contiguous from lane 0", beat.keep.word[1],
                       beat.keep.word[0]));
  } else if (options_.keep == Keep::kFullUntilLast && !beat.last) {
    Report(AxisRule::kFull, cycle,
           fmt::format("TKEEP keeps {} of {} lanes on a beat without TLAST, must keep all",
                       CountLanes(beat.keep), options_.bytes));
  }
}

}  // namespace tessera
