// Executes a woven program on the model of the device, which gets it by registers as from software.
#pragma once

#include <vector>

#include "tb/bus/memory.h"
#include "tb/device/device_model.h"
#include "tb/dma/dma_program.h"

namespace tessera {

// The beats of the streams of write channels, for each of them.
using StreamBeats = std::vector<std::vector<model::StreamBeat>>;

// Those that a program plans: dense ones.
StreamBeats PlannedBeats(const DmaConfig& config, const DmaProgram& program);

// What each channel executes, one after the other, whatever its stream brings.
std::vector<std::vector<DeviceExecution>> ExecutionsOf(const DmaConfig& config,
                                                       const DmaProgram& program);

// Executes the whole program over memory as it was before it.
class WovenModel {
 public:
  // `before` must outlive it; words of memory with a byte in `errors` answer with an error.
  WovenModel(const DmaConfig& config, const DmaProgram& program, const StreamBeats& streams,
             const Memory& before, const std::vector<model::ErrorRange>& errors);

  const DeviceModel& operator*() const { return device_; }
  const DeviceModel* operator->() const { return &device_; }
  const model::MemoryImage& memory() const { return image_; }

 private:
  model::MemoryImage image_;
  DeviceModel device_;
};

}  // namespace tessera
