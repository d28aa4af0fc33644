// See picture.h.
#include "tools/show/picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "bench/nest.h"
#include "tools/show/words.h"

namespace tessera::show {
namespace {

using model::kDims;
using model::Transfer;

class Overview {
 public:
  Overview(Canvas* canvas, const Transfer& transfer, bool read)
      : c_(*canvas), t_(transfer), read_(read) {}

  struct Axis {
    size_t dim = 0;
    double low = 0, high = 1;  // coordinates visited, `high` excluded
    double from = 0, to = 1;   // drawn
    double bound_low = 0, bound_high = 1;
    bool bounded = false;
    double tile = 0, step = 0;  // of a traversal in this dimension
    uint64_t tiles = 1;
  };

  Axis AxisOf(size_t d) const {
    Axis a;
    a.dim = d;
    double positions = t_.count[d];
    if (d == 3 && t_.length && !t_.has_walk()) {
      const double inner = static_cast<double>(t_.count[0]) * t_.count[1] * t_.count[2];
      positions = std::ceil(*t_.length / inner);
    }
    a.low = t_.start[d];
    a.high = a.low + positions;
    a.tile = positions;
    for (const auto& level : t_.walk) {
      if (!level || level->dim != static_cast<int>(d) || level->count < 2) continue;
      const double far = static_cast<double>(level->step) * (level->count - 1.0);
      (far < 0 ? a.low : a.high) += far;
      a.step = level->step;
      a.tiles = SatMul(a.tiles, level->count);
    }
    a.bounded = t_.bound[d].has_value();
    a.bound_low = a.bounded ? 0 : a.low;
    a.bound_high = a.bounded ? *t_.bound[d] : a.high;
    a.from = std::min(a.low, a.bound_low);
    a.to = std::max(a.high, a.bound_high);
    return a;
  }

  std::string AxisText(const Axis& a) const {
    const int64_t stride = t_.stride[a.dim];
    std::string text = fmt::format("x{}: {} from {} on, {} {} apart", a.dim,
                                   Plural(static_cast<uint64_t>(a.tile), "position"),
                                   t_.start[a.dim], stride, stride == 1 ? "byte" : "bytes");
    if (a.tiles > 1) text += fmt::format(", in {} turns", Grouped(a.tiles));
    if (a.bounded) text += fmt::format("; bound {:.0f}", a.bound_high);
    return text;
  }

  // Returns the bottom edge.
  double Draw(double y) {
    std::vector<size_t> dims;
    for (size_t d = 0; d < kDims; ++d) {
      const Axis a = AxisOf(d);
      if (a.high - a.low > 1) dims.push_back(d);
    }
    std::sort(dims.begin(), dims.end(), [&](size_t a, size_t b) {
      const double sa = std::fabs(static_cast<double>(t_.stride[a])),
                   sb = std::fabs(static_cast<double>(t_.stride[b]));
      return (sa == 0) != (sb == 0) ? sb == 0 : sa < sb;
    });
    if (dims.empty()) dims.push_back(0);
    c_.Text(0, y + 10, "the whole, to scale", {12.5, Anchor::kStart, kInk, false, true});
    y += 26;
    const Axis across = AxisOf(dims[0]);
    Axis down = across;
    if (dims.size() > 1) {
      down = AxisOf(dims[1]);
    } else {
      down.low = down.from = down.bound_low = 0;
      down.high = down.to = down.bound_high = down.tile = 1;
      down.bounded = false;
      down.tiles = 1;
    }
    const double wide = across.to - across.from, tall = down.to - down.from;
    double width = 300, height = 190;
    const double ratio = wide / tall;
    if (ratio > width / height) {
      height = std::max(36.0, width / ratio);
    } else {
      width = std::max(60.0, height * ratio);
    }
    const auto px = [&](double v) { return (v - across.from) / wide * width; };
    const auto py = [&](double v) { return y + (v - down.from) / tall * height; };
    const auto box = [&](double l, double r, double t, double b, const BoxStyle& style) {
      if (r > l && b > t) c_.Box(px(l), py(t), px(r) - px(l), py(b) - py(t), style);
    };
    box(across.from, across.to, down.from, down.to, {kGap, kPale, 1});
    box(across.low, across.high, down.low, down.high, kFillBox);
    box(std::max(across.low, across.bound_low), std::min(across.high, across.bound_high),
        std::max(down.low, down.bound_low), std::min(down.high, down.bound_high),
        {kHue[0].fill, "none", 0});
    Tiles(across, down, px, py);
    box(across.bound_low, across.bound_high, down.bound_low, down.bound_high, {"none", kInk, 2});
    Arrows(across, down, dims.size() > 1, px, py);
    double ty = y + 12;
    const double tx = width + 28;
    const auto say = [&](const std::string& text, const char* colour) {
      c_.Text(tx, ty, text, {11.5, Anchor::kStart, colour});
      ty += 18;
    };
    say("across " + AxisText(across), kInk);
    if (dims.size() > 1) say("down " + AxisText(down), kInk);
    for (size_t n = 2; n < dims.size(); ++n) say("then " + AxisText(AxisOf(dims[n])), kInk);
    say("arrow: the innermost of the two dimensions; dashed: the other", kSoft);
    if (numbered_) say("numbers: tiles in the order of their visit", kSoft);
    if (across.bounded || down.bounded) {
      say(fmt::format("heavy frame: the bounds; hatched: {}", read_ ? "fill" : "dropped"), kSoft);
    }
    return std::max(y + height, ty - 8);
  }

