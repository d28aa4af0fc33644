// A program for tessera_dma in words and as a picture: its channels with their tasks, its
// descriptors with what they wait for and what they give, its locks.
#pragma once

#include <optional>
#include <string>

#include "tb/dma/dma.h"
#include "tools/job/job.h"
#include "tools/pictures/timeline.h"
#include "tools/show/analysis.h"

namespace tessera::show {

// The job has descriptors.
bool HasProgram(const job::Job& job);

std::string ProgramText(const job::Job& job, const job::Hardware& hardware);

// SVG: a row for each descriptor of each chain, a column for each lock.
std::string ProgramPicture(const job::Job& job, const job::Hardware& hardware);

// HTML: both, and the timeline of a run if there is one.
std::string ProgramPage(const job::Job& job, const job::Hardware& hardware,
                        const std::optional<timeline::Timeline>& run);

// Sentences about parts of it, without an end.
std::string MovesWords(const job::Job& job, const job::Descriptor& descriptor);
std::string WaitsWords(const job::Descriptor& descriptor);
std::string GivesWords(const job::Descriptor& descriptor);
std::string TaskWords(const job::Job& job, const job::Task& task);
std::string ActionWords(const job::Action& action);
std::string ListWords(const job::Job& job, const job::List& list);
std::string TriggerWords(const job::Job& job, const job::Trigger& trigger);

// ---- The on-chip buffer: which banks descriptors want, word by word, and who may wait for whom.

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
