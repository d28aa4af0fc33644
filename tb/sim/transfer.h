// The engine's transfer with the neutral value in every field, and the fields that follow from
// others.
#pragma once

#include "pins/types.h"

namespace tessera {

// tsr_pkg::transfer_t: one position, one packet, nothing that a build may lack.
struct EngineTransfer : rtl::Transfer {
  EngineTransfer() {
    for (rtl::Dim& d : dim) d.count = 1, d.unbounded = true;
    for (rtl::Walk& level : walk) level.count = 1;
    dense = true;
    last_rule = rtl::LastRule::kTransfer;
  }
};

// `t` with row, single, pair, one_row and empty as its other fields want them.
inline rtl::Transfer Completed(rtl::Transfer t) {
  t.row = t.dense ? t.dim[0].count : uint32_t{1} << t.elem_log2;
  t.one_row = t.has_length && t.length == t.row;
  t.empty = t.has_length && t.length == 0;
  t.single = t.dense ? 1 : 0;
  t.pair = 0;
  for (size_t d = 0; d < t.dim.size(); ++d) {
    t.empty = t.empty || t.dim[d].count == 0;
    if (t.dim[d].count == 1) t.single = static_cast<uint8_t>(t.single | 1U << d);
    if (t.dim[d].count == 2) t.pair = static_cast<uint8_t>(t.pair | 1U << d);
  }
  for (const rtl::Walk& level : t.walk) t.empty = t.empty || (t.has_walk && level.count == 0);
  return t;
}

}  // namespace tessera
