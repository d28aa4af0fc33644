// How fast a configuration simulates with everything checked.
#pragma once

#include <cstdint>
#include <string>

#include "tb/sim/dut.h"

namespace tessera::bench {

struct SpeedResult {
  std::string error;
  uint64_t cycles = 0;
  // Of processor time, so that others on the machine do not count.
  double seconds = 0.0;        // of running and of comparing with the reference model
  double model_seconds = 0.0;  // of running alone, monitors included
  double PerSecond() const { return static_cast<double>(cycles) / seconds; }
};

// Both engines at work at once, misaligned copies of 4096 B, for at least `seconds`.
SpeedResult MeasureSpeed(const Config& config, double seconds);

}  // namespace tessera::bench
