// Tiling parameters as AI Engine-ML has them, lowered to one native descriptor, edges and halos
// included.
//
// Everything counts elements and names dimension 0 first, the innermost. Lower() works anywhere;
// Lowered<>() is for numbers that are known when the program is compiled: a wrong tiling is then a
// compile error that names the rule.
#pragma once

#include <stdint.h>

#include "descriptor.hpp"
#include "status.hpp"

namespace tessera::driver {

// Up to four values in braces.
template <typename T>
struct List {
  constexpr List() = default;
  // NOLINTBEGIN(google-explicit-constructor): a list in braces.
  constexpr List(T a) : at{a}, size(1) {}
  constexpr List(T a, T b) : at{a, b}, size(2) {}
  constexpr List(T a, T b, T c) : at{a, b, c}, size(3) {}
  constexpr List(T a, T b, T c, T d) : at{a, b, c, d}, size(4) {}
  // NOLINTEND(google-explicit-constructor)
  constexpr bool Push(T value) {
    if (size == 4) return false;
    at[size++] = value;
    return true;
  }
  constexpr T operator[](uint32_t n) const { return at[n]; }

  T at[4] = {};
  uint32_t size = 0;
};

// A level of the traversal: the tile moves along `dimension` by `stride` elements, `wrap` times.
struct traversing_parameters {  // NOLINT(readability-identifier-naming): the name of ADF
  uint32_t dimension = 0;
  int32_t stride = 0;
  uint32_t wrap = 1;
};

struct tiling_parameters {  // NOLINT(readability-identifier-naming): the name of ADF
  List<uint32_t> buffer_dimension{};
  List<uint32_t> tiling_dimension{};
  List<int32_t> offset{};                        // empty: all 0; below 0: zeros in front
  List<traversing_parameters> tile_traversal{};  // the first one turns fastest
  int32_t packet_port_id = -1;                   // -1: no packet header
  List<uint32_t> boundary_dimension{};           // empty: the buffer; what lies outside is 0
};

// What a run of elements along dimension 0 must be whole numbers of.
enum class Format : uint8_t {
  kNative,  // bytes: elements of 4 bits go in pairs
  kWord32,  // words as the AI Engine has them: 16 bits in pairs, 8 in fours, 4 in eights
};

// Log2 of bits / 4, or 8 where the size is not legal. Legal are 4, 8, 16 ... 512.
constexpr uint32_t ElementClass(uint32_t bits) {
  for (uint32_t n = 0; n < 8; ++n) {
    if (bits == 4u << n) return n;
  }
  return 8;
}

// How elements of `bits` become elements of whole bytes: so many together, of so many bytes.
struct Grouping {
  uint32_t group_log2 = 0;  // elements
  uint32_t bytes_log2 = 0;
};

constexpr Grouping GroupingOf(uint32_t bits, Format format) {
  const uint32_t size = ElementClass(bits);                  // 0: 4 bits, 1: a byte
  const uint32_t least = format == Format::kNative ? 1 : 3;  // the same scale
  const uint32_t group = size < least ? least - size : 0;
  return {group, size + group - 1};
}

namespace detail {

constexpr bool Divides(uint32_t group_log2, int64_t value) {
  return (static_cast<uint32_t>(value) & ((1u << group_log2) - 1)) == 0;
}

// a * b for a below 2^62; `overflow` is set if it is not below that again.
constexpr uint64_t Product(uint64_t a, uint32_t b, bool& overflow) {
  const uint64_t high = (a >> 32) * b;
  const uint64_t low = (a & 0xffffffffu) * b;
  const uint64_t product = (high << 32) + low;
  if (high >= uint64_t{1} << 30 || product >> 62 != 0) overflow = true;
  return product;
}

constexpr Status CheckTiling(const tiling_parameters& t, uint32_t bits, Format format) {
  const uint32_t rank = t.buffer_dimension.size;
  if (ElementClass(bits) > 7) return Reason::element_bits;
  if (rank == 0 || t.tiling_dimension.size != rank ||
      (t.offset.size != 0 && t.offset.size != rank) ||
      (t.boundary_dimension.size != 0 && t.boundary_dimension.size != rank)) {
    return Reason::rank;
  }
  const uint32_t group = GroupingOf(bits, format).group_log2;
  for (uint32_t d = 0; d < rank; ++d) {
    if (t.buffer_dimension[d] == 0) return {Reason::buffer_zero, d};
    if (t.tiling_dimension[d] == 0) return {Reason::tile_zero, d};
    if (t.boundary_dimension.size != 0 &&
        (t.boundary_dimension[d] == 0 || t.boundary_dimension[d] > t.buffer_dimension[d])) {
      return {Reason::boundary_range, d};
    }
    if (t.buffer_dimension[d] > 0x80000000u || t.tiling_dimension[d] > 0x7fffffffu) {
      return {Reason::bound_range, d};
    }
  }
  if (!Divides(group, t.buffer_dimension[0]) || !Divides(group, t.tiling_dimension[0]) ||
      !Divides(group, t.offset[0]) || !Divides(group, t.boundary_dimension[0])) {
    return {Reason::subword_group, 0};
  }
  for (uint32_t k = 0; k < t.tile_traversal.size; ++k) {
    const traversing_parameters& level = t.tile_traversal.at[k];
    if (level.dimension >= rank) return {Reason::traversal_dimension, k};
    if (level.wrap == 0) return {Reason::traversal_wrap, k};
    if (level.dimension == 0 && !Divides(group, level.stride)) return {Reason::subword_group, 0};
  }
  if (t.packet_port_id < -1 || t.packet_port_id > 31) return Reason::packet_id;
  return {};
}

// Loops of a shape without bounds, innermost first; neighbours that continue each other are one.
struct Loops {
  int64_t stride[kDims + kWalkLevels] = {};
  uint32_t count[kDims + kWalkLevels] = {};
  uint32_t size = 0;

