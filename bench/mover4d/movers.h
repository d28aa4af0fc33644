// tessera_mover4d as host code sees it: cycles from the start to the bus, and what of the streams
// lists of short descriptors reach.
//
// The memory is that of the bench, also behind the ports of the lists; streams are always ready and
// always valid. Bus rules, and that no word is read outside of a list, are checked in the same run;
// data, by the tests of tessera_mover4d.
#pragma once

#include <optional>
#include <vector>

#include "bench/programs.h"

namespace tessera::bench {

// Of kinds kPush, kDescriptor and kList.
std::vector<ProgramRow> AllMoverRows();

// As Suite says.
std::optional<ProgramResult> MeasureMover(const ProgramRow& row);

}  // namespace tessera::bench
