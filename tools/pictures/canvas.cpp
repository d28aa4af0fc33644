// See canvas.h.
#include "tools/pictures/canvas.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tessera::show {
namespace {

constexpr double kMargin = 16;

// Hatching for fill; an arrow for the order.
constexpr const char* kDefinitions =
    "<style>text{font-family:system-ui,'Segoe UI',Helvetica,Arial,sans-serif}"
    ".m{font-family:ui-monospace,'DejaVu Sans Mono',Consolas,monospace}</style>\n"
    "<defs><pattern id=\"fill\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" "
    "patternTransform=\"rotate(45)\"><rect width=\"6\" height=\"6\" fill=\"#ffffff\"/>"
    "<rect width=\"1.6\" height=\"6\" fill=\"#c3ccd5\"/></pattern>"
    "<marker id=\"arrow\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"8\" "
    "markerHeight=\"8\" orient=\"auto\"><path d=\"M0,0.5 L8,4 L0,7.5 z\" fill=\"#52606d\"/>"
    "</marker></defs>\n";

}  // namespace

std::string EscapeXml(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        if (static_cast<unsigned char>(c) >= 0x20) out += c;
    }
  }
  return out;
}

void Canvas::Reach(double x, double y) {
  right_ = std::max(right_, x);
  bottom_ = std::max(bottom_, y);
}

void Canvas::Box(double x, double y, double w, double h, const BoxStyle& s) {
  body_ += fmt::format(
      "<rect x=\"{:.4g}\" y=\"{:.5g}\" width=\"{:.4g}\" height=\"{:.4g}\" "
      "fill=\"{}\" stroke=\"{}\" stroke-width=\"{:.3g}\"",
      x, y, w, h, s.fill, s.stroke, s.width);
  if (s.radius != 0) body_ += fmt::format(" rx=\"{:.3g}\"", s.radius);
  if (s.dash != nullptr) body_ += fmt::format(" stroke-dasharray=\"{}\"", s.dash);
  body_ += "/>\n";
  left_ = std::min(left_, x);
  Reach(x + w, y + h);
}

double Canvas::TextWidth(std::string_view text, const TextStyle& style) {
  return static_cast<double>(text.size()) * style.size *
         (style.mono ? 0.61 : (style.bold ? 0.60 : 0.55));
}

void Canvas::Text(double x, double y, std::string_view text, const TextStyle& s) {
  static constexpr const char* kAnchors[] = {"start", "middle", "end"};
  body_ += fmt::format(
      "<text x=\"{:.5g}\" y=\"{:.5g}\" font-size=\"{:.3g}\" text-anchor=\"{}\" "
      "fill=\"{}\"{}{}>{}</text>\n",
      x, y, s.size, kAnchors[static_cast<int>(s.anchor)], s.colour, s.mono ? " class=\"m\"" : "",
      s.bold ? " font-weight=\"600\"" : "", EscapeXml(text));
  const double width = TextWidth(text, s);
  const double before =
      s.anchor == Anchor::kStart ? 0 : (s.anchor == Anchor::kMiddle ? width / 2 : width);
  left_ = std::min(left_, x - before);
  Reach(x - before + width, y + 3);
}

void Canvas::Line(const std::vector<std::pair<double, double>>& points, const char* colour,
                  double width, bool arrow, const char* dash) {
  std::string path;
  for (const auto& [x, y] : points) {
    path += fmt::format("{}{:.5g},{:.5g}", path.empty() ? "" : " ", x, y);
    left_ = std::min(left_, x);
    Reach(x, y);
  }
  body_ += fmt::format(
      "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{:.3g}\"{}{}/>\n", path,
      colour, width, arrow ? " marker-end=\"url(#arrow)\"" : "",
      dash == nullptr ? "" : fmt::format(" stroke-dasharray=\"{}\"", dash));
}

Canvas& Canvas::Join(const Canvas& over) {
  body_ += over.body_;
  left_ = std::min(left_, over.left_);
  Reach(over.right_, over.bottom_);
  return *this;
}

std::string Canvas::Finish(std::string_view title) const {
  const double w = std::ceil(right_ - left_ + 2 * kMargin), h = std::ceil(bottom_ + 2 * kMargin);
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" "
      "height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\" role=\"img\">\n"
      "<title>{2}</title>\n{3}"
      "<rect x=\"0.5\" y=\"0.5\" width=\"{4:.0f}\" height=\"{5:.0f}\" rx=\"6\" "
      "fill=\"{6}\" stroke=\"{7}\"/>\n"
      "<g transform=\"translate({8:.4g},{9:.4g})\">\n{10}</g>\n</svg>\n",
      w, h, EscapeXml(title), kDefinitions, w - 1, h - 1, kCard, kPale, kMargin - left_, kMargin,
      body_);
}

}  // namespace tessera::show