  constexpr void Add(uint32_t n, int64_t step, uint32_t bytes_log2) {
    if (n == 1) return;
    if (size != 0 && step == stride[size - 1] * count[size - 1] &&
        static_cast<uint64_t>(count[size - 1]) * n <= (~0u >> bytes_log2)) {
      count[size - 1] *= n;
      return;
    }
    stride[size] = step;
    count[size] = n;
    ++size;
  }
};

// A tiling in elements that the bus can carry.
struct Box {
  uint32_t bytes_log2 = 0;  // of an element
  uint32_t rank = 0;
  uint32_t levels = 0;
  uint64_t base = 0;
  int64_t stride[kDims] = {};
  uint32_t count[kDims] = {};
  int32_t start[kDims] = {};
  uint32_t bound[kDims] = {};
  bool bounded[kDims] = {};  // some of its positions lie outside
  traversing_parameters level[kWalkLevels];
};

// Scales dimension 0 by groups (down) and by elements that are wider than the bus (up). False:
// beyond 32 bits.
constexpr bool Scale(int64_t& value, Grouping grouping, uint32_t up_log2) {
  const int64_t grouped =
      value < 0 ? -static_cast<int64_t>(static_cast<uint32_t>(-value) >> grouping.group_log2)
                : static_cast<int64_t>(static_cast<uint32_t>(value) >> grouping.group_log2);
  value = grouped * static_cast<int64_t>(1u << up_log2);
  return value >= -int64_t{0x80000000} && value <= int64_t{0x80000000};
}

constexpr Status MakeBox(const tiling_parameters& t, uint64_t base, uint32_t bits,
                         uint32_t bus_log2, Format format, Box& box) {
  if (const Status status = CheckTiling(t, bits, format); !status.ok()) return status;
  const Grouping grouping = GroupingOf(bits, format);
  const uint32_t up = grouping.bytes_log2 > bus_log2 ? grouping.bytes_log2 - bus_log2 : 0;
  box.bytes_log2 = grouping.bytes_log2 - up;
  box.rank = t.buffer_dimension.size;
  box.base = base;
  uint64_t stride = uint64_t{1} << box.bytes_log2;
  bool overflow = false;
  for (uint32_t d = 0; d < box.rank; ++d) {
    int64_t buffer = t.buffer_dimension[d];
    int64_t count = t.tiling_dimension[d];
    int64_t start = t.offset[d];
    int64_t bound = t.boundary_dimension.size != 0 ? t.boundary_dimension[d] : buffer;
    if (d == 0 && !(Scale(buffer, grouping, up) && Scale(count, grouping, up) &&
                    Scale(start, grouping, up) && Scale(bound, grouping, up))) {
      return {Reason::buffer_size, 0};
    }
    if (start > INT32_MAX) return {Reason::coordinate_range, d};
    box.stride[d] = static_cast<int64_t>(stride);
    box.count[d] = static_cast<uint32_t>(count);
    box.start[d] = static_cast<int32_t>(start);
    box.bound[d] = static_cast<uint32_t>(bound);
    stride = Product(stride, static_cast<uint32_t>(buffer), overflow);
    if (overflow) return {Reason::buffer_size, d};
  }
  for (uint32_t k = 0; k < t.tile_traversal.size; ++k) {
    traversing_parameters level = t.tile_traversal.at[k];
    if (level.wrap == 1) continue;  // the tile does not move
    int64_t step = level.stride;
    if (level.dimension == 0 && !Scale(step, grouping, up)) return {Reason::walk_reach, k};
    if (step > INT32_MAX) return {Reason::walk_reach, k};
    level.stride = static_cast<int32_t>(step);
    box.level[box.levels++] = level;
  }
  return {};
}

// Finds the dimensions that leave their bounds; the start of the others goes into the base.
constexpr Status FindEdges(Box& box) {
  for (uint32_t d = 0; d < box.rank; ++d) {
    int64_t low = box.start[d];
    int64_t high = low + box.count[d] - 1;
    for (uint32_t k = 0; k < box.levels; ++k) {
      if (box.level[k].dimension != d) continue;
      const int64_t reach =
          static_cast<int64_t>(box.level[k].stride) * (box.level[k].wrap - int64_t{1});
      (reach < 0 ? low : high) += reach;
      if (low < INT32_MIN || high > INT32_MAX) return {Reason::coordinate_range, d};
    }
    if (high > INT32_MAX) return {Reason::coordinate_range, d};
    box.bounded[d] = low < 0 || high >= static_cast<int64_t>(box.bound[d]);
    if (box.bounded[d]) continue;
    bool overflow = false;  // cannot be: it is inside a buffer whose size has been checked
    box.base += Product(static_cast<uint64_t>(box.stride[d]), static_cast<uint32_t>(box.start[d]),
                        overflow);
    box.start[d] = 0;
  }
  return {};
}

}  // namespace detail

// The descriptor of a tiling of a buffer at `base`. `build` limits the width of elements and says
// whether there are bounds and traversals; a tiling that can do without them does.
constexpr Result<Descriptor> Lower(const tiling_parameters& tiling, uint64_t base,
                                   uint32_t element_bits, const Capabilities& build,
                                   Format format = Format::kNative) {
  Result<Descriptor> made;
  detail::Box box;
  made.status = detail::MakeBox(tiling, base, element_bits, build.data_log2, format, box);
  if (made.ok()) made.status = detail::FindEdges(box);
  if (!made.ok()) return made;
  Descriptor& descriptor = made.value;
  descriptor.Element(box.bytes_log2);
  if (tiling.packet_port_id >= 0) {
    descriptor.Packet(static_cast<uint32_t>(tiling.packet_port_id), 0);
  }
  bool edges = false;
  for (uint32_t d = 0; d < box.rank; ++d) edges = edges || box.bounded[d];

  detail::Loops loops;
  if (!edges) {  // else strides times counts may be beyond 64 bits
    for (uint32_t d = 0; d < box.rank; ++d) loops.Add(box.count[d], box.stride[d], box.bytes_log2);
    for (uint32_t k = 0; k < box.levels; ++k) {
      const traversing_parameters& level = box.level[k];
      // Without bounds a level is one more loop; its way may be longer than a stride of the tile.
      loops.Add(level.wrap, level.stride * box.stride[level.dimension], box.bytes_log2);
    }
  }
  if (!edges && loops.size <= kDims) {
    for (uint32_t d = 0; d < loops.size; ++d) descriptor.Dim(d, loops.count[d], loops.stride[d]);
  } else if (!edges && !build.Has(registers::global_block::CapFeatures::kWalkMask)) {
    made.status = Reason::too_many_dimensions;
  } else {
    for (uint32_t d = 0; d < box.rank && d < kDims; ++d) {
      descriptor.Dim(d, box.count[d], box.stride[d]);
      if (box.bounded[d]) descriptor.Start(d, box.start[d]).Bound(d, box.bound[d]);
    }
    for (uint32_t k = 0; k < box.levels; ++k) {
      descriptor.Walk(k, box.level[k].dimension, box.level[k].stride, box.level[k].wrap);
    }
  }
  descriptor.Base(box.base);
  if (made.ok()) made.status = descriptor.Check(build);
  return made;
}

// A descriptor that was made when the program was compiled; At() puts it at its buffer.
struct Placeable {
  Descriptor descriptor;

