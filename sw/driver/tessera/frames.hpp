// Frame buffers: two or three of them, one after the other, for ever.
//
// The frames are one endless task, a descriptor each. With locks, the device waits for a buffer
// that Release() has given it and nothing is overwritten; without, the newest frame is the one to
// look at and old ones are written over.
#pragma once

#include "task.hpp"

namespace tessera::driver {

struct FrameShape {
  uint32_t row_bytes = 0;
  uint32_t rows = 0;
  int64_t pitch = 0;
};

template <typename ChannelType, uint32_t kBuffers>
class FrameBuffers {
  static_assert(kBuffers == 2 || kBuffers == 3, "tessera: two or three frame buffers");

 public:
  FrameBuffers(ChannelType& channel, DescriptorPool& pool) : task_(channel, pool) {}

  // The device may use every buffer at once. Refused while the channel has a task. `lock` >= 0
  // counts the buffers that it may use.
  Status Start(const uint64_t (&addresses)[kBuffers], const FrameShape& shape, int32_t lock = -1) {
    if (shape.row_bytes == 0 || shape.rows == 0) return Reason::zero_size;
    ChannelType& channel = task_.channel();
    channel.Service();  // records of earlier tasks are no frames
    if (channel.outstanding() != 0) return Reason::task_running;
    Descriptor list[kBuffers];
    for (uint32_t n = 0; n < kBuffers; ++n) {
      list[n].Base(addresses[n]).Dim(0, shape.row_bytes, 1).Dim(1, shape.rows, shape.pitch);
      list[n].Interrupt();
      if (lock >= 0) list[n].Acquire(static_cast<uint32_t>(lock), -1);
      if (channel.direction() == Direction::kFromStream) list[n].FinishOnLast();
    }
    if (const Status status = task_.Configure(list, kBuffers); !status.ok()) return status;
    lock_ = lock;
    if (lock >= 0) {  // not before it is certain that no frames run that use the lock
      const Status status = Lock(channel.device(), static_cast<uint32_t>(lock)).Set(kBuffers);
      if (!status.ok()) return status;
    }
    frame_bytes_ = static_cast<uint64_t>(shape.row_bytes) * shape.rows;
    first_ = channel.transfers();
    next_ = first_;
    buffer_ = 0;
    TaskOptions options;
    options.endless = true;
    return task_.Start(options).status;
  }

  // Frames that are done since Start().
  uint32_t done() {
    task_.channel().Service();
    return task_.channel().transfers() - first_;
  }
  // The buffer of the newest frame. Fails with timeout if none is new since the last call. What
  // else fails says what is wrong with the frame, which has been taken: transfer_failed (its record
  // has an error) or frame_short (bytes() says how many came).
  Result<uint32_t> Newest() {
    const uint32_t fresh = Look();
    if (fresh == 0) return {0, Reason::timeout};
    buffer_ = (buffer_ + fresh - 1) % kBuffers;
    next_ += fresh - 1;
    return Take();
  }
  // The same with the oldest frame that was not taken yet: with a lock, every frame in turn.
  Result<uint32_t> Next() {
    if (Look() == 0) return {0, Reason::timeout};
    return Take();
  }
  // Of the frame that was taken last.
  uint64_t bytes() const { return bytes_; }
  // Gives one buffer back to the device.
  Status Release() {
    if (lock_ < 0) return Reason::not_configured;
    return Lock(task_.channel().device(), static_cast<uint32_t>(lock_)).Release(1);
  }
  // Ends with the turn that has begun, so every buffer is filled once more or twice; the buffers
  // belong to the program again. After a timeout frames still come, or have ended with a turn that
  // had begun: call Stop() again, or Cancel().
  Status Stop(Timeout timeout = {}) {
    if (const Status status = task_.channel().Stop(timeout); !status.ok()) return status;
    return task_.Free();
  }
  // Ends at once, in the middle of a frame too.
  Status Cancel(Timeout timeout = {}) {
    if (const Status status = task_.channel().Abort(timeout); !status.ok()) return status;
    return task_.Free();
  }

 private:
  // Frames that are done and were not taken.
  uint32_t Look() {
    task_.channel().Service();
    return task_.channel().transfers() - next_;
  }
  Result<uint32_t> Take() {
    const TransferEnd end = task_.channel().Ended(next_);
    const uint32_t buffer = buffer_;
    ++next_;
    buffer_ = buffer + 1 == kBuffers ? 0 : buffer + 1;
    bytes_ = end.bytes;
    if (end.status != 0) return {buffer, Reason::transfer_failed};
    return {buffer, end.bytes < frame_bytes_ ? Status(Reason::frame_short) : Status()};
  }

  Task<ChannelType, kBuffers> task_;
  uint64_t frame_bytes_ = 0;
  uint64_t bytes_ = 0;
  uint32_t first_ = 0;
  uint32_t next_ = 0;    // transfer of the channel that was not taken
  uint32_t buffer_ = 0;  // its buffer
  int32_t lock_ = -1;
};

}  // namespace tessera::driver
