// The positions of a transfer one by one: where each lies in memory, in the stream and in a burst.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "tools/show/analysis.h"

namespace tessera::show {

struct TableEntry {
  uint64_t index = 0;
  std::array<int64_t, model::kDims> x{};
  std::array<uint64_t, model::kWalkLevels> t{};
  uint64_t addr = 0;
  bool valid = false;
  uint64_t row = 0;             // of the engine
  uint64_t beat = 0, lane = 0;  // of the stream, of its first byte
  uint64_t last_beat = 0;       // of its last byte
  bool ends_packet = false;     // its last byte goes out with TLAST
  // Bursts that its first and its last byte lie in; none if it is fill.
  std::optional<uint64_t> burst, last_burst;
};

struct Table {
  std::vector<TableEntry> entries;
  std::vector<Burst> bursts;  // as far as the entries name them
  uint64_t rows = 0;          // as far as the entries name them
  bool whole = false;         // all positions are there
  uint64_t first = 0;         // index of the first entry

  void DropBursts();  // that no entry names
};

// The first `most` positions; where all of these are fill, those from the first row with data on.
Table MakeTable(const Subject& subject, uint64_t most);

}  // namespace tessera::show
