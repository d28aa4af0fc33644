// The memory behind the port of the lists: an AXI4 slave that answers in order, late, rarely, with
// errors where a test wants them, and breaks the rules where a test asks for that.
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

namespace tessera::list {

using Line = std::array<uint32_t, 16>;

struct Pace {
  uint64_t latency_min = 1, latency_max = 1;
  double ar = 1, r = 1, aw = 1, w = 1, b = 1;                  // probabilities of the memory,
  double row = 1, check = 1, report = 1, look = 1, entry = 1;  // and of those around the unit
  uint64_t job_min = 6, job_max = 6;                           // cycles of the preparation
};

class ListMemory {
 public:
  ListMemory(int width, const Pace& pace, const Rng& rng)
      : words_(width / 32), pace_(pace), rng_(rng) {}

  struct Burst {
    uint64_t addr = 0, ready = 0;
    int channel = 0, id = 0, len = 0, beat = 0;
    std::array<uint32_t, 4> words{};
  };
  std::map<uint64_t, Line> lines;      // by address / 64
  std::map<uint64_t, uint8_t> errors;  // responses of lines
  std::function<void(const Burst&)> on_read = [](const Burst&) {};
  std::function<void(const Burst&, bool taken_last)> on_beat = [](const Burst&, bool) {};
  std::function<void(const Burst&)> on_write = [](const Burst&) {};
  std::function<void(const Burst&, uint8_t resp)> on_answer = [](const Burst&, uint8_t) {};

  bool silent_reads = false, silent_writes = false;  // nothing is answered
  bool deaf_reads = false, deaf_writes = false;      // no address is accepted
  int early_last = 0, late_last = 0;                 // of so many bursts from now on
  bool idle() const { return reads_.empty() && writes_.empty() && addresses_.empty(); }
  size_t owed_reads() const { return reads_.size(); }
  uint64_t beats() const { return beats_; }
  // Data and an answer that nothing has asked for.
  void Stray(int id) {
    reads_.push_front({0, 0, 0, id, 0, 0, {}});
    shown_ = false;
  }
  void StrayAnswer(int id) { writes_.push_front({0, 0, 0, id, 0, 0, {}}); }

  template <typename Model>
  void Drive(Model& m, uint64_t cycle) {
    m.ar_ready_i = !deaf_reads && rng_.Chance(pace_.ar);
    m.aw_ready_i = !deaf_writes && rng_.Chance(pace_.aw);
    m.w_ready_i = !deaf_writes && rng_.Chance(pace_.w);
    if (!shown_) {
      m.r_valid_i =
          !reads_.empty() && reads_.front().ready <= cycle && !silent_reads && rng_.Chance(pace_.r);
      auto* data = reinterpret_cast<uint32_t*>(&m.r_data_i);
      for (int i = 0; i < 16; ++i) data[i] = static_cast<uint32_t>(rng_());
      m.r_last_i = rng_.Chance(0.5);
      m.r_resp_i = static_cast<uint8_t>(rng_.Below(4));
      shown_ = m.r_valid_i;
      if (shown_) Show(m);
    }
    if (!answered_) {
      m.b_valid_i = !writes_.empty() && writes_.front().ready <= cycle && !silent_writes &&
                    rng_.Chance(pace_.b);
      m.b_resp_i = static_cast<uint8_t>(rng_.Below(4));
      answered_ = m.b_valid_i;
      if (answered_) {
        m.b_id_i = static_cast<uint8_t>(writes_.front().id);
        m.b_resp_i = Error(writes_.front().addr);
      }
    }
  }

