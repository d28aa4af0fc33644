// A read port between an engine and a memory that may do wrong. See port_bench.h.
#pragma once

#include <deque>
#include <map>
#include <utility>

#include "tests/port/port_bench.h"
#include "units/Vread_port_top.h"

namespace tessera {

class ReadPortBench : public PortBench<Vread_port_top> {
 public:
  ReadPortBench(const PortShape& shape, uint64_t seed, PortPace pace)
      : PortBench(shape, false, seed, pace) {
    auto& m = unit_.model();
    m.r_valid_i = m.ready_i = 0;
    extra_ = 2;
    Reset();
  }
  std::map<std::string, uint64_t> Seen() const override {
    auto seen = PortBench::Seen();
    seen["early last"] = faults(kEarlyLast);
    seen["late last"] = faults(kLateLast);
    return seen;
  }

 private:
  enum Kind { kGood, kCutShort, kTwoLasts, kNoLast, kLong, kLate, kLost };
  struct Memory {  // a burst that the memory has to answer
    uint64_t addr = 0;
    int left = 0;
    uint64_t ready = 0;  // cycle
    Kind kind = kGood;
    int wrong_at = 0;  // beats left
  };

  static uint64_t Word(uint64_t addr) { return Mix64(addr * 2 + 1); }

  void Accept(const Burst& burst) override {
    Memory b{burst.addr, burst.len + 1, cycle_ + static_cast<uint64_t>(pace_.latency), kGood, 0};
    if (shape_.guard && !failed_ && Rare(pace_.fault_rare)) {
      b.kind = static_cast<Kind>(1 + rng_.Below(burst.len != 0 && rng_.Below(2) == 0 ? 2 : 6));
      b.wrong_at =
          burst.len == 0 ? 0 : 2 + static_cast<int>(rng_.Below(static_cast<uint64_t>(burst.len)));
      if (burst.len == 0 && b.kind <= kTwoLasts) b.kind = kGood;
      if (b.kind == kLate) b.ready += 100 + rng_.Below(800);
    }
    memory_[id_].push_back(b);
  }
  void Left() override {
    // IDs tell as many failed states apart as there are: what is older never comes.
    memory_[id_].clear();
    if (offered_ && offered_id_ == id_) offered_ = false;
    for (auto& [id, bursts] : memory_) {
      for (Memory& b : bursts) {
        if (b.kind == kLost) b.kind = rng_.Below(2) == 0 ? kGood : kLost;
      }
    }
  }
  void DriveData() override {
    auto& m = unit_.model();
    if (!offered_) {
      early_ = false;
      if (std::exchange(revives_, false) && !memory_[id_].empty()) {
        Memory& b = memory_[id_].front();
        b.kind = kGood;
        Offer(id_, b);
      }
      for (int n = 0, first = static_cast<int>(rng_.Below(16)); n < 16 && !offered_; ++n) {
        const int id = (first + n) % 16;
        auto it = memory_.find(id);
        if (it == memory_.end() || it->second.empty()) continue;
        const Memory& b = it->second.front();
        if (b.kind == kLost || b.ready > cycle_ || !Goes(pace_.memory)) continue;
        Offer(id, b);
      }
      const bool none = memory_[id_].empty();
      if (!offered_ && shape_.guard && Rare(pace_.stray_rare)) {
        if (none && owed_.empty()) {
          offered_ = free_ = true;
          offered_id_ = id_;
          early_ = shown_.has_value();
        } else if (const int id = (id_ + 1) & ((1 << shape_.id_width) - 1); memory_[id].empty()) {
          offered_ = free_ = true;
          offered_id_ = id;
        }
        if (offered_) {
          m.r_resp_i = static_cast<uint8_t>(rng_.Below(4));
          m.r_last_i = static_cast<uint8_t>(rng_.Below(2));
        }
      }
    }
    m.r_valid_i = offered_;
    m.r_id_i = static_cast<uint16_t>(
        offered_ ? offered_id_ : static_cast<int>(rng_.Below(1ULL << shape_.id_width)));
    if ((offered_ || held_.valid) && early_) m.ax_ready_i = 0;
    const bool due = !waits_.empty() || !queue_.empty();
    m.ready_i = due && Goes(pace_.data);
  }
  void Offer(int id, const Memory& b) {
    auto& m = unit_.model();
    offered_ = true;
    free_ = false;
    offered_id_ = id;
    for (int n = 0; n < shape_.bytes; n += 4) {
      const uint64_t word = Word(b.addr + static_cast<uint64_t>(n));
      for (int i = 0; i < 4; ++i) Bytes(m.r_data_i)[n + i] = static_cast<uint8_t>(word >> (8 * i));
    }
    m.r_resp_i = rng_.Below(64) == 0 ? static_cast<uint8_t>(rng_.Below(4)) : 0;
    m.r_last_i = b.left == 1;
    if (b.kind == kCutShort || b.kind == kTwoLasts) m.r_last_i |= b.left == b.wrong_at;
    if (b.kind == kNoLast || b.kind == kLong) m.r_last_i = 0;
  }

