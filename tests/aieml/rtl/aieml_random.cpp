// aieml_random: random programs on tessera_aieml and on the behavioural model, or random sequences
// on arrays of them, until one fails, enough have passed or time is up; then a table.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <vector>

#include "tb/sim/model.h"
#include "tb/soak/options.h"
#include "tests/aieml/rtl/random_array.h"
#include "tests/aieml/rtl/random_program.h"

namespace {

using namespace tessera;

SoakRow SoakTile(const aieml::TileConfig& config, const aieml::RandomOptions& options,
                 const std::string& keep, const SoakCommand& command) {
  return SoakSeeds(config.name, command.soak, Progress(command), [&](uint64_t seed, SoakRow* row) {
    const std::string text = aieml::RunSeed(config, seed, options, &row->compared, keep);
    if (text.empty()) return true;
    const auto line = [&](const std::string& kept) {
      return fmt::format("{} --config {}{}{} --seed {} --cases 1{}", command.soak.program,
                         config.name, options.headers ? " --headers" : "",
                         options.compression ? " --compression" : "", seed,
                         kept.empty() ? "" : " --keep " + kept);
    };
    row->reproduce.push_back(line(keep));
    fmt::print("FAILED {}\nreproduce: {}\n", text, row->reproduce.back());
    std::fflush(stdout);
    if (command.soak.shrink_runs == 0 || !keep.empty()) return false;
    const std::string part = aieml::Shrink(config, seed, options, text, command.soak.shrink_runs);
    fmt::print("what is left of it fails too:\n{}\nreproduce: {}\n",
               aieml::RunSeed(config, seed, options, nullptr, part), line(part));
    std::fflush(stdout);
    return false;
  });
}

SoakRow SoakArrays(const SoakCommand& command) {
  return SoakSeeds("arrays", command.soak, Progress(command), [&](uint64_t seed, SoakRow* row) {
    const std::string text = aieml::CompareArrays(seed, &row->compared);
    if (text.empty()) return true;
    row->reproduce.push_back(
        fmt::format("{} --arrays --seed {} --cases 1", command.soak.program, seed));
    fmt::print("FAILED {}\nreproduce: {}\n", text, row->reproduce.back());
    std::fflush(stdout);
    return false;
  });
}

// The builds that can have such programs.
std::vector<aieml::TileConfig> Fitting(const aieml::RandomOptions& options) {
  std::vector<aieml::TileConfig> tiles;
  for (const aieml::TileConfig& tile : Tiles()) {
    if (tile.stream_bytes == 4 || !(options.headers || options.compression)) tiles.push_back(tile);
  }
  return tiles;
}

// Throws std::invalid_argument if a build that is named cannot have them.
std::vector<aieml::TileConfig> Builds(const SoakCommand& command,
                                      const aieml::RandomOptions& options) {
  if (command.configs.empty()) return Fitting(options);
  const std::vector<aieml::TileConfig> tiles = Chosen(command, Tiles(), "tile");
  for (const aieml::TileConfig& tile : tiles) {
    if (FindNamed(Fitting(options), tile.name)) continue;
    throw std::invalid_argument(fmt::format(
        "--config {}: its streams of {} bits have no headers and no compression, those of 32 have",
        tile.name, 8 * tile.stream_bytes));
  }
  return tiles;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Random programs on tessera_aieml, compared with the behavioural model."};
  SoakCommand command;
  command.soak.program = argv[0];
  command.soak.shrink_runs = 150;
  aieml::RandomOptions options;
  std::string keep;
  bool arrays = false;
  AddSoakOptions(&app, &command);
  app.add_option("--keep", keep, "Of the tasks of one seed these alone, as a failure prints them");
  app.add_flag("--headers", options.headers, "Packet headers");
  app.add_flag("--compression", options.compression, "Compression");
  app.add_flag("--arrays", arrays, "Random sequences on arrays of one and two columns instead");
  CLI11_PARSE(app, argc, argv);
  try {
    if (arrays && !aieml::HasArrays() && !command.list) {
      throw std::invalid_argument(
          "--arrays: legal is a program with models of a shim, a memory tile and a compute tile");
    }
    if (command.list && arrays) {
      fmt::print("{}", aieml::HasArrays() ? "arrays\n" : "");
      return 0;
    }
    if (command.list) return List(Fitting(options));
    ParseShard(command.shard, &command.soak);
    std::vector<SoakRow> rows;
    if (arrays) return Conclude(command, {SoakArrays(command)});
    for (const aieml::TileConfig& config : Builds(command, options))
      rows.push_back(SoakTile(config, options, keep, command));
    return Conclude(command, rows);
  } catch (const std::exception& error) {
    fmt::print(stderr, "aieml_random: {}\n", error.what());
    return 2;
  }
}
