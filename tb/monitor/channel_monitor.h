// Watches the handshake of one channel, whatever it carries: valid stays until ready, the payload
// stays while valid waits, valid is low in a reset and right after it.
//
// Same() tells whether two payloads mean the same, Describe() what a message says of one; both are
// found for the type of the payload. Rules of the payload are the owner's: Sample() tells it when
// one is new.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "tb/monitor/violation.h"
#include "tb/sim/lanes.h"
#include "tb/sim/ports.h"
#include "tb/sim/tick.h"

namespace tessera {

template <typename T>
bool Same(const T& a, const T& b) {
  return a == b;
}
bool Same(const AxisBeat& a, const AxisBeat& b);

std::string Describe(const AxiAddress& address);
std::string Describe(const AxiReadBeat& beat);
std::string Describe(const AxiWriteBeat& beat);
std::string Describe(const AxiWriteResponse& response);
std::string Describe(const LiteAddress& address);
std::string Describe(const LiteReadData& data);
std::string Describe(const LiteWriteData& data);
std::string Describe(const LiteWriteResponse& response);
std::string Describe(const AxisBeat& beat);
std::string Describe(const rtl::Done& record);

// How messages name the pins.
struct ChannelNames {
  std::string prefix;  // of every message
  std::string valid, ready;
};

// The ids of the rules of a handshake.
struct ChannelRules {
  std::string_view stable, valid_drop, reset_valid, open_valid;
};

template <typename T>
class ChannelMonitor {
 public:
  ChannelMonitor(const Channel<T>* channel, ChannelNames names, const ChannelRules& rules,
                 ViolationList* violations)
      : channel_(channel), names_(std::move(names)), rules_(rules), violations_(violations) {}

  // True if a payload is valid for the first time in this cycle.
  bool Sample(const Tick& tick) {
    if (!tick.reset && !channel_->valid && !waits_ && !in_reset_) return false;
    return Check(tick);
  }
  // A payload was valid and did not move in the last cycle.
  bool waits() const { return waits_; }
  void AtEnd(uint64_t cycle) {
    if (waits_) Report(rules_.open_valid, cycle, names_.valid + " waits when the run ended");
  }

 private:
  void Report(std::string_view rule, uint64_t cycle, const std::string& message) {
    violations_->Add(rule, cycle, fmt::format("{}{} in cycle {}", names_.prefix, message, cycle));
  }

  bool Check(const Tick& tick) {
    const bool valid = channel_->valid;
    if (tick.reset) {
      // A register shows the reset one cycle late.
      if (in_reset_ && valid) {
        Report(rules_.reset_valid, tick.cycle, names_.valid + " is 1, must be 0 in reset");
      }
      in_reset_ = true;
      waits_ = false;
      return false;
    }
    if (in_reset_ && valid) {
      Report(rules_.reset_valid, tick.cycle,
             names_.valid + " is 1, must be 0 in the first cycle after reset");
    }
    in_reset_ = false;
    const bool held = std::exchange(waits_, channel_->waits());
    if (held && !valid) {
      Report(rules_.valid_drop, tick.cycle,
             fmt::format("{} fell before {} ({}), must stay 1", names_.valid, names_.ready,
                         Describe(held_)));
    } else if (held && !Same(channel_->payload, held_)) {
      Report(
          rules_.stable, tick.cycle,
          fmt::format("the payload of {} changed to {}, must stay {} with the same data until {}",
                      names_.valid, Describe(channel_->payload), Describe(held_), names_.ready));
    }
    if (waits_) held_ = channel_->payload;
    return valid && !held;
  }

  const Channel<T>* channel_;
  ChannelNames names_;
  ChannelRules rules_;
  ViolationList* violations_;
  bool in_reset_ = false;  // in the last cycle
  bool waits_ = false;
  T held_{};
};

}  // namespace tessera
