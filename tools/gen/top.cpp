// Tops from what embed.py has read; see top.h.
#include "tools/gen/top.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "tools/gen/embedded.h"

namespace tessera::gen {
namespace {

using Json = nlohmann::ordered_json;

std::string Text(const Json& json, const char* member) { return json.value(member, std::string()); }

Parameter ReadParameter(const Json& json, const Json& ranges) {
  Parameter out;
  out.name = json.at("name");
  out.flag = json.at("type") == "bit";
  out.vector = Text(json, "vector");
  out.value = json.at("value");
  out.about = Text(json, "about");
  if (!ranges.contains(out.name)) return out;
  const Json& range = ranges.at(out.name);
  if (range.contains("about")) out.about = range.at("about");
  if (range.contains("values")) out.values = range.at("values").get<std::vector<int64_t>>();
  if (range.contains("or")) out.values.push_back(range.at("or").get<int64_t>());
  if (!range.contains("from")) return out;
  const int64_t from = range.at("from"), to = range.at("to");
  if (range.value("power", false)) {
    for (int64_t value = 1; value <= to; value *= 2) {
      if (value >= from) out.values.push_back(value);
    }
  } else {
    out.from = from;
    out.to = to;
  }
  return out;
}

Kind KindOf(const std::string& word) {
  if (word == "axi4") return Kind::kAxi4;
  if (word == "axilite") return Kind::kAxiLite;
  if (word == "axis") return Kind::kStream;
  if (word == "interrupt") return Kind::kInterrupt;
  if (word == "signal") return Kind::kSignal;
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
  out.hls = json.value("hls", false);
  Values defaults;
  for (const Json& json_parameter : json.at("parameters")) {
    const std::string vector = Text(json_parameter, "vector");
    const bool wide = !vector.empty() && (vector.front() < '0' || vector.front() > '9');
    if (wide || json_parameter.at("type") == "other")
      continue;  // no number: it keeps what the RTL says
    Parameter parameter = ReadParameter(json_parameter, json.at("ranges"));
    try {
      defaults[parameter.name] = Evaluate(parameter.value, defaults);
    } catch (const std::logic_error&) {  // of constants that nobody tells
      continue;
    }
    parameter.usual = defaults[parameter.name];
    out.parameters.push_back(std::move(parameter));
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
                          .kind = KindOf(group.at("kind")),
                          .master = group.at("mode") == "master",
                          .data = group.value("data", false),
                          .optional = group.value("optional", decltype(Group::optional)())});
  }
  for (const Json& reg : json.value("writable", Json::array())) {
    Register& added = out.writable.emplace_back();
    added.name = reg.at("name");
    added.address = reg.at("address");
    for (const Json& place : reg.at("places")) added.places.emplace_back(place[0], place[1]);
  }
  for (const Json& reach : json.value("start", Json::array()))
    out.reaches.push_back({reach.at("under"), reach.at("of"), reach.at("that")});
  out.sources = json.at("sources").get<std::vector<std::string>>();
  return out;
}

constexpr size_t kLongestList = 40;  // characters

// Whether values are powers of two without a gap, but for a 0 that may come first.
bool OfPowers(const std::vector<int64_t>& values) {
  const size_t first = values.front() == 0 ? 1 : 0;
  if (values.size() < first + 2 || !std::has_single_bit(static_cast<uint64_t>(values[first])))
    return false;
  for (size_t n = first + 1; n < values.size(); ++n) {
    if (values[n] != 2 * values[n - 1]) return false;
  }
  return true;
}

std::string PowersText(const std::vector<int64_t>& values) {
  const bool zero = values.front() == 0;
  return fmt::format("{}a power of two from {} to {}", zero ? "0, or " : "", values[zero ? 1 : 0],
                     values.back());
}

}  // namespace

std::string_view EmbeddedText(std::string_view name) {
  for (const Embedded& file : EmbeddedFiles()) {
    if (file.name == name) return file.text;
  }
  throw std::logic_error(fmt::format("no embedded file is called '{}'", name));
}

bool Parameter::Takes(int64_t number) const {
  if (std::find(values.begin(), values.end(), number) != values.end()) return true;
  return from ? number >= *from && number <= *to : values.empty();
}

std::string Parameter::Shown(int64_t number) const {
  if (!flag) return std::to_string(number);
  return number != 0 ? "true" : "false";
}

std::string Parameter::Legal() const {
  if (flag) return "true or false";
  if (!from && !values.empty()) {
    const std::string all = fmt::format("one of {}", fmt::join(values, ", "));
    return all.size() > kLongestList && OfPowers(values) ? PowersText(values) : all;
  }
  std::string also;
  for (const int64_t value : values) also += fmt::format("{}, or ", value);
  return fmt::format("{}an integer from {} to {}", also, from.value_or(0), to.value_or(0xffffffff));
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
