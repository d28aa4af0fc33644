// How the driver reaches registers: a policy of three functions, and the one for mapped registers.
//
// A bus is any class with `read32(offset)`, `write32(offset, value)` and `barrier()`. Offsets count
// from the first register. Accesses reach the device in program order. `barrier()` returns when
// earlier accesses to memory are visible to the device and later ones have not begun. A bus may
// have `relax()` as well: it is called once in every turn of a wait. It may have
// `write_words<n>(offset, words)`, for n words in ascending order.
#pragma once

#include <stdint.h>

namespace tessera::driver {

template <typename B>
concept Bus = requires(B bus, uint32_t word) {
  word = bus.read32(word);
  bus.write32(word, word);
  bus.barrier();
};

// Orders accesses to memory against those of devices, on the processor this is compiled for.
inline void MemoryBarrier() {
#if defined(__aarch64__)
  asm volatile("dsb sy" ::: "memory");
#elif defined(__arm__)
  asm volatile("dsb" ::: "memory");
#elif defined(__riscv)
  asm volatile("fence iorw, iorw" ::: "memory");
#else
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
}

// Registers that are mapped into the address space. The mapping must be of a kind that keeps order
// (Device memory on Arm, I/O memory on RISC-V).
class MmioBus {
 public:
  explicit constexpr MmioBus(uintptr_t base) : base_(base) {}

  uint32_t read32(uint32_t offset) const { return *At(offset); }
  void write32(uint32_t offset, uint32_t value) const { *At(offset) = value; }
  void barrier() const { MemoryBarrier(); }
  // Neighbouring words in ascending order; without a loop, unless the program is to be small.
  template <uint32_t kWords>
  void write_words(uint32_t offset, const uint32_t* words) const {
    volatile uint32_t* at = At(offset);
#ifndef __OPTIMIZE_SIZE__
#pragma GCC unroll 16
#endif
    for (uint32_t n = 0; n < kWords; ++n) at[n] = words[n];
  }

 private:
  volatile uint32_t* At(uint32_t offset) const {
    return reinterpret_cast<volatile uint32_t*>(base_ + offset);
  }

  uintptr_t base_;
};

// How long to wait: so many turns of the waiting loop, each with a register access. As an access
// takes a cycle of the device or more, `Cycles(n)` bounds both.
struct Timeout {
  uint32_t turns = 1'000'000;
  uint32_t cycles = 0;  // 0: turns alone count

  static constexpr Timeout Turns(uint32_t turns) { return {turns, 0}; }
  static constexpr Timeout Cycles(uint32_t cycles) { return {cycles, cycles}; }
};

template <Bus B>
inline void Relax(B& bus) {
  if constexpr (requires { bus.relax(); }) bus.relax();
}

}  // namespace tessera::driver
