// The named configurations of cmake/configs.json and the builds of cmake/dmas.json that can be
// simulated, whether this program does or not.
#pragma once

#include <string>
#include <vector>

#include "tools/job/job.h"

namespace tessera::show {

std::vector<job::Hardware> NamedHardware();
// Throws std::invalid_argument if there is none of that name; `place` is where the name comes from.
job::Hardware FindNamed(const std::string& name, const std::string& place = "configuration");

// The same of a build of tessera_dma.
job::Hardware FindNamedDma(const std::string& name, const std::string& place);
// Of what the job names.
job::Hardware FindNamed(const job::Job& job);

}  // namespace tessera::show
