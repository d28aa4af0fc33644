// The smallest whole program: finds the device, sends one 4-D tile to a stream, waits, and tells
// how it went.
#include "sw/driver/tessera/task.hpp"
#include "sw/driver/tessera/tiling.hpp"
#include "sw/firmware/runtime.hpp"

namespace {

using namespace tessera::driver;

constexpr tiling_parameters kTiles{.buffer_dimension = {64, 32, 8},
                                   .tiling_dimension = {16, 8, 4},
                                   .offset = {16, 8, 2},
                                   .tile_traversal = {{0, 16, 3}}};

}  // namespace

// The reason of the first error; 0 if the tile has left.
extern "C" uint32_t tile_and_wait(uintptr_t registers, uint64_t buffer) {
  MmioBus bus(registers);
  Device device(bus);
  if (const Status status = device.Open(); !status.ok())
    return static_cast<uint32_t>(status.reason());
  Channel<MmioBus, 2> channel(device, Direction::kToStream, 0);
  if (const Status status = channel.Open(); !status.ok())
    return static_cast<uint32_t>(status.reason());
  DescriptorPool pool(device.build().descriptors);
  Task task(channel, pool);
  static constexpr Placeable kTile = Lowered<kTiles, 16>();
  return static_cast<uint32_t>(task.Run({kTile.At(buffer), {}}).status.reason());
}
