// Runs random cases until one fails or enough have passed; then a table. See tb/soak/soak.h.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "tb/soak/run_case.h"
#include "tb/soak/soak.h"

namespace tessera {
namespace {

struct Options {
  std::vector<std::string> configs;
  std::string shard = "0/1", replay;
  bool quiet = false;
  SoakOptions soak;
};

int RunAll(const Options& options) {
  std::vector<Config> configs;
  for (const std::string& name : options.configs) configs.push_back(FindConfig(name));
  if (configs.empty()) configs = Configs();
  std::vector<SoakRow> rows;
  for (const Config& config : configs) {
    uint64_t told = 0;
    rows.push_back(SoakConfig(config, options.soak, [&](const SoakRow& row) {
      if (options.quiet || options.soak.cases == 0) return;
      const uint64_t percent = 100 * row.cases * options.soak.shards / options.soak.cases;
      if (percent / 10 <= told) return;
      told = percent / 10;
      fmt::print("{}: {} cases, {} %, {} failed\n", row.config, row.cases, percent, row.failed);
      std::fflush(stdout);
    }));
  }
  return PrintSoak(rows) ? 0 : 1;
}

}  // namespace
}  // namespace tessera

int main(int argc, char** argv) {
  tessera::Options options;
  tessera::SoakOptions& soak = options.soak;
  soak.program = argv[0];
  CLI::App app{"Random cases for the engine pair, compared with the reference model."};
  app.add_option("--config", options.configs,
                 "Configuration; may be given several times; default: all");
  app.add_option("--seed", soak.seed, "Seed of the first case; case n has seed + n")
      ->capture_default_str();
  app.add_option("--cases", soak.cases, "Cases of each configuration")->capture_default_str();
  app.add_option("--seconds", soak.seconds, "Leave a configuration after that time");
  app.add_option("--shard", options.shard, "i/n: run every n-th case from i on")
      ->capture_default_str();
  app.add_option("--replay", options.replay, "Run the case in this JSON file");
  app.add_option("--out", soak.out, "Where failing cases and waveforms go")->capture_default_str();
  app.add_option("--failures", soak.failures, "Leave a configuration after so many")
      ->capture_default_str();
  app.add_option("--shrink-runs", soak.shrink_runs, "Runs spent on shrinking; 0: none")
      ->capture_default_str();
  app.add_flag("--quiet", options.quiet, "No progress");
  CLI11_PARSE(app, argc, argv);
  try {
    if (!options.replay.empty()) return tessera::Replay(options.replay, argv[0]) ? 0 : 1;
    tessera::ParseShard(options.shard, &soak);
    return tessera::RunAll(options);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
}
