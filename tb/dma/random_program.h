// Random programs for tessera_dma, and a run through the driver that compares.
//
// A program is descriptors, chains and tasks for every channel. What it does to memory and streams
// is said by the model of the device (tb/device). Everything follows from one seed.
#pragma once

#include <cstdint>
#include <string>

#include "tb/dma/dma_program.h"
#include "tb/random/generate.h"
#include "tb/sim/rng.h"

namespace tessera {

// Bits of an address above all parts of memory that channels have, which take up 31 bits: any, or
// none.
uint64_t DrawAbove(Rng& rng, const DmaConfig& config);

// A legal descriptor of a channel, and with a lock (-1: none) one that often takes 1 of it and
// gives it back.
native::Descriptor DrawDescriptor(Rng& rng, const DmaConfig& config, Direction direction,
                                  int number, int lock);

// Memory, streams and their paces for a run of a random program.
DmaBenchOptions DrawBench(const DmaConfig& config, uint64_t seed);

// Without streams: a run feeds them. With kRare now and then a program that reaches rare states;
// else none, and seeds that once failed stay what they were.
DmaProgram DrawProgram(const DmaConfig& config, uint64_t seed, Draws draws);

struct ProgramResult {
  std::string message;  // empty: passed
  uint64_t executions = 0;
  uint64_t compared = 0;  // bytes, beats, records
  uint64_t errors = 0;    // records that tell of an error of the bus
  uint64_t faults = 0;    // of the memory, that a channel tells of
  uint64_t stops = 0;     // of the victim
  uint64_t cycles = 0;
};
// Runs the program of a seed on a build and compares records, streams and memory. With a path:
// writes a waveform. `keep`: the parts that are left of it (program_parts.h); empty: all.
ProgramResult RunProgram(const std::string& build, uint64_t seed, Draws draws,
                         const std::string& waveform = "", const std::string& keep = "");
// The same of a program without rare states while one channel of it, drawn from the seed, is
// aborted and reset again and again (victim.h).
ProgramResult RunWithVictim(const std::string& build, uint64_t seed,
                            const std::string& waveform = "", const std::string& keep = "");

}  // namespace tessera
