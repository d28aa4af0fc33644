// See extent.h.
#include "tb/system/extent.h"

#include <algorithm>
#include <cmath>

#include "tb/model/walk.h"

namespace tessera {

void AddWords(const model::Transfer& transfer, const model::Build& build, uint64_t word_bytes,
              WordSet* words) {
  if (model::IsRefused(transfer, build)) return;
  const uint64_t elem = static_cast<uint64_t>(transfer.elem);
  model::WalkRuns(transfer, build, true, [&](const model::Position& p, uint64_t run) {
    if (!p.valid) return true;
    const uint64_t mask = build.AddressMask();
    const uint64_t first = p.addr / word_bytes,
                   last = ((p.addr + run * elem - 1) & mask) / word_bytes;
    const uint64_t wrap = mask / word_bytes;
    for (uint64_t word = first;; word = word == wrap ? 0 : word + 1) {
      words->insert(word);
      if (word == last) break;
    }
    return true;
  });
}

bool Permits(std::span<const Fabric::Window> windows, bool write, uint64_t first, uint64_t last) {
  return std::any_of(windows.begin(), windows.end(), [&](const Fabric::Window& w) {
    return (write ? w.write : w.read) && first >> 12 >= w.first && first >> 12 <= w.last &&
           last >> 12 >= w.first && last >> 12 <= w.last;
  });
}

// True if a position inside the bounds of a dimension is more address spaces away from the tile's
// first one, in steps of the stride, than the check of windows counts.
bool GoesRound(const model::Transfer& t, const model::Build& build) {
  const int unused = 64 - build.addr_width;
  for (size_t d = 0; d < model::kDims; ++d) {
    if (!t.bound[d]) continue;
    const bool moved = std::any_of(t.walk.begin(), t.walk.end(), [&](const auto& level) {
      return level && level->dim == static_cast<int>(d);
    });
    const double before = -static_cast<double>(t.start[d]);
    const double behind = before + *t.bound[d] - 1.0;
    const double last = moved ? behind : std::min(behind, t.count[d] - 1.0);
    const auto stride = static_cast<double>(
        static_cast<int64_t>(static_cast<uint64_t>(t.stride[d]) << unused) >> unused);
    if (std::max(std::abs(before), std::abs(last)) * std::abs(stride) >=
        std::ldexp(1.0, build.addr_width)) {
      return true;
    }
  }
  return false;
}

Permission PermissionOf(const model::Transfer& transfer, const model::Build& build,
                        std::span<const Fabric::Window> windows, bool write) {
  if (model::IsRefused(transfer, build) || model::IsEmpty(transfer)) return Permission::kEither;
  constexpr uint64_t kFar = uint64_t{1} << 28;
  bool any = false, far = false;
  uint64_t origin = 0, first = 0, last = 0;
  const uint64_t mask = build.AddressMask();
  model::Walk(transfer, build, [&](const model::Position& p) {
    if (!p.valid) return true;
    if (!any) {
      any = true;
      origin = first = p.addr;
      last = first + static_cast<uint64_t>(transfer.elem) - 1;
      far = far || last > mask || last < first;
      return true;
    }
    // How far from the first one, around the end of memory if that is shorter.
    const uint64_t ahead = (p.addr - origin) & mask, behind = (origin - p.addr) & mask;
    if (std::min(ahead, behind) > kFar) far = true;
    if (ahead <= behind ? p.addr < origin : p.addr > origin) far = true;
    first = std::min(first, p.addr);
    last = std::max(last, p.addr + static_cast<uint64_t>(transfer.elem) - 1);
    far = far || last > mask;
    return true;
  });
  if (!any) return Permission::kEither;
  if (far || GoesRound(transfer, build)) return Permission::kEither;
  if (!Permits(windows, write, first, last)) return Permission::kRefused;
  // A dimension with bounds that a traversal moves may count whole, and so may what a length cuts.
  bool moved = false;
  for (const auto& level : transfer.walk)
    moved = moved || (level && transfer.bound[static_cast<size_t>(level->dim)]);
  return transfer.length || moved ? Permission::kEither : Permission::kGranted;
}

}  // namespace tessera
