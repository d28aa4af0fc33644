// From the cycles of beats to a rate; how many transfers a row runs.
#pragma once

#include <cstdint>
#include <span>

namespace tessera::bench {

// clamp(200000 / (beats + 20), 24, 2000), for transfers of `beats` beats.
uint64_t TransfersToRun(uint64_t beats);

// Cycles a transfer takes in the middle of a run: between the beats at 25 % and at 75 % of it.
// `cycles` are those of all beats of `transfers` transfers, in order. Each of the two points is the
// mean of 64 beats, because a run that waits for the memory comes in bunches of 64 beats, and a
// single beat would tell where in a bunch it lies. Throws std::invalid_argument for fewer beats
// than transfers, or fewer than 4 transfers.
double CyclesPerTransfer(std::span<const uint64_t> cycles, uint64_t transfers);

}  // namespace tessera::bench
