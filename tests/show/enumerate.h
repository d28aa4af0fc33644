// The plain way to count: every position, every byte, every word, one after the other.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tb/check/encode.h"
#include "tb/model/reference.h"
#include "tb/model/walk.h"
#include "tb/random/generate.h"
#include "tools/show/analysis.h"

namespace tessera::show {

struct Enumerated {
  uint64_t positions = 0, data = 0, rows = 0, data_rows = 0, odd_rows = 0;
  BusCount least;
  uint64_t beats = 0, packets = 0;
  bool any = false;
  uint64_t low = 0, high = 0;  // of valid bytes; only meaningful where addresses do not wrap
};

// Words in the order of visit; a word that is still at hand or follows the one before needs no new
// burst.
class PlainLeast {
 public:
  PlainLeast(uint64_t word, uint64_t longest, uint64_t mask)
      : word_(word), longest_(longest), mask_(mask) {}
  void Byte(uint64_t addr) {
    const uint64_t w = (addr & mask_) / word_;
    if (at_ && *at_ == w) return;
    const bool follows = at_ && w == ((*at_ + 1) & (mask_ / word_));
    if (!follows || length_ == longest_ || w * word_ % 4096 == 0) {
      ++count.bursts;
      length_ = 0;
    }
    ++count.words;
    ++length_;
    at_ = w;
  }
  BusCount count;

 private:
  uint64_t word_, longest_, mask_;
  std::optional<uint64_t> at_;
  uint64_t length_ = 0;
};

inline Enumerated Enumerate(const Subject& subject) {
  Enumerated e;
  const model::Transfer& t = subject.transfer;
  const model::Build build = BuildOf(subject.config);
  const uint64_t word = static_cast<uint64_t>(subject.config.data_bytes);
  const uint64_t longest =
      std::min<uint64_t>(static_cast<uint64_t>(subject.config.max_burst), 4096 / word);
  PlainLeast least(word, longest, build.AddressMask());
  const bool neighbours = ((static_cast<uint64_t>(t.stride[0]) ^ static_cast<uint64_t>(t.elem)) &
                           build.AddressMask()) == 0 ||
                          t.count[0] == 1;
  bool row_has_data = false;
  model::Walk(t, build, [&](const model::Position& p) {
    ++e.positions;
    if (p.i[0] == 0 || !neighbours) {
      ++e.rows;
      row_has_data = false;
    }
    if (!p.valid) return true;
    ++e.data;
    if (!row_has_data) {
      ++e.data_rows;
      if (p.addr % word != 0) ++e.odd_rows;
    }
    row_has_data = true;
    for (uint64_t b = 0; b < static_cast<uint64_t>(t.elem); ++b) least.Byte(p.addr + b);
    const uint64_t last = p.addr + static_cast<uint64_t>(t.elem) - 1;
    e.low = e.any ? std::min(e.low, p.addr) : p.addr;
    e.high = e.any ? std::max(e.high, last) : last;
    e.any = true;
    return true;
  });
  e.least = least.count;
  const model::MemoryImage memory;
  model::ReadModel reader(build, memory);
  model::Transfer lone = t;
  lone.join_next = false;
  reader.Run(lone);
  e.beats = reader.beats().size();
  for (const model::StreamBeat& beat : reader.beats()) e.packets += beat.last ? 1 : 0;
  return e;
}

// Configurations that need no model.
inline std::vector<Config> PlainConfigs() {
  std::vector<Config> all(6);
  all[0] = {.name = "typical"};
  all[1] = {.name = "small",
            .addr_width = 32,
            .data_bytes = 4,
            .stream_bytes = 4,
            .max_burst = 16,
            .outstanding = 4};
  all[2] = {.name = "wide", .data_bytes = 64, .stream_bytes = 64};
  all[3] = {.name = "narrow_bus",
            .addr_width = 40,
            .data_bytes = 4,
            .stream_bytes = 16,
            .max_burst = 256,
            .outstanding = 16};
  all[4] = {.name = "narrow_stream",
            .addr_width = 48,
            .data_bytes = 16,
            .stream_bytes = 2,
            .max_burst = 32,
            .outstanding = 8};
  all[5] = {.name = "widest",
            .data_bytes = 128,
            .stream_bytes = 128,
            .max_burst = 256,
            .outstanding = 128};
  return all;
}

inline model::Transfer Dense(uint64_t base, std::vector<uint32_t> count,
                             std::vector<int64_t> stride, int elem = 1) {
  model::Transfer t;
  t.elem = elem;
  t.base = base;
  for (size_t d = 0; d < count.size(); ++d) t.count[d] = count[d];
  for (size_t d = 0; d < stride.size(); ++d) t.stride[d] = stride[d];
  return t;
}

inline Subject SubjectOf(const model::Transfer& t, Direction direction = Direction::kRead,
                         Config config = {.name = "typical"}) {
  return {t, direction, std::move(config)};
}

}  // namespace tessera::show
