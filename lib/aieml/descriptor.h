// The words of a descriptor of each kind of tile, as one value; and its walk over memory.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "lib/aieml/registers.h"

namespace tessera::aieml {

struct TileDescriptor {
  uint64_t base = 0;                         // bytes
  uint64_t length = 0;                       // words, padding included
  std::array<uint32_t, 4> step{1, 1, 1, 1};  // words
  std::array<uint32_t, 3> wrap{};            // 0: never
  std::array<uint32_t, 3> before{}, after{};
  uint32_t iteration_step = 1, iteration_size = 1, iteration_current = 0;
  bool packet = false;
  uint32_t packet_id = 0, packet_type = 0, out_of_order = 0;
  bool suppress_last = false, compression = false, valid = false;
  bool use_next = false;
  uint32_t next = 0;
  bool acquire = false;
  int32_t acquire_value = 0, release_value = 0;
  uint32_t acquire_lock = 0, release_lock = 0;
};

// The words of a descriptor: eight, of a compute tile six.
TileDescriptor DecodeDescriptor(TileKind kind, std::span<const uint32_t> words);
uint32_t DescriptorWords(TileKind kind);

// Puts iteration_current into the words of a descriptor.
void StoreIteration(TileKind kind, uint32_t current, std::span<uint32_t> words);

// Byte addresses of the words of one execution, in order; no address for a word of padding.
class Walk {
 public:
  Walk() = default;
  explicit Walk(const TileDescriptor& descriptor);
  bool Done() const { return left_ == 0; }
  std::optional<uint64_t> Next();

 private:
  std::array<uint64_t, 4> step_{};
  std::array<uint64_t, 4> extent_{};  // 0: without end
  std::array<uint64_t, 4> before_{}, inside_{};
  std::array<uint64_t, 4> count_{};
  uint64_t base_ = 0, left_ = 0;
};

}  // namespace tessera::aieml
