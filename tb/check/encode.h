// From the reference model's values to the pins: what an engine is given, and what it gives back.
//
// The driver and the front ends have encoders of their own; this one belongs to the tests and
// follows the norm alone.
#pragma once

#include <cstdint>
#include <string>

#include "tb/model/reference.h"
#include "tb/model/transfer.h"
#include "tb/sim/dut.h"

namespace tessera {

// What the model needs to know of a configuration.
model::Build BuildOf(const Config& config);

// First address, byte steps of the traversal, dimension 0 and length in bytes, bounds as indices,
// fill repeated to 64 bits. A traversal that moves dimension 0 by more than the pins can say in
// bytes makes a transfer that is not dense: each element is a row. Encodes anything, also what a
// build refuses, but a row or a length of more than 2^32 - 1 bytes: std::out_of_range.
EngineTransfer Encode(const model::Transfer& transfer);

// The `status` of a record as the engine reports it.
uint8_t StatusOf(const model::Record& record);

// "slverr overlong" for 5, "ok" for 0.
std::string StatusText(uint8_t status);

}  // namespace tessera
