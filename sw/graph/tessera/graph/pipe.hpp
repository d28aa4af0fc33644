// Streams in software: a Pipe is the FIFO of one consumer, a Wire joins a producer to one or more
// of them. Bytes carry TLAST as marks behind the byte that has it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <deque>
#include <string>
#include <vector>

namespace tessera::graph {

class Pipe {
 public:
  explicit Pipe(size_t capacity) : ring_(capacity) {}

  size_t capacity() const { return ring_.size(); }
  size_t size() const { return static_cast<size_t>(written_ - read_); }
  size_t room() const { return ring_.size() - size(); }
  uint64_t written() const { return written_; }
  uint64_t read() const { return read_; }

  // There must be room. `last`: TLAST goes with the last of the bytes, or, without bytes, ends the
  // packet that is open.
  void Write(const uint8_t* data, size_t bytes, bool last) {
    if (bytes != 0) {
      const size_t at = written_ % ring_.size();
      const size_t first = std::min(bytes, ring_.size() - at);
      std::memcpy(ring_.data() + at, data, first);
      std::memcpy(ring_.data(), data + first, bytes - first);
    }
    written_ += bytes;
    if (last) marks_.push_back(written_);
  }
  // Bytes up to and with the next TLAST, at most `most`; `last`: the last of them has TLAST.
  size_t Run(size_t most, bool& last) const {
    const size_t run = std::min(most, size());
    last = !marks_.empty() && marks_.front() - read_ <= run;
    return last ? static_cast<size_t>(marks_.front() - read_) : run;
  }
  // Takes bytes that are there.
  void Read(uint8_t* data, size_t bytes) {
    if (bytes != 0) {
      const size_t at = read_ % ring_.size();
      const size_t first = std::min(bytes, ring_.size() - at);
      std::memcpy(data, ring_.data() + at, first);
      std::memcpy(data + first, ring_.data(), bytes - first);
    }
    read_ += bytes;
    while (!marks_.empty() && marks_.front() <= read_) marks_.pop_front();
  }

 private:
  std::vector<uint8_t> ring_;
  std::deque<uint64_t> marks_;  // values of written_ behind bytes with TLAST
  uint64_t written_ = 0, read_ = 0;
};

// What passes a wire, for profiling.
struct WireCounts {
  static constexpr uint64_t kNever = ~uint64_t{0};
  uint64_t bytes = 0;
  uint64_t latest = kNever;  // cycle
  uint64_t busy = 0;         // cycles in which something passed
};

class Wire {
 public:
  std::string name;
  std::vector<Pipe*> pipes;  // all get everything

  size_t room() const {
    size_t least = SIZE_MAX;
    for (const Pipe* pipe : pipes) least = std::min(least, pipe->room());
    return pipes.empty() ? 0 : least;
  }
  void Write(const uint8_t* data, size_t bytes, bool last) {
    for (Pipe* pipe : pipes) pipe->Write(data, bytes, last);
  }
};

}  // namespace tessera::graph
