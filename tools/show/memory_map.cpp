// See memory_map.h.
#include "tools/show/memory_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "tb/sim/counted.h"

namespace tessera::show {
namespace {

using model::kDims;
using model::Transfer;

constexpr int64_t kLeastPitch = 16;  // if there are many lines
constexpr size_t kFewLines = 20;
constexpr int64_t kPlainPitch = 32;

// Coordinates times strides wrap as addresses do.
int64_t Times(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}
int64_t Plus(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}

int64_t FloorDivide(int64_t a, int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }

struct Spot {
  std::array<int64_t, kDims> plane{};
  int64_t line = 0;
  int64_t column = 0;
};

class Mapper {
 public:
  Mapper(const Subject& subject, const Table& table)
      : t_(subject.transfer), word_(subject.config.data_bytes), table_(table) {
    Choose();
    if (map_.sheet && !Fits()) {
      map_.sheet = false;
      ChoosePlain();
    }
  }

  MemoryMap Run() {
    PlaceCells();
    FindOwn();
    PlaceBursts();
    FindColumns();
    return std::move(map_);
  }

 private:
  int64_t Size(size_t d) const {
    return t_.stride[d] == std::numeric_limits<int64_t>::min() ? std::numeric_limits<int64_t>::max()
                                                               : std::abs(t_.stride[d]);
  }

  // True if the entries move along the dimension.
  bool Moves(size_t d) const {
    if (t_.stride[d] == 0 || table_.entries.empty()) return false;
    const int64_t first = table_.entries.front().x[d];
    return std::any_of(table_.entries.begin(), table_.entries.end(),
                       [&](const TableEntry& e) { return e.x[d] != first; });
  }

  // Coordinates that the entries have in a dimension.
  size_t Turns(size_t d) const {
    std::set<int64_t> all;
    for (const TableEntry& e : table_.entries) all.insert(e.x[d]);
    return all.size();
  }

  // The dimension with the shortest stride that holds another one's turns.
  void Choose() {
    std::optional<size_t> best;
    for (size_t d = 0; d < kDims; ++d) {
      if (!Moves(d) || (Size(d) < kLeastPitch && Turns(d) > kFewLines)) continue;
      bool holds = Size(d) >= 4 * kLeastPitch;
      for (size_t e = 0; e < kDims; ++e) holds |= Moves(e) && Size(e) < Size(d);
      if (holds && (!best || Size(d) < Size(*best))) best = d;
    }
    if (!best) return ChoosePlain();
    map_.sheet = true;
    map_.line_dim = *best;
    map_.pitch = static_cast<uint64_t>(Size(*best));
  }

  void ChoosePlain() {
    int64_t pitch = std::max<int64_t>(kPlainPitch, 8 * t_.elem);
    for (size_t d = 0; d < kDims; ++d) {
      if (Moves(d) && Size(d) > t_.elem && Size(d) <= 32) pitch = std::max(pitch, 8 * Size(d));
    }
    map_.pitch = static_cast<uint64_t>(std::bit_ceil(static_cast<uint64_t>(pitch)));
  }

  int64_t Pitch() const { return static_cast<int64_t>(map_.pitch); }
  // Plain memory begins at a line's first byte; a sheet where its coordinates do.
  uint64_t Origin() const {
    const uint64_t origin = t_.base + t_.offset;
    return map_.sheet ? origin : origin - origin % map_.pitch;
  }

  Spot SpotOf(const TableEntry& e) const {
    Spot spot;
    if (!map_.sheet) {
      int64_t at = static_cast<int64_t>((t_.base + t_.offset) % map_.pitch);
      for (size_t d = 0; d < kDims; ++d) at = Plus(at, Times(e.x[d], t_.stride[d]));
      spot.line = FloorDivide(at, Pitch());
      spot.column = at - spot.line * Pitch();
      return spot;
    }
    for (size_t d = 0; d < kDims; ++d) {
      if (d == map_.line_dim) {
        spot.line = t_.stride[d] < 0 ? -e.x[d] : e.x[d];
      } else if (Size(d) < Pitch()) {
        spot.column = Plus(spot.column, Times(e.x[d], t_.stride[d]));
      } else if (t_.stride[d] != 0) {
        spot.plane[d] = e.x[d];
      }
    }
    return spot;
  }

