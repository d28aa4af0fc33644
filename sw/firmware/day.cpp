// A day of a program on a device whose read channel 0 is wired to write channel 0: it tiles, pads,
// locks, takes interrupts, meets a memory that answers with an error, recovers, and checks every
// byte.
#include "sw/driver/tessera/driver.hpp"
#include "sw/firmware/runtime.hpp"

namespace {

using namespace tessera::driver;
using TheChannel = Channel<MmioBus, 4>;

constexpr uint32_t kWidth = 40, kHeight = 24;  // of the image, in bytes
constexpr uint32_t kTile = 16, kAround = 1;
constexpr uint32_t kAcross = (kWidth + kTile - 1) / kTile, kDown = (kHeight + kTile - 1) / kTile;
constexpr uint32_t kSide = kTile + 2 * kAround;

struct Buffers {
  alignas(64) uint8_t image[kWidth * kHeight];
  alignas(64) uint8_t tiles[kAcross * kDown * kSide * kSide];
};

struct State {
  explicit State(uintptr_t registers)
      : bus(registers),
        device(bus),
        out(device, Direction::kToStream, 0),
        in(device, Direction::kFromStream, 0),
        service(device) {}

  MmioBus bus;
  Device<MmioBus> device;
  TheChannel out;
  TheChannel in;
  ServiceRoutine<TheChannel, 2> service;
};

Buffers buffers;
alignas(64) uint8_t storage[sizeof(State)];
volatile uint32_t interrupts;
State& Get() { return *reinterpret_cast<State*>(storage); }
uint64_t At(const void* memory) { return reinterpret_cast<uintptr_t>(memory); }

// Which step went wrong, and why.
uint32_t Wrong(uint32_t step, Status status) {
  return step << 16 | 1u << 8 | static_cast<uint32_t>(status.reason());
}

// The image, and nothing in the tiles.
void Prepare(uint8_t seed) {
  for (uint32_t n = 0; n < sizeof(buffers.image); ++n) {
    buffers.image[n] = static_cast<uint8_t>(n * 7 + seed);
  }
  for (uint8_t& byte : buffers.tiles) byte = 0xee;
}

// Every tile with what is around it, by its definition.
bool TilesAreRight() {
  const uint8_t* at = buffers.tiles;
  for (uint32_t tile = 0; tile < kAcross * kDown; ++tile) {
    uint32_t down = 0, across = tile;
    for (; across >= kAcross; across -= kAcross) ++down;
    for (uint32_t row = 0; row < kSide; ++row) {
      for (uint32_t column = 0; column < kSide; ++column, ++at) {
        const uint32_t x = across * kTile + column - kAround, y = down * kTile + row - kAround;
        const uint8_t expected = x < kWidth && y < kHeight ? buffers.image[y * kWidth + x] : 0;
        if (*at != expected) return false;
      }
    }
  }
  return true;
}

// Image out as padded tiles, tiles in. Both tasks are started; the one that writes ends last.
template <typename Out, typename In>
Status StartTiles(Out& out, In& in) {
  const Capabilities& build = Get().device.build();
  if (const Status status = in.Configure(Copy(At(buffers.tiles), sizeof(buffers.tiles), build));
      !status.ok())
    return status;
  if (const Status status = in.Start().status; !status.ok()) return status;
  if (const Status status =
          out.Configure(Halo(At(buffers.image), kWidth, kHeight, kTile, kTile, kAround, 1, build));
      !status.ok())
    return status;
  return out.Start().status;
}

}  // namespace

