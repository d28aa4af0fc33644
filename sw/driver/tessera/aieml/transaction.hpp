// NPU transaction binaries: their words as operations, one after the other.
//
// A binary is 32-bit little-endian words: a header of four, then operations. The reader looks at no
// word outside the span that it was given and checks everything that a word can say of itself; what
// an address means is up to whoever executes. Freestanding; no state but the place.
#pragma once

#include <stdint.h>

#include "../status.hpp"

namespace tessera::driver::npu {

enum class Opcode : uint8_t {
  write = 0,
  block_write = 1,
  block_set = 2,
  mask_write = 3,
  mask_poll = 4,
  noop = 5,
  preempt = 6,
  mask_poll_busy = 7,
  load_pdi = 8,
  sync = 128,
  address_patch = 129,
  read_registers = 130,
  record_timer = 131,
  merge_sync = 132,
};

inline constexpr uint32_t kHeaderWords = 4;
inline constexpr uint32_t kColumnShift = 25;
inline constexpr uint32_t kRowShift = 20;
inline constexpr uint32_t kTileSpan = 1u << kRowShift;  // bytes of registers of a tile

// Address of a register: column, row and the offset in the tile.
constexpr uint32_t AddressOf(uint32_t column, uint32_t row, uint32_t offset) {
  return column << kColumnShift | row << kRowShift | offset;
}
constexpr uint32_t ColumnOf(uint32_t address) { return address >> kColumnShift; }
constexpr uint32_t RowOf(uint32_t address) { return address >> kRowShift & 0x1f; }
constexpr uint32_t OffsetOf(uint32_t address) { return address & (kTileSpan - 1); }

struct Header {
  uint8_t major = 0;
  uint8_t minor = 1;
  uint8_t generation = 3;  // 3: NPU1, 4: NPU2
  uint8_t rows = 6;
  uint8_t columns = 4;
  uint8_t memory_rows = 1;
  uint32_t operations = 0;
  uint32_t bytes = 0;
};

struct Operation {
  Opcode opcode = Opcode::noop;
  uint32_t at = 0;       // word of the binary at which it begins
  uint32_t words = 0;    // of the whole operation
  uint32_t address = 0;  // column, row and offset; of the first register of a block
  uint32_t value = 0;
  uint32_t mask = 0;
  const uint32_t* data = nullptr;  // of a block write
  uint32_t count = 0;
  // Of a sync.
  bool to_stream = false;
  uint8_t column = 0;
  uint8_t row = 0;
  uint8_t columns = 0;
  uint8_t rows = 0;
  uint8_t channel = 0;
  // Of an address patch.
  uint32_t argument = 0;
  uint32_t offset = 0;
  // Of a load of a PDI: its number is `value`, its bytes are `count`.
  uint64_t pdi = 0;
};

// What is wrong with a binary, and the word at which it is.
struct Fault {
  Status status{};
  uint32_t word = 0;

  constexpr bool ok() const { return status.ok(); }
};

class Reader {
 public:
  constexpr Reader(const uint32_t* words, uint32_t count) : words_(words), count_(count) {}

  // Reads the header; the first call.
  constexpr Fault Open(Header& header) {
    if (words_ == nullptr || count_ < kHeaderWords) return {Reason::binary_truncated, 0};
    header.major = static_cast<uint8_t>(words_[0]);
    header.minor = static_cast<uint8_t>(words_[0] >> 8);
    header.generation = static_cast<uint8_t>(words_[0] >> 16);
    header.rows = static_cast<uint8_t>(words_[0] >> 24);
    header.columns = static_cast<uint8_t>(words_[1]);
    header.memory_rows = static_cast<uint8_t>(words_[1] >> 8);
    header.operations = words_[2];
    header.bytes = words_[3];
    if (header.major != 0 || header.minor != 1) return {Reason::binary_version, 0};
    if ((header.bytes & 3) != 0 || header.bytes >> 2 != count_) return {Reason::binary_bytes, 3};
    left_ = header.operations;
    next_ = kHeaderWords;
    return {};
  }

  // Every operation has been read.
  constexpr bool AtEnd() const { return left_ == 0 && next_ == count_; }

