// Rules about transfers as values; see transfer.h.
#include "tb/model/transfer.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "tb/sim/counted.h"

namespace tessera::model {
namespace {

uint64_t SaturatingProduct(uint64_t a, uint64_t b) {
  uint64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? std::numeric_limits<uint64_t>::max() : product;
}

// The smallest and the largest coordinate a dimension takes. Saturated counts stay far out of
// range.
struct Range {
  double low = 0;
  double high = 0;
};

Range Coordinates(const Transfer& t, size_t dim) {
  double steps = t.count[dim];
  if (dim == kDims - 1 && t.length && !t.has_walk()) {  // steps on for as long as it takes
    const double inner = static_cast<double>(t.count[0]) * t.count[1] * t.count[2];
    steps = std::max(1.0, (*t.length + inner - 1) / inner);
  }
  Range range{static_cast<double>(t.start[dim]), t.start[dim] + steps - 1};
  for (const auto& level : t.walk) {
    if (!level || level->dim != static_cast<int>(dim)) continue;
    const double far = static_cast<double>(level->step) * (level->count - 1.0);
    (far < 0 ? range.low : range.high) += far;
  }
  return range;
}

// Without bounds a stride has 32 bits; it counts modulo the address width.
bool IsWide(int64_t stride, const Build& build) {
  const int unused = 64 - build.addr_width;
  stride = static_cast<int64_t>(static_cast<uint64_t>(stride) << unused) >> unused;
  return stride != static_cast<int32_t>(stride);
}

}  // namespace

bool IsEmpty(const Transfer& t) {
  if (t.length && *t.length == 0) return true;
  for (uint32_t count : t.count) {
    if (count == 0) return true;
  }
  for (const auto& level : t.walk) {
    if (level && level->count == 0) return true;
  }
  return false;
}

uint64_t Positions(const Transfer& t) {
  if (IsEmpty(t)) return 0;
  if (t.length && !t.has_walk()) return *t.length;
  uint64_t product = 1;
  for (uint32_t count : t.count) product = SaturatingProduct(product, count);
  for (const auto& level : t.walk) product = SaturatingProduct(product, level ? level->count : 1);
  return t.length ? std::min<uint64_t>(*t.length, product) : product;
}

bool IsRefused(const Transfer& t, const Build& build) {
  if (t.elem > build.data_bytes) return true;
  if (t.has_walk() && !build.walk) return true;
  for (size_t d = 0; d < kDims && !build.bounds; ++d) {
    if (t.bound[d] || IsWide(t.stride[d], build)) return true;
  }
  return false;
}

std::optional<std::string> Validate(const Transfer& t, const Build& build) {
  if (t.elem < 1 || t.elem > build.data_bytes || (t.elem & (t.elem - 1)) != 0) {
    return fmt::format("elem is {}: legal are the powers of two from 1 to the bus width, {} bytes",
                       t.elem, build.data_bytes);
  }
  if (t.base > build.AddressMask()) {
    return fmt::format("base is {:#x}: legal is 0 to {:#x}, {} address bits", t.base,
                       build.AddressMask(), build.addr_width);
  }
  const uint64_t elem = static_cast<uint64_t>(t.elem);
  if (t.count[0] * elem > UINT32_MAX) {
    return fmt::format("count[0] is {}: legal is at most {}, 2^32 - 1 bytes in a row", t.count[0],
                       UINT32_MAX / elem);
  }
  if (t.length && *t.length * elem > UINT32_MAX) {
    return fmt::format("length is {}: legal is at most {}, 2^32 - 1 bytes", *t.length,
                       UINT32_MAX / elem);
  }
  for (size_t d = 0; d < kDims; ++d) {
    if (t.bound[d] && !build.bounds) {
      return fmt::format("bound[{}] is {}: this build has no bounds, legal is unbounded", d,
                         *t.bound[d]);
    }
    if (!build.bounds && IsWide(t.stride[d], build)) {
      return fmt::format("stride[{}] is {}: this build has no bounds, legal is -2^31 to 2^31-1", d,
                         t.stride[d]);
    }
    if (t.bound[d] && *t.bound[d] > kMaxBound) {
      return fmt::format("bound[{}] is {}: legal is 0 to {}, or unbounded", d, *t.bound[d],
                         kMaxBound);
    }
  }
  for (size_t k = 0; k < kWalkLevels; ++k) {
    if (!t.walk[k]) continue;
    if (!build.walk) {
      return fmt::format("walk[{}] has count {}: this build has no traversal, legal is absent", k,
                         t.walk[k]->count);
    }
    if (t.walk[k]->dim < 0 || t.walk[k]->dim >= static_cast<int>(kDims)) {
      return fmt::format("walk[{}].dim is {}: legal is 0 to 3", k, t.walk[k]->dim);
    }
  }
  if (t.elem < 8 && (t.fill >> (8 * t.elem)) != 0) {
    return fmt::format("fill is {:#x}: legal is what fits in an element of {}", t.fill,
                       Counted(static_cast<uint64_t>(t.elem), "byte"));
  }
  if (t.last_level < 0 || t.last_level > 7) {
    return fmt::format("last_level is {}: legal is 0 to 3 for dimensions, 4 to 7 for walk levels",
                       t.last_level);
  }
  if (IsEmpty(t)) return std::nullopt;
  for (size_t d = 0; d < kDims; ++d) {
    if (!t.bound[d]) continue;
    const Range range = Coordinates(t, d);
    for (double x : {range.low, range.high}) {
      if (x < -2147483648.0 || x > 2147483647.0) {
        return fmt::format(
            "start[{}] is {}: a coordinate of this bounded dimension reaches {:.0f}, legal is "
            "-2^31 to 2^31-1",
            d, t.start[d], x);
      }
    }
  }
  return std::nullopt;
}

std::string ToString(const Transfer& t) {
  std::string text = fmt::format("E={} base={:#x} offset={:#x}", t.elem, t.base, t.offset);
  for (size_t d = 0; d < kDims; ++d) {
    if (t.count[d] == 1 && t.start[d] == 0 && !t.bound[d] && t.stride[d] == 0) continue;
    text += fmt::format(" dim{}(count {} stride {} start {} bound {})", d, t.count[d], t.stride[d],
                        t.start[d], t.bound[d] ? std::to_string(*t.bound[d]) : "none");
  }
  for (size_t k = 0; k < kWalkLevels; ++k) {
    if (!t.walk[k]) continue;
    text += fmt::format(" walk{}(dim {} step {} count {})", k, t.walk[k]->dim, t.walk[k]->step,
                        t.walk[k]->count);
  }
  if (t.length) text += fmt::format(" length={}", *t.length);
  text += fmt::format(" fill={:#x}", t.fill);
  text += fmt::format(" last={}", NamesOf(t.last_rule)[static_cast<size_t>(t.last_rule)]);
  if (t.last_rule == LastRule::kLevel) text += fmt::format("({})", t.last_level);
  if (t.join_next) text += " join";
  if (t.task_end) text += " task_end";
  return text + (t.finish == Finish::kLast ? " finish=on-TLAST" : " finish=by-length");
}

}  // namespace tessera::model
