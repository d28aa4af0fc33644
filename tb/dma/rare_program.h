// Makes a random program one that reaches rare states.
#pragma once

#include "tb/dma/random_program.h"

namespace tessera {

// Some of these: transfers that lie across a power of two of the address space or across its end;
// arrays across a 4 KiB page or a power of two; counts, bounds, iteration sizes near powers of two;
// tags and side information near their extremes; tasks of many empty transfers. What channels write
// stays apart, as DrawProgram has it.
void DrawRareProgram(Rng rng, const DmaConfig& config, DmaProgram* program);

}  // namespace tessera
