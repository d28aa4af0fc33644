// What tsr_prepare must make of a descriptor; see prepare_bench.h.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "tb/check/encode.h"
#include "tests/channel/prepare_bench.h"

namespace tessera {
namespace {

using Wide = __int128;

bool Fits(Wide value, int bits) {
  return value >= -(Wide{1} << (bits - 1)) && value < Wide{1} << (bits - 1);
}

int64_t LowBits(int64_t value, int bits) {  // as a signed number of so many
  const int rest = 64 - bits;
  return static_cast<int64_t>(static_cast<uint64_t>(value) << rest) >> rest;
}

bool IsDense(const model::Transfer& t) { return t.count[0] == 1 || t.stride[0] == t.elem; }

// How far a level moves a dimension with bounds.
bool TooFar(const model::Transfer& t) {
  for (size_t k = 0; k < model::kWalkLevels; ++k) {
    if (!t.walk[k] || t.walk[k]->step == 0) continue;
    const model::WalkLevel& level = *t.walk[k];
    if (!t.bound[static_cast<size_t>(level.dim)]) continue;
    bool alone = true;
    for (size_t other = 0; other < model::kWalkLevels; ++other) {
      if (other == k || !t.walk[other] || t.walk[other]->step == 0) continue;
      alone &= t.walk[other]->dim != level.dim;
    }
    const Wide step = Wide{level.step} * (level.dim == 0 && IsDense(t) ? t.elem : 1);
    if (!Fits(step, 32) || !Fits(step * level.count, alone ? 32 : 30)) return true;
  }
  return false;
}

PrepareError ErrorOf(const model::Transfer& t, const PrepareBuild& build) {
  const uint64_t elem = static_cast<uint64_t>(t.elem);
  if (t.elem > build.data_bytes) return PrepareError::kElem;
  if (t.has_walk() && !build.walk) return PrepareError::kWalk;
  for (const auto& bound : t.bound) {
    if (bound && !build.bounds) return PrepareError::kBounds;
  }
  if (build.addr_width < 64 && t.base >> build.addr_width != 0) return PrepareError::kBase;
  if (IsDense(t) && t.count[0] * elem > UINT32_MAX) return PrepareError::kRow;
  if (t.length && *t.length * elem > UINT32_MAX) return PrepareError::kLength;
  return TooFar(t) ? PrepareError::kReach : PrepareError::kNone;
}

int CyclesOf(const Descriptor& d, const PrepareBuild& build) {
  const model::Transfer& t = d.transfer;
  const int digits = (build.addr_width + kPrepareDigit - 1) / kPrepareDigit;
  int products = 0, levels = 0;
  for (size_t n = 0; n < model::kDims; ++n) {
    products += t.start[n] != 0 && LowBits(t.stride[n], build.addr_width) != 0;
  }
  products += d.has_iteration && d.turn != 0 && LowBits(d.iteration_step, build.addr_width) != 0;
  for (const auto& level : t.walk) {
    if (!build.walk || !level || level->step == 0) continue;
    levels += digits + (t.bound[static_cast<size_t>(level->dim)] && build.bounds ? 2 : 0);
  }
  if (levels == 0 && products == 0) return build.walk && t.has_walk() ? 1 : 0;
  if (levels == 0) return products * digits + 3;
  return products * digits + (products == 0 ? 4 : 6) + levels;
}

}  // namespace

std::string ToString(const Descriptor& d) {
  std::string text = model::ToString(d.transfer);
  if (d.has_iteration) text += fmt::format(" iteration({} x {})", d.turn, d.iteration_step);
  return text;
}

rtl::Descriptor DescriptorOf(const Descriptor& d) {
  Rng noise(d.noise);
  const model::Transfer& t = d.transfer;
  const auto junk = [&](int bits) { return noise() >> (64 - bits); };
  rtl::Descriptor out;
  out.finish = t.finish == model::Finish::kLast ? rtl::Finish::kLast : rtl::Finish::kLength;
  out.task_end = t.task_end;
  out.join_next = t.join_next;
  out.last_level = static_cast<uint8_t>(t.last_level);
  out.last_rule = static_cast<rtl::LastRule>(t.last_rule);
  out.has_iteration = d.has_iteration;
  out.iteration_step = d.has_iteration ? static_cast<uint64_t>(d.iteration_step) : noise();
  out.turn = d.has_iteration ? d.turn : static_cast<uint16_t>(junk(16));
  const uint64_t above = t.elem >= 8 ? 0 : ~uint64_t{0} << (8 * t.elem);
  out.fill = (t.fill & ~above) | (noise() & above);
  out.elem_log2 = static_cast<uint8_t>(std::countr_zero(static_cast<unsigned>(t.elem)));
  out.has_length = t.length.has_value();
  out.length = static_cast<uint32_t>(t.length ? *t.length : junk(32));
  out.has_walk = t.has_walk();
  for (size_t k = 0; k < model::kWalkLevels; ++k) {
    rtl::DescriptorWalk& walk = out.walk[k];
    const model::WalkLevel level = t.walk[k].value_or(model::WalkLevel{});
    walk.dim = t.has_walk() ? static_cast<uint8_t>(level.dim) : static_cast<uint8_t>(junk(2));
    walk.count = t.has_walk() ? level.count : static_cast<uint32_t>(junk(32));
    walk.step = static_cast<uint32_t>(t.has_walk() ? static_cast<uint64_t>(level.step) : junk(32));
  }
  for (size_t n = 0; n < model::kDims; ++n) {
    rtl::DescriptorDim& dim = out.dim[n];
    dim.unbounded = !t.bound[n].has_value();
    dim.bound = static_cast<uint32_t>(t.bound[n] ? *t.bound[n] : junk(32));
    dim.start = static_cast<uint32_t>(t.start[n]);
    dim.count = t.count[n];
    dim.stride = static_cast<uint64_t>(t.stride[n]);
  }
  out.base = t.base;
  return out;
}

Prepared Expect(const Descriptor& descriptor, const PrepareBuild& build) {
  Prepared prepared;
  prepared.cycles = CyclesOf(descriptor, build);
  // Strides are taken modulo the address width; so a stride is an element or not.
  model::Transfer t = descriptor.transfer;
  for (int64_t& stride : t.stride) stride = LowBits(stride, build.addr_width);
  prepared.error = ErrorOf(t, build);
  if (prepared.error != PrepareError::kNone) return prepared;

  t.offset = descriptor.has_iteration
                 ? descriptor.turn * static_cast<uint64_t>(descriptor.iteration_step)
                 : 0;
  const uint64_t mask =
      build.addr_width == 64 ? ~uint64_t{0} : (uint64_t{1} << build.addr_width) - 1;
  EngineTransfer e = Encode(t);
  e.addr &= mask;
  for (rtl::Dim& dim : e.dim) dim.stride &= mask;
  for (rtl::Walk& walk : e.walk) {
    walk.stride &= mask;
    if (!build.bounds) walk.step = 0;
  }
  if (!build.bounds) e.fill = 0;
  prepared.transfer = Completed(e);
  return prepared;
}

}  // namespace tessera
