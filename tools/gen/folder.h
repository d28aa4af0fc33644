// Writes a folder as a whole or not at all.
#pragma once

#include <functional>
#include <map>
#include <string>

namespace tessera::gen {

// Says of the path of a file, below a folder, whether it may go with the folder.
using Replaceable = std::function<bool(const std::string& path)>;

// `files`: path below the folder -> text. Everything is written beside the folder and renamed when
// it is complete. A folder that is there and not empty is refused unless all of its files are
// `replaceable` (absent: none is); of a folder that was there nothing is lost unless the new one is
// in its place. Once Interrupted(), InterruptedRun is thrown and all is as before, unless the
// folder is complete. Throws job::Error for what the user can mend, OutputError for what the system
// refuses.
void WriteFolder(const std::string& folder, const std::map<std::string, std::string>& files,
                 const Replaceable& replaceable = nullptr);

// Takes the files that the specifications in a folder give again, and what the testbenches build
// beside them. A folder without such a specification has none.
Replaceable FilesOfEarlier(const std::string& folder);

}  // namespace tessera::gen
