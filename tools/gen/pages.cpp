// Pages for software of a generated module: its registers, and the programs of the guide that it
// can run.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <regex>

#include "tools/gen/writers.h"

namespace tessera::gen {
namespace {

using Json = nlohmann::json;

// Places side by side, of one index.
struct Run {
  int64_t first = 0, count = 0;
};

// Which places a register has in this build: runs of its outer index, and how many inner ones; an
// index that it does not have counts as one place.
std::vector<std::pair<Run, int64_t>> Places(const Design& design, const std::string& name,
                                            const Json& places) {
  const int64_t outer = places.empty() ? 1 : places[0][0].get<int64_t>();
  const int64_t inner = places.size() < 2 ? 1 : places[1][0].get<int64_t>();
  Values values = design.values;
  const auto there = [&](int64_t place, int64_t within) {
    values["Place"] = place;
    values["Inner"] = within;
    for (const Reach& reach : design.top().reaches) {
      if (name.starts_with(reach.under) && Evaluate(reach.that, values) == 0) return false;
    }
    return true;
  };
  std::vector<std::pair<Run, int64_t>> out;
  bool open = false;
  for (int64_t place = 0; place < outer; ++place) {
    int64_t within = 0;
    while (within < inner && there(place, within)) ++within;
    if (within == 0) {
      open = false;
    } else if (open) {
      ++out.back().first.count;
    } else {
      out.push_back({{place, 1}, within});
      open = true;
    }
  }
  return out;
}

struct Row {
  std::string address, name;
};

Row RowOf(const Json& reg, const Run& run, int64_t inner) {
  Row row;
  int64_t address = reg.at("address").get<int64_t>();
  const Json& places = reg.at("places");
  std::vector<std::string> index;
  std::string steps, ranges;
  if (!places.empty()) {
    const int64_t bytes = places[0][1];
    const bool one = run.count == 1;
    index.push_back(one ? std::to_string(run.first) : "k");
    if (one) address += run.first * bytes;
    if (!one) {
      steps += fmt::format(" + {:#x} k", bytes);
      ranges += fmt::format(", k = {} to {}", run.first, run.first + run.count - 1);
    }
  }
  if (places.size() > 1) {
    index.push_back(inner == 1 ? "0" : "n");
    if (inner > 1) {
      steps += fmt::format(" + {:#x} n", places[1][1].get<int64_t>());
      ranges += fmt::format(", n = 0 to {}", inner - 1);
    }
  }
  row.address = fmt::format("{:#07x}{}{}", address, steps, ranges);
  size_t next = 0;
  for (const char c : reg.at("name").get<std::string>()) {
    row.name += c == '*' ? fmt::format("[{}]", index.at(next++)) : std::string(1, c);
  }
  return row;
}

// Text of the manual without the links that lead out of it.
std::string Linkless(const std::string& text) {
  static const std::regex link(R"(\[([^\]]*)\]\([^)]*\))");
  return std::regex_replace(text, link, "$1");
}

std::string Registers(const Design& design) {
  const Json all = Json::parse(EmbeddedText("registers/" + design.top().registers + ".json"));
  std::string table, sections;
  for (const Json& reg : all) {
    const std::string about = Linkless(reg.at("about").get<std::string>());
    std::string places, name;
    for (const auto& [run, inner] :
         Places(design, reg.at("name").get<std::string>(), reg.at("places"))) {
      const Row row = RowOf(reg, run, inner);
      table += fmt::format("| {} | `{}` |\n", row.address, row.name);
      places += (places.empty() ? "" : "; ") + row.address;
      name += fmt::format("{}`{}`", name.empty() ? "" : ", ", row.name);
    }
    if (name.empty()) continue;
    sections +=
        fmt::format("### {}\n\n{}. {}\n\n| bits | field | access | about |\n|---|---|---|---|\n",
                    name, places, about);
    for (const Json& field : reg.at("fields")) {
      const int64_t high = field.at("high"), low = field.at("low");
      sections +=
          fmt::format("| {} | `{}` | {}{} | {} |\n",
                      high == low ? std::to_string(low) : fmt::format("{}:{}", high, low),
                      field.at("name").get<std::string>(), field.at("access").get<std::string>(),
                      field.at("clears").get<bool>() ? ", write 1 to clear" : "",
                      Linkless(field.at("about").get<std::string>()));
    }
    sections += "\n";
  }
  return fmt::format(
      "# Registers of {}\n\nOffsets from {:#x}, the address that its specification gives. "
      "Registers "
      "of options that this build does not have are not here.\n\n| offset | register |\n|---|---|\n"
      "{}\n{}",
      design.spec.name, design.spec.address, table, sections);
}

// The sections of the guide whose heading names no parameter that is off.
std::string Guide(const Design& design) {
  const std::string whole(EmbeddedText("guide.md"));
  static const std::regex name("`(\\w+)`");
  std::string out = fmt::format(
      "# Programs for {}\n\nComplete short programs in register writes, each of which begins after "
      "a "
      "reset. `registers.md` has every bit.\n\n",
      design.spec.name);
  bool taken = true;
  size_t at = whole.find("A line is one step");
  for (size_t end; at < whole.size(); at = end + 1) {
    end = std::min(whole.find('\n', at), whole.size());
    const std::string line = whole.substr(at, end - at);
    if (line.starts_with("## ")) {
      taken = true;
      for (std::sregex_iterator match(line.begin(), line.end(), name), none; match != none;
           ++match) {
        const std::string parameter = (*match)[1];
        if (design.top().Find(parameter) != nullptr && design.Value(parameter) == 0) taken = false;
      }
    }
    if (taken) out += line + "\n";
  }
  return Linkless(out);
}

}  // namespace

void WritePages(const Design& design, Files* files) {
  (*files)["software/registers.md"] = Registers(design);
  if (design.top().product == nullptr) (*files)["software/guide.md"] = Guide(design);
}

}  // namespace tessera::gen
