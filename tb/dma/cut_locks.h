// Locks after channels were cut: what each transfer that began took is gone, what each that ended
// gave is there, and nothing else has moved.
//
// The records of a channel tell which transfers began. Where they do not, locks are not compared: a
// transfer that asked for no record and ended without an error leaves none, nor does one that a
// long reset cut off.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "tb/device/device_model.h"
#include "tb/dma/native.h"

namespace tessera {

struct LocksCompared {
  int locks = 0;
  std::vector<std::string> differences;
};

// `model` has executed the whole program, `before` is the value of each lock before it, `records`
// those of each channel until it was at rest, `now` the value of a lock. `cut_off`: a reset lasted
// so long that it may have cut off what had begun.
LocksCompared CompareCutLocks(const DeviceModel& model, std::span<const int> before,
                              std::span<const std::vector<native::Record>> records, bool cut_off,
                              const std::function<int(int)>& now);

}  // namespace tessera
