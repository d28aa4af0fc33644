// The lowest and the highest byte of memory that a transfer touches.
#pragma once

#include "tools/show/analysis.h"

namespace tessera::show {

Extent FindExtent(const Nest& nest);

}  // namespace tessera::show
