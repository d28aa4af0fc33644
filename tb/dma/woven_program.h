// Random programs whose channels depend on each other.
//
// Channels are woven by locks (a write channel fills buffers that a read channel empties), by
// triggers (a channel paced by another, by software or by a pin) or stand alone with chains, lists,
// iteration and locks of their own. Whatever the order in which channels go on, the results are the
// same. Everything follows from one seed.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tb/bus/axis.h"
#include "tb/dma/dma.h"
#include "tb/dma/random_program.h"

namespace tessera {

struct WovenProgram {
  struct Push {
    uint32_t tag = 0;
    native::Task task;
  };
  struct Piece {
    std::vector<uint8_t> bytes;
    PieceEnd end = PieceEnd::kLast;
  };
  struct Channel {
    uint32_t weight = 0, controller = 0;  // of STANDING
    uint32_t trigger = 0;                 // as in the register TRIGGER
    bool silent_ends = false;  // tasks may end without a record: the driver does not push these
    uint64_t list_base = 0;
    std::vector<native::Descriptor> list;
    std::vector<Push> tasks;
  };
  std::vector<int> locks;  // their values, from lock 0 on
  std::vector<std::pair<int, native::Descriptor>> descriptors;
  std::vector<Channel> channels;            // reads first
  std::vector<std::vector<Piece>> streams;  // of a write channel
  std::string text;                         // a line for each thing drawn
};

// For a build without a start program.
WovenProgram DrawWoven(const DmaConfig& config, uint64_t seed);
// A program whose channels stand alone, in this form; without streams.
WovenProgram AsWoven(const DmaConfig& config, const RandomProgram& program);
// The program that follows it where channels are cut.
inline WovenProgram DrawWovenAgain(const DmaConfig& config, uint64_t seed) {
  return DrawWoven(config, seed + 1'000'000);
}

// Places where transfers of programs lie and the memory answers with an error, all with the same.
// None where a packet is written: if it ends early, words that it leaves out are answered too.
std::vector<model::ErrorRange> DrawBusErrors(Rng rng, const DmaConfig& config,
                                             std::span<const WovenProgram> programs);

}  // namespace tessera
