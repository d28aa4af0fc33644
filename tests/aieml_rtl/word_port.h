// An AXI4 slave on the memory port of a TileRtl, whose memory is that of the simulated array.
//
// Bursts are answered in order after a latency drawn for each; valid stays until it is taken, and
// readies stumble if `stumble` says so. A beat is a decode error if none of its words is there, or
// one that is written is not. It checks what AXI4 asks of the addresses: bursts within 4 KiB, INCR
// of the full width, as many beats as said, stable while they wait. The first breach is in fault().
#pragma once

#include <cstdint>
#include <deque>
#include <string>

#include "lib/aieml/tile_dma.h"
#include "tb/aieml/tile_rtl.h"
#include "tb/sim/rng.h"

namespace tessera::aieml {

struct PortOptions {
  uint32_t latency_min = 1, latency_max = 1;
  double stumble = 0;  // how often a ready or a valid is held back
};

class WordPort {
 public:
  WordPort(WordMemory* memory, int data_bytes, const PortOptions& options, uint64_t seed)
      : memory_(memory), bytes_(static_cast<uint64_t>(data_bytes)), options_(options), rng_(seed) {}

  void Sample(const TileInputs& in, const TileOutputs& out);
  void Drive(TileInputs* in);
  bool Quiet() const { return reads_.empty() && writes_.empty() && answers_.empty(); }
  const std::string& fault() const { return fault_; }
  uint64_t cycle() const { return cycle_; }
  // Cycles of the last address of each direction, and what came with it.
  TileOutputs::Address last_ar, last_aw;
  uint64_t last_ar_cycle = 0, bursts = 0;

 private:
  struct Burst {
    TileOutputs::Address address;
    uint64_t due = 0;
    uint32_t beat = 0;
    bool failed = false;
  };
  bool Stumbles() { return options_.stumble > 0 && rng_.Chance(options_.stumble); }
  void Check(const TileOutputs::Address& now, const TileOutputs::Address& before, bool waited);
  void ReadBeat(TileInputs* in);
  void WriteBeat(const TileOutputs& out);
  Burst NewBurst(const TileOutputs::Address& address);

  WordMemory* memory_;
  uint64_t bytes_;
  PortOptions options_;
  Rng rng_;
  uint64_t cycle_ = 0;
  std::deque<Burst> reads_, writes_, answers_;
  TileOutputs::Address ar_, aw_;  // shown and not taken
  bool ar_waits_ = false, aw_waits_ = false, r_waits_ = false;
  std::string fault_;
};

}  // namespace tessera::aieml
