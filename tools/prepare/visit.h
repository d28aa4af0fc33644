// The bytes of memory that a transfer visits. Inside tools/prepare alone.
#pragma once

#include <cstdint>
#include <utility>

#include "tb/model/transfer.h"
#include "tb/model/walk.h"

namespace tessera::cli {

// Calls `visit(address)` for every byte of memory that a transfer visits, until it returns false.
template <typename Visit>
void ForEachByte(const model::Transfer& t, const model::Build& build, Visit&& visit) {
  model::Walk(t, build, [&](const model::Position& p) {
    for (int b = 0; p.valid && b < t.elem; ++b) {
      if (!visit((p.addr + static_cast<uint64_t>(b)) & build.AddressMask())) return false;
    }
    return true;
  });
}

}  // namespace tessera::cli
