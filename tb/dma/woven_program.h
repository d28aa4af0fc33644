// Random programs whose channels depend on each other.
//
// Channels are woven by locks (a write channel fills buffers that a read channel empties), by
// triggers (a channel paced by another, by software or by a pin) or stand alone with chains, lists,
// iteration and locks of their own. Whatever the order in which channels go on, the results are the
// same. Everything follows from one seed.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tb/dma/dma_program.h"
#include "tb/model/reference.h"

namespace tessera {

// For a build without a start program.
DmaProgram DrawWoven(const DmaConfig& config, uint64_t seed);
// The program that follows it where channels are cut.
inline DmaProgram DrawWovenAgain(const DmaConfig& config, uint64_t seed) {
  return DrawWoven(config, seed + 1'000'000);
}

// Places where transfers of programs lie and the memory answers with an error, all with the same.
// None where a packet is written: if it ends early, words that it leaves out are answered too.
std::vector<model::ErrorRange> DrawBusErrors(Rng rng, const DmaConfig& config,
                                             std::span<const DmaProgram> programs);

}  // namespace tessera
