// Where the DMA of a tile has its registers, and the error bits of its status words. Inside
// lib/aieml alone.
#pragma once

#include <cstddef>
#include <cstdint>

#include "lib/aieml/registers.h"

namespace tessera::aieml {

struct DmaLayout {
  uint32_t descriptor, descriptors;
  uint32_t channels;
  uint32_t s2mm_control, mm2s_control, s2mm_status, mm2s_status, count, fifo;
  uint32_t lock, locks, request, over, under;
};

constexpr DmaLayout LayoutOf(TileKind kind) {
  switch (kind) {
    case TileKind::kShim:
      return {0x1d000, 16,      2,       0x1d200, 0x1d210, 0x1d220, 0x1d228,
              0x1d230, 0x1d238, 0x14000, 16,      0x40000, 0x14120, 0x14128};
    case TileKind::kMemory:
      return {0xa0000, 48,      6,       0xa0600, 0xa0630, 0xa0660, 0xa0680,
              0xa06b0, 0xa06c8, 0xc0000, 64,      0xd0000, 0xc0420, 0xc0428};
    default:
      return {0x1d000, 16,      2,       0x1de00, 0x1de10, 0x1df00, 0x1df10,
              0x1df18, 0x1df20, 0x1f000, 16,      0x40000, 0x1f120, 0x1f128};
  }
}

inline constexpr uint32_t kErrorSlave = 1u << 17;
inline constexpr uint32_t kErrorDecode = 1u << 16;
inline constexpr uint32_t kErrorFotLength = 1u << 12;
inline constexpr uint32_t kErrorInvalid = 1u << 11;
inline constexpr uint32_t kErrorUnavailable = 1u << 10;
inline constexpr uint32_t kErrorMemory = 1u << 9;
inline constexpr uint32_t kErrorLock = 1u << 8;

inline constexpr size_t kQueueDepth = 4;
inline constexpr size_t kCountDepth = 8;

}  // namespace tessera::aieml
