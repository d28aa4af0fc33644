// The JSON schema of jobs, from their grammar.
#include <cctype>
#include <nlohmann/json.hpp>
#include <string>

#include "tools/job/grammar.h"

namespace tessera::job {
namespace {

using Ordered = nlohmann::ordered_json;

Ordered Written(const Shape& shape, Ordered* defs);

// "an address of its own": "An address of its own."
void Describe(std::string_view about, Ordered* schema) {
  if (about.empty()) return;
  std::string text = std::string(about) + ".";
  text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  (*schema)["description"] = text;
}

Ordered WithNull(Ordered schema) {
  return {{"anyOf", Ordered::array({std::move(schema), {{"type", "null"}}})}};
}

Ordered Hexadecimal(bool sign) {
  return {{"type", "string"},
          {"pattern", sign ? "^-?0[xX][0-9a-fA-F]{1,16}$" : "^0[xX][0-9a-fA-F]{1,16}$"}};
}

// An object in which this member is there.
Ordered Given(std::string_view member) {
  const Ordered absent{{"enum", Ordered::array({nullptr, false})}};
  return {{"required", Ordered::array({member})},
          {"properties", {{std::string(member), {{"not", absent}}}}}};
}

Ordered RuleOf(const Rule& rule) {
  Ordered given = Ordered::array();
  for (const std::string_view member : rule.members) {
    if (!member.empty()) given.push_back(Given(member));
  }
  if (rule.kind == Rule::Kind::kOneOf) return {{"oneOf", given}};
  const Ordered first = given[0];
  given.erase(0);
  if (rule.kind == Rule::Kind::kNeeds) return {{"if", first}, {"then", {{"allOf", given}}}};
  return {{"if", first}, {"then", {{"not", {{"anyOf", given}}}}}};
}

// Stands in $defs once.
Ordered ObjectOf(const Shape& shape, Ordered* defs) {
  const std::string name(shape.name);
  const Ordered reference{{"$ref", "#/$defs/" + name}};
  if (defs->contains(name)) return reference;
  (*defs)[name] = nullptr;
  Ordered object, properties = Ordered::object(), needed = Ordered::array();
  Describe(shape.about, &object);
  object["type"] = "object";
  for (const Member& member : std::span(shape.members, shape.most)) {
    Ordered value = Written(member.shape, defs);
    if (!member.needed) value = WithNull(std::move(value));
    Describe(member.about, &value);
    if (member.needed) needed.push_back(member.name);
    properties[std::string(member.name)] = std::move(value);
  }
  object["properties"] = std::move(properties);
  object["required"] = std::move(needed);
  object["additionalProperties"] = {{"type", "null"}};
  for (const Rule& rule : shape.rules) object["allOf"].push_back(RuleOf(rule));
  (*defs)[name] = std::move(object);
  return reference;
}

Ordered KindOf(const Shape& shape, Ordered* defs) {
  using Kind = Shape::Kind;
  Ordered all = Ordered::array();
  switch (shape.kind) {
    case Kind::kInteger:
      all = {{{"type", "integer"}, {"minimum", shape.least}, {"maximum", shape.most}},
             Hexadecimal(shape.least < 0)};
      return {{"anyOf", all}};
    case Kind::kPower:
      for (uint64_t value = 1; value <= shape.most; value *= 2) all.push_back(value);
      return {{"anyOf", Ordered::array({{{"enum", all}}, Hexadecimal(false)})}};
    case Kind::kFraction:
      return {
          {"type", "number"}, {"minimum", 0}, {"maximum", static_cast<double>(shape.most) / 100}};
    case Kind::kBool:
      return {{"type", "boolean"}};
    case Kind::kTrue:
      return {{"const", true}};
    case Kind::kText:
    case Kind::kPath:
    case Kind::kName:
      return {{"type", "string"}, {"pattern", shape.pattern}};
    case Kind::kWord:
      for (const std::string_view word : shape.words) all.push_back(word);
      return {{"enum", all}};
    case Kind::kArray:
      return {{"type", "array"},
              {"items", Written(*shape.shapes, defs)},
              {"minItems", shape.least},
              {"maxItems", shape.most}};
    case Kind::kAnyOf:
      for (const Shape& form : std::span(shape.shapes, shape.most)) {
        all.push_back(Written(form, defs));
      }
      return {{"anyOf", all}};
    case Kind::kObject:
      break;
  }
  return ObjectOf(shape, defs);
}

Ordered Written(const Shape& shape, Ordered* defs) {
  Ordered schema = KindOf(shape, defs);
  return shape.null ? WithNull(std::move(schema)) : schema;
}

}  // namespace

std::string SchemaText() {
  Ordered defs = Ordered::object();
  Ordered schema{{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                 {"$id", "https://tessera.invalid/job.schema.json"},
                 {"title", "A job for tessera run and tessera show (docs/run.md)"}};
  schema.update(Written(kJob, &defs));
  schema["$defs"] = std::move(defs);
  return schema.dump(2) + "\n";
}

}  // namespace tessera::job
