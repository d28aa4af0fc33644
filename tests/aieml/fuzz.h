// Transaction binaries and sequence files of any words and bytes: a result or one sentence, never
// anything else. Deterministic: all of a run follows from its seed.
#pragma once

#include <cstdint>
#include <string>

namespace tessera::aieml {

// Each answers what went wrong first, or nothing. `accepted` counts what was no error.
std::string FuzzBinaries(uint64_t count, uint64_t seed, uint64_t* accepted);
std::string FuzzSequences(uint64_t count, uint64_t seed, uint64_t* accepted);

}  // namespace tessera::aieml
