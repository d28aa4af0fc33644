// Field by field; see encode.h.
#include "tb/check/encode.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <stdexcept>
#include <string>

namespace tessera {

model::Build BuildOf(const Config& config) {
  model::Build build;
  build.addr_width = config.addr_width;
  build.data_bytes = config.data_bytes;
  build.stream_bytes = config.stream_bytes;
  build.walk = config.walk;
  build.bounds = config.bounds;
  return build;
}

namespace {

// Bytes of `elements`; throws if a field of 32 bits cannot hold them.
uint32_t Bytes(uint64_t elements, int elem, const char* what) {
  const uint64_t bytes = elements * static_cast<uint64_t>(elem);
  if (bytes > UINT32_MAX) {
    throw std::out_of_range(
        fmt::format("{} is {} bytes: legal is at most {}", what, bytes, UINT32_MAX));
  }
  return static_cast<uint32_t>(bytes);
}

using Wide = __int128;

bool Fits(Wide value, int bits) {
  const Wide limit = Wide{1} << (bits - 1);
  return value >= -limit && value < limit;
}

// A bound that is farther than any index is cut to what fits the pins. With `room` it is still
// farther, and still fits, when a traversal has moved it by 32 bits either way.
int64_t Cut(Wide value, bool room) {
  const Wide limit = (Wide{1} << (rtl::kIndexWidth - 1)) - (room ? Wide{1} << 31 : 0);
  return static_cast<int64_t>(std::clamp(value, -limit, limit - 1));
}

// How far a traversal moves the start of a dimension, and whether one level of it does by a step
// that fits 32 bits in units of `unit` to the element.
struct Moves {
  bool any = false;
  bool steps_fit = true;
  Wide low = 0, high = 0;
};

Moves MovesOf(const model::Transfer& t, size_t dim, int unit) {
  Moves moves;
  for (const auto& level : t.walk) {
    if (!level || level->dim != static_cast<int>(dim)) continue;
    const Wide turns = std::max(level->count, uint32_t{1}) - 1;
    (level->step < 0 ? moves.low : moves.high) += turns * level->step;
    moves.any = true;
    moves.steps_fit &= Fits(Wide{level->step} * unit, 32);
  }
  return moves;
}

// Whether the moves, in units of `unit` to the element, are so short that bounds can be cut with
// room for them.
bool AreShort(const Moves& moves, int unit) {
  return moves.steps_fit && Fits(moves.low * unit, 32) && Fits(moves.high * unit, 32);
}

// The bound of a dimension that a traversal moves far, without coordinates that are never reached.
int64_t ReachedBound(const model::Transfer& t, size_t dim, const Moves& moves) {
  const Wide end = t.start[dim] + moves.high + t.count[dim];
  return static_cast<int64_t>(std::clamp<Wide>(end, 0, *t.bound[dim]));
}

// Whether the bounds of dimension 0, in bytes, fit the pins at every turn of the traversal.
bool FitsInBytes(const model::Transfer& t) {
  if (!t.bound[0]) return true;
  const Moves moves = MovesOf(t, 0, t.elem);
  if (!moves.any || AreShort(moves, t.elem)) return true;
  const Wide bound = ReachedBound(t, 0, moves);
  const Wide first = t.start[0] + moves.low, last = t.start[0] + moves.high;
  return moves.steps_fit && Fits(moves.low * t.elem, rtl::kShiftWidth) &&
         Fits(moves.high * t.elem, rtl::kShiftWidth) &&
         Fits(-last * t.elem - 1, rtl::kIndexWidth) &&
         Fits((bound - first) * t.elem - 1, rtl::kIndexWidth);
}

}  // namespace

EngineTransfer Encode(const model::Transfer& t) {
  EngineTransfer e;
  e.dense = (t.count[0] == 1 || t.stride[0] == t.elem) && FitsInBytes(t);
  e.addr = t.base + t.offset;
  for (size_t d = 0; d < model::kDims; ++d) {
    const uint64_t stride = static_cast<uint64_t>(t.stride[d]);
    e.addr += static_cast<uint64_t>(int64_t{t.start[d]}) * stride;
    e.dim[d].stride = stride;
    const int unit = d == 0 && e.dense ? t.elem : 1;
    e.dim[d].count = Bytes(t.count[d], unit, "count[0] * elem");
    e.dim[d].unbounded = !t.bound[d].has_value();
    if (t.bound[d]) {
      const Moves moves = MovesOf(t, d, unit);
      const bool are_short = AreShort(moves, unit);
      const int64_t bound = are_short ? *t.bound[d] : ReachedBound(t, d, moves);
      e.dim[d].ahead = Cut(-Wide{t.start[d]} * unit - 1, are_short);
      e.dim[d].last = Cut((Wide{bound} - t.start[d]) * unit - 1, are_short);
    }
  }
  e.has_walk = t.has_walk();
  for (size_t k = 0; k < model::kWalkLevels; ++k) {
    if (!t.walk[k]) continue;
    const model::WalkLevel& level = *t.walk[k];
    e.walk[k].dim = static_cast<uint8_t>(level.dim);
    e.walk[k].step = static_cast<uint32_t>(level.step) *
                     (level.dim == 0 && e.dense ? static_cast<uint32_t>(t.elem) : 1);
    e.walk[k].count = level.count;
    e.walk[k].stride = static_cast<uint64_t>(int64_t{level.step}) *
                       static_cast<uint64_t>(t.stride[static_cast<size_t>(level.dim)]);
  }
  e.has_length = t.length.has_value();
  e.length = Bytes(t.length.value_or(0), t.elem, "length * elem");
  if (e.has_length && e.dense) e.dim[0].count = std::min(e.dim[0].count, e.length);
  e.elem_log2 = static_cast<uint8_t>(std::countr_zero(static_cast<unsigned>(t.elem)));
  for (size_t n = 0; n < 8; ++n) {
    const uint64_t byte = model::FillByte(t.fill, n % static_cast<size_t>(t.elem));
    e.fill |= byte << (8 * n);
  }
  e.last_rule = static_cast<rtl::LastRule>(t.last_rule);
  e.last_level = static_cast<uint8_t>(t.last_level);
  e.join_next = t.join_next;
  e.task_end = t.task_end;
  e.finish = t.finish == model::Finish::kLast ? rtl::Finish::kLast : rtl::Finish::kLength;
  return e;
}

uint8_t StatusOf(const model::Record& record) {
  unsigned status = 0;
  if (record.slverr) status |= rtl::Status::kSlverr;
  if (record.decerr) status |= rtl::Status::kDecerr;
  if (record.overlong) status |= rtl::Status::kOverlong;
  if (record.partial_element) status |= rtl::Status::kPartialElement;
  if (record.sparse_keep) status |= rtl::Status::kSparseKeep;
  if (record.illegal) status |= rtl::Status::kIllegal;
  return static_cast<uint8_t>(status);
}

std::string StatusText(uint8_t status) {
  static constexpr std::array<const char*, 8> kNames{"slverr",          "decerr",      "overlong",
                                                     "partial_element", "sparse_keep", "aborted",
                                                     "illegal",         "bit 7"};
  std::string text;
  for (size_t bit = 0; bit < kNames.size(); ++bit) {
    if (((status >> bit) & 1) == 0) continue;
    if (!text.empty()) text += ' ';
    text += kNames[bit];
  }
  return text.empty() ? "ok" : text;
}

}  // namespace tessera
