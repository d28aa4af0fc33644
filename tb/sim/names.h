// Enumerators by name. The names of an enum stand once, beside it: NamesOf(Enum), in the order of
// the values, which count from 0.
#pragma once

#include <concepts>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace tessera {

template <typename Enum>
concept NamedEnum = requires(Enum value) {
  NamesOf(value).size();
};

template <NamedEnum Enum>
constexpr std::string_view NameOf(Enum value) {
  return NamesOf(value).at(static_cast<size_t>(value));
}

template <NamedEnum Enum>
constexpr std::optional<Enum> FromName(std::string_view name) {
  const auto names = NamesOf(Enum{});
  for (size_t n = 0; n < names.size(); ++n) {
    if (names[n] == name) return static_cast<Enum>(n);
  }
  return std::nullopt;
}

// "length, last"
template <NamedEnum Enum>
std::string LegalNames() {
  std::string text;
  for (const std::string_view name : NamesOf(Enum{})) {
    text += (text.empty() ? "" : ", ") + std::string(name);
  }
  return text;
}

}  // namespace tessera
