// From the reference model's values to the pins: the descriptor an engine is given, and what it
// gives back.
//
// The bits of its words are those of registers.hpp; tb/model/descriptor.h reads them without.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tb/bus/axi_errors.h"
#include "tb/model/reference.h"
#include "tb/model/transfer.h"
#include "tb/sim/dut.h"

namespace tessera {

// What the model needs to know of a configuration.
model::Build BuildOf(const Config& config);

// The words of the descriptor. `offset` is added to `base`, and so is `start` where the build has
// no bounds. Addresses and strides count modulo the address width of `build`. Encodes anything,
// also what a build refuses.
EngineTransfer Encode(const model::Transfer& transfer, const model::Build& build = {});

// What a memory answers in these ranges.
std::vector<ErrorRule> RulesOf(const std::vector<model::ErrorRange>& reads,
                               const std::vector<model::ErrorRange>& writes);

// The `status` of a record as the engine reports it.
uint8_t StatusOf(const model::Record& record);

// "slverr overlong" for 5, "ok" for 0.
std::string StatusText(uint8_t status);

}  // namespace tessera
