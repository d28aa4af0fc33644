// What a bench calls in every cycle: a bus model, an end of a stream, a feeder, a monitor.
//
// A cycle is: all channels settle; every component's Sample() looks at them; the clock rises; every
// component's Drive() writes its own side for the next cycle. A component reads channels in
// Sample() alone and writes them in Drive() alone, so the order of components cannot matter.
#pragma once

#include "tb/sim/tick.h"

namespace tessera {

class Component {
 public:
  virtual ~Component() = default;
  virtual void Sample(const Tick& tick) = 0;
  virtual void Drive(const Tick& /*next*/) {}
};

}  // namespace tessera
