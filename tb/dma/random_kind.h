// What is drawn from a seed on a build of tessera_dma, as the command line of dma_random has it: so
// that a run that failed can be kept as the line that it prints.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tb/dma/random_program.h"
#include "tb/random/parts.h"

namespace tessera {

struct RandomKind {
  std::string woven;    // how woven programs are disturbed; empty: channels stand alone
  bool victim = false;  // one channel is stopped again and again
  uint64_t fuzz = 0;    // not 0: so many accesses of registers instead
  Draws draws = Draws::kRare;
  std::string keep;  // of the programs; empty: all

  static std::vector<std::string> Disturbances();  // the names that `woven` may have
  std::string Options() const;
  ProgramResult Run(const std::string& build, uint64_t seed,
                    const std::string& waveform = "") const;
  // What can be left out of a run; nothing of accesses of registers.
  Parts PartsOf(const DmaConfig& config, uint64_t seed) const;
};

// One run: `--config BUILD [--woven NAME | --victim | --fuzz N] [--plain] --seed N [--keep PARTS]`.
struct RandomRun {
  std::string build;
  RandomKind kind;
  uint64_t seed = 0;

  std::string Line() const;
  // Throws std::invalid_argument with the word that is none.
  static RandomRun Parse(const std::string& line);
  // The lines of a file, but for empty ones and those that begin with #.
  static std::vector<RandomRun> Read(const std::string& path);
};

// The smallest part of a run that fails as it does, with `message`, after so many runs at most.
RandomRun Shrink(const RandomRun& failing, const std::string& message, uint64_t most_runs);

}  // namespace tessera
