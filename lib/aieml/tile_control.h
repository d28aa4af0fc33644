// Clocks, resets, isolation and memory control of one tile of the simulated array: the registers
// that programs write before they use a tile. Inside lib/aieml alone; see array.h.
//
// Bits that the documents leave open are as docs/aieml/aieml.md says. After the start all clocks
// run, nothing is in reset and nothing is isolated.
#pragma once

#include <cstdint>
#include <optional>

#include "lib/aieml/registers.h"

namespace tessera::aieml {

class TileControl {
 public:
  explicit TileControl(TileKind kind);

  // False: it is none of these registers.
  bool Read(uint32_t offset, uint32_t* value) const;
  bool Write(uint32_t offset, uint32_t value);

  bool switch_runs() const { return (clock_ & kSwitch) != 0; }
  bool dma_runs() const;
  bool switch_in_reset() const { return (reset_ & kSwitch) != 0; }
  bool dma_in_reset() const;
  bool checks_last() const { return (clock_ & check_bit_) != 0; }
  // Of a shim: its column but the shim itself.
  bool column_runs() const { return (column_clock_ & 1) != 0; }
  bool column_in_reset() const { return (column_reset_ & 1) != 0; }
  // Sides that nothing comes in from: bit 0 south, 1 west, 2 north, 3 east.
  uint32_t isolated() const { return tile_ & 15; }
  // True once for each write that asks for a data memory of zeros.
  bool TakeZero();

 private:
  static constexpr uint32_t kSwitch = 1, kModule = 2;
  struct Places {
    uint32_t clock, reset, tile, memory, program;
  };
  const uint32_t* Find(uint32_t offset) const;

  TileKind kind_;
  Places at_;
  uint32_t check_bit_;
  uint32_t clock_, clock_1_ = 1, reset_ = 0, reset_1_ = 0, tile_ = 0;
  uint32_t memory_ = 0, program_ = 0;  // their controls
  uint32_t column_clock_ = 1, column_reset_ = 0;
  bool zero_ = false;
};

}  // namespace tessera::aieml
