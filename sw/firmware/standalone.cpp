// The worked example of the porting guide: a program on bare metal, with the caches of its
// processor and an interrupt handler, that sends a buffer and takes one.
#include "sw/driver/tessera/driver.hpp"
#include "sw/firmware/runtime.hpp"

namespace {

using namespace tessera::driver;

#if defined(__aarch64__)
using Cache = CortexA72Cache;
#elif defined(__arm__)
using Cache = CortexR5Cache;
#else
using Cache = ZicbomCache;
#endif

constexpr uint32_t kBytes = 4096;
using TheChannel = Channel<MmioBus, 4>;
using Pool = MemoryPool<64, 4>;

// Everything the handler needs, made by the program before it enables the interrupt.
struct State {
  State(uintptr_t registers, void* memory, size_t bytes)
      : bus(registers),
        device(bus),
        out(device, Direction::kToStream, 0),
        in(device, Direction::kFromStream, 0),
        service(device),
        descriptors(0),
        pool(memory, bytes, reinterpret_cast<uintptr_t>(memory)) {}

  MmioBus bus;
  Device<MmioBus> device;
  TheChannel out, in;
  ServiceRoutine<TheChannel, 2> service;
  DescriptorPool descriptors;
  Pool pool;
};

alignas(64) uint8_t storage[sizeof(State)];
alignas(64) uint8_t memory[4 * kBytes];
State& Get() { return *reinterpret_cast<State*>(storage); }

}  // namespace

extern "C" {

// What the interrupt controller calls: XScuGic_Connect(&gic, 121, handler, nullptr), or its like.
uint32_t standalone_interrupt() { return Get().service.Handle() ? 1 : 0; }

// The reason of the first error; 0 if the buffer has come back as it went.
uint32_t standalone_run(uintptr_t registers) {
  auto* state = new (storage) State(registers, memory, sizeof(memory));
  const auto number = [](Status status) { return static_cast<uint32_t>(status.reason()); };
  if (const Status status = state->device.Open(); !status.ok()) return number(status);
  if (const Status status = state->out.Open(); !status.ok()) return number(status);
  if (const Status status = state->in.Open(); !status.ok()) return number(status);
  state->descriptors = DescriptorPool(state->device.build().descriptors);
  if (!state->service.Add(state->out).ok() || !state->service.Add(state->in).ok()) return 1;
  if (!state->in
           .EnableInterrupts(registers::channel::IrqStatus::kTaskDoneMask |
                             registers::channel::IrqStatus::kErrorMask)
           .ok())
    return 1;
  state->device.EnableInterrupts(true);

  auto* from = static_cast<uint8_t*>(gm_malloc(state->pool, kBytes));
  auto* to = static_cast<uint8_t*>(gm_malloc(state->pool, kBytes));
  if (from == nullptr || to == nullptr) return static_cast<uint32_t>(Reason::no_memory);
  for (uint32_t n = 0; n < kBytes; ++n) {
    from[n] = static_cast<uint8_t>(n * 7);
    to[n] = 0xee;  // what is found there later has come
  }
  Gmio<TheChannel, Pool, Cache> sends(state->out, state->descriptors, state->pool);
  Gmio<TheChannel, Pool, Cache> takes(state->in, state->descriptors, state->pool);
  if (const Status status = takes.FromStreamNb(to, kBytes); !status.ok()) return number(status);
  if (const Status status = sends.ToStream(from, kBytes); !status.ok()) return number(status);
  if (const Status status = takes.Wait(); !status.ok()) return number(status);
  for (uint32_t n = 0; n < kBytes; ++n) {
    if (to[n] != from[n]) return 1;
  }
  return 0;
}
}
