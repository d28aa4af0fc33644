// tessera_mover4d in `tessera gen`: kernels with the register block of Vitis HLS, whose
// specifications may have contents of a ROM and names for host code.
#pragma once

#include "tools/gen/product.h"

namespace tessera::gen {

Product Mover4d();

}  // namespace tessera::gen
