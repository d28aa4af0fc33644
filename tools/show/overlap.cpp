// See overlap.h.
#include "tools/show/overlap.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace tessera::show {
namespace {

using Wide = unsigned __int128;

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
  Wide reach = Wide{nest.row_positions} * nest.elem;
  for (const auto& [stride, turns] : levels) {
    if (stride < reach) return false;
    reach += Wide{stride} * (turns - 1);
  }
  return reach <= Wide{nest.mask} + 1;
}

}  // namespace

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
