// Files that a program is asked to write when its work is done.
#pragma once

#include <fstream>
#include <stdexcept>
#include <string>

namespace tessera {

// Throws if a file cannot be written, before the work and not after it; what it holds stays.
inline void TryToWrite(const std::string& path) {
  if (std::ofstream(path, std::ios::app)) return;
  throw std::invalid_argument(path +
                              ": cannot be written: legal is a file in a folder that is there");
}

}  // namespace tessera
