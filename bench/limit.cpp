// See limit.h.
#include "bench/limit.h"

#include <algorithm>

#include "bench/count.h"

namespace tessera::bench {

BusWork CountBus(const model::Transfer& t, int bus_bytes, int max_burst, uint64_t address_mask) {
  const auto word = static_cast<uint64_t>(bus_bytes);
  const uint64_t longest = std::min(static_cast<uint64_t>(max_burst), show::kPage / word);
  const show::CountResult count = show::CountTransfer(show::MakeNest(t, address_mask),
                                                      {address_mask, word, longest}, ~uint64_t{0});
  return {count.tally.least.words, count.tally.least.bursts};
}

Limit FindLimit(const RunWork& work, int bus_bytes, uint32_t latency, int in_flight) {
  const auto flight = [&](const BusWork& side) {
    const uint64_t held = side.bursts * (latency + uint64_t{1}) + side.words;
    return static_cast<double>(held) / in_flight;
  };
  Limit limit{static_cast<double>(std::max(work.read.words, work.write.words)), 0.0, "bus"};
  if (static_cast<double>(work.stream_beats) > limit.cycles) {
    limit.cycles = static_cast<double>(work.stream_beats);
    limit.bound = "stream";
  }
  const double waiting = std::max(flight(work.read), flight(work.write));
  if (waiting > limit.cycles) {
    limit.cycles = waiting;
    limit.bound = "flight";
  }
  if (limit.cycles > 0) {
    limit.utilisation = static_cast<double>(work.payload) / (limit.cycles * bus_bytes);
  }
  return limit;
}

}  // namespace tessera::bench
