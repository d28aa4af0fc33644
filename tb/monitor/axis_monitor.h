// Watches one AXI4-Stream port for broken rules.
//
// Which beats are legal is configurable: what a dense producer sends (full beats until TLAST) up to
// anything AXI4-Stream allows. Data of lanes whose keep is 0 are ignored.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "tb/monitor/violation.h"
#include "tb/sim/dut.h"
#include "tb/sim/lanes.h"
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

class AxisMonitor {
 public:
  struct Beat {
    bool valid = false;
    bool ready = false;
    bool last = false;
    LaneMask keep;
    const uint8_t* data = nullptr;
  };

  AxisMonitor(const AxisMonitorOptions& options, ViolationList* violations)
      : options_(options), violations_(violations), all_(FirstLanes(options.bytes)) {}

  void Sample(const Tick& tick, const Beat& beat) {
    if (!tick.reset && !beat.valid && !waits_ && !in_reset_) return;
    Check(tick, beat);
  }
  void SampleMaster(const Tick& tick, const DutInputs& in, const DutOutputs& out) {
    Sample(tick, {out.m_tvalid, in.m_tready, out.m_tlast, out.m_tkeep, out.m_tdata.data()});
  }
  void SampleSlave(const Tick& tick, const DutInputs& in, const DutOutputs& out) {
    Sample(tick, {in.s_tvalid, out.s_tready, in.s_tlast, in.s_tkeep, in.s_tdata.data()});
  }

  void AllowNull(AxisMonitorOptions::Null null) { options_.null = null; }
  bool Quiet() const { return !waits_; }
  void AtEnd(uint64_t cycle);
  // Beats were accepted and the last of them had no TLAST.
  bool packet_open() const { return packet_open_; }
  uint64_t beats() const { return beats_; }

 private:
  void Report(AxisRule rule, uint64_t cycle, const std::string& message);
  void Check(const Tick& tick, const Beat& beat);
  void CheckNew(uint64_t cycle, const Beat& beat);
  bool SameData(const uint8_t* data) const;

  AxisMonitorOptions options_;
  ViolationList* violations_;
  LaneMask all_;
  uint64_t reset_cycles_ = 0;
  bool in_reset_ = false;  // in the last cycle
  bool waits_ = false;
  bool packet_open_ = false;
  bool held_last_ = false;
  LaneMask held_keep_;
  BusData held_data_{};
  uint64_t beats_ = 0;
};

}  // namespace tessera
