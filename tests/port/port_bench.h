// What the benches of both ports share: the engine's addresses, windows, control, and a model of
// what is on show, owed and failed. What of it does not hold is a failure.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tb/sim/rng.h"
#include "tb/sim/unit.h"
#include "tests/port/pins.h"
#include "tests/port/shapes.h"
#include "tests/port/window_model.h"

namespace tessera {

// How often, of 256, something goes on in a cycle; of 4096 what ends with `rare`.
struct PortPace {
  int claim = 256, ax = 256, data = 256, memory = 256, tick = 256;
  int latency = 1;
  int access_rare = 0, quiesce_rare = 0;
  int fault_rare = 0;  // of a burst
  int stray_rare = 0;
  int most_len = 255;
  bool one_page = false;
};

inline constexpr int kEarlyLast = 1, kLateLast = 2, kUnasked = 3, kEarly = 4, kBusTime = 6;
// Responses to the engine: of a burst that no window permits, and of the memory, whose EXOKAY is
// OKAY.
inline constexpr int kRefused = 1;
inline int Passed(int response) { return response == kRefused ? 0 : response; }

template <typename Model>
class PortBench {
 public:
  PortBench(const PortShape& shape, bool write, uint64_t seed, PortPace pace)
      : shape_(shape),
        pace_(pace),
        rng_(Rng(seed).Stream("port")),
        transfers_(Rng(seed).Stream("transfers")),
        windows_(shape, write),
        unit_(seed),
        attr_(16),
        page_(16),
        level_(16) {
    auto& m = unit_.model();
    m.rst_ni = 0;
    m.cell_i = static_cast<uint8_t>(shape.cell);
    m.control_i = 1;  // tick
    m.window_valid_i = m.claim_valid_i = m.burst_valid_i = m.ax_ready_i = 0;
    for (int& attr : attr_) attr = static_cast<int>(rng_.Below(2048));
    for (int c = 0; c < shape.channels; ++c) {
      for (int n = 0; n < shape.windows; ++n) {
        for (int w = 0; w < 5; ++w) {
          uint32_t data = WindowModel::Word(rng_, w);
          if (w == 4) data = pace.one_page ? 3 : data & 3;
          if (pace.one_page) data = w == 4 ? 3 : w == 2 ? 0xffffffff : 0;
          accesses_.push_back({true, c, n, w, 15, data});
          if (rng_.Below(4) == 0) accesses_.push_back({false, c, n, w, 15, 0});
        }
      }
    }
  }
  virtual ~PortBench() = default;

  // So many bursts, and all of them answered. What went wrong, or nothing.
  std::string Run(uint64_t bursts) {
    to_claim_ = claimed_ + bursts;
    while (failure_.empty() && (claimed_ < to_claim_ || outstanding() != 0 || failed_)) Cycle();
    for (int n = 0; n < 60 && failure_.empty(); ++n) Cycle();
    return failure_;
  }
  uint64_t cycle() const { return cycle_; }
  // What a run with faults must have seen, and how often it has.
  virtual std::map<std::string, uint64_t> Seen() const {
    return {{"unasked", faults_[kUnasked]},
            {"time", faults_[kBusTime]},
            {"forgotten", forgotten_},
            {"strays", strays_},
            {"stuck", stuck_},
            {"timed out", timed_out_}};
  }
  uint64_t barred() const { return barred_refusals_; }  // refused without a look at the windows
  uint64_t first_shown() const { return first_shown_; }
  void Reset() {
    auto& m = unit_.model();
    for (int n = 0; n < 4; ++n) Clock();
    m.rst_ni = 1;
  }
  // All windows are set up.
  std::string SetUp() {
    while (failure_.empty() && (!accesses_.empty() || access_)) Cycle();
    return failure_;
  }

