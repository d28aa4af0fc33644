// Words of a descriptor and what the preparation has to make of them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tb/model/transfer.h"
#include "tb/sim/rng.h"

namespace tessera {

// A preparation of preparation_top.sv.
struct PreparationShape {
  const char* name;
  int cell, addr_width, bus_log, channels, descriptors, places, locks;
  bool headers, walk, bounds;
};
inline constexpr PreparationShape kPreparations[] = {
    {"usual", 0, 64, 3, 4, 16, 4, 16, true, true, true},
    {"narrow", 1, 32, 2, 2, 5, 3, 64, false, true, true},
    {"wide", 2, 40, 7, 32, 16, 16, 5, true, true, true},
    {"least", 3, 64, 3, 2, 3, 0, 0, false, false, false},
};

enum Area { kBase, kBoundsArea, kWalkArea, kTurns };

struct Descriptor {
  std::array<std::array<uint32_t, 16>, 4> area{};  // of the turns one word is there
  bool valid = false;

  uint32_t turns() const { return area[kTurns][0]; }
  bool has_walk() const { return area[kBase][15] >> 15 & 1; }
};

// What surrounds a descriptor.
struct Circumstance {
  bool receives = false, from_list = false, final_turn = false, exists = true;
};

// The reason for which a descriptor is refused; 0 if it is not.
uint32_t ErrorOf(const Descriptor& d, const Circumstance& c, const PreparationShape& shape);

// The transfer of a descriptor that is not refused. Its strides count modulo the address width.
model::Transfer TransferOf(const Descriptor& d, const Circumstance& c,
                           const PreparationShape& shape);

// The turns afterwards.
uint32_t NextTurns(const Descriptor& d, const Circumstance& c);

// A tile of a transfer with a traversal.
struct Tile {
  model::Transfer transfer;  // without traversal
  bool more = false;
  bool packet = false;                  // its end ends a packet
  std::optional<uint32_t> length = {};  // of a transfer with traversal: elements that are left
};

// The tiles of a transfer, at most `most` of them; of one without traversal itself.
std::vector<Tile> TilesOf(const model::Transfer& transfer, size_t most);

// A descriptor at random, with an error now and then.
Descriptor RandomDescriptor(Rng& rng, const PreparationShape& shape);

}  // namespace tessera
