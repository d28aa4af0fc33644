// The whole of a transfer to scale, in the two dimensions with the shortest strides.
#pragma once

#include "tb/model/transfer.h"
#include "tools/pictures/canvas.h"

namespace tessera::show {

// Draws it from `y` on; `read`: what lies outside its bounds is fill. Returns the bottom edge.
double DrawOverview(Canvas* canvas, const model::Transfer& transfer, bool read, double y);

}  // namespace tessera::show
