// Joins two streams outside the hardware: a wire with a queue as long as need be.
#pragma once

#include <span>

#include "tb/run/bench.h"

namespace tessera {

// Gives a source every beat that a sink takes, in the next cycle; `next`: the first it has not.
inline void PassOn(const StreamSink& sink, StreamSource* source, size_t* next) {
  for (; *next < sink.beats().size(); ++*next) {
    const StreamBeat& beat = sink.beats()[*next];
    source->Push(std::span(sink.bytes()).subspan(beat.first, beat.count),
                 beat.last ? PieceEnd::kLast : PieceEnd::kBeat);
  }
}

class Joint : public EngineBench::Hook {
 public:
  void OnCycle(EngineBench& bench, const Tick&) override {
    PassOn(bench.sink(), &bench.source(), &next_);
  }

 private:
  size_t next_ = 0;
};

}  // namespace tessera
