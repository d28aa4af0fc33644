// A ring of descriptors in memory: software adds while the channel works; one register write an
// entry, or for many.
//
// The ring's memory belongs to this object and to the device. Only places that the device has
// passed are written. The task of the ring has no end of its own: its transfers are counted, not
// ticketed.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "cache.hpp"
#include "channel.hpp"
#include "descriptor.hpp"

namespace tessera::driver {

// `kPitch`: 64 for descriptors without extensions, 128 with one of them, 192 with both.
template <typename ChannelType, uint32_t kPitch = 64, typename Cache = NoCache>
class DescriptorRing {
  static_assert(kPitch == 64 || kPitch == 128 || kPitch == 192 || kPitch == 256,
                "tessera: the pitch of a ring is 64, 128, 192 or 256 bytes");
  static_assert(64 % Cache::kLine == 0, "tessera: a place of a ring must be whole cache lines");

 public:
  explicit DescriptorRing(ChannelType& channel) : channel_(&channel) {}

  // `places` times `kPitch` bytes at `memory`, which the device sees at `bus_address`. Starts the
  // task.
  Status Start(void* memory, uint64_t bus_address, uint32_t places) {
    const Capabilities& build = channel_->device().build();
    if (!build.Has(map::kFeatureLists)) return Reason::no_lists;
    if (running_) return Reason::task_running;
    if (memory == nullptr) return Reason::null_buffer;
    if (places < 2 || places > 0xffff) return {Reason::list_count, 0};
    if ((bus_address & 63) != 0 || (reinterpret_cast<uintptr_t>(memory) & 63) != 0) {
      return Reason::list_base;
    }
    if (build.address_bits < 64 && (bus_address >> 32) >> (build.address_bits - 32) != 0) {
      return Reason::list_base;
    }
    memory_ = static_cast<volatile uint32_t*>(memory);
    places_ = places;
    Write(map::kListBase, static_cast<uint32_t>(bus_address));
    Write(map::kListBase + 4, static_cast<uint32_t>(bus_address >> 32));
    Write(map::kListCount, places);
    Write(map::kListControl, 1u | (kPitch / 64 - 1) << 4);
    // A ring that was stopped goes on where it was.
    head_ = Head();
    tail_ = head_;
    Write(map::kListTail, tail_);
    const Result<uint32_t> ticket = channel_->PushWord(map::kTaskFromList | map::kTaskEndless);
    running_ = ticket.ok();
    ticket_ = ticket.value;
    return ticket.status;
  }

  // Puts a descriptor into the ring; the device sees it after Ring().
  Status Add(const Descriptor& descriptor) {
    if (!running_) return Reason::not_configured;
    if (const Status status = descriptor.Check(channel_->device().build()); !status.ok())
      return status;
    uint32_t words = kDescriptorWords;
    if (descriptor.has_bounds()) words += kDescriptorWords;
    if (descriptor.has_walk()) words += kDescriptorWords;
    if (words * 4 > kPitch) return Reason::list_pitch;
    const uint32_t next = tail_ + 1 == places_ ? 0 : tail_ + 1;
    if (next == head_) {
      head_ = Head();  // read only when it seems to be full
      if (next == head_) return Reason::ring_full;
    }
    volatile uint32_t* place = memory_ + tail_ * (kPitch / 4);
    for (uint32_t n = 0; n < kDescriptorWords; ++n) place[n] = descriptor.word(n);
    if (descriptor.has_bounds()) {
      place += kDescriptorWords;
      for (uint32_t n = 0; n < kDescriptorWords; ++n) place[n] = descriptor.bounds_word(n);
    }
    if (descriptor.has_walk()) {
      place += kDescriptorWords;
      for (uint32_t n = 0; n < kDescriptorWords; ++n) place[n] = descriptor.walk_word(n);
    }
    const auto address = reinterpret_cast<uintptr_t>(memory_) + tail_ * kPitch;
    BeforeRead<Cache>(address, words * 4);
    tail_ = next;
    return {};
  }
  // The doorbell: everything that was added belongs to the device.
  void Ring() {
    channel_->device().bus().barrier();
    Write(map::kListTail, tail_);
  }
  Status Post(const Descriptor& descriptor) {
    if (const Status status = Add(descriptor); !status.ok()) return status;
    Ring();
    return {};
  }

  // Descriptors that the device has not handed to the channel yet.
  uint32_t waiting() {
    head_ = Head();
    return tail_ >= head_ ? tail_ - head_ : tail_ + places_ - head_;
  }
  // Ends the task with what is under way; what waits in the ring is dropped.
  Status Stop(Timeout timeout = {}) {
    if (!running_) return Reason::not_configured;
    if (const Status status = channel_->Abort(timeout); !status.ok()) return status;
    channel_->Forget(ticket_);
    running_ = false;
    return {};
  }

 private:
  uint32_t At() const {
    return (channel_->direction() == Direction::kToStream ? map::kReadChannels
                                                          : map::kWriteChannels) +
           map::kChannelPitch * channel_->number();
  }
  void Write(uint32_t offset, uint32_t value) const {
    channel_->device().Write(At() + offset, value);
  }
  uint32_t Head() const { return channel_->device().Read(At() + map::kListHead) & 0xffff; }

  ChannelType* channel_;
  volatile uint32_t* memory_ = nullptr;
  uint32_t places_ = 0;
  uint32_t tail_ = 0;
  uint32_t head_ = 0;  // at least so far has the device come
  uint32_t ticket_ = 0;
  bool running_ = false;
};

}  // namespace tessera::driver
