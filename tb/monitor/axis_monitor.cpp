// Checking AXI4-Stream, cycle by cycle.
#include "tb/monitor/axis_monitor.h"

#include <fmt/format.h>

#include <cstring>

namespace tessera {

void AxisMonitor::Report(AxisRule rule, uint64_t cycle, const std::string& message) {
  violations_->Add(RuleName(rule), cycle,
                   fmt::format("{} {} in cycle {}", options_.name, message, cycle));
}

void AxisMonitor::Check(const Tick& tick, const Beat& beat) {
  if (tick.reset) {
    if (++reset_cycles_ >= 2 && beat.valid) {
      Report(AxisRule::kResetValid, tick.cycle, "TVALID is 1, must be 0 in reset");
    }
    in_reset_ = true;
    waits_ = packet_open_ = false;
    return;
  }
  reset_cycles_ = 0;
  if (in_reset_ && beat.valid) {
    Report(AxisRule::kResetValid, tick.cycle,
           "TVALID is 1, must be 0 in the first cycle after reset");
  }
  in_reset_ = false;
  if (waits_) {
    if (!beat.valid) {
      Report(AxisRule::kValidDrop, tick.cycle, "TVALID fell before TREADY, must stay 1");
    } else if (beat.keep != held_keep_ || beat.last != held_last_ || !SameData(beat.data)) {
      Report(AxisRule::kStable, tick.cycle,
             fmt::format("payload (TKEEP {:#x}, TLAST {}) changed, must stay (TKEEP {:#x}, TLAST "
                         "{}) with the same data until TREADY",
                         beat.keep.word[0], beat.last, held_keep_.word[0], held_last_));
    }
  } else if (beat.valid) {
    CheckNew(tick.cycle, beat);
  }
  if (beat.valid && beat.ready) {
    ++beats_;
    packet_open_ = !beat.last;
  }
  waits_ = beat.valid && !beat.ready;
  if (waits_) {
    held_keep_ = beat.keep;
    held_last_ = beat.last;
    std::memcpy(held_data_.data(), beat.data, static_cast<size_t>(options_.bytes));
  }
}

bool AxisMonitor::SameData(const uint8_t* data) const {
  if (held_keep_ == all_) {
    return std::memcmp(data, held_data_.data(), static_cast<size_t>(options_.bytes)) == 0;
  }
  for (int lane = 0; lane < options_.bytes; ++lane) {
    if (held_keep_[lane] && data[lane] != held_data_[static_cast<size_t>(lane)]) return false;
  }
  return true;
}

// A beat that is valid for the first time.
void AxisMonitor::CheckNew(uint64_t cycle, const Beat& beat) {
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

void AxisMonitor::AtEnd(uint64_t cycle) {
  if (waits_) Report(AxisRule::kOpenValid, cycle, "TVALID waits when the run ended");
}

}  // namespace tessera
