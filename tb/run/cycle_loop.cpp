// Settle, sample, edge, drive.
#include "tb/run/cycle_loop.h"

#include <algorithm>

#include "tb/files/interrupt.h"
#include "tb/files/output.h"

namespace tessera {

CycleLoop::CycleLoop(Clocked* model, const Rng& rng, bool shuffle, uint64_t reset_cycles)
    : model_(model),
      rng_(rng.Stream("order of components")),
      shuffle_(shuffle),
      reset_left_(std::max<uint64_t>(reset_cycles, 1) - 1) {}

void CycleLoop::InsertAtRandom(std::vector<Component*>* order, Component* component) {
  order->push_back(component);
  if (shuffle_) std::swap(order->back(), (*order)[rng_.Below(order->size())]);
}

void CycleLoop::Add(Component* component) {
  InsertAtRandom(&samples_, component);
  InsertAtRandom(&drives_, component);
}

void CycleLoop::Reset(uint64_t length) {
  reset_left_ = std::max(reset_left_, length);
  ++resets_;
}

void CycleLoop::TraceWindow(const std::string& path, uint64_t from, uint64_t to) {
  trace_path_ = path;
  trace_from_ = from;
  trace_to_ = to;
  if (from == 0) Trace(path);
}

void CycleLoop::Trace(const std::string& path) {
  try {
    model_->Trace(path);
  } catch (const OutputError& error) {
    unwritten_ = error.what();
  }
}

std::string CycleLoop::EndTrace() {
  if (!trace_path_.empty()) Trace("");
  return unwritten_;
}

void CycleLoop::Step() {
  if (stops_ && tick_.cycle % 256 == 0 && Interrupted()) throw InterruptedRun();
  model_->Settle();
  for (Component* component : samples_) component->Sample(tick_);
  AfterSample();

  if (tick_.cycle + 1 == trace_from_) Trace(trace_path_);
  if (tick_.cycle == trace_to_) Trace("");
  model_->Edge();

  BeforeDrive({tick_.cycle + 1, reset_left_ > 0});
  const Tick next{tick_.cycle + 1, reset_left_ > 0};
  if (reset_left_ > 0) --reset_left_;
  model_->aresetn = !next.reset;
  for (Component* component : drives_) component->Drive(next);
  AfterDrive();
  tick_ = next;
}

}  // namespace tessera
