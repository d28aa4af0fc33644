// tessera config: the configurations in this program.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <concepts>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "tb/sim/counted.h"
#include "tools/job/job.h"
#include "tools/prepare/prepare.h"
#include "tools/program/commands.h"
#include "tools/terminal/terminal.h"

namespace tessera::cli {
namespace {

const char* YesNo(bool value) { return value ? "yes" : "no"; }

// All of them: engine pairs and builds of tessera_dma.
std::vector<job::Hardware> Everything() {
  std::vector<job::Hardware> all;
  for (const Config& config : Configs()) all.emplace_back(config);
  for (const DmaConfig& dma : Dmas()) all.emplace_back(dma);
  return all;
}

nlohmann::ordered_json ToJson(const DmaParameters& d) {
  nlohmann::ordered_json json;
  VisitParameters(d, [&json](const char*, const char* member, const char*, const auto& value) {
    json[member] = value;
  });
  return json;
}

nlohmann::ordered_json ToJson(const job::Hardware& h) {
  const Config& c = h.config;
  nlohmann::ordered_json json{{"name", c.name},
                              {"reads", h.reads},
                              {"writes", h.writes},
                              {"ports", h.ports},
                              {"shared", h.shared},
                              {"guard", h.guard},
                              {"windows", h.windows},
                              {"address_bits", c.addr_width},
                              {"bus_bits", 8 * c.data_bytes},
                              {"stream_bits", 8 * c.stream_bytes},
                              {"max_burst", c.max_burst},
                              {"outstanding", c.outstanding},
                              {"walk", c.walk},
                              {"bounds", c.bounds},
                              {"loopback", c.loopback}};
  if (h.dma) json["dma"] = ToJson(*h.dma);
  return json;
}

void PrintRow(const job::Hardware& h, const std::string& more) {
  const Config& c = h.config;
  fmt::print("{:<14} {:>5} {:>6} {:>5} {:>7} {:>5} {:>6} {}\n", c.name, h.reads, h.writes, h.ports,
             c.addr_width, 8 * c.data_bytes, 8 * c.stream_bytes, more);
}

void PrintHead(const char* kind, const std::string& more, const Terminal& terminal) {
  fmt::print("{}\n", terminal.Strong(fmt::format("{:<14} {:>5} {:>6} {:>5} {:>7} {:>5} {:>6} {}",
                                                 kind, "reads", "writes", "ports", "address", "bus",
                                                 "stream", more)));
}

void List(bool json, const Terminal& terminal) {
  if (json) {
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    for (const job::Hardware& h : Everything()) all.push_back(ToJson(h));
    fmt::print("{}\n", all.dump(2));
    return;
  }
  const std::vector<job::Hardware> all = Everything();
  constexpr const char* kEngines = "{:>9} {:>11} {:>5} {:>6} {:>8}";
  PrintHead("configuration",
            fmt::format(kEngines, "max burst", "outstanding", "walk", "bounds", "loopback"),
            terminal);
  for (const job::Hardware& h : all) {
    const Config& c = h.config;
    if (h.dma) continue;
    PrintRow(h, fmt::format(kEngines, c.max_burst, c.outstanding, YesNo(c.walk), YesNo(c.bounds),
                            YesNo(c.loopback)));
  }
  if (Dmas().empty()) return;
  constexpr const char* kBuild = "{:>11} {:>5} {:>7} {:>5} {:>8} {:>6}";
  fmt::print("\n");
  PrintHead("tessera_dma",
            fmt::format(kBuild, "descriptors", "locks", "windows", "lists", "triggers", "tokens"),
            terminal);
  for (const job::Hardware& h : all) {
    if (!h.dma) continue;
    PrintRow(h, fmt::format(kBuild, h.dma->descriptors, h.dma->locks, h.windows,
                            YesNo(h.dma->lists), YesNo(h.dma->triggers), YesNo(h.dma->tokens)));
  }
}

void Row(const char* what, const std::string& value) { fmt::print("  {:<34} {}\n", what, value); }

// Every parameter of a build.
void ShowBuild(const DmaConfig& d) {
  const auto row = [](const char* name, const std::string& value, const char* about) {
    fmt::print("  {:<14} {:>9}  {}\n", name, value, about);
  };
  const std::string start = d.start_writes() == 0 ? "none" : Counted(d.start_writes(), "write");
  const DmaParameters& parameters = d;
  VisitParameters(parameters,
                  [&](const char* name, const char*, const char* about, const auto& value) {
                    if constexpr (std::same_as<decltype(value), const bool&>) {
                      row(name, YesNo(value), about);
                    } else if constexpr (std::same_as<decltype(value), const int&>) {
                      row(name, std::to_string(value), about);
                    } else {
                      row(name, start, about);
                    }
                  });
}

void Show(const std::string& name, bool json) {
  const job::Hardware h = FindAny("NAME", name);
  const Config& c = h.config;
  if (json) {
    fmt::print("{}\n", ToJson(h).dump(2));
    return;
  }
  fmt::print("{}{}\n", c.name, h.dma ? ", a build of tessera_dma" : "");
  if (h.dma) {
    ShowBuild(*h.dma);
    return;
  }
  Row("read engines", std::to_string(h.reads));
  Row("write engines", std::to_string(h.writes));
  Row("memory ports", std::to_string(h.ports));
  Row("address (AddrWidth)", fmt::format("{} bits", c.addr_width));
  Row("memory bus (DataWidth)",
      fmt::format("{} bits, {} a beat", 8 * c.data_bytes, Counted(c.data_bytes, "byte")));
  Row("stream (StreamWidth)",
      fmt::format("{} bits, {} a beat", 8 * c.stream_bytes, Counted(c.stream_bytes, "byte")));
  Row("longest burst (MaxBurst)",
      fmt::format("{}, {}; none crosses 4 KiB", Counted(c.max_burst, "beat"),
                  Counted(c.max_burst * c.data_bytes, "byte")));
  Row("bursts in flight (Outstanding)", fmt::format("{} each way", c.outstanding));
  Row("largest element", Counted(c.data_bytes, "byte"));
  Row("outer traversal (Walk)", YesNo(c.walk));
  Row("bounds, fill and drop (Bounds)", YesNo(c.bounds));
  Row("read engine feeds write engine", YesNo(c.loopback));
}

}  // namespace

void RegisterConfig(CLI::App& app, int*) {
  CLI::App* config = app.add_subcommand(
      "config", "Tells about the configurations and builds of tessera_dma in this program");
  config->require_subcommand(1);
  config->footer("For example: tessera config show typical");
  auto json = std::make_shared<bool>(false);
  auto name = std::make_shared<std::string>();
  CLI::App* list = config->add_subcommand("list", "A line for each");
  list->add_flag("--json", *json, "As JSON");
  list->callback([=] { List(*json, Terminal()); });
  CLI::App* show = config->add_subcommand("show", "Everything about one");
  show->add_option("NAME", *name, "One of `tessera config list`")->required();
  show->add_flag("--json", *json, "As JSON");
  show->callback([=] { Show(*name, *json); });
}

}  // namespace tessera::cli