  // A sheet if the valid bytes of a line lie within a pitch, and different cells are different
  // bytes.
  bool Fits() const {
    std::optional<int64_t> low, high;
    std::map<std::tuple<std::array<int64_t, kDims>, int64_t, int64_t>, uint64_t> at;
    std::map<uint64_t, std::tuple<std::array<int64_t, kDims>, int64_t, int64_t>> cell;
    for (const TableEntry& e : table_.entries) {
      if (!e.valid) continue;
      const Spot spot = SpotOf(e);
      low = std::min(low.value_or(spot.column), spot.column);
      high = std::max(high.value_or(spot.column), spot.column);
      const std::tuple key{spot.plane, spot.line, spot.column};
      if (at.try_emplace(key, e.addr).first->second != e.addr) return false;
      if (cell.try_emplace(e.addr, key).first->second != key) return false;
    }
    return !low || (*high - *low < Pitch() && *high - *low + t_.elem <= Pitch());
  }

  void PlaceCells() {
    using LineKey = std::tuple<std::array<int64_t, kDims>, int64_t>;
    std::map<LineKey, uint64_t> lines;
    std::set<std::tuple<LineKey, int64_t>> taken;  // by data, where fill has no place
    for (const TableEntry& e : table_.entries) {
      const Spot spot = SpotOf(e);
      lines.try_emplace({spot.plane, spot.line}, 0);
      if (e.valid) taken.insert({{spot.plane, spot.line}, spot.column});
    }
    // In the order of memory, planes by their address.
    std::vector<std::pair<LineKey, uint64_t>> order;
    for (const auto& [key, unused] : lines) order.emplace_back(key, AddressOf(key));
    std::map<std::array<int64_t, kDims>, uint64_t> planes;
    for (const auto& [key, addr] : order) planes.try_emplace(std::get<0>(key), planes.size());
    map_.planes = planes.size();
    for (const auto& [key, addr] : order) {
      MapLine line;
      line.plane = planes.at(std::get<0>(key));
      line.number = std::get<1>(key);
      line.addr = addr;
      line.gap_before = !map_.lines.empty() && map_.lines.back().plane == line.plane &&
                        map_.lines.back().number + 1 != line.number;
      lines.at(key) = map_.lines.size();
      map_.lines.push_back(line);
    }
    std::map<std::tuple<uint64_t, int64_t, bool>, size_t> cells;
    for (size_t n = 0; n < table_.entries.size(); ++n) {
      const TableEntry& e = table_.entries[n];
      const Spot spot = SpotOf(e);
      const LineKey key{spot.plane, spot.line};
      if (!e.valid && taken.contains({key, spot.column})) {
        ++map_.hidden;
        continue;
      }
      const uint64_t line = lines.at(key);
      const auto [it, fresh] = cells.try_emplace({line, spot.column, e.valid}, map_.cells.size());
      if (fresh) map_.cells.push_back({line, spot.column, t_.elem, e.valid, {}, n});
      map_.cells[it->second].visits.push_back(n);
    }
  }

  // Cells in the order of memory; what of each is not covered by the next one.
  void FindOwn() {
    std::sort(map_.cells.begin(), map_.cells.end(), [](const MapCell& a, const MapCell& b) {
      return std::tuple(a.line, a.column, a.valid) < std::tuple(b.line, b.column, b.valid);
    });
    for (size_t n = 0; n + 1 < map_.cells.size(); ++n) {
      const MapCell& next = map_.cells[n + 1];
      if (next.line != map_.cells[n].line) continue;
      map_.cells[n].own = std::min<int64_t>(t_.elem, next.column - map_.cells[n].column);
    }
  }

