// An N-dimensional copy as aiex.npu.dma_memcpy_nd describes it, lowered to one native descriptor.
//
// Lists are outermost first, as there. Offsets, sizes, strides and padding count elements. The
// outermost dimension is an ordinary one here: a stride of 0 repeats the rest.
#pragma once

#include <stdint.h>

#include "channel.hpp"
#include "descriptor.hpp"
#include "status.hpp"
#include "tiling.hpp"

namespace tessera::driver {

struct memcpy_nd {  // NOLINT(readability-identifier-naming): the name of aiex
  uint32_t element_bits = 32;
  uint32_t offsets[4] = {0, 0, 0, 0};
  uint32_t sizes[4] = {1, 1, 1, 1};
  int32_t strides[4] = {0, 0, 0, 1};
  // Zeros around the data of the three inner dimensions: [0] for the third, [2] for the innermost.
  uint16_t zero_before[3] = {0, 0, 0};
  uint16_t zero_after[3] = {0, 0, 0};
  int32_t packet_id = -1;  // -1: no header
  uint32_t packet_type = 0;
  bool issue_token = false;
  uint32_t repeat = 1;
  Format format = Format::kNative;
};

// What a copy becomes: a descriptor, and how its task is started.
struct LoweredCopy {
  Descriptor descriptor;
  TaskOptions options;
};

namespace detail {

// value * bits as bytes; false if these are no whole granules of the format.
constexpr bool ToBytes(int64_t elements, uint32_t size_class, Format format, int64_t& bytes) {
  // Class 0 is half a byte, class n is 2^(n-1) bytes.
  if (size_class == 0) {
    if ((static_cast<uint32_t>(elements) & 1) != 0) return false;
    bytes = elements >> 1;
  } else {
    bytes = static_cast<int64_t>(static_cast<uint64_t>(elements) * (1u << (size_class - 1)));
  }
  return format == Format::kNative || (static_cast<uint32_t>(bytes) & 3) == 0;
}

}  // namespace detail

constexpr Result<LoweredCopy> Lower(const memcpy_nd& copy, uint64_t base,
                                    const Capabilities& build) {
  const uint32_t size_class = ElementClass(copy.element_bits);
  if (size_class > 7) return {{}, Reason::element_bits};
  if (copy.repeat - 1 > 0xffff) return {{}, Reason::repeat_range};
  const Grouping grouping = GroupingOf(copy.element_bits, copy.format);
  const uint32_t up =
      grouping.bytes_log2 > build.data_log2 ? grouping.bytes_log2 - build.data_log2 : 0;
  Result<LoweredCopy> made;
  Descriptor& descriptor = made.value.descriptor;
  descriptor.Element(grouping.bytes_log2 - up);
  uint64_t offset = 0;  // addresses count modulo 2^64
  for (uint32_t d = 0; d < kDims; ++d) {
    const uint32_t n = kDims - 1 - d;  // dimension d is entry n
    if (copy.sizes[n] == 0) return {{}, {Reason::size_zero, d}};
    offset += static_cast<uint64_t>(static_cast<int64_t>(copy.offsets[n]) * copy.strides[n]);
    const uint32_t before = d < 3 ? copy.zero_before[2 - d] : 0;
    const uint32_t after = d < 3 ? copy.zero_after[2 - d] : 0;
    uint64_t size = copy.sizes[n];
    uint64_t count = size + before + after;
    int64_t stride = 0;
    uint32_t start = before;
    if (d == 0) {
      // A group of elements is one element of the hardware: its elements lie side by side.
      const bool dense = copy.strides[n] == 1;
      if (grouping.group_log2 != 0) {
        if (!dense && size != 1) return {{}, {Reason::stride_word, 0}};
        if (!detail::Divides(grouping.group_log2, static_cast<int64_t>(size)) ||
            !detail::Divides(grouping.group_log2, before) ||
            !detail::Divides(grouping.group_log2, after)) {
          return {{}, {Reason::subword_group, 0}};
        }
      }
      if (up != 0 && !dense && size != 1) return {{}, {Reason::element_size, 0}};
      size = size >> grouping.group_log2 << up;
      count = count >> grouping.group_log2 << up;
      start = start >> grouping.group_log2 << up;
      const int64_t bytes = 1u << (grouping.bytes_log2 - up);
      stride = dense || copy.sizes[n] == 1 ? bytes : bytes * copy.strides[n];
    } else if (copy.sizes[n] > 1 &&
               !detail::ToBytes(copy.strides[n], size_class, copy.format, stride)) {
      return {{}, {Reason::stride_word, d}};
    }
    if (count > 0xffffffffu) return {{}, {Reason::row_bytes, d}};
    descriptor.Dim(d, static_cast<uint32_t>(count), stride);
    if (before + after != 0) {
      descriptor.Start(d, -static_cast<int32_t>(start)).Bound(d, static_cast<uint32_t>(size));
    }
  }
  int64_t bytes = 0;
  if (!detail::ToBytes(static_cast<int64_t>(offset), size_class, copy.format, bytes))
    return {{}, Reason::offset_word};
  if (copy.format == Format::kWord32 && (base & 3) != 0) return {{}, Reason::offset_word};
  descriptor.Base(base + static_cast<uint64_t>(bytes));
  if (copy.packet_id >= 0) {
    descriptor.Packet(static_cast<uint32_t>(copy.packet_id), copy.packet_type);
  }
  made.value.options.repeats = copy.repeat;
  made.value.options.token = copy.issue_token;
  made.status = descriptor.Check(build);
  return made;
}

}  // namespace tessera::driver