 protected:
  uint64_t faults(int cause) const { return faults_[cause]; }
  struct Burst {
    int channel = 0;
    uint64_t addr = 0;
    int len = 0, attr = 0;
    bool first = true;    // of its transfer
    bool barred = false;  // the transfer has left the windows
    uint64_t taken = 0;   // cycle
  };
  // Of a cycle, of the data side.
  struct Data {
    bool moves = false;     // for the watchdog
    int wrong = 0;          // a fault
    bool stray = false;     // something was dropped
    bool answer = false;    // the memory has answered a burst
    bool done = false;      // the engine has all of a burst
    bool released = false;  // that was refused
  };
  virtual void DriveData() = 0;
  virtual Data SampleData() = 0;
  virtual void Accept(const Burst& burst) = 0;          // the memory takes an address
  virtual void Taken(const Burst&, bool /*failed*/) {}  // by the port
  virtual bool unpaid() const { return false; }         // write data on show or owed to the memory
  virtual bool drained() const { return waits_.empty(); }
  virtual void Shown(const Burst&) {}    // for the first time
  virtual void Claimed(const Burst&) {}  // by the engine, a cycle ago
  virtual void Left() {}                 // the failed state, forgotten or not
  virtual std::string DataState() const { return ""; }

  bool Goes(int pace) { return static_cast<int>(rng_.Below(256)) < pace; }
  bool Rare(int pace) { return static_cast<int>(rng_.Below(4096)) < pace; }
  size_t outstanding() const { return queue_.size() + waits_.size(); }
  void Fail(const std::string& what) {
    if (failure_.empty())
      failure_ = fmt::format(
          "{} (cycle {}: {} claimed, {} queued, {} wait, {} owed, shown {}, failed {}, id {}{})",
          what, cycle_, claimed_, queue_.size(), waits_.size(), owed_.size(), shown_.has_value(),
          failed_, id_, DataState());
  }

  PortShape shape_;
  PortPace pace_;
  Rng rng_;
  Rng transfers_;
  WindowModel windows_;
  VerilatedUnit<Model> unit_;
  uint64_t cycle_ = 0;
  std::deque<Burst> queue_;  // claimed, not taken
  std::deque<Burst> waits_;  // taken, not answered to the engine
  std::optional<Burst> shown_;
  std::optional<Burst> held_;  // taken, and not known to be permitted or refused
  bool released_ = false;      // a cycle ago
  bool refusing_ = false;      // the last burst that was taken is refused and not answered
  std::deque<int> owed_;       // channels of bursts that the memory has taken and not answered
  bool failed_ = false;
  int id_ = 0;

 private:
  void Clock() {
    auto& m = unit_.model();
    m.clk_i = 0;
    unit_.Evaluate();
    m.clk_i = static_cast<uint8_t>(1 << shape_.cell);
    unit_.Evaluate();
  }

  Burst RandomBurst() {
    Burst b;
    b.channel = static_cast<int>(rng_.Below(static_cast<uint64_t>(shape_.channels)));
    const auto c = static_cast<size_t>(b.channel);
    if (!pace_.one_page && rng_.Below(4) == 0) {
      page_[c] = rng_.Below(32);
      if (rng_.Below(32) == 0) page_[c] = rng_() & ((1ULL << (shape_.addr_width - 12)) - 1);
    }
    const int most = std::min({shape_.max_burst, 4096 / shape_.bytes, pace_.most_len + 1});
    b.len = static_cast<int>(rng_.Below(3) == 0 ? 0 : rng_.Below(static_cast<uint64_t>(most)));
    const int words = 4096 / shape_.bytes;
    b.addr = page_[c] << 12 |
             rng_.Below(static_cast<uint64_t>(words - b.len)) * static_cast<uint64_t>(shape_.bytes);
    b.first = pace_.one_page || transfers_.Below(3) == 0;
    return b;
  }

