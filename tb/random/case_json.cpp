// Cases as JSON; see case.h.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "tb/random/case.h"
#include "tb/random/transfer_json.h"
#include "tb/sim/names.h"

namespace tessera {
namespace {

bool Fits(const Json& json, const std::string*) { return json.is_string(); }
bool Fits(const Json& json, const bool*) { return json.is_boolean(); }
template <typename T>
requires std::is_arithmetic_v<T>
bool Fits(const Json& json, const T*) { return json.is_number(); }
template <typename T>
bool Fits(const Json& json, const std::vector<T>*) {
  return json.is_array() && std::all_of(json.begin(), json.end(), [](const Json& item) {
           return Fits(item, static_cast<const T*>(nullptr));
         });
}

// The value of a field that must be of this type.
template <typename T>
T Get(const Json& json, const char* field) {
  const Json& value = json.at(field);
  if (!Fits(value, static_cast<const T*>(nullptr))) {
    throw std::invalid_argument(
        fmt::format("{} is {}, another kind of value", field, value.dump()));
  }
  return value.get<T>();
}

template <NamedEnum Enum>
void Read(const Json& json, const char* field, Enum* out) {
  if (!json.contains(field)) return;
  const auto text = Get<std::string>(json, field);
  const std::optional<Enum> value = FromName<Enum>(text);
  if (!value) {
    throw std::invalid_argument(
        fmt::format("{} is '{}': legal are {}", field, text, LegalNames<Enum>()));
  }
  *out = *value;
}

template <typename T>
requires(!NamedEnum<T>) void Read(const Json& json, const char* field, T* out) {
  if (json.contains(field)) *out = Get<T>(json, field);
}

template <typename T>
void Read(const Json& json, const char* field, std::optional<T>* out) {
  if (json.contains(field) && !json.at(field).is_null()) *out = Get<T>(json, field);
}

void Read(const Json& json, const char* field, PacerSpec* out) {
  if (json.contains(field)) *out = PacerSpec::Parse(Get<std::string>(json, field));
}

template <typename T>
Json Optional(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

void Known(const Json& json, const char* what, const std::set<std::string>& fields) {
  for (const auto& [key, unused] : json.items()) {
    if (!fields.contains(key))
      throw std::invalid_argument(fmt::format("{} has no field '{}'", what, key));
  }
}

Json ToJson(const AxiMemoryOptions& m) {
  return Json{{"latency_min", m.latency_min},
              {"latency_max", m.latency_max},
              {"max_reads", m.max_reads},
              {"max_writes", m.max_writes},
              {"ar", m.ar.ToString()},
              {"r", m.r.ToString()},
              {"aw", m.aw.ToString()},
              {"w", m.w.ToString()},
              {"b", m.b.ToString()},
              {"service", NameOf(m.service)},
              {"write_order", NameOf(m.write_order)}};
}

AxiMemoryOptions MemoryFromJson(const Json& json) {
  Known(json, "memory",
        {"latency_min", "latency_max", "max_reads", "max_writes", "ar", "r", "aw", "w", "b",
         "service", "write_order"});
  AxiMemoryOptions m;
  Read(json, "latency_min", &m.latency_min);
  Read(json, "latency_max", &m.latency_max);
  Read(json, "max_reads", &m.max_reads);
  Read(json, "max_writes", &m.max_writes);
  Read(json, "ar", &m.ar);
  Read(json, "r", &m.r);
  Read(json, "aw", &m.aw);
  Read(json, "w", &m.w);
  Read(json, "b", &m.b);
  Read(json, "service", &m.service);
  Read(json, "write_order", &m.write_order);
  return m;
}

Json ToJson(const std::vector<model::ErrorRange>& ranges) {
  Json list = Json::array();
  for (const model::ErrorRange& range : ranges) {
    list.push_back({{"first", range.first}, {"last", range.last}, {"decerr", range.decerr}});
  }
  return list;
}

void Read(const Json& json, const char* field, std::vector<model::ErrorRange>* out) {
  if (!json.contains(field)) return;
  for (const Json& range : json.at(field)) {
    Known(range, field, {"first", "last", "decerr"});
    model::ErrorRange& r = out->emplace_back();
    Read(range, "first", &r.first);
    Read(range, "last", &r.last);
    Read(range, "decerr", &r.decerr);
  }
}

}  // namespace

Json ToJson(const Case& value) {
  Json reads = Json::array(), writes = Json::array(), stream = Json::array();
  for (const model::Transfer& t : value.reads) reads.push_back(TransferToJson(t));
  for (const model::Transfer& t : value.writes) writes.push_back(TransferToJson(t));
  for (const StreamPiece& piece : value.stream) {
    stream.push_back({{"bytes", piece.bytes}, {"end", NameOf(piece.end)}});
  }
  return Json{{"config", value.config},
              {"seed", value.seed},
              {"reads", reads},
              {"writes", writes},
              {"stream", stream},
              {"shape",
               {{"partial", value.shape.partial},
                {"sparse", value.shape.sparse},
                {"null", value.shape.null}}},
              {"memory", ToJson(value.memory)},
              {"source", value.source.ToString()},
              {"sink", value.sink.ToString()},
              {"sink_after_valid", value.sink_after_valid},
              {"read_offer", value.read_offer.ToString()},
              {"read_take", value.read_take.ToString()},
              {"write_offer", value.write_offer.ToString()},
              {"write_take", value.write_take.ToString()},
              {"read_errors", ToJson(value.read_errors)},
              {"write_errors", ToJson(value.write_errors)},
              {"abort_read", value.abort_read},
              {"abort_write", value.abort_write},
              {"reset", Optional(value.reset)}};
}

Case CaseFromJson(const Json& json) {
  Known(json, "case",
        {"config", "seed", "reads", "writes", "stream", "shape", "memory", "source", "sink",
         "sink_after_valid", "read_offer", "read_take", "write_offer", "write_take", "read_errors",
         "write_errors", "abort_read", "abort_write", "reset"});
  Case value;
  Read(json, "config", &value.config);
  Read(json, "seed", &value.seed);
  if (json.contains("reads")) {
    for (const Json& t : json.at("reads")) value.reads.push_back(TransferFromJson(t));
  }
  if (json.contains("writes")) {
    for (const Json& t : json.at("writes")) value.writes.push_back(TransferFromJson(t));
  }
  if (json.contains("stream")) {
    for (const Json& piece : json.at("stream")) {
      Known(piece, "stream", {"bytes", "end"});
      StreamPiece& p = value.stream.emplace_back();
      Read(piece, "bytes", &p.bytes);
      Read(piece, "end", &p.end);
    }
  }
  if (json.contains("shape")) {
    Known(json.at("shape"), "shape", {"partial", "sparse", "null"});
    Read(json.at("shape"), "partial", &value.shape.partial);
    Read(json.at("shape"), "sparse", &value.shape.sparse);
    Read(json.at("shape"), "null", &value.shape.null);
  }
  if (json.contains("memory")) value.memory = MemoryFromJson(json.at("memory"));
  Read(json, "source", &value.source);
  Read(json, "sink", &value.sink);
  Read(json, "sink_after_valid", &value.sink_after_valid);
  Read(json, "read_offer", &value.read_offer);
  Read(json, "read_take", &value.read_take);
  Read(json, "write_offer", &value.write_offer);
  Read(json, "write_take", &value.write_take);
  Read(json, "read_errors", &value.read_errors);
  Read(json, "write_errors", &value.write_errors);
  Read(json, "abort_read", &value.abort_read);
  Read(json, "abort_write", &value.abort_write);
  Read(json, "reset", &value.reset);
  return value;
}

}  // namespace tessera
