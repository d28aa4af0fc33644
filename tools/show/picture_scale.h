// Bytes of memory and of a stream as lengths in a picture.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "tools/show/memory_map.h"

namespace tessera::show {

inline constexpr double kWidest = 700;  // of memory and of the stream
inline constexpr double kElement = 26;  // width of an element, if there is room
inline constexpr double kNarrowest = 15;

// Bytes side by side, in pieces with gaps between them.
class Scale {
 public:
  // `longest`: the largest number that a cell shows.
  Scale(const std::vector<MapColumns>& columns, int elem, uint64_t longest) {
    const double digits = static_cast<double>(fmt::format("{}", longest).size());
    const double narrowest = std::max(kNarrowest, 8 * 0.61 * digits + 5);
    int64_t bytes = 0;
    for (const MapColumns& c : columns) bytes += c.last - c.first + 1;
    const double e = elem;
    pixels_ = std::max(std::min(kElement / e, kWidest / static_cast<double>(bytes)), narrowest / e);
    double x = 0;
    for (const MapColumns& c : columns) {
      if (!pieces_.empty()) x += kGap_;
      const double room = kWidest - x;
      if (room < e * pixels_) {
        cut_ = true;
        break;
      }
      MapColumns shown = c;
      const int64_t fit = static_cast<int64_t>(room / pixels_ + 0.001);
      if (c.last - c.first + 1 > fit) {
        shown.last = c.first + fit / elem * elem - 1;
        cut_ = true;
      }
      pieces_.push_back({shown, x});
      x += static_cast<double>(shown.last - shown.first + 1) * pixels_;
      width_ = x;
    }
  }

  // Where a byte begins, if it is drawn.
  std::optional<double> At(int64_t byte) const {
    for (const auto& [c, x] : pieces_) {
      if (byte >= c.first && byte <= c.last) {
        return x + static_cast<double>(byte - c.first) * pixels_;
      }
    }
    return std::nullopt;
  }
  double Wide(int64_t bytes) const { return static_cast<double>(bytes) * pixels_; }
  const std::vector<std::pair<MapColumns, double>>& pieces() const { return pieces_; }
  double width() const { return width_; }
  bool cut() const { return cut_; }
  static constexpr double kGap_ = 26;

 private:
  std::vector<std::pair<MapColumns, double>> pieces_;
  double pixels_ = 1, width_ = 0;
  bool cut_ = false;
};

}  // namespace tessera::show
