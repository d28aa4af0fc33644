// The texts of a picture, as wide as a common font draws them.
#pragma once

#include <regex>
#include <string>
#include <vector>

namespace tessera::show {

struct TextBox {
  std::string text;
  double left = 0, right = 0, top = 0, bottom = 0;
};

inline std::vector<TextBox> Texts(const std::string& svg) {
  static const std::regex kText(
      "<text x=\"([-0-9.e+]+)\" y=\"([-0-9.e+]+)\" font-size=\"([0-9.]+)\" "
      "text-anchor=\"(\\w+)\"([^>]*)>([^<]*)</text>");
  std::vector<TextBox> boxes;
  for (auto it = std::sregex_iterator(svg.begin(), svg.end(), kText); it != std::sregex_iterator();
       ++it) {
    const double x = std::stod((*it)[1]), y = std::stod((*it)[2]), size = std::stod((*it)[3]);
    const bool mono = (*it)[5].str().find("class=\"m\"") != std::string::npos;
    const double width = static_cast<double>((*it)[6].length()) * size * (mono ? 0.602 : 0.5);
    const std::string anchor = (*it)[4];
    const double left = anchor == "start" ? x : (anchor == "middle" ? x - width / 2 : x - width);
    boxes.push_back({(*it)[6], left, left + width, y - 0.72 * size, y});
  }
  return boxes;
}

// Two texts that lie on each other, if there are any: "\"a\" on \"b\"".
inline std::string Overlap(const std::vector<TextBox>& texts) {
  for (size_t a = 0; a < texts.size(); ++a) {
    for (size_t b = a + 1; b < texts.size(); ++b) {
      const bool apart = texts[a].right <= texts[b].left || texts[b].right <= texts[a].left ||
                         texts[a].bottom <= texts[b].top || texts[b].bottom <= texts[a].top;
      if (!apart) return "\"" + texts[a].text + "\" on \"" + texts[b].text + "\"";
    }
  }
  return "";
}

}  // namespace tessera::show
