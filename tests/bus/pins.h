// Driving the bus pins by hand, as a well-behaved master would, for tests of memory and monitors.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "tb/monitor/violation.h"
#include "tb/sim/lanes.h"
#include "tb/sim/ports.h"
#include "tb/sim/tick.h"

namespace tessera {

inline void PutAddress(Channel<AxiAddress>* channel, uint64_t addr, int beats, int bytes) {
  channel->valid = true;
  channel->payload = {};
  channel->payload.addr = addr;
  channel->payload.len = static_cast<uint8_t>(beats - 1);
  channel->payload.size = static_cast<uint8_t>(std::countr_zero(static_cast<unsigned>(bytes)));
  channel->payload.burst = 1;
}

inline void PutW(Channel<AxiWriteBeat>* channel, uint8_t value, int bytes, bool last) {
  channel->valid = true;
  channel->payload.last = last;
  channel->payload.strb = FirstLanes(bytes);
  channel->payload.data.fill(value);
}

// The ids of all rules that were broken, in order, joined by blanks.
inline std::string Rules(const ViolationList& violations) {
  std::string text;
  for (const Violation& v : violations.kept()) text += (text.empty() ? "" : " ") + v.rule;
  return text;
}

}  // namespace tessera
