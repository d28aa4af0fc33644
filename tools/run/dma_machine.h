// A tessera_dma with memory and streams around it, and software on its driver (sw/driver).
//
// It reads the capabilities, opens the windows, sets locks, triggers and interrupts, writes
// descriptors, pushes a task when the queue has room, and takes records when the interrupt line
// says so. Between this it reads STATUS of each channel, the counters and the locks: what it sees
// is the timeline of the run. It uses registers alone. Channels whose tasks end without a record,
// which the driver does not take, are pushed by register.
#pragma once

#include <memory>

#include "tools/run/machine.h"

namespace tessera::cli {

std::unique_ptr<Machine> MakeDmaMachine(const Prepared& prepared);

}  // namespace tessera::cli
