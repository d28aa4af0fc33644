// One verilated model: its context, start-up values, evaluation and waveform.
//
// Every register starts at a value drawn from the seed. An assertion that fails in the model makes
// Evaluate() throw std::runtime_error. Model is the class that Verilator generates, or Covered of
// it.
#pragma once

#include <verilated.h>
#include <verilated_fst_c.h>

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include "tb/files/wave.h"

namespace tessera {

template <typename Model>
class VerilatedModel {
 public:
  VerilatedModel(std::string name, uint64_t seed) : name_(std::move(name)) {
    context_->fatalOnError(false);
    if constexpr (kWaves) context_->traceEverOn(true);
    context_->randReset(2);
    // Seeds are per thread: set them right before the model is built. 0 would mean "any".
    context_->randSeed(static_cast<int>(seed % 0x7ffffffe) + 1);
    Enter();
    model_ = std::make_unique<Model>(context_.get(), name_.c_str());
  }
  ~VerilatedModel() {
    Enter();
    try {
      Trace("");
    } catch (const OutputError&) {  // whoever wants to know ends it before
    }
    model_->final();
  }
  VerilatedModel(const VerilatedModel&) = delete;
  VerilatedModel& operator=(const VerilatedModel&) = delete;

  Model& operator*() { return *model_; }
  Model* operator->() { return model_.get(); }

  // The two halves of a cycle: everything settles with the clock low; the clock rises.
  void Settle() {
    SetClock(0);
    Evaluate();
  }
  void Edge() {
    SetClock(1);
    Evaluate();
  }
  // For models with more clocks: settles the pins and lets `time` pass.
  void Evaluate(uint64_t time = 1) {
    Enter();
    model_->eval();
    if constexpr (kWaves) {
      if (trace_ != nullptr) trace_->dump(context_->time());
    }
    context_->timeInc(time);
    if (context_->gotFinish()) [[unlikely]] {
      throw std::runtime_error(name_ +
                               ": the model stopped (an assertion failed, see above) at time " +
                               std::to_string(context_->time()));
    }
  }

  // Writes a waveform (FST) from the next evaluation on; an empty path ends it, and only then it
  // has its name. Throws as OutputFile does.
  void Trace(const std::string& path) {
    Enter();
    if constexpr (kWaves) {
      if (trace_ != nullptr) {
        trace_->close();
        trace_.reset();
        const std::unique_ptr<WaveFile> wave = std::move(wave_);
        wave->Finish();
      }
      if (path.empty()) return;
      wave_ = std::make_unique<WaveFile>(path);
      trace_ = std::make_unique<Wave>();
      model_->trace(trace_.get(), 99);
      trace_->open(wave_->temporary().c_str());
    } else if (!path.empty()) {
      throw std::runtime_error(name_ + " was built without waveforms: " + path +
                               " cannot be written; build with -DTESSERA_TRACE=ON");
    }
  }

 private:
  // Whether the model can write waveforms (WAVES in cmake/TesseraModel.cmake).
  static constexpr bool kWaves = requires(Model & model, VerilatedFstC* wave) {
    model.trace(wave, 99);
  };
  struct NoWave {};
  using Wave = std::conditional_t<kWaves, VerilatedFstC, NoWave>;

  // Verilator takes the context of the thread for that of whatever runs: where several models live,
  // an assertion would stop another one, and a destructor would look at one that is gone.
  void Enter() { Verilated::threadContextp(context_.get()); }
  void SetClock(uint8_t level) {
    if constexpr (requires(Model & model) { model.aclk; }) {
      model_->aclk = level;
    } else {
      model_->clk_i = level;
    }
  }

  std::string name_;
  std::unique_ptr<VerilatedContext> context_ = std::make_unique<VerilatedContext>();
  std::unique_ptr<Model> model_;
  std::unique_ptr<WaveFile> wave_;
  std::unique_ptr<Wave> trace_;
};

}  // namespace tessera
