// Error responses to order: which read beats and write bursts the memory answers with an error.
//
// Rules are looked at in order and the first that applies decides. A write burst is answered with
// the error of its first beat that a rule hits. Everything injected is logged for the scoreboard.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tb/sim/ports.h"
#include "tb/sim/rng.h"

namespace tessera {

enum AxiResponse : uint8_t { kOkay = 0, kExOkay = 1, kSlvErr = 2, kDecErr = 3 };

struct ErrorRule {
  enum class Kind : uint8_t { kRange, kProbability };
  Kind kind = Kind::kRange;
  AxiResponse response = kSlvErr;
  bool reads = true;
  bool writes = true;
  uint64_t first = 0, last = 0;  // kRange: beats whose bus word overlaps first .. last
  double probability = 0.0;      // kProbability: of each beat

  static ErrorRule Range(uint64_t first, uint64_t last, AxiResponse response);
  static ErrorRule Probability(double p, AxiResponse response);
  ErrorRule ReadsOnly() const;
  ErrorRule WritesOnly() const;
};

struct ErrorEvent {
  uint64_t cycle = 0;  // in which the response was first offered
  Direction direction = Direction::kRead;
  uint64_t burst = 0;  // serial number of the burst in its direction, from 0
  uint64_t burst_addr = 0;
  uint64_t beat_addr = 0;  // of the first beat in error
  AxiResponse response = kOkay;
};

class ErrorInjector {
 public:
  ErrorInjector() = default;
  ErrorInjector(std::vector<ErrorRule> rules, const Rng& rng);

  // The response of the next beat of a direction; `addr` is that of its bus word.
  AxiResponse Next(Direction direction, uint64_t addr, int bytes) {
    if (rules_.empty()) return kOkay;
    return NextByRules(direction, addr, bytes);
  }
  void Log(const ErrorEvent& event) { log_.push_back(event); }
  const std::vector<ErrorEvent>& log() const { return log_; }

 private:
  AxiResponse NextByRules(Direction direction, uint64_t addr, int bytes);

  std::vector<ErrorRule> rules_;
  Rng rng_{0};
  std::vector<ErrorEvent> log_;
};

}  // namespace tessera
