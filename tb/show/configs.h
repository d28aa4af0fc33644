// The named configurations of cmake/configs.json, also those that are not simulated.
#pragma once

#include <string>
#include <vector>

#include "tb/sim/dut.h"

namespace tessera::show {

std::vector<Config> NamedConfigs();
// Throws std::invalid_argument if there is none of that name; `place` is where the name comes from.
Config NamedConfig(const std::string& name, const std::string& place = "configuration");

}  // namespace tessera::show
