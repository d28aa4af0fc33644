// A transfer from the options of a command line.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tb/model/transfer.h"

namespace tessera::show {

// As typed; numbers may be hexadecimal. The transfer's defaults where nothing is given.
struct DirectOptions {
  int elem = 1;
  std::string base;
  std::vector<uint32_t> count;
  std::vector<int64_t> stride;
  std::vector<int32_t> start;
  std::vector<std::string> bound;  // a number, or "-" for none
  std::vector<std::string> walk;   // DIM:STEP:COUNT, the innermost level first
  std::string length, fill;
  bool on_last = false;
  std::string last;  // never, transfer, task or a level, 0 to 7

  bool given() const { return !base.empty() || !count.empty(); }
};

struct DirectTransfer {
  model::Transfer value;
  std::vector<std::string> notes;  // what was done to make more than four dimensions fit
};

// Throws std::invalid_argument, a sentence naming the option, its value and what is legal. Strides
// that are absent make the transfer contiguous.
DirectTransfer MakeDirect(const DirectOptions& options);

}  // namespace tessera::show
