// See plot.h.
#include "tools/bench/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <stdexcept>
#include <utility>

#include "tools/pictures/canvas.h"

#include "tb/files/output.h"

namespace tessera::bench {
namespace {

using show::Anchor;
using show::Canvas;

constexpr double kTop = 34, kWidth = 560, kHeight = 320;
constexpr show::TextStyle kScaleText{12, Anchor::kEnd, show::kSoft};

// Places sizes and utilisations on the canvas.
class Axes {
 public:
  Axes(double least, double most) : least_(std::log2(least)), most_(std::log2(most)) {}
  double X(double size) const {
    const double span = std::max(most_ - least_, 1.0);
    return kWidth * (std::log2(size) - least_) / span;
  }
  double Y(double utilisation) const { return kTop + kHeight * (1.0 - utilisation); }

  void Draw(Canvas* canvas) const {
    show::TextStyle below = kScaleText;
    below.anchor = Anchor::kMiddle;
    for (int tenth = 0; tenth <= 10; tenth += 2) {
      const double y = Y(tenth / 10.0);
      canvas->Line({{0, y}, {kWidth, y}}, show::kPale, 1);
      canvas->Text(-8, y + 4, fmt::format("{:.1f}", tenth / 10.0), kScaleText);
    }
    const int last = static_cast<int>(std::floor(most_));
    for (int power = static_cast<int>(std::ceil(least_)); power <= last; ++power) {
      const double size = std::exp2(power), x = X(size);
      canvas->Line({{x, kTop}, {x, kTop + kHeight}}, show::kPale, 1);
      canvas->Text(x, kTop + kHeight + 18, fmt::format("{:.0f}", size), below);
    }
    canvas->Text(kWidth / 2, kTop + kHeight + 40, "bytes of a transfer", below);
  }

 private:
  double least_, most_;
};

const char* Dashes(Series::Style style) {
  switch (style) {
    case Series::Style::kLine:
      return nullptr;
    case Series::Style::kDashes:
      return "7 5";
    case Series::Style::kDots:
      return "2 5";
  }
  return nullptr;
}

void Draw(const Series& s, const Axes& axes, Canvas* canvas) {
  std::vector<std::pair<double, double>> points;
  for (const auto& [size, utilisation] : s.points) {
    points.emplace_back(axes.X(size), axes.Y(utilisation));
  }
  canvas->Line(points, s.colour.c_str(), 2.2, false, Dashes(s.style));
  if (s.style == Series::Style::kDashes) return;
  const double radius = s.style == Series::Style::kLine ? 3.5 : 2.5;
  for (const auto& [x, y] : points) {
    canvas->Box(x - radius, y - radius, 2 * radius, 2 * radius,
                {s.colour.c_str(), "none", 0, radius});
  }
}

}  // namespace

std::string Plot(const std::string& title, const std::vector<Series>& series) {
  double least = 0, most = 0;
  for (const Series& s : series) {
    for (const auto& [size, utilisation] : s.points) {
      least = least == 0 ? size : std::min(least, size);
      most = std::max(most, size);
    }
  }
  if (least <= 0) throw std::invalid_argument(fmt::format("plot '{}' has no point", title));
  const Axes axes(least, most);
  Canvas canvas;
  canvas.Text(0, 12, title, {15, Anchor::kStart, show::kInk, false, true});
  axes.Draw(&canvas);
  double y = kTop + 6;
  for (const Series& s : series) {
    if (s.points.empty()) continue;
    Draw(s, axes, &canvas);
    canvas.Line({{kWidth + 20, y}, {kWidth + 54, y}}, s.colour.c_str(), 2.2, false,
                Dashes(s.style));
    canvas.Text(kWidth + 62, y + 4, s.name, {12, Anchor::kStart, show::kInk});
    y += 22;
  }
  return canvas.Finish(title);
}

namespace {

constexpr std::array kBits{64, 512};
constexpr std::array kPaths{Path::kRead, Path::kWrite, Path::kLoop};

std::string PlotFile(const std::string& folder, Path path, int bits) {
  static constexpr const char* kFiles[] = {"read", "write", "loop"};
  return fmt::format("{}/{}-{}.svg", folder, kFiles[static_cast<int>(path)], bits);
}

}  // namespace

std::vector<std::string> PlotFiles(const std::string& folder) {
  std::vector<std::string> files;
  for (const int bits : kBits) {
    for (const Path path : kPaths) files.push_back(PlotFile(folder, path, bits));
  }
  return files;
}

Plots WritePlots(const std::string& folder, const Results& results) {
  static constexpr const char* kColours[] = {"#1b6ca8", "#c8553d", "#3a7d44"};
  static constexpr const char* kTitles[] = {"Memory to stream", "Stream to memory",
                                            "Memory to memory"};
  Plots files;
  for (const int bits : kBits) {
    for (const Path path : kPaths) {
      std::map<uint32_t, std::vector<const Measured*>> sweeps;  // by latency
      for (const Measured& m : results.rows) {
        const bool point = m.row.sweep != 0 && m.row.bits == bits && m.row.path == path;
        if (point && m.result.error.empty()) sweeps[m.row.latency].push_back(&m);
      }
      std::vector<Series> series;
      for (const auto& [latency, points] : sweeps) {
        const std::string colour = kColours[series.size() / 3 % std::size(kColours)];
        Series ours{fmt::format("Tessera, L = {}", latency), colour, Series::Style::kLine, {}};
        Series limit{fmt::format("limit, L = {}", latency), colour, Series::Style::kDashes, {}};
        Series other{fmt::format("best other, L = {}", latency), colour, Series::Style::kDots, {}};
        for (const Measured* m : points) {
          const double size = static_cast<double>(m->row.sweep);
          ours.points.emplace_back(size, m->result.utilisation);
          limit.points.emplace_back(size, m->result.limit.utilisation);
          if (m->row.other) other.points.emplace_back(size, *m->row.other);
        }
        for (Series& s : std::vector<Series>{ours, limit, other}) series.push_back(std::move(s));
      }
      if (series.empty()) continue;
      const std::string file = PlotFile(folder, path, bits);
      const std::string title =
          fmt::format("{}, {} bits: utilisation of the bus", kTitles[static_cast<int>(path)], bits);
      try {
        WriteOutput(file, Plot(title, series));
        files.written.push_back(file);
      } catch (const OutputError& error) {
        files.failures.emplace_back(error.what());
      }
    }
  }
  return files;
}

}  // namespace tessera::bench
