// Compares what a tessera_dma did with what its program says: for channels that read or overwrite
// what others write, and what only a program has (locks, tokens).
#pragma once

#include "tb/bus/memory.h"
#include "tools/prepare/prepare.h"
#include "tools/run/run_job.h"

namespace tessera::cli {

// Streams, records and memory of a program whose channels depend on each other. `before` is memory
// as it was before the run.
void CompareProgram(const Prepared& prepared, const Memory& before, RunResult* result);

// The locks at the end, the tokens, and what the driver found wrong.
void CheckFigures(const Prepared& prepared, RunResult* result);

}  // namespace tessera::cli
