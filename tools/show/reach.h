// What a transfer touches of memory.
#pragma once

#include "tools/show/analysis.h"

namespace tessera::show {

// The lowest and the highest byte.
Extent FindExtent(const Nest& nest);

// Whether it visits a byte more than once.
enum class Overlap {
  kNone,
  kSome,
  kUnknown,  // too large to try, and its strides do not tell
};

Overlap FindOverlap(const Subject& subject);

}  // namespace tessera::show
