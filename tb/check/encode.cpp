// Field by field; see encode.h.
#include "tb/check/encode.h"

#include <array>
#include <bit>
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

EngineTransfer Encode(const model::Transfer& t) {
  EngineTransfer e;
  e.addr = t.base + t.offset;
  for (size_t d = 0; d < model::kDims; ++d) {
    const uint64_t stride = static_cast<uint64_t>(t.stride[d]);
    e.addr += static_cast<uint64_t>(int64_t{t.start[d]}) * stride;
    e.dim[d].stride = stride;
    e.dim[d].count = t.count[d];
    e.dim[d].start = static_cast<uint32_t>(t.start[d]);
    e.dim[d].bound = t.bound[d].value_or(0);
    e.dim[d].unbounded = !t.bound[d].has_value();
  }
  e.has_walk = t.has_walk();
  for (size_t k = 0; k < model::kWalkLevels; ++k) {
    if (!t.walk[k]) continue;
    const model::WalkLevel& level = *t.walk[k];
    e.walk[k].dim = static_cast<uint8_t>(level.dim);
    e.walk[k].step = static_cast<uint32_t>(level.step);
    e.walk[k].count = level.count;
    e.walk[k].stride = static_cast<uint64_t>(int64_t{level.step}) *
                       static_cast<uint64_t>(t.stride[static_cast<size_t>(level.dim)]);
  }
  e.has_length = t.length.has_value();
  e.length = t.length.value_or(0);
  e.elem_log2 = static_cast<uint8_t>(std::countr_zero(static_cast<unsigned>(t.elem)));
  for (size_t n = 0; n < 8; ++n) {
    const uint64_t byte = model::FillByte(t.fill, n % static_cast<size_t>(t.elem));
    e.fill |= byte << (8 * n);
  }
  e.last_rule = static_cast<uint8_t>(t.last_rule);
  e.last_level = static_cast<uint8_t>(t.last_level);
  e.join_next = t.join_next;
  e.task_end = t.task_end;
  e.finish_last = t.finish == model::Finish::kLast;
  return e;
}

uint8_t StatusOf(const model::Record& record) {
  unsigned status = 0;
  if (record.slverr) status |= EngineDone::kSlvErr;
  if (record.decerr) status |= EngineDone::kDecErr;
  if (record.overlong) status |= EngineDone::kOverlong;
  if (record.partial_element) status |= EngineDone::kPartialElement;
  if (record.sparse_keep) status |= EngineDone::kSparseKeep;
  if (record.illegal) status |= EngineDone::kIllegal;
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
