// Cache maintenance as a policy: what has to happen before the device reads a buffer and after it
// wrote one.
//
// A cache is any class with `kLine` (bytes; 1 if there is nothing to do), `Clean(address, bytes)`,
// `Invalidate(address, bytes)` and `Flush(address, bytes)` (both). The functions here give it whole
// lines. A buffer that the device writes must not share a line with other data: what the processor
// wrote there would be lost, or would overwrite what the device wrote. Such a buffer is refused.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "bus.hpp"
#include "status.hpp"

namespace tessera::driver {

// Memory that the processor does not cache, or a device that is coherent.
struct NoCache {
  static constexpr uint32_t kLine = 1;
  static void Clean(uintptr_t, size_t) {}
  static void Invalidate(uintptr_t, size_t) {}
  static void Flush(uintptr_t, size_t) {}
};

namespace detail {

template <uint32_t kLine, typename Operation>
inline void ForEachLine(uintptr_t address, size_t bytes, Operation operation) {
  const size_t before = address & (kLine - 1);
  // Counted, as the end of a buffer at the end of the address space is 0.
  size_t lines = (before + bytes + kLine - 1) / kLine;
  for (uintptr_t line = address - before; lines != 0; --lines, line += kLine) operation(line);
  MemoryBarrier();
}

}  // namespace detail

#if defined(__aarch64__)
// Cortex-A72, and any other Armv8-A with lines of 64 bytes: data cache by address to the point of
// coherency.
struct CortexA72Cache {
  static constexpr uint32_t kLine = 64;
  static void Clean(uintptr_t address, size_t bytes) {
    detail::ForEachLine<kLine>(address, bytes, [](uintptr_t at) {
      asm volatile("dc cvac, %0" ::"r"(at) : "memory");
    });
  }
  static void Invalidate(uintptr_t address, size_t bytes) {
    detail::ForEachLine<kLine>(address, bytes, [](uintptr_t at) {
      asm volatile("dc ivac, %0" ::"r"(at) : "memory");
    });
  }
  static void Flush(uintptr_t address, size_t bytes) {
    detail::ForEachLine<kLine>(address, bytes, [](uintptr_t at) {
      asm volatile("dc civac, %0" ::"r"(at) : "memory");
    });
  }
};
#endif

#if defined(__arm__)
// Cortex-R5: data cache by address, through CP15. Lines of 32 bytes.
struct CortexR5Cache {
  static constexpr uint32_t kLine = 32;
  static void Clean(uintptr_t address, size_t bytes) {
    detail::ForEachLine<kLine>(address, bytes, [](uintptr_t at) {
      asm volatile("mcr p15, 0, %0, c7, c10, 1" ::"r"(at) : "memory");
    });
  }
  static void Invalidate(uintptr_t address, size_t bytes) {
    detail::ForEachLine<kLine>(address, bytes, [](uintptr_t at) {
      asm volatile("mcr p15, 0, %0, c7, c6, 1" ::"r"(at) : "memory");
    });
  }
  static void Flush(uintptr_t address, size_t bytes) {
    detail::ForEachLine<kLine>(address, bytes, [](uintptr_t at) {
      asm volatile("mcr p15, 0, %0, c7, c14, 1" ::"r"(at) : "memory");
    });
  }
};
#endif

#if defined(__riscv)
// RISC-V with the extension Zicbom, lines of 64 bytes. Encoded by hand: old assemblers do not know
// it.
struct ZicbomCache {
  static constexpr uint32_t kLine = 64;
  static void Clean(uintptr_t address, size_t bytes) {
    detail::ForEachLine<kLine>(address, bytes, [](uintptr_t at) {
      asm volatile(".insn i 0x0f, 2, x0, %0, 1" ::"r"(at) : "memory");
    });
  }
  static void Invalidate(uintptr_t address, size_t bytes) {
    detail::ForEachLine<kLine>(address, bytes, [](uintptr_t at) {
      asm volatile(".insn i 0x0f, 2, x0, %0, 0" ::"r"(at) : "memory");
    });
  }
  static void Flush(uintptr_t address, size_t bytes) {
    detail::ForEachLine<kLine>(address, bytes, [](uintptr_t at) {
      asm volatile(".insn i 0x0f, 2, x0, %0, 2" ::"r"(at) : "memory");
    });
  }
};
#endif

// The bytes of whole lines that hold a buffer.
template <typename Cache>
constexpr size_t PaddedBytes(size_t bytes) {
  return (bytes + Cache::kLine - 1) & ~(size_t{Cache::kLine} - 1);
}

// True if the first or the last line of a buffer holds other data as well.
template <typename Cache>
constexpr bool SharesLine(uintptr_t address, size_t bytes) {
  return ((address | bytes) & (Cache::kLine - 1)) != 0;
}

// Before the device reads: what the processor wrote is in memory. Sharing a line does no harm here.
template <typename Cache>
inline void BeforeRead(uintptr_t address, size_t bytes) {
  if constexpr (Cache::kLine > 1) Cache::Clean(address, bytes);
}

// Before the device writes: no line of the buffer can be evicted over what it writes.
template <typename Cache>
inline Status BeforeWrite(uintptr_t address, size_t bytes) {
  if (SharesLine<Cache>(address, bytes)) return Reason::shares_line;
  if constexpr (Cache::kLine > 1) Cache::Flush(address, bytes);
  return {};
}

// After the device wrote: nothing that was fetched meanwhile is read.
template <typename Cache>
inline void AfterWrite(uintptr_t address, size_t bytes) {
  if constexpr (Cache::kLine > 1) Cache::Invalidate(address, bytes);
}

}  // namespace tessera::driver
