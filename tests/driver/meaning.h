// What tilings, copies, halos and convolutions say, by their definitions: enumerated element by
// element, without the driver's lowering and without the transfer.
#pragma once

#include <cstdint>
#include <functional>
#include <random>
#include <utility>
#include <vector>

#include "sw/driver/tessera/helpers.hpp"
#include "sw/driver/tessera/memcpy_nd.hpp"
#include "sw/driver/tessera/tiling.hpp"

namespace tessera::driver::meaning {

inline constexpr uint64_t kBase = 0x10000;

// The byte at an address.
using Memory = std::function<uint8_t(uint64_t)>;

// Four bits of memory at a time: what an element of any size is made of.
class Nibbles {
 public:
  Nibbles(Memory memory, uint32_t element_bits)
      : memory_(std::move(memory)), per_element_(element_bits / 4) {}
  void Data(int64_t element) {
    for (uint32_t n = 0; n < per_element_; ++n) {
      const int64_t nibble = element * per_element_ + n;
      const uint8_t byte = memory_(kBase + static_cast<uint64_t>(nibble >> 1));
      Put((nibble & 1) != 0 ? byte >> 4 : byte & 15);
    }
  }
  void Zero() {
    for (uint32_t n = 0; n < per_element_; ++n) Put(0);
  }
  const std::vector<uint8_t>& bytes() const { return bytes_; }

