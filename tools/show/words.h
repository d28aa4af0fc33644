// Words that picture and page share.
#pragma once

#include <string>
#include <vector>

#include "tools/show/memory_map.h"

namespace tessera::show {

// "memory to stream".
std::string DirectionWords(Direction direction);
// Without the folders.
std::string FileName(const std::string& path);
// The fields of a transfer that matter, a line or two.
std::vector<std::string> FieldLines(const model::Transfer& transfer);
// What a line of the map is.
std::string MapTitle(const MemoryMap& map);
// The address of each line, or its coordinate if it holds no data.
std::vector<std::string> LineLabels(const MemoryMap& map, const model::Transfer& transfer);

}  // namespace tessera::show
