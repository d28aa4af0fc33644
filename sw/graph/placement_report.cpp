// Where kernels and buffers were placed: as text, as a picture, and as pblocks.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "placement.hpp"

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
  constexpr int kSide = 90;
  Box box{kColumns, kRows, 0, 0};
  const auto grow = [&](int column, int row) {
    box = {std::min(box.column, column), std::min(box.row, row), std::max(box.column2, column),
           std::max(box.row2, row)};
  };
  for (const auto& [kernel, tile] : tiles_) grow(tile.first, tile.second);
  for (const PlacedBuffer& buffer : buffers_) grow(buffer.column, buffer.row);
  const int width = (box.column2 - box.column + 1) * kSide + 20;
  const int height = (box.row2 - box.row + 1) * kSide + 20;
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} "
      "{1}\" font-family=\"sans-serif\" font-size=\"10\">\n",
      width, height);
  for (int row = box.row; row <= box.row2; ++row) {
    for (int column = box.column; column <= box.column2; ++column) {
      const int x = 10 + (column - box.column) * kSide, y = 10 + (box.row2 - row) * kSide;
      svg += fmt::format(
          "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" "
          "stroke=\"#888\"/><text x=\"{}\" y=\"{}\" fill=\"#888\">{},{}</text>\n",
          x, y, kSide - 4, kSide - 4, x + 4, y + 12, column, row);
      int line = y + 26;
      for (const KernelNode* kernel : kernels_) {
        if (tiles_.at(kernel) != Tile(column, row)) continue;
        svg += fmt::format("<text x=\"{}\" y=\"{}\" font-weight=\"bold\">{}</text>\n", x + 4, line,
                           kernel->name);
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
        const int filled = 16 * used[bank] / kBankBytes;
        svg += fmt::format(
            "<rect x=\"{0}\" y=\"{1}\" width=\"18\" height=\"16\" fill=\"none\" "
            "stroke=\"#888\"/><rect x=\"{0}\" y=\"{2}\" width=\"18\" height=\"{3}\" "
            "fill=\"#4a90d9\"><title>bank {4}: {5} bytes</title></rect>\n",
            x + 4 + bank * 20, y + kSide - 24, y + kSide - 8 - filled, filled, bank, used[bank]);
      }
    }
  }
  return svg + "</svg>\n";
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
