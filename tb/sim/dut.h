// The model under test as everything else sees it: a pair of engines with its ports, and one clock.
//
// Every configuration of the RTL is a generated C++ class of its own; `Dut` hides which.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tb/sim/clocked.h"
#include "tb/sim/ports.h"

namespace tessera {

// What a named configuration was built with (the parameters of tsr_engine_pair).
struct Config {
  std::string name;
  int addr_width = 64;
  int data_bytes = 8;
  int stream_bytes = 8;
  int max_burst = 64;
  int outstanding = 64;
  bool walk = true;
  bool bounds = true;
  bool loopback = false;
};
inline const std::string& NameOf(const Config& config) { return config.name; }

class Dut : public Clocked, public PairPorts {
 public:
  virtual const Config& config() const = 0;
};

// Every configuration linked into this program.
std::vector<Config> Configs();
// A new model in its reset-undefined state; registers start at values drawn from `seed`.
// Throws std::invalid_argument naming the known configurations when `name` is none of them.
std::unique_ptr<Dut> MakeDut(const std::string& name, uint64_t seed);

}  // namespace tessera
