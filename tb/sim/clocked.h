// A model under one clock, whatever its ports.
//
// A cycle is
//   Settle()   what the harness drives reaches the model's outputs: all channels hold what a flop
//              would sample (everybody looks at them, nobody writes)
//   Edge()     the rising clock edge (then everybody writes its own side for the next cycle)
#pragma once

#include <string>

namespace tessera {

class Clocked {
 public:
  Clocked() = default;
  virtual ~Clocked() = default;
  Clocked(const Clocked&) = delete;
  Clocked& operator=(const Clocked&) = delete;

  virtual void Settle() = 0;
  virtual void Edge() = 0;
  // Starts writing a waveform (FST) from the next edge on; an empty path stops.
  virtual void Trace(const std::string& path) = 0;

  bool aresetn = false;
};

}  // namespace tessera
