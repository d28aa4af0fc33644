// What somebody who wrote a transfer may not have meant, a sentence each.
#pragma once

#include <string>
#include <vector>

#include "tools/show/analysis.h"

namespace tessera::show {

struct Note {
  std::string id;  // stable, for machines: "repeat", "overlap", "wrap", ...
  std::string text;
};

std::vector<Note> FindNotes(const Analysis& analysis);

}  // namespace tessera::show
