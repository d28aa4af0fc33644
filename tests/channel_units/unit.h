// A verilated unit with a clock: pins are written before a cycle, read in the middle of it.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <optional>

#include "tb/sim/rng.h"
#include "tb/sim/unit.h"
#include "tests/fabric_streams/streams.h"

namespace tessera {

// Element `at` of a pin that is an array of them.
template <typename Element, typename Pin>
Element& PinAt(Pin& pin, int at) {
  return reinterpret_cast<Element*>(PinBytes(pin))[at];
}

// One access of descriptor RAM.
struct DescriptorAccess {
  bool write = false;
  int area = 0, descriptor = 0, word = 0;
  uint32_t data = 0, strobe = 15;
  bool whole() const { return write && strobe == 15; }
  // As descriptor_access_t, below bit 51: valid.
  static uint64_t Pins(const std::optional<DescriptorAccess>& access) {
    if (!access) return 0;
    const DescriptorAccess& a = *access;
    return a.strobe | static_cast<uint64_t>(a.data) << 4 | static_cast<uint64_t>(a.word) << 36 |
           static_cast<uint64_t>(a.descriptor) << 40 | static_cast<uint64_t>(a.area) << 48 |
           static_cast<uint64_t>(a.write) << 50 | 1ULL << 51;
  }
};

template <typename V>
class ClockedUnit {
 public:
  explicit ClockedUnit(uint64_t seed) : unit_(seed) {}

  V& model() { return unit_.model(); }
  uint64_t cycle() const { return cycle_; }

  // A cycle. `look` is called when the pins have settled.
  template <typename Look>
  void Cycle(Look&& look, bool reset = false) {
    V& m = model();
    m.rst_ni = !reset;
    m.clk_i = 0;
    unit_.Evaluate();
    look();
    m.clk_i = 1;
    unit_.Evaluate();
    ++cycle_;
  }
  void Cycle() {
    Cycle([] {});
  }
  void Reset(int cycles = 3) {
    for (int i = 0; i < cycles; ++i) Cycle([] {}, true);
  }

 private:
  VerilatedUnit<V> unit_;
  uint64_t cycle_ = 0;
};

}  // namespace tessera
