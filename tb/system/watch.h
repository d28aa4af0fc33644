// Looks at every address on the ports: whose it is, whether it may be there, what it says.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tb/run/fabric_bench.h"
#include "tb/system/extent.h"
#include "tb/system/system_case.h"

namespace tessera {

class PortWatch {
 public:
  PortWatch(const SystemCase& value, FabricBench* bench);
  void Sample(const Tick& tick);
  uint64_t addresses() const { return addresses_; }
  // The first thing that was wrong; empty if nothing was.
  const std::string& failure() const { return failure_; }

 private:
  struct Side {  // one direction of a channel
    WordSet words;
    std::vector<Fabric::Window> windows;
    int late = 0;  // addresses since it is at fault
  };
  void Address(uint64_t cycle, int port, Direction direction, const AxiAddress& address,
               bool fresh);
  bool Owns(int k, Direction direction, uint64_t addr, int beats, const Fabric::Standing& shown,
            std::string* why);
  Side& side(int k, Direction direction) {
    return (direction == Direction::kRead ? reads_ : writes_)[static_cast<size_t>(k)];
  }

  const SystemCase& case_;
  FabricBench* bench_;
  std::vector<Side> reads_, writes_;
  std::vector<bool> ar_shown_, aw_shown_;
  uint64_t addresses_ = 0;
  std::string failure_;
};

}  // namespace tessera
