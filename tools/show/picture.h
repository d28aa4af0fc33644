// A picture of a transfer: its walk over memory, its bursts, its stream. SVG.
#pragma once

#include <string>

#include "tools/show/report.h"

namespace tessera::show {

// Small transfers entirely, large ones as an overview and their beginning.
std::string MakePicture(const Report& report);

}  // namespace tessera::show
