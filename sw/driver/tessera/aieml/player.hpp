// Plays NPU transaction binaries on instances of tessera_aieml.
//
// Columns and rows of a binary are mapped to instances by a table; every access outside the table
// is refused. Check() reads the whole binary and touches nothing; Play() checks first, so that a
// binary with a fault writes nothing at all. Every wait is bounded. Freestanding, no heap.
//
// The bus is that of the driver (bus.hpp). If it has `take_token(base, to_stream, channel)`, which
// answers true once for each task-complete token, a sync waits for tokens. If not, a sync waits
// until the channel is idle: its queue is empty and nothing runs. This is the same unless more
// tasks are queued behind the one that is waited for, and these wait for something later in the
// binary.
//
// If the bus has `load_pdi(id, bytes, address)`, which answers true once the device has that
// configuration, a binary may load one. If not, such a binary is refused.
#pragma once

#include <stdint.h>

#include "../bus.hpp"
#include "../status.hpp"
#include "transaction.hpp"

namespace tessera::driver::npu {

enum class TileKind : uint8_t { kShim = 0, kMemory = 1, kCompute = 2 };

// An instance: `base` is the bus offset of register 0 of the tile, which has a megabyte.
struct Tile {
  uint8_t column = 0;
  uint8_t row = 0;
  TileKind kind = TileKind::kShim;
  uint32_t base = 0;
};

// The host's arguments, as addresses that the instances see. A flow whose host memory begins
// elsewhere adds `window` to the first five, as the firmware of the NPU adds 0x80000000; for those
// after them the compiler has put it into the binary.
struct Arguments {
  const uint64_t* addresses = nullptr;
  uint32_t count = 0;
  uint64_t window = 0;
};

struct PlayResult {
  Fault fault{};
  uint32_t operations = 0;  // done before the end or the fault

  constexpr bool ok() const { return fault.ok(); }
};

namespace detail {

// The part of a tile in which descriptors lie, and the word of one that holds its address.
struct Descriptors {
  uint32_t base, count, address_word;
};

constexpr Descriptors DescriptorsOf(TileKind kind) {
  switch (kind) {
    case TileKind::kShim:
      return {0x1d000, 16, 1};
    case TileKind::kMemory:
      return {0xa0000, 48, 1};
    default:
      return {0x1d000, 16, 0};
  }
}

constexpr uint32_t ChannelsOf(TileKind kind) { return kind == TileKind::kMemory ? 6 : 2; }

constexpr uint32_t StatusOf(TileKind kind, bool to_stream, uint32_t channel) {
  switch (kind) {
    case TileKind::kShim:
      return (to_stream ? 0x1d228u : 0x1d220u) + 4 * channel;
    case TileKind::kMemory:
      return (to_stream ? 0xa0680u : 0xa0660u) + 4 * channel;
    default:
      return (to_stream ? 0x1df10u : 0x1df00u) + 4 * channel;
  }
}

inline constexpr uint32_t kBusy = 0xfu << 19;               // tasks in the queue, or one running
inline constexpr uint32_t kErrors = 3u << 16 | 0x3fu << 8;  // of the bus, the descriptor, the locks

}  // namespace detail

template <Bus B>
class Player {
 public:
  constexpr Player(B& bus, const Tile* tiles, uint32_t count)
      : bus_(&bus), tiles_(tiles), count_(count) {}

  // Reads everything, executes nothing.
  PlayResult Check(const uint32_t* words, uint32_t count, const Arguments& arguments) const {
    return Walk<false>(words, count, arguments, {});
  }

  // Executes the binary; every wait takes at most `timeout`.
  PlayResult Play(const uint32_t* words, uint32_t count, const Arguments& arguments,
                  Timeout timeout = {}) const {
    const PlayResult checked = Check(words, count, arguments);
    if (!checked.ok()) return {checked.fault, 0};
    return Walk<true>(words, count, arguments, timeout);
  }

 private:
  const Tile* TileAt(uint32_t column, uint32_t row) const {
    for (uint32_t n = 0; n < count_; ++n) {
      if (tiles_[n].column == column && tiles_[n].row == row) return &tiles_[n];
    }
    return nullptr;
  }

  template <bool kExecute>
  PlayResult Walk(const uint32_t* words, uint32_t count, const Arguments& arguments,
                  Timeout timeout) const {
    Reader reader(words, count);
    Header header;
    PlayResult result{reader.Open(header), 0};
    Operation operation;
    while (result.ok() && !reader.AtEnd()) {
      result.fault = reader.Next(operation);
      if (result.ok()) {
        const Status status = Do<kExecute>(operation, arguments, timeout);
        result.fault = {status, status.ok() ? 0 : operation.at};
      }
      if (result.ok()) ++result.operations;
    }
    return result;
  }

