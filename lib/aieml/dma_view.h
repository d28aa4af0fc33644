// What the registers of a DMA tell, of the model and of the RTL: where they are, and in words what
// its channels wait for.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lib/aieml/registers.h"

namespace tessera::aieml {

struct ChannelName {
  bool to_stream = false;
  uint32_t number = 0;
  bool operator==(const ChannelName&) const = default;
};

struct DmaView {
  TileKind kind = TileKind::kShim;
  bool runs = true;                               // its clock
  std::function<uint32_t(uint32_t offset)> read;  // of a register; nothing moves meanwhile
  std::function<uint32_t(ChannelName)> lost;      // pushes to its queue
  std::function<uint32_t(bool west, uint32_t lock)> beside;  // the lock of a neighbour
};

// A sentence for each channel with something to do, or that has lost something.
std::vector<std::string> DescribeWaiting(const DmaView& view);

// Of every word of every descriptor.
std::vector<uint32_t> DescriptorOffsets(TileKind kind);
// The channel whose start queue is at this offset of the tile.
std::optional<ChannelName> QueueAt(TileKind kind, uint32_t offset);
// The channel that a write of `value` resets.
std::optional<ChannelName> ResetBy(TileKind kind, uint32_t offset, uint32_t value);
// A push to its queue would be lost, as its status word has it.
bool QueueFull(uint32_t status);
uint32_t StatusOffset(TileKind kind, ChannelName channel);

}  // namespace tessera::aieml
