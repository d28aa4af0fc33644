// Numbers and names of things in sentences.
#pragma once

#include <concepts>
#include <functional>
#include <string>
#include <string_view>

namespace tessera {

// "1 byte", "2 bytes"; of a word that no "s" makes many, `many` says how: "entries".
template <std::integral Number>
std::string Counted(Number count, std::string_view what, std::string_view many = "") {
  const std::string text = std::to_string(count) + " ";
  if (count == 1) return text + std::string(what);
  return text + (many.empty() ? std::string(what) + "s" : std::string(many));
}

// "a, b, c": what `name` is of each, until the text has so many characters.
template <typename Things, typename Name = std::identity>
std::string Listed(Things&& things, Name name = {}, std::string_view between = ", ",
                   size_t most = ~size_t{0}) {
  std::string text;
  for (auto&& thing : things) {
    if (text.size() >= most) break;
    if (!text.empty()) text += between;
    text += std::invoke(name, thing);
  }
  return text;
}

}  // namespace tessera
