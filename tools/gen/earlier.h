// Whose the files of a folder are: those of an earlier `tessera gen`, or others.
#pragma once

#include <string>

#include "tools/gen/folder.h"

namespace tessera::gen {

// Takes the files that the specifications in a folder give again, and what the testbenches build
// beside them. A folder without such a specification has none.
Replaceable FilesOfEarlier(const std::string& folder);

}  // namespace tessera::gen
