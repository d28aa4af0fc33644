// A small SVG canvas: shapes and text on a card with a background of its own, so that a picture
// reads the same on a light and on a dark page.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tessera::show {

inline constexpr const char* kInk = "#1f2933";
inline constexpr const char* kSoft = "#52606d";
inline constexpr const char* kLine = "#9aa5b1";
inline constexpr const char* kPale = "#e4e8ec";
inline constexpr const char* kCard = "#fbfcfd";
inline constexpr const char* kGap = "#f1f4f6";  // bytes that nobody visits

// Light fills and the dark strokes that go with them. Bursts take turns; any two of them differ to
// people who see red and green, or blue and yellow, alike.
struct Hue {
  const char* fill;
  const char* stroke;
};
inline constexpr size_t kHues = 3;
inline constexpr Hue kHue[kHues] = {
    {"#a8cdf7", "#1f5fa8"}, {"#ffd08a", "#a85b00"}, {"#c9c2b8", "#4a443c"}};

enum class Anchor { kStart, kMiddle, kEnd };

struct TextStyle {
  double size = 12;
  Anchor anchor = Anchor::kStart;
  const char* colour = kInk;
  bool mono = false;
  bool bold = false;
};

struct BoxStyle {
  const char* fill = "#ffffff";
  const char* stroke = kLine;
  double width = 1;
  double radius = 0;
  const char* dash = nullptr;
};

// What is padded or dropped.
inline constexpr BoxStyle kFillBox{"url(#fill)", kSoft, 1, 0, "3 2"};

class Canvas {
 public:
  void Box(double x, double y, double w, double h, const BoxStyle& style);
  void Text(double x, double y, std::string_view text, const TextStyle& style = {});
  void Line(const std::vector<std::pair<double, double>>& points, const char* colour, double width,
            bool arrow = false, const char* dash = nullptr);

  // So wide a text is, roughly; drawn text is never wider.
  static double TextWidth(std::string_view text, const TextStyle& style);

  double right() const { return right_; }
  double bottom() const { return bottom_; }

  // Draws another canvas over this one.
  Canvas& Join(const Canvas& over);

  // The whole file.
  std::string Finish(std::string_view title) const;

 private:
  void Reach(double x, double y);

  std::string body_;
  double left_ = 0, right_ = 0, bottom_ = 0;
};

std::string EscapeXml(std::string_view text);

}  // namespace tessera::show
