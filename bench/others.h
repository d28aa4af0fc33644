// What other engines reach on the same memory model, at 64 bits: the best of those that were
// measured for each row.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "bench/row.h"

namespace tessera::bench {

// `name` is the middle of a row's id.
std::optional<double> OtherUtilisation(Path path, const std::string& name, uint32_t latency);
// For rows where the measurement was a remark or a share of the limit.
std::string OtherNote(const std::string& name);

// The read engine with any alignment that has the highest estimated clock, for the headline.
inline constexpr double kOtherReadMhz = 113.0;

}  // namespace tessera::bench
