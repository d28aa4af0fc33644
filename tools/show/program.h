// A program for tessera_dma in words and as a picture: its channels with their tasks, its
// descriptors with what they wait for and what they give, its locks.
#pragma once

#include <optional>
#include <string>

#include "tools/job/job.h"
#include "tools/timeline/timeline.h"

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

}  // namespace tessera::show
