// Runs random cases of whole fabrics until one fails or enough have passed; then a table. See
// tb/system/soak_system.h.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "tb/soak/options.h"
#include "tb/system/soak_system.h"

int main(int argc, char** argv) {
  using namespace tessera;
  SoakCommand command;
  command.soak.program = argv[0];
  command.soak.shrink_runs = 150;
  std::string keep, waveform;
  CLI::App app{"Random runs of whole fabrics, compared with the reference model."};
  AddSoakOptions(&app, &command);
  app.add_option("--keep", keep,
                 "Run what is named of the case with the seed alone, and tell of it");
  app.add_flag_callback(
      "--plain", [&command] { command.soak.draws = Draws::kPlain; },
      "Cases without rare states on purpose");
  app.add_option("--waveform", waveform, "With --keep: where a waveform goes");
  CLI11_PARSE(app, argc, argv);
  try {
    if (command.list) return List(Fabrics());
    ParseShard(command.shard, &command.soak);
    const std::vector<FabricConfig> configs = Chosen(command, Fabrics(), "fabric");
    if (!keep.empty()) {
      return ReplaySystem(configs.front(), command.soak.seed, command.soak.draws, keep, waveform)
                 ? 0
                 : 1;
    }
    std::vector<SoakRow> rows;
    for (const FabricConfig& config : configs)
      rows.push_back(SoakFabric(config, command.soak, Progress(command)));
    return Conclude(command, rows);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
}
