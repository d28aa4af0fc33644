// A page on which the walk of a transfer can be stepped: one HTML file that needs nothing else.
#pragma once

#include <string>

#include "tools/show/report.h"

namespace tessera::show {

inline constexpr uint64_t kPagePositions = 1024;  // that can be stepped through

std::string MakePage(const Report& report);

}  // namespace tessera::show
