// A program for tessera_dma taken apart: numbers for its names, and the transfers of each channel
// in order; the bytes that a transfer visits. Inside tools/prepare alone.
#pragma once

#include "tb/model/walk.h"
#include "tools/prepare/prepare.h"

namespace tessera::cli {

// Fills in what PreparedChannel and Prepared keep of a program; channels with transfers get a
// descriptor for each, and a task for each but those that belong together. Throws job::Error.
void ExpandProgram(Prepared* prepared);

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
