// A write port between an engine and a memory that may do wrong. See port_bench.h.
#pragma once

#include <deque>
#include <map>

#include "tests/port/port_bench.h"
#include "units/Vwrite_port_top.h"

namespace tessera {

class WritePortBench : public PortBench<Vwrite_port_top> {
 public:
  WritePortBench(const PortShape& shape, uint64_t seed, PortPace pace)
      : PortBench(shape, true, seed, pace) {
    auto& m = unit_.model();
    m.valid_i = m.w_ready_i = m.b_valid_i = m.resp_ready_i = 0;
    Reset();
  }
  std::map<std::string, uint64_t> Seen() const override {
    auto seen = PortBench::Seen();
    seen["early"] = faults(kEarly);
    seen["paid"] = paid_beats_;  // beats without strobes
    return seen;
  }

 private:
  enum Kind { kGood, kEarlyAnswer, kTwice, kLate, kLost };
  struct Beat {
    uint64_t addr = 0, strobe = 0;
    bool last = false;
  };
  struct Memory {
    uint64_t ready = 0, number = 0;
    Kind kind = kGood;
  };

  static uint64_t Word(uint64_t addr) { return Mix64(addr * 2 + 1); }

  void Accept(const Burst&) override {
    Memory b{cycle_ + static_cast<uint64_t>(pace_.latency), accepted_++, kGood};
    if (shape_.guard && !failed_ && Rare(pace_.fault_rare)) {
      b.kind = rng_.Below(2) == 0 ? kEarlyAnswer : static_cast<Kind>(1 + rng_.Below(4));
      if (b.kind == kEarlyAnswer) {
        b.ready = cycle_;
        w_stall_ = 20;
      }
      if (b.kind == kLate) b.ready += 100 + rng_.Below(800);
    }
    memory_[id_].push_back(b);
  }
  void Left() override {
    if (!to_pay_.empty() || slot_) Fail("data are owed to the memory");
    memory_[id_].clear();
    if (offered_ && offered_id_ == id_) offered_ = false;
    for (auto& [id, bursts] : memory_) {
      for (Memory& b : bursts) {
        if (b.kind == kLost) b.kind = rng_.Below(2) == 0 ? kGood : kLost;
      }
    }
  }
  void Shown(const Burst& burst) override { to_pay_.push_back(burst.len + 1); }
  void Claimed(const Burst& burst) override {
    for (int n = 0; n <= burst.len; ++n) {
      Beat beat{burst.addr + static_cast<uint64_t>(n * shape_.bytes), rng_(), n == burst.len};
      if (beat.strobe == 0) beat.strobe = 1;
      engine_.push_back(beat);
    }
  }
  bool unpaid() const override { return slot_.has_value() || !to_pay_.empty(); }

  void DriveData() override {
    auto& m = unit_.model();
    // The engine.
    if (!valid_ && !engine_.empty() && Goes(pace_.data)) valid_ = true;
    m.valid_i = valid_;
    for (int n = 0; n < shape_.bytes; n += 4) {
      const uint64_t word = valid_ ? Word(engine_.front().addr + static_cast<uint64_t>(n)) : rng_();
      for (int i = 0; i < 4; ++i) Bytes(m.data_i)[n + i] = static_cast<uint8_t>(word >> (8 * i));
    }
    m.strobe_i = valid_ ? engine_.front().strobe : 0;
    m.last_i = valid_ && engine_.front().last;
    m.resp_ready_i = Goes(pace_.data);
    // The memory.
    if (w_stall_ != 0) --w_stall_;
    m.w_ready_i = w_stall_ == 0 && Goes(pace_.ax);
    if (Rare(pace_.fault_rare / 8)) w_stall_ = static_cast<int>(rng_.Below(4) == 0 ? 1500 : 20);
    if (!offered_) {
      for (int n = 0, first = static_cast<int>(rng_.Below(16)); n < 16 && !offered_; ++n) {
        const int id = (first + n) % 16;
        auto it = memory_.find(id);
        if (it == memory_.end() || it->second.empty()) continue;
        Memory& b = it->second.front();
        const bool whole = b.number < written_;
        if (b.kind == kLost || b.ready > cycle_ || !Goes(pace_.memory)) continue;
        if (!whole && b.kind != kEarlyAnswer) continue;
        offered_ = true;
        free_ = false;
        offered_id_ = id;
        m.b_resp_i = rng_.Below(32) == 0 ? static_cast<uint8_t>(rng_.Below(4)) : 0;
      }
      if (!offered_ && shape_.guard && Rare(pace_.stray_rare)) {
        const int next = (id_ + 1) & ((1 << shape_.id_width) - 1);
        if (memory_[id_].empty() && owed_.empty()) {
          offered_ = free_ = true;
          offered_id_ = id_;
          if (shown_) m.ax_ready_i = 0;
        } else if (memory_[next].empty()) {
          offered_ = free_ = true;
          offered_id_ = next;
        }
        if (offered_) m.b_resp_i = static_cast<uint8_t>(rng_.Below(4));
      }
    }
    m.b_valid_i = offered_;
    m.b_id_i = static_cast<uint16_t>(
        offered_ ? offered_id_ : static_cast<int>(rng_.Below(1ULL << shape_.id_width)));
  }

