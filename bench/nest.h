// A transfer as the loops that the engine's request side walks, row by row.
//
// Level 0..3 is a dimension, level 4..7 a level of the outer traversal; a level that is absent
// makes one turn. If the elements of dimension 0 are neighbours in memory, the dimension lies
// inside the row and is no loop.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "bench/bursts.h"
#include "tb/model/transfer.h"

namespace tessera::show {

inline constexpr size_t kLevels = model::kDims + model::kWalkLevels;

struct Level {
  size_t dim = 0;
  int64_t step = 1;     // coordinates that a turn moves
  uint64_t count = 1;   // turns
  uint64_t stride = 0;  // bytes that a turn moves, modulo 2^64
};

// Where a row begins: its first address and the coordinates of its first position.
struct Place {
  uint64_t addr = 0;
  std::array<int64_t, model::kDims> x{};
};

struct Nest {
  uint64_t elem = 1;
  uint64_t mask = ~uint64_t{0};
  std::array<Level, kLevels> level{};
  std::array<std::optional<uint32_t>, model::kDims> bound{};
  size_t first = 0;            // the innermost loop: 1 if dimension 0 lies inside the row
  uint64_t row_positions = 1;  // of a whole row
  Place start;
  uint64_t positions = 0;  // of the transfer; saturated
  // The level whose turns end packets, kLevels if none does.
  size_t packet_level = kLevels;

  // Positions of one turn of everything below `l`; saturated.
  uint64_t Inner(size_t l) const;
  // One turn of level `l` further: `turns` may be large.
  Place Moved(const Place& from, size_t l, uint64_t turns) const;
  // The row at a place, cut after `positions`.
  Row RowAt(const Place& at, uint64_t positions) const;
};

// Addresses are modulo `mask` + 1.
Nest MakeNest(const model::Transfer& transfer, uint64_t mask);

// Saturating arithmetic: what is larger than 2^64-1 stays there.
uint64_t SatAdd(uint64_t a, uint64_t b);
uint64_t SatMul(uint64_t a, uint64_t b);

// One row in its place.
struct RowStep {
  uint64_t index = 0;  // of its first position
  Place at;
  Row row;
  size_t ended = 0;  // levels 0 .. ended-1 complete a turn with it
};

// Calls `visit(step)` for every row in order, until it returns false.
template <typename Visit>
void ForEachRow(const Nest& nest, Visit&& visit) {
  std::array<uint64_t, kLevels> turn{};
  std::array<Place, kLevels> at;  // where each level's current turn began
  at.fill(nest.start);
  RowStep step;
  while (step.index < nest.positions) {
    const uint64_t positions = std::min(nest.row_positions, nest.positions - step.index);
    size_t l = positions == nest.row_positions ? nest.first : 0;
    while (l >= nest.first && l < kLevels && turn[l] + 1 == nest.level[l].count) turn[l++] = 0;
    step.at = at[nest.first];
    step.row = nest.RowAt(step.at, positions);
    step.ended = l;
    if (!visit(static_cast<const RowStep&>(step)) || l == kLevels) return;
    step.index += positions;
    ++turn[l];
    const Place next = nest.Moved(at[l], l, 1);
    for (size_t k = nest.first; k <= l; ++k) at[k] = next;
  }
}

}  // namespace tessera::show
