// Random sequences on whole arrays, with an end that does not depend on time: streams from the host
// through memory tiles, compute tiles and kernels, and back. What the behavioural model and the RTL
// leave behind is then the same.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tb/sim/rng.h"
#include "tools/aieml/array/array_file.h"

namespace tessera::aieml {

// A part of the memory of a tile that a sequence uses.
struct UsedMemory {
  uint32_t address = 0, words = 0;  // of the array
};

struct RandomArray {
  array::ArrayFile file;
  std::vector<uint32_t> binary;  // a transaction binary
  std::vector<UsedMemory> memory;
  uint64_t words = 0;  // that come back to the host
  std::string text;    // a line a path
};

RandomArray MakeRandomArray(const Rng& rng);

// This program has models for all kinds of tiles.
bool HasArrays();
// One seed on both, and lines about what differs; empty if nothing does.
std::string CompareArrays(uint64_t seed, uint64_t* words = nullptr);

}  // namespace tessera::aieml
