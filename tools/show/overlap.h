// Whether a transfer visits a byte of memory more than once.
#pragma once

#include "tools/show/analysis.h"

namespace tessera::show {

enum class Overlap {
  kNone,
  kSome,
  kUnknown,  // too large to try, and its strides do not tell
};

Overlap FindOverlap(const Subject& subject);

}  // namespace tessera::show
