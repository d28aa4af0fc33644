// Runs woven programs through the driver, disturbed or not, and compares them with the sequencer
// model.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "tb/dma/dma_bench.h"
#include "tb/dma/random_program.h"

namespace tessera {

// What happens to the channels while they run.
// kFault: the memory behind data port 0 breaks a rule once; a while later all are reset and give up
// what it owes.
enum class Disturbance { kNone, kPause, kAbort, kReset, kFault };
// Whether it ends the channels, and another program follows.
inline bool Cuts(Disturbance disturbance) {
  return disturbance != Disturbance::kNone && disturbance != Disturbance::kPause;
}

// Runs the program of a seed through the driver, disturbed or not. After an abort, a reset or a
// fault records, tokens, beats, locks and memory must be a part of what the model does, everything
// must come to rest, and another program must do what the model says; with kRare the memory often
// answers some of its transfers with an error. `keep`: the parts that are left (program_parts.h);
// empty: all.
ProgramResult RunWoven(const std::string& build, uint64_t seed, Disturbance disturbance,
                       Draws draws, const std::string& waveform = "", const std::string& keep = "");

// The same with registers that start at values drawn from `start_up`, for whoever looks at the
// bench after its reset, and at the end.
struct WovenLook {
  uint64_t start_up = 1;
  Draws draws = Draws::kRare;
  std::string keep{};
  std::vector<AxiFault>
      faults{};  // of the memory behind data port 0, of which the model knows nothing
  std::function<void(DmaBench&)> begin, end;
};
ProgramResult RunWoven(const std::string& build, uint64_t seed, Disturbance disturbance,
                       const WovenLook& look);

}  // namespace tessera
