// Descriptors and addresses of lower.h.
#include <stdexcept>

#include "tools/aieml/seq/lower.h"

namespace tessera::seq {
namespace {

using aieml::TileKind;

uint32_t Bits(int32_t value) { return static_cast<uint32_t>(value) & 0x7f; }

// The last word of shim and compute tile.
uint32_t Tail(const BdFields& f) {
  return (f.suppress_last ? 1u << 31 : 0) | f.next << 27 | (f.use_next ? 1u << 26 : 0) |
         (f.valid ? 1u << 25 : 0) | Bits(f.release_value) << 18 | f.release_lock << 13 |
         (f.acquire ? 1u << 12 : 0) | Bits(f.acquire_value) << 5 | f.acquire_lock;
}

uint32_t PacketWord(const BdFields& f) {
  return (f.packet ? 1u << 30 : 0) | f.out_of_order << 24 | f.packet_id << 19 | f.packet_type << 16;
}

}  // namespace

std::vector<uint32_t> Encode(TileKind kind, const BdFields& f) {
  const auto base = static_cast<uint32_t>(f.base);
  switch (kind) {
    case TileKind::kShim:
      return {f.length,
              base,
              PacketWord(f) | static_cast<uint32_t>(f.base >> 32),
              f.wrap[0] << 20 | f.step[0],
              f.burst << 30 | f.wrap[1] << 20 | f.step[1],
              f.cache << 24 | f.step[2],
              f.iteration_current << 26 | f.iteration_size << 20 | f.iteration_step,
              Tail(f)};
    case TileKind::kMemory:
      return {(f.packet ? 1u << 31 : 0) | f.packet_type << 28 | f.packet_id << 23 |
                  f.out_of_order << 17 | f.length,
              f.before[0] << 26 | f.next << 20 | (f.use_next ? 1u << 19 : 0) | base >> 2,
              (f.suppress_last ? 1u << 31 : 0) | f.wrap[0] << 17 | f.step[0],
              f.before[1] << 27 | f.wrap[1] << 17 | f.step[1],
              f.before[2] << 27 | f.wrap[2] << 17 | f.step[2],
              f.after[2] << 28 | f.after[1] << 23 | f.after[0] << 17 | f.step[3],
              f.iteration_current << 23 | f.iteration_size << 17 | f.iteration_step,
              (f.valid ? 1u << 31 : 0) | Bits(f.release_value) << 24 | f.release_lock << 16 |
                  (f.acquire ? 1u << 15 : 0) | Bits(f.acquire_value) << 8 | f.acquire_lock};
    default:
      return {base >> 2 << 14 | f.length,
              PacketWord(f),
              f.step[1] << 13 | f.step[0],
              f.wrap[1] << 21 | f.wrap[0] << 13 | f.step[2],
              f.iteration_current << 19 | f.iteration_size << 13 | f.iteration_step,
              Tail(f)};
  }
}

uint32_t DescriptorAddress(const Device& device, TileRef tile, uint32_t bd) {
  const bool memory = device.KindOf(tile.row) == TileKind::kMemory;
  return driver::npu::AddressOf(tile.column, tile.row, (memory ? 0xa0000 : 0x1d000) + 0x20 * bd);
}

uint32_t ControlAddress(const Device& device, TileRef tile, bool to_stream, uint32_t channel) {
  uint32_t base = 0;
  switch (device.KindOf(tile.row)) {
    case TileKind::kShim:
      base = to_stream ? 0x1d210 : 0x1d200;
      break;
    case TileKind::kMemory:
      base = to_stream ? 0xa0630 : 0xa0600;
      break;
    default:
      base = to_stream ? 0x1de10 : 0x1de00;
  }
  return driver::npu::AddressOf(tile.column, tile.row, base + 8 * channel);
}

}  // namespace tessera::seq
