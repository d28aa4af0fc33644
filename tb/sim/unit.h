// A verilated cell for a unit test: context, start-up values and evaluation.
//
// VerilatedUnit<VModel>(seed) gives every register a start-up value drawn from `seed`. Pins are the
// members of model(); Evaluate() settles them. An assertion that fails in the model makes it throw
// std::runtime_error. TESSERA_UNIT_TRACE=FILE in the environment writes a waveform of the last
// model that was made.
#pragma once

#include <verilated.h>
#ifndef VM_TRACE_FST
#define VM_TRACE_FST 0
#endif
#if VM_TRACE_FST
#include <verilated_fst_c.h>
#endif

#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>

namespace tessera {

template <typename VModel>
class VerilatedUnit {
 public:
  explicit VerilatedUnit(uint64_t seed) {
    context_->fatalOnError(false);
#if VM_TRACE_FST
    context_->traceEverOn(true);
#endif
    context_->randReset(2);
    // Seeds are per thread: set them right before the model is built. 0 would mean "any".
    context_->randSeed(static_cast<int>(seed % 0x7ffffffe) + 1);
    Verilated::threadContextp(context_.get());
    model_ = std::make_unique<VModel>(context_.get(), "unit");
#if VM_TRACE_FST
    if (const char* path = std::getenv("TESSERA_UNIT_TRACE")) {
      trace_ = std::make_unique<VerilatedFstC>();
      model_->trace(trace_.get(), 99);
      trace_->open(path);
    }
#endif
  }
  ~VerilatedUnit() {
#if VM_TRACE_FST
    if (trace_ != nullptr) trace_->close();
#endif
    model_->final();
  }
  VerilatedUnit(const VerilatedUnit&) = delete;
  VerilatedUnit& operator=(const VerilatedUnit&) = delete;

  VModel& model() { return *model_; }
  const VModel& model() const { return *model_; }

  // Settles the pins and lets `time` pass.
  void Evaluate(uint64_t time = 1) {
    model_->eval();
#if VM_TRACE_FST
    if (trace_ != nullptr) trace_->dump(context_->time());
#endif
    context_->timeInc(time);
    if (context_->gotFinish()) [[unlikely]] {
      throw std::runtime_error("the model stopped (an assertion failed, see above) at time " +
                               std::to_string(context_->time()));
    }
  }

 private:
  std::unique_ptr<VerilatedContext> context_ = std::make_unique<VerilatedContext>();
  std::unique_ptr<VModel> model_;
#if VM_TRACE_FST
  std::unique_ptr<VerilatedFstC> trace_;
#endif
};

}  // namespace tessera
