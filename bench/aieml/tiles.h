// tessera_aieml as software sees it: cycles from a queue word to the bus, and what of its streams
// and of the bus short chained descriptors reach.
//
// The memory is that of the bench; streams are always ready and always valid. Bus rules are checked
// in the same run; data, by the tests of tessera_aieml.
#pragma once

#include <optional>
#include <vector>

#include "bench/programs.h"

namespace tessera::bench {

// Of kinds kPush and kRam.
std::vector<ProgramRow> AllTileRows();

// As Suite says.
std::optional<ProgramResult> MeasureTile(const ProgramRow& row);

}  // namespace tessera::bench
