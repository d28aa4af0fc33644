// Random accesses of the registers of a tessera_dma, legal and illegal, while its channels run.
//
// Every access must be answered, no rule of a bus broken, and with windows nothing written outside
// of them; at the end, after a reset of the whole, the driver must find the IP as on the first day.
// The accesses themselves are what a driver never does. Windows are locked at the beginning; other
// locks come at the end of a round of some thousand accesses, hold until the reset of the whole
// that ends it, and are checked. What has come to rest is begun again.
#pragma once

#include <cstdint>
#include <string>

#include "tb/dma/random_program.h"

namespace tessera {

// `executions` of the result counts accesses, `compared` those that were refused. With `waveform`,
// writes a waveform.
ProgramResult FuzzRegisters(const std::string& build, uint64_t seed, uint64_t accesses,
                            const std::string& waveform = "");

}  // namespace tessera
