// tessera config: the configurations in this program.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <vector>

#include "tools/job/job.h"
#include "tools/prepare/prepare.h"
#include "tools/program/commands.h"

namespace tessera::cli {
namespace {

const char* YesNo(bool value) { return value ? "yes" : "no"; }

// All of them: engine pairs, then those of many channels.
std::vector<job::Hardware> Everything() {
  std::vector<job::Hardware> all;
  for (const Config& config : Configs()) all.emplace_back(config);
  for (const FabricConfig& fabric : Fabrics()) all.push_back(HardwareOf(fabric));
  return all;
}

nlohmann::ordered_json ToJson(const job::Hardware& h) {
  const Config& c = h.config;
  return {{"name", c.name},
          {"reads", h.reads},
          {"writes", h.writes},
          {"ports", h.ports},
          {"shared", h.shared},
          {"one_id", h.one_id},
          {"control", h.control},
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
}

void List(bool json, const Terminal& terminal) {
  if (json) {
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    for (const job::Hardware& h : Everything()) all.push_back(ToJson(h));
    fmt::print("{}\n", all.dump(2));
    return;
  }
  fmt::print("{}\n",
             terminal.Strong(fmt::format(
                 "{:<14} {:>5} {:>6} {:>5} {:>7} {:>5} {:>6} {:>9} {:>11} {:>5} {:>6} {:>8}",
                 "configuration", "reads", "writes", "ports", "address", "bus", "stream",
                 "max burst", "outstanding", "walk", "bounds", "loopback")));
  for (const job::Hardware& h : Everything()) {
    const Config& c = h.config;
    fmt::print("{:<14} {:>5} {:>6} {:>5} {:>7} {:>5} {:>6} {:>9} {:>11} {:>5} {:>6} {:>8}\n",
               c.name, h.reads, h.writes, h.ports, c.addr_width, 8 * c.data_bytes,
               8 * c.stream_bytes, c.max_burst, c.outstanding, YesNo(c.walk), YesNo(c.bounds),
               YesNo(c.loopback));
  }
}

void Show(const std::string& name, bool json) {
  const job::Hardware h = FindHardware("NAME", name);
  const Config& c = h.config;
  if (json) {
    fmt::print("{}\n", ToJson(h).dump(2));
    return;
  }
  fmt::print("{}\n", c.name);
  const auto row = [](const char* what, const std::string& value) {
    fmt::print("  {:<34} {}\n", what, value);
  };
  row("read engines", std::to_string(h.reads));
  row("write engines", std::to_string(h.writes));
  row("memory ports",
      fmt::format("{}{}", h.ports, h.shared ? ", shared by engines with weights" : ""));
  row("address (AddrWidth)", fmt::format("{} bits", c.addr_width));
  row("memory bus (DataWidth)",
      fmt::format("{} bits, {} bytes a beat", 8 * c.data_bytes, c.data_bytes));
  row(h.shared ? "each stream (StreamWidth)" : "stream (StreamWidth)",
      fmt::format("{} bits, {} bytes a beat", 8 * c.stream_bytes, c.stream_bytes));
  row("longest burst (MaxBurst)", fmt::format("{} beats, {} bytes; none crosses 4 KiB", c.max_burst,
                                              c.max_burst * c.data_bytes));
  row("bursts in flight (Outstanding)",
      fmt::format("{} each way{}", c.outstanding, h.shared ? ", each engine" : ""));
  row("largest element", fmt::format("{} bytes", c.data_bytes));
  row("outer traversal (Walk)", YesNo(c.walk));
  row("bounds, fill and drop (Bounds)", YesNo(c.bounds));
  row("read engine feeds write engine", YesNo(c.loopback));
  if (!h.shared) return;
  row("IDs on a port (OneId)", h.one_id ? "one for all engines" : "one for each engine");
  row("pause, drain, reset (Control)", YesNo(h.control));
  row("guards against faults (Guard)", YesNo(h.guard));
  row("windows of memory (Windows)",
      h.windows == 0 ? "none" : fmt::format("{} for each engine", h.windows));
}

}  // namespace

void RegisterConfig(CLI::App& app, Program* program) {
  CLI::App* config = app.add_subcommand("config", "Tells about the configurations in this program");
  config->require_subcommand(1);
  config->footer("For example: tessera config show typical");
  auto json = std::make_shared<bool>(false);
  auto name = std::make_shared<std::string>();
  CLI::App* list = config->add_subcommand("list", "A line for each");
  list->add_flag("--json", *json, "As JSON");
  list->callback([=] { List(*json, program->terminal); });
  CLI::App* show = config->add_subcommand("show", "Everything about one");
  show->add_option("NAME", *name, "A configuration of `tessera config list`")->required();
  show->add_flag("--json", *json, "As JSON");
  show->callback([=] { Show(*name, *json); });
}

}  // namespace tessera::cli