  Data SampleData() override {
    auto& m = unit_.model();
    Data data;
    const Held held = held_;
    const bool current = held.current, valid = held.valid, ready = m.ready_i, due = !waits_.empty();
    const bool refused = refusing_ && waits_.size() == 1 && owed_.empty();
    const bool own = due && (failed_ || refused);
    const bool owed = held.owed && !owed_.empty();
    const bool passes = due && !own && (!shape_.guard || (current && owed));
    // The oldest burst is seen two cycles after it was taken.
    const bool visible = due && cycle_ >= waits_.front().taken + 2;
    if (m.valid_o && !(due && (own || (passes && valid)))) Fail("data that nothing gives");
    if (passes && valid && !m.valid_o) Fail("data do not come through");
    if (own && visible && !m.valid_o) Fail("the port does not answer");
    const bool drops = shape_.guard && (failed_ || !current || !owed);
    const bool takes = !valid || drops || (passes && ready);
    if (m.r_ready_o != takes) Fail(fmt::format("RREADY is {}", m.r_ready_o));
    data.moves = valid && current;
    if (shape_.guard && valid) {
      data.stray = !current || !owed;
      if (current && !owed && held.shown) data.wrong = kUnasked;
    }
    if (m.valid_o && ready && due) {
      const Burst& b = waits_.front();
      const bool last = beat_ == b.len, wrong = shape_.guard && !own && held.last != last;
      const int resp = failed_ || wrong ? 2 : own ? kRefused : Passed(held.resp);
      if (m.resp_o != resp) Fail(fmt::format("response {}, expected {}", m.resp_o, resp));
      const uint64_t addr = b.addr + static_cast<uint64_t>(beat_ * shape_.bytes);
      for (int n = 0; n < shape_.bytes; ++n) {
        const uint8_t seen = Bytes(m.data_o)[n];
        const uint64_t word = Word((addr + static_cast<uint64_t>(n)) & ~3ULL);
        const auto right = static_cast<uint8_t>(word >> (8 * (n % 4)));
        if (own ? shape_.windows != 0 && seen != 0 : resp == 0 && seen != right)
          Fail(fmt::format("byte {} of address {:#x} is {:#x}", n, addr, seen));
      }
      if (wrong) data.wrong = held.last ? kEarlyLast : kLateLast;
      ++beat_;
      if (last) {
        data.done = true;
        data.released = own && !failed_;
        waits_.pop_front();
        beat_ = 0;
      }
    }
    if (!takes) return data;
    data.answer = valid && current && held.last && owed;
    held_ = {.valid = m.r_valid_i != 0,
             .current = !shape_.guard || m.r_id_i == id_,
             .owed = !owed_.empty(),
             .shown = shown_.has_value(),
             .last = m.r_last_i != 0,
             .resp = m.r_resp_i};
    if (held_.valid) {
      offered_ = false;
      if (!free_) {
        auto& bursts = memory_[offered_id_];
        Memory& b = bursts.front();
        b.addr += static_cast<uint64_t>(shape_.bytes);
        const bool short_ = b.kind == kCutShort && b.left == b.wrong_at;
        if (--b.left == 0 || short_) {
          if (b.kind == kLong) {
            b.kind = kGood;
            b.left = 1;
          } else {
            bursts.pop_front();
          }
        }
      }
    }
    return data;
  }
  std::string DataState() const override {
    std::string text = fmt::format(", beat {}, offered {} id {}", beat_, offered_, offered_id_);
    for (const auto& [id, bursts] : memory_) {
      if (!bursts.empty())
        text += fmt::format(", memory {}: {} kind {} left {}", id, bursts.size(),
                            static_cast<int>(bursts.front().kind), bursts.front().left);
    }
    return text;
  }

  // The register behind R.
  struct Held {
    bool valid = false, current = false, owed = false, shown = false, last = false;
    int resp = 0;
  };

  std::map<int, std::deque<Memory>> memory_;
  Held held_;
  bool offered_ = false, free_ = false, early_ = false;
  int offered_id_ = 0, beat_ = 0;
};

}  // namespace tessera
