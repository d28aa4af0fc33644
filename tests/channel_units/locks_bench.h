// The banks of locks_top.sv with their pins as values.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "tests/channel_units/unit.h"
#include "units/Vlocks_top.h"

namespace tessera::locks {

inline constexpr int kMost = 32;
struct Shape {
  int channels, locks;
  bool equal_takes;
};
inline constexpr std::array<Shape, 5> kShapes = {
    {{2, 16, false}, {1, 1, false}, {5, 64, true}, {32, 7, false}, {4, 0, false}}};

struct Op {
  int lock = 0;
  int value = 0;
};
enum class Command { kRead = 0, kSet = 1, kRelease = 2, kTry = 3 };

inline bool Holds(Op op, int held) { return op.value < 0 ? held >= -op.value : held == op.value; }

// One bank of the top.
class Bank {
 public:
  Bank(ClockedUnit<Vlocks_top>* unit, int cell) : unit_(unit), cell_(cell) {
    for (int c = 0; c < kMost; ++c) {
      Acquire(c, std::nullopt);
      Release(c, std::nullopt);
    }
    Ask(Command::kRead, std::nullopt);
    Clear(0, 0);
  }
  const Shape& shape() const { return kShapes[static_cast<size_t>(cell_)]; }

  void Acquire(int channel, std::optional<Op> op) {
    Put(unit_->model().acquire_i, At(channel), op, 0);
    SetPinBit(unit_->model().acquire_valid_i, At(channel), op.has_value());
  }
  void Release(int channel, std::optional<Op> op) {
    Put(unit_->model().release_i, At(channel), op, 0);
    SetPinBit(unit_->model().release_valid_i, At(channel), op.has_value());
  }
  void Ask(Command command, std::optional<Op> op) {
    Put(unit_->model().reg_i, cell_, op, static_cast<int>(command));
    SetPinBit(unit_->model().reg_valid_i, cell_, op.has_value());
  }
  void Clear(uint64_t over, uint64_t under) {
    PinAt<uint64_t>(unit_->model().over_clear_i, cell_) = over;
    PinAt<uint64_t>(unit_->model().under_clear_i, cell_) = under;
  }
  bool acquired(int channel) { return PinBit(unit_->model().acquire_ready_o, At(channel)); }
  bool released(int channel) { return PinBit(unit_->model().release_ready_o, At(channel)); }
  bool release_over(int channel) { return PinBit(unit_->model().release_over_o, At(channel)); }
  bool release_under(int channel) { return PinBit(unit_->model().release_under_o, At(channel)); }
  bool answered() { return PinBit(unit_->model().reg_ready_o, cell_); }
  bool granted() { return PinBit(unit_->model().reg_granted_o, cell_); }
  int value() { return PinBytes(unit_->model().reg_value_o)[cell_]; }
  uint64_t over() { return PinAt<uint64_t>(unit_->model().over_o, cell_); }
  uint64_t under() { return PinAt<uint64_t>(unit_->model().under_o, cell_); }

 private:
  int At(int channel) const { return cell_ * kMost + channel; }
  template <typename Pin>
  static void Put(Pin& pin, int at, std::optional<Op> op, int command) {
    const Op put = op.value_or(Op{});
    PinAt<uint16_t>(pin, at) =
        static_cast<uint16_t>(command << 14 | put.lock << 8 | (put.value & 0x7f));
  }

  ClockedUnit<Vlocks_top>* unit_;
  int cell_;
};

}  // namespace tessera::locks
