// What a transfer visits and what it costs, in numbers, without running RTL.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bench/count.h"
#include "tb/sim/dut.h"

namespace tessera::show {

// A transfer in the place in which it runs.
struct Subject {
  model::Transfer transfer;
  Direction direction = Direction::kRead;
  Config config;
};

// The lowest and the highest byte in memory, before addresses wrap: signed, relative to 0.
struct Extent {
  bool any = false;
  __int128 low = 0;
  __int128 high = 0;  // inclusive
  bool exact = true;  // false: they may lie closer together
};

// At least so many cycles, and what says so.
struct CycleLimit {
  uint32_t latency = 0;      // of the memory
  double best = 0;           // what bus, memory and stream allow
  double engine = 0;         // what the engine's own bursts, rows and operations allow
  std::string best_bound;    // "bus", "stream" or "flight"
  std::string engine_bound;  // or "rows", "operations"
};

struct Analysis {
  Subject subject;
  Tally tally;
  bool exact = true;  // false: `counted` positions were counted, the rest is estimated
  uint64_t counted = 0;
  uint64_t steps = 0;

  bool row_is_dim0 = false;   // else each element is a row
  uint64_t row_bytes = 0;     // of a whole row
  uint64_t fill = 0;          // positions outside the bounds
  uint64_t stream_bytes = 0;  // fill included
  uint64_t memory_bytes = 0;
  uint64_t fill_bytes = 0;
  uint64_t stream_beats = 0;
  uint64_t packets = 0;  // beats with TLAST
  Extent extent;
  std::vector<CycleLimit> cycles;  // one for each latency

  bool empty() const { return tally.positions == 0; }
};

// `latencies` of the memory for which cycles are wanted; 1, 20 and 100 are those of the bench.
Analysis Analyse(const Subject& subject, const std::vector<uint32_t>& latencies = {1, 20, 100},
                 uint64_t most_steps = kDefaultSteps);

// The engine's bursts, at most `most_rows` rows of them.
std::vector<Burst> ListBursts(const Subject& subject, uint64_t most_rows = ~uint64_t{0});

// How the stream is cut: `positions` to a packet of `beats`, the last one may be shorter.
struct Packets {
  uint64_t positions = 0;
  uint64_t beats = 0;
  bool last_at_end = false;  // TLAST at the end of the transfer
};

Packets PacketsOf(const Subject& subject);

Nest NestOf(const Subject& subject);

}  // namespace tessera::show