  uint64_t AddressOf(const std::tuple<std::array<int64_t, kDims>, int64_t>& key) const {
    const auto& [plane, number] = key;
    uint64_t addr = Origin() + static_cast<uint64_t>(Times(number, Pitch()));
    for (size_t d = 0; d < kDims; ++d) addr += static_cast<uint64_t>(Times(plane[d], t_.stride[d]));
    return addr;
  }

  // Bytes visited or asked for, gaps of no more than a word or two closed.
  void FindColumns() {
    std::map<int64_t, int64_t> pieces;
    for (const MapCell& cell : map_.cells) {
      auto& last = pieces.try_emplace(cell.column, cell.column).first->second;
      last = std::max(last, cell.column + t_.elem - 1);
    }
    for (const MapBurst& b : map_.bursts) {
      auto& last = pieces.try_emplace(b.first, b.last).first->second;
      last = std::max(last, b.last);
    }
    const int64_t gap = std::max<int64_t>(16, 2 * word_);
    for (const auto& [first, last] : pieces) {
      if (!map_.columns.empty() && first <= map_.columns.back().last + gap) {
        map_.columns.back().last = std::max(map_.columns.back().last, last);
      } else {
        map_.columns.push_back({first, last});
      }
    }
    if (!map_.sheet && !map_.columns.empty()) map_.columns = {{0, Pitch() - 1}};
  }

  // Bursts on the bytes that data can lie in.
  void PlaceBursts() {
    std::optional<int64_t> low, high;
    for (const MapCell& cell : map_.cells) {
      if (!cell.valid) continue;
      low = std::min(low.value_or(cell.column), cell.column);
      high = std::max(high.value_or(cell.column), cell.column + t_.elem - 1);
    }
    if (!low) return;
    // What of a word lies beside the data, as long as it is not the line above or below.
    const int64_t left = std::max(*low - word_ + 1, *high - Pitch() + 1);
    const int64_t right = std::min(*high + word_ - 1, *low + Pitch() - 1);
    std::vector<bool> has_data(map_.lines.size(), false);
    for (const MapCell& cell : map_.cells) has_data[cell.line] = has_data[cell.line] || cell.valid;
    for (size_t n = 0; n < table_.bursts.size(); ++n) {
      const Burst& burst = table_.bursts[n];
      const int64_t bytes = static_cast<int64_t>(burst.words) * word_;
      for (size_t l = 0; l < map_.lines.size(); ++l) {
        if (!has_data[l]) continue;
        const int64_t from = static_cast<int64_t>(burst.addr - map_.lines[l].addr);
        const int64_t first = std::max(from, left);
        const int64_t last = std::min(from + bytes - 1, right);
        if (first > last || last < *low || first > *high) continue;
        map_.bursts.push_back({n, l, first, last});
      }
    }
  }

  const Transfer& t_;
  const int64_t word_;
  const Table& table_;
  MemoryMap map_;
};

}  // namespace

MemoryMap MakeMap(const Subject& subject, const Table& table) {
  return Mapper(subject, table).Run();
}

std::string MapTitle(const MemoryMap& map) {
  if (!map.sheet) return fmt::format("memory, lines of {}", Counted(map.pitch, "byte"));
  return fmt::format("memory, a line for each step of dimension {}, {}", map.line_dim,
                     Counted(map.pitch, "byte"));
}

std::vector<std::string> LineLabels(const MemoryMap& map, const Transfer& t) {
  std::vector<bool> has_data(map.lines.size(), false);
  for (const MapCell& cell : map.cells) has_data[cell.line] = has_data[cell.line] || cell.valid;
  std::vector<std::string> labels;
  for (size_t l = 0; l < map.lines.size(); ++l) {
    if (has_data[l] || !map.sheet) {
      labels.push_back(fmt::format("{:#x}", map.lines[l].addr));
      continue;
    }
    const int64_t number = map.lines[l].number;
    labels.push_back(
        fmt::format("x{} = {}", map.line_dim, t.stride[map.line_dim] < 0 ? -number : number));
  }
  return labels;
}

}  // namespace tessera::show
