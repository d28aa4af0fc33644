// What the bus, the memory and the stream allow: the limit of a row, from first principles.
//
// Counts the bus words that the bytes of a transfer lie in, the bursts that these words need at
// least, and the beats of the stream. Knows nothing of engines. Memory answers a burst whose
// address is accepted in cycle t from cycle t + L on; with the two cycles in which an answer makes
// room for the next address, a burst of n words holds one of the places in flight for L + 1 + n
// cycles.
#pragma once

#include <cstdint>
#include <string>

#include "tb/model/transfer.h"

namespace tessera::bench {

// What transfers cost on the bus, in one direction.
struct BusWork {
  uint64_t words = 0;   // beats of the bus: each transfer touches its words anew
  uint64_t bursts = 0;  // at least, up to `max_burst` words each and none across 4 KiB
  BusWork& operator+=(const BusWork& more) {
    words += more.words;
    bursts += more.bursts;
    return *this;
  }
  bool operator==(const BusWork&) const = default;
};

// Of one transfer. Rows that go on in the word or in the word after that
// where the row before ended need neither a new word nor a new burst.
// Addresses are modulo `address_mask` + 1.
BusWork CountBus(const model::Transfer& transfer, int bus_bytes, int max_burst,
                 uint64_t address_mask = ~uint64_t{0});

// Beats that carry `bytes`.
inline uint64_t Beats(uint64_t bytes, int beat_bytes) {
  const uint64_t width = static_cast<uint64_t>(beat_bytes);
  return (bytes + width - 1) / width;
}

// A whole run of a row.
struct RunWork {
  uint64_t payload = 0;  // bytes
  BusWork read, write;
  uint64_t stream_beats = 0;
};

struct Limit {
  double cycles = 0.0;       // of the whole run, at least
  double utilisation = 0.0;  // payload over cycles and bus width, at most
  std::string bound;         // what sets it: "bus", "stream" or "flight"
};

Limit FindLimit(const RunWork& work, int bus_bytes, uint32_t latency, int in_flight);

}  // namespace tessera::bench
