// Shapes that programs ask for, each as one call that gives a descriptor.
//
// They work in both directions: a shape says which bytes of memory are visited in which order.
// `Task::Run` and `Task::Configure` take what they return. Sizes are elements of `element` bytes (a
// power of two) unless a name says bytes.
#pragma once

#include <stdint.h>

#include "descriptor.hpp"
#include "device.hpp"
#include "status.hpp"
#include "tiling.hpp"

namespace tessera::driver {

namespace detail {

// Log2 of the bytes of an element, or 8 if it is no power of two up to 128.
constexpr uint32_t Log2Of(uint32_t bytes) {
  for (uint32_t n = 0; n < 8; ++n) {
    if (bytes == 1u << n) return n;
  }
  return 8;
}

// The bits of an element; 0, which no tiling has, if they are more than any has.
constexpr uint32_t BitsOf(uint32_t bytes) { return bytes > 64 ? 0 : 8 * bytes; }

constexpr Result<Descriptor> Checked(Descriptor& descriptor, const Capabilities& build) {
  return {descriptor, descriptor.Check(build)};
}

}  // namespace detail

// Bytes one behind the other.
constexpr Result<Descriptor> Copy(uint64_t address, uint32_t bytes, const Capabilities& build) {
  if (bytes == 0) return {{}, Reason::zero_size};
  Descriptor descriptor;
  descriptor.Base(address).Dim(0, bytes, 1);
  return detail::Checked(descriptor, build);
}

// `rows` rows of `row_bytes`, `pitch` bytes from one to the next; below 0: bottom up.
constexpr Result<Descriptor> Window2d(uint64_t address, uint32_t row_bytes, uint32_t rows,
                                      int64_t pitch, const Capabilities& build) {
  if (row_bytes == 0 || rows == 0) return {{}, Reason::zero_size};
  Descriptor descriptor;
  descriptor.Base(address).Dim(0, row_bytes, 1).Dim(1, rows, pitch);
  return detail::Checked(descriptor, build);
}

// A matrix of `rows` rows, `pitch` bytes each, column by column.
constexpr Result<Descriptor> Transpose(uint64_t address, uint32_t rows, uint32_t columns,
                                       int64_t pitch, uint32_t element, const Capabilities& build) {
  if (rows == 0 || columns == 0) return {{}, Reason::zero_size};
  if (detail::Log2Of(element) > 7) return {{}, Reason::element_size};
  Descriptor descriptor;
  descriptor.Base(address)
      .Element(detail::Log2Of(element))
      .Dim(0, rows, pitch)
      .Dim(1, columns, element);
  return detail::Checked(descriptor, build);
}

// What a convolution reads: for every position of the kernel all of its elements, rows of the image
// outside, zeros where the padding is. The image is rows of pixels of `channels` elements.
struct ConvolutionShape {
  uint32_t width = 0, height = 0, channels = 1;
  uint32_t kernel_width = 1, kernel_height = 1;
  uint32_t stride_x = 1, stride_y = 1;
  uint32_t pad_x = 0, pad_y = 0;  // on both sides
};

constexpr Result<Descriptor> Im2col(uint64_t address, const ConvolutionShape& s, uint32_t element,
                                    const Capabilities& build) {
  const bool small = s.width <= 1u << 24 && s.height <= 1u << 24 && s.pad_x <= 1u << 24 &&
                     s.pad_y <= 1u << 24 && s.stride_x <= 1u << 24 && s.stride_y <= 1u << 24;
  if (!small || s.width == 0 || s.height == 0 || s.channels == 0 || s.kernel_width == 0 ||
      s.kernel_height == 0 || s.stride_x == 0 || s.stride_y == 0 ||
      s.kernel_width > s.width + 2 * s.pad_x || s.kernel_height > s.height + 2 * s.pad_y) {
    return {{}, Reason::image_size};
  }
  const uint32_t across = (s.width + 2 * s.pad_x - s.kernel_width) / s.stride_x + 1;
  const uint32_t down = (s.height + 2 * s.pad_y - s.kernel_height) / s.stride_y + 1;
  tiling_parameters tiling;
  tiling.buffer_dimension = {s.channels, s.width, s.height};
  tiling.tiling_dimension = {s.channels, s.kernel_width, s.kernel_height};
  tiling.offset = {0, -static_cast<int32_t>(s.pad_x), -static_cast<int32_t>(s.pad_y)};
  tiling.tile_traversal = {{1, static_cast<int32_t>(s.stride_x), across},
                           {2, static_cast<int32_t>(s.stride_y), down}};
  return Lower(tiling, address, detail::BitsOf(element), build);
}

// All tiles of an image, each with `halo` elements around it; zeros outside the image, edge tiles
// included.
constexpr Result<Descriptor> Halo(uint64_t address, uint32_t width, uint32_t height,
                                  uint32_t tile_width, uint32_t tile_height, uint32_t halo,
                                  uint32_t element, const Capabilities& build) {
  const bool small = width <= 1u << 24 && height <= 1u << 24 && tile_width <= 1u << 24 &&
                     tile_height <= 1u << 24 && halo <= 1u << 24;
  if (!small || width == 0 || height == 0 || tile_width == 0 || tile_height == 0) {
    return {{}, Reason::image_size};
  }
  const auto around = -static_cast<int32_t>(halo);
  tiling_parameters tiling;
  tiling.buffer_dimension = {width, height};
  tiling.tiling_dimension = {tile_width + 2 * halo, tile_height + 2 * halo};
  tiling.offset = {around, around};
  tiling.tile_traversal = {
      {0, static_cast<int32_t>(tile_width), (width + tile_width - 1) / tile_width},
      {1, static_cast<int32_t>(tile_height), (height + tile_height - 1) / tile_height}};
  return Lower(tiling, address, detail::BitsOf(element), build);
}

// Element 0 of every plane, then element 1 of every plane: planes `plane_bytes` apart. The other
// direction takes an interleaved stream apart.
constexpr Result<Descriptor> Interleave(uint64_t address, uint32_t planes, uint32_t elements,
                                        int64_t plane_bytes, uint32_t element,
                                        const Capabilities& build) {
  if (planes == 0 || elements == 0) return {{}, Reason::zero_size};
  if (detail::Log2Of(element) > 7) return {{}, Reason::element_size};
  Descriptor descriptor;
  descriptor.Base(address)
      .Element(detail::Log2Of(element))
      .Dim(0, planes, plane_bytes)
      .Dim(1, elements, element);
  return detail::Checked(descriptor, build);
}

// Rows anywhere in memory, as a chain for Task::Configure: gathered into one packet without gaps,
// or scattered from a stream. `list` has room for `rows` descriptors.
constexpr Status Rows(const uint64_t* addresses, uint32_t rows, uint32_t row_bytes,
                      Direction direction, const Capabilities& build, Descriptor* list) {
  if (rows == 0 || row_bytes == 0) return Reason::zero_size;
  for (uint32_t n = 0; n < rows; ++n) {
    Descriptor& descriptor = list[n];
    descriptor = Descriptor();
    descriptor.Base(addresses[n]).Dim(0, row_bytes, 1);
    if (direction == Direction::kToStream) descriptor.Join().Last(LastRule::kTask);
    if (const Status status = descriptor.Check(build); !status.ok()) return {status.reason(), n};
  }
  return {};
}

}  // namespace tessera::driver
