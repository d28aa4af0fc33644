// tessera config: the configurations in this program.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "tb/sim/counted.h"
#include "tools/job/job.h"
#include "tools/prepare/prepare.h"
#include "tools/program/commands.h"

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

nlohmann::ordered_json ToJson(const DmaConfig& d) {
  return {{"descriptors", d.descriptors},
          {"task_depth", d.task_depth},
          {"record_depth", d.record_depth},
          {"locks", d.locks},
          {"lists", d.lists},
          {"triggers", d.triggers},
          {"tokens", d.tokens},
          {"counters", d.counters},
          {"control_packets", d.control_packets},
          {"side", d.side},
          {"headers", d.headers},
          {"out_of_order", d.out_of_order},
          {"route_dest", d.route_dest},
          {"start_writes", d.start_writes}};
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

// What registers and descriptors of a build can do.
void ShowBuild(const DmaConfig& d) {
  Row("descriptors (Descriptors)", std::to_string(d.descriptors));
  Row("tasks that wait (TaskDepth)", fmt::format("{} for each channel", d.task_depth));
  Row("records that wait (RecordDepth)", fmt::format("{} for each channel", d.record_depth));
  Row("locks (Locks)", d.locks == 0 ? "none" : std::to_string(d.locks));
  for (const auto& [what, has] : {std::pair("lists in memory (Lists)", d.lists),
                                  {"triggers (Triggers)", d.triggers},
                                  {"task-complete tokens (Tokens)", d.tokens},
                                  {"counters (Counters)", d.counters},
                                  {"control packets (ControlPackets)", d.control_packets},
                                  {"TDEST, TID and TUSER (Side)", d.side},
                                  {"headers of what is sent (Headers)", d.headers},
                                  {"headers choose (OutOfOrder)", d.out_of_order},
                                  {"TDEST chooses (RouteDest)", d.route_dest}}) {
    Row(what, YesNo(has));
  }
  Row("start program (StartWrites)",
      d.start_writes == 0 ? "none" : Counted(d.start_writes, "write") + " of registers");
}

void Show(const std::string& name, bool json) {
  const std::vector<job::Hardware> all = Everything();
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const job::Hardware& h) { return h.config.name == name; });
  const job::Hardware h = found == all.end() ? FindHardware("NAME", name) : *found;
  const Config& c = h.config;
  if (json) {
    fmt::print("{}\n", ToJson(h).dump(2));
    return;
  }
  fmt::print("{}{}\n", c.name, h.dma ? ", a build of tessera_dma" : "");
  Row("read engines", std::to_string(h.reads));
  Row("write engines", std::to_string(h.writes));
  Row("memory ports",
      fmt::format("{}{}", h.ports, h.shared ? ", shared by engines with weights" : ""));
  Row("address (AddrWidth)", fmt::format("{} bits", c.addr_width));
  Row("memory bus (DataWidth)",
      fmt::format("{} bits, {} a beat", 8 * c.data_bytes, Counted(c.data_bytes, "byte")));
  Row(h.shared ? "each stream (StreamWidth)" : "stream (StreamWidth)",
      fmt::format("{} bits, {} a beat", 8 * c.stream_bytes, Counted(c.stream_bytes, "byte")));
  Row("longest burst (MaxBurst)",
      fmt::format("{}, {}; none crosses 4 KiB", Counted(c.max_burst, "beat"),
                  Counted(c.max_burst * c.data_bytes, "byte")));
  Row("bursts in flight (Outstanding)",
      fmt::format("{} each way{}", c.outstanding, h.shared ? ", each engine" : ""));
  Row("largest element", Counted(c.data_bytes, "byte"));
  Row("outer traversal (Walk)", YesNo(c.walk));
  Row("bounds, fill and drop (Bounds)", YesNo(c.bounds));
  Row("read engine feeds write engine", YesNo(c.loopback));
  if (!h.dma) return;
  Row("guards against faults (Guard)", YesNo(h.guard));
  Row("windows of memory (Windows)",
      h.windows == 0 ? "none" : fmt::format("{} for each engine", h.windows));
  ShowBuild(*h.dma);
}

}  // namespace

void RegisterConfig(CLI::App& app, Program* program) {
  CLI::App* config = app.add_subcommand(
      "config", "Tells about the configurations and builds of tessera_dma in this program");
  config->require_subcommand(1);
  config->footer("For example: tessera config show typical");
  auto json = std::make_shared<bool>(false);
  auto name = std::make_shared<std::string>();
  CLI::App* list = config->add_subcommand("list", "A line for each");
  list->add_flag("--json", *json, "As JSON");
  list->callback([=] { List(*json, program->terminal); });
  CLI::App* show = config->add_subcommand("show", "Everything about one");
  show->add_option("NAME", *name, "One of `tessera config list`")->required();
  show->add_flag("--json", *json, "As JSON");
  show->callback([=] { Show(*name, *json); });
}

}  // namespace tessera::cli
