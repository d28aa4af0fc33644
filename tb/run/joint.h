// Joins the two streams of an engine pair outside the hardware: a wire with a queue as long as need
// be.
#pragma once

#include <span>

#include "tb/run/bench.h"

namespace tessera {

// Gives the write engine's source every beat that the read engine's sink takes, in the next cycle.
class Joint : public EngineBench::Hook {
 public:
  void OnCycle(EngineBench& bench, const Tick&) override {
    const StreamSink& sink = bench.sink();
    for (; next_ < sink.beats().size(); ++next_) {
      const StreamBeat& beat = sink.beats()[next_];
      bench.source().Push(std::span(sink.bytes()).subspan(beat.first, beat.count),
                          beat.last ? PieceEnd::kLast : PieceEnd::kBeat);
    }
  }

 private:
  size_t next_ = 0;
};

}  // namespace tessera
