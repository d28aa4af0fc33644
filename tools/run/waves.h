// A GTKWave save file for a waveform of a job: signals in groups, as one reads them.
#pragma once

#include <cstdint>
#include <string>

#include "tools/prepare/prepare.h"

namespace tessera::cli {

// Beside "x.fst" comes "x.gtkw".
std::string SaveFileOf(const std::string& wave);
// Writes it; returns its path. `cycle` is where the view begins. Throws as OutputFile does.
std::string WriteSaveFile(const std::string& wave, const Prepared& prepared, uint64_t cycle);

}  // namespace tessera::cli
