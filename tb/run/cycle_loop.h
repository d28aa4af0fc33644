// The cycle of every bench: a model, its components in an order drawn from the seed, resets, and a
// waveform of a window.
//
// A bench derives from it, adds its components, and says in AfterSample() and BeforeDrive() what it
// does between them. The order of components must not matter.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tb/sim/clocked.h"
#include "tb/sim/component.h"
#include "tb/sim/rng.h"
#include "tb/sim/tick.h"

namespace tessera {

class CycleLoop {
 public:
  virtual ~CycleLoop() = default;
  CycleLoop(const CycleLoop&) = delete;
  CycleLoop& operator=(const CycleLoop&) = delete;

  // One cycle of everything.
  void Step();
  // aresetn is low for `length` cycles from the next cycle on.
  void Reset(uint64_t length);
  const Tick& tick() const { return tick_; }
  uint64_t cycle() const { return tick_.cycle; }
  // Resets that have begun since the start.
  uint64_t resets() const { return resets_; }
  // From now on a signal (tb/files/interrupt.h) makes Step() throw InterruptedRun, soon.
  void StopAtInterrupt() { stops_ = true; }
  // Writes a waveform of cycles from .. to. EndTrace() tells if it is not there.
  void TraceWindow(const std::string& path, uint64_t from, uint64_t to);

 protected:
  // Begins in the first of `reset_cycles` cycles of reset. The order of components is drawn from
  // `rng`, or that in which they are added.
  CycleLoop(Clocked* model, const Rng& rng, bool shuffle, uint64_t reset_cycles);

  void Add(Component* component);
  bool reset_pending() const { return reset_left_ > 0; }
  uint64_t trace_end() const { return trace_to_; }
  // Ends the waveform, if one was asked for; returns why it could not be written, or nothing.
  std::string EndTrace();

  virtual void AfterSample() {}
  virtual void BeforeDrive(const Tick& /*next*/) {}
  virtual void AfterDrive() {}

 private:
  void Trace(const std::string& path);
  void InsertAtRandom(std::vector<Component*>* order, Component* component);

  Clocked* model_;
  Rng rng_;
  bool shuffle_;
  std::vector<Component*> samples_, drives_;
  Tick tick_{0, true};
  uint64_t reset_left_;
  uint64_t resets_ = 0;
  bool stops_ = false;  // at an interrupt
  std::string trace_path_, unwritten_;
  uint64_t trace_from_ = kNever, trace_to_ = kNever;
};

}  // namespace tessera
