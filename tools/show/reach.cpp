// See reach.h.
//
// Whether a position lies in the bounds is decided in each dimension by itself, and so is what it
// adds to the address: in a box of turns, the lowest byte is the sum of what each dimension has
// lowest. A transfer that `length` cuts is at most one such box for each level.
#include "tools/show/reach.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace tessera::show {
namespace {

using model::kDims;
using Wide = __int128;
using Sum = unsigned __int128;

constexpr Wide kFar = Wide{1} << 120;     // beyond every coordinate
constexpr uint64_t kMostTurns = 1 << 16;  // of the traversal of a dimension, tried one by one

struct Turns {
  uint64_t first = 0;
  uint64_t count = 1;
};
using Box = std::array<Turns, kLevels>;

struct Span {
  bool any = false, exact = true;
  Wide low = 0, high = 0;

  void Take(Wide from, Wide to) {
    low = any ? std::min(low, from) : from;
    high = any ? std::max(high, to) : to;
    any = true;
  }
};

// The lowest and the highest coordinate in the bound that the box visits in dimension d.
Span Coordinates(const Nest& nest, const Box& box, size_t d) {
  const Wide lowest = nest.bound[d] ? Wide{0} : -kFar;
  const Wide highest = nest.bound[d] ? Wide{*nest.bound[d]} - 1 : kFar;
  Wide from = Wide{nest.start.x[d]} + Wide{box[d].first};
  const Wide more = Wide{box[d].count} - 1;
  std::vector<size_t> moves;
  uint64_t combinations = 1;
  for (size_t l = kDims; l < kLevels; ++l) {
    if (nest.level[l].dim != d) continue;
    from += Wide{box[l].first} * nest.level[l].step;
    if (box[l].count == 1) continue;
    moves.push_back(l);
    combinations = SatMul(combinations, box[l].count);
  }
  Span span;
  const auto take = [&](Wide x) {
    const Wide a = std::max(x, lowest), b = std::min(x + more, highest);
    if (a <= b) span.Take(a, b);
  };
  if (!nest.bound[d] || combinations > kMostTurns) {  // the hull
    Wide low = from, high = from + more;
    for (const size_t l : moves) {
      const Wide far = (Wide{box[l].count} - 1) * nest.level[l].step;
      (far < 0 ? low : high) += far;
    }
    if (std::max(low, lowest) <= std::min(high, highest)) {
      span.Take(std::max(low, lowest), std::min(high, highest));
    }
    span.exact = !nest.bound[d];
    return span;
  }
  std::vector<uint64_t> turn(moves.size(), 0);
  for (uint64_t n = 0; n < combinations; ++n) {
    Wide x = from;
    for (size_t k = 0; k < moves.size(); ++k) x += Wide{turn[k]} * nest.level[moves[k]].step;
    take(x);
    for (size_t k = 0; k < moves.size() && ++turn[k] == box[moves[k]].count; ++k) turn[k] = 0;
  }
  return span;
}

void TakeBox(const Nest& nest, const Box& box, Wide origin, Extent* extent) {
  Wide low = origin, high = origin + Wide{nest.elem} - 1;
  bool exact = true;
  for (size_t d = 0; d < kDims; ++d) {
    const Span span = Coordinates(nest, box, d);
    if (!span.any) return;
    exact = exact && span.exact;
    const Wide stride = static_cast<int64_t>(nest.level[d].stride);
    low += stride * (stride < 0 ? span.high : span.low);
    high += stride * (stride < 0 ? span.low : span.high);
  }
  extent->low = extent->any ? std::min(extent->low, low) : low;
  extent->high = extent->any ? std::max(extent->high, high) : high;
  extent->any = true;
  extent->exact = extent->exact && exact;
}

constexpr uint64_t kMostRows = 500'000;  // that are tried one by one

// True if each level steps over all that lies inside it, so that nothing can meet.
bool Nested(const Nest& nest) {
  std::vector<std::pair<uint64_t, uint64_t>> levels;  // stride, turns
  for (size_t l = nest.first; l < kLevels; ++l) {
    if (nest.level[l].count < 2) continue;
    const uint64_t stride = nest.level[l].stride & nest.mask;
    const uint64_t back = (uint64_t{0} - nest.level[l].stride) & nest.mask;
    levels.emplace_back(std::min(stride, back), nest.level[l].count);
  }
  std::sort(levels.begin(), levels.end());
  Sum reach = Sum{nest.row_positions} * nest.elem;
  for (const auto& [stride, turns] : levels) {
    if (stride < reach) return false;
    reach += Sum{stride} * (turns - 1);
  }
  return reach <= Sum{nest.mask} + 1;
}

}  // namespace

Extent FindExtent(const Nest& nest) {
  Extent extent;
  if (nest.positions == 0) return extent;
  // The address of coordinates 0, as far as the address width goes.
  uint64_t zero = nest.start.addr;
  for (size_t d = 0; d < kDims; ++d) {
    zero -= static_cast<uint64_t>(nest.start.x[d]) * nest.level[d].stride;
  }
  const Wide origin = Wide{zero & nest.mask};
  // Positions before a multiple of a level's turns are a box; what is left goes to the level below.
  Box box;
  box.fill({0, 1});
  uint64_t left = nest.positions;
  std::array<uint64_t, kLevels + 1> inner{};
  inner[0] = 1;
  for (size_t l = 0; l < kLevels; ++l) inner[l + 1] = SatMul(inner[l], nest.level[l].count);
  for (size_t n = kLevels; n-- > 0 && left != 0;) {
    const uint64_t turns = std::min(left / inner[n], nest.level[n].count);
    if (turns != 0) {
      Box whole = box;
      for (size_t k = 0; k < n; ++k) whole[k] = {0, nest.level[k].count};
      whole[n] = {0, turns};
      TakeBox(nest, whole, origin, &extent);
    }
    left -= turns * inner[n];
    box[n] = {turns, 1};
  }
  return extent;
}

Overlap FindOverlap(const Subject& subject) {
  const Nest nest = NestOf(subject);
  if (nest.positions == 0 || Nested(nest)) return Overlap::kNone;
  if (nest.positions / nest.row_positions > kMostRows) return Overlap::kUnknown;
  std::vector<std::pair<uint64_t, uint64_t>> pieces;  // first byte, bytes
  ForEachRow(nest, [&](const RowStep& step) {
    if (step.row.data == 0) return true;
    const uint64_t addr = step.row.addr() & nest.mask;
    const uint64_t room = nest.mask - addr;  // bytes after the first one, up to the wrap
    if (step.row.data - 1 <= room) {
      pieces.emplace_back(addr, step.row.data);
    } else {
      pieces.emplace_back(addr, room + 1);
      pieces.emplace_back(0, step.row.data - 1 - room);
    }
    return true;
  });
  std::sort(pieces.begin(), pieces.end());
  for (size_t n = 1; n < pieces.size(); ++n) {
    if (pieces[n].first - pieces[n - 1].first < pieces[n - 1].second) return Overlap::kSome;
  }
  return Overlap::kNone;
}

}  // namespace tessera::show
