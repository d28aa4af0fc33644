// Beats of a stream; see pieces.h.
#include "tb/check/pieces.h"

#include <cstddef>

namespace tessera {

std::vector<model::StreamBeat> DenseBeats(std::span<const StreamPiece> pieces,
                                          std::span<const uint8_t> bytes, int stream_bytes) {
  std::vector<model::StreamBeat> beats;
  model::StreamBeat open;
  size_t filled = 0, next = 0;
  const auto flush = [&](bool last) {
    open.last = last;
    beats.push_back(open);
    open = {};
    filled = 0;
  };
  for (const StreamPiece& piece : pieces) {
    for (uint64_t n = 0; n < piece.bytes; ++n) {
      if (filled == static_cast<size_t>(stream_bytes)) flush(false);
      open.keep.set(filled);
      open.data[filled++] = bytes[next++];
    }
    if (piece.end == PieceEnd::kBeat && filled > 0) flush(false);
    if (piece.end == PieceEnd::kLast) flush(true);
    if (piece.end == PieceEnd::kNullLast) {
      if (filled > 0) flush(false);
      flush(true);
    }
  }
  if (filled > 0) flush(false);
  return beats;
}

}  // namespace tessera
