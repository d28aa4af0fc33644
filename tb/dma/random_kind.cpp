// See random_kind.h.
#include "tb/dma/random_kind.h"

#include <fmt/format.h>

#include <charconv>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>

#include "tb/dma/program_parts.h"
#include "tb/dma/register_fuzz.h"
#include "tb/dma/woven_program.h"
#include "tb/dma/woven_run.h"
#include "tb/files/interrupt.h"
#include "tb/sim/model.h"

namespace tessera {
namespace {

const std::map<std::string, Disturbance>& Ways() {
  static const std::map<std::string, Disturbance> kWays = {{"none", Disturbance::kNone},
                                                           {"pause", Disturbance::kPause},
                                                           {"abort", Disturbance::kAbort},
                                                           {"reset", Disturbance::kReset},
                                                           {"fault", Disturbance::kFault}};
  return kWays;
}

[[noreturn]] void Refuse(const std::string& word, const std::string& line) {
  throw std::invalid_argument(
      fmt::format("'{}' in \"{}\": legal is --config BUILD [--woven none|pause|abort|reset|fault | "
                  "--victim | --fuzz N] "
                  "[--plain] --seed N [--keep PARTS]",
                  word, line));
}

}  // namespace

std::vector<std::string> RandomKind::Disturbances() {
  std::vector<std::string> names;
  for (const auto& [name, way] : Ways()) names.push_back(name);
  return names;
}

std::string RandomKind::Options() const {
  if (fuzz != 0) return fmt::format(" --fuzz {}", fuzz);
  if (victim) return " --victim";
  return (woven.empty() ? "" : " --woven " + woven) + (draws == Draws::kPlain ? " --plain" : "");
}

ProgramResult RandomKind::Run(const std::string& build, uint64_t seed,
                              const std::string& waveform) const {
  if (fuzz != 0) return FuzzRegisters(build, seed, fuzz, waveform);
  if (victim) return RunWithVictim(build, seed, waveform, keep);
  return woven.empty() ? RunProgram(build, seed, draws, waveform, keep)
                       : RunWoven(build, seed, Ways().at(woven), draws, waveform, keep);
}

Parts RandomKind::PartsOf(const DmaConfig& config, uint64_t seed) const {
  if (fuzz != 0) return {};
  if (victim) return tessera::PartsOf(config, DrawProgram(config, seed, Draws::kPlain));
  if (woven.empty()) return tessera::PartsOf(config, DrawProgram(config, seed, draws));
  const Disturbance way = Ways().at(woven);
  const DmaProgram program = DrawWoven(config, seed), again = DrawWovenAgain(config, seed);
  return tessera::PartsOf(config, program, Cuts(way) ? &again : nullptr);
}

std::string RandomRun::Line() const {
  return fmt::format("--config {}{} --seed {}{}", build, kind.Options(), seed,
                     kind.keep.empty() ? "" : " --keep " + kind.keep);
}

RandomRun RandomRun::Parse(const std::string& line) {
  RandomRun run;
  std::istringstream words(line);
  const auto value = [&](const std::string& option) {
    std::string word;
    if (!(words >> word)) Refuse(option, line);
    return word;
  };
  const auto number = [&](const std::string& option) {
    const std::string word = value(option);
    uint64_t n = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), n);
    if (error != std::errc() || end != word.data() + word.size()) Refuse(word, line);
    return n;
  };
  bool has_seed = false;
  for (std::string word; words >> word;) {
    if (word == "--config") {
      run.build = value(word);
    } else if (word == "--woven") {
      run.kind.woven = value(word);
      if (!Ways().contains(run.kind.woven)) Refuse(run.kind.woven, line);
    } else if (word == "--fuzz") {
      run.kind.fuzz = number(word);
    } else if (word == "--victim") {
      run.kind.victim = true;
    } else if (word == "--plain") {
      run.kind.draws = Draws::kPlain;
    } else if (word == "--keep") {
      run.kind.keep = value(word);
    } else if (word == "--seed") {
      run.seed = number(word);
      has_seed = true;
    } else {
      Refuse(word, line);
    }
  }
  if (run.build.empty() || !has_seed) Refuse("", line);
  return run;
}

std::vector<RandomRun> RandomRun::Read(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::invalid_argument(fmt::format("{} cannot be read", path));
  std::vector<RandomRun> runs;
  for (std::string line; std::getline(file, line);) {
    if (!line.empty() && line[0] != '#') runs.push_back(Parse(line));
  }
  return runs;
}

RandomRun Shrink(const RandomRun& failing, const std::string& message, uint64_t most_runs) {
  const DmaConfig config = NeedNamed(Dmas(), failing.build, "build of tessera_dma");
  Parts parts = failing.kind.PartsOf(config, failing.seed);
  RandomRun run = failing;
  const std::string same = KindOfFailure(message);
  parts.Shrink(most_runs, [&](const Parts& fewer) {
    run.kind.keep = fewer.ToString();
    return !Interrupted() && KindOfFailure(run.kind.Run(run.build, run.seed).message) == same;
  });
  run.kind.keep = parts.ToString();
  return run;
}

}  // namespace tessera
