// Text files of PLIO and FileIO: lines of numbers, and TLAST.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "adf/model.hpp"

namespace adf::detail {

struct FileData {
  std::vector<uint8_t> bytes;
  std::vector<size_t> packets;  // numbers of bytes at each TLAST
};

// Throws GraphError that names file and line.
FileData ReadFile(const FileNode& file, ElementType type);
void WriteFile(const FileNode& file, ElementType type, const FileData& data);

}  // namespace adf::detail
