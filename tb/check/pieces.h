// A stream as a test says it: so many bytes, and how they end.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tb/bus/axis.h"
#include "tb/model/reference.h"

namespace tessera {

struct StreamPiece {
  uint64_t bytes = 0;
  PieceEnd end = PieceEnd::kLast;
  bool operator==(const StreamPiece&) const = default;
};

// The densest beats that mean it.
std::vector<model::StreamBeat> DenseBeats(std::span<const StreamPiece> pieces,
                                          std::span<const uint8_t> bytes, int stream_bytes);

}  // namespace tessera
