// Random transfers; see generate.h.
#include <algorithm>
#include <array>
#include <bit>

#include "tb/check/encode.h"
#include "tb/random/generate.h"

namespace tessera {
namespace {

using model::kDims;
using model::Transfer;

template <typename T, size_t N>
T Pick(Rng& rng, const std::array<T, N>& values) {
  return values[rng.Below(N)];
}

int64_t Signed(Rng& rng, int64_t low, int64_t high) {
  return low + static_cast<int64_t>(rng.Below(static_cast<uint64_t>(high - low) + 1));
}

// Sizes of up to four dimensions whose product stays in the budget.
void DrawCounts(Rng& rng, uint64_t budget, Transfer* t) {
  const size_t dims = rng.Chance(0.3) ? 1 : rng.Between(1, kDims);
  uint64_t left = std::max<uint64_t>(budget, 1);
  for (size_t n = 0; n < dims; ++n) {
    // One dimension may lie anywhere, so that singletons stand inside and outside.
    const size_t d = dims == 1 && rng.Chance(0.3) ? rng.Below(kDims) : n;
    const uint64_t most = n + 1 == dims ? left : std::min<uint64_t>(left, 24);
    t->count[d] = static_cast<uint32_t>(CornerSize(rng, most));
    left /= t->count[d];
  }
}

// How dimension d lies relative to what is inside it.
int64_t DrawStride(Rng& rng, int64_t elem, int64_t inner) {
  switch (rng.Below(12)) {
    case 0:
    case 1:
    case 2:
      return inner;  // contiguous: touches what is before it
    case 3:
      return inner + Signed(rng, 1, 2 * elem + 40);  // gap
    case 4:
      return inner * Signed(rng, 2, 5);  // interleaved
    case 5:
      return 0;  // repeats
    case 6:
      return -inner;  // backwards
    case 7:
      return -(inner + Signed(rng, 1, 70));
    case 8:
      return elem;  // overlaps or transposes
    case 9:
      return Pick<int64_t>(rng, std::array<int64_t, 6>{64, 128, 1024, 4096, 4095, 4097});
    case 10:
      return Signed(rng, -300, 300);
    default:
      return inner - Signed(rng, 0, inner);  // overlaps
  }
}

void DrawStrides(Rng& rng, Transfer* t) {
  const int64_t elem = t->elem;
  int64_t inner = elem;
  for (size_t d = 0; d < kDims; ++d) {
    t->stride[d] = DrawStride(rng, elem, inner);
    const int64_t reach = std::abs(t->stride[d]) * std::max<int64_t>(t->count[d], 1);
    inner = std::max(inner, std::min<int64_t>(reach, 1 << 14));
  }
  if (rng.Chance(0.12)) {  // transposed: the outer walks elements, the inner walks rows
    t->stride[0] = elem * std::max<int64_t>(t->count[1], 1);
    t->stride[1] = elem;
  }
  if (rng.Chance(0.03)) t->stride[rng.Below(kDims)] = static_cast<int64_t>(rng());  // anywhere
}

void DrawWalk(Rng& rng, uint64_t budget, Transfer* t) {
  uint64_t left = std::max<uint64_t>(budget, 1);
  const size_t levels = rng.Between(1, 4);
  for (size_t n = 0; n < levels; ++n) {
    model::WalkLevel level;
    level.dim = static_cast<int>(rng.Below(kDims));
    const int64_t tile = std::min<int64_t>(t->count[static_cast<size_t>(level.dim)], 1 << 12);
    level.step = static_cast<int32_t>(rng.Chance(0.6) ? tile : Signed(rng, -tile - 2, tile + 2));
    level.count = static_cast<uint32_t>(CornerSize(rng, std::min<uint64_t>(left, 6)));
    left /= level.count;
    t->walk[rng.Chance(0.7) ? n : rng.Below(4)] = level;
  }
}

// Tiles that stick out at the front, the back, both, entirely; and bounds that cut nothing.
void DrawBounds(Rng& rng, Transfer* t) {
  for (size_t d = 0; d < kDims; ++d) {
    const int64_t count = std::min<int64_t>(t->count[d], 1 << 20);
    int64_t reach = count;  // of the coordinates that the traversal visits, roughly
    for (const auto& level : t->walk) {
      if (level && level->dim == static_cast<int>(d) && level->step > 0) {
        reach += int64_t{level->step} * (int64_t{level->count} - 1);
      }
    }
    if (!rng.Chance(reach > 1 ? 0.6 : 0.15)) continue;
    const int64_t before = rng.Chance(0.5) ? 0 : Signed(rng, 0, std::min<int64_t>(reach - 1, 9));
    t->start[d] = static_cast<int32_t>(-before);
    switch (rng.Below(20)) {
      case 0:
        t->bound[d] = 0;
        break;  // everything is outside
      case 1:
        t->start[d] = static_cast<int32_t>(-reach);
        [[fallthrough]];  // all of it before
      case 2:
        t->bound[d] = static_cast<uint32_t>(model::kMaxBound);
        break;
      case 3:
      case 4:
        t->start[d] = static_cast<int32_t>(Signed(rng, 0, reach));
        [[fallthrough]];
      case 5:
      case 6:
        t->bound[d] = static_cast<uint32_t>(Signed(rng, 1, reach + 2));
        break;
      case 7:
        t->bound[d] = 1;
        break;
      default:
        t->bound[d] =
            static_cast<uint32_t>(std::max<int64_t>(1, reach - before - Signed(rng, -1, 5)));
        break;
    }
  }
}

void DrawLength(Rng& rng, uint64_t budget, Transfer* t) {
  const uint64_t product = model::Positions(*t);
  switch (rng.Below(6)) {
    case 0:
      t->length = static_cast<uint32_t>(product);
      break;
    case 1:
      t->length = static_cast<uint32_t>(std::min(product + CornerSize(rng, product + 8), budget));
      break;
    case 2:
      t->length = static_cast<uint32_t>(CornerSize(rng, std::max<uint64_t>(t->count[0], 1)));
      break;
    case 3:
      t->length = rng.Chance(0.2) ? 0 : 1;
      break;
    default:
      t->length = static_cast<uint32_t>(rng.Between(1, std::max<uint64_t>(product, 1)));
      break;
  }
}

}  // namespace

uint64_t CornerSize(Rng& rng, uint64_t most) {
  uint64_t size = 1;
  switch (rng.Below(6)) {
    case 0:
      size = rng.Between(1, 3);
      break;
    case 1:
      size = rng.Between(1, 9);
      break;
    case 2:
      size = most;
      break;
    case 3:
      size = uint64_t{1} << rng.Below(static_cast<uint64_t>(std::bit_width(most)));
      break;
    case 4:
      size = (uint64_t{1} << rng.Below(static_cast<uint64_t>(std::bit_width(most)))) +
             rng.Between(0, 2);
      break;
    default:
      size = rng.Between(1, most);
      break;
  }
  return std::clamp<uint64_t>(size > 4 && rng.Chance(0.1) ? size - 1 : size, 1, most);
}

model::Transfer RandomTransfer(Rng& rng, const Config& config, uint64_t base, uint64_t budget) {
  Transfer t;
  const uint64_t sizes =
      static_cast<uint64_t>(std::bit_width(static_cast<unsigned>(config.data_bytes)));
  t.elem = 1 << (rng.Chance(0.4) ? 0 : rng.Below(sizes));
  const bool walks = config.walk && rng.Chance(0.35);
  DrawCounts(rng, walks ? budget / 4 + 1 : budget, &t);
  DrawStrides(rng, &t);
  if (walks) DrawWalk(rng, budget / std::max<uint64_t>(model::Positions(t), 1), &t);
  if (config.bounds && rng.Chance(0.45)) DrawBounds(rng, &t);
  if (rng.Chance(0.3)) DrawLength(rng, budget, &t);
  if (rng.Chance(0.2)) {  // starts of unbounded dimensions move the address and nothing else
    for (size_t d = 0; d < kDims; ++d) {
      if (!t.bound[d]) t.start[d] = static_cast<int32_t>(Signed(rng, -5, 5));
    }
  }
  t.fill = rng() & (t.elem >= 8 ? ~uint64_t{0} : (uint64_t{1} << (8 * t.elem)) - 1);
  t.base = base;
  if (rng.Chance(0.3)) t.base += 4096 - rng.Below(static_cast<uint64_t>(4 * config.data_bytes));
  if (rng.Chance(0.6)) t.base += rng.Below(static_cast<uint64_t>(2 * config.data_bytes));
  if (rng.Chance(0.1)) t.offset = rng.Below(300);
  t.base &= BuildOf(config).AddressMask();
  if (rng.Chance(0.04)) {
    if (config.walk && rng.Chance(0.4)) {
      t.walk[rng.Below(4)] = model::WalkLevel{0, 1, 0};
    } else {
      t.count[rng.Below(kDims)] = 0;
    }
  }
  return t;
}

}  // namespace tessera
