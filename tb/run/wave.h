// Runs a failing case again and writes a waveform of the window around the failure.
//
// Possible because a bench is deterministic: the factory must build the same case each time, from
// its seed alone. Says so if the failure does not come again in the same cycle.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "tb/run/bench.h"

namespace tessera {

using BenchFactory = std::function<std::unique_ptr<EngineBench>()>;

struct WaveWindow {
  std::string path = "failure.fst";
  uint64_t before = 2000;  // cycles before the failure
  uint64_t after = 50;
};

// Returns one line for the user: where the waveform is and which cycles it shows, or why there is
// none.
std::string RerunWithWaveform(const BenchFactory& make, const BenchResult& failed,
                              const WaveWindow& window = {});

}  // namespace tessera
