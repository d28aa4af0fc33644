// Runs random programs on tessera_dma, or random accesses of its registers, until one fails, enough
// have passed or time is up; then a table.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <map>
#include <string>
#include <vector>

#include "tb/dma/random_program.h"
#include "tb/dma/register_fuzz.h"
#include "tb/dma/woven_program.h"
#include "tb/sim/model.h"
#include "tb/soak/options.h"

namespace {

using namespace tessera;

// What is drawn from a seed.
struct Kind {
  std::string woven;  // how such programs are disturbed; empty: channels stand alone
  uint64_t fuzz = 0;  // not 0: so many accesses of registers instead
  std::string waveform;

  std::string Options() const {
    if (fuzz != 0) return fmt::format(" --fuzz {}", fuzz);
    return woven.empty() ? "" : " --woven " + woven;
  }
  ProgramResult Run(const std::string& build, uint64_t seed) const {
    static const std::map<std::string, Disturbance> kWays = {{"none", Disturbance::kNone},
                                                             {"pause", Disturbance::kPause},
                                                             {"abort", Disturbance::kAbort},
                                                             {"reset", Disturbance::kReset}};
    if (fuzz != 0) return FuzzRegisters(build, seed, fuzz, waveform);
    return woven.empty() ? RunProgram(build, seed, waveform)
                         : RunWoven(build, seed, kWays.at(woven), waveform);
  }
};

SoakRow SoakBuild(const std::string& build, const Kind& kind, const SoakCommand& command) {
  return SoakSeeds(build, command.soak, Progress(command), [&](uint64_t seed, SoakRow* row) {
    const ProgramResult result = kind.Run(build, seed);
    row->transfers += result.executions;
    row->compared += result.compared;
    row->cycles += result.cycles;
    if (result.message.empty()) return true;
    row->reproduce.push_back(fmt::format("{} --config {}{} --seed {} --cases 1",
                                         command.soak.program, build, kind.Options(), seed));
    fmt::print("FAILED {}\nreproduce: {}\n", result.message, row->reproduce.back());
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
  Kind kind;
  AddSoakOptions(&app, &command);
  app.add_option("--woven", kind.woven,
                 "Channels that depend on each other, disturbed: none, pause, abort, reset")
      ->check(CLI::IsMember({"none", "pause", "abort", "reset"}));
  app.add_option("--fuzz", kind.fuzz,
                 "Instead of programs: so many random register accesses a seed");
  app.add_option("--waveform", kind.waveform, "Where a waveform goes (with one case)");
  CLI11_PARSE(app, argc, argv);
  try {
    if (command.list) return List(Programmed());
    ParseShard(command.shard, &command.soak);
    std::vector<SoakRow> rows;
    for (const DmaConfig& config : Builds(command))
      rows.push_back(SoakBuild(NameOf(config), kind, command));
    return Conclude(command, rows);
  } catch (const std::exception& error) {
    fmt::print(stderr, "dma_random: {}\n", error.what());
    return 2;
  }
}
