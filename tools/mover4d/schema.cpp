// The JSON schema of kernels, and of what a specification of tessera_mover4d has beside others'.
#include "tools/gen/product.h"

#include <nlohmann/json.hpp>

#include "tools/mover4d/kernels.h"
#include "tools/mover4d/rom.h"

namespace tessera::gen {
namespace {

using Json = nlohmann::ordered_json;

Json RomType() { return {{"enum", kRomTypes}}; }

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

}  // namespace

Json MemberSchemas() {
  return {{"rom", OrNull(Rom())},
          {"names", OrNull({{"type", "array"},
                            {"maxItems", 32},
                            {"items", Object({{"list", OrNull(ChannelName())},
                                              {"data", OrNull(ChannelName())},
                                              {"stream", OrNull(ChannelName())}},
                                             Json::array())}})}};
}

// Kernels by name: what they may have beside impl and map is that of a specification.
Json KernelsSchema(const Json& name, const Json& members) {
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
    if (top.name == "tessera_mover4d") properties["parameters"] = OrNull(ParametersOf(top));
  }
  Json kernel = Object(properties, {"impl", "map"});
  kernel["allOf"] = rules;
  return {{"type", "object"},
          {"minProperties", 1},
          {"propertyNames", name},
          {"additionalProperties", OrNull(kernel)}};
}

}  // namespace tessera::gen
