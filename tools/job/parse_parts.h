// The parts of a job's grammar. Inside tools/job alone.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "tb/sim/counted.h"
#include "tools/job/grammar.h"
#include "tools/job/job.h"
#include "tools/job/reader.h"

namespace tessera::job {

using Symbols = std::map<std::string, uint64_t>;  // regions of memory and where they begin

Contents ParseContents(const Reader& reader);
Dump ParseDump(const Reader& reader);
// Throws if no build at all could do it.
NamedTransfer ParseTransfer(const Reader& reader, const Symbols& symbols);
// A name. Throws if it is taken; `names` are those of its kind so far.
std::string Claim(const Reader& reader, std::set<std::string>* names);
// The locks, descriptors and events of a job.
void ParseProgram(const Reader& reader, const Symbols& symbols, Job* job);
void ParseEvents(const std::vector<Reader>& entries, Job* job);
void ParseActions(const std::vector<Reader>& entries, Job* job);
// An array, or a ring.
List ParseList(const Reader& reader, bool ring, const Symbols& symbols, const Job& job);
std::vector<Window> ParseWindows(const std::vector<Reader>& entries, const Symbols& symbols);
// Those with `list` take what the channel's list has, if there is one.
std::vector<Task> ParseTasks(const std::vector<Reader>& entries, const Job& job, const List* list);
Trigger ParseTrigger(const Reader& reader);
// An address: a number, or the name of a region with or without something added.
uint64_t ParseAddress(const Reader& reader, const Symbols& symbols);

// Names that are there, as far as a sentence holds them.
template <typename Things, typename Name>
std::string NamesIn(const Things& things, Name name) {
  const std::string names = Listed(things, name, ", ", 200);
  return names.empty() ? "there is none" : names;
}

}  // namespace tessera::job
