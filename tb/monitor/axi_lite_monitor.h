// Watches the five channels of an AXI4-Lite port for broken rules, on both sides of it.
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

enum class AxiLiteRule : uint8_t {
  kStable,      // payload changes while valid waits for ready
  kValidDrop,   // valid falls before ready
  kResetValid,  // valid in reset (from its second cycle) or in the first cycle after it
  kRUnasked,    // R only after an AR was accepted that has none
  kBUnasked,    // B only after an AW and a W were accepted that have none
  kResponse,    // RRESP and BRESP are OKAY, SLVERR or DECERR
  kOpen,        // at the end: an access without response
  kOpenValid,   // at the end: a valid still waits
};
inline constexpr int kAxiLiteRules = 8;

constexpr std::string_view RuleName(AxiLiteRule rule) {
  constexpr std::string_view kNames[kAxiLiteRules] = {
      "axil.stable",    "axil.valid_drop", "axil.reset_valid", "axil.r_unasked",
      "axil.b_unasked", "axil.response",   "axil.open",        "axil.open_valid"};
  return kNames[static_cast<int>(rule)];
}

class AxiLiteMonitor final : public Component {
 public:
  // `name` begins every message.
  AxiLiteMonitor(const AxiLitePort* port, const std::string& name, ViolationList* violations);

  void Sample(const Tick& tick) override;
  void AtEnd(uint64_t cycle);
  // Every access has its response.
  bool Quiet() const { return addresses_ == 0 && data_ == 0 && reads_ == 0; }

 private:
  void Report(AxiLiteRule rule, uint64_t cycle, const std::string& message);
  void CheckResponse(const char* name, uint64_t cycle, uint8_t response);

  const AxiLitePort* port_;
  std::string name_;
  ViolationList* violations_;
  ChannelMonitor<LiteAddress> ar_, aw_;
  ChannelMonitor<LiteReadData> r_;
  ChannelMonitor<LiteWriteData> w_;
  ChannelMonitor<LiteWriteResponse> b_;
  uint64_t reads_ = 0;                 // AR accepted, R not
  uint64_t addresses_ = 0, data_ = 0;  // AW and W accepted, B not
};

}  // namespace tessera
