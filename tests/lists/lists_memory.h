// The memory behind the list port: 64-byte lines that the tests can read and write, and an AXI4
// slave that answers in order, late, rarely, and with errors where a test wants them.
//
// A read burst accepted in cycle t has its first beat in cycle t + latency or the cycle after the
// last beat of the burst before, whichever is later.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>

#include "tb/sim/rng.h"

namespace tessera::lists {

using Line = std::array<uint32_t, 16>;

struct MemoryOptions {
  uint64_t latency_min = 1, latency_max = 1;
  double ar = 1, r = 1, aw = 1, w = 1, b = 1;  // probabilities
};

// Pins towards the model, and back, as plain values.
struct BusIn {
  bool arready = false, rvalid = false, rlast = false, awready = false, wready = false;
  bool bvalid = false;
  uint8_t rresp = 0, bresp = 0;
  std::array<uint32_t, 16> rdata{};
};
struct BusOut {
  bool arvalid = false, rready = false, awvalid = false, wvalid = false, wlast = false;
  bool bready = false;
  uint8_t arlen = 0, awlen = 0;
  int arattr = 0, awattr = 0;  // AxQOS, AxCACHE, AxPROT in one: the number of the channel
  uint64_t araddr = 0, awaddr = 0, wstrb = 0;
  std::array<uint32_t, 16> wdata{};
};

class ListMemory {
 public:
  ListMemory(int width, const MemoryOptions& options, const Rng& rng)
      : words_(width / 32), options_(options), rng_(rng) {}

  std::map<uint64_t, Line> lines;      // by address / 64
  std::map<uint64_t, uint8_t> errors;  // responses of lines that answer with an error

  // A write burst has all its data: address, four words.
  std::function<void(uint64_t addr, const std::array<uint32_t, 4>& words)> on_write;
  std::function<void(uint64_t addr)> on_read;                   // an address was accepted
  std::function<void(uint64_t addr)> on_beats;                  // its last beat was taken
  std::function<void(uint64_t addr, uint8_t resp)> on_written;  // answered

  MemoryOptions& options() { return options_; }
  uint64_t read_beats() const { return read_beats_; }
  const BusIn& in() const { return in_; }
  bool idle() const { return reads_.empty() && writes_.empty() && addresses_.empty(); }

  // `at_answer` is called before the pins are judged, so that a test sees the B response in its
  // cycle.
  void Sample(uint64_t cycle, const BusOut& out) {
    if (out.arvalid && in_.arready) {
      on_read(out.araddr);
      reads_.push_back({out.araddr, cycle + Latency(), out.arlen, 0});
    }
    if (in_.rvalid && out.rready) {
      ++read_beats_;
      if (in_.rlast) {
        on_beats(reads_.front().addr);
        reads_.pop_front();
      } else {
        ++reads_.front().beat;
      }
      shown_ = false;
    }
    if (out.awvalid && in_.awready) addresses_.push_back({out.awaddr, 0, out.awlen, 0});
    if (out.wvalid && in_.wready) Store(out);
    if (!addresses_.empty() && bursts_ > 0) {
      on_write(addresses_.front().addr, entries_.front());
      writes_.push_back({addresses_.front().addr, cycle + Latency(), 0, 0});
      addresses_.pop_front();
      entries_.pop_front();
      --bursts_;
    }
    if (in_.bvalid && out.bready) {
      on_written(writes_.front().addr, in_.bresp);
      writes_.pop_front();
      answered_ = false;
    }
  }

  void Drive(uint64_t next) {
    in_.arready = rng_.Chance(options_.ar);
    in_.awready = rng_.Chance(options_.aw);
    in_.wready = rng_.Chance(options_.w);
    if (!shown_) {
      in_.rvalid = !reads_.empty() && reads_.front().ready <= next && rng_.Chance(options_.r);
      shown_ = in_.rvalid;
      for (uint32_t& word : in_.rdata) word = static_cast<uint32_t>(rng_());
      in_.rlast = rng_.Chance(0.5);
      in_.rresp = static_cast<uint8_t>(rng_.Below(4));
      if (in_.rvalid) Show();
    }
    if (!answered_) {
      in_.bvalid = !writes_.empty() && writes_.front().ready <= next && rng_.Chance(options_.b);
      answered_ = in_.bvalid;
      in_.bresp = static_cast<uint8_t>(rng_.Below(4));
      if (in_.bvalid) in_.bresp = Error(writes_.front().addr);
    }
  }

 private:
  struct Burst {
    uint64_t addr, ready;
    uint8_t len, beat;
  };
  uint64_t Latency() { return rng_.Between(options_.latency_min, options_.latency_max); }
  uint8_t Error(uint64_t addr) const {
    const auto found = errors.find(addr / 64);
    return found == errors.end() ? 0 : found->second;
  }
  void Show() {
    const Burst& burst = reads_.front();
    const Line& line = lines[burst.addr / 64];
    for (int i = 0; i < words_; ++i) {
      in_.rdata[static_cast<size_t>(i)] = line[static_cast<size_t>((burst.beat * words_ + i) % 16)];
    }
    in_.rlast = burst.beat == burst.len;
    // An error of a line is answered with one of its beats, at the latest the last.
    in_.rresp = 0;
    if (burst.beat == static_cast<uint8_t>(burst.addr / 64 % (burst.len + 1U))) {
      in_.rresp = Error(burst.addr);
    }
  }
  void Store(const BusOut& out) {
    if (words_ == 2) {
      half_[beat_ * 2] = out.wdata[0];
      half_[beat_ * 2 + 1] = out.wdata[1];
      beat_ = out.wlast ? 0 : beat_ + 1;
      if (!out.wlast) return;
    } else {
      // One lane of 16 bytes is written; which one is checked with the address.
      size_t lane = 0;
      while (lane < 4 && (out.wstrb >> (16 * lane) & 0xffff) != 0xffff) ++lane;
      for (size_t i = 0; i < 4; ++i) half_[i] = lane < 4 ? out.wdata[4 * lane + i] : 0xbadbadU;
      lanes.push_back({lane, out.wstrb});
    }
    entries_.push_back(half_);
    ++bursts_;
  }

  int words_;
  MemoryOptions options_;
  Rng rng_;
  BusIn in_;
  std::deque<Burst> reads_, writes_, addresses_;
  std::deque<std::array<uint32_t, 4>> entries_;
  std::array<uint32_t, 4> half_{};
  size_t beat_ = 0;
  int bursts_ = 0;
  bool shown_ = false, answered_ = false;
  uint64_t read_beats_ = 0;

 public:
  struct Lane {
    size_t lane;
    uint64_t strobe;
  };
  std::deque<Lane> lanes;  // of writes on a bus that is wider than 64 bits, oldest first
};

}  // namespace tessera::lists
