// Reading specifications strictly; see spec.h.
#include "tools/gen/spec.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>

#include "tb/files/input.h"
#include "tb/sim/counted.h"
#include "tools/gen/keywords.h"
#include "tools/gen/product.h"
#include "tools/job/reader.h"

namespace tessera::gen {
namespace {

using job::Reader;

constexpr size_t kLongestName = 48;

std::set<std::string, std::less<>> Keywords() {
  std::istringstream words{std::string(kKeywords)};
  return {std::istream_iterator<std::string>(words), std::istream_iterator<std::string>()};
}

// A name that Verilog, VHDL, C++ and Tcl all take.
std::string Identifier(const Reader& reader) {
  static const std::set<std::string, std::less<>> kTaken = Keywords();
  static const std::regex kForm("[a-z][a-z0-9]*(_[a-z0-9]+)*");
  const std::string name = reader.json().is_string() ? reader.Text() : "";
  if (name.size() > kLongestName || !std::regex_match(name, kForm) || kTaken.contains(name)) {
    reader.Refuse(fmt::format(
        "a name of lower-case letters, digits and single _ between them, {} at most, no keyword",
        kLongestName));
  }
  return name;
}

// A place in the document.
std::string Inside(const Reader& document, const std::string& place) {
  return document.place().empty() ? place : document.place() + "." + place;
}

double Mhz(const Reader& reader) {
  const double value = reader.json().is_number() ? reader.json().get<double>() : 0;
  if (!(value >= 1 && value <= 1000)) reader.Refuse("a number from 1 to 1000");
  return value;
}

void ReadValue(const Reader& reader, const Parameter& parameter, int64_t* out) {
  if (parameter.flag) {
    *out = reader.Bool();
    return;
  }
  const bool integer = reader.json().is_number_unsigned() ||
                       (reader.json().is_number_integer() && reader.json().get<int64_t>() >= 0);
  const uint64_t value = integer ? reader.json().get<uint64_t>() : ~uint64_t{0};
  const auto number = static_cast<int64_t>(value & 0xffffffff);
  if (value > 0xffffffff || !parameter.Takes(number)) reader.Refuse(parameter.legal);
  *out = number;
}

void ReadStartProgram(const Reader& document, Spec* spec) {
  const bool can = !spec->top->writable.empty();
  if (document.Has("start") && !can) document.At("start").Refuse("absent, but for tessera_dma");
  if (!can) return;
  if (document.Has("start"))
    spec->start = ReadStart(document.At("start"), *spec->top, spec->parameters);
}

void RefuseMembersOfOthers(const Reader& document, const Spec& spec) {
  for (const Product& product : Products()) {
    if (&product == spec.top->product) continue;
    for (const std::string_view member : product.members) {
      if (document.Has(member))
        document.At(member).Refuse(fmt::format("absent, but for {}", product.top));
    }
  }
}

void ReadParameters(const Reader& document, Spec* spec) {
  const Top& top = *spec->top;
  if (document.Has("parameters")) {
    const Reader given = document.At("parameters");
    if (!given.json().is_object()) given.Refuse("an object of parameters");
    for (const auto& [name, value] : given.json().items()) {
      const Parameter* parameter = top.Find(name);
      if (parameter == nullptr) {
        throw job::Error(fmt::format("{}: {} has an unknown member {}: legal are {}", spec->file,
                                     given.place(), job::Shown(name),
                                     Listed(top.parameters, &Parameter::name)));
      }
      if (!value.is_null()) ReadValue(given.At(name), *parameter, &spec->parameters[name]);
    }
  }
  for (const Parameter& parameter : top.parameters) {
    if (!spec->parameters.contains(parameter.name)) {
      spec->parameters[parameter.name] = Evaluate(parameter.value, spec->parameters);
    }
  }
  RefuseMembersOfOthers(document, *spec);
  if (top.product != nullptr) top.product->read_parameters(document, spec);
  ReadStartProgram(document, spec);
  for (const Rule& rule : top.rules) {
    if (Evaluate(rule.that, spec->parameters) != 0) continue;
    throw job::ErrorAt(spec->file, Inside(document, "parameters." + rule.of),
                       top.Find(rule.of)->Shown(spec->parameters.at(rule.of)),
                       "legal is " + rule.legal);
  }
}

// "read[3]" of a top with four read channels.
void CheckNode(const Reader& reader, const std::string& node, const Values& values) {
  if (node == "all" || node == "registers") return;
  static const std::regex kForm(R"((read|write|port)\[(\d{1,3})\])");
  std::smatch match;
  const auto count = [&](const std::string& kind) {
    const auto found = values.find(kind == "read" ? "Reads" : kind == "write" ? "Writes" : "Ports");
    return found == values.end() ? int64_t{0} : found->second;
  };
  if (std::regex_match(node, match, kForm) && std::stoll(match[2]) < count(match[1])) return;
  std::string legal = "all, registers";
  for (const char* kind : {"read", "write", "port"}) {
    if (count(kind) > 0) legal += fmt::format(", {}[0 to {}]", kind, count(kind) - 1);
  }
  reader.Refuse(legal);
}

void ReadPlacement(const Reader& document, Spec* spec) {
  const Reader placement = document.At("placement");
  placement.Object({"areaGroups"});
  const Reader groups = placement.Need("areaGroups", "an array of groups");
  std::set<std::string> names, placed;
  for (size_t n = 0; n < groups.Array(64); ++n) {
    const Reader group = groups.At(n);
    group.Object({"name", "nodeGroup", "siteGroup", "contain"});
    AreaGroup out;
    const Reader name = group.Need("name", "the name of the group");
    out.name = Identifier(name);
    if (!names.insert(out.name).second) name.Refuse("a name that no group before it has");
    const Reader nodes = group.Need("nodeGroup", "an array of parts of the design");
    for (size_t k = 0; k < nodes.Array(64); ++k) {
      const Reader node = nodes.At(k);
      if (!node.json().is_string()) node.Refuse("a text");
      CheckNode(node, node.Text(), spec->parameters);
      if (!placed.insert(node.Text()).second) node.Refuse("a part that no group has before");
      out.nodes.push_back(node.Text());
    }
    const Reader sites = group.Need("siteGroup", "an array of ranges of sites");
    for (size_t k = 0; k < sites.Array(64); ++k) {
      out.ranges.push_back(
          Matching(sites.At(k), R"(([A-Z][A-Z0-9]*)_X\d{1,4}Y\d{1,4}(:\1_X\d{1,4}Y\d{1,4})?)",
                   "a range of sites of one kind such as \"SLICE_X0Y0:SLICE_X49Y59\""));
    }
    if (out.nodes.empty()) nodes.Refuse("an array of at least one part");
    if (out.ranges.empty()) sites.Refuse("an array of at least one range");
    group.Get("contain", &out.contain);
    spec->areas.push_back(std::move(out));
  }
}

Spec ParseDocument(const job::Json& json, const std::string& file, const std::string& place) {
  Spec spec;
  spec.file = file;
  const Reader document(json, spec.file, place);
  if (!document.json().is_object()) document.Refuse("an object");
  const Reader top = document.Need("top", "the name of a top: see tessera gen --list");
  spec.top = top.json().is_string() ? FindTop(top.Text()) : nullptr;
  if (spec.top == nullptr) {
    std::string all = Listed(Tops(), &Top::name);
    for (const AbsentTop& absent : AbsentTops()) {
      if (top.json() == absent.name)
        all += fmt::format("; this program was built with {}=none", absent.option);
    }
    top.Refuse("one of " + all);
  }
  std::vector<std::string_view> members{
      "$schema",    "about",     "top",          "name",    "vendor",    "library",  "part",
      "parameters", "clock_mhz", "stream_clock", "address", "interrupt", "placement"};
  for (const Product& product : Products())
    members.insert(members.end(), product.members.begin(), product.members.end());
  members.emplace_back("start");
  document.Object(members);
  const Reader name = document.Need("name", "the name of the generated module");
  spec.name = Identifier(name);
  if (FindTop(spec.name) != nullptr || spec.name.starts_with("tsr_")) {
    name.Refuse("a name that no module of Tessera has: those begin with tsr_ or are tops");
  }
  if (document.Has("about")) {
    spec.about =
        Matching(document.At("about"), "[^\\x00-\\x1f\\x7f\"\\\\{}$\\[\\]<>&]*",
                 "a line of at most 200 characters without quotes, brackets, $, \\, < > and &");
  }
  if (document.Has("vendor"))
    spec.vendor =
        Matching(document.At("vendor"), "[a-z][a-z0-9_.-]*", "a name such as example.com");
  if (document.Has("library"))
    spec.library = Matching(document.At("library"), "[a-z][a-z0-9_]*", "a name such as ip");
  if (document.Has("part"))
    spec.part = Matching(document.At("part"), "[a-z0-9][a-z0-9-]*",
                         "a part as Vivado names it, such as xczu9eg-ffvb1156-2-e");
  ReadParameters(document, &spec);
  if (document.Has("clock_mhz")) spec.mhz = Mhz(document.At("clock_mhz"));
  if (document.Has("stream_clock")) {
    const Reader clock = document.At("stream_clock");
    clock.Object({"name", "reset", "mhz", "packets"});
    StreamClock out;
    out.name = clock.Has("name") ? Identifier(clock.At("name")) : "axis_aclk";
    out.reset = clock.Has("reset") ? Identifier(clock.At("reset")) : out.name + "_resetn";
    for (const char* member : {"name", "reset"}) {
      const std::string& value = member == std::string("name") ? out.name : out.reset;
      if (value == spec.top->clock || value == spec.top->reset)
        clock.At(member).Refuse("a name that no other pin has");
    }
    if (out.name == out.reset) clock.At("reset").Refuse("another name than that of the clock");
    out.mhz = Mhz(clock.Need("mhz", "the frequency of the clock in MHz"));
    if (clock.Has("packets")) out.packets = clock.At("packets").Bool();
    spec.stream_clock = out;
  }
  if (document.Has("address")) spec.address = document.At("address").Unsigned(0, ~uint64_t{0});
  const auto span = static_cast<uint64_t>(spec.top->Span());
  if (spec.address % span != 0)
    document.At("address").Refuse(
        fmt::format("a multiple of {:#x}, which is the span of the registers", span));
  if (document.Has("interrupt")) {
    spec.interrupt = static_cast<uint32_t>(document.At("interrupt").Unsigned(0, 1019));
  }
  if (document.Has("placement")) ReadPlacement(document, &spec);
  if (spec.top->product != nullptr) spec.top->product->read(document, &spec);
  return spec;
}

}  // namespace

std::string Matching(const Reader& reader, const char* form, const char* legal) {
  const std::string text = reader.json().is_string() ? reader.Text() : "";
  if (!reader.json().is_string() || text.size() > 200 ||
      !std::regex_match(text, std::regex(form))) {
    reader.Refuse(legal);
  }
  return text;
}

std::vector<Spec> ParseSpecs(std::string_view text, const std::string& file) {
  const job::Json json = job::ParseText(text, file);
  for (const Product& product : Products()) {
    if (!product.takes(json)) continue;
    std::vector<Spec> out;
    for (const auto& [name, module] : json.items()) {
      out.push_back(
          ParseDocument(product.specification(Reader(module, file, name), name), file, name));
    }
    return out;
  }
  return {ParseDocument(json, file, "")};
}

std::vector<Spec> ReadSpecs(const std::string& path) {
  constexpr uint64_t kMostText = uint64_t{64} << 20;
  std::string text;
  try {
    text = ReadNamed(path, "a specification in JSON", kMostText);
  } catch (const std::invalid_argument& error) {
    throw job::Error(error.what());
  }
  return ParseSpecs(text, path);
}

std::string SpecText(const Spec& spec) {
  nlohmann::ordered_json json{{"top", spec.top->name}, {"name", spec.name}};
  if (!spec.about.empty()) json["about"] = spec.about;
  json["vendor"] = spec.vendor;
  json["library"] = spec.library;
  if (!spec.part.empty()) json["part"] = spec.part;
  for (const Parameter& parameter : spec.top->parameters) {
    const int64_t value = spec.parameters.at(parameter.name);
    if (parameter.flag) {
      json["parameters"][parameter.name] = value != 0;
    } else {
      json["parameters"][parameter.name] = value;
    }
  }
  for (const StartWrite& write : spec.start) {
    json["start"].push_back(
        {fmt::format("{:#x}", write.address), fmt::format("{:#x}", write.value)});
  }
  if (spec.top->product != nullptr) spec.top->product->write(spec, &json);
  if (spec.mhz != 0) json["clock_mhz"] = spec.mhz;
  if (spec.stream_clock) {
    json["stream_clock"] = {{"name", spec.stream_clock->name},
                            {"reset", spec.stream_clock->reset},
                            {"mhz", spec.stream_clock->mhz},
                            {"packets", spec.stream_clock->packets}};
  }
  json["address"] = fmt::format("{:#x}", spec.address);
  json["interrupt"] = spec.interrupt;
  for (const AreaGroup& area : spec.areas) {
    json["placement"]["areaGroups"].push_back({{"name", area.name},
                                               {"nodeGroup", area.nodes},
                                               {"siteGroup", area.ranges},
                                               {"contain", area.contain}});
  }
  return json.dump(2) + "\n";
}

}  // namespace tessera::gen