 private:
  void Put(int nibble) {
    if (half_) {
      bytes_.back() = static_cast<uint8_t>(bytes_.back() | nibble << 4);
    } else {
      bytes_.push_back(static_cast<uint8_t>(nibble));
    }
    half_ = !half_;
  }
  Memory memory_;
  uint32_t per_element_;
  std::vector<uint8_t> bytes_;
  bool half_ = false;
};

// What a tiling says, by its definition.
inline std::vector<uint8_t> Of(const Memory& memory, const tiling_parameters& t,
                               uint32_t element_bits) {
  Nibbles out(memory, element_bits);
  const uint32_t rank = t.buffer_dimension.size;
  uint32_t turns[4] = {};
  const auto wrap = [&](uint32_t k) {
    return k < t.tile_traversal.size ? t.tile_traversal.at[k].wrap : 1;
  };
  const auto tile = [&](uint32_t d) { return d < rank ? t.tiling_dimension[d] : 1; };
  for (turns[3] = 0; turns[3] < wrap(3); ++turns[3])
    for (turns[2] = 0; turns[2] < wrap(2); ++turns[2])
      for (turns[1] = 0; turns[1] < wrap(1); ++turns[1])
        for (turns[0] = 0; turns[0] < wrap(0); ++turns[0])
          for (uint32_t n = 0; n < tile(0) * tile(1) * tile(2) * tile(3); ++n) {
            uint32_t rest = n;
            int64_t index = 0, scale = 1;
            bool inside = true;
            for (uint32_t d = 0; d < rank; ++d) {
              int64_t x = t.offset[d] + static_cast<int64_t>(rest % tile(d));
              rest /= tile(d);
              for (uint32_t k = 0; k < t.tile_traversal.size; ++k) {
                if (t.tile_traversal.at[k].dimension == d) {
                  x += static_cast<int64_t>(t.tile_traversal.at[k].stride) * turns[k];
                }
              }
              const uint32_t bound =
                  t.boundary_dimension.size != 0 ? t.boundary_dimension[d] : t.buffer_dimension[d];
              inside = inside && x >= 0 && x < static_cast<int64_t>(bound);
              index += x * scale;
              scale *= t.buffer_dimension[d];
            }
            if (inside) {
              out.Data(index);
            } else {
              out.Zero();
            }
          }
  return out.bytes();
}

// What a copy says.
inline std::vector<uint8_t> Of(const Memory& memory, const memcpy_nd& c) {
  Nibbles out(memory, c.element_bits);
  int64_t offset = 0;
  for (int n = 0; n < 4; ++n) offset += int64_t{c.offsets[n]} * c.strides[n];
  const auto extent = [&](int n) {
    return int64_t{c.sizes[n]} + (n > 0 ? c.zero_before[n - 1] + c.zero_after[n - 1] : 0);
  };
  for (int64_t i3 = 0; i3 < extent(0); ++i3)
    for (int64_t i2 = 0; i2 < extent(1); ++i2)
      for (int64_t i1 = 0; i1 < extent(2); ++i1)
        for (int64_t i0 = 0; i0 < extent(3); ++i0) {
          const int64_t i[4] = {i3, i2, i1, i0};
          bool data = true;
          int64_t index = offset;
          for (int n = 0; n < 4; ++n) {
            const int64_t x = i[n] - (n > 0 ? c.zero_before[n - 1] : 0);
            data = data && x >= 0 && x < c.sizes[n];
            index += x * c.strides[n];
          }
          if (data) {
            out.Data(index);
          } else {
            out.Zero();
          }
        }
  return out.bytes();
}

// ---- Images -------------------------------------------------------------------------------------

// Visits x, y of each pixel of all tiles of an image with what is around them, row by row; those
// outside too.
template <typename Visit>
void EachOfHalo(int64_t width, int64_t height, int64_t tile, int64_t halo, Visit visit) {
  for (int64_t ty = 0; ty < height; ty += tile) {
    for (int64_t tx = 0; tx < width; tx += tile) {
      for (int64_t y = ty - halo; y < ty + tile + halo; ++y) {
        for (int64_t x = tx - halo; x < tx + tile + halo; ++x) visit(x, y);
      }
    }
  }
}
// Visits x, y of what a convolution reads: the window of one output after the other.
template <typename Visit>
void EachOfConvolution(const ConvolutionShape& s, Visit visit) {
  const auto outputs = [](uint32_t size, uint32_t pad, uint32_t kernel, uint32_t stride) {
    return (int64_t{size} + 2 * pad - kernel) / stride + 1;
  };
  for (int64_t oy = 0; oy < outputs(s.height, s.pad_y, s.kernel_height, s.stride_y); ++oy) {
    for (int64_t ox = 0; ox < outputs(s.width, s.pad_x, s.kernel_width, s.stride_x); ++ox) {
      for (int64_t ky = 0; ky < s.kernel_height; ++ky) {
        for (int64_t kx = 0; kx < s.kernel_width; ++kx) {
          visit(ox * s.stride_x + kx - s.pad_x, oy * s.stride_y + ky - s.pad_y);
        }
      }
    }
  }
}
inline constexpr ConvolutionShape kConvolution{.width = 8,
                                               .height = 6,
                                               .channels = 5,
                                               .kernel_width = 3,
                                               .kernel_height = 3,
                                               .stride_x = 2,
                                               .stride_y = 2,
                                               .pad_x = 1,
                                               .pad_y = 1};

// ---- Random ones that are legal -----------------------------------------------------------------

inline int64_t Draw(std::mt19937_64& random, int64_t low, int64_t high) {
  return low + static_cast<int64_t>(random() % static_cast<uint64_t>(high - low + 1));
}

struct DrawnTiling {
  tiling_parameters tiling;
  uint32_t bits = 0;
  Format format = Format::kNative;
};

inline DrawnTiling DrawTiling(std::mt19937_64& random) {
  const auto draw = [&](int64_t low, int64_t high) { return Draw(random, low, high); };
  DrawnTiling drawn;
  tiling_parameters& t = drawn.tiling;
  drawn.bits = 4u << draw(0, 7);
  drawn.format = draw(0, 3) == 0 ? Format::kWord32 : Format::kNative;
  const auto group = static_cast<uint32_t>(1 << GroupingOf(drawn.bits, drawn.format).group_log2);
  const auto rank = static_cast<uint32_t>(draw(1, 4));
  const bool boundary = draw(0, 2) == 0;
  for (uint32_t d = 0; d < rank; ++d) {
    const uint32_t unit = d == 0 ? group : 1;
    t.buffer_dimension.Push(unit * static_cast<uint32_t>(draw(1, 6)));
    t.tiling_dimension.Push(unit * static_cast<uint32_t>(draw(1, 4)));
    t.offset.Push(static_cast<int32_t>(unit) *
                  static_cast<int32_t>(draw(0, 2) == 0 ? draw(-3, 6) : draw(0, 1)));
    if (boundary)
      t.boundary_dimension.Push(unit *
                                static_cast<uint32_t>(draw(1, t.buffer_dimension[d] / unit)));
  }
  for (int64_t levels = draw(0, 4); levels > 0; --levels) {
    const auto dim = static_cast<uint32_t>(draw(0, rank - 1));
    const auto unit = static_cast<int32_t>(dim == 0 ? group : 1);
    t.tile_traversal.Push(
        {dim, unit * static_cast<int32_t>(draw(-2, 3)), static_cast<uint32_t>(draw(1, 3))});
  }
  return drawn;
}

// Elements of 4 to 4 << `largest` bits.
inline memcpy_nd DrawCopy(std::mt19937_64& random, int64_t largest) {
  const auto draw = [&](int64_t low, int64_t high) { return Draw(random, low, high); };
  memcpy_nd c;
  c.element_bits = 4u << draw(0, largest);
  c.format = draw(0, 2) == 0 ? Format::kWord32 : Format::kNative;
  const auto group = static_cast<uint32_t>(1 << GroupingOf(c.element_bits, c.format).group_log2);
  for (int d = 0; d < 4; ++d) {
    const uint32_t unit = d == 3 ? group : 1;
    c.sizes[d] = unit * static_cast<uint32_t>(draw(1, 4));
    c.strides[d] = static_cast<int32_t>(group) * static_cast<int32_t>(draw(0, 9));
    c.offsets[d] = static_cast<uint32_t>(draw(0, 3)) * unit;
    const auto padding = [&] {
      return static_cast<uint16_t>(unit * static_cast<uint32_t>(draw(0, 3)));
    };
    if (d > 0 && draw(0, 2) == 0) c.zero_before[d - 1] = padding();
    if (d > 0 && draw(0, 2) == 0) c.zero_after[d - 1] = padding();
  }
  if (group > 1 || draw(0, 1) == 0) c.strides[3] = 1;
  return c;
}

}  // namespace tessera::driver::meaning
