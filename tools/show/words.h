// Numbers as people read them, and words that reports, pictures and pages share.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tools/show/analysis.h"

namespace tessera::show {

// Counts end here: what is shown of it is "at least".
inline constexpr uint64_t kSaturated = ~uint64_t{0};

// 1234567 as "1 234 567": no comma, which some read as a point.
std::string Grouped(uint64_t value);
// "1 row", "1 234 rows".
std::string Plural(uint64_t count, std::string_view what);
// Cycles and the like: whole numbers grouped, small ones with a digit after the point.
std::string GroupedReal(double value);
// "12.3 MiB", and "200 bytes" for what is small.
std::string Size(uint64_t bytes);
// A signed wide number, hexadecimal: "-0x10".
std::string Hex(__int128 value);

// "memory to stream".
std::string DirectionWords(Direction direction);
// Without the folders.
std::string FileName(const std::string& path);
// The fields of a transfer that matter, a line or two.
std::vector<std::string> FieldLines(const model::Transfer& transfer);

}  // namespace tessera::show
