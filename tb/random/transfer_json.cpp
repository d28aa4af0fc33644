// Fields of a transfer to and from JSON, each by its type.
#include "tb/random/transfer_json.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <concepts>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "tb/sim/names.h"

namespace tessera {
namespace {

using Json = nlohmann::json;
using Ordered = nlohmann::ordered_json;

// Fields that are always there, and those that are read best in hexadecimal.
bool Always(std::string_view field) {
  return field == "elem" || field == "base" || field == "count" || field == "stride";
}
bool Hexadecimal(std::string_view field) { return field == "base" || field == "fill"; }

template <std::integral T>
Ordered ToJson(const T& value) {
  return value;
}
template <NamedEnum T>
Ordered ToJson(const T& value) {
  return NameOf(value);
}
Ordered ToJson(const model::WalkLevel& level) {
  return {{"dim", level.dim}, {"step", level.step}, {"count", level.count}};
}
template <typename T>
Ordered ToJson(const std::optional<T>& value) {
  return value ? ToJson(*value) : Ordered(nullptr);
}
template <typename T, size_t N>
Ordered ToJson(const std::array<T, N>& values) {
  Ordered list = Ordered::array();
  for (const T& value : values) list.push_back(ToJson(value));
  return list;
}

[[noreturn]] void Refuse(const char* field, const Json& json, const std::string& legal) {
  throw std::invalid_argument(fmt::format("{} is {}: legal is {}", field, json.dump(), legal));
}

template <typename T>
requires(std::integral<T> && !std::same_as<T, bool>) void FromJson(const char* field,
                                                                   const Json& json, T* out) {
  using Limits = std::numeric_limits<T>;
  const auto refuse = [&] {
    Refuse(field, json, fmt::format("a number from {} to {}", Limits::min(), Limits::max()));
  };
  if (json.is_string() && Hexadecimal(field)) {
    const auto& text = json.get_ref<const std::string&>();
    const char* end = text.data() + text.size();
    if (!text.starts_with("0x")) refuse();
    const auto [stop, error] = std::from_chars(text.data() + 2, end, *out, 16);
    if (error != std::errc() || stop != end) refuse();
    return;
  }
  if (json.is_number_unsigned()) {
    const auto value = json.get<uint64_t>();
    if (!std::in_range<T>(value)) refuse();
    *out = static_cast<T>(value);
  } else if (json.is_number_integer()) {
    const auto value = json.get<int64_t>();
    if (!std::in_range<T>(value)) refuse();
    *out = static_cast<T>(value);
  } else {
    refuse();
  }
}
void FromJson(const char* field, const Json& json, bool* out) {
  if (!json.is_boolean()) Refuse(field, json, "true or false");
  *out = json.get<bool>();
}
template <NamedEnum T>
void FromJson(const char* field, const Json& json, T* out) {
  const std::string text = json.is_string() ? json.get<std::string>() : json.dump();
  const std::optional<T> value = FromName<T>(text);
  if (!value) {
    throw std::invalid_argument(
        fmt::format("{} is '{}': legal are {}", field, text, LegalNames<T>()));
  }
  *out = *value;
}
void FromJson(const char* field, const Json& json, model::WalkLevel* out) {
  for (const auto& [key, value] : json.items()) {
    if (key == "dim") {
      FromJson(field, value, &out->dim);
    } else if (key == "step") {
      FromJson(field, value, &out->step);
    } else if (key == "count") {
      FromJson(field, value, &out->count);
    } else {
      throw std::invalid_argument(fmt::format("{} has no field '{}'", field, key));
    }
  }
}
template <typename T>
void FromJson(const char* field, const Json& json, std::optional<T>* out) {
  if (!json.is_null()) FromJson(field, json, &out->emplace());
}
template <typename T, size_t N>
void FromJson(const char* field, const Json& json, std::array<T, N>* out) {
  if (!json.is_array() || json.size() > N) {
    Refuse(field, json, fmt::format("an array of at most {} entries", N));
  }
  for (size_t n = 0; n < json.size(); ++n) FromJson(field, json.at(n), &(*out)[n]);
}

}  // namespace

Ordered TransferToJson(const model::Transfer& transfer) {
  Ordered json = Ordered::object();
  const model::Transfer plain;
  model::VisitFields(transfer, plain,
                     [&](const char* name, const auto& value, const auto& neutral) {
                       if (value == neutral && !Always(name)) return;
                       json[name] = ToJson(value);
                       if (Hexadecimal(name))
                         json[name] = fmt::format("{:#x}", json[name].get<uint64_t>());
                     });
  return json;
}

model::Transfer TransferFromJson(const Json& json) {
  model::Transfer transfer;
  model::VisitFields(transfer, transfer, [&](const char* name, auto& value, auto&) {
    if (!json.contains(name)) return;
    FromJson(name, json.at(name), &value);
  });
  for (const auto& member : json.items()) {
    const std::string& key = member.key();
    bool found = false;
    model::VisitFields(transfer, transfer,
                       [&](const char* name, auto&, auto&) { found = found || key == name; });
    if (!found) throw std::invalid_argument(fmt::format("transfer has no field '{}'", key));
  }
  const int elem = transfer.elem;
  if (elem < 1 || elem > model::kMaxElem || (elem & (elem - 1)) != 0) {
    throw std::invalid_argument(
        fmt::format("elem is {}: legal are the powers of two up to 128", elem));
  }
  return transfer;
}

}  // namespace tessera
