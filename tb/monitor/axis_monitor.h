// Watches one AXI4-Stream port for broken rules.
//
// Which beats are legal is configurable: what a dense producer sends (full beats until TLAST) up to
// anything AXI4-Stream allows. Data of lanes whose keep is 0 are ignored.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "tb/monitor/channel_monitor.h"
#include "tb/monitor/violation.h"
#include "tb/sim/component.h"
#include "tb/sim/ports.h"
#include "tb/sim/tick.h"

namespace tessera {

enum class AxisRule : uint8_t {
  kStable,      // payload changes while valid waits for ready
  kValidDrop,   // valid falls before ready
  kResetValid,  // valid in reset (from its second cycle) or in the first cycle after it
  kKeepWidth,   // no keep bit above the width
  kContiguous,  // keep is contiguous from lane 0
  kFull,        // all lanes are kept on beats without TLAST
  kNull,        // no null beat where none is allowed
  kOpenValid,   // at the end: a valid still waits
};
inline constexpr int kAxisRules = 8;

constexpr std::string_view RuleName(AxisRule rule) {
  constexpr std::string_view kNames[kAxisRules] = {
      "axis.stable",     "axis.valid_drop", "axis.reset_valid", "axis.keep_width",
      "axis.contiguous", "axis.full",       "axis.null",        "axis.open_valid"};
  return kNames[static_cast<int>(rule)];
}

struct AxisMonitorOptions {
  enum class Keep : uint8_t {
    kFullUntilLast,  // beats without TLAST are full, those with TLAST contiguous
    kAllowPartial,   // every beat is contiguous from lane 0
    kAny,            // as AXI4-Stream
  };
  enum class Null : uint8_t { kNone, kWithLast, kAny };
  std::string name = "m_axis";
  int bytes = 8;
  Keep keep = Keep::kFullUntilLast;
  Null null = Null::kNone;
};

class AxisMonitor final : public Component {
 public:
  AxisMonitor(const StreamPort* port, const AxisMonitorOptions& options, ViolationList* violations);

  void Sample(const Tick& tick) override;
  void AtEnd(uint64_t cycle) { handshake_.AtEnd(cycle); }

  void AllowNull(AxisMonitorOptions::Null null) { options_.null = null; }
  // From now on nothing is watched: the port breaks the rules, and is meant to.
  void Excuse() { excused_ = true; }
  bool Quiet() const { return !handshake_.waits(); }
  // Beats were accepted and the last of them had no TLAST.
  bool packet_open() const { return packet_open_; }
  uint64_t beats() const { return beats_; }

 private:
  void Report(AxisRule rule, uint64_t cycle, const std::string& message);
  void CheckBeat(uint64_t cycle, const AxisBeat& beat);

  const StreamPort* port_;
  AxisMonitorOptions options_;
  ViolationList* violations_;
  ChannelMonitor<AxisBeat> handshake_;
  LaneMask all_;
  bool excused_ = false;
  bool packet_open_ = false;
  uint64_t beats_ = 0;
};

}  // namespace tessera
