// Explains why a tessera_dma stands still: which channel waits for whom, read from its registers as
// software would.
#pragma once

#include <string>

#include "tb/dma/dma_bench.h"

namespace tessera {

// A line a channel that is not idle: the descriptor, the lock with its value and who would release
// it (descriptors in RAM, with the channels whose tasks come to them, and those of lists), the
// trigger with its source and the state of that, the queue that is full, the stream that does not
// move. Behind a transfer that waits for memory or stream, the same of the next one. Takes register
// accesses, and so cycles.
std::string WhoWaits(DmaBench* bench);

}  // namespace tessera
