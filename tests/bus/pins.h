// Driving the bus pins by hand, as a well-behaved master would, for tests of memory and monitors.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "tb/monitor/violation.h"
#include "tb/sim/dut.h"
#include "tb/sim/lanes.h"
#include "tb/sim/tick.h"

namespace tessera {

inline void PutAr(DutOutputs* out, uint64_t addr, int beats, int bytes) {
  out->arvalid = true;
  out->araddr = addr;
  out->arlen = static_cast<uint8_t>(beats - 1);
  out->arsize = static_cast<uint8_t>(std::countr_zero(static_cast<unsigned>(bytes)));
  out->arburst = 1;
}

inline void PutAw(DutOutputs* out, uint64_t addr, int beats, int bytes) {
  out->awvalid = true;
  out->awaddr = addr;
  out->awlen = static_cast<uint8_t>(beats - 1);
  out->awsize = static_cast<uint8_t>(std::countr_zero(static_cast<unsigned>(bytes)));
  out->awburst = 1;
}

inline void PutW(DutOutputs* out, uint8_t value, int bytes, bool last) {
  out->wvalid = true;
  out->wlast = last;
  out->wstrb = FirstLanes(bytes);
  out->wdata.fill(value);
}

// The ids of all rules that were broken, in order, joined by blanks.
inline std::string Rules(const ViolationList& violations) {
  std::string text;
  for (const Violation& v : violations.kept()) text += (text.empty() ? "" : " ") + v.rule;
  return text;
}

}  // namespace tessera
