// A pool of memory that the device can reach: gm_malloc and gm_free without a heap.
//
// Blocks are aligned to `kAlign` bytes and as long as whole multiples of it, so that no two share a
// cache line. The tables of the pool lie outside of its memory: a device that writes too far cannot
// damage them.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "status.hpp"

namespace tessera::driver {

template <uint32_t kAlign = 64, uint32_t kBlocks = 32>
class MemoryPool {
  static_assert(kAlign != 0 && (kAlign & (kAlign - 1)) == 0,
                "tessera: the alignment of a memory pool is a power of two");
  static_assert(kBlocks >= 2, "tessera: a memory pool has two blocks or more");

 public:
  static constexpr uint32_t kAlignment = kAlign;

  // `bytes` of memory at `memory`, which the device sees at `bus_address`. Only the aligned part of
  // it is used.
  MemoryPool(void* memory, size_t bytes, uint64_t bus_address) {
    const auto begin = reinterpret_cast<uintptr_t>(memory);
    const uintptr_t first = (begin + kAlign - 1) & ~uintptr_t{kAlign - 1};
    const size_t lost = first - begin;
    const size_t usable = bytes > lost ? (bytes - lost) & ~size_t{kAlign - 1} : 0;
    base_ = first;
    bus_ = bus_address + lost;
    if (memory != nullptr && usable != 0) blocks_[size_++] = {0, usable, 0, false};
  }

  // Memory of `bytes`, or nullptr: nothing was asked for, no block is large enough, or all kBlocks
  // are in use.
  void* Allocate(size_t bytes) {
    if (bytes == 0 || bytes > SIZE_MAX - kAlign) return nullptr;
    const size_t padded = (bytes + kAlign - 1) & ~size_t{kAlign - 1};
    for (uint32_t n = 0; n < size_; ++n) {
      Block& block = blocks_[n];
      if (block.used || block.bytes < padded) continue;
      if (block.bytes > padded) {
        if (size_ >= kBlocks) continue;  // no room in the table to split it
        for (uint32_t m = size_; m > n + 1; --m) blocks_[m] = blocks_[m - 1];
        ++size_;
        blocks_[n + 1] = {block.offset + padded, block.bytes - padded, 0, false};
        block.bytes = padded;
      }
      block.used = true;
      block.asked = bytes;
      return reinterpret_cast<void*>(base_ + block.offset);
    }
    return nullptr;
  }

  Status Free(void* memory) {
    if (memory == nullptr) return Reason::null_buffer;
    const size_t offset = reinterpret_cast<uintptr_t>(memory) - base_;
    for (uint32_t n = 0; n < size_; ++n) {
      if (!blocks_[n].used || blocks_[n].offset != offset) continue;
      blocks_[n].used = false;
      if (n + 1 < size_ && !blocks_[n + 1].used) Join(n);
      if (n > 0 && !blocks_[n - 1].used) Join(n - 1);
      return {};
    }
    return Reason::outside_pool;
  }

  // The bytes that were asked for from a buffer to the end of its block; 0 if the buffer is in no
  // block.
  size_t RoomAt(const void* memory, size_t bytes) const {
    const size_t offset = reinterpret_cast<uintptr_t>(memory) - base_;
    for (uint32_t n = 0; n < size_; ++n) {
      const Block& block = blocks_[n];
      if (!block.used || offset < block.offset || offset - block.offset >= block.asked) continue;
      const size_t room = block.asked - (offset - block.offset);
      return bytes <= room ? room : 0;
    }
    return 0;
  }
  // Where the device sees an address of the pool.
  uint64_t BusAddress(const void* memory) const {
    return bus_ + (reinterpret_cast<uintptr_t>(memory) - base_);
  }
  size_t available() const {
    size_t sum = 0;
    for (uint32_t n = 0; n < size_; ++n) sum += blocks_[n].used ? 0 : blocks_[n].bytes;
    return sum;
  }

 private:
  struct Block {
    size_t offset = 0;
    size_t bytes = 0;
    size_t asked = 0;  // of them, by who has it
    bool used = false;
  };

  // Joins a block and the next one.
  void Join(uint32_t n) {
    blocks_[n].bytes += blocks_[n + 1].bytes;
    for (uint32_t m = n + 1; m + 1 < size_; ++m) blocks_[m] = blocks_[m + 1];
    --size_;
  }

  uintptr_t base_ = 0;
  uint64_t bus_ = 0;
  uint32_t size_ = 0;
  Block blocks_[kBlocks];
};

// The names of ADF.
template <typename Pool>
inline void* gm_malloc(Pool& pool, size_t bytes) {
  return pool.Allocate(bytes);
}
template <typename Pool>
inline Status gm_free(Pool& pool, void* memory) {
  return pool.Free(memory);
}

}  // namespace tessera::driver
