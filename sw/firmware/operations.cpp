// Single operations of the driver as functions that an emulated processor calls one by one, to
// count what they cost.
//
// Each returns the reason of its error, 0 if there was none.
#include "sw/driver/tessera/driver.hpp"
#include "sw/firmware/runtime.hpp"

namespace {

using namespace tessera::driver;
using TheChannel = Channel<MmioBus, 8>;

constexpr uint32_t kPlaces = 8;

struct State {
  explicit State(uintptr_t registers)
      : bus(registers),
        device(bus),
        channel(device, Direction::kToStream, 0),
        ring_channel(device, Direction::kToStream, 1),
        pool(8),
        task(channel, pool),
        shadowed(channel, pool),
        ring(ring_channel) {}

  MmioBus bus;
  Device<MmioBus> device;
  TheChannel channel;
  TheChannel ring_channel;
  DescriptorPool pool;
  Task<TheChannel> task;
  Task<TheChannel, 1, true> shadowed;
  DescriptorRing<TheChannel> ring;
};

alignas(64) uint8_t storage[sizeof(State)];
State& Get() { return *reinterpret_cast<State*>(storage); }
uint32_t Number(Status status) { return static_cast<uint32_t>(status.reason()); }

uint32_t Go(const Descriptor& descriptor) {
  State& state = Get();
  if (const Status status = state.task.Configure(descriptor); !status.ok()) return Number(status);
  return Number(state.task.Start().status);
}

}  // namespace

extern "C" {

alignas(64) uint32_t ring_places[kPlaces * 16];

uint32_t op_setup(uintptr_t registers) {
  auto* state = new (storage) State(registers);
  if (const Status status = state->device.Open(); !status.ok()) return Number(status);
  if (const Status status = state->channel.Open(); !status.ok()) return Number(status);
  return Number(state->ring_channel.Open());
}

uint32_t op_copy(uintptr_t address, uint32_t bytes) {
  Descriptor descriptor;
  descriptor.Base(address).Dim(0, bytes, 1);
  return Go(descriptor);
}

uint32_t op_window(uintptr_t address, uint32_t bytes, uint32_t rows, int32_t pitch) {
  Descriptor descriptor;
  descriptor.Base(address).Dim(0, bytes, 1).Dim(1, rows, pitch);
  return Go(descriptor);
}

uint32_t op_tile(uintptr_t address, const uint32_t* counts, const int32_t* strides) {
  Descriptor descriptor;
  descriptor.Base(address).Element(2);
  for (uint32_t d = 0; d < 4; ++d) descriptor.Dim(d, counts[d], strides[d]);
  return Go(descriptor);
}

// A tile of a tensor with edges, of which `x` and `y` are new.
uint32_t op_edge_tile(uintptr_t address, int32_t x, int32_t y) {
  State& state = Get();
  Descriptor descriptor;
  descriptor.Base(address).Dim(0, 16, 1).Dim(1, 16, 64);
  descriptor.Start(0, x).Bound(0, 64).Start(1, y).Bound(1, 64);
  if (const Status status = state.shadowed.Configure(descriptor); !status.ok())
    return Number(status);
  return Number(state.shadowed.Start().status);
}

uint32_t op_restart() { return Number(Get().task.Restart().status); }
uint32_t op_wait() { return Number(Get().task.Await().status); }
uint32_t op_wait_edge() { return Number(Get().shadowed.Await().status); }

// What a handler calls, a look at the channel, and whether the last task was seen to end.
uint32_t op_interrupt() {
  Get().channel.Service();
  return 0;
}
uint32_t op_service() {
  Get().channel.Service();
  return 0;
}
uint32_t op_running() { return Get().task.running() ? 1 : 0; }

uint32_t op_ring_start(uint64_t bus_address) {
  return Number(Get().ring.Start(ring_places, bus_address, kPlaces));
}
uint32_t op_ring_entry(uintptr_t address, uint32_t bytes) {
  Descriptor descriptor;
  descriptor.Base(address).Dim(0, bytes, 1);
  return Number(Get().ring.Post(descriptor));
}
}
