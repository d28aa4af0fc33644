// The committed figures, and whether today's are worse.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace tessera::bench {

// A figure of a row. Names that end in "/bursts" and "/cycles" count what should be few, others
// what should be much.
using Figures = std::map<std::string, double>;

inline constexpr double kTolerance = 0.01;

// Lines "name,value" after a heading. Throws std::invalid_argument for a file that is not there or
// not that.
Figures LoadBaseline(const std::string& path);
void SaveBaseline(const std::string& path, const Figures& figures);

struct Comparison {
  std::vector<std::string> worse;    // a sentence each
  std::vector<std::string> better;   // by more than the tolerance
  std::vector<std::string> unknown;  // measured and not in the baseline
  size_t compared = 0;
};
Comparison Compare(const Figures& baseline, const Figures& today);

}  // namespace tessera::bench
