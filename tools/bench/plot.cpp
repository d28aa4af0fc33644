// See plot.h.
#include "tools/bench/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <stdexcept>

#include "tb/files/output.h"

namespace tessera::bench {
namespace {

constexpr double kLeft = 60, kTop = 50, kWidth = 560, kHeight = 320, kLegend = 230;

// Places sizes and utilisations on the sheet.
class Axes {
 public:
  Axes(double least, double most) : least_(std::log2(least)), most_(std::log2(most)) {}
  double X(double size) const {
    const double span = std::max(most_ - least_, 1.0);
    return kLeft + kWidth * (std::log2(size) - least_) / span;
  }
  double Y(double utilisation) const { return kTop + kHeight * (1.0 - utilisation); }

  std::string Draw() const {
    std::string svg;
    for (int tenth = 0; tenth <= 10; tenth += 2) {
      const double y = Y(tenth / 10.0);
      svg += fmt::format(
          "<line class=\"grid\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n"
          "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{:.1f}</text>\n",
          kLeft, y, kLeft + kWidth, y, kLeft - 8, y + 4, tenth / 10.0);
    }
    const int last = static_cast<int>(std::floor(most_));
    for (int power = static_cast<int>(std::ceil(least_)); power <= last; ++power) {
      const double size = std::exp2(power);
      const double x = X(size);
      svg += fmt::format(
          "<line class=\"grid\" x1=\"{0:.1f}\" y1=\"{1:.1f}\" x2=\"{0:.1f}\" y2=\"{2:.1f}\"/>\n"
          "<text x=\"{0:.1f}\" y=\"{3:.1f}\" text-anchor=\"middle\">{4:.0f}</text>\n",
          x, kTop, kTop + kHeight, kTop + kHeight + 18, size);
    }
    return svg + fmt::format(
                     "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">bytes of a transfer"
                     "</text>\n",
                     kLeft + kWidth / 2, kTop + kHeight + 40);
  }

 private:
  double least_, most_;
};

const char* Dashes(Series::Style style) {
  switch (style) {
    case Series::Style::kLine:
      return "";
    case Series::Style::kDashes:
      return " stroke-dasharray=\"7 5\"";
    case Series::Style::kDots:
      return " stroke-dasharray=\"1 6\" stroke-linecap=\"round\"";
  }
  return "";
}

std::string Stroke(const Series& s) {
  return fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"2.2\"{}", s.colour,
                     Dashes(s.style));
}

std::string Draw(const Series& s, const Axes& axes) {
  std::string path, marks;
  for (const auto& [size, utilisation] : s.points) {
    const double x = axes.X(size), y = axes.Y(utilisation);
    path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : " L", x, y);
    if (s.style == Series::Style::kDashes) continue;
    marks += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\" fill=\"{}\"/>\n", x, y,
                         s.style == Series::Style::kLine ? 3.5 : 2.5, s.colour);
  }
  return fmt::format("<path {} d=\"{}\"/>\n{}", Stroke(s), path, marks);
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
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
      "font-family=\"sans-serif\" font-size=\"13\">\n"
      "<style>.grid {{stroke: #ccc; stroke-width: 1}}</style>\n"
      "<rect width=\"{0:.0f}\" height=\"{1:.0f}\" fill=\"#fff\"/>\n"
      "<text x=\"{2:.1f}\" y=\"28\" font-size=\"16\">{3}</text>\n",
      kLeft + kWidth + kLegend, kTop + kHeight + 60, kLeft, title);
  svg += axes.Draw();
  double y = kTop + 6;
  for (const Series& s : series) {
    if (s.points.empty()) continue;
    svg += Draw(s, axes);
    const double x = kLeft + kWidth + 20;
    svg += fmt::format(
        "<path {} d=\"M{:.1f} {:.1f} h34\"/>\n<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
        Stroke(s), x, y, x + 42, y + 4, s.name);
    y += 22;
  }
  return svg + "</svg>\n";
}

Plots WritePlots(const std::string& folder, const Results& results) {
  static constexpr const char* kColours[] = {"#1b6ca8", "#c8553d", "#3a7d44"};
  static constexpr const char* kFiles[] = {"read", "write", "loop"};
  static constexpr const char* kTitles[] = {"Memory to stream", "Stream to memory",
                                            "Memory to memory"};
  Plots files;
  for (const int bits : {64, 512}) {
    for (const Path path : {Path::kRead, Path::kWrite, Path::kLoop}) {
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
      const std::string file =
          fmt::format("{}/{}-{}.svg", folder, kFiles[static_cast<int>(path)], bits);
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
