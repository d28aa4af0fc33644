// The JSON schema of specifications, from the tops inside the program.
#include <nlohmann/json.hpp>

#include "tools/gen/spec.h"

namespace tessera::gen {
namespace {

using Json = nlohmann::ordered_json;

Json OrNull(Json schema) { return {{"anyOf", {std::move(schema), {{"type", "null"}}}}}; }

Json SchemaOf(const Parameter& parameter) {
  Json out;
  if (!parameter.about.empty()) out["description"] = parameter.about;
  if (parameter.flag) {
    out["type"] = "boolean";
    out["default"] = parameter.usual != 0;
    return out;
  }
  out["type"] = "integer";
  out["default"] = parameter.usual;
  if (!parameter.values.empty()) {
    out["enum"] = parameter.values;
  } else if (parameter.power) {
    for (int64_t value = 1; value <= *parameter.to; value *= 2) {
      if (value >= *parameter.from) out["enum"].push_back(value);
    }
  } else {
    out["minimum"] = parameter.from.value_or(0);
    out["maximum"] = parameter.to.value_or(0xffffffff);
  }
  return out;
}

Json Integer(uint64_t most) {
  return OrNull({{"anyOf",
                  {{{"type", "integer"}, {"minimum", 0}, {"maximum", most}},
                   {{"type", "string"}, {"pattern", "^0[xX][0-9a-fA-F]{1,16}$"}}}}});
}

Json Text(const char* pattern, const char* about) {
  return {{"type", "string"}, {"pattern", pattern}, {"description", about}};
}

Json Mhz() { return {{"type", "number"}, {"minimum", 1}, {"maximum", 1000}}; }

}  // namespace

std::string SchemaText() {
  const Json name = {
      {"type", "string"}, {"pattern", "^[a-z][a-z0-9]*(_[a-z0-9]+)*$"}, {"maxLength", 48}};
  Json tops = Json::array(), rules = Json::array();
  for (const Top& top : Tops()) {
    tops.push_back(top.name);
    Json parameters{
        {"type", "object"}, {"additionalProperties", false}, {"properties", Json::object()}};
    for (const Parameter& parameter : top.parameters)
      parameters["properties"][parameter.name] = OrNull(SchemaOf(parameter));
    rules.push_back({{"if", {{"properties", {{"top", {{"const", top.name}}}}}}},
                     {"then", {{"properties", {{"parameters", OrNull(parameters)}}}}}});
  }
  Json group{{"type", "object"},
             {"additionalProperties", false},
             {"required", {"name", "nodeGroup", "siteGroup"}}};
  group["properties"] = {
      {"name", name},
      {"nodeGroup",
       {{"type", "array"},
        {"minItems", 1},
        {"maxItems", 64},
        {"items",
         Text("^(all|registers|(read|write|port)\\[[0-9]{1,3}\\])$", "A part of the design.")}}},
      {"siteGroup",
       {{"type", "array"},
        {"minItems", 1},
        {"maxItems", 64},
        {"items",
         Text("^[A-Z][A-Z0-9]*_X[0-9]{1,4}Y[0-9]{1,4}(:[A-Z][A-Z0-9]*_X[0-9]{1,4}Y[0-9]{1,4})?$",
              "A range of sites.")}}},
      {"contain", OrNull({{"type", "boolean"}})}};
  const Json clock{
      {"type", "object"},
      {"additionalProperties", false},
      {"required", {"mhz"}},
      {"properties", {{"name", OrNull(name)}, {"reset", OrNull(name)}, {"mhz", Mhz()}}}};
  Json out{{"$schema", "https://json-schema.org/draft/2020-12/schema"},
           {"$id", "https://tessera.invalid/spec.schema.json"},
           {"title", "A specification for tessera gen"},
           {"type", "object"},
           {"additionalProperties", false},
           {"required", {"top", "name"}},
           {"allOf", rules}};
  out["properties"] = {
      {"$schema", OrNull({{"type", "string"}})},
      {"about",
       OrNull(Text("^[^\\u0000-\\u001f\\u007f\"\\\\{}$\\[\\]<>&]{0,200}$", "A line about it."))},
      {"top", {{"enum", tops}, {"description", "What is generated: tessera gen --list."}}},
      {"name", name},
      {"vendor", OrNull(Text("^[a-z][a-z0-9_.-]{0,199}$", "Of the IP: example.com."))},
      {"library", OrNull(Text("^[a-z][a-z0-9_]{0,199}$", "Of the IP."))},
      {"part", OrNull(Text("^[a-z0-9][a-z0-9-]{0,199}$", "The device, as Vivado names it."))},
      {"parameters", true},
      {"clock_mhz", OrNull(Mhz())},
      {"stream_clock", OrNull(clock)},
      {"address", Integer(~uint64_t{0})},
      {"interrupt", Integer(1019)},
      {"placement",
       OrNull({{"type", "object"},
               {"additionalProperties", false},
               {"required", {"areaGroups"}},
               {"properties",
                {{"areaGroups", {{"type", "array"}, {"maxItems", 64}, {"items", group}}}}}})}};
  return out.dump(2) + "\n";
}

}  // namespace tessera::gen
