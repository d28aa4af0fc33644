// The files that a run leaves: dumps, captures, beats, the report, the waveform's save file.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "tools/prepare/prepare.h"
#include "tools/run/run_job.h"

namespace tessera::cli {

// Where a file that is written goes.
std::string OutputPath(const std::string& folder, const std::string& name);

// Refuses a job that would overwrite what it reads, write two files of one name, or replace what is
// no regular file. `options` are the members that options of the command line gave. Throws
// job::Error.
void CheckNames(const Prepared& prepared, const std::string& folder,
                const std::set<std::string>& options = {});
// Throws unless every file could be written now. Throws as OutputFile does.
void CheckOutputs(const Prepared& prepared, const std::string& folder);

// What came of the files of a run.
struct Written {
  std::vector<std::string> paths;     // that are there
  std::vector<std::string> failures;  // a sentence for each that is not
};
Written WriteOutputs(const Prepared& prepared, const RunResult& result, const std::string& folder);

// A GTKWave save file for a waveform of a job: signals in groups, as one reads them.
// Beside "x.fst" comes "x.gtkw".
std::string SaveFileOf(const std::string& wave);
// Writes it; returns its path. `cycle` is where the view begins. Throws as OutputFile does.
std::string WriteSaveFile(const std::string& wave, const Prepared& prepared, uint64_t cycle);

}  // namespace tessera::cli
