// Stub kernels: what stands in for the program of a compute tile. A kernel waits for a buffer to
// read and a buffer to fill, by the locks of the tile, computes, and releases both.
//
// It reaches the tile as a core does, by accesses to its registers and memory; ping and pong are
// two or more buffers that are used in turn.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace tessera::aieml {

// Computes `out` of `in`; both are words of buffers.
using KernelFunction = std::function<void(std::span<const uint32_t> in, std::span<uint32_t> out)>;

KernelFunction PassKernel();
KernelFunction AddKernel(uint32_t constant);  // to every 32-bit word

struct KernelBuffers {
  std::vector<uint32_t> addresses;  // bytes in the memory of the tile, used in turn
  uint32_t words = 0;
  // Taken with acquire of at least one before, given with a release of one after.
  uint32_t take_lock = 0, give_lock = 0;
};

struct Kernel {
  uint32_t column = 0, row = 0;
  KernelBuffers in, out;
  KernelFunction function;
};

}  // namespace tessera::aieml
