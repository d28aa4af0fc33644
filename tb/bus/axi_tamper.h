// What goes wrong between a memory and a port: faults of the R or B channel, at chosen times.
//
// Stands on the pins of a port. The memory behind it is right; what it says passes through a queue
// here (which costs a cycle, with a fault or without) and is changed once for each fault, on the
// first occasion from a cycle on, one fault after the other. Everything else passes as it is.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "tb/sim/dut.h"
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
  Kind kind = Kind::kNone;
  uint16_t id = 0;      // whose traffic
  uint16_t others = 0;  // and of a silence, whose too: a bit each
  uint64_t from = 0;    // cycle
  uint64_t cycles = 0;  // of silence
  static constexpr int kMostIds = 16;
  static constexpr uint16_t kNobody = kMostIds - 1;
  bool Hits(uint16_t who) const { return who == id || (others >> who & 1) != 0; }
  bool stray() const { return kind == Kind::kStrayData || kind == Kind::kStrayAnswer; }
};

std::string_view Name(AxiFault::Kind kind);

class AxiTamper {
 public:
  struct Hit {
    AxiFault fault;
    uint64_t cycle = 0;
    uint64_t addr = 0;  // of the beat (read) or burst (write)
  };

  AxiTamper(const AxiFault& fault, int data_bytes) : AxiTamper(std::vector{fault}, data_bytes) {}
  AxiTamper(std::vector<AxiFault> faults, int data_bytes)
      : faults_(std::move(faults)), bytes_(data_bytes) {
    NextFault();
  }

  // `memory`: what the memory drives.
  void Sample(const Tick& tick, const DutInputs& memory, const DutOutputs& out);
  void Drive(const DutInputs& memory, DutInputs* shown);

  // When the first happened, if it has, and the address of the beat (read) or burst (write) it hit.
  std::optional<uint64_t> fired() const {
    return hits_.empty() ? std::nullopt : std::optional(hits_.front().cycle);
  }
  uint64_t addr() const { return hits_.empty() ? 0 : hits_.front().addr; }
  // All that have happened.
  const std::vector<Hit>& hits() const { return hits_; }
  // What is still to come never comes.
  void Disarm() { faults_.clear(); }
  // The memory owes nothing that is kept here.
  bool Empty() const {
    return data_.empty() && answers_.empty() && held_data_.empty() && held_answers_.empty();
  }

 private:
  using Kind = AxiFault::Kind;
  static constexpr size_t kIds = 16;
  struct Beat {
    BusData data{};
    uint16_t id = 0;
    uint8_t resp = 0;
    bool last = false;
  };
  struct Answer {
    uint16_t id = 0;
    uint8_t resp = 0;
  };
  struct Burst {
    uint64_t addr = 0;
    uint16_t id = 0;
    uint16_t beats = 0;  // that have passed
    uint16_t length = 0;
  };

  bool Armed(uint64_t cycle) const { return !fired_ && cycle >= fault_.from; }
  void Fire(uint64_t cycle, uint64_t addr);
  void NextFault();
  void Track(const DutInputs& memory, const DutOutputs& out);
  void TakeBeat(uint64_t cycle, Beat beat);
  void TakeAnswer(uint64_t cycle, Answer answer);

  std::vector<AxiFault> faults_;  // those to come
  AxiFault fault_;
  std::vector<Hit> hits_;
  int bytes_;
  std::deque<Beat> data_, held_data_;
  std::deque<Answer> answers_, held_answers_;
  // By ID, not yet answered by the memory.
  std::array<std::deque<Burst>, kIds> reads_, writes_;
  std::deque<Burst> written_;  // of all, whose data are not all out
  bool data_shown_ = false, answer_shown_ = false;
  bool losing_ = false;  // in the middle of a burst that is lost
  std::optional<uint64_t> fired_;
};

}  // namespace tessera
