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

#include "tb/sim/rng.h"
#include "tests/aieml_rtl/pair.h"

namespace tessera::aieml {

struct RandomOptions {
  bool headers = false;      // packet headers
  bool compression = false;  // of both directions
};

struct RandomProgram {
  TileKind kind = TileKind::kShim;
  std::vector<std::pair<uint32_t, uint32_t>> setup;  // register writes before any task
  std::vector<std::pair<uint32_t, uint32_t>> tasks;  // writes of queues, mixed over the channels
  std::vector<std::vector<Word>> feed;               // of each channel to memory
  uint64_t words = 0;                                // that move
  std::string text;                                  // one line a channel
};

RandomProgram MakeRandom(TileKind kind, const Rng& rng, const RandomOptions& options = {});

// Runs it to its end; false if that does not come.
bool Run(const RandomProgram& program, Side* side);

// What differs between the ends of two runs, a line each; empty: nothing.
std::string Difference(const RandomProgram& program, Side* model, Side* rtl);

// One seed on both sides, and a line about it; empty if they agree.
std::string RunSeed(const TileConfig& config, uint64_t seed, const RandomOptions& options = {},
                    uint64_t* words = nullptr);

}  // namespace tessera::aieml
