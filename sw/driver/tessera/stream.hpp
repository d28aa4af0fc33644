// Streams as the host streaming API has them: read and write with an end-of-transfer flag, blocking
// or with a tag, and a poll that tells how many bytes it really were.
//
// A read ends with TLAST or with its buffer, whichever comes first; a packet that is longer is an
// error of that read. A write without end of transfer must be whole beats: the packet goes on with
// the next write.
#pragma once

#include "transfers.hpp"

namespace tessera::driver {

struct StreamRequest {
  bool end_of_transfer = true;
  bool nonblocking = false;
  uintptr_t tag = 0;  // comes back with the completion
  Timeout timeout{};
};

struct StreamCompletion {
  uintptr_t tag = 0;
  uint64_t bytes = 0;
  Status status;
  bool end_of_transfer = false;  // TLAST was sent or seen
};

template <typename ChannelType, typename Pool, typename Cache = NoCache, uint32_t kInFlight = 4>
class Stream {
 public:
  Stream(ChannelType& channel, DescriptorPool& descriptors, Pool& pool)
      : transfers_(channel, descriptors, pool) {}

  // One stream is the only user of its channel until it is released.
  Status Create() {
    if (open_) return Reason::task_running;
    if (!transfers_.channel().opened()) return Reason::not_configured;
    open_ = true;
    return {};
  }
  // Refused while transfers are under way: their memory still belongs to the device.
  Status Release() {
    if (!open_) return Reason::stream_closed;
    if (const Status status = transfers_.Release(); !status.ok()) return status;
    open_ = false;
    return {};
  }

  // Memory to stream. Blocking: the bytes that went; else 0 at once, and a completion for Poll().
  Result<uint64_t> Write(const void* memory, size_t bytes, const StreamRequest& request = {}) {
    const uint32_t beat = 1u << transfers_.channel().device().build().stream_log2;
    if (!request.end_of_transfer && (bytes & (beat - 1)) != 0) return {0, Reason::segment_beats};
    return Transfer(Direction::kToStream, memory, bytes, request);
  }
  // Stream to memory, at most `bytes`. Blocking: the bytes that came.
  Result<uint64_t> Read(void* memory, size_t bytes, const StreamRequest& request = {}) {
    return Transfer(Direction::kFromStream, memory, bytes, request);
  }

  // Waits for `min` completions, takes at most `max`, and tells how many there are, after a timeout
  // too.
  Status Poll(StreamCompletion* completions, uint32_t min, uint32_t max, uint32_t& actual,
              Timeout timeout = {}) {
    actual = 0;
    if (!open_) return Reason::stream_closed;
    if (completions == nullptr || max == 0 || min > max) return Reason::poll_range;
    Deadline deadline(transfers_.channel().device(), timeout);
    for (;;) {
      transfers_.channel().Service();
      while (actual < max && TakeOne(completions[actual])) ++actual;
      if (actual >= min) return {};
      if (transfers_.pending() == 0) return Reason::ticket_unknown;  // nothing can come any more
      if (transfers_.channel().GivesUp(deadline)) return transfers_.channel().WhyNot();
    }
  }
  uint32_t pending() const { return transfers_.pending(); }

 private:
  Result<uint64_t> Transfer(Direction direction, const void* memory, size_t bytes,
                            const StreamRequest& request) {
    if (!open_) return {0, Reason::stream_closed};
    if (transfers_.channel().direction() != direction) return {0, Reason::wrong_direction};
    // A blocking call would take the completions of others.
    if (!request.nonblocking && transfers_.pending() != 0) return {0, Reason::task_running};
    const StreamEnd end = direction == Direction::kFromStream || request.end_of_transfer
                              ? StreamEnd::kPacket
                              : StreamEnd::kLength;
    if (const Status status = transfers_.Begin(memory, bytes, end, request.tag); !status.ok()) {
      return {0, status};
    }
    if (request.nonblocking) return {0, {}};
    StreamCompletion done;
    uint32_t actual = 0;
    if (const Status status = Poll(&done, 1, 1, actual, request.timeout); !status.ok())
      return {0, status};
    return {done.bytes, done.status};
  }
  bool TakeOne(StreamCompletion& completion) {
    if (transfers_.pending() == 0) return false;
    const Result<Completion> result = transfers_.End(completion.tag);
    if (result.status.reason() == Reason::task_running) return false;
    completion.bytes = result.value.bytes;
    completion.status = result.status;
    completion.end_of_transfer = result.value.last;
    return true;
  }

  Transfers<ChannelType, Pool, Cache, kInFlight> transfers_;
  bool open_ = false;
};

}  // namespace tessera::driver
