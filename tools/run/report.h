// What a run tells: a table for people, JSON for programs, files.
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

nlohmann::ordered_json ReportOf(const Prepared& prepared, const RunResult& result);

// Dumps, captures, beats and the report that the job asks for, relative names under `folder`.
// Returns their paths. Throws std::runtime_error naming a file that cannot be written.
std::vector<std::string> WriteFiles(const Prepared& prepared, const RunResult& result,
                                    const std::string& folder);

// Where a file that is written goes.
std::string OutputPath(const std::string& folder, const std::string& name);

}  // namespace tessera::cli
