// A transfer: its fields, each by its type, and what is more in a job than in other JSON of a
// transfer (tb/random/transfer_json.h): addresses by name, a stride for each count.
#include <fmt/format.h>

#include <array>
#include <charconv>
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

// A field by its type.
template <typename T>
void Parse(const Reader& reader, T* out) {
  reader.Value(out);
}
void Parse(const Reader& reader, model::WalkLevel* out) {
  reader.Object();
  reader.Get("dim", &out->dim);
  reader.Get("step", &out->step);
  reader.Get("count", &out->count);
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
      reader.Refuse(fmt::format(
          "an address, \"0x...\", or \"name\", \"name+offset\" or \"name-offset\" of a memory ({})",
          NamesIn(symbols, &Symbols::value_type::first)));
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
  t.base = ParseAddress(reader.At("base"), symbols);
  const size_t counts = reader.At("count").Array();
  model::VisitFields(t, t, [&](std::string_view name, auto& value, auto&) {
    if (name == "stride") CheckStrides(reader, counts);
    if (!reader.Has(name) || name == "base") return;
    if (name == "offset") {
      t.offset = reader.At(name).Bits(64);
    } else {
      Parse(reader.At(name), &value);
    }
    if (name == "last_level") CheckLastLevel(reader, &t);
  });
  // What the norm itself says of it; what hardware adds is for CheckJob.
  model::Build widest;
  widest.data_bytes = widest.stream_bytes = model::kMaxElem;
  if (const auto broken = model::Validate(t, widest)) {
    throw Error(fmt::format("{}: {}.{}", reader.file(), out.place, *broken));
  }
  return out;
}

}  // namespace tessera::job
