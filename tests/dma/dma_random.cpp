// Runs random programs on tessera_dma until one fails or enough have passed.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tb/dma/random_program.h"
#include "tb/dma/register_fuzz.h"
#include "tb/dma/woven_program.h"
#include "tb/sim/model.h"

namespace {

std::string Mode(const std::string& woven, uint64_t fuzz) {
  if (fuzz != 0) return fmt::format(" --fuzz {}", fuzz);
  return woven.empty() ? "" : " --woven " + woven;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace tessera;
  CLI::App app{"Random programs on tessera_dma, compared with the reference model."};
  std::vector<std::string> builds;
  uint64_t seed = 1, cases = 100;
  std::string waveform;
  app.add_option("--config", builds, "Builds of cmake/dmas.json; none: all that take programs");
  app.add_option("--seed", seed, "The first seed");
  app.add_option("--cases", cases, "So many seeds a build");
  std::string woven;
  const std::map<std::string, Disturbance> ways = {{"none", Disturbance::kNone},
                                                   {"pause", Disturbance::kPause},
                                                   {"abort", Disturbance::kAbort},
                                                   {"reset", Disturbance::kReset}};
  app.add_option("--woven", woven,
                 "Channels that depend on each other, disturbed: none, pause, abort, reset")
      ->check(CLI::IsMember({"none", "pause", "abort", "reset"}));
  uint64_t fuzz = 0;
  app.add_option("--fuzz", fuzz, "Instead of programs: so many random register accesses a seed");
  app.add_option("--waveform", waveform, "Where a waveform goes (with one case)");
  CLI11_PARSE(app, argc, argv);
  if (builds.empty()) {
    for (const DmaConfig& config : Dmas()) {
      if (config.takes_programs()) builds.push_back(config.channel.name);
    }
  }
  for (const std::string& build : builds) {
    const std::optional<DmaConfig> config = FindNamed(Dmas(), build);
    if (!config || !config->takes_programs()) {
      fmt::print(stderr, "dma_random: --config {}: {}\n", build,
                 config ? "it starts or routes by itself, random programs are not for it"
                        : "not a build that this program has");
      return 2;
    }
    uint64_t executions = 0, compared = 0, cycles = 0;
    for (uint64_t n = 0; n < cases; ++n) {
      const ProgramResult result = fuzz != 0 ? FuzzRegisters(build, seed + n, fuzz, waveform)
                                   : woven.empty()
                                       ? RunProgram(build, seed + n, waveform)
                                       : RunWoven(build, seed + n, ways.at(woven), waveform);
      executions += result.executions;
      compared += result.compared;
      cycles += result.cycles;
      if (result.message.empty()) continue;
      fmt::print("{}\nfailed: dma_random --config {}{} --seed {} --cases 1\n", result.message,
                 build, Mode(woven, fuzz), seed + n);
      return 1;
    }
    if (fuzz != 0) {
      fmt::print("{:12} {} accesses, {} refused, {} cycles\n", build, executions, compared, cycles);
      continue;
    }
    fmt::print("{:12} {} programs, {} transfers, {} compared, {} cycles\n", build, cases,
               executions, compared, cycles);
  }
  return 0;
}