  // Before the edge; what changes shows from the next Drive on.
  template <typename Model>
  void Sample(Model& m, uint64_t cycle) {
    if (m.r_valid_i && m.r_ready_o) {
      ++beats_;
      Burst& burst = reads_.front();
      on_beat(burst, m.r_last_i);
      if (m.r_last_i || burst.beat > burst.len) {
        if (m.r_last_i && burst.beat < burst.len) --early_last;
        if (burst.beat > burst.len) --late_last;
        reads_.pop_front();
      } else {
        ++burst.beat;
      }
      shown_ = false;
    }
    if (m.b_valid_i && m.b_ready_o) {
      on_answer(writes_.front(), m.b_resp_i);
      writes_.pop_front();
      answered_ = false;
    }
    if (m.ar_valid_o && m.ar_ready_i) {
      reads_.push_back(
          {m.ar_addr_o, cycle + Latency(), m.ar_channel_o, m.ar_id_o, m.ar_len_o, 0, {}});
      on_read(reads_.back());
    }
    if (m.aw_valid_o && m.aw_ready_i) {
      addresses_.push_back({m.aw_addr_o, 0, m.aw_channel_o, m.aw_id_o, m.aw_len_o, 0, {}});
    }
    if (m.w_valid_o && m.w_ready_i) Store(m);
    if (!addresses_.empty() && !entries_.empty()) {
      Burst burst = addresses_.front();
      burst.words = entries_.front().words;
      burst.addr += 16 * entries_.front().lane;
      burst.ready = cycle + Latency();
      addresses_.pop_front();
      entries_.pop_front();
      writes_.push_back(burst);
      on_write(burst);
    }
  }

 private:
  struct Entry {
    std::array<uint32_t, 4> words{};
    uint64_t lane = 0;
  };
  uint64_t Latency() { return rng_.Between(pace_.latency_min, pace_.latency_max); }
  uint8_t Error(uint64_t addr) const {
    const auto found = errors.find(addr / 64);
    return found == errors.end() ? 0 : found->second;
  }
  template <typename Model>
  void Show(Model& m) {
    const Burst& burst = reads_.front();
    const Line& line = lines[burst.addr / 64];
    auto* data = reinterpret_cast<uint32_t*>(&m.r_data_i);
    for (int i = 0; i < words_; ++i)
      data[i] = line[static_cast<size_t>((burst.beat * words_ + i) % 16)];
    m.r_id_i = static_cast<uint8_t>(burst.id);
    m.r_last_i = burst.beat == burst.len;
    if (early_last > 0 && burst.len > 0) m.r_last_i = burst.beat == burst.len - 1;
    if (late_last > 0) m.r_last_i = burst.beat > burst.len;
    // An error of a line is answered with one of its beats.
    m.r_resp_i = 0;
    if (burst.beat == static_cast<int>(burst.addr / 64 % static_cast<uint64_t>(burst.len + 1)))
      m.r_resp_i = Error(burst.addr);
  }
  template <typename Model>
  void Store(Model& m) {
    const auto* data = reinterpret_cast<const uint32_t*>(&m.w_data_o);
    if (words_ == 2) {
      half_.words[static_cast<size_t>(2 * beat_)] = data[0];
      half_.words[static_cast<size_t>(2 * beat_ + 1)] = data[1];
      ++beat_;
    } else {
      half_.lane = 0;
      while (half_.lane < 3 && (m.w_strb_o >> (16 * half_.lane) & 0xffff) == 0) ++half_.lane;
      // Any other strobe than that of an entry spoils it.
      const bool good = m.w_strb_o == uint64_t{0xffff} << (16 * half_.lane);
      for (size_t i = 0; i < 4; ++i) half_.words[i] = good ? data[4 * half_.lane + i] : 0xbad;
      beat_ = 2;
    }
    if (beat_ == 2 && !m.w_last_o) half_.words[0] ^= 0xbad0000;
    if (m.w_last_o) {
      if (beat_ != 2) half_.words[0] ^= 0xbad0000;
      entries_.push_back(half_);
      beat_ = 0;
      half_ = {};
    }
  }

  int words_;
  Pace pace_;
  Rng rng_;
  std::deque<Burst> reads_, writes_, addresses_;
  std::deque<Entry> entries_;
  Entry half_;
  int beat_ = 0;
  bool shown_ = false, answered_ = false;
  uint64_t beats_ = 0;
};

}  // namespace tessera::list