  void DriveControl() {
    if (failed_) {
      ++failed_cycles_;
      if (failed_cycles_ == clear_at_) clear_ = true;
      if (failed_cycles_ == clear_at_ + 500 && shape_.guard) {
        forget_ = revives_ = true;
      }
    } else {
      failed_cycles_ = 0;
      clear_at_ = 1 + rng_.Below(400);
      clear_ = forget_ = false;
      if (Rare(pace_.stray_rare)) clear_ = true;  // without a fault: nothing happens
    }
    if (quiesce_ ? rng_.Below(300) == 0 : Rare(pace_.quiesce_rare)) quiesce_ = !quiesce_;
    tick_ = Goes(pace_.tick);
    unit_.model().control_i =
        static_cast<uint8_t>(clear_ << 3 | forget_ << 2 | quiesce_ << 1 | (tick_ ? 1 : 0));
  }

  void DriveAddresses() {
    auto& m = unit_.model();
    claim_.reset();
    const auto most = static_cast<size_t>(shape_.outstanding) + extra_;
    if (claimed_ < to_claim_ && queue_.size() < 16 && outstanding() < most && Goes(pace_.claim)) {
      claim_ = RandomBurst();
      ++claimed_;
    }
    m.claim_valid_i = claim_.has_value();
    m.claim_channel_i = static_cast<uint8_t>(claim_ ? claim_->channel : rng_.Below(16));
    if (Rare(64)) attr_[rng_.Below(16)] = static_cast<int>(rng_.Below(2048));
    m.burst_valid_i = !queue_.empty();
    if (!queue_.empty()) {
      Burst& b = queue_.front();
      b.attr = attr_[static_cast<size_t>(b.channel)];
      m.burst_channel_i = static_cast<uint8_t>(b.channel);
      m.burst_first_i = b.first;
      m.burst_addr_i = b.addr;
      m.burst_len_i = static_cast<uint8_t>(b.len);
      m.burst_attr_i = static_cast<uint16_t>(b.attr);
    } else {
      m.burst_channel_i = static_cast<uint8_t>(rng_.Below(16));
      m.burst_addr_i = rng_();
      m.burst_len_i = 0;
    }
    if (transfers_.Below(64) == 0) hold_ ^= 1U << transfers_.Below(16);
    abort_before_ = abort_;
    if (transfers_.Below(16) == 0) abort_ ^= 1U << transfers_.Below(16);
    m.hold_i = static_cast<uint16_t>(hold_);
    m.abort_i = static_cast<uint16_t>(abort_);
    if (ax_stall_ != 0) --ax_stall_;
    m.ax_ready_i = ax_stall_ == 0 && Goes(pace_.ax);
    if (!access_ && !accesses_.empty()) {
      access_ = accesses_.front();
      accesses_.pop_front();
    }
    if (!access_ && shape_.windows != 0 && Rare(pace_.access_rare)) access_ = windows_.Random(rng_);
    m.window_valid_i = access_.has_value();
    const WindowAccess a = access_.value_or(WindowAccess{true, 0, 0, 4, 15, 0xffffffff});
    m.window_write_i = a.write;
    m.window_channel_i = static_cast<uint8_t>(a.channel);
    m.window_number_i = static_cast<uint8_t>(a.number);
    m.window_word_i = static_cast<uint8_t>(a.word);
    m.window_data_i = a.data;
    m.window_strobe_i = static_cast<uint8_t>(a.strobe);
  }

  void Expect(const char* what, uint64_t seen, uint64_t expected) {
    if (seen != expected) Fail(fmt::format("{} is {:#x}, expected {:#x}", what, seen, expected));
  }

