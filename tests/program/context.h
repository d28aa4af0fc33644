// The context of a transfer, from the norm alone: the words that a planner of the core reads.
#pragma once

#include <cstdint>
#include <vector>

#include "tb/model/transfer.h"

namespace tessera {

// Words of a context, as tsr_core_pkg numbers them. Below 16: {level, word}.
enum ContextWord : uint32_t {
  kWordBefore = 0,
  kWordInside = 1,
  kWordBehind = 2,
  kWordJump = 3,
  kWordAddr = 16,
  kWordLength = 17,
  kWordFill = 18,
  kWordFlags = 19,  // flags_t of tsr_core_pkg
  kWordLead = 20,
  kWordData = 21,
  kWordTail = 22,
  kWordWhole = 23,
};

struct Context {
  struct Word {
    uint32_t index = 0;
    uint64_t data = 0;
  };
  std::vector<Word> words;
};

// Of a read without a traversal, or of one tile.
Context MakeContext(const model::Transfer& transfer, const model::Build& build);

}  // namespace tessera
