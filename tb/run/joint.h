// Joins a stream that is sent to one that is received outside the hardware: a wire with a queue as
// long as need be.
#pragma once

#include <span>

#include "tb/bus/axis.h"

namespace tessera {

class Joint {
 public:
  // Gives the source every beat that the sink has taken since the last call.
  void Move(const StreamSink& sink, StreamSource* source) {
    for (; next_ < sink.beats().size(); ++next_) {
      const StreamBeat& beat = sink.beats()[next_];
      source->Push(std::span(sink.bytes()).subspan(beat.first, beat.count),
                   beat.last ? PieceEnd::kLast : PieceEnd::kBeat);
    }
  }

 private:
  size_t next_ = 0;
};

}  // namespace tessera
