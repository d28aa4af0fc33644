// A verilated unit with a clock: pins are written before a cycle, read in the middle of it.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>

#include "tb/sim/rng.h"
#include "tb/sim/unit.h"
#include "tests/fabric_streams/streams.h"

namespace tessera {

// Element `at` of a pin that is an array of them.
template <typename Element, typename Pin>
Element& PinAt(Pin& pin, int at) {
  return reinterpret_cast<Element*>(PinBytes(pin))[at];
}

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
