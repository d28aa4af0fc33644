// A transfer, field by field as the norm names them.
#include <fmt/format.h>

#include <charconv>
#include <limits>
#include <nlohmann/json.hpp>

#include "tools/job/parse_parts.h"

namespace tessera::job {
namespace {

constexpr uint64_t kMost32 = std::numeric_limits<uint32_t>::max();

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

void ParseStrides(const Reader& reader, size_t counts, model::Transfer* t) {
  size_t given = 0;
  if (reader.Has("stride")) {
    const Reader list = reader.At("stride");
    given = list.Array(model::kDims);
    for (size_t d = 0; d < given; ++d) {
      t->stride[d] = list.At(d).Signed(std::numeric_limits<int64_t>::min(),
                                       std::numeric_limits<int64_t>::max());
    }
  }
  if (given != counts) {
    throw Error(fmt::format(
        "{}: {}.stride has {} entries and count has {}: legal is a stride for each count, in "
        "bytes (0 repeats)",
        reader.file(), reader.place(), given, counts));
  }
}

void ParseBounds(const Reader& reader, model::Transfer* t) {
  if (!reader.Has("bound")) return;
  const Reader list = reader.At("bound");
  const size_t given = list.Array(model::kDims);
  for (size_t d = 0; d < given; ++d) {
    const Reader bound = list.At(d);
    if (bound.json().is_null()) continue;
    t->bound[d] = static_cast<uint32_t>(bound.Unsigned(0, model::kMaxBound));
  }
}

void ParseWalk(const Reader& reader, model::Transfer* t) {
  if (!reader.Has("walk")) return;
  const Reader list = reader.At("walk");
  const size_t given = list.Array(model::kWalkLevels);
  for (size_t k = 0; k < given; ++k) {
    const Reader level = list.At(k);
    if (level.json().is_null()) continue;
    level.Object({"dim", "step", "count"});
    model::WalkLevel& out = t->walk[k].emplace();
    out.dim = static_cast<int>(level.Need("dim", "the dimension it moves").Unsigned(0, 3));
    out.step = static_cast<int32_t>(
        level.Need("step", "the coordinates of a turn").Signed(INT32_MIN, INT32_MAX));
    out.count =
        static_cast<uint32_t>(level.Need("count", "the number of turns").Unsigned(0, kMost32));
  }
}

void ParseStreamAttributes(const Reader& reader, model::Transfer* t) {
  if (reader.Has("last_rule")) {
    t->last_rule = static_cast<model::LastRule>(
        reader.At("last_rule").Word({"never", "transfer", "task", "level"}));
  }
  if (reader.Has("last_level")) {
    t->last_level = static_cast<int>(reader.At("last_level").Unsigned(0, 7));
    if (reader.Has("last_rule") && t->last_rule != model::LastRule::kLevel && t->last_level != 0) {
      reader.At("last_level").Refuse("0, or any up to 7 with last_rule \"level\"");
    }
    if (!reader.Has("last_rule")) t->last_rule = model::LastRule::kLevel;
  }
  reader.Get("join_next", &t->join_next);
  reader.Get("task_end", &t->task_end);
  if (reader.Has("finish")) {
    t->finish = static_cast<model::Finish>(reader.At("finish").Word({"length", "last"}));
  }
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
  reader.Object({"name", "elem", "base", "offset", "count", "stride", "start", "bound", "walk",
                 "length", "fill", "last_rule", "last_level", "join_next", "task_end", "finish"});
  return ParseTransferFields(reader, symbols);
}

NamedTransfer ParseTransferFields(const Reader& reader, const Symbols& symbols) {
  NamedTransfer out;
  out.place = reader.place();
  if (reader.Has("name")) out.name = reader.At("name").Name();
  model::Transfer& t = out.value;
  if (reader.Has("elem")) {
    const Reader elem = reader.At("elem");
    const uint64_t value = elem.Unsigned(1, model::kMaxElem);
    if ((value & (value - 1)) != 0) elem.Refuse("a power of two from 1 to 128");
    t.elem = static_cast<int>(value);
  }
  t.base = ParseAddress(reader.Need("base", "an address"), symbols);
  if (reader.Has("offset")) t.offset = ParseOffset(reader.At("offset"));
  const Reader count = reader.Need("count", "an array of 1 to 4 counts, innermost first");
  const size_t counts = count.Array(model::kDims);
  if (counts == 0) count.Refuse("an array of 1 to 4 counts, innermost first");
  for (size_t d = 0; d < counts; ++d) {
    t.count[d] = static_cast<uint32_t>(count.At(d).Unsigned(0, kMost32));
  }
  ParseStrides(reader, counts, &t);
  if (reader.Has("start")) {
    const Reader start = reader.At("start");
    const size_t given = start.Array(model::kDims);
    for (size_t d = 0; d < given; ++d) {
      t.start[d] = static_cast<int32_t>(start.At(d).Signed(INT32_MIN, INT32_MAX));
    }
  }
  ParseBounds(reader, &t);
  ParseWalk(reader, &t);
  if (reader.Has("length")) {
    t.length = static_cast<uint32_t>(reader.At("length").Unsigned(0, kMost32));
  }
  if (reader.Has("fill")) t.fill = reader.At("fill").Unsigned(0, ~uint64_t{0});
  ParseStreamAttributes(reader, &t);
  return out;
}

}  // namespace tessera::job
