// The bench as a command: its options, and running it.
#pragma once

#include <string>
#include <vector>

#include "bench/measure.h"

namespace CLI {
class App;
}

namespace tessera::bench {

struct Options {
  std::vector<std::string> filters;
  bool list = false, quick = false, check = false, update = false, speed = false, strict = false;
  double speed_seconds = 2.0;
  std::string csv, plots;
  std::string baseline;
  std::string clocks;
  WaveRequest wave;
};

// `options` must outlive `app`. Its files are those of the sources, unless given.
void AddOptions(CLI::App& app, Options* options);
// Returns the exit status. Throws std::exception for what cannot be read or written.
int Run(const Options& options);

}  // namespace tessera::bench
