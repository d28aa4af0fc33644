// Runs a lowered sequence on a simulated array.
#pragma once

#include <string>

#include "tools/aieml/array/array_file.h"
#include "tools/aieml/seq/parser.h"

namespace tessera::seq {

// A line that names the operations of the device that have no part in a run; empty: all have.
std::string PassedOver(const Sequence& sequence);

// The array for a sequence: what the array file says, with the flows of the text as routes where
// the file has none, the initial values of the locks, and zeros for arguments that it does not
// give.
array::ArrayFile Complete(const Sequence& sequence, array::ArrayFile file);

// As txn::Play. `names` as of array::Build.
int Run(const std::string& name, const Sequence& sequence, const array::ArrayFile& file, bool trace,
        uint32_t turns, const FileNames& names = {});

}  // namespace tessera::seq
