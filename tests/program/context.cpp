// See context.h.
#include "tests/program/context.h"

#include <algorithm>
#include <array>

namespace tessera {
namespace {

using model::kDims;

// How many positions of a dimension lie before, inside and behind its bounds.
std::array<uint64_t, 3> Phases(const model::Transfer& t, size_t d, uint64_t count) {
  if (!t.bound[d]) return {0, count, 0};
  const int64_t start = t.start[d];
  const uint64_t before = start < 0 ? std::min<uint64_t>(static_cast<uint64_t>(-start), count) : 0;
  const int64_t first = start + static_cast<int64_t>(before);
  const int64_t room = std::max<int64_t>(static_cast<int64_t>(*t.bound[d]) - first, 0);
  const uint64_t inside = std::min<uint64_t>(count - before, static_cast<uint64_t>(room));
  return {before, inside, count - before - inside};
}

// Packs fields from the lowest bit up.
class Packer {
 public:
  void Add(uint64_t value, int bits) {
    packed_ |= (value & ((uint64_t{1} << bits) - 1)) << at_;
    at_ += bits;
  }
  uint64_t packed() const { return packed_; }

 private:
  uint64_t packed_ = 0;
  int at_ = 0;
};

}  // namespace

Context MakeContext(const model::Transfer& t, const model::Build& build) {
  Context context;
  const auto add = [&](uint32_t index, uint64_t data) { context.words.push_back({index, data}); };
  const auto elem = static_cast<uint64_t>(t.elem);
  const bool empty = IsEmpty(t);
  const bool packets = t.last_rule == model::LastRule::kLevel && t.last_level < 3;

  std::array<uint64_t, kDims> count{};
  for (size_t d = 0; d < kDims; ++d) count[d] = t.count[d];
  if (t.length) count[3] = 0xffffffff;  // the last dimension steps on for as long as it takes
  const bool dense = t.stride[0] == t.elem || count[0] == 1;  // a row is dimension 0

  std::array<std::array<uint64_t, 3>, kDims> phases{};
  for (size_t d = 0; d < kDims; ++d) phases[d] = Phases(t, d, count[d]);
  uint64_t addr = t.base + t.offset, rewind = 0, phases_there = 0;
  uint32_t level = 0, packet_level = 0;
  bool outside = false;
  for (size_t d = 0; d < kDims; ++d) {
    const auto stride = static_cast<uint64_t>(t.stride[d]);
    const auto start = static_cast<uint64_t>(static_cast<int64_t>(t.start[d]));
    const bool row = d == 0 && dense;
    addr += (start + (row ? phases[d][0] : 0)) * stride;
    if (packets && d == static_cast<size_t>(t.last_level) + 1) packet_level = level;
    if (row || count[d] <= 1 || empty) {
      outside = outside || phases[d][1] == 0;
      continue;
    }
    add(4 * level + kWordJump, (stride - rewind) & build.AddressMask());
    rewind += stride * (count[d] - 1);
    for (uint32_t p = 0; p < 3; ++p) {
      if (phases[d][p] == 0) continue;
      add(4 * level + p, phases[d][p]);
      phases_there |= uint64_t{1} << (3 * level + p);
    }
    ++level;
  }
  for (uint32_t l = level; l < 4; ++l) phases_there |= uint64_t{2} << (3 * l);
  add(kWordAddr, addr & build.AddressMask());
  if (t.length) add(kWordLength, *t.length * elem - 1);
  const std::array<uint64_t, 4> sizes = {dense ? phases[0][0] : 0, dense ? phases[0][1] : 1,
                                         dense ? phases[0][2] : 0, dense ? count[0] : 1};
  for (uint32_t s = 0; s < 4; ++s) {
    if (sizes[s] != 0) add(kWordLead + s, sizes[s] * elem - 1);
  }
  uint64_t fill = t.fill;  // of an element, repeated
  for (uint64_t bytes = elem; bytes < 8; bytes *= 2) {
    fill &= (uint64_t{1} << (8 * bytes)) - 1;
    fill |= fill << (8 * bytes);
  }
  add(kWordFill, fill);

  const bool last = t.last_rule == model::LastRule::kTransfer ||
                    t.last_rule == model::LastRule::kLevel ||
                    (t.last_rule == model::LastRule::kTask && t.task_end);
  Packer flags;
  flags.Add(!t.joins() || (last && !empty), 1);
  flags.Add(last && !(empty && t.joins()), 1);
  const bool in_tile = packets && packet_level < level;
  flags.Add(in_tile ? packet_level : 4, 3);
  flags.Add(in_tile, 1);
  flags.Add(t.length.has_value(), 1);
  flags.Add(sizes[2] != 0, 1);
  flags.Add(sizes[0] != 0, 1);
  flags.Add(phases_there, 12);
  flags.Add((uint64_t{1} << level) - 1, 4);
  flags.Add(outside, 1);
  flags.Add(empty, 1);
  flags.Add(false, 1);  // more
  flags.Add(t.last_rule != model::LastRule::kNever, 1);
  add(kWordFlags, flags.packed());
  return context;
}

}  // namespace tessera