  Data SampleData() override {
    auto& m = unit_.model();
    Data data;
    const bool current = !shape_.guard || m.b_id_i == id_;
    const bool sole = refusing_ && waits_.size() == 1 && owed_.empty() && !unpaid();
    data.moves = (m.b_valid_i && current) || (m.w_valid_o && m.w_ready_i);
    // W on show.
    if (!slot_ && m.w_valid_o) {
      if (!failed_before_ || to_pay_.empty()) {
        Fail("write data that nothing gives");
      } else {
        slot_ = Beat{0, 0, --to_pay_.front() == 0};
        if (to_pay_.front() == 0) to_pay_.pop_front();
      }
    }
    if (slot_ && !m.w_valid_o) Fail("write data are taken back");
    if (slot_ && m.w_valid_o) {
      const uint64_t mask = shape_.bytes == 64 ? ~0ULL : (1ULL << shape_.bytes) - 1;
      if (m.w_strobe_o != (slot_->strobe & mask) || m.w_last_o != slot_->last)
        Fail(fmt::format("strobes {:#x}, last {}; expected {:#x}, {}", m.w_strobe_o, m.w_last_o,
                         slot_->strobe & mask, slot_->last));
      for (int n = 0; n < shape_.bytes; ++n) {
        const uint64_t word = Word(slot_->addr + static_cast<uint64_t>(n / 4 * 4));
        if (slot_->strobe >> n & 1 &&
            Bytes(m.w_data_o)[n] != static_cast<uint8_t>(word >> (8 * (n % 4))))
          Fail(fmt::format("byte {} of {:#x} is wrong", n, slot_->addr));
      }
    }
    const bool free = !slot_ || m.w_ready_i;
    size_t due = 0;  // bursts whose last beat is done in this cycle
    bool came = false;
    if (slot_ && m.w_ready_i) {
      if (slot_->last) ++written_;
      paid_beats_ += slot_->strobe == 0;
      slot_.reset();
      if (ends_) came = true;
    }
    if (ends_ && (failed_ || came)) {
      ++due;
      ends_ = false;
    }
    // W of the engine.
    if (valid_ && m.ready_o) {
      const Beat beat = engine_.front();
      engine_.pop_front();
      valid_ = false;
      if (failed_ || (to_pay_.empty() && sole)) {
        if (untaken_ == 0 || ends_) Fail("a beat of a burst is taken before its address");
        if (beat.last) ++due;
      } else if (to_pay_.empty() || !free) {
        Fail("a beat is taken without room");
      } else {
        slot_ = beat;
        ends_ = beat.last;
        if ((--to_pay_.front() == 0) != beat.last) Fail("TLAST is not where the burst ends");
        if (beat.last) to_pay_.pop_front();
      }
      if (beat.last) --untaken_;
    }
    // B.
    const bool own = failed_ || sole;
    const bool passes = responses_ != 0 && !own && (!shape_.guard || (current && !owed_.empty()));
    const bool valid = m.b_valid_i;
    if (m.resp_valid_o != (responses_ != 0 && (own || (passes && valid))))
      Fail(fmt::format("a response to the engine: {}", m.resp_valid_o));
    const bool drops = shape_.guard && (failed_ || !current || owed_.empty() || responses_ == 0);
    if (valid && m.b_ready_o != (drops || (passes && m.resp_ready_i)))
      Fail(fmt::format("BREADY is {}", m.b_ready_o));
    if (shape_.guard && valid) {
      data.stray = !current || owed_.empty();
      if (current && owed_.empty() && shown_) data.wrong = kUnasked;
      if (current && !owed_.empty() && responses_ == 0) data.wrong = kEarly;
    }
    if (m.resp_valid_o && m.resp_ready_i && responses_ != 0) {
      const int resp = failed_ ? 2 : own ? kRefused : Passed(m.b_resp_i);
      if (m.resp_o != resp) Fail(fmt::format("response {}, expected {}", m.resp_o, resp));
      data.done = true;
      data.released = own && !failed_;
      waits_.pop_front();
      --responses_;
    }
    responses_ += due;
    if (valid && m.b_ready_o) {
      data.answer = current && !owed_.empty();
      offered_ = false;
      if (!free_) {
        auto& bursts = memory_[offered_id_];
        if (bursts.front().kind == kTwice) {
          bursts.front().kind = kGood;
        } else {
          bursts.pop_front();
        }
      }
    }
    failed_before_ = failed_;
    return data;
  }
  void Taken(const Burst&, bool) override { ++untaken_; }
  std::string DataState() const override {
    return fmt::format(
        ", {} to pay, slot {}, {} beats, {} untaken, {} responses, ends {}, refusing {}",
        to_pay_.size(), slot_.has_value(), engine_.size(), untaken_, responses_, ends_, refusing_);
  }

  std::map<int, std::deque<Memory>> memory_;
  std::deque<Beat> engine_;   // to be offered
  std::deque<int> to_pay_;    // beats of bursts that were shown
  std::optional<Beat> slot_;  // W on show
  bool valid_ = false, offered_ = false, free_ = false, ends_ = false, failed_before_ = false;
  int offered_id_ = 0, w_stall_ = 0;
  uint64_t accepted_ = 0, written_ = 0, paid_beats_ = 0;
  size_t untaken_ = 0,
         responses_ = 0;  // bursts whose data are not all taken; responses that are due
};

}  // namespace tessera
