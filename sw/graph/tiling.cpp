// The order of elements that a tiling means, element by element.
#include <fmt/format.h>

#include "sw/driver/tessera/text.hpp"
#include "tessera/graph/backend.hpp"

namespace tessera::graph {

Access MakeAccess(const driver::tiling_parameters& tiling, uint32_t element_bits, bool pads,
                  const std::string& what) {
  const driver::Status status =
      driver::detail::CheckTiling(tiling, element_bits, driver::Format::kNative);
  if (!status.ok()) {
    throw GraphError(status.code(), fmt::format("{}: tiling_parameters, dimension or level {}: {}",
                                                what, status.index(), driver::Text(status)));
  }
  if (tiling.packet_port_id >= 0) {
    throw GraphError(
        driver::Code::unsupported,
        fmt::format("{}: packet_port_id {}; an access sends no packet headers, legal is -1", what,
                    tiling.packet_port_id));
  }
  Access made;
  made.tiling = tiling;
  made.element_bits = element_bits;
  made.bytes_each = element_bits < 8 ? 1 : element_bits / 8;
  const int64_t group = element_bits < 8 ? 2 : 1;  // elements of a byte
  const uint32_t rank = tiling.buffer_dimension.size;
  const auto scaled = [&](int64_t value, uint32_t d) { return d == 0 ? value / group : value; };

  int64_t pitch[4], bound[4], tile[4], offset[4];
  int64_t row = made.bytes_each;
  for (uint32_t d = 0; d < rank; ++d) {
    pitch[d] = row;
    row *= scaled(tiling.buffer_dimension[d], d);
    bound[d] = scaled(tiling.boundary_dimension.size != 0 ? tiling.boundary_dimension[d]
                                                          : tiling.buffer_dimension[d],
                      d);
    tile[d] = scaled(tiling.tiling_dimension[d], d);
    offset[d] = tiling.offset.size != 0 ? scaled(tiling.offset[d], d) : 0;
  }
  constexpr uint64_t kMost = uint64_t{1} << 28;
  uint64_t elements = 1;
  const auto times = [&](uint64_t n) {
    elements = n > kMost / elements ? kMost + 1 : elements * n;
  };
  for (uint32_t d = 0; d < rank; ++d) times(tiling.tiling_dimension[d]);
  for (uint32_t k = 0; k < tiling.tile_traversal.size; ++k) times(tiling.tile_traversal.at[k].wrap);
  if (elements > kMost) {
    throw GraphError(driver::Code::user_error,
                     fmt::format("{}: the access has more than 2^28 elements", what));
  }
  uint32_t turn[4] = {};
  for (bool more = true; more;) {
    int64_t origin[4];
    for (uint32_t d = 0; d < rank; ++d) origin[d] = offset[d];
    for (uint32_t k = 0; k < tiling.tile_traversal.size; ++k) {
      const driver::traversing_parameters& level = tiling.tile_traversal.at[k];
      origin[level.dimension] += scaled(level.stride, level.dimension) * int64_t{turn[k]};
    }
    int64_t in[4] = {};
    for (bool inside = true; inside;) {
      int64_t at = 0;
      for (uint32_t d = 0; d < rank && at >= 0; ++d) {
        const int64_t coordinate = origin[d] + in[d];
        if (coordinate >= 0 && coordinate < bound[d]) {
          at += coordinate * pitch[d];
          continue;
        }
        if (!pads) {
          throw GraphError(
              driver::Code::user_error,
              fmt::format(
                  "{}: the access leaves the buffer: dimension {} reaches {}, legal is 0 to "
                  "{}; only reads of memory are padded",
                  what, d, coordinate * (d == 0 ? group : 1), bound[d] * (d == 0 ? group : 1) - 1));
        }
        at = -1;
      }
      made.offsets.push_back(at);
      inside = false;
      for (uint32_t d = 0; d < rank && !inside; ++d) {
        inside = ++in[d] < tile[d];
        if (!inside) in[d] = 0;
      }
    }
    more = false;
    for (uint32_t k = 0; k < tiling.tile_traversal.size && !more; ++k) {
      more = ++turn[k] < tiling.tile_traversal.at[k].wrap;
      if (!more) turn[k] = 0;
    }
  }
  return made;
}

}  // namespace tessera::graph
