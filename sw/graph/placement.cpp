// Constraints of kernels and buffers: checked, and met.
#include "placement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <set>

namespace adf::detail {
namespace {

using Rule = Constraint::Kind;

constexpr int kTileBytes = Placement::kBanks * Placement::kBankBytes;

bool Reaches(std::pair<int, int> kernel, int column, int row) {
  const auto [c, r] = kernel;
  if (column == c) return row >= r - 1 && row <= r + 1;
  return row == r && column == (r % 2 == 0 ? c - 1 : c + 1);
}

}  // namespace

std::string Subject::Name() const {
  switch (kind) {
    case Kind::kKernel:
      return node->name;
    case Kind::kStack:
      return "the stack of " + node->name;
    case Kind::kBuffer:
      return index < 0 ? port->Name() : fmt::format("buffer {} of {}", index, port->Name());
    case Kind::kTable:
      return table->name;
    case Kind::kGraph:
      return graph->name.empty() ? fmt::format("graph {}", graph->number) : graph->name;
  }
  return "?";
}

Placement::Placement(const GraphNode& graph, const std::vector<std::shared_ptr<Node>>& nodes) {
  std::vector<Node*> edges;
  for (const auto& node : nodes) {
    if (auto* kernel = dynamic_cast<KernelNode*>(node.get())) {
      kernels_.push_back(kernel);
    } else {
      edges.push_back(node.get());
    }
  }
  const auto mine = [&](const Subject& subject) {
    if (subject.kind == Subject::Kind::kGraph) {
      return std::ranges::any_of(KernelsOf(subject.graph), [&](const Node* node) {
        return std::ranges::find(kernels_, node) != kernels_.end();
      });
    }
    if (subject.kind == Subject::Kind::kTable) {
      return std::ranges::any_of(kernels_, [&](const KernelNode* kernel) {
        return std::ranges::find(kernel->tables, subject.table) != kernel->tables.end();
      });
    }
    const Node* node = subject.port != nullptr ? subject.port->owner : subject.node;
    return std::ranges::find(kernels_, node) != kernels_.end();
  };
  for (const Constraint& constraint : TheProgram().constraints) {
    if (mine(constraint.subject)) constraints_.push_back(constraint);
  }
  for (Constraint& constraint : constraints_) {
    if (constraint.kind == Rule::kArea) constraint.nodes = KernelsOf(constraint.subject.graph);
  }
  const char* variable = std::getenv("TESSERA_GRAPH_CONSTRAINTS");
  const std::string path = !graph.constraints.empty() ? graph.constraints
                           : variable != nullptr      ? variable
                                                      : "";
  if (!path.empty()) {
    std::ranges::move(ReadConstraints(path, graph, kernels_, edges),
                      std::back_inserter(constraints_));
  }
  CheckRanges();
  PlaceKernels();
  PlaceBuffers();
}

std::vector<Node*> Placement::KernelsOf(const GraphNode* graph) const {
  std::vector<Node*> found;
  for (const GraphNode* each : GraphsIn(graph)) {
    for (const auto& node : each->nodes) {
      if (node->type == Node::Type::kKernel) found.push_back(node.get());
    }
  }
  return found;
}

void Placement::CheckRanges() const {
  for (const Constraint& c : constraints_) {
    if (c.kind == Rule::kAt) {
      const Place& p = c.place;
      const bool anywhere = p.column < 0 && p.row < 0 && p.offset >= 0;  // offset(bytes)
      if (!anywhere && (p.column < 0 || p.column >= kColumns || p.row < 0 || p.row >= kRows)) {
        Fail(
            fmt::format("location of {}: tile ({}, {}); legal are columns 0 to {} and rows 0 to {}",
                        c.subject.Name(), p.column, p.row, kColumns - 1, kRows - 1));
      }
      if (p.bank < -1 || p.bank >= kBanks) {
        Fail(fmt::format("location of {}: bank {}; legal is 0 to {}", c.subject.Name(), p.bank,
                         kBanks - 1));
      }
      if (p.offset < -1 || p.offset >= kTileBytes || (p.offset >= 0 && p.offset % 32 != 0)) {
        Fail(fmt::format("location of {}: address {}; legal are multiples of 32 below {}",
                         c.subject.Name(), p.offset, kTileBytes));
      }
    }
    for (const Box& box : c.boxes) {
      if (box.column < 0 || box.row < 0 || box.column > box.column2 || box.row > box.row2 ||
          box.column2 >= kColumns || box.row2 >= kRows) {
        Fail(fmt::format(
            "bounding_box of {}: ({}, {}) to ({}, {}); legal are columns 0 to {} and "
            "rows 0 to {}, the lower left corner first",
            c.name, box.column, box.row, box.column2, box.row2, kColumns - 1, kRows - 1));
      }
    }
  }
}

// ---- Kernels ----------------------------------------------------------------------------------

bool Placement::IsIn(const Constraint& area, const Node* kernel) const {
  return std::ranges::find(area.nodes, kernel) != area.nodes.end();
}

// Whether no constraint forbids a kernel on a tile, as far as others have been placed.
bool Placement::Allowed(const Node* kernel, Tile tile, std::string* why) const {
  for (const Constraint& c : constraints_) {
    if (c.kind == Rule::kArea && !c.boxes.empty()) {
      const bool inside = std::ranges::any_of(
          c.boxes, [&](const Box& box) { return box.Holds(tile.first, tile.second); });
      if (IsIn(c, kernel) && !inside) {
        *why = fmt::format("it is outside of the area {}", c.name);
        return false;
      }
      if (!IsIn(c, kernel) && inside && c.exclusive) {
        *why = fmt::format("the area {} is exclusive", c.name);
        return false;
      }
    }
    const bool kernels =
        c.subject.kind == Subject::Kind::kKernel && c.other.kind == Subject::Kind::kKernel;
    if (!kernels || (c.kind != Rule::kSame && c.kind != Rule::kDifferent)) continue;
    const Node* other = c.subject.node == kernel ? c.other.node
                        : c.other.node == kernel ? c.subject.node
                                                 : nullptr;
    const auto placed = tiles_.find(other);
    if (other == nullptr || placed == tiles_.end()) continue;
    if ((placed->second == tile) != (c.kind == Rule::kSame)) {
      *why =
          fmt::format("{} is on {}, and both must be on {}", other->name, TileText(placed->second),
                      c.kind == Rule::kSame ? "one tile" : "two tiles");
      return false;
    }
  }
  return true;
}

void Placement::Put(Node* kernel, Tile tile, const std::string& why) {
  std::string reason;
  if (!Allowed(kernel, tile, &reason)) {
    Fail(fmt::format("{} of {}: tile {}: {}", why, kernel->name, TileText(tile), reason));
  }
  const auto [placed, fresh] = tiles_.emplace(kernel, tile);
  if (!fresh && placed->second != tile) {
    Fail(fmt::format("{} of {}: tile {}, and another constraint says {}", why, kernel->name,
                     TileText(tile), TileText(placed->second)));
  }
}

void Placement::PlaceKernels() {
  for (const Constraint& c : constraints_) {
    if (c.kind == Rule::kAt && c.subject.kind == Subject::Kind::kKernel) {
      Put(c.subject.node, {c.place.column, c.place.row}, "location<kernel>");
    }
  }
  // What must be with a placed kernel is there too.
  for (bool grows = true; grows;) {
    grows = false;
    for (const Constraint& c : constraints_) {
      if (c.kind != Rule::kSame || c.subject.kind != Subject::Kind::kKernel ||
          c.other.kind != Subject::Kind::kKernel) {
        continue;
      }
      for (const auto& [from, to] :
           {std::pair(c.subject.node, c.other.node), std::pair(c.other.node, c.subject.node)}) {
        if (!tiles_.contains(from) || tiles_.contains(to)) continue;
        Put(to, tiles_[from], "location<kernel>");
        grows = true;
      }
    }
  }
  std::set<const Node*> stamped;
  for (const Constraint& c : constraints_) {
    if (c.kind != Rule::kStamp) continue;
    for (const Node* node : KernelsOf(c.subject.graph)) stamped.insert(node);
  }
  // Kernels that share a tile by their own wish keep it; all others get one of their own.
  const auto place = [&](Node* kernel) {
    if (tiles_.contains(kernel)) return;
    std::string why = "every tile is taken";
    for (int column = 0; column < kColumns; ++column) {
      for (int row = 0; row < kRows; ++row) {
        const Tile tile{column, row};
        std::string reason;
        if (!Allowed(kernel, tile, &reason)) {
          why = reason;
          continue;
        }
        bool together = false;
        for (const Constraint& c : constraints_) {
          together |= c.kind == Rule::kSame && (c.subject.node == kernel || c.other.node == kernel);
        }
        const bool taken =
            std::ranges::any_of(tiles_, [&](const auto& placed) { return placed.second == tile; });
        if (taken && !together) continue;
        tiles_[kernel] = tile;
        return;
      }
    }
    Fail(fmt::format("{} has no tile: {}", kernel->name, why));
  };
  for (KernelNode* kernel : kernels_) {
    if (!stamped.contains(kernel)) place(kernel);
  }
  Stamp();
  for (KernelNode* kernel : kernels_) place(kernel);
}

// A stamped graph has the places of its reference, moved by a whole number of columns and by an
// even number of rows: odd and even rows are mirrored.
void Placement::Stamp() {
  std::vector<std::pair<std::string, Box>> groups;
  const auto box_of = [&](const GraphNode* graph) {
    Box box{kColumns, kRows, -1, -1};
    for (const Node* node : KernelsOf(graph)) {
      const auto [column, row] = tiles_.at(node);
      box = {std::min(box.column, column), std::min(box.row, row), std::max(box.column2, column),
             std::max(box.row2, row)};
    }
    return box;
  };
  for (const Constraint& c : constraints_) {
    if (c.kind != Rule::kStamp) continue;
    const std::vector<Node*> from = KernelsOf(c.other.graph), to = KernelsOf(c.subject.graph);
    const std::string what = fmt::format("stamp of {}", c.subject.Name());
    if (from.size() != to.size()) {
      Fail(fmt::format("{}: it has {} kernels, and {} has {}", what, to.size(), c.other.Name(),
                       from.size()));
    }
    for (const Node* node : from) {
      if (!tiles_.contains(node))
        Fail(fmt::format("{}: {} is stamped itself", what, c.other.Name()));
    }
    const Box reference = box_of(c.other.graph);
    if (groups.empty()) groups.emplace_back(c.other.Name(), reference);
    // A box says where the stamped graph begins, else it is the first place that is free.
    const Constraint* area = nullptr;
    for (const Constraint& each : constraints_) {
      if (each.kind == Rule::kArea && each.subject == c.subject && !each.boxes.empty())
        area = &each;
    }
    bool done = false;
    std::string why = "the array has no room";
    for (int column = 0; column < kColumns && !done; ++column) {
      for (int row = 0; row < kRows && !done; ++row) {
        const Box box{column, row, column + reference.column2 - reference.column,
                      row + reference.row2 - reference.row};
        if (area != nullptr && (area->boxes[0].column != column || area->boxes[0].row != row)) {
          continue;
        }
        if (box.column2 >= kColumns || box.row2 >= kRows) continue;
        if ((row - reference.row) % 2 != 0) {
          why = fmt::format("row {} and row {} of {} are not both even or both odd", row,
                            reference.row, c.other.Name());
          continue;
        }
        const auto overlap = std::ranges::find_if(
            groups, [&](const auto& group) { return group.second.Overlaps(box); });
        if (overlap != groups.end()) {
          why = fmt::format("({}, {}) to ({}, {}) overlaps {}", box.column, box.row, box.column2,
                            box.row2, overlap->first);
          continue;
        }
        const bool taken = std::ranges::any_of(tiles_, [&](const auto& placed) {
          return box.Holds(placed.second.first, placed.second.second);
        });
        if (taken) {
          why = "a kernel stands in the way";
          continue;
        }
        for (size_t n = 0; n < from.size(); ++n) {
          const auto [c0, r0] = tiles_.at(from[n]);
          Put(to[n], {c0 - reference.column + column, r0 - reference.row + row}, "stamp");
        }
        groups.emplace_back(c.subject.Name(), box);
        done = true;
      }
    }
    if (!done) Fail(fmt::format("{}: {}", what, why));
  }
}

// ---- Buffers ----------------------------------------------------------------------------------

bool Placement::Free(const PlacedBuffer& buffer, std::string* why) const {
  if (buffer.offset + buffer.bytes > kTileBytes) {
    *why = fmt::format("its {} bytes end beyond the {} of the tile", buffer.bytes, kTileBytes);
    return false;
  }
  for (const PlacedBuffer& other : buffers_) {
    if (other.column != buffer.column || other.row != buffer.row) continue;
    if (other.offset < buffer.offset + buffer.bytes && buffer.offset < other.offset + other.bytes) {
      *why = fmt::format("bytes {} to {} are those of {}", other.offset,
                         other.offset + other.bytes - 1, other.subject.Name());
      return false;
    }
  }
  const auto bank = [](int offset) { return offset / kBankBytes; };
  for (const Constraint& c : constraints_) {
    if (c.kind == Rule::kAt || c.kind == Rule::kArea || c.kind == Rule::kStamp) continue;
    for (const auto& [mine, theirs] :
         {std::pair(c.subject, c.other), std::pair(c.other, c.subject)}) {
      Subject any = buffer.subject;
      any.index = -1;
      if (mine != buffer.subject && mine != any) continue;
      if (theirs.kind == Subject::Kind::kKernel) {
        const auto tile = tiles_.find(theirs.node);
        if (tile == tiles_.end()) continue;
        const bool together = tile->second == Tile(buffer.column, buffer.row);
        if (together != (c.kind != Rule::kDifferent)) {
          *why = fmt::format("{} is on {}", theirs.Name(), TileText(tile->second));
          return false;
        }
        continue;
      }
      for (const PlacedBuffer& other : buffers_) {
        Subject whole = other.subject;
        whole.index = -1;
        // Ping goes with ping, and pong with pong.
        if (whole != theirs && other.subject != theirs) continue;
        if (c.kind != Rule::kDifferent && other.subject.index != buffer.subject.index) continue;
        const bool together = other.column == buffer.column && other.row == buffer.row &&
                              bank(other.offset) == bank(buffer.offset);
        if (together != (c.kind != Rule::kDifferent)) {
          *why = fmt::format("{} is on bank {} of {}", other.subject.Name(), bank(other.offset),
                             TileText({other.column, other.row}));
          return false;
        }
      }
    }
    if (c.kind != Rule::kAlone) continue;
    const auto of = [&](const Subject& subject) {
      return subject.port == c.subject.port || subject.port == c.other.port;
    };
    for (const PlacedBuffer& other : buffers_) {
      const bool together = other.column == buffer.column && other.row == buffer.row &&
                            bank(other.offset) == bank(buffer.offset);
      if (together && of(other.subject) != of(buffer.subject)) {
        *why = fmt::format("bank {} is for {} and {} alone", bank(buffer.offset), c.subject.Name(),
                           c.other.Name());
        return false;
      }
    }
  }
  return true;
}

void Placement::PlaceBuffer(PlacedBuffer buffer, const Place& place) {
  std::vector<Tile> tiles;
  const Tile home = tiles_.at(buffer.node);
  if (place.column >= 0) {
    tiles = {{place.column, place.row}};
    if (!Reaches(home, place.column, place.row)) {
      Fail(fmt::format("location of {}: {} on {} does not reach the memory of tile {}",
                       buffer.subject.Name(), buffer.node->name, TileText(home),
                       TileText({place.column, place.row})));
    }
  } else {
    const auto [c, r] = home;
    for (const Tile& tile :
         {home, Tile(c, r - 1), Tile(c, r + 1), Tile(r % 2 == 0 ? c - 1 : c + 1, r)}) {
      const bool there =
          tile.first >= 0 && tile.first < kColumns && tile.second >= 0 && tile.second < kRows;
      if (there) tiles.push_back(tile);
    }
  }
  std::string why = "there is no room";
  for (const auto& [column, row] : tiles) {
    buffer.column = column;
    buffer.row = row;
    // In the bank, or at the address, that is said; else the first place that is free, in the bank
    // that has least.
    if (place.offset >= 0) {
      buffer.offset = place.offset;
      if (Free(buffer, &why)) return buffers_.push_back(buffer);
      continue;
    }
    std::vector<std::pair<int, int>> banks;  // bytes, bank
    for (int bank = 0; bank < kBanks; ++bank) {
      if (place.bank >= 0 && bank != place.bank) continue;
      int used = 0;
      for (const PlacedBuffer& other : buffers_) {
        const bool here = other.column == column && other.row == row;
        if (here && other.offset / kBankBytes == bank) used += other.bytes;
      }
      banks.emplace_back(used, bank);
    }
    std::ranges::stable_sort(banks);
    for (const auto& [used, bank] : banks) {
      for (int at = bank * kBankBytes; at < (bank + 1) * kBankBytes; at += 32) {
        buffer.offset = at;
        // A buffer that a bank is said for stays in it; others may be longer than a bank.
        if (place.bank >= 0 && at + buffer.bytes > (bank + 1) * kBankBytes) {
          why = fmt::format("its {} bytes do not fit into bank {}", buffer.bytes, bank);
          break;
        }
        if (Free(buffer, &why)) return buffers_.push_back(buffer);
      }
    }
  }
  Fail(fmt::format("location of {}: tile {}: {}", buffer.subject.Name(), TileText(tiles.back()),
                   why));
}

void Placement::PlaceBuffers() {
  std::vector<PlacedBuffer> wanted;
  for (KernelNode* kernel : kernels_) {
    wanted.push_back({.subject = {.kind = Subject::Kind::kStack, .node = kernel},
                      .node = kernel,
                      .bytes = kernel->stack_bytes + kernel->heap_bytes});
    if (wanted.back().bytes == 0)
      wanted.back().bytes = 1024;  // what a kernel has if nothing is said
    for (const auto& port : kernel->ports) {
      const bool parameter = port->kind == adf::detail::Kind::kParameter;
      if (port->kind != adf::detail::Kind::kWindow && !parameter) continue;
      const size_t bytes =
          parameter ? port->count * port->element.size() : port->block_bytes + port->margin_bytes;
      for (int n = 0; n < (port->single_buffer ? 1 : 2); ++n) {
        wanted.push_back(
            {.subject = {.kind = Subject::Kind::kBuffer, .port = port.get(), .index = n},
             .node = kernel,
             .bytes = static_cast<int>((bytes + 31) / 32 * 32)});
      }
    }
    for (const Table* table : kernel->tables) {
      wanted.push_back({.subject = {.kind = Subject::Kind::kTable, .table = table},
                        .node = kernel,
                        .bytes = static_cast<int>((table->bytes + 31) / 32 * 32)});
    }
  }
  // Those with a place come first.
  std::vector<std::pair<PlacedBuffer, Place>> rest;
  for (const PlacedBuffer& buffer : wanted) {
    Place place;
    for (const Constraint& c : constraints_) {
      Subject any = buffer.subject;
      any.index = -1;
      if (c.kind == Rule::kAt && (c.subject == buffer.subject || c.subject == any)) place = c.place;
    }
    if (place.column >= 0 || place.offset >= 0) {
      PlaceBuffer(buffer, place);
    } else {
      rest.emplace_back(buffer, place);
    }
  }
  for (const auto& [buffer, place] : rest) PlaceBuffer(buffer, place);
}

}  // namespace adf::detail
