// Plays a transaction binary on a simulated array and reports.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tools/array/array_file.h"

namespace tessera::txn {

struct PlayOptions {
  uint32_t turns = 100000;  // of 32 cycles, that one operation waits
  uint64_t window = 0;
};

// Exit status: 0, or 1 if the run stopped or an argument differs. Prints the report to standard
// output. Throws txn::Error for a binary that cannot be played at all.
int Play(const std::string& name, const std::vector<uint32_t>& words, const array::ArrayFile& file,
         array::Machine& machine, const PlayOptions& options);

}  // namespace tessera::txn
