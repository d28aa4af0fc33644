// Tables for a terminal and CSV.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include "bench/baseline.h"
#include "bench/clock.h"
#include "bench/programs.h"
#include "bench/row.h"

namespace tessera::bench {

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
