// Plays a transaction binary on a simulated array and reports.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tools/aieml/array/array_file.h"

namespace tessera::txn {

struct PlayOptions {
  uint32_t turns = 100000;  // of 32 cycles, that one operation waits
  uint64_t window = 0;
};

// Exit status: 0, 1 if the run stopped or an argument differs, or 3 if that is good and a dump
// could not be written. Prints the report to standard output, then writes the dumps. Throws
// txn::Error for a binary that cannot be played at all.
int Play(const std::string& name, const std::vector<uint32_t>& words, const array::ArrayFile& file,
         array::Machine& machine, const PlayOptions& options);

// Prints every access of the run.
void Trace(array::Machine* machine);

}  // namespace tessera::txn
