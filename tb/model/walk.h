// The order and addresses of the norm: every position of a transfer, one after the other.
//
// `Walk` is the loop nest of the norm and nothing else. It is a template so that a visitor costs no
// call.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "tb/model/transfer.h"

namespace tessera::model {

// One turn of the innermost loop.
struct Position {
  uint64_t index = 0;                     // elements before this one
  std::array<uint64_t, kDims> i{};        // counters of the dimensions
  std::array<uint64_t, kWalkLevels> t{};  // counters of the traversal
  std::array<int64_t, kDims> x{};         // coordinates
  bool valid = false;                     // inside all bounds
  uint64_t addr = 0;                      // of its first byte, modulo the address width
  // Levels this position is the last of: n says that dimensions 0..n-1 (and, past 4, walk levels
  // 0..n-5) have ended a turn with it.
  size_t turns = 0;
};

// Moves to the next turn: i0 fastest, t3 slowest. False after the last one. `endless`: dimension 3
// steps on past its count.
inline bool Advance(const Transfer& transfer, bool endless, Position& p) {
  ++p.index;
  for (size_t d = 0; d < kDims; ++d) {
    if (++p.i[d] < transfer.count[d] || (endless && d == kDims - 1)) return true;
    p.i[d] = 0;
  }
  for (size_t k = 0; k < kWalkLevels; ++k) {
    if (++p.t[k] < (transfer.walk[k] ? transfer.walk[k]->count : 1)) return true;
    p.t[k] = 0;
  }
  return false;
}

// How many levels end a turn with a position that is the last of its row.
inline size_t TurnsEnded(const Transfer& transfer, bool endless, const Position& p) {
  for (size_t d = 1; d < kDims; ++d) {
    if (p.i[d] + 1 < transfer.count[d] || (endless && d == kDims - 1)) return d;
  }
  for (size_t k = 0; k < kWalkLevels; ++k) {
    if (transfer.walk[k] && p.t[k] + 1 < transfer.walk[k]->count) return kDims + k;
  }
  return kDims + kWalkLevels;
}

// True if coordinate `x` lies inside the bound of dimension `d`.
inline bool Inside(const Transfer& transfer, size_t d, int64_t x) {
  const auto& bound = transfer.bound[d];
  return !bound || (x >= 0 && x < static_cast<int64_t>(*bound));
}

// Coordinates, validity and address from the counters.
inline void Place(const Transfer& transfer, uint64_t address_mask, Position& p) {
  p.valid = true;
  p.addr = transfer.base + transfer.offset;
  for (size_t d = 0; d < kDims; ++d) {
    p.x[d] = transfer.start[d] + static_cast<int64_t>(p.i[d]);
    for (size_t k = 0; k < kWalkLevels; ++k) {
      const auto& level = transfer.walk[k];
      if (level && level->dim == static_cast<int>(d)) {
        p.x[d] += static_cast<int64_t>(p.t[k]) * level->step;
      }
    }
    if (!Inside(transfer, d, p.x[d])) p.valid = false;
    p.addr += static_cast<uint64_t>(p.x[d]) * static_cast<uint64_t>(transfer.stride[d]);
  }
  p.addr &= address_mask;
}

// How many positions from `p` on may be taken at once: those of its row that lie one behind the
// other without a gap and are valid like `p`. At least 1.
inline uint64_t RunLength(const Transfer& transfer, uint64_t address_mask, const Position& p) {
  if (!p.valid || transfer.stride[0] != transfer.elem) return 1;
  uint64_t run = transfer.count[0] - p.i[0];
  if (transfer.bound[0]) run = std::min(run, *transfer.bound[0] - static_cast<uint64_t>(p.x[0]));
  if (transfer.length) run = std::min(run, *transfer.length - p.index);
  // No run goes past the last address.
  const uint64_t room = (address_mask - p.addr) / static_cast<uint64_t>(transfer.elem);
  return std::max(std::min(run, room), uint64_t{1});
}

// Calls `visit(position, run)` for every position in order, until it returns false; `run` positions
// at once where RunLength() says so and `at_once` is set. `turns` is that of the last one of a run.
template <typename Visit>
void WalkRuns(const Transfer& transfer, const Build& build, bool at_once, Visit&& visit) {
  if (IsEmpty(transfer)) return;
  const bool endless = transfer.length && !transfer.has_walk();
  const uint64_t length = transfer.length.value_or(~uint64_t{0});
  const uint64_t mask = build.AddressMask();
  const uint64_t last = transfer.count[0] - uint64_t{1};
  Position p;
  do {
    Place(transfer, mask, p);
    bool others = true;  // the coordinates of all dimensions but 0 are valid
    for (size_t d = 1; d < kDims; ++d) others = others && Inside(transfer, d, p.x[d]);
    // Along a row nothing but the coordinate of dimension 0 changes.
    for (;;) {
      if (p.index == length) return;
      p.valid = others && Inside(transfer, 0, p.x[0]);
      const uint64_t run = at_once ? RunLength(transfer, mask, p) : 1;
      const bool row_ends = p.i[0] + (run - 1) == last;
      p.turns = row_ends ? TurnsEnded(transfer, endless, p) : 0;
      if (!visit(static_cast<const Position&>(p), run)) return;
      p.index += run - 1;
      if (row_ends) break;
      ++p.index;
      p.i[0] += run;
      p.x[0] += static_cast<int64_t>(run);
      p.addr = (p.addr + run * static_cast<uint64_t>(transfer.stride[0])) & mask;
    }
    p.i[0] = last;
  } while (Advance(transfer, endless, p));
}

// Calls `visit(position)` for every position in order, until it returns false.
template <typename Visit>
void Walk(const Transfer& transfer, const Build& build, Visit&& visit) {
  WalkRuns(transfer, build, false, [&visit](const Position& p, uint64_t) { return visit(p); });
}

}  // namespace tessera::model
