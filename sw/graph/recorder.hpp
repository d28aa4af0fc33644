// Notes what channels and kernels do over time, for the picture of a run.
#pragma once

#include <map>
#include <string>

#include "tessera/graph/engine.hpp"
#include "tools/pictures/timeline.h"

namespace tessera::graph {

class Recorder {
 public:
  explicit Recorder(std::string path) : path_(std::move(path)) {}
  // Once a round.
  void Look(const Backend& backend, const std::vector<std::unique_ptr<Process>>& processes);
  // Throws GraphError if the file cannot be written.
  void Write(uint64_t cycle);

 private:
  struct Seen {
    size_t lane = 0;
    uint64_t bytes = 0, finished = 0, moved_at = 0, starts = 0;
  };
  Seen& Of(const void* who, const std::string& name, bool write);

  std::string path_;
  timeline::Timeline timeline_;
  std::map<std::pair<const void*, std::string>, Seen> seen_;
};

}  // namespace tessera::graph
