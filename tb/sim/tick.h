// Where in time a component is: handed to everything that samples or drives pins.
//
// A cycle is: settle, Sample() by everybody, clock edge, Drive() by everybody for the next cycle. A
// component reads pins in Sample() alone and writes nothing but its own pins in Drive() alone, so
// that the order in which components are called never matters.
#pragma once

#include <cstdint>

namespace tessera {

inline constexpr uint64_t kNever = ~uint64_t{0};

struct Tick {
  uint64_t cycle = 0;
  bool reset = false;  // aresetn is low in this cycle
};

}  // namespace tessera
