// See baseline.h.
#include "bench/baseline.h"

#include <fmt/format.h>
#include <fmt/os.h>

#include <fstream>
#include <stdexcept>

namespace tessera::bench {
namespace {

constexpr const char* kHeading = "figure,value";

bool FewIsGood(const std::string& name) {
  return name.ends_with("/bursts") || name.ends_with("/cycles");
}

}  // namespace

Figures LoadBaseline(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  if (!file || !std::getline(file, line) || line != kHeading) {
    throw std::invalid_argument(fmt::format(
        "{}: a baseline begins with the line '{}'; --update writes one", path, kHeading));
  }
  Figures figures;
  while (std::getline(file, line)) {
    const size_t comma = line.find(',');
    try {
      figures[line.substr(0, comma)] = std::stod(line.substr(comma + 1));
    } catch (const std::logic_error&) {
      throw std::invalid_argument(
          fmt::format("{}: line '{}' must be a name, a comma and a number", path, line));
    }
  }
  return figures;
}

void SaveBaseline(const std::string& path, const Figures& figures) {
  fmt::ostream out = fmt::output_file(path);
  out.print("{}\n", kHeading);
  for (const auto& [name, value] : figures) out.print("{},{:.6g}\n", name, value);
}

Comparison Compare(const Figures& baseline, const Figures& today) {
  Comparison result;
  for (const auto& [name, value] : today) {
    const auto known = baseline.find(name);
    if (known == baseline.end()) {
      result.unknown.push_back(name);
      continue;
    }
    ++result.compared;
    const double was = known->second;
    const double change = FewIsGood(name) ? was - value : value - was;
    if (change < -kTolerance * was) {
      result.worse.push_back(fmt::format("{}: was {:.6g}, is {:.6g}", name, was, value));
    } else if (change > kTolerance * was) {
      result.better.push_back(fmt::format("{}: was {:.6g}, is {:.6g}", name, was, value));
    }
  }
  return result;
}

}  // namespace tessera::bench
