// The JSON schema of specifications, from the tops inside the program.
#include <nlohmann/json.hpp>

#include "tools/gen/product.h"
#include "tools/gen/spec.h"

namespace tessera::gen {
namespace {

using Json = nlohmann::ordered_json;

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
  if (!parameter.power) {
    out["minimum"] = parameter.from;
    out["maximum"] = parameter.to;
    return out;
  }
  for (int64_t value = 1; value <= parameter.to; value *= 2) {
    if (value >= parameter.from) out["enum"].push_back(value);
  }
  return out;
}

}  // namespace

Json OrNull(Json schema) { return {{"anyOf", {std::move(schema), {{"type", "null"}}}}}; }

Json Text(const char* pattern, const char* about) {
  return {{"type", "string"}, {"pattern", pattern}, {"description", about}};
}

Json Object(Json properties, Json required) {
  return {{"type", "object"},
          {"additionalProperties", false},
          {"properties", std::move(properties)},
          {"required", std::move(required)}};
}

Json Number(uint64_t least, uint64_t most) {
  return {{"type", "integer"}, {"minimum", least}, {"maximum", most}};
}

Json ParametersOf(const Top& top) {
  Json properties = Json::object();
  for (const Parameter& parameter : top.parameters)
    properties[parameter.name] = OrNull(SchemaOf(parameter));
  return {{"type", "object"}, {"additionalProperties", false}, {"properties", properties}};
}

Json FilePath() { return {{"type", "string"}, {"minLength", 1}}; }

namespace {

Json Integer(uint64_t most) {
  return OrNull({{"anyOf",
                  {{{"type", "integer"}, {"minimum", 0}, {"maximum", most}},
                   {{"type", "string"}, {"pattern", "^0[xX][0-9a-fA-F]{1,16}$"}}}}});
}

Json Mhz() { return {{"type", "number"}, {"minimum", 1}, {"maximum", 1000}}; }

// Register writes: a file, or [address, value] after another.
Json Start() {
  const Json address{
      {"anyOf",
       {{{"type", "integer"}, {"minimum", 0}, {"maximum", 0x3fffc}, {"multipleOf", 4}},
        {{"type", "string"}, {"pattern", "^0[xX]0{0,11}[0-3]?[0-9a-fA-F]{0,3}[048cC]$"}}}}};
  const Json value{{"anyOf",
                    {{{"type", "integer"}, {"minimum", 0}, {"maximum", 0xffffffff}},
                     {{"type", "string"}, {"pattern", "^0[xX]0{0,8}[0-9a-fA-F]{1,8}$"}}}}};
  const Json write{{"type", "array"},
                   {"minItems", 2},
                   {"maxItems", 2},
                   {"prefixItems", Json::array({address, value})}};
  return {
      {"anyOf",
       {FilePath(),
        {{"type", "array"}, {"minItems", 1}, {"maxItems", kMostStartWrites}, {"items", write}}}},
      {"description", "Register writes after reset."}};
}

}  // namespace

std::string SchemaText() {
  const Json name = {
      {"type", "string"}, {"pattern", "^[a-z][a-z0-9]*(_[a-z0-9]+)*$"}, {"maxLength", 48}};
  Json tops = Json::array(), rules = Json::array();
  for (const Top& top : Tops()) {
    tops.push_back(top.name);
    Json members{{"parameters", OrNull(ParametersOf(top))}};
    for (const Product& product : Products()) {
      if (&product == top.product) continue;
      for (const std::string_view member : product.members) members[member] = {{"type", "null"}};
    }
    if (top.writable.empty()) members["start"] = {{"type", "null"}};
    rules.push_back({{"if", {{"properties", {{"top", {{"const", top.name}}}}}}},
                     {"then", {{"properties", members}}}});
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
  const Json clock{{"type", "object"},
                   {"additionalProperties", false},
                   {"required", {"mhz"}},
                   {"properties",
                    {{"name", OrNull(name)},
                     {"reset", OrNull(name)},
                     {"mhz", Mhz()},
                     {"packets", OrNull({{"type", "boolean"}})}}}};
  Json spec{{"type", "object"},
            {"additionalProperties", false},
            {"required", {"top", "name"}},
            {"allOf", rules}};
  spec["properties"] = {
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
      {"start", OrNull(Start())},
      {"placement",
       OrNull({{"type", "object"},
               {"additionalProperties", false},
               {"required", {"areaGroups"}},
               {"properties",
                {{"areaGroups", {{"type", "array"}, {"maxItems", 64}, {"items", group}}}}}})}};
  Json others = Json::array();
  for (const Product& product : Products()) {
    const Json schemas = product.schemas();
    for (const auto& [member, schema] : schemas.items()) spec["properties"][member] = schema;
  }
  for (const Product& product : Products())
    others.push_back(product.schema(name, spec["properties"]));
  const Json out{{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                 {"$id", "https://tessera.invalid/spec.schema.json"},
                 {"title", "A specification for tessera gen"},
                 {"type", "object"},
                 {"if", {{"required", Json::array({"top"})}}},
                 {"then", spec},
                 {"else", others.empty() ? spec : Json{{"anyOf", others}}}};
  return out.dump(2) + "\n";
}

}  // namespace tessera::gen
