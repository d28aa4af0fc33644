// Latencies: one transfer at a time, everything else ready and waiting.
#pragma once

#include "bench/row.h"
#include "tb/sim/dut.h"

namespace tessera::bench {

LatencyResult MeasureLatency(const LatencyRow& row, const Config& config);

}  // namespace tessera::bench
