// Parts of random programs of tessera_dma that can be left out: a failing program becomes smaller.
//
// Names: `t1.0` task 0 of channel 1 (reads first), `l1.2` entry 2 of its list, `d5` descriptor 5,
// which its chain then goes past; those of a second program begin with `2/`. `paces`: streams and
// small streams pause at random; `memory`: it answers at random, not at once.
#pragma once

#include <string>

#include "tb/dma/dma_bench.h"
#include "tb/dma/dma_program.h"
#include "tb/random/parts.h"

namespace tessera {

// Of a program, and of the one that follows it if channels are cut. Groups are channels.
Parts PartsOf(const DmaConfig& config, const DmaProgram& program,
              const DmaProgram* again = nullptr);

// Leaves out of a program what is not kept. Tasks without descriptors go, and the stream of what is
// left out. What others wait for may be among it: then what is left has no end.
void Reduce(const Parts& parts, const DmaConfig& config, const std::string& prefix,
            DmaProgram* program);
void Reduce(const Parts& parts, DmaBenchOptions* options);

}  // namespace tessera
