// Word by word; see encode.h.
#include "tb/check/encode.h"

#include <array>
#include <bit>
#include <string>

#include "sw/driver/tessera/registers.hpp"

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

std::vector<ErrorRule> RulesOf(const std::vector<model::ErrorRange>& reads,
                               const std::vector<model::ErrorRange>& writes) {
  std::vector<ErrorRule> rules;
  const auto rule = [](const model::ErrorRange& r) {
    return ErrorRule::Range(r.first, r.last, r.decerr ? kDecErr : kSlvErr);
  };
  for (const model::ErrorRange& r : reads) rules.push_back(rule(r).ReadsOnly());
  for (const model::ErrorRange& r : writes) rules.push_back(rule(r).WritesOnly());
  return rules;
}

namespace {

uint32_t Low(uint64_t value) { return static_cast<uint32_t>(value); }
uint32_t High(uint64_t value) { return static_cast<uint32_t>(value >> 32); }

}  // namespace

EngineTransfer Encode(const model::Transfer& t, const model::Build& build) {
  EngineTransfer e;
  // Addresses and strides count modulo the address width.
  const int unused = 64 - build.addr_width;
  std::array<int64_t, model::kDims> stride{};
  bool bounds = build.bounds && t.fill != 0;
  for (size_t d = 0; d < model::kDims; ++d) {
    stride[d] = static_cast<int64_t>(static_cast<uint64_t>(t.stride[d]) << unused) >> unused;
    bounds = bounds || t.bound[d] || (build.bounds && t.start[d] != 0) ||
             stride[d] != static_cast<int32_t>(stride[d]);
  }
  uint64_t base = t.base + t.offset;
  for (size_t d = 0; d < model::kDims && !bounds; ++d)
    base += static_cast<uint64_t>(int64_t{t.start[d]}) * static_cast<uint64_t>(stride[d]);
  base &= build.AddressMask();

  namespace words = registers::descriptor;
  DescriptorWords& w = e.base;
  w[words::BaseLow::kWord] = Low(base);
  w[words::BaseHigh::kWord] = High(base);
  for (size_t d = 0; d < model::kDims; ++d) {
    w[words::Count::kWord + d] = t.count[d];
    w[words::Stride::kWord + d] = Low(static_cast<uint64_t>(stride[d]));
  }
  w[words::Length::kWord] = t.length.value_or(0);
  if (bounds) {
    namespace extension = registers::bounds;
    DescriptorWords& b = e.bounds.emplace();
    for (size_t d = 0; d < model::kDims; ++d) {
      b[extension::Start::kWord + d] = static_cast<uint32_t>(t.start[d]);
      b[extension::Bound::kWord + d] = t.bound[d].value_or(0);
      b[extension::Bounded::kWord] |= uint32_t{t.bound[d].has_value()} << d;
      b[extension::StrideHigh::kWord + d] = High(static_cast<uint64_t>(stride[d]));
    }
    b[extension::FillLow::kWord] = Low(t.fill);
    b[extension::FillHigh::kWord] = High(t.fill);
  }
  if (t.has_walk()) {
    namespace extension = registers::walk;
    DescriptorWords& k = e.walk.emplace();
    for (size_t i = 0; i < model::kWalkLevels; ++i) {
      const model::WalkLevel level = t.walk[i].value_or(model::WalkLevel{});
      k[extension::Count::kWord + i] = level.count;
      k[extension::Step::kWord + i] = static_cast<uint32_t>(level.step);
      k[extension::Dimensions::kWord] |= static_cast<uint32_t>(level.dim) << (2 * i);
    }
  }
  w[words::Flags::kWord] =
      words::Flags{}
          .set_elem_log2(static_cast<uint32_t>(std::countr_zero(static_cast<unsigned>(t.elem))))
          .set_has_length(t.length.has_value())
          .set_last_rule(static_cast<uint32_t>(t.last_rule))
          .set_last_level(static_cast<uint32_t>(t.last_level))
          .set_join_next(t.join_next)
          .set_finish_last(t.finish == model::Finish::kLast)
          .set_has_bounds(e.bounds.has_value())
          .set_has_walk(e.walk.has_value())
          .set_valid(1)
          .word;
  e.task_end = t.task_end;
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
