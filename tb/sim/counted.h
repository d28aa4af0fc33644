// Numbers of things in sentences.
#pragma once

#include <concepts>
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

}  // namespace tessera