  template <bool kExecute>
  Status Do(const Operation& operation, const Arguments& arguments, Timeout timeout) const {
    switch (operation.opcode) {
      case Opcode::noop:
      case Opcode::preempt:
        return {};
      case Opcode::sync:
        return Sync<kExecute>(operation, timeout);
      case Opcode::load_pdi:
        if constexpr (requires { bus_->load_pdi(0u, 0u, uint64_t{0}); }) {
          if (!kExecute || bus_->load_pdi(operation.value, operation.count, operation.pdi))
            return {};
        }
        return {Reason::operation_unknown, static_cast<uint32_t>(operation.opcode)};
      default:
        break;
    }
    const Tile* tile = TileAt(ColumnOf(operation.address), RowOf(operation.address));
    if (tile == nullptr) return {Reason::tile_unknown, ColumnOf(operation.address)};
    const uint32_t offset = OffsetOf(operation.address);
    const uint32_t count = operation.opcode == Opcode::block_write ? operation.count : 1;
    if ((offset & 3) != 0 || count > (kTileSpan - offset) / 4) return Reason::register_range;
    if (operation.opcode == Opcode::address_patch) {
      return Patch<kExecute>(operation, *tile, arguments);
    }
    if constexpr (kExecute) {
      const uint32_t at = tile->base + offset;
      switch (operation.opcode) {
        case Opcode::write:
          bus_->barrier();
          bus_->write32(at, operation.value);
          break;
        case Opcode::mask_write:
          bus_->barrier();
          bus_->write32(at,
                        (bus_->read32(at) & ~operation.mask) | (operation.value & operation.mask));
          break;
        case Opcode::block_write:
          for (uint32_t n = 0; n < count; ++n) bus_->write32(at + 4 * n, operation.data[n]);
          break;
        default:  // the two polls
          return Wait(timeout, [&] {
            return (bus_->read32(at) & operation.mask) == operation.value ? Status()
                                                                          : Reason::timeout;
          });
      }
    }
    return {};
  }

  // Puts the address of an argument into a descriptor; the other fields of its words stay.
  template <bool kExecute>
  Status Patch(const Operation& operation, const Tile& tile, const Arguments& arguments) const {
    const detail::Descriptors all = detail::DescriptorsOf(tile.kind);
    const uint32_t offset = OffsetOf(operation.address) - all.base;
    if (offset >= 0x20 * all.count || (offset & 0x1f) != 4 * all.address_word) {
      return Reason::patch_register;
    }
    if (operation.argument >= arguments.count) {
      return {Reason::argument_number, operation.argument < 255 ? operation.argument : 255};
    }
    const uint64_t address = arguments.addresses[operation.argument] + operation.offset +
                             (operation.argument < 5 ? arguments.window : 0);
    const uint64_t limit = tile.kind == TileKind::kShim     ? uint64_t{1} << 48
                           : tile.kind == TileKind::kMemory ? uint64_t{1} << 21
                                                            : uint64_t{1} << 16;
    if ((address & 3) != 0 || address >= limit) return Reason::patch_address;
    if constexpr (kExecute) {
      const uint32_t at = tile.base + OffsetOf(operation.address);
      const uint32_t low = static_cast<uint32_t>(address);
      switch (tile.kind) {
        case TileKind::kShim:
          bus_->write32(at, low);
          bus_->write32(
              at + 4, (bus_->read32(at + 4) & 0xffff0000u) | static_cast<uint32_t>(address >> 32));
          break;
        case TileKind::kMemory:
          bus_->write32(at, (bus_->read32(at) & ~0x7ffffu) | low >> 2);
          break;
        case TileKind::kCompute:
          bus_->write32(at, (bus_->read32(at) & ~(0x3fffu << 14)) | low >> 2 << 14);
          break;
      }
    }
    return {};
  }

  template <bool kExecute>
  Status Sync(const Operation& operation, Timeout timeout) const {
    for (uint32_t n = 0; n < operation.columns; ++n) {
      for (uint32_t k = 0; k < operation.rows; ++k) {
        const uint32_t column = operation.column + n;
        const Tile* tile = TileAt(column, operation.row + k);
        if (tile == nullptr) return {Reason::tile_unknown, column};
        if (operation.channel >= detail::ChannelsOf(tile->kind)) {
          return {Reason::channel_number, operation.channel};
        }
        if constexpr (kExecute) {
          const Status status = Await(*tile, operation.to_stream, operation.channel, timeout);
          if (!status.ok()) return status;
        }
      }
    }
    return {};
  }

  Status Await(const Tile& tile, bool to_stream, uint32_t channel, Timeout timeout) const {
    const uint32_t at = tile.base + detail::StatusOf(tile.kind, to_stream, channel);
    const Status status = Wait(timeout, [&]() -> Status {
      const uint32_t state = bus_->read32(at);
      if constexpr (requires { bus_->take_token(tile.base, to_stream, channel); }) {
        if (bus_->take_token(tile.base, to_stream, channel)) return {};
      } else if ((state & (detail::kBusy | detail::kErrors)) == 0) {
        return {};
      }
      return (state & detail::kErrors) != 0 ? Status(Reason::channel_halted, channel)
                                            : Status(Reason::timeout, channel);
    });
    if (status.ok()) bus_->barrier();
    return status;
  }

  // Asks until the answer is something else than a timeout, at most so many turns.
  template <typename Ask>
  Status Wait(Timeout timeout, Ask&& ask) const {
    for (uint32_t turn = 0;; ++turn) {
      const Status status = ask();
      if (status.reason() != Reason::timeout || turn >= timeout.turns) return status;
      Relax(*bus_);
    }
  }

  B* bus_;
  const Tile* tiles_;
  uint32_t count_;
};

}  // namespace tessera::driver::npu
