// Writes a folder as a whole or not at all.
#pragma once

#include <map>
#include <string>

namespace tessera::gen {

// `files`: path below the folder -> text. Everything is written beside the folder and renamed when
// it is complete. A folder that is there and not empty is refused, with `force` replaced; of a
// folder that was there nothing is lost unless the new one is in its place. Throws job::Error for
// what the user can mend, std::runtime_error otherwise.
void WriteFolder(const std::string& folder, const std::map<std::string, std::string>& files,
                 bool force);

}  // namespace tessera::gen