  void SampleAll() {
    auto& m = unit_.model();
    // The address on show.
    if (held_ && m.ax_valid_o) {
      if (!held_permitted_) Fail("a burst outside of the windows is shown");
      shown_ = held_;
      held_.reset();
      Shown(*shown_);
    }
    if (m.refusal_valid_o) {
      if (!held_ || held_permitted_) {
        Fail("a burst is refused");
      } else {
        Expect("its address", m.refusal_addr_o, held_->addr);
        Expect("its channel", m.refusal_channel_o, static_cast<uint64_t>(held_->channel));
        if (!held_->barred) Bar(held_->channel);
        barred_refusals_ += held_->barred;
        held_.reset();
        refusing_ = true;
      }
    }
    const bool over = watch_ >= shape_.timeout, holds = held_ || refusing_;
    const bool busy = shown_ || !owed_.empty() || unpaid();
    // Levels and reports of earlier cycles.
    Expect("failed", m.state_o >> 4 & 1, failed_);
    Expect("stuck", m.state_o >> 3 & 1, over && clear_);
    Expect("quiet", m.state_o >> 2 & 1, !busy && !holds);
    Expect("timed out", m.state_o >> 1 & 1, over && quiesce_);
    Expect("stray", m.state_o & 1, stray_);
    stuck_ += over && clear_;
    timed_out_ += over && quiesce_;
    Expect("a fault", m.fault_valid_o, cause_ != 0);
    if (cause_ != 0) {
      Expect("its cause", m.fault_cause_o, static_cast<uint64_t>(cause_));
      ++faults_[cause_];
    }
    Expect("AxVALID", m.ax_valid_o, shown_.has_value());
    if (shown_) {
      Expect("AxADDR", m.ax_addr_o, shown_->addr);
      Expect("AxLEN", m.ax_len_o, static_cast<uint64_t>(shown_->len));
      Expect("attributes", m.ax_attr_o, static_cast<uint64_t>(shown_->attr));
      Expect("AxID", m.ax_id_o, static_cast<uint64_t>(id_));
      Expect("event", m.event_o,
             static_cast<uint64_t>(shown_->channel << 2 | (m.ax_ready_i ? 2 : 1)));
      if (first_shown_ == 0) first_shown_ = cycle_;
    } else {
      Expect("event", m.event_o & 3, 0);
    }
    CheckLevels();
    // The cycle itself.
    const bool closes =  // in the next cycle
        failed_ && clear_ && !shown_ && !holds && !unpaid() && (owed_.empty() || forget_);
    const bool drained_before = drained();
    const bool sent = shown_ && m.ax_ready_i, taken = m.burst_valid_i && m.burst_ready_o;
    const Data data = SampleData();
    int cause = 0;
    if (!failed_ && shape_.guard) cause = data.wrong != 0 ? data.wrong : over ? kBusTime : 0;
    if (taken) {
      Burst b = queue_.front();
      queue_.pop_front();
      const bool free = (!shown_ || sent) && !held_ && (!refusing_ || released_);
      if (!failed_ && (quiesce_ || !free)) Fail("a burst is taken without room");
      if (failed_ && closing_) Fail("a burst is taken while the failed state ends");
      b.taken = cycle_;
      waits_.push_back(b);
      Taken(b, failed_);
    }
    const bool leave = failed_ && closing_ && drained_before;
    closing_ = closes && !leave;
    if (data.answer) {
      if (owed_.empty())
        Fail("an answer too many");
      else
        owed_.pop_front();
    }
    if (sent) {
      Accept(*shown_);
      owed_.push_back(shown_->channel);
      shown_.reset();
    }
    if (released_) refusing_ = false;
    released_ = data.released;
    if (failed_) {  // what is not shown goes
      held_.reset();
      refusing_ = false;
    }
    if (taken && !failed_) {
      held_ = waits_.back();
      if (shape_.windows != 0) {
        const uint32_t bit = 1U << held_->channel;
        held_->barred =
            (barred_ & bit) != 0 && (!held_->first || (held_at_refusal_ & hold_ & bit) != 0);
        if (!held_->barred) barred_ &= ~bit;
      }
    }
    fell_ = abort_before_ & ~abort_;
    barred_ &= ~fell_;
    hold_before_ = hold_;
    // The verdict of this cycle, which is seen in the next one.
    held_permitted_ =
        held_.has_value() && !held_->barred && windows_.Permits(held_->channel, held_->addr);
    if (held_ && shape_.windows == 0) {
      shown_ = held_;
      held_.reset();
      Shown(*shown_);
    }
    if (!busy || data.moves || sent || leave)
      watch_ = 0;
    else if (tick_ && watch_ < shape_.timeout)
      ++watch_;
    stray_ = data.stray;
    strays_ += stray_;
    cause_ = cause;
    if (leave) {
      if (!owed_.empty()) ++forgotten_;
      owed_.clear();
      failed_ = false;
      id_ = (id_ + 1) & ((1 << shape_.id_width) - 1);
      Left();
    }
    if (cause != 0) failed_ = true;
    // Registers.
    if (access_ && m.window_ready_o) {
      const bool refuses = windows_.refused(*access_);
      Expect("error of an access", m.window_error_o, refuses);
      if (!access_->write && !refuses)
        Expect("a register", m.window_data_o, windows_.Read(*access_));
      if (access_->write) windows_.Write(*access_);
      access_.reset();
      access_age_ = 0;
    } else if (access_ && ++access_age_ > 4 * 16 * 16 + 16) {
      Fail("an access is not answered");
    }
    if (claim_) {
      queue_.push_back(*claim_);
      Claimed(*claim_);
    }
    idle_ = data.done || outstanding() == 0 || quiesce_ ? 0 : idle_ + 1;
    if (idle_ > 4000) Fail("the engine hangs");
    if (Rare(pace_.fault_rare / 8)) ax_stall_ = static_cast<int>(rng_.Below(4) == 0 ? 1500 : 20);
  }

