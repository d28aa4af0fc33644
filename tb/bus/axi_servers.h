// The two halves of an AXI4 memory without pins or policy: what was asked, and what is owed.
//
// AxiReadServer turns accepted addresses into R beats, AxiWriteServer joins addresses with data and
// turns them into B responses. Both serve bursts in the order of acceptance, unless Promote() has
// put one of another ID first; those of one ID stay in order. Cycles are handed in by the owner.
#pragma once

#include <cstdint>

#include "tb/bus/axi_errors.h"
#include "tb/bus/memory.h"
#include "tb/bus/ring.h"
#include "tb/sim/ports.h"
#include "tb/sim/rng.h"
#include "tb/sim/tick.h"

namespace tessera {

struct AxiBurst {
  uint64_t addr = 0;      // aligned down to the bus word
  uint64_t serial = 0;    // n-th burst of its direction
  uint64_t order = 0;     // n-th burst of both directions together
  uint64_t accepted = 0;  // cycle of the address handshake
  uint64_t ready_at = 0;  // earliest cycle of the (first) response
  uint64_t error_addr = 0;
  uint16_t id = 0;
  uint16_t beats = 1;
  uint16_t done = 0;  // R beats taken, or W beats received
  AxiResponse response = kOkay;
};

class AxiReadServer {
 public:
  AxiReadServer(Memory* memory, ErrorInjector* errors, int bytes)
      : memory_(memory), errors_(errors), bytes_(bytes) {}

  void Reset() { bursts_.Clear(); }
  void Accept(const AxiBurst& burst) { bursts_.Push(burst); }
  size_t outstanding() const { return bursts_.size(); }
  bool Ready(uint64_t cycle) const { return !bursts_.empty() && bursts_.front().ready_at <= cycle; }
  const AxiBurst& current() const { return bursts_.front(); }
  // Puts any burst first that is the oldest of its ID and could be answered now.
  void Promote(uint64_t cycle, Rng& rng);
  // Makes the current beat; every beat is fetched once.
  void Fetch(uint64_t cycle, AxiReadBeat* beat);
  // The current beat has been taken; true if it was the last of its burst.
  bool Take();

 private:
  Memory* memory_;
  ErrorInjector* errors_;
  int bytes_;
  Ring<AxiBurst> bursts_{64};
};

class AxiWriteServer {
 public:
  AxiWriteServer(Memory* memory, ErrorInjector* errors, int bytes)
      : memory_(memory), errors_(errors), bytes_(bytes) {}

  void Reset();
  // `latency` counts from the later of address and last data.
  void AcceptAddress(const AxiBurst& burst, uint64_t cycle, uint32_t latency);
  void AcceptData(const AxiWriteBeat& beat, uint64_t cycle);
  size_t outstanding() const { return bursts_.size(); }
  // W beats that accepted addresses still wait for, and W beats that wait for an address.
  uint64_t beats_owed() const { return beats_owed_; }
  size_t early_beats() const { return early_.size(); }
  uint64_t early_lasts() const { return early_lasts_; }
  // The oldest burst without B, if any has all its data.
  bool DataComplete() const { return !bursts_.empty() && filled_ > 0; }
  bool Ready(uint64_t cycle) const { return DataComplete() && bursts_.front().ready_at <= cycle; }
  const AxiBurst& current() const { return bursts_.front(); }
  // Puts any burst first that is the oldest of its ID and could be answered now.
  void Promote(uint64_t cycle, Rng& rng);
  AxiWriteResponse Respond(uint64_t cycle);  // the current burst's response is offered now
  void Take();                               // the current burst's response has been taken

 private:
  void Store(const AxiWriteBeat& beat, uint64_t cycle);

  Memory* memory_;
  ErrorInjector* errors_;
  int bytes_;
  Ring<AxiBurst> bursts_{64};
  Ring<uint32_t> latencies_{64};
  Ring<AxiWriteBeat> early_{16};
  size_t filled_ = 0;  // bursts, from the oldest on, that have all their data
  uint64_t beats_owed_ = 0;
  uint64_t early_lasts_ = 0;
};

}  // namespace tessera
