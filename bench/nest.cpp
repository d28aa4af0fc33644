// See nest.h.
#include "bench/nest.h"

#include <algorithm>
#include <limits>

namespace tessera::show {
namespace {

using model::kDims;
using model::kWalkLevels;

constexpr uint64_t kMost = std::numeric_limits<uint64_t>::max();

}  // namespace

uint64_t SatAdd(uint64_t a, uint64_t b) {
  uint64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? kMost : sum;
}

uint64_t SatMul(uint64_t a, uint64_t b) {
  uint64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? kMost : product;
}

uint64_t Nest::Inner(size_t l) const {
  uint64_t positions = row_positions;
  for (size_t k = first; k < l; ++k) positions = SatMul(positions, level[k].count);
  return positions;
}

Place Nest::Moved(const Place& from, size_t l, uint64_t turns) const {
  Place to = from;
  to.addr = (to.addr + turns * level[l].stride) & mask;
  // Coordinates matter in bounded dimensions alone, and those have 32 bits.
  to.x[level[l].dim] = static_cast<int64_t>(static_cast<uint64_t>(to.x[level[l].dim]) +
                                            turns * static_cast<uint64_t>(level[l].step));
  return to;
}

Row Nest::RowAt(const Place& at, uint64_t positions) const {
  Row row;
  row.base = at.addr;
  const uint64_t all = positions * elem;
  for (size_t d = first; d < kDims; ++d) {
    if (bound[d] && (at.x[d] < 0 || at.x[d] >= int64_t{*bound[d]})) {
      row.lead = all;
      return row;
    }
  }
  if (first == 0 || !bound[0]) {
    row.data = all;
  } else {
    const int64_t from = at.x[0], to = from + static_cast<int64_t>(positions);
    const int64_t in = std::clamp<int64_t>(0, from, to);
    const int64_t out = std::clamp<int64_t>(*bound[0], in, to);
    row.lead = static_cast<uint64_t>(in - from) * elem;
    row.data = static_cast<uint64_t>(out - in) * elem;
    row.tail = all - row.lead - row.data;
    if (row.data == 0) row = {row.base, all, 0, 0, false};
  }
  row.plain = row.data == all;
  return row;
}

Nest MakeNest(const model::Transfer& t, uint64_t mask) {
  Nest nest;
  nest.elem = static_cast<uint64_t>(t.elem);
  nest.mask = mask;
  nest.bound = t.bound;
  nest.start.addr = t.base + t.offset;
  for (size_t d = 0; d < kDims; ++d) {
    const uint64_t stride = static_cast<uint64_t>(t.stride[d]);
    nest.level[d] = {d, 1, t.count[d], stride};
    nest.start.x[d] = t.start[d];
    nest.start.addr += static_cast<uint64_t>(int64_t{t.start[d]}) * stride;
  }
  nest.start.addr &= nest.mask;
  for (size_t k = 0; k < kWalkLevels; ++k) {
    if (!t.walk[k]) continue;
    const size_t dim = static_cast<size_t>(t.walk[k]->dim);
    const int64_t step = t.walk[k]->step;
    nest.level[kDims + k] = {dim, step, t.walk[k]->count,
                             static_cast<uint64_t>(step) * static_cast<uint64_t>(t.stride[dim])};
  }
  nest.positions = model::Positions(t);
  if (nest.positions == 0) return nest;
  if ((nest.level[0].stride & nest.mask) == nest.elem || t.count[0] == 1) {
    nest.first = 1;
    nest.row_positions = t.count[0];
  }
  const bool steps_on = t.length && !t.has_walk();
  if (steps_on) {  // dimension 3 turns for as long as it takes
    const uint64_t inner = nest.Inner(kDims - 1);
    nest.level[kDims - 1].count = CeilDivide(nest.positions, inner);
  }
  if (t.last_rule == model::LastRule::kLevel && !(steps_on && t.last_level >= 3)) {
    nest.packet_level = static_cast<size_t>(t.last_level);
  }
  return nest;
}

}  // namespace tessera::show
