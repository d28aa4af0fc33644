// Helpers for byte lane masks (TKEEP, WSTRB). Lane 0 is the first byte.
#pragma once

#include <bit>
#include <cstdint>

#include "tb/sim/bus_data.h"

namespace tessera {

inline constexpr LaneMask FirstLanes(int count) {
  LaneMask mask;
  if (count >= 128) {
    mask.word = {~uint64_t{0}, ~uint64_t{0}};
  } else if (count >= 64) {
    mask.word = {~uint64_t{0}, (uint64_t{1} << (count - 64)) - 1};
  } else {
    mask.word = {(uint64_t{1} << count) - 1, 0};
  }
  return mask;
}

inline int CountLanes(const LaneMask& mask) {
  return std::popcount(mask.word[0]) + std::popcount(mask.word[1]);
}

inline bool NoLanes(const LaneMask& mask) { return (mask.word[0] | mask.word[1]) == 0; }

// True if the lanes set are 0 .. n-1 for some n, n = 0 included.
inline bool ContiguousFromZero(const LaneMask& mask) {
  if ((mask.word[0] & (mask.word[0] + 1)) != 0) return false;
  if ((mask.word[1] & (mask.word[1] + 1)) != 0) return false;
  return mask.word[1] == 0 || mask.word[0] == ~uint64_t{0};
}

// True if a lane at or above `width` is set.
inline bool LanesPast(const LaneMask& mask, int width) {
  const LaneMask legal = FirstLanes(width);
  return ((mask.word[0] & ~legal.word[0]) | (mask.word[1] & ~legal.word[1])) != 0;
}

}  // namespace tessera
