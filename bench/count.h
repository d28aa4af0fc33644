// Counts what a transfer costs, exactly, whatever its size.
//
// Rows are not counted one by one. The cost of a turn of a loop depends on its address within
// 4 KiB, on where it lies in the bounds and on the burst that is open: when such a state comes
// again inside a loop, the loop is periodic from there on, and a turn that has been counted before
// is not counted again. So the work is bounded by the states, not by the tensor. Should a pattern
// have too many of them, the first rows are counted and the rest is estimated from them, and the
// result says so.
#pragma once

#include <cstdint>

#include "bench/bursts.h"
#include "bench/nest.h"

namespace tessera::show {

// All counts saturate at 2^64-1.
struct Tally {
  uint64_t positions = 0;
  uint64_t data = 0;           // positions inside the bounds
  uint64_t rows = 0;           // that the request side walks, a cycle each
  uint64_t data_rows = 0;      // of them with data
  uint64_t odd_rows = 0;       // of those that begin inside a bus word
  uint64_t aligned_words = 0;  // that would do if each of them began a word
  uint64_t operations = 0;     // of the data side, a cycle each
  BusCount engine, least;
  bool operator==(const Tally&) const = default;
};

struct CountResult {
  Tally tally;
  bool exact = true;
  uint64_t counted = 0;  // positions that were counted; all of them if exact
  uint64_t steps = 0;    // rows looked at: what the counting cost
};

inline constexpr uint64_t kDefaultSteps = 8'000'000;

// `most_steps` rows are looked at, at most.
CountResult CountTransfer(const Nest& nest, const BurstRules& rules,
                          uint64_t most_steps = kDefaultSteps);

}  // namespace tessera::show
