// The rules of the AXI monitor, by name. Messages of violations start with the channel.
#pragma once

#include <cstdint>
#include <string_view>

namespace tessera {

enum class AxiRule : uint8_t {
  kStable,        // payload changes while valid waits for ready
  kValidDrop,     // valid falls before ready
  kResetValid,    // valid in reset (from its second cycle) or in the first cycle after it
  kLength,        // 1 .. configured beats a burst
  kSize,          // full width of the bus
  kIncr,          // burst type INCR
  kAlign,         // address aligned to the bus word
  k4K,            // no burst crosses a 4 KiB boundary
  kAddressWidth,  // address bits above the address width are 0
  kOutstanding,   // open bursts of an ID within the configured limit
  kId,            // IDs below the number that the port has
  kWLast,         // WLAST exactly on the last beat
  kWBeforeAw,     // a burst's first W beat no earlier than the cycle its AWVALID rises
  kStrobeWidth,   // no strobe above the bus width
  kRUnasked,      // R beats only for accepted read bursts
  kRLast,         // RLAST exactly on the last beat
  kBUnasked,      // B only after AW and WLAST of its burst were accepted
  kResponse,      // RRESP and BRESP are OKAY, SLVERR or DECERR
  kOpenRead,      // at the end: a read burst without its last beat
  kOpenWrite,     // at the end: a write burst without data or response
  kOpenValid,     // at the end: a valid still waits
};

inline constexpr int kAxiRules = 21;

constexpr std::string_view RuleName(AxiRule rule) {
  constexpr std::string_view kNames[kAxiRules] = {
      "axi.stable",    "axi.valid_drop", "axi.reset_valid", "axi.length",       "axi.size",
      "axi.incr",      "axi.align",      "axi.4k",          "axi.addr_width",   "axi.outstanding",
      "axi.id",        "axi.w_last",     "axi.w_before_aw", "axi.strobe_width", "axi.r_unasked",
      "axi.r_last",    "axi.b_unasked",  "axi.response",    "axi.open_read",    "axi.open_write",
      "axi.open_valid"};
  return kNames[static_cast<int>(rule)];
}

}  // namespace tessera
