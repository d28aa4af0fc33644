// What goes wrong between a memory and a port: faults of the R or B channel, at chosen times.
//
// Stands on a port, before a memory that sees memory_side() instead. The memory behind it is right;
// its responses pass through a queue here (which costs a cycle, with a fault or without) and are
// changed once for each fault, on the first occasion from a cycle on, one fault after the other.
// Requests pass as they are, in the same cycle.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "tb/bus/channel_ends.h"
#include "tb/sim/ports.h"
#include "tb/sim/tick.h"

namespace tessera {

struct AxiFault {
  enum class Kind : uint8_t {
    kNone,
    kErrorData,      // a beat with SLVERR: legal
    kEarlyLast,      // RLAST on a beat that is not the last; the rest comes all the same
    kCutShort,       // and the rest does not come
    kNoLast,         // no RLAST on the last beat
    kLongBurst,      // and a beat more, which has it
    kUnaskedData,    // a beat more after a burst, with RLAST
    kStrayData,      // a beat for an ID that is no channel: there are fewer than kMostIds
    kSilentData,     // nothing for `cycles` cycles, then everything
    kLostData,       // one burst never comes
    kErrorAnswer,    // an answer with SLVERR: legal
    kUnaskedAnswer,  // two answers for one burst
    kEarlyAnswer,    // an answer after the first beat of several, and the right one
    kStrayAnswer,    // an answer for an ID that is no channel
    kSilentAnswer,   // none for `cycles` cycles, then all
    kLostAnswer,     // one never comes
  };
  static constexpr int kKinds = 16;
  friend constexpr std::array<std::string_view, kKinds> NamesOf(Kind) {
    return {"none",         "error_data",   "early_last",    "cut_short",
            "no_last",      "long_burst",   "unasked_data",  "stray_data",
            "silent_data",  "lost_data",    "error_answer",  "unasked_answer",
            "early_answer", "stray_answer", "silent_answer", "lost_answer"};
  }
  Kind kind = Kind::kNone;
  uint16_t id = 0;      // whose traffic
  uint16_t others = 0;  // and of a silence, whose too: a bit each
  uint64_t from = 0;    // cycle
  uint64_t cycles = 0;  // of silence
  static constexpr int kMostIds = 16;
  static constexpr uint16_t kNobody = kMostIds - 1;
  bool Hits(uint16_t who) const { return who == id || (others >> who & 1) != 0; }
  bool stray() const { return kind == Kind::kStrayData || kind == Kind::kStrayAnswer; }
  // An answer that could be that of another burst.
  bool made_up() const {
    return kind == Kind::kUnaskedData || kind == Kind::kUnaskedAnswer || kind == Kind::kEarlyAnswer;
  }
};

class AxiTamper {
 public:
  struct Hit {
    AxiFault fault;
    uint64_t cycle = 0;
    uint64_t addr = 0;   // of the beat (read) or burst (write)
    uint64_t still = 0;  // the longest time from then on in which nothing moved in its direction
  };

  AxiTamper(AxiPort* port, std::vector<AxiFault> faults, int data_bytes)
      : port_(port),
        faults_(std::move(faults)),
        bytes_(data_bytes),
        r_(&port->r, PacerSpec::Always(), Rng()),
        b_(&port->b, PacerSpec::Always(), Rng()) {
    NextFault();
  }
  AxiTamper(const AxiTamper&) = delete;
  AxiTamper& operator=(const AxiTamper&) = delete;

  // The port of the memory.
  AxiPort* memory_side() { return &memory_; }
  // Before the memory samples: passes requests on.
  void Forward();
  // After the memory has sampled, or driven.
  void Sample(const Tick& tick);
  void Drive(const Tick& next);

  // When the first happened, if it has, and the address of the beat (read) or burst (write) it hit.
  std::optional<uint64_t> fired() const {
    return hits_.empty() ? std::nullopt : std::optional(hits_.front().cycle);
  }
  uint64_t addr() const { return hits_.empty() ? 0 : hits_.front().addr; }
  // All that have happened.
  const std::vector<Hit>& hits() const { return hits_; }
  // What is still to come never comes.
  void Disarm() {
    faults_.clear();
    if (!fired_) fault_ = {};
  }
  // The memory owes nothing that is kept here.
  bool Empty() const {
    return data_.empty() && answers_.empty() && held_data_.empty() && held_answers_.empty();
  }

 private:
  using Kind = AxiFault::Kind;
  static constexpr size_t kIds = 16;
  struct Burst {
    uint64_t addr = 0;
    uint16_t id = 0;
    uint16_t beats = 0;  // that have passed
    uint16_t length = 0;
  };

  bool Armed(uint64_t cycle) const { return !fired_ && cycle >= fault_.from; }
  void Fire(uint64_t cycle, uint64_t addr);
  void NextFault();
  void Track();
  void MeasureStill(uint64_t cycle);
  void TakeBeat(uint64_t cycle, AxiReadBeat beat);
  void TakeAnswer(uint64_t cycle, AxiWriteResponse answer);

  AxiPort* port_;
  AxiPort memory_;
  std::vector<AxiFault> faults_;  // those to come
  AxiFault fault_;
  std::vector<Hit> hits_;
  int bytes_;
  ChannelSource<AxiReadBeat> r_;
  ChannelSource<AxiWriteResponse> b_;
  std::deque<AxiReadBeat> data_, held_data_;
  std::deque<AxiWriteResponse> answers_, held_answers_;
  // By ID, not yet answered by the memory.
  std::array<std::deque<Burst>, kIds> reads_, writes_;
  std::deque<Burst> written_;  // of all, whose data are not all out
  bool losing_ = false;        // in the middle of a burst that is lost
  std::optional<uint64_t> fired_;
  uint64_t moved_ = 0;  // the last cycle in which something did, in the direction of the last hit
};

}  // namespace tessera
