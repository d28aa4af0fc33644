// The parts of a job's grammar. Inside tools/job alone.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tools/job/job.h"
#include "tools/job/reader.h"

namespace tessera::job {

using Symbols = std::map<std::string, uint64_t>;  // regions of memory and where they begin

Contents ParseContents(const Reader& reader);
Dump ParseDump(const Reader& reader);
NamedTransfer ParseTransfer(const Reader& reader, const Symbols& symbols);
// An address: a number, or the name of a region with or without something added.
uint64_t ParseAddress(const Reader& reader, const Symbols& symbols);

}  // namespace tessera::job
