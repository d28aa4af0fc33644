// A verilated cell for a unit test.
//
// Pins are the members of model(), or those of the model's V*_Pins; Evaluate() settles them.
// TESSERA_UNIT_TRACE=FILE in the environment writes a waveform of the last model that was made.
#pragma once

#include <cstdlib>

#include "tb/sim/verilated_model.h"

namespace tessera {

template <typename VModel>
class VerilatedUnit {
 public:
  explicit VerilatedUnit(uint64_t seed) : model_("unit", seed) {
    if (const char* path = std::getenv("TESSERA_UNIT_TRACE")) model_.Trace(path);
  }

  VModel& model() { return *model_; }
  // The two halves of a cycle, for a model whose clock is clk_i.
  void Settle() { model_.Settle(); }
  void Edge() { model_.Edge(); }
  // For models with more clocks: settles the pins and lets `time` pass.
  void Evaluate(uint64_t time = 1) { model_.Evaluate(time); }

 private:
  VerilatedModel<VModel> model_;
};

}  // namespace tessera
