// Lists of descriptors as host code writes them, and what they mean by the norm.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tb/model/transfer.h"

namespace tessera {

// A descriptor of 9 words of 64 bits. Dimension 0 is the innermost; all in elements.
struct Cuboid {
  int64_t bias = 0;
  std::array<int64_t, 4> stride{};
  std::array<uint64_t, 4> size{1, 1, 1, 1};
  bool empty() const { return size[0] == 0 || size[1] == 0 || size[2] == 0 || size[3] == 0; }
};

// A tile pattern of 24 words of 32 bits.
struct Pattern {
  std::array<uint32_t, 4> buffer{1, 1, 1, 1};
  std::array<int32_t, 4> offset{};
  std::array<uint32_t, 4> tiling{1, 1, 1, 1};
  std::array<uint32_t, 4> order{0, 1, 2, 3};  // dim_index: the dimension that level k turns
  std::array<int32_t, 4> step{};
  std::array<uint32_t, 4> wrap{1, 1, 1, 1};
};

// What a channel is told of TLAST.
enum class MoverLast : uint8_t { kNever, kList, kDescriptor, kRow };

// The list in memory: the count, then the descriptors.
std::vector<uint8_t> Packed(std::span<const Cuboid> list);
std::vector<uint8_t> Packed(std::span<const Pattern> list);

// The transfers of a list, with elements of so many bytes from `base` on.
std::vector<model::Transfer> Transfers(std::span<const Cuboid> list, uint64_t base, int element,
                                       MoverLast last);
std::vector<model::Transfer> Transfers(std::span<const Pattern> list, uint64_t base, int element,
                                       MoverLast last);

}  // namespace tessera
