// Runs random cases until one fails or enough have passed; then a table. See tb/soak/soak.h.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "tb/soak/options.h"
#include "tb/soak/run_case.h"
#include "tb/soak/soak.h"

namespace tessera {
namespace {

int RunAll(const SoakCommand& command) {
  if (command.list) return List(Configs());
  std::vector<SoakRow> rows;
  for (const Config& config : Chosen(command, Configs(), "configuration"))
    rows.push_back(SoakConfig(config, command.soak, Progress(command)));
  return Conclude(command, rows);
}

}  // namespace
}  // namespace tessera

int main(int argc, char** argv) {
  tessera::SoakCommand command;
  command.soak.program = argv[0];
  std::string replay;
  CLI::App app{"Random cases for the engine pair, compared with the reference model."};
  tessera::AddSoakOptions(&app, &command);
  app.add_option("--replay", replay, "Run the case in this JSON file");
  app.add_option("--out", command.soak.out, "Where failing cases and waveforms go")
      ->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  try {
    if (!replay.empty()) return tessera::Replay(replay, argv[0]) ? 0 : 1;
    tessera::ParseShard(command.shard, &command.soak);
    return tessera::RunAll(command);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
}