  template <typename X, typename Y>
  void Tiles(const Axis& across, const Axis& down, X&& px, Y&& py) {
    const auto lines = [](const Axis& a) {
      std::vector<double> at;
      if (a.tiles < 2 || a.tiles > 48 || a.step == 0) return at;
      for (uint64_t n = 0; n < a.tiles; ++n) {
        at.push_back((a.step > 0 ? a.low : a.high - a.tile) + static_cast<double>(n) * a.step);
      }
      return at;
    };
    NumberTiles(across, down, px, py);
    for (const double at : lines(across)) {
      if (at > across.low)
        c_.Line({{px(at), py(down.low)}, {px(at), py(down.high)}}, kHue[0].stroke, 1);
    }
    for (const double at : lines(down)) {
      if (at > down.low)
        c_.Line({{px(across.low), py(at)}, {px(across.high), py(at)}}, kHue[0].stroke, 1);
    }
  }

  // Tiles in the order of their visit, if there is a place for each number.
  template <typename X, typename Y>
  void NumberTiles(const Axis& across, const Axis& down, X&& px, Y&& py) {
    uint64_t tiles = 1;
    for (const auto& level : t_.walk) {
      if (level) tiles = SatMul(tiles, level->count);
    }
    if (tiles < 2 || tiles > 64) return;
    std::vector<std::pair<double, double>> at;
    for (uint64_t n = 0; n < tiles; ++n) {
      double x = t_.start[across.dim] + across.tile / 2, y = t_.start[down.dim] + down.tile / 2;
      uint64_t rest = n;
      for (const auto& level : t_.walk) {
        if (!level) continue;
        const double moved = static_cast<double>(rest % level->count) * level->step;
        rest /= level->count;
        if (level->dim == static_cast<int>(across.dim)) x += moved;
        if (level->dim == static_cast<int>(down.dim)) y += moved;
      }
      const std::pair<double, double> here{px(x), py(y)};
      const bool free = std::all_of(at.begin(), at.end(), [&](const auto& other) {
        return std::fabs(other.first - here.first) > 18 ||
               std::fabs(other.second - here.second) > 14;
      });
      if (!free) return;
      at.push_back(here);
    }
    numbered_ = true;
    for (size_t n = 0; n < at.size(); ++n) {
      c_.Text(at[n].first, at[n].second + 5, fmt::format("{}", n),
              {12, Anchor::kMiddle, kInk, true});
    }
  }

  template <typename X, typename Y>
  void Arrows(const Axis& across, const Axis& down, bool two, X&& px, Y&& py) {
    // Within the first tile, from the corner where the walk begins.
    const double x0 = t_.start[across.dim], y0 = two ? t_.start[down.dim] : 0.0;
    const double right = px(std::min(x0 + across.tile, across.high)),
                 bottom = py(std::min(y0 + down.tile, down.high));
    const double left = px(x0) + 12, top = py(y0) + 12;
    const bool inner_across = across.dim < down.dim || !two;
    const std::vector<std::pair<double, double>> along{{left, top},
                                                       {std::max(right - 4, left + 8), top}};
    const std::vector<std::pair<double, double>> below{{left, top},
                                                       {left, std::max(bottom - 4, top + 8)}};
    c_.Line(inner_across ? along : below, kSoft, 2, true);
    if (two) c_.Line(inner_across ? below : along, kSoft, 1.2, true, "4 3");
  }

 private:
  Canvas& c_;
  const Transfer& t_;
  const bool read_;
  bool numbered_ = false;
};

}  // namespace

double DrawOverview(Canvas* canvas, const Transfer& transfer, bool read, double y) {
  return Overview(canvas, transfer, read).Draw(y);
}

}  // namespace tessera::show
