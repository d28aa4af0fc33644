// GMIO as ADF has it: buffers of global memory to and from a stream, blocking or not.
//
// Memory must come from the pool (gm_malloc); the call must fit the direction of the channel. A
// transfer from a stream ends with its bytes, whatever TLAST says.
#pragma once

#include "transfers.hpp"

namespace tessera::driver {

template <typename ChannelType, typename Pool, typename Cache = NoCache, uint32_t kInFlight = 4>
class Gmio {
 public:
  Gmio(ChannelType& channel, DescriptorPool& descriptors, Pool& pool)
      : transfers_(channel, descriptors, pool) {}

  // Memory to stream; the last beat has TLAST. Returns when the transfer has begun.
  Status ToStreamNb(const void* memory, size_t bytes) {
    return Begin(Direction::kToStream, memory, bytes, StreamEnd::kPacket);
  }
  // Returns when everything that was begun has left.
  Status ToStream(const void* memory, size_t bytes, Timeout timeout = {}) {
    if (const Status status = ToStreamNb(memory, bytes); !status.ok()) return status;
    return Wait(timeout);
  }
  Status FromStreamNb(void* memory, size_t bytes) {
    return Begin(Direction::kFromStream, memory, bytes, StreamEnd::kLength);
  }
  Status FromStream(void* memory, size_t bytes, Timeout timeout = {}) {
    if (const Status status = FromStreamNb(memory, bytes); !status.ok()) return status;
    return Wait(timeout);
  }
  // Waits for all transfers of this object; the first error of them. After a timeout the error of
  // those that have ended is kept: the Wait() that finds all of them ended tells it.
  Status Wait(Timeout timeout = {}) { return transfers_.WaitAll(timeout); }
  Status Release() { return transfers_.Release(); }
  uint32_t pending() const { return transfers_.pending(); }

 private:
  Status Begin(Direction direction, const void* memory, size_t bytes, StreamEnd end) {
    if (transfers_.channel().direction() != direction) return Reason::wrong_direction;
    return transfers_.Begin(memory, bytes, end, 0);
  }

  Transfers<ChannelType, Pool, Cache, kInFlight> transfers_;
};

}  // namespace tessera::driver
