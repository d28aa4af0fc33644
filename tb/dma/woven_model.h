// What a woven program must do: the sequencer model, told all of it as software would by registers.
#pragma once

#include <vector>

#include "tb/bus/memory.h"
#include "tb/dma/sequencer_model.h"
#include "tb/dma/woven_program.h"

namespace tessera {

// The beats of the streams of write channels, for each of them.
using StreamBeats = std::vector<std::vector<model::StreamBeat>>;

// Those that a program plans: dense ones.
StreamBeats PlannedBeats(const DmaConfig& config, const WovenProgram& program);

// Executes the whole program over memory as it was before it.
class WovenModel {
 public:
  // `before` must outlive it; words of memory with a byte in `errors` answer with an error.
  WovenModel(const DmaConfig& config, const WovenProgram& program, const StreamBeats& streams,
             const Memory& before, const std::vector<model::ErrorRange>& errors);

  const SequencerModel& operator*() const { return sequencer_; }
  const SequencerModel* operator->() const { return &sequencer_; }
  const model::MemoryImage& memory() const { return image_; }

 private:
  model::MemoryImage image_;
  SequencerModel sequencer_;
};

}  // namespace tessera
