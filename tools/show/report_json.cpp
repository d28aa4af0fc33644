// The same for machines; see report.h.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tb/random/transfer_json.h"
#include "tools/show/report.h"
#include "tools/show/words.h"

namespace tessera::show {
namespace {

using Json = nlohmann::ordered_json;

std::string Address(uint64_t address) { return fmt::format("{:#x}", address); }

Json CyclesJson(const CycleLimit& limit) {
  return {{"latency", limit.latency},
          {"engine", limit.engine},
          {"engine_bound", limit.engine_bound},
          {"best", limit.best},
          {"best_bound", limit.best_bound}};
}

// A count that is too large to be told is null.
Json Number(uint64_t count) { return count == kSaturated ? Json(nullptr) : Json(count); }

Json CountJson(const BusCount& count) {
  return {{"bursts", Number(count.bursts)}, {"words", Number(count.words)}};
}

Json EntryJson(const TableEntry& e) {
  Json json{{"index", e.index}, {"x", e.x}, {"t", e.t}};
  json["address"] = Address(e.addr);
  json["valid"] = e.valid;
  json["row"] = e.row;
  json["beat"] = e.beat;
  json["lane"] = e.lane;
  json["last_beat"] = e.last_beat;
  if (e.ends_packet) json["tlast"] = true;
  if (e.burst) json["burst"] = *e.burst;
  if (e.last_burst) json["last_burst"] = *e.last_burst;
  return json;
}

Json AdviceJson(const Advice& a) {
  return {{"kind", NameOf(a.kind)},
          {"text", a.text},
          {"same_bytes", a.same_bytes},
          {"same_stream", a.same_stream},
          {"latency", kAdviceLatency},
          {"cycles", {{"before", a.cycles_before}, {"after", a.cycles_after}}},
          {"bursts", {{"before", a.bursts_before}, {"after", a.bursts_after}}},
          {"transfer", TransferToJson(a.transfer)}};
}

}  // namespace

Json ReportJson(const Report& r) {
  const Analysis& a = r.analysis;
  const Config& c = a.subject.config;
  Json json;
  json["name"] = r.name;
  json["direction"] = NameOf(a.subject.direction);
  json["config"] = {{"name", c.name},
                    {"address_bits", c.addr_width},
                    {"bus_bytes", c.data_bytes},
                    {"stream_bytes", c.stream_bytes},
                    {"max_burst", c.max_burst},
                    {"outstanding", c.outstanding}};
  json["transfer"] = TransferToJson(a.subject.transfer);
  json["exact"] = a.exact;
  json["counted"] = a.counted;
  json["positions"] = Number(a.tally.positions);
  json["data"] = Number(a.tally.data);
  json["fill"] = Number(a.fill);
  json["stream_bytes"] = Number(a.stream_bytes);
  json["memory_bytes"] = Number(a.memory_bytes);
  json["rows"] = {{"count", Number(a.tally.rows)},
                  {"bytes", a.row_bytes},
                  {"dimension_0", a.row_is_dim0},
                  {"with_data", Number(a.tally.data_rows)},
                  {"misaligned", Number(a.tally.odd_rows)}};
  if (a.extent.any) {
    json["addresses"] = {
        {"low", Hex(a.extent.low)}, {"high", Hex(a.extent.high)}, {"exact", a.extent.exact}};
  }
  json["engine"] = CountJson(a.tally.engine);
  json["least"] = CountJson(a.tally.least);
  json["operations"] = Number(a.tally.operations);
  json["stream_beats"] = Number(a.stream_beats);
  json["packets"] = Number(a.packets);
  json["cycles"] = Json::array();
  for (const CycleLimit& limit : a.cycles) json["cycles"].push_back(CyclesJson(limit));
  json["notes"] = Json::array();
  for (const Note& note : r.notes) json["notes"].push_back({{"id", note.id}, {"text", note.text}});
  json["advice"] = Json::array();
  for (const Advice& advice : r.advice) json["advice"].push_back(AdviceJson(advice));
  json["table"] = Json::array();
  for (const TableEntry& entry : r.table.entries) json["table"].push_back(EntryJson(entry));
  json["bursts"] = Json::array();
  for (const Burst& burst : r.table.bursts) {
    json["bursts"].push_back({{"address", Address(burst.addr)}, {"words", burst.words}});
  }
  return json;
}

}  // namespace tessera::show
