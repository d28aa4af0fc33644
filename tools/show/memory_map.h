// Memory as a sheet: lines of a pitch below each other, planes as sheets of their own, and where
// each position of a table lies on it. For whoever draws it.
//
// The pitch is the stride of a dimension whose turns hold a shorter one. Positions outside the
// bounds lie where their coordinates put them: beside the lines, above or below them, not on the
// bytes that their address would be. Patterns that are no sheet (strides that are not nested) are
// shown as plain memory, line by line.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tools/show/table.h"

namespace tessera::show {

struct MapCell {
  uint64_t line = 0;   // of MemoryMap::lines
  int64_t column = 0;  // byte of the line; may be negative or past the pitch if not valid
  int64_t own = 0;     // its bytes up to the next cell: elements may overlap
  bool valid = false;
  std::vector<uint64_t> visits;  // entries of the table, in order
  uint64_t entry = 0;            // of the table, the first visit
};

struct MapLine {
  uint64_t plane = 0;
  int64_t number = 0;       // in its plane
  uint64_t addr = 0;        // of column 0
  bool gap_before = false;  // lines of its plane lie between it and the line before
};

// Bytes of a line that are drawn; between two of them lie bytes that nobody visits.
struct MapColumns {
  int64_t first = 0, last = 0;  // both included
};

// What one burst covers on one line.
struct MapBurst {
  uint64_t burst = 0;
  uint64_t line = 0;
  int64_t first = 0, last = 0;
};

struct MemoryMap {
  uint64_t pitch = 0;
  bool sheet = false;  // lines are turns of dimension `line_dim`
  size_t line_dim = 0;
  std::vector<MapLine> lines;
  std::vector<MapColumns> columns;
  std::vector<MapCell> cells;
  std::vector<MapBurst> bursts;
  uint64_t planes = 0;
  uint64_t hidden = 0;  // positions of the table that are not placed: fill where it has no place
};

MemoryMap MakeMap(const Subject& subject, const Table& table);

// What a line of the map is.
std::string MapTitle(const MemoryMap& map);
// The address of each line, or its coordinate if it holds no data.
std::vector<std::string> LineLabels(const MemoryMap& map, const model::Transfer& transfer);

}  // namespace tessera::show