extern "C" {

// The handler of the interrupt.
uint32_t day_interrupt() {
  interrupts = interrupts + 1;
  return Get().service.Handle() ? 1 : 0;
}

uint32_t day_interrupts() { return interrupts; }

// 0, or what went wrong first. Reads of `broken` are answered with an error.
uint32_t day_run(uintptr_t registers, uintptr_t broken) {
  auto* state = new (storage) State(registers);
  Device<MmioBus>& device = state->device;
  TheChannel &out = state->out, &in = state->in;
  if (const Status status = device.Open(); !status.ok()) return Wrong(1, status);
  if (const Status status = out.Open(); !status.ok()) return Wrong(2, status);
  if (const Status status = in.Open(); !status.ok()) return Wrong(3, status);
  DescriptorPool pool(device.build().descriptors);
  Task<TheChannel> reading(out, pool), writing(in, pool);

  // Polled.
  Prepare(1);
  if (const Status status = StartTiles(reading, writing); !status.ok()) return Wrong(4, status);
  if (const Status status = reading.Await().status; !status.ok()) return Wrong(5, status);
  if (const Status status = writing.Await().status; !status.ok()) return Wrong(6, status);
  if (!TilesAreRight()) return Wrong(7, {});

  // By interrupt: the loop looks at nothing but the clock.
  Prepare(2);
  if (!state->service.Add(out).ok() || !state->service.Add(in).ok()) return Wrong(8, {});
  if (!in.EnableInterrupts(registers::channel::IrqStatus::kTaskDoneMask |
                           registers::channel::IrqStatus::kErrorMask)
           .ok())
    return Wrong(9, {});
  device.EnableInterrupts(true);
  if (const Status status = StartTiles(reading, writing); !status.ok()) return Wrong(10, status);
  Deadline patience(device, Timeout::Cycles(100'000));
  while (writing.running()) {
    if (patience.Passed()) return Wrong(11, Reason::timeout);
  }
  if (interrupts == 0) return Wrong(12, {});
  if (const Status status = writing.Await().status; !status.ok()) return Wrong(13, status);
  if (const Status status = reading.Await().status; !status.ok()) return Wrong(14, status);
  if (!TilesAreRight()) return Wrong(15, {});

  // A lock keeps the device waiting until the processor has the data.
  const Lock ready(device, 0);
  if (const Status status = ready.Set(0); !status.ok()) return Wrong(16, status);
  if (const Status status =
          reading.Configure(Descriptor().Base(At(buffers.image)).Dim(0, 256, 1).Acquire(0, -1));
      !status.ok())
    return Wrong(17, status);
  if (const Status status = writing.Configure(Copy(At(buffers.tiles), 256, device.build()));
      !status.ok())
    return Wrong(18, status);
  if (!writing.Start().ok() || !reading.Start().ok()) return Wrong(19, {});
  Prepare(3);
  if (reading.Await(Timeout::Turns(5)).status.reason() != Reason::timeout) return Wrong(20, {});
  if (const Status status = ready.Release(1); !status.ok()) return Wrong(21, status);
  if (const Status status = reading.Await().status; !status.ok()) return Wrong(22, status);
  if (const Status status = writing.Await().status; !status.ok()) return Wrong(23, status);
  for (uint32_t n = 0; n < 256; ++n) {
    if (buffers.tiles[n] != buffers.image[n]) return Wrong(24, {});
  }

  // The memory answers with an error: the channel stops, is reset, and works as before.
  if (!out.StopOn(registers::entry::Status::kSlverrMask | registers::entry::Status::kDecerrMask)
           .ok())
    return Wrong(35, {});
  if (!writing.Configure(Copy(At(buffers.tiles), 64, device.build())).ok()) return Wrong(33, {});
  if (!writing.Start().ok()) return Wrong(34, {});
  const Status failed = reading.Run(Copy(broken, 64, device.build())).status;
  if (failed.reason() != Reason::transfer_failed) return Wrong(25, failed);
  const ChannelError error = out.TakeError();
  if (error.address != broken) return Wrong(26, {});
  // What was read was sent all the same, with bytes that mean nothing.
  if (const Status status = writing.Await().status; !status.ok()) return Wrong(35, status);
  if (const Status status = out.Reset(); !status.ok()) return Wrong(27, status);
  if (const Status status = in.Reset(); !status.ok()) return Wrong(28, status);
  Prepare(4);
  if (const Status status = StartTiles(reading, writing); !status.ok()) return Wrong(29, status);
  if (const Status status = writing.Await().status; !status.ok()) return Wrong(30, status);
  if (const Status status = reading.Await().status; !status.ok()) return Wrong(31, status);
  return TilesAreRight() ? 0 : Wrong(32, {});
}
}
