// A transfer as a picture and as a page: its walk over memory, its bursts, its stream.
#pragma once

#include <string>

#include "tools/pictures/canvas.h"
#include "tools/show/report.h"

namespace tessera::show {

// SVG. Small transfers entirely, large ones as an overview and their beginning.
std::string MakePicture(const Report& report);

// The whole to scale, in the two dimensions with the shortest strides.
// Draws it from `y` on; `read`: what lies outside its bounds is fill. Returns the bottom edge.
double DrawOverview(Canvas* canvas, const model::Transfer& transfer, bool read, double y);

// One HTML file that needs nothing else, on which the walk can be stepped.
inline constexpr uint64_t kPagePositions = 1024;  // that can be stepped through
std::string MakePage(const Report& report);

}  // namespace tessera::show
