// What a run tells: a table for people, JSON for programs.
#pragma once

#include <cstdio>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "tools/job/job.h"
#include "tools/run/run_job.h"
#include "tools/terminal/terminal.h"

namespace tessera::cli {

// A few lines; every transfer if there are at most `most_rows`, else those that are not "ok".
void PrintRun(const Prepared& prepared, const RunResult& result, size_t most_rows,
              const Terminal& terminal);

// The lines that say what is wrong; none if nothing is.
void PrintFailures(const RunResult& result, const Terminal& terminal);

nlohmann::ordered_json ReportOf(const Prepared& prepared, const RunResult& result);

}  // namespace tessera::cli
