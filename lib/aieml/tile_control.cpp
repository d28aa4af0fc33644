// See tile_control.h.
#include "lib/aieml/tile_control.h"

namespace tessera::aieml {
namespace {

constexpr uint32_t kNone = 0xffffffff;
constexpr uint32_t kColumnClock = 0xfff20, kColumnReset = 0xfff28;
constexpr uint32_t kZero = 1;  // of the memory control: zeros, and 0 again when they are there

}  // namespace

TileControl::TileControl(TileKind kind)
    : kind_(kind),
      at_(kind == TileKind::kShim     ? Places{0xfff00, 0xfff10, 0x36030, kNone, kNone}
          : kind == TileKind::kMemory ? Places{0xfff00, 0xfff10, 0x96030, 0x96048, kNone}
                                      : Places{0x60000, 0x60010, 0x36030, 0x16010, 0x36070}),
      check_bit_(kind == TileKind::kMemory ? 4 : 8),
      clock_(2 * check_bit_ - 1) {}

const uint32_t* TileControl::Find(uint32_t offset) const {
  if (offset == at_.clock) return &clock_;
  if (offset == at_.reset) return &reset_;
  if (offset == at_.tile) return &tile_;
  if (offset == at_.memory) return &memory_;
  if (offset == at_.program) return &program_;
  if (kind_ != TileKind::kShim) return nullptr;
  if (offset == at_.clock + 4) return &clock_1_;
  if (offset == at_.reset + 4) return &reset_1_;
  if (offset == kColumnClock) return &column_clock_;
  if (offset == kColumnReset) return &column_reset_;
  return nullptr;
}

bool TileControl::Read(uint32_t offset, uint32_t* value) const {
  const uint32_t* word = Find(offset);
  if (word != nullptr) *value = *word;
  return word != nullptr;
}

bool TileControl::Write(uint32_t offset, uint32_t value) {
  auto* word = const_cast<uint32_t*>(Find(offset));
  if (word == nullptr) return false;
  *word = value;
  if (word == &memory_) zero_ = zero_ || (value & kZero) != 0;
  if (word == &memory_ || word == &program_) *word &= ~kZero;  // there is no program memory
  return true;
}

// The DMA of a shim has a module of its own.
bool TileControl::dma_runs() const {
  return kind_ == TileKind::kShim ? (clock_1_ & 1) != 0 : (clock_ & kModule) != 0;
}
bool TileControl::dma_in_reset() const {
  return kind_ == TileKind::kShim ? (reset_1_ & 1) != 0 : (reset_ & kModule) != 0;
}

bool TileControl::TakeZero() {
  const bool zero = zero_;
  zero_ = false;
  return zero;
}

}  // namespace tessera::aieml
