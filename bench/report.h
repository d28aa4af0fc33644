// Tables for a terminal and CSV; the committed figures, and whether today's are worse; the
// estimated clocks.
#pragma once

#include <cstdio>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bench/programs.h"
#include "bench/row.h"

namespace tessera::bench {

// ---- The committed figures

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

// ---- The estimated clock of each engine, from bench/figures.json: what `scripts/clock` found

class Clocks {
 public:
  // Throws std::invalid_argument for a file without `units`.
  static Clocks Load(const std::string& path);

  // MHz; memory to memory has that of the slower engine.
  std::optional<double> Mhz(Path path, int bits) const;

 private:
  std::optional<double> read64_, read512_, write64_, write512_;
};

// GB/s that a share of a bus delivers.
inline double Bandwidth(double utilisation, int bits, double mhz) {
  return utilisation * bits / 8.0 * mhz / 1000.0;
}

// ---- What was measured

struct Measured {
  Row row;
  RowResult result;
};
struct MeasuredLatency {
  LatencyRow row;
  LatencyResult result;
};
struct MeasuredProgram {
  ProgramRow row;
  ProgramResult result;
};
struct Results {
  std::vector<Measured> rows;
  std::vector<MeasuredLatency> latencies;
  std::vector<MeasuredProgram> programs;
  std::vector<std::string> not_built;  // configurations that rows wanted and that are not there
  std::string unwritten;               // why the waveform is not there

  Figures figures() const;  // what the baseline keeps
  size_t errors() const;    // rows that did not run to their end, or whose data were wrong
  size_t misses() const;
  size_t size() const { return rows.size() + latencies.size() + programs.size(); }
};

// Columns as wide as their widest cell; numbers to the right. Colours only if `colour`.
class Table {
 public:
  Table(std::vector<std::string> heading, bool colour)
      : colour_(colour), lines_{std::move(heading)} {}
  void Add(std::vector<std::string> cells) { lines_.push_back(std::move(cells)); }
  void Print(std::FILE* out) const;

 private:
  bool colour_;
  std::vector<std::vector<std::string>> lines_;
};

void PrintTables(const Results& results, const Clocks& clocks, bool colour, std::FILE* out);
void PrintSummary(const Results& results, const Clocks& clocks, std::FILE* out);
void WriteCsv(const std::string& path, const Results& results, const Clocks& clocks);

}  // namespace tessera::bench
