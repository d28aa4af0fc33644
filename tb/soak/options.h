// The command line that all programs of random cases share.
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tb/files/output.h"
#include "tb/sim/counted.h"
#include "tb/sim/model.h"
#include "tb/soak/soak.h"

namespace tessera {

struct SoakCommand {
  std::vector<std::string> configs;
  std::string shard = "0/1", save;
  bool quiet = false, list = false;
  SoakOptions soak;
};

inline void AddSoakOptions(CLI::App* app, SoakCommand* command) {
  SoakOptions& soak = command->soak;
  app->add_option("--config", command->configs,
                  "Configuration; may be given several times; default: all");
  app->add_option("--seed", soak.seed, "Seed of the first case; case n has seed + n")
      ->capture_default_str();
  app->add_option("--cases", soak.cases, "Cases of each configuration")->capture_default_str();
  app->add_option("--seconds", soak.seconds, "Leave a configuration after that time");
  app->add_option("--shard", command->shard, "i/n: run every n-th case from i on")
      ->capture_default_str();
  app->add_option("--failures", soak.failures, "Leave a configuration after so many")
      ->capture_default_str();
  app->add_option("--shrink-runs", soak.shrink_runs, "Runs spent on shrinking; 0: none")
      ->capture_default_str();
  app->add_flag("--quiet", command->quiet, "No progress");
  app->add_flag("--list", command->list, "Only name what can be run, a line each");
  app->add_option("--save", command->save, "Writes the table as JSON");
}

// Tells of a row at every tenth of its cases.
inline auto Progress(const SoakCommand& command) {
  return [&command, told = uint64_t{0}](const SoakRow& row) mutable {
    if (command.quiet || command.soak.cases == 0) return;
    const uint64_t percent = 100 * row.cases * command.soak.shards / command.soak.cases;
    if (percent / 10 <= told) return;
    told = percent / 10;
    fmt::print("{}: {}, {} %, {} failed\n", row.config, Counted(row.cases, "case"), percent,
               row.failed);
    std::fflush(stdout);
  };
}

// What --config has named; without names all that the program has. Throws if it has no such one.
template <typename Config>
std::vector<Config> Chosen(const SoakCommand& command, const std::vector<Config>& all,
                           const char* noun) {
  if (command.configs.empty()) return all;
  std::vector<Config> chosen;
  for (const std::string& name : command.configs) chosen.push_back(NeedNamed(all, name, noun));
  return chosen;
}

// Names what can be run.
template <typename Config>
int List(const std::vector<Config>& configs) {
  for (const Config& config : configs) fmt::print("{}\n", NameOf(config));
  return 0;
}

// Tells of the rows, and writes them if that was asked for. The exit status of the program.
inline int Conclude(const SoakCommand& command, const std::vector<SoakRow>& rows) {
  const bool passed = PrintSoak(rows);
  if (!command.save.empty()) WriteOutput(command.save, ToJson(rows).dump(2) + "\n");
  return passed ? 0 : 1;
}

}  // namespace tessera
