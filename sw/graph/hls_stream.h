// hls::stream: an argument of a free-running kernel.
#pragma once

#include "ap_axi_sdata.h"
#include "tessera/graph/stream_kernel.hpp"

namespace hls {

template <typename T>
class stream {
 public:
  explicit stream(tessera::graph::StreamPoint* point) : point_(point) {}

  // Waits for a word: a full one, or what a packet has left.
  T read() {
    T word;
    uint8_t bytes[T::kBytes] = {};
    bool last = false;
    const size_t count = point_->Read(bytes, sizeof(bytes), last);
    word.data.from_bytes(bytes);
    for (int n = 0; n < T::kBytes; ++n) {
      word.keep.set_range(n, n, n < static_cast<int>(count) ? 1 : 0);
    }
    word.last = last ? 1 : 0;
    return word;
  }
  void read(T& word) { word = read(); }
  // Waits for room.
  void write(const T& word) {
    uint8_t bytes[T::kBytes];
    word.data.to_bytes(bytes);
    point_->Write(bytes, sizeof(bytes), word.keep.to_uint64(), word.last != 0);
  }
  // If no word is there, time passes.
  bool empty() const { return point_->PollEmpty(sizeof(uint8_t[T::kBytes])); }
  // False, and no word, if none is there.
  bool read_nb(T& word) {
    if (empty()) return false;
    word = read();
    return true;
  }
  stream& operator>>(T& word) {
    read(word);
    return *this;
  }
  stream& operator<<(const T& word) {
    write(word);
    return *this;
  }

 private:
  tessera::graph::StreamPoint* point_;
};

}  // namespace hls
