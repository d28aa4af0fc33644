// Where kernels and buffers were placed: as text, as a picture, and as pblocks.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "placement.hpp"
#include "tools/pictures/canvas.h"

namespace adf::detail {
namespace {

constexpr int kClockRegions = 5;  // across the device, for pblocks

}  // namespace

std::string Placement::Text() const {
  std::string text;
  for (const KernelNode* kernel : kernels_) {
    text += fmt::format("{}: tile {}, runtime ratio {}", kernel->name, TileText(tiles_.at(kernel)),
                        kernel->runtime_ratio);
    if (!kernel->source.empty()) text += ", source " + kernel->source;
    if (!kernel->headers.empty())
      text += fmt::format(", headers {}", fmt::join(kernel->headers, " "));
    if (!kernel->initialization.empty()) text += ", initialization " + kernel->initialization;
    text += "\n";
    for (const PlacedBuffer& buffer : buffers_) {
      if (buffer.node != kernel) continue;
      text += fmt::format("  {}: tile {}, bank {}, bytes {} to {}\n", buffer.subject.Name(),
                          TileText({buffer.column, buffer.row}), buffer.offset / kBankBytes,
                          buffer.offset, buffer.offset + buffer.bytes - 1);
    }
  }
  return text;
}

std::string Placement::Drawing() const {
  using tessera::show::Canvas;
  constexpr double kSide = 90;
  constexpr tessera::show::TextStyle kTile{.size = 10, .colour = tessera::show::kSoft};
  Box box{kColumns, kRows, 0, 0};
  const auto grow = [&](int column, int row) {
    box = {std::min(box.column, column), std::min(box.row, row), std::max(box.column2, column),
           std::max(box.row2, row)};
  };
  for (const auto& [kernel, tile] : tiles_) grow(tile.first, tile.second);
  for (const PlacedBuffer& buffer : buffers_) grow(buffer.column, buffer.row);
  Canvas canvas;
  for (int row = box.row; row <= box.row2; ++row) {
    for (int column = box.column; column <= box.column2; ++column) {
      const double x = (column - box.column) * kSide, y = (box.row2 - row) * kSide;
      canvas.Box(x, y, kSide - 4, kSide - 4, {.fill = "none"});
      canvas.Text(x + 4, y + 12, fmt::format("{},{}", column, row), kTile);
      double line = y + 26;
      for (const KernelNode* kernel : kernels_) {
        if (tiles_.at(kernel) != Tile(column, row)) continue;
        canvas.Text(x + 4, line, kernel->name, {.size = 10, .bold = true});
        line += 12;
      }
      int used[kBanks] = {};
      for (const PlacedBuffer& buffer : buffers_) {
        if (buffer.column != column || buffer.row != row) continue;
        for (int at = buffer.offset; at < buffer.offset + buffer.bytes; at += 32) {
          used[at / kBankBytes] += 32;
        }
      }
      for (int bank = 0; bank < kBanks; ++bank) {
        const double filled = 16.0 * used[bank] / kBankBytes, left = x + 4 + bank * 20;
        canvas.Box(left, y + kSide - 24, 18, 16, {.fill = "none"});
        canvas.Box(left, y + kSide - 8 - filled, 18, filled, {.fill = "#4a90d9"});
      }
    }
  }
  return canvas.Finish("placement");
}

// Columns of the interface to columns of clock regions, as far as they lie side by side.
std::string Placement::Pblocks() const {
  std::string text;
  int number = 0;
  for (const Constraint& c : constraints_) {
    if (c.kind != Constraint::Kind::kArea) continue;
    std::vector<std::pair<int, int>> columns = c.columns;
    if (columns.empty()) {
      for (const Box& box : c.boxes) columns.emplace_back(box.column, box.column2);
    }
    const std::string name = fmt::format("tessera_{}", number++);
    text += fmt::format("# {}\ncreate_pblock {}\n", c.name, name);
    for (const auto& [first, last] : columns) {
      text += fmt::format("resize_pblock {} -add {{CLOCKREGION_X{}Y0:CLOCKREGION_X{}Y0}}\n", name,
                          first * kClockRegions / kColumns, last * kClockRegions / kColumns);
    }
    text += fmt::format(
        "add_cells_to_pblock {} [get_cells -hierarchical -filter "
        "{{REF_NAME == tessera_dma}}]\n",
        name);
  }
  return text;
}

}  // namespace adf::detail
