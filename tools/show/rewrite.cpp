// See rewrite.h.
#include "tools/show/rewrite.h"

#include <algorithm>
#include <limits>

namespace tessera::show {
namespace {

using model::kDims;
using model::Transfer;
using Wide = __int128;

struct Reach {
  Wide low = 0, high = 0;
};

// The coordinates that a dimension takes, the traversal included.
Reach Coordinates(const Transfer& t, size_t d) {
  Reach reach{Wide{t.start[d]}, Wide{t.start[d]} + t.count[d] - 1};
  for (const auto& level : t.walk) {
    if (!level || level->dim != static_cast<int>(d)) continue;
    const Wide far = Wide{level->step} * (Wide{level->count} - 1);
    (far < 0 ? reach.low : reach.high) += far;
  }
  return reach;
}

bool AlwaysInside(const Transfer& t, size_t d) {
  if (!t.bound[d]) return true;
  const Reach reach = Coordinates(t, d);
  return reach.low >= 0 && reach.high < Wide{*t.bound[d]};
}

bool Walks(const Transfer& t, size_t d) {
  return std::any_of(t.walk.begin(), t.walk.end(),
                     [d](const auto& level) { return level && level->dim == static_cast<int>(d); });
}

template <typename T>
bool Fits(Wide value) {
  return value >= Wide{std::numeric_limits<T>::min()} &&
         value <= Wide{std::numeric_limits<T>::max()};
}

uint64_t Product(const Transfer& t) {
  Transfer whole = t;
  whole.length.reset();
  return model::Positions(whole);
}

}  // namespace

bool IsWholeBox(const Transfer& t) { return !t.length || *t.length == Product(t); }

Transfer Permuted(const Transfer& t, const std::array<size_t, kDims>& order) {
  Transfer to = t;
  for (size_t n = 0; n < kDims; ++n) {
    to.count[n] = t.count[order[n]];
    to.stride[n] = t.stride[order[n]];
    to.start[n] = t.start[order[n]];
    to.bound[n] = t.bound[order[n]];
    for (size_t k = 0; k < model::kWalkLevels; ++k) {
      if (t.walk[k] && t.walk[k]->dim == static_cast<int>(order[n])) {
        to.walk[k]->dim = static_cast<int>(n);
      }
    }
  }
  to.length.reset();
  return to;
}

std::optional<Transfer> Flipped(const Transfer& t, size_t d) {
  // x becomes -x, or bound-1-x; the stride changes its sign, and base the difference.
  Transfer to = t;
  const Wide origin = t.bound[d] ? Wide{*t.bound[d]} - 1 : 0;
  const Wide start = origin - (Wide{t.start[d]} + t.count[d] - 1);
  if (!Fits<int32_t>(start) || t.stride[d] == std::numeric_limits<int64_t>::min()) {
    return std::nullopt;
  }
  to.start[d] = static_cast<int32_t>(start);
  to.stride[d] = -t.stride[d];
  to.base = t.base + static_cast<uint64_t>(origin) * static_cast<uint64_t>(t.stride[d]);
  for (auto& level : to.walk) {
    if (!level || level->dim != static_cast<int>(d)) continue;
    if (level->step == std::numeric_limits<int32_t>::min()) return std::nullopt;
    level->step = -level->step;
  }
  return to;
}

std::optional<Transfer> Folded(const Transfer& t, size_t d, size_t e) {
  const int64_t turn = static_cast<int64_t>(t.count[d]);
  if (t.count[d] < 2 || t.count[e] < 2 || Wide{t.stride[e]} != Wide{t.stride[d]} * turn) {
    return std::nullopt;
  }
  for (size_t between = d + 1; between < e; ++between) {
    if (t.count[between] != 1) return std::nullopt;
  }
  if (!AlwaysInside(t, d) || (!AlwaysInside(t, e) && Walks(t, d))) return std::nullopt;
  if (t.length && !t.has_walk() && *t.length > Product(t)) return std::nullopt;
  const size_t level = static_cast<size_t>(t.last_level);
  if (t.last_rule == model::LastRule::kLevel && level >= d && level < e) return std::nullopt;

  Transfer to = t;
  const Wide count = Wide{turn} * t.count[e], start = Wide{turn} * t.start[e];
  if (!Fits<uint32_t>(count) || !Fits<int32_t>(start)) return std::nullopt;
  to.base =
      t.base + static_cast<uint64_t>(int64_t{t.start[d]}) * static_cast<uint64_t>(t.stride[d]);
  to.count[d] = static_cast<uint32_t>(count);
  to.start[d] = static_cast<int32_t>(start);
  to.bound[d].reset();
  if (!AlwaysInside(t, e)) {
    const Wide bound = Wide{turn} * *t.bound[e];
    if (bound > Wide{model::kMaxBound}) return std::nullopt;
    to.bound[d] = static_cast<uint32_t>(bound);
  }
  to.count[e] = 1;
  to.stride[e] = 0;
  to.start[e] = 0;
  to.bound[e].reset();
  for (auto& walk : to.walk) {
    if (!walk || walk->dim != static_cast<int>(e)) continue;
    const Wide step = Wide{walk->step} * turn;
    if (!Fits<int32_t>(step)) return std::nullopt;
    walk->dim = static_cast<int>(d);
    walk->step = static_cast<int32_t>(step);
  }
  return to;
}

std::optional<Transfer> Widened(const Transfer& t, int most_bytes) {
  if (t.stride[0] != t.elem || t.finish == model::Finish::kLast || !AlwaysInside(t, 0)) {
    return std::nullopt;
  }
  uint32_t times = 1;
  const auto divides = [&](uint32_t by) {
    if (t.count[0] % by != 0 || (t.length && *t.length % by != 0)) return false;
    return std::all_of(t.walk.begin(), t.walk.end(), [by](const auto& level) {
      return !level || level->dim != 0 || level->step % static_cast<int32_t>(by) == 0;
    });
  };
  while (t.elem * static_cast<int>(2 * times) <= most_bytes && t.count[0] >= 2 * times &&
         divides(2 * times)) {
    times *= 2;
  }
  if (times == 1) return std::nullopt;
  Transfer to = t;
  to.base = t.base + static_cast<uint64_t>(int64_t{t.start[0]} * t.elem);
  to.elem = t.elem * static_cast<int>(times);
  to.count[0] = t.count[0] / times;
  to.stride[0] = to.elem;
  to.start[0] = 0;
  to.bound[0].reset();
  if (t.length) to.length = *t.length / times;
  for (auto& level : to.walk) {
    if (level && level->dim == 0) level->step /= static_cast<int32_t>(times);
  }
  for (int bytes = t.elem; bytes < 8 && bytes < to.elem; bytes *= 2) {
    to.fill |= to.fill << (8 * bytes);
  }
  return to;
}

}  // namespace tessera::show
