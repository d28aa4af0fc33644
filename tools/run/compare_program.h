// Compares what a tessera_dma did with what its program does without time (executor.h): streams,
// records, memory, locks and tokens.
#pragma once

#include "tb/bus/memory.h"
#include "tools/prepare/prepare.h"
#include "tools/run/run_job.h"

namespace tessera::cli {

// `before` is memory as it was before the run. Throws job::Error of a program that cannot end or
// depends on time.
void CompareProgram(const Prepared& prepared, const Memory& before, RunResult* result);

}  // namespace tessera::cli
