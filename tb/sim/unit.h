// A verilated cell for a unit test.
//
// Pins are the members of model(), or those of the model's V*_Pins; Evaluate() settles them.
// TESSERA_UNIT_TRACE=FILE in the environment writes a waveform of the last model that was made.
#pragma once

#include <cstdlib>

#include "tb/sim/verilated_model.h"
#if VM_COVERAGE
#include <typeinfo>

#include "tb/sim/covered.h"
#endif

namespace tessera {

template <typename VModel>
class VerilatedUnit {
 public:
#if VM_COVERAGE
  using Model = Covered<VModel>;
  static const char* Name() { return typeid(VModel).name(); }  // of its file
#else
  using Model = VModel;
  static const char* Name() { return "unit"; }
#endif

  explicit VerilatedUnit(uint64_t seed) : model_(Name(), seed) {
    if (const char* path = std::getenv("TESSERA_UNIT_TRACE")) model_.Trace(path);
  }

  VModel& model() { return *model_; }
  // The two halves of a cycle, for a model whose clock is clk_i.
  void Settle() { model_.Settle(); }
  void Edge() { model_.Edge(); }
  // For models with more clocks: settles the pins and lets `time` pass.
  void Evaluate(uint64_t time = 1) { model_.Evaluate(time); }

 private:
  VerilatedModel<Model> model_;
};

}  // namespace tessera
