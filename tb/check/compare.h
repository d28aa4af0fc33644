// Compares a run that nobody aborted with the reference model: streams, records, memory.
#pragma once

#include <span>

#include "tb/check/scoreboard.h"
#include "tb/model/transfer.h"
#include "tb/run/bench.h"

namespace tessera {

// `reads` and `writes` are all that the bench was given, in order; `board` was made from the memory
// before the run. With a loopback inside the hardware the write engine's stream is what the read
// engine should have sent.
void CompareRun(const EngineBench& bench, std::span<const model::Transfer> reads,
                std::span<const model::Transfer> writes, Scoreboard* board);

}  // namespace tessera
