// See limit.h.
#include "bench/limit.h"

#include <algorithm>
#include <array>

#include "tb/model/walk.h"

namespace tessera::bench {
namespace {

constexpr uint64_t kPage = 4096;

// Collects runs of bytes, in order, into words and bursts.
class BusCounter {
 public:
  BusCounter(int bus_bytes, int max_burst, uint64_t address_mask)
      : width_(static_cast<uint64_t>(bus_bytes)),
        longest_(static_cast<uint64_t>(max_burst)),
        mask_(address_mask),
        last_word_(address_mask / width_) {}

  void Add(uint64_t addr, uint64_t bytes) {
    if (bytes == 0) return;
    addr &= mask_;
    uint64_t word = addr / width_;
    uint64_t words = (addr % width_ + bytes - 1) / width_ + 1;
    const auto next = [&] { word = word == last_word_ ? 0 : word + 1; };
    if (open_ && word == word_) {
      --words;
      next();
    }
    for (; words > 0; --words, next()) AddWord(word);
  }
  const BusWork& work() const { return work_; }

 private:
  void AddWord(uint64_t word) {
    const bool goes_on =
        open_ && word == word_ + 1 && length_ < longest_ && word * width_ % kPage != 0;
    if (!goes_on) {
      ++work_.bursts;
      length_ = 0;
    }
    ++length_;
    ++work_.words;
    word_ = word;
    open_ = true;
  }

  uint64_t width_, longest_, mask_, last_word_;
  BusWork work_;
  bool open_ = false;
  uint64_t word_ = 0;    // the last one counted
  uint64_t length_ = 0;  // words of its burst up to it
};

struct Inside {
  int64_t from = 0, to = 0;  // coordinates in the bounds, `to` excluded
};

Inside Clip(const model::Transfer& t, size_t d) {
  Inside in{t.start[d], int64_t{t.start[d]} + int64_t{t.count[d]}};
  if (t.bound[d]) {
    in.from = std::max<int64_t>(in.from, 0);
    in.to = std::min<int64_t>(in.to, *t.bound[d]);
  }
  return in;
}

}  // namespace

BusWork CountBus(const model::Transfer& t, int bus_bytes, int max_burst, uint64_t address_mask) {
  BusCounter counter(bus_bytes, max_burst, address_mask);
  if (t.has_walk() || t.length) {
    model::Walk(t, {}, [&](const model::Position& p) {
      if (p.valid) counter.Add(p.addr, static_cast<uint64_t>(t.elem));
      return true;
    });
    return counter.work();
  }
  std::array<Inside, model::kDims> in;
  for (size_t d = 0; d < model::kDims; ++d) in[d] = Clip(t, d);
  const uint64_t elem = static_cast<uint64_t>(t.elem);
  const bool dense = t.stride[0] == t.elem;
  for (int64_t x3 = in[3].from; x3 < in[3].to; ++x3) {
    for (int64_t x2 = in[2].from; x2 < in[2].to; ++x2) {
      for (int64_t x1 = in[1].from; x1 < in[1].to; ++x1) {
        const uint64_t row =
            t.base + t.offset +
            static_cast<uint64_t>(x3 * t.stride[3] + x2 * t.stride[2] + x1 * t.stride[1]);
        if (dense) {
          if (in[0].to <= in[0].from) continue;
          const uint64_t positions = static_cast<uint64_t>(in[0].to - in[0].from);
          counter.Add(row + static_cast<uint64_t>(in[0].from) * elem, positions * elem);
          continue;
        }
        for (int64_t x0 = in[0].from; x0 < in[0].to; ++x0) {
          counter.Add(row + static_cast<uint64_t>(x0 * t.stride[0]), elem);
        }
      }
    }
  }
  return counter.work();
}

Limit FindLimit(const RunWork& work, int bus_bytes, uint32_t latency, int in_flight) {
  const auto flight = [&](const BusWork& side) {
    const uint64_t held = side.bursts * (latency + uint64_t{1}) + side.words;
    return static_cast<double>(held) / in_flight;
  };
  Limit limit{static_cast<double>(std::max(work.read.words, work.write.words)), 0.0, "bus"};
  if (static_cast<double>(work.stream_beats) > limit.cycles) {
    limit.cycles = static_cast<double>(work.stream_beats);
    limit.bound = "stream";
  }
  const double waiting = std::max(flight(work.read), flight(work.write));
  if (waiting > limit.cycles) {
    limit.cycles = waiting;
    limit.bound = "flight";
  }
  if (limit.cycles > 0) {
    limit.utilisation = static_cast<double>(work.payload) / (limit.cycles * bus_bytes);
  }
  return limit;
}

}  // namespace tessera::bench
