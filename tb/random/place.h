// Where random runs put their memory.
#pragma once

#include <cstdint>

#include "tb/sim/rng.h"

namespace tessera {

// Any multiple of 2^low below 2^width; 0 if there is no other.
inline uint64_t DrawMultiple(Rng& rng, int low, int width) {
  return width > low ? rng() >> (64 - (width - low)) << low : 0;
}

}  // namespace tessera
