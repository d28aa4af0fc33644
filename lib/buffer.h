// Memory of a program on the bus of a simulation, and the range that it may have.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <cstring>
#include <span>

#include "include/tessera/sim.hpp"
#include "tb/bus/memory.h"
#include "tb/sim/counted.h"

namespace tessera::sim {

// Bytes of the user's that are memory.
class Buffer : public MemoryDevice {
 public:
  Buffer(uint64_t base, void* data) : base_(base), data_(static_cast<uint8_t*>(data)) {}
  void Read(uint64_t addr, std::span<uint8_t> out) override {
    std::memcpy(out.data(), data_ + (addr - base_), out.size());
  }
  void Write(uint64_t addr, std::span<const uint8_t> data, const LaneMask& strobe,
             int lane) override {
    for (size_t n = 0; n < data.size(); ++n) {
      if (strobe[lane + static_cast<int>(n)]) data_[addr - base_ + n] = data[n];
    }
  }

 private:
  uint64_t base_;
  uint8_t* data_;
};

inline void CheckRange(uint64_t address, uint64_t size) {
  if (size != 0 && address + (size - 1) >= address) return;
  throw Error(
      fmt::format("{} from {:#x} on: legal is at least one, up to the end of the address space",
                  Counted(size, "byte"), address));
}

}  // namespace tessera::sim
