// A stackful coroutine: runs a function that may give control back from any depth of calls.
//
// Kernels of ADF are plain functions that wait inside, so a coroutine without a stack of its own
// cannot run them. A fiber that is destroyed before its end is unwound: the call in which it waits
// throws.
#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <memory>

namespace tessera::graph {

class Fiber {
 public:
  explicit Fiber(std::function<void()> body);
  ~Fiber();
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  // Runs until the function waits or returns. Throws what the function throws.
  void Resume();
  bool done() const;

  // Of the fiber that runs: gives control back to Resume().
  static void Yield();
  // The fiber that runs; nullptr outside of fibers.
  static Fiber* Current();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tessera::graph
