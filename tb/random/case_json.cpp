// Cases as JSON; see case.h.
#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <string>

#include "tb/random/case.h"

namespace tessera {
namespace {

template <size_t N>
Json NameOf(const std::array<const char*, N>& names, size_t value) {
  return names.at(value);
}

template <typename Enum, size_t N>
void ReadName(const Json& json, const char* field, const std::array<const char*, N>& names,
              Enum* out) {
  if (!json.contains(field)) return;
  const std::string text = json.at(field).get<std::string>();
  std::string legal;
  for (size_t n = 0; n < N; ++n) {
    if (text == names[n]) {
      *out = static_cast<Enum>(n);
      return;
    }
    legal += (n == 0 ? "" : ", ") + std::string(names[n]);
  }
  throw std::invalid_argument(fmt::format("{} is '{}': legal are {}", field, text, legal));
}

template <typename T>
void Read(const Json& json, const char* field, T* out) {
  if (json.contains(field)) json.at(field).get_to(*out);
}

template <typename T>
void Read(const Json& json, const char* field, std::optional<T>* out) {
  if (json.contains(field) && !json.at(field).is_null()) *out = json.at(field).get<T>();
}

void Read(const Json& json, const char* field, PacerSpec* out) {
  if (json.contains(field)) *out = PacerSpec::Parse(json.at(field).get<std::string>());
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

constexpr std::array<const char*, 4> kRules{"never", "transfer", "task", "level"};
constexpr std::array<const char*, 2> kFinish{"length", "last"};
constexpr std::array<const char*, 4> kEnds{"open", "beat", "last", "null-last"};
constexpr std::array<const char*, 4> kServices{"parallel", "one-queued", "one-strict",
                                               "one-buffered"};
constexpr std::array<const char*, 4> kOrders{"free", "address-first", "data-first",
                                             "all-data-first"};

Json ToJson(const model::Transfer& t) {
  Json walk = Json::array();
  for (const auto& level : t.walk) {
    walk.push_back(level ? Json{{"dim", level->dim}, {"step", level->step}, {"count", level->count}}
                         : Json());
  }
  Json bound = Json::array();
  for (const auto& b : t.bound) bound.push_back(Optional(b));
  return Json{{"elem", t.elem},
              {"base", t.base},
              {"offset", t.offset},
              {"count", t.count},
              {"stride", t.stride},
              {"start", t.start},
              {"bound", bound},
              {"walk", walk},
              {"length", Optional(t.length)},
              {"fill", t.fill},
              {"last_rule", NameOf(kRules, static_cast<size_t>(t.last_rule))},
              {"last_level", t.last_level},
              {"join_next", t.join_next},
              {"task_end", t.task_end},
              {"finish", NameOf(kFinish, static_cast<size_t>(t.finish))}};
}

model::Transfer TransferFromJson(const Json& json) {
  Known(json, "transfer",
        {"elem", "base", "offset", "count", "stride", "start", "bound", "walk", "length", "fill",
         "last_rule", "last_level", "join_next", "task_end", "finish"});
  model::Transfer t;
  Read(json, "elem", &t.elem);
  if (t.elem < 1 || t.elem > model::kMaxElem || (t.elem & (t.elem - 1)) != 0) {
    throw std::invalid_argument(
        fmt::format("elem is {}: legal are the powers of two up to 128", t.elem));
  }
  Read(json, "base", &t.base);
  Read(json, "offset", &t.offset);
  Read(json, "count", &t.count);
  Read(json, "stride", &t.stride);
  Read(json, "start", &t.start);
  if (json.contains("bound")) {
    for (size_t d = 0; d < model::kDims; ++d) {
      const Json& bound = json.at("bound").at(d);
      if (!bound.is_null()) t.bound[d] = bound.get<uint32_t>();
    }
  }
  if (json.contains("walk")) {
    for (size_t k = 0; k < model::kWalkLevels; ++k) {
      const Json& level = json.at("walk").at(k);
      if (level.is_null()) continue;
      Known(level, "walk", {"dim", "step", "count"});
      t.walk[k].emplace();
      Read(level, "dim", &t.walk[k]->dim);
      Read(level, "step", &t.walk[k]->step);
      Read(level, "count", &t.walk[k]->count);
    }
  }
  Read(json, "length", &t.length);
  Read(json, "fill", &t.fill);
  ReadName(json, "last_rule", kRules, &t.last_rule);
  Read(json, "last_level", &t.last_level);
  Read(json, "join_next", &t.join_next);
  Read(json, "task_end", &t.task_end);
  ReadName(json, "finish", kFinish, &t.finish);
  return t;
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
              {"service", NameOf(kServices, static_cast<size_t>(m.service))},
              {"write_order", NameOf(kOrders, static_cast<size_t>(m.write_order))}};
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
  ReadName(json, "service", kServices, &m.service);
  ReadName(json, "write_order", kOrders, &m.write_order);
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
  for (const model::Transfer& t : value.reads) reads.push_back(ToJson(t));
  for (const model::Transfer& t : value.writes) writes.push_back(ToJson(t));
  for (const StreamPiece& piece : value.stream) {
    stream.push_back(
        {{"bytes", piece.bytes}, {"end", NameOf(kEnds, static_cast<size_t>(piece.end))}});
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

Case CaseFromJson(const Json& json) try {
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
      ReadName(piece, "end", kEnds, &p.end);
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
} catch (const nlohmann::json::exception& error) {
  throw std::invalid_argument(std::string("case: ") + error.what());
}

}  // namespace tessera
