// Runs random programs on tessera_dma, or random accesses of its registers, until one fails, enough
// have passed or time is up; then a table.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "tb/dma/random_kind.h"
#include "tb/sim/model.h"
#include "tb/soak/options.h"

namespace {

using namespace tessera;

SoakRow SoakBuild(const std::string& build, const RandomKind& kind, const std::string& waveform,
                  const SoakCommand& command) {
  return SoakSeeds(build, command.soak, Progress(command), [&](uint64_t seed, SoakRow* row) {
    const ProgramResult result = kind.Run(build, seed, waveform);
    if (kind.fuzz == 0) row->transfers += result.executions;  // else they are accesses to registers
    row->compared += result.compared;
    row->cycles += result.cycles;
    if (result.message.empty()) return true;
    const RandomRun run{build, kind, seed};
    const auto line = [&](const RandomRun& r) {
      return fmt::format("{} {} --cases 1", command.soak.program, r.Line());
    };
    row->reproduce.push_back(line(run));
    fmt::print("FAILED {}\nreproduce: {}\n", result.message, row->reproduce.back());
    std::fflush(stdout);
    if (command.soak.shrink_runs == 0 || kind.fuzz != 0 || !kind.keep.empty()) return false;
    const RandomRun part = Shrink(run, result.message, command.soak.shrink_runs);
    fmt::print("what is left of it fails too:\n{}\nreproduce: {}\n",
               part.kind.Run(build, seed).message, line(part));
    std::fflush(stdout);
    return false;
  });
}

// Builds that random programs can be given to.
std::vector<DmaConfig> Programmed() {
  std::vector<DmaConfig> builds;
  for (const DmaConfig& config : Dmas()) {
    if (config.takes_programs()) builds.push_back(config);
  }
  return builds;
}

// Throws std::invalid_argument if a build that is named cannot have random programs.
std::vector<DmaConfig> Builds(const SoakCommand& command) {
  if (command.configs.empty()) return Programmed();
  const std::vector<DmaConfig> builds = Chosen(command, Dmas(), "build");
  for (const DmaConfig& config : builds) {
    if (config.takes_programs()) continue;
    throw std::invalid_argument(
        fmt::format("--config {}: it starts or routes by itself, random programs are not for it",
                    NameOf(config)));
  }
  return builds;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Random programs on tessera_dma, compared with the reference model."};
  SoakCommand command;
  command.soak.program = argv[0];
  command.soak.cases = 100;
  command.soak.shrink_runs = 150;
  RandomKind kind;
  std::string waveform;
  AddSoakOptions(&app, &command);
  CLI::Option* woven =
      app.add_option(
             "--woven", kind.woven,
             "Channels that depend on each other, disturbed: none, pause, abort, reset, fault")
          ->check(CLI::IsMember(RandomKind::Disturbances()));
  CLI::Option* fuzz = app.add_option(
      "--fuzz", kind.fuzz, "Instead of programs: so many random register accesses a seed");
  app.add_flag(
         "--victim", kind.victim,
         "Programs without rare states, one channel of which is aborted and reset all the time")
      ->excludes(woven)
      ->excludes(fuzz);
  app.add_flag_callback(
      "--plain", [&kind] { kind.draws = Draws::kPlain; },
      "Programs without rare states on purpose");
  app.add_option("--keep", kind.keep,
                 "Of the programs of one seed these parts alone, as a failure prints them");
  app.add_option("--waveform", waveform, "Where a waveform goes (with one case)");
  CLI11_PARSE(app, argc, argv);
  try {
    if (command.list) return List(Programmed());
    ParseShard(command.shard, &command.soak);
    std::vector<SoakRow> rows;
    for (const DmaConfig& config : Builds(command))
      rows.push_back(SoakBuild(NameOf(config), kind, waveform, command));
    return Conclude(command, rows);
  } catch (const std::exception& error) {
    fmt::print(stderr, "dma_random: {}\n", error.what());
    return 2;
  }
}
