// Tops from what embed.py has read; see top.h.
#include "tools/gen/top.h"

#include <fmt/format.h>

#include <bit>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "tools/gen/product.h"

namespace tessera::gen {
namespace {

using Json = nlohmann::ordered_json;

std::string Text(const Json& json, const char* member) { return json.value(member, std::string()); }

Kind KindOf(const std::string& word) {
  if (const auto kind = FromName<Kind>(word)) return *kind;
  throw std::logic_error(fmt::format("tops.json: the kind of an interface is '{}'", word));
}

Top ReadTop(const std::string& name, const Json& json) {
  Top out;
  out.name = name;
  out.about = json.at("about");
  out.clock = json.at("clock");
  out.reset = json.at("reset");
  out.registers = json.at("registers");
  out.register_cell = json.at("register_cell");
  out.compatible = json.at("compatible");
  for (const Product& product : Products()) {
    if (product.top == name) out.product = &product;
  }
  Values defaults;
  for (const Json& parameter : json.at("parameters")) {
    Parameter& added = out.parameters.emplace_back();
    added.name = parameter.at("name");
    added.about = parameter.at("about");
    added.legal = parameter.at("legal");
    added.value = parameter.at("default");
    added.from = parameter.at("from");
    added.to = parameter.at("to");
    added.flag = parameter.at("flag");
    added.power = parameter.at("power");
    added.usual = defaults[added.name] = Evaluate(added.value, defaults);
  }
  for (const Json& derived : json.at("localparams"))
    out.derived.emplace_back(derived.at("name"), derived.at("value"));
  for (const Json& pin : json.at("ports")) {
    out.pins.push_back({pin.at("name"), pin.at("direction") == "input", pin.at("width")});
  }
  for (const Json& rule : json.at("rules"))
    out.rules.push_back({rule.at("of"), rule.at("that"), rule.at("legal")});
  for (const Json& group : json.at("interfaces")) {
    out.groups.push_back({.prefix = group.at("prefix"),
                          .about = Text(group, "about"),
                          .count = Text(group, "count"),
                          .condition = Text(group, "if"),
                          .reads = Text(group, "reads"),
                          .writes = Text(group, "writes"),
                          .split = Text(group, "split"),
                          .first = Text(group, "first"),
                          .kind = KindOf(group.at("kind")),
                          .master = group.at("mode") == "master",
                          .data = group.value("data", false),
                          .optional = group.value("optional", decltype(Group::optional)())});
  }
  for (const Json& reg : json.value("writable", Json::array())) {
    out.writable.push_back({reg.at("name"), reg.at("address"), reg.at("places")});
  }
  for (const Json& reach : json.value("start", Json::array()))
    out.reaches.push_back({reach.at("under"), reach.at("of"), reach.at("that")});
  out.sources = json.at("sources").get<std::vector<std::string>>();
  return out;
}

}  // namespace

bool Parameter::Takes(int64_t number) const {
  return number >= from && number <= to &&
         (!power || std::has_single_bit(static_cast<uint64_t>(number)));
}

std::string Parameter::Shown(int64_t number) const {
  if (!flag) return std::to_string(number);
  return number != 0 ? "true" : "false";
}

const Parameter* Top::Find(std::string_view parameter) const {
  for (const Parameter& p : parameters) {
    if (p.name == parameter) return &p;
  }
  return nullptr;
}

int64_t Top::Span() const {
  Values values;
  for (const auto& [word, expression] : derived) {
    try {
      values[word] = Evaluate(expression, values);
    } catch (const std::logic_error&) {  // of parameters
    }
  }
  for (const Pin& pin : pins) {
    if (pin.name == "s_axil_awaddr") return int64_t{1} << Evaluate(pin.width, values);
  }
  throw std::logic_error(fmt::format("{} has no registers", name));
}

const std::vector<Top>& Tops() {
  static const std::vector<Top> tops = [] {
    std::vector<Top> out;
    const Json json = Json::parse(EmbeddedText("tops.json"));
    for (const auto& [name, value] : json.items()) out.push_back(ReadTop(name, value));
    return out;
  }();
  return tops;
}

const Top* FindTop(std::string_view name) {
  for (const Top& top : Tops()) {
    if (top.name == name) return &top;
  }
  return nullptr;
}

}  // namespace tessera::gen
