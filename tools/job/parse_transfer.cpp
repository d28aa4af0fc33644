// A transfer: its fields, each by its type, and what is more in a job than in other JSON of a
// transfer (tb/random/transfer_json.h): addresses by name, a stride for each count.
#include <fmt/format.h>

#include <array>
#include <charconv>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "tb/sim/counted.h"
#include "tools/job/parse_parts.h"

namespace tessera::job {
namespace {

// "name", "name+12", "name-4" or "name+0x10" as an address; false if it is none of those.
bool ParseSymbol(std::string_view text, const Symbols& symbols, uint64_t* address) {
  const size_t sign = text.find_first_of("+-");
  const auto found = symbols.find(std::string(text.substr(0, sign)));
  if (found == symbols.end()) return false;
  *address = found->second;
  if (sign == std::string_view::npos) return true;
  const bool minus = text[sign] == '-';
  text.remove_prefix(sign + 1);
  const bool hex = text.starts_with("0x");
  if (hex) text.remove_prefix(2);
  uint64_t added = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), added, hex ? 16 : 10);
  if (error != std::errc() || end != text.data() + text.size()) return false;
  if (minus) return !__builtin_sub_overflow(*address, added, address);
  return !__builtin_add_overflow(*address, added, address);
}

// Bytes added to the base, modulo 2^64: a negative number goes back.
uint64_t ParseOffset(const Reader& reader) {
  const Json& json = reader.json();
  const bool negative = (json.is_number_integer() && !json.is_number_unsigned()) ||
                        (json.is_string() && json.get_ref<const std::string&>().starts_with('-'));
  if (!negative) return reader.Unsigned(0, ~uint64_t{0});
  return static_cast<uint64_t>(reader.Signed(std::numeric_limits<int64_t>::min(), 0));
}

// A field by its type.
template <typename T>
void Parse(const Reader& reader, T* out) {
  reader.Value(out);
}
void Parse(const Reader& reader, model::WalkLevel* out) {
  reader.Object();
  reader.Need("dim").Value(&out->dim);
  reader.Need("step").Value(&out->step);
  reader.Need("count").Value(&out->count);
}
template <typename T, size_t N>
void Parse(const Reader& reader, std::array<T, N>* out) {
  const size_t given = reader.Array();
  for (size_t n = 0; n < given; ++n) Parse(reader.At(n), &(*out)[n]);
}
template <typename T, size_t N>  // null: there is none at this place
void Parse(const Reader& reader, std::array<std::optional<T>, N>* out) {
  const size_t given = reader.Array();
  for (size_t n = 0; n < given; ++n) {
    if (!reader.At(n).json().is_null()) Parse(reader.At(n), &(*out)[n].emplace());
  }
}

// What a type does not say of a field.
void CheckElem(const Reader& elem) {
  const uint64_t value = elem.Unsigned();
  if ((value & (value - 1)) != 0) elem.Refuse("a power of two from 1 to 128");
}

void CheckStrides(const Reader& reader, size_t counts) {
  const size_t given = reader.Has("stride") ? reader.At("stride").Array() : 0;
  if (given == counts) return;
  throw Error(
      fmt::format("{}: {}.stride has {} and count has {}: legal is a stride for each count, in "
                  "bytes (0 repeats)",
                  reader.file(), reader.place(), Counted(given, "entry", "entries"), counts));
}

void CheckLastLevel(const Reader& reader, model::Transfer* t) {
  if (reader.Has("last_rule") && t->last_rule != model::LastRule::kLevel && t->last_level != 0) {
    reader.At("last_level").Refuse("0, or any up to 7 with last_rule \"level\"");
  }
  if (!reader.Has("last_rule")) t->last_rule = model::LastRule::kLevel;
}

}  // namespace

uint64_t ParseAddress(const Reader& reader, const Symbols& symbols) {
  const Json& json = reader.json();
  uint64_t address = 0;
  if (json.is_string()) {
    const std::string& text = json.get_ref<const std::string&>();
    if (ParseSymbol(text, symbols, &address)) return address;
    if (!text.starts_with("0x")) {
      std::string names;
      for (const auto& [name, unused] : symbols) {
        if (names.size() < 200) names += (names.empty() ? "" : ", ") + name;
      }
      reader.Refuse(fmt::format(
          "an address, \"0x...\", or \"name\", \"name+offset\" or \"name-offset\" of a memory ({})",
          names.empty() ? "there is none" : names));
    }
  }
  return reader.Unsigned(0, ~uint64_t{0});
}

NamedTransfer ParseTransfer(const Reader& reader, const Symbols& symbols) {
  reader.Object();
  NamedTransfer out;
  model::Transfer& t = out.value;
  out.place = reader.place();
  reader.Get("name", &out.name);
  if (reader.Has("elem")) CheckElem(reader.At("elem"));
  t.base = ParseAddress(reader.Need("base", "an address"), symbols);
  const Reader count = reader.Need("count");
  const size_t counts = count.Array();
  if (counts == 0) count.Refuse("an array of 1 to 4 counts, innermost first");
  model::VisitFields(t, t, [&](std::string_view name, auto& value, auto&) {
    if (name == "stride") CheckStrides(reader, counts);
    if (!reader.Has(name) || name == "base") return;
    if (name == "offset") {
      t.offset = ParseOffset(reader.At(name));
    } else {
      Parse(reader.At(name), &value);
    }
    if (name == "last_level") CheckLastLevel(reader, &t);
  });
  return out;
}

}  // namespace tessera::job
