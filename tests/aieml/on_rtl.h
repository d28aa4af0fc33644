// The arrays of a run of the tests: of the behavioural model, or of the RTL if the environment has
// TESSERA_ARRAY_RTL, as the tests whose names begin with `Rtl.` do it.
#pragma once

#include <cstdlib>
#include <string>
#include <utility>

#include "lib/aieml/array.h"
#include "tools/aieml/array/array_file.h"
#include "tools/aieml/rtl/rtl_dma.h"

namespace tessera::aieml {

inline bool OnRtl() { return std::getenv("TESSERA_ARRAY_RTL") != nullptr; }

inline ArrayOptions Here(ArrayOptions options) {
  if (OnRtl()) options.make_dma = array::MakeRtl({});
  return options;
}

// Cycles of the model, and on the RTL the latency of its descriptors beside them.
inline uint64_t Soon(uint64_t cycles) { return OnRtl() ? cycles + 100 : cycles; }

inline array::ArrayFile ParseHere(const std::string& text, const std::string& path) {
  array::ArrayFile file = array::Parse(text, path);
  file.rtl = OnRtl();
  return file;
}

}  // namespace tessera::aieml
