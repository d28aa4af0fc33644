// A channel of a random program that is aborted and reset again and again while the others run, by
// registers.
//
// What it sends and records is not compared. Its stops must come to their end, and it may write
// nowhere but in its part of memory: the rest of memory, and the other channels, are compared as if
// it were not there.
#pragma once

#include <cstdint>

#include "tb/dma/dma_bench.h"
#include "tb/dma/dma_program.h"

namespace tessera {

class Victim {
 public:
  // From `first` to `last` it writes, in the low `bits` bits of an address; nowhere as it stands
  // here.
  struct Part {
    uint64_t first = 1, last = 0;
    int bits = 0;
  };

  // Channel `c`, reads first, of a program. Opens nothing: its descriptors, list and lock are
  // there. The bench must outlive it.
  Victim(DmaBench* bench, const DmaProgram& program, size_t c, const Part& part, Rng rng);

  // Some accesses: gives it a task, begins a stop, or looks whether one is done. Throws if one
  // takes too long.
  void Serve();
  // A last stop, to its end.
  void Finish();
  uint64_t stops() const { return stops_; }

  // `after` without what lies in its part of memory; there it is as `before`.
  Memory Hide(const Memory& before, const Memory& after) const;

 private:
  uint32_t Get(uint32_t offset) { return bench_.Get(at_ + offset); }
  void Set(uint32_t offset, uint32_t value) { bench_.Set(at_ + offset, value); }
  void Begin(uint32_t stop);
  bool Ended();

  DmaBench& bench_;
  const std::vector<DmaProgram::Push> tasks_;
  const int lock_, lock_value_;
  Part part_;
  Rng rng_;
  uint32_t at_;
  uint32_t stop_ = 0;  // the bit of CONTROL that was asked for; 0: none
  uint64_t since_ = 0;
  uint64_t stops_ = 0;
};

}  // namespace tessera
