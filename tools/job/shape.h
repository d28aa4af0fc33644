// Shapes of JSON values: kind, range, members with a sentence each. A Reader takes ranges and
// members from a shape (reader.h); schema.cpp writes it as a JSON schema.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

#include "tb/sim/names.h"

namespace tessera::job {

struct Member;

// Which members of an object go together; a member that is false counts as absent.
struct Rule {
  enum class Kind { kOneOf, kNeeds, kExcludes };  // the first one needs or excludes the others
  Kind kind;
  std::array<std::string_view, 5> members;  // "" behind the last
  std::string_view why = "";                // what it excludes: ", which is no register"
};
constexpr Rule OneOf(const std::array<std::string_view, 5>& members) {
  return {Rule::Kind::kOneOf, members};
}
constexpr Rule Needs(const std::array<std::string_view, 5>& members) {
  return {Rule::Kind::kNeeds, members};
}
constexpr Rule Excludes(const std::array<std::string_view, 5>& members, std::string_view why = "") {
  return {Rule::Kind::kExcludes, members, why};
}

struct Shape {
  enum class Kind {
    kInteger,   // a number, or a hexadecimal text
    kPower,     // an integer that is a power of two
    kFraction,  // 0 to `most` hundredths
    kBool,
    kTrue,
    kText,
    kPath,
    kName,
    kWord,
    kArray,
    kObject,
    kAnyOf
  };
  Kind kind = Kind::kInteger;
  int64_t least = 0;  // of an integer, or of the entries of an array
  uint64_t most = 0;
  bool null = false;                             // or null
  std::string_view pattern = "";                 // of a text
  std::span<const std::string_view> words = {};  // of which it is one
  const Shape* shapes = nullptr;                 // each entry of an array, or `most` alternatives
  const Member* members = nullptr;               // `most` of an object
  std::span<const Rule> rules = {};
  std::string_view name = "", about = "";  // of an object, or of alternatives
};

struct Member {
  std::string_view name;
  Shape shape;
  std::string_view about;  // for editors; of a needed one also for who leaves it out
  bool needed = false;
};

inline constexpr bool kNeeded = true;
inline constexpr uint64_t kAny = ~uint64_t{0};

constexpr Shape Integer(int64_t least, uint64_t most) {
  return {.kind = Shape::Kind::kInteger, .least = least, .most = most};
}
template <typename T>
constexpr Shape IntegerOf() {
  return Integer(std::numeric_limits<T>::min(), std::numeric_limits<T>::max());
}
constexpr Shape Power(uint64_t most) {
  return {.kind = Shape::Kind::kPower, .least = 1, .most = most};
}
constexpr Shape Fraction(uint64_t hundredths) {
  return {.kind = Shape::Kind::kFraction, .most = hundredths};
}
constexpr Shape Text(Shape::Kind kind, std::string_view pattern) {
  return {.kind = kind, .pattern = pattern};
}
constexpr Shape Word(std::span<const std::string_view> words) {
  return {.kind = Shape::Kind::kWord, .words = words};
}
template <NamedEnum Enum>
inline constexpr auto kNamesOf = NamesOf(Enum{});
template <NamedEnum Enum>
constexpr Shape WordOf() {
  return Word(kNamesOf<Enum>);
}
constexpr Shape Array(const Shape& entry, int64_t least, uint64_t most) {
  return {.kind = Shape::Kind::kArray, .least = least, .most = most, .shapes = &entry};
}
template <typename Shapes>
constexpr Shape AnyOf(const Shapes& shapes, std::string_view name = "") {
  return {.kind = Shape::Kind::kAnyOf,
          .most = std::size(shapes),
          .shapes = std::data(shapes),
          .name = name};
}
template <typename Members>
constexpr Shape Object(std::string_view name, std::string_view about, const Members& members,
                       std::span<const Rule> rules = {}) {
  return {.kind = Shape::Kind::kObject,
          .most = std::size(members),
          .members = std::data(members),
          .rules = rules,
          .name = name,
          .about = about};
}
constexpr Shape OrNull(Shape shape) {
  shape.null = true;
  return shape;
}

inline constexpr Shape kBool{.kind = Shape::Kind::kBool};
inline constexpr Shape kTrue{.kind = Shape::Kind::kTrue};
inline constexpr Shape kText = Text(Shape::Kind::kText, "");
inline constexpr Shape kPath = Text(Shape::Kind::kPath, "^[^\\u0000]{1,4096}$");
inline constexpr Shape kName = Text(Shape::Kind::kName, "^[A-Za-z_][A-Za-z0-9_]{0,63}$");
inline constexpr Shape kPacer =
    Text(Shape::Kind::kText,
         "^(always|never|p=.+|bursts=[0-9]+(-[0-9]+)?/[0-9]+(-[0-9]+)?|list=[01]+)$");

}  // namespace tessera::job