  constexpr Descriptor At(uint64_t base) const {
    Descriptor placed = descriptor;
    placed.Base(descriptor.base() + base);
    return placed;
  }
};

// The same for constants: what is wrong with the tiling is an error of the compiler.
template <tiling_parameters kTiling, uint32_t kElementBits, Capabilities kBuild = kLargestBuild,
          Format kFormat = Format::kNative>
constexpr Placeable Lowered() {
  constexpr Result<Descriptor> made = Lower(kTiling, 0, kElementBits, kBuild, kFormat);
  constexpr Reason why = made.status.reason();
  static_assert(why != Reason::element_bits, "tessera: element_bits must be 4, 8, 16 ... 512");
  static_assert(why != Reason::rank,
                "tessera: buffer_dimension, tiling_dimension, offset and boundary_dimension must "
                "name the same "
                "number of dimensions, 1 to 4");
  static_assert(why != Reason::buffer_zero, "tessera: buffer_dimension: a dimension is 0");
  static_assert(why != Reason::tile_zero,
                "tessera: tiling_dimension: a dimension of the tile is 0");
  static_assert(
      why != Reason::boundary_range,
      "tessera: boundary_dimension: a boundary must be 1 up to the dimension of the buffer");
  static_assert(why != Reason::bound_range, "tessera: a dimension has more than 2^31 elements");
  static_assert(why != Reason::subword_group,
                "tessera: sub-word elements: buffer, tile, offset, boundary and traversal of "
                "dimension 0 must be "
                "whole groups (4 bits: 2 of them; in 32-bit words: 4 bits 8, 8 bits 4, 16 bits 2)");
  static_assert(why != Reason::traversal_dimension,
                "tessera: tile_traversal: a level names a dimension that the buffer does not have");
  static_assert(why != Reason::traversal_wrap, "tessera: tile_traversal: a wrap is 0");
  static_assert(why != Reason::packet_id, "tessera: packet_port_id must be -1 or 0 to 31");
  static_assert(why != Reason::buffer_size,
                "tessera: the buffer has more bytes than strides can say");
  static_assert(
      why != Reason::walk_reach,
      "tessera: tile_traversal: a level moves a dimension with edges by 2^29 elements or more");
  static_assert(why != Reason::coordinate_range, "tessera: a coordinate needs more than 32 bits");
  static_assert(why != Reason::row_bytes, "tessera: a row of the tile has 2^32 bytes or more");
  static_assert(why != Reason::no_bounds,
                "tessera: the tile leaves the buffer, and this build has no bounds");
  static_assert(why != Reason::no_walk,
                "tessera: the traversal meets an edge, and this build has no traversal");
  static_assert(why != Reason::no_headers,
                "tessera: packet_port_id: this build has no packet headers");
  static_assert(
      why != Reason::too_many_dimensions,
      "tessera: tile and traversal need more than four loops, and this build has no traversal");
  static_assert(made.ok(), "tessera: this tiling has no descriptor");
  return {made.value};
}

}  // namespace tessera::driver