  // A burst of the channel was refused, by what was in the cycle before.
  void Bar(int channel) {
    const uint32_t bit = 1U << channel;
    if ((fell_ & bit) != 0) return;
    barred_ |= bit;
    held_at_refusal_ = (held_at_refusal_ & ~bit) | (hold_before_ & bit);
  }

  // Levels of channels: never early, and not much late.
  void CheckLevels() {
    const bool busy = shown_ || !owed_.empty() || unpaid();
    uint32_t truth = 0;
    for (const Burst& b : queue_) truth |= 1U << b.channel;
    for (const Burst& b : waits_) truth |= 1U << b.channel;
    for (const int c : owed_) truth |= 1U << c;
    if (shown_) truth |= 1U << shown_->channel;
    for (int c = 0; c < shape_.channels; ++c) {
      const bool level = unit_.model().owed_o >> c & 1;
      int& late = level_[static_cast<size_t>(c)];
      if (!level && (truth >> c & 1)) Fail(fmt::format("level of channel {} is low", c));
      if (!level || (truth >> c & 1) || (failed_ && busy))
        late = 0;
      else if (++late > shape_.channels + 3)
        Fail(fmt::format("level of channel {} stays", c));
    }
  }

 protected:
  bool revives_ = false;  // the memory answers after all, in the cycle in which it is forgotten
  size_t extra_ = 0;      // bursts that the engine has beyond Outstanding
  void Cycle() {
    auto& m = unit_.model();
    m.clk_i = 0;
    DriveControl();
    DriveAddresses();
    DriveData();
    unit_.Evaluate();
    SampleAll();
    m.clk_i = static_cast<uint8_t>(1 << shape_.cell);
    unit_.Evaluate();
    ++cycle_;
  }

 private:
  std::vector<int> attr_;
  std::vector<uint64_t> page_;
  std::vector<int> level_;  // cycles that a level is late
  std::deque<WindowAccess> accesses_;
  std::optional<WindowAccess> access_;
  std::optional<Burst> claim_;
  uint64_t claimed_ = 0, to_claim_ = 0, clear_at_ = 0, failed_cycles_ = 0, idle_ = 0;
  uint64_t faults_[16] = {}, forgotten_ = 0, strays_ = 0, stuck_ = 0, timed_out_ = 0;
  uint64_t first_shown_ = 0;
  // A bit a channel.
  uint32_t hold_ = 0, abort_ = 0, abort_before_ = 0, fell_ = 0, hold_before_ = 0;
  uint32_t barred_ = 0, held_at_refusal_ = 0;
  uint64_t barred_refusals_ = 0;
  int watch_ = 0, cause_ = 0, ax_stall_ = 0, access_age_ = 0;
  bool clear_ = false, closing_ = false, forget_ = false, quiesce_ = false, tick_ = true,
       stray_ = false, held_permitted_ = false;
  std::string failure_;
};

}  // namespace tessera
