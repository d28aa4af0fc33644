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
  std::string baseline, clocks;  // empty: those of the sources, if they are found
  WaveRequest wave;
};

// `options` must outlive `app`.
void AddOptions(CLI::App& app, Options* options);
// Returns the exit status. Throws std::exception for what cannot be read or written.
int Run(Options options);

}  // namespace tessera::bench
