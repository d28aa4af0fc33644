// Transfers of buffers that are under way on one channel: what GMIO and streams are made of.
//
// Each of `kInFlight` places has a descriptor of its own. Buffers come from a MemoryPool; caches
// are kept coherent around each transfer, and a buffer that shares a cache line with other data is
// refused.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "cache.hpp"
#include "memory.hpp"
#include "task.hpp"

namespace tessera::driver {

// How the stream of a transfer ends.
enum class StreamEnd : uint8_t {
  kLength,  // TLAST is neither sent nor looked at
  kPacket,  // one packet: TLAST is sent, or ends the transfer
};

template <typename ChannelType, typename Pool, typename Cache = NoCache, uint32_t kInFlight = 4>
class Transfers {
  static_assert(Cache::kLine == 1 || Pool::kAlignment % Cache::kLine == 0,
                "tessera: blocks of the memory pool must be whole cache lines");
  static_assert(kInFlight >= 1 && kInFlight <= 16, "tessera: 1 to 16 transfers in flight");

 public:
  Transfers(ChannelType& channel, DescriptorPool& descriptors, Pool& pool)
      : channel_(&channel), descriptors_(&descriptors), pool_(&pool) {}

  ChannelType& channel() const { return *channel_; }
  uint32_t pending() const { return pending_; }

  // Begins a transfer. Transfers end in the order in which they began.
  Status Begin(const void* memory, size_t bytes, StreamEnd end, uintptr_t tag) {
    if (const Status status = CheckBuffer(memory, bytes); !status.ok()) return status;
    if (pending() == kInFlight) return Reason::queue_full;
    Place& place = places_[(oldest_ + pending_) % kInFlight];
    if (!place.has_descriptor) {
      const Result<uint32_t> slot = descriptors_->Take();
      if (!slot.ok()) return slot.status;
      place.descriptor = static_cast<uint8_t>(slot.value);
      place.has_descriptor = true;
    }
    Descriptor descriptor;
    descriptor.Base(pool_->BusAddress(memory)).Dim(0, static_cast<uint32_t>(bytes), 1);
    if (channel_->direction() == Direction::kToStream) {
      descriptor.Last(end == StreamEnd::kPacket ? LastRule::kTransfer : LastRule::kNever);
    } else if (end == StreamEnd::kPacket) {
      descriptor.FinishOnLast();
    }
    if (const Status status = descriptor.Check(channel_->device().build()); !status.ok())
      return status;
    const auto address = reinterpret_cast<uintptr_t>(memory);
    if (channel_->direction() == Direction::kToStream) {
      BeforeRead<Cache>(address, bytes);
    } else if (const Status status = BeforeWrite<Cache>(address, PaddedBytes<Cache>(bytes));
               !status.ok()) {
      return status;
    }
    WriteDescriptor(channel_->device(), place.descriptor, descriptor);
    const Result<uint32_t> ticket = channel_->Push(place.descriptor);
    if (!ticket.ok()) return ticket.status;
    place.ticket = ticket.value;
    place.address = address;
    place.bytes = bytes;
    place.tag = tag;
    ++pending_;
    return {};
  }

  // Ends the oldest transfer: task_running if it is still under way.
  Result<Completion> End(uintptr_t& tag) {
    if (pending() == 0) return {{}, Reason::ticket_unknown};
    Place& place = places_[oldest_];
    const Result<Completion> result = channel_->Collect(place.ticket);
    if (result.status.reason() == Reason::task_running) return result;
    if (channel_->direction() == Direction::kFromStream) {
      AfterWrite<Cache>(place.address, PaddedBytes<Cache>(place.bytes));
    }
    tag = place.tag;
    oldest_ = oldest_ + 1 == kInFlight ? 0 : oldest_ + 1;
    --pending_;
    return result;
  }

  // Waits for all transfers; the first error of them. If some have not ended in time, why not: the
  // error of those that have is kept for the next call.
  Status WaitAll(Timeout timeout) {
    Deadline deadline(channel_->device(), timeout);
    while (pending() != 0) {
      channel_->Service();
      uintptr_t tag = 0;
      const Status status = End(tag).status;
      if (status.reason() == Reason::task_running) {
        if (channel_->GivesUp(deadline)) return channel_->WhyNot();
      } else if (first_.ok()) {
        first_ = status;
      }
    }
    const Status first = first_;
    first_ = {};
    return first;
  }

  // Gives descriptors back; refused while transfers are under way.
  Status Release() {
    if (pending() != 0) return Reason::task_running;
    for (Place& place : places_) {
      if (place.has_descriptor) descriptors_->Give(place.descriptor);
      place.has_descriptor = false;
    }
    return {};
  }

 private:
  struct Place {
    uintptr_t address = 0;
    uintptr_t tag = 0;
    size_t bytes = 0;
    uint32_t ticket = 0;
    uint8_t descriptor = 0;
    bool has_descriptor = false;
  };

  Status CheckBuffer(const void* memory, size_t bytes) const {
    if (memory == nullptr) return Reason::null_buffer;
    if (bytes == 0) return Reason::zero_size;
    if (bytes > 0xffffffffu) return Reason::row_bytes;
    const size_t room = pool_->RoomAt(memory, bytes);
    if (room == 0) return Reason::outside_pool;
    // The last line is padded if the buffer is the end of its block: nothing else is in it then.
    if (channel_->direction() == Direction::kFromStream &&
        SharesLine<Cache>(reinterpret_cast<uintptr_t>(memory), bytes == room ? 0 : bytes)) {
      return Reason::shares_line;
    }
    return {};
  }

  ChannelType* channel_;
  DescriptorPool* descriptors_;
  Pool* pool_;
  uint32_t pending_ = 0;
  uint32_t oldest_ = 0;  // its place
  Status first_;         // error since WaitAll() told one
  Place places_[kInFlight];
};

}  // namespace tessera::driver
