// Packed structs of tsr_pkg.sv to and from words, independent of any simulator.
//
// PackTransfer and UnpackDone follow transfer_t and done_t member by member; the last member of a
// packed struct is least significant, so both go through the structs from bottom to top.
#pragma once

#include <cstdint>
#include <stdexcept>

#include "tb/sim/dut.h"

namespace tessera {

inline constexpr int kTransferBits = 1396;
inline constexpr int kIndexBits = 34;  // tsr_pkg::IndexWidth
inline constexpr int kShiftBits = 33;  // tsr_pkg::ShiftWidth
inline constexpr int kTransferWords = (kTransferBits + 31) / 32;
inline constexpr int kDoneBits = 168;
inline constexpr int kDoneWords = (kDoneBits + 31) / 32;

// Writes fields from the least significant bit up into 32-bit words.
class BitPacker {
 public:
  explicit BitPacker(uint32_t* words) : words_(words) {}

  // Throws std::out_of_range if `value` has bits above `width` (1 to 64).
  void Put(uint64_t value, int width) {
    if (width < 64 && value >> width != 0) {
      throw std::out_of_range("transfer field value has more bits than its member in tsr_pkg");
    }
    pending_ |= static_cast<unsigned __int128>(value) << fill_;
    fill_ += width;
    bits_ += width;
    while (fill_ >= 32) {
      *words_++ = static_cast<uint32_t>(pending_);
      pending_ >>= 32;
      fill_ -= 32;
    }
  }
  // Throws std::out_of_range if `value` does not fit `width` bits (less than 64), sign included.
  void PutSigned(int64_t value, int width) {
    const int64_t limit = int64_t{1} << (width - 1);
    if (value < -limit || value >= limit) {
      throw std::out_of_range("signed transfer field does not fit its member in tsr_pkg");
    }
    Put(static_cast<uint64_t>(value) & ((uint64_t{1} << width) - 1), width);
  }
  // Writes what is left of the last word; returns the number of bits put.
  int Finish() {
    if (fill_ > 0) *words_ = static_cast<uint32_t>(pending_);
    return bits_;
  }

 private:
  uint32_t* words_;
  unsigned __int128 pending_ = 0;
  int fill_ = 0;
  int bits_ = 0;
};

// Reads fields from the least significant bit up.
class BitUnpacker {
 public:
  explicit BitUnpacker(const uint32_t* words) : words_(words) {}

  uint64_t Get(int width) {
    uint64_t value = 0;
    for (int done = 0; done < width;) {
      const int bit = position_ % 32;
      const int part = width - done < 32 - bit ? width - done : 32 - bit;
      const uint64_t mask = (uint64_t{1} << part) - 1;
      value |= ((words_[position_ / 32] >> bit) & mask) << done;
      done += part;
      position_ += part;
    }
    return value;
  }
  int position() const { return position_; }

 private:
  const uint32_t* words_;
  int position_ = 0;
};

// Fills kTransferWords words with transfer_t. What follows from other members is worked out here.
inline void PackTransfer(const EngineTransfer& transfer, uint32_t* words) {
  BitPacker packer(words);
  packer.Put(transfer.finish_last ? 1 : 0, 1);
  packer.Put(transfer.task_end ? 1 : 0, 1);
  packer.Put(transfer.join_next ? 1 : 0, 1);
  packer.Put(transfer.last_level, 3);
  packer.Put(transfer.last_rule, 2);
  packer.Put(transfer.fill, 64);
  packer.Put(transfer.elem_log2, 3);
  packer.Put(transfer.length, 32);
  packer.Put(transfer.has_length ? 1 : 0, 1);
  for (const EngineTransfer::Walk& walk : transfer.walk) {
    packer.Put(walk.dim, 2);
    packer.Put(walk.count, 32);
    packer.Put(walk.step, 32);
    packer.Put(walk.stride, 64);
  }
  packer.Put(transfer.has_walk ? 1 : 0, 1);
  packer.Put(transfer.dense ? 1 : 0, 1);
  for (const EngineTransfer::Dim& dim : transfer.dim) {
    packer.Put(dim.unbounded ? 1 : 0, 1);
    packer.PutSigned(dim.last, kIndexBits);
    packer.PutSigned(dim.ahead, kIndexBits);
    packer.Put(dim.count, 32);
    packer.Put(dim.stride, 64);
  }
  packer.Put(transfer.addr, 64);
  const uint32_t row = transfer.dense ? transfer.dim[0].count : uint32_t{1} << transfer.elem_log2;
  bool empty = transfer.has_length && transfer.length == 0;
  uint64_t single = transfer.dense ? 1 : 0;
  uint64_t pair = 0;
  for (size_t d = 0; d < transfer.dim.size(); ++d) {
    empty = empty || transfer.dim[d].count == 0;
    if (transfer.dim[d].count == 1) single |= uint64_t{1} << d;
    if (transfer.dim[d].count == 2) pair |= uint64_t{1} << d;
  }
  for (const EngineTransfer::Walk& walk : transfer.walk) {
    empty = empty || (transfer.has_walk && walk.count == 0);
  }
  packer.Put(empty ? 1 : 0, 1);
  packer.Put(transfer.has_length && transfer.length == row ? 1 : 0, 1);
  packer.Put(pair, 4);
  packer.Put(single, 4);
  packer.Put(row, 32);
  if (packer.Finish() != kTransferBits) {
    throw std::logic_error("PackTransfer does not fill transfer_t of tsr_pkg.sv");
  }
}

// The done_t in kDoneWords words.
inline EngineDone UnpackDone(const uint32_t* words) {
  BitUnpacker unpacker(words);
  EngineDone done;
  done.status = static_cast<uint8_t>(unpacker.Get(7));
  done.last = unpacker.Get(1) != 0;
  done.dropped = unpacker.Get(48);
  done.bytes = unpacker.Get(48);
  done.addr = unpacker.Get(64);
  if (unpacker.position() != kDoneBits) {
    throw std::logic_error("UnpackDone does not read all of done_t of tsr_pkg.sv");
  }
  return done;
}

}  // namespace tessera
