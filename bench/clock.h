// The estimated clock of each engine, from bench/figures.json: what `scripts/clock` found.
#pragma once

#include <optional>
#include <string>

#include "bench/row.h"

namespace tessera::bench {

class Clocks {
 public:
  // Throws std::invalid_argument for a file without `units`.
  static Clocks Load(const std::string& path);

  // MHz; memory to memory has that of the slower engine.
  std::optional<double> Mhz(Path path, int bits) const;

 private:
  std::optional<double> read64_, read512_, write64_, write512_;
};

// GB/s that a share of a bus delivers.
inline double Bandwidth(double utilisation, int bits, double mhz) {
  return utilisation * bits / 8.0 * mhz / 1000.0;
}

}  // namespace tessera::bench
