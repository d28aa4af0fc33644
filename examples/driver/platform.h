// Where these programs run: the simulated device, with read channel 0 wired to write channel 0.
//
// On a board this file is the only one to change: the address of the registers, memory that the
// device reaches, and whatever the streams are wired to (docs/porting.md).
#pragma once

#include <cstdint>
#include <cstdio>

#include "sw/driver/tessera/driver.hpp"
#include "sw/driver/tessera/text.hpp"
#include "tb/board/board.h"

namespace example {

using namespace tessera::driver;

using Bus = tessera::simulation::BoardBus;
using TheChannel = Channel<Bus, 8>;
using TheTask = Task<TheChannel>;
using tessera::simulation::Board;
using tessera::simulation::Bytes;

struct Platform {
  // `work` is what stands between the two streams: packet by packet; none: a wire. Reads and writes
  // of the page at kBroken are answered with an error.
  static constexpr uint64_t kBroken = 0x10000000;
  explicit Platform(const Board::Work& work = {}) : board("basic", Options()) {
    board.Share(kBase, storage);
    board.Connect(0, 0, work);
  }
  // What every program begins with.
  Status Open() {
    if (const Status status = device.Open(); !status.ok()) return status;
    descriptors = DescriptorPool(device.build().descriptors);
    if (const Status status = out.Open(); !status.ok()) return status;
    return in.Open();
  }
  // Memory of the device, and the address under which the device finds it.
  uint8_t* Allocate(size_t bytes) { return static_cast<uint8_t*>(memory.Allocate(bytes)); }
  uint64_t At(const void* buffer) const { return memory.BusAddress(buffer); }
  const Capabilities& build() const { return device.build(); }

  static constexpr uint64_t kBase = 0x80000000;
  static tessera::DmaBenchOptions Options() {
    tessera::DmaBenchOptions options;
    options.memory.latency_min = options.memory.latency_max = 20;
    options.memory.errors = {tessera::ErrorRule::Range(kBroken, kBroken + 0xfff, tessera::kSlvErr)};
    return options;
  }

  Board board;
  Bus bus{board};
  Device<Bus> device{bus};
  TheChannel out{device, Direction::kToStream, 0};
  TheChannel in{device, Direction::kFromStream, 0};
  DescriptorPool descriptors{0};
  alignas(64) uint8_t storage[1u << 18] = {};
  MemoryPool<64, 16> memory{storage, sizeof(storage), kBase};
};

// Ends a program: with a sentence, and 0 if all went well.
inline int Report(Status status, bool right) {
  std::printf("%s\n", !status.ok() ? Text(status) : right ? "every byte is right" : "wrong bytes");
  return status.ok() && right ? 0 : 1;
}

}  // namespace example
