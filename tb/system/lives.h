// The stretches of a channel's life: what lies between aborts and resets.
//
// Seen on the pins alone. An abort, of the pin or of a request for rest, ends a stretch with the
// last cycle in which it found the engine idle; a reset, of the channel or of everything, ends it
// with its first cycle. From `trust` on the memory or a partner has done something wrong.
#pragma once

#include <cstdint>
#include <vector>

#include "tb/run/fabric_bench.h"

namespace tessera {

struct Stretch {
  uint64_t from = 0, to = kNever - 1;  // cycles, both included
  bool aborted = false;
  bool reset = false;
  uint64_t trust = kNever;  // what happened before this cycle is exact
  bool clean() const { return !aborted && !reset && trust == kNever; }
};

class Lives {
 public:
  explicit Lives(FabricBench* bench);
  void Sample(const Tick& tick);
  // Something went wrong with a channel in this cycle.
  void Distrust(int k, Direction direction, uint64_t cycle);
  const std::vector<Stretch>& of(int k, Direction direction) const {
    return lives_[Index(k, direction)].stretches;
  }
  const Stretch& now(int k, Direction direction) const { return of(k, direction).back(); }

 private:
  struct Life {
    std::vector<Stretch> stretches{1};
    bool in_reset = false;   // in the last cycle
    bool aborting = false;   // a request for rest is still carried out
    uint64_t idle = kNever;  // last cycle in which an abort found the engine idle
  };
  static size_t Index(int k, Direction direction) {
    return 2 * static_cast<size_t>(k) + (direction == Direction::kRead ? 0 : 1);
  }
  void SampleOne(const Tick& tick, int k, Direction direction, Life* life);
  static void End(Life* life, uint64_t cycle, bool reset);

  FabricBench* bench_;
  std::vector<Life> lives_;
};

}  // namespace tessera
