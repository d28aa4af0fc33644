// The JSON schema of specifications, from the tops inside the program.
#include <nlohmann/json.hpp>

#include "tools/gen/kernels.h"
#include "tools/gen/rom.h"

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

Json Integer(uint64_t most) {
  return OrNull({{"anyOf",
                  {{{"type", "integer"}, {"minimum", 0}, {"maximum", most}},
                   {{"type", "string"}, {"pattern", "^0[xX][0-9a-fA-F]{1,16}$"}}}}});
}

Json Text(const char* pattern, const char* about) {
  return {{"type", "string"}, {"pattern", pattern}, {"description", about}};
}

Json Mhz() { return {{"type", "number"}, {"minimum", 1}, {"maximum", 1000}}; }

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

Json RomType() { return {{"enum", kRomTypes}}; }

Json FilePath() { return {{"type", "string"}, {"minLength", 1}}; }

Json Rom() {
  const Json file =
      Object({{"file", FilePath()}, {"type", RomType()}, {"num", OrNull(Number(1, 1 << 22))}},
             {"file", "type"});
  const Json beat{{"type", "string"}, {"pattern", "^0x([0-9a-f]{2})+$"}};
  const Json beats =
      Object({{"beats",
               {{"type", "array"}, {"minItems", 1}, {"maxItems", kMostRomBeats}, {"items", beat}}}},
             Json::array({"beats"}));
  return {{"anyOf", {file, beats}}};
}

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

Json ChannelName() { return Text("^[A-Za-z_][A-Za-z0-9_]{0,47}$", "As host code calls it."); }

Json FieldSchema(const Field& field) {
  switch (field.kind) {
    case FieldKind::kName:
      return ChannelName();
    case FieldKind::kPath:
      return FilePath();
    case FieldKind::kRamType:
      return {{"enum", kRamTypes}};
    case FieldKind::kRomType:
      return RomType();
    case FieldKind::kWidth:
      return {{"enum", kMapWidths}};
    case FieldKind::kInteger:
      break;
  }
  return Number(field.least, field.most);
}

// An entry of the map of a kernel.
Json EntrySchema(const Impl& impl) {
  Json parts = Json::object(), needed = Json::array();
  for (const std::string& part : impl.Parts()) {
    Json properties = Json::object(), required = Json::array();
    for (const Field& field : impl.fields) {
      if (field.part != part) continue;
      properties[field.member] = field.must ? FieldSchema(field) : OrNull(FieldSchema(field));
      if (field.must) required.push_back(field.member);
    }
    const bool must = !required.empty();
    const Json object = Object(properties, required);
    parts[part] = must ? object : OrNull(object);
    if (must) needed.push_back(part);
  }
  return Object(parts, needed);
}

// Kernels by name: what they may have beside impl and map is that of a specification.
Json Kernels(const Json& name, const Json& members) {
  Json properties = members, names = Json::array(), rules = Json::array();
  for (const char* own : {"top", "name", "names", "rom", "start", "$schema"}) properties.erase(own);
  for (const Impl& impl : Impls()) {
    names.push_back(impl.name);
    rules.push_back({{"if", {{"properties", {{"impl", {{"const", impl.name}}}}}}},
                     {"then", {{"properties", {{"map", {{"items", EntrySchema(impl)}}}}}}}});
  }
  properties["impl"] = {{"enum", names}, {"description", "What the kernel does."}};
  properties["map"] = {{"type", "array"}, {"minItems", 1}, {"maxItems", 16}};
  for (const Top& top : Tops()) {
    if (top.hls) properties["parameters"] = OrNull(ParametersOf(top));
  }
  Json kernel = Object(properties, {"impl", "map"});
  kernel["allOf"] = rules;
  return {{"type", "object"},
          {"minProperties", 1},
          {"propertyNames", name},
          {"additionalProperties", OrNull(kernel)}};
}

}  // namespace

std::string SchemaText() {
  const Json name = {
      {"type", "string"}, {"pattern", "^[a-z][a-z0-9]*(_[a-z0-9]+)*$"}, {"maxLength", 48}};
  Json tops = Json::array(), rules = Json::array();
  for (const Top& top : Tops()) {
    tops.push_back(top.name);
    Json members{{"parameters", OrNull(ParametersOf(top))}};
    if (!top.hls) members["names"] = members["rom"] = {{"type", "null"}};
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
  const Json clock{
      {"type", "object"},
      {"additionalProperties", false},
      {"required", {"mhz"}},
      {"properties", {{"name", OrNull(name)}, {"reset", OrNull(name)}, {"mhz", Mhz()}}}};
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
      {"rom", OrNull(Rom())},
      {"start", OrNull(Start())},
      {"names", OrNull({{"type", "array"},
                        {"maxItems", 32},
                        {"items", Object({{"list", OrNull(ChannelName())},
                                          {"data", OrNull(ChannelName())},
                                          {"stream", OrNull(ChannelName())}},
                                         Json::array())}})},
      {"placement",
       OrNull({{"type", "object"},
               {"additionalProperties", false},
               {"required", {"areaGroups"}},
               {"properties",
                {{"areaGroups", {{"type", "array"}, {"maxItems", 64}, {"items", group}}}}}})}};
  const Json kernels = Kernels(name, spec["properties"]);
  const Json out{{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                 {"$id", "https://tessera.invalid/spec.schema.json"},
                 {"title", "A specification for tessera gen: of a top, or kernels by name"},
                 {"type", "object"},
                 {"if", {{"required", Json::array({"top"})}}},
                 {"then", spec},
                 {"else", kernels}};
  return out.dump(2) + "\n";
}

}  // namespace tessera::gen
