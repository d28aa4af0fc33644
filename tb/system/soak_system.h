// Random cases of whole fabrics until one fails, enough have passed, or time is up.
//
// As tb/soak/soak.h, whose options, rows and tables these are: case n has the seed `seed` + n. A
// failing case is made smaller, and the line that reproduces it says which parts are left.
#pragma once

#include <functional>
#include <string>

#include "tb/sim/fabric.h"
#include "tb/soak/soak.h"
#include "tb/system/run_system.h"

namespace tessera {

// The parts of a failing case that are enough to fail in the same way.
Keep ShrinkSystem(const SystemCase& value, const Keep& keep, const std::string& kind,
                  uint64_t most_runs);

SoakRow SoakFabric(const FabricConfig& config, const SoakOptions& options,
                   const std::function<void(const SoakRow&)>& progress = {});

// Runs what is left of one case and tells all about it; true if it passed.
bool ReplaySystem(const FabricConfig& config, uint64_t seed, Draws draws, const std::string& keep,
                  const std::string& waveform);

}  // namespace tessera
