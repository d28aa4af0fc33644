// Random programs at register level for one tile, with an end that does not depend on time: what
// the behavioural model and the RTL leave behind is then the same.
//
// Each channel has its part of memory, of the descriptors and of the locks. Some pairs of channels
// share a buffer, and hand it to and fro by two locks. Lengths, wraps, steps, iteration, padding,
// chains, repeats, tokens, finish on TLAST are random; so are bits that mean nothing in the
// direction of the channel.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tb/random/parts.h"
#include "tb/sim/rng.h"
#include "tests/aieml/rtl/pair.h"

namespace tessera::aieml {

struct RandomOptions {
  bool headers = false;      // packet headers
  bool compression = false;  // of both directions
};

struct RandomProgram {
  TileKind kind = TileKind::kShim;
  std::vector<std::pair<uint32_t, uint32_t>> setup;  // register writes before any task
  struct Task {
    uint32_t queue = 0, word = 0;  // the write that pushes it
    std::string name;              // as --keep has it
    uint32_t channel = 0;
    bool to_stream = false;
    size_t fed = 0;  // words of the feed of its channel, behind those of the tasks before it
  };
  std::vector<Task> tasks;              // of all channels, mixed
  std::vector<std::vector<Word>> feed;  // of each channel to memory
  uint64_t words = 0;                   // that move
  std::string text;                     // one line a channel
};

// Tasks that can be left out, a group a direction of a channel: `s1.0` is the first of S2MM 1,
// `m1.2` the third of MM2S 1.
Parts PartsOf(const RandomProgram& program);
void Reduce(const Parts& parts, RandomProgram* program);

RandomProgram MakeRandom(TileKind kind, const Rng& rng, const RandomOptions& options = {});

// Runs it to its end; false if that does not come.
bool Run(const RandomProgram& program, Side* side);

// What differs between the ends of two runs, a line each; empty: nothing.
std::string Difference(const RandomProgram& program, Side* model, Side* rtl);

// One seed on both sides, and lines about it; empty if they agree. `keep`: the parts that are left
// of its program; empty: all.
std::string RunSeed(const TileConfig& config, uint64_t seed, const RandomOptions& options = {},
                    uint64_t* words = nullptr, const std::string& keep = "");
// The smallest part of a program that fails as it does, with `text`, after so many runs at most.
std::string Shrink(const TileConfig& config, uint64_t seed, const RandomOptions& options,
                   const std::string& text, uint64_t most_runs);

}  // namespace tessera::aieml
