// The named configurations of cmake/configs.json and cmake/fabrics.json, also those that this
// program does not simulate.
#pragma once

#include <string>
#include <vector>

#include "tools/job/job.h"

namespace tessera::show {

std::vector<job::Hardware> NamedHardware();
// Throws std::invalid_argument if there is none of that name; `place` is where the name comes from.
job::Hardware FindNamed(const std::string& name, const std::string& place = "configuration");

}  // namespace tessera::show
