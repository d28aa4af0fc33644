// Start programs: register writes that tessera_dma carries out after reset, as
// scripts/start_program reads them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tools/gen/top.h"
#include "tools/job/reader.h"

namespace tessera::gen {

struct StartWrite {
  uint32_t address = 0, value = 0;
};

inline constexpr size_t kMostStartWrites = 4096;

// The member `start` of a specification: the name of a text file beside it, an address and a value
// a line, both hexadecimal, or an array of [address, value]. `values` are the parameters of the
// build: an address where it has no register for a write is refused. Throws job::Error.
std::vector<StartWrite> ReadStart(const job::Reader& start, const Top& top, const Values& values);

// StartProgram as Verilog reads it: an address and a value in 64 bits, the first write lowest.
std::string StartLiteral(const std::vector<StartWrite>& writes);

}  // namespace tessera::gen
