// SVG plots of the bench: utilisation over transfer size.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "bench/report.h"

namespace tessera::bench {

// A line of a plot. Sizes are powers of two.
struct Series {
  enum class Style : uint8_t { kLine, kDashes, kDots };
  std::string name;
  std::string colour;
  Style style = Style::kLine;
  std::vector<std::pair<double, double>> points;  // transfer size in bytes, utilisation 0 .. 1
};

// The text of an SVG file. Throws std::invalid_argument if there is no point.
std::string Plot(const std::string& title, const std::vector<Series>& series);

struct Plots {
  std::vector<std::string> written, failures;  // files; sentences
};

// All files that WritePlots may write.
std::vector<std::string> PlotFiles(const std::string& folder);
// Writes a plot for each path and bus width of which `results` holds a sweep.
Plots WritePlots(const std::string& folder, const Results& results);

}  // namespace tessera::bench
