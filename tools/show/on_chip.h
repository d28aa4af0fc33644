// The on-chip buffer in a program: which banks its descriptors want, word by word, and who may wait
// for whom.
#pragma once

#include <cstdint>
#include <string>

#include "tb/dma/dma.h"
#include "tools/job/job.h"
#include "tools/show/analysis.h"

namespace tessera::show {

// Accesses of a transfer to the buffer, in their order.
struct BankUse {
  uint64_t words = 0;
  uint64_t stays = 0;    // words in the bank of the one before: another port waits for such a run
  uint64_t outside = 0;  // words of external memory
};

// Of the first bursts, at most `most_rows` rows of them.
BankUse BanksOf(const Subject& subject, const DmaConfig& dma, uint64_t most_rows = 100'000);

// Nothing if no descriptor reaches the buffer.
std::string OnChipText(const job::Job& job, const job::Hardware& hardware);

}  // namespace tessera::show