  // Reads the next operation; not after the end.
  constexpr Fault Next(Operation& operation) {
    const uint32_t at = next_;
    if (left_ == 0 || at >= count_) return {Reason::operation_count, left_ == 0 ? at : 2};
    operation = Operation{};
    operation.at = at;
    const uint32_t first = words_[at];
    const uint32_t high = first >> 8;
    operation.opcode = static_cast<Opcode>(first & 0xff);
    uint32_t words = WordsOf(operation.opcode);
    if (words == 0) return {{Reason::operation_unknown, first & 0xff}, at};
    if (words > count_ - at) return {Reason::binary_truncated, at};
    const uint32_t free = operation.opcode == Opcode::preempt    ? 0
                          : operation.opcode == Opcode::load_pdi ? high & 0xff
                                                                 : high;
    if (free != 0) return {Reason::operation_field, at};
    const uint32_t* word = words_ + at;
    switch (operation.opcode) {
      case Opcode::block_write:
        if ((word[3] & 3) != 0 || word[3] >> 2 < words) return {Reason::operation_size, at + 3};
        if (word[3] >> 2 > count_ - at) return {Reason::binary_truncated, at + 3};
        words = word[3] >> 2;
        operation.address = word[2];
        operation.data = word + 4;
        operation.count = words - 4;
        break;
      case Opcode::write:
      case Opcode::mask_write:
      case Opcode::mask_poll:
      case Opcode::mask_poll_busy:
        if (word[words - 1] != 4 * words) return {Reason::operation_size, at + words - 1};
        if (word[1] != 0 || word[3] != 0) {
          return {Reason::operation_field, at + (word[1] != 0 ? 1 : 3)};
        }
        operation.address = word[2];
        operation.value = word[4];
        operation.mask = operation.opcode == Opcode::write ? 0xffffffff : word[5];
        break;
      case Opcode::preempt:
        operation.value = high;
        break;
      case Opcode::load_pdi:
        operation.value = high >> 8;
        operation.count = word[1];
        operation.pdi = uint64_t{word[3]} << 32 | word[2];
        break;
      case Opcode::sync:
        if (word[1] != 4 * words) return {Reason::operation_size, at + 1};
        if ((word[2] & 0xff) > 1 || word[2] >> 24 != 0) return {Reason::operation_field, at + 2};
        if ((word[3] & 0xff) != 0) return {Reason::operation_field, at + 3};
        operation.to_stream = (word[2] & 1) != 0;
        operation.row = static_cast<uint8_t>(word[2] >> 8);
        operation.column = static_cast<uint8_t>(word[2] >> 16);
        operation.rows = static_cast<uint8_t>(word[3] >> 8);
        operation.columns = static_cast<uint8_t>(word[3] >> 16);
        operation.channel = static_cast<uint8_t>(word[3] >> 24);
        if (operation.rows == 0 || operation.columns == 0) return {Reason::sync_range, at + 3};
        break;
      case Opcode::address_patch:
        if (word[1] != 4 * words) return {Reason::operation_size, at + 1};
        for (uint32_t n = 2; n < words; ++n) {
          if (n != 6 && n != 8 && n != 10 && word[n] != 0) return {Reason::operation_field, at + n};
        }
        operation.address = word[6];
        operation.argument = word[8];
        operation.offset = word[10];
        break;
      default:
        break;
    }
    operation.words = words;
    next_ = at + words;
    --left_;
    if (left_ == 0 && next_ != count_) return {Reason::operation_count, next_};
    return {};
  }

 private:
  // Words of an operation, of a block write those before its data; 0 if this reader does not know
  // it.
  static constexpr uint32_t WordsOf(Opcode opcode) {
    switch (opcode) {
      case Opcode::write:
        return 6;
      case Opcode::mask_write:
      case Opcode::mask_poll:
      case Opcode::mask_poll_busy:
        return 7;
      case Opcode::block_write:
      case Opcode::sync:
      case Opcode::load_pdi:
        return 4;
      case Opcode::address_patch:
        return 12;
      case Opcode::noop:
      case Opcode::preempt:
        return 1;
      default:
        return 0;
    }
  }

  const uint32_t* words_;
  uint32_t count_;
  uint32_t next_ = 0;
  uint32_t left_ = 0;
};

}  // namespace tessera::driver::npu
