// See report.h.
#include "bench/report.h"

#include <fmt/format.h>

#include <sstream>
#include <stdexcept>

#include "tb/files/input.h"
#include "tb/files/output.h"

namespace tessera::bench {
namespace {

constexpr const char* kHeading = "figure,value";

bool FewIsGood(const std::string& name) {
  return name.ends_with("/bursts") || name.ends_with("/cycles");
}

}  // namespace

Figures LoadBaseline(const std::string& path) {
  std::istringstream file;
  try {
    file.str(ReadInput(path));
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(fmt::format("{}: {}: legal is a baseline", path, error.what()));
  }
  std::string line;
  if (!std::getline(file, line) || line != kHeading) {
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
  std::string text = fmt::format("{}\n", kHeading);
  for (const auto& [name, value] : figures) text += fmt::format("{},{:.6g}\n", name, value);
  WriteOutput(path, text);
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
