// Finds the smallest case that still fails.
//
// Delta debugging over the value: whole transfers and halves of lists first, then features, then
// numbers. A change is kept if the case is still sensible (`repair`) and still fails.
#pragma once

#include <cstdint>
#include <functional>

#include "tb/random/case.h"

namespace tessera {

struct ShrinkResult {
  Case smallest;
  uint64_t tried = 0;  // runs of the predicate
  uint64_t kept = 0;   // that made the case smaller
};

struct ShrinkOptions {
  uint64_t most_runs = 2000;
  // Makes a changed case sensible again; false if it cannot be.
  std::function<bool(Case*)> repair = [](Case*) { return true; };
  // Called after each kept change.
  std::function<void(const ShrinkResult&)> progress = [](const ShrinkResult&) {};
};

// `fails` must hold for `failing` and must not depend on anything but its argument.
ShrinkResult Shrink(const Case& failing, const std::function<bool(const Case&)>& fails,
                    const ShrinkOptions& options = {});

// How much there is in a case: every change that is kept makes it smaller.
uint64_t Weight(const Case& value);

}  // namespace tessera
