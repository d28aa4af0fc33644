// Descriptors in memory: an array that is executed as one task, and what arrays and rings share.
//
// The memory belongs to the object and to the device. A list is set up only while the channel has
// no task. A channel has one list: of several objects the one that was set up last has it.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "cache.hpp"
#include "channel.hpp"
#include "descriptor.hpp"

namespace tessera::driver {

namespace detail {

// The list registers of a channel and the memory of its list. `kPitch`: 64 bytes for descriptors
// without extensions, 128 with one of them, 192 with both.
template <typename ChannelType, uint32_t kPitch, typename Cache>
class ListMemory {
  static_assert(kPitch == 64 || kPitch == 128 || kPitch == 192 || kPitch == 256,
                "tessera: the pitch of a list is 64, 128, 192 or 256 bytes");
  static_assert(64 % Cache::kLine == 0, "tessera: a place of a list must be whole cache lines");

 public:
  explicit ListMemory(ChannelType& channel) : channel_(&channel) {}

  ChannelType& channel() const { return *channel_; }
  uint32_t places() const { return places_; }

  // Tells the channel of `places` times `kPitch` bytes at `memory`, which the device sees at
  // `bus_address`. Begins with descriptor 0.
  Status SetUp(void* memory, uint64_t bus_address, uint32_t places, uint32_t least,
               uint32_t control) {
    const Capabilities& build = channel_->device().build();
    if (!channel_->opened()) return Reason::not_configured;
    if (!build.Has(registers::global_block::CapFeatures::kFromListMask)) return Reason::no_lists;
    if (memory == nullptr) return Reason::null_buffer;
    if (places < least || places > registers::list::Count::kCountMask)
      return {Reason::list_count, 0};
    if (!Fits(memory, bus_address, places * kPitch)) return Reason::list_base;
    if (channel_->outstanding() != 0) return Reason::task_running;
    // What an abort or a reset left on the bus, or the last entry, ends soon.
    if (!WaitIdle({}).ok()) return Reason::task_running;
    list_ = channel_->NewList();
    memory_ = static_cast<volatile uint32_t*>(memory);
    places_ = places;
    Write(registers::list::BaseLow::kOffset, static_cast<uint32_t>(bus_address));
    Write(registers::list::BaseHigh::kOffset, static_cast<uint32_t>(bus_address >> 32));
    Write(registers::list::Count::kOffset, places);
    Write(registers::list::Control::kOffset,
          control | registers::Bits<registers::list::Control::kPitchMask>(kPitch / 64 - 1));
    return {};
  }
  // Both are aligned, and the last byte has an address of the device.
  bool Fits(const void* memory, uint64_t bus_address, uint32_t bytes) const {
    const uint32_t bits = channel_->device().build().address_bits;
    const uint64_t last = bus_address + bytes - 1;
    const bool inside = last >= bus_address &&
                        (bits == 64 || (static_cast<uint32_t>(last >> 32) >> (bits - 32)) == 0);
    return ((static_cast<uint32_t>(bus_address) | reinterpret_cast<uintptr_t>(memory)) & 63) == 0 &&
           inside;
  }
  // No other object has set up a list since.
  bool Mine() const { return list_ == channel_->list(); }

  // Room for a descriptor in a place, and nothing wrong with it.
  Status Check(const Descriptor& descriptor) const {
    if (const Status status = descriptor.Check(channel_->device().build()); !status.ok())
      return status;
    return Bytes(descriptor) > kPitch ? Status(Reason::list_pitch) : Status();
  }
  // Writes a descriptor that has been checked into a place. `control`: more bits of its last word.
  void Put(uint32_t place, const Descriptor& descriptor, uint32_t control = 0) {
    volatile uint32_t* at = memory_ + place * (kPitch / 4);
    const auto address = reinterpret_cast<uintptr_t>(memory_) + place * kPitch;
    for (uint32_t n = 0; n < Descriptor::Flags::kWord; ++n) at[n] = descriptor.word(n);
    at[Descriptor::Flags::kWord] = descriptor.word(Descriptor::Flags::kWord) | control;
    if (descriptor.has_bounds()) {
      at += kDescriptorWords;
      for (uint32_t n = 0; n < kDescriptorWords; ++n) at[n] = descriptor.bounds_word(n);
    }
    if (descriptor.has_walk()) {
      at += kDescriptorWords;
      for (uint32_t n = 0; n < kDescriptorWords; ++n) at[n] = descriptor.walk_word(n);
    }
    BeforeRead<Cache>(address, Bytes(descriptor));
  }
  // Waits until nothing of the list is on the bus any more.
  Status WaitIdle(Timeout timeout) const {
    return channel_->device().WaitFor(At() + registers::list::Status::kOffset,
                                      registers::list::Status::kBusyMask, 0, timeout);
  }

  void Write(uint32_t offset, uint32_t value) const {
    channel_->device().Write(At() + offset, value);
  }
  uint32_t Read(uint32_t offset) const { return channel_->device().Read(At() + offset); }

 private:
  static uint32_t Bytes(const Descriptor& descriptor) {
    return 64u + (descriptor.has_bounds() ? 64u : 0) + (descriptor.has_walk() ? 64u : 0);
  }
  uint32_t At() const {
    return channel_->direction() == Direction::kToStream
               ? registers::ReadListAddress(channel_->number())
               : registers::WriteListAddress(channel_->number());
  }

  ChannelType* channel_;
  volatile uint32_t* memory_ = nullptr;
  uint32_t places_ = 0;
  uint32_t list_ = 0;
};

}  // namespace detail

// Descriptors that are executed one after the other as one task; no descriptor RAM is needed.
// `next` of a descriptor is ignored, and iterations do not count.
template <typename ChannelType, uint32_t kPitch = 64, typename Cache = NoCache>
class DescriptorArray {
 public:
  explicit DescriptorArray(ChannelType& channel) : list_(channel) {}

  // Writes all of them, or nothing if one is wrong: Status::index() says which. What was configured
  // before stays then.
  Status Configure(void* memory, uint64_t bus_address, const Descriptor* descriptors,
                   uint32_t count) {
    if (running()) return Reason::task_running;
    for (uint32_t n = 0; n < count && n <= 0xffff; ++n) {
      if (const Status status = list_.Check(descriptors[n]); !status.ok())
        return {status.reason(), n};
    }
    if (count != 0 && descriptors[count - 1].Has(Descriptor::Flags::kNoRecordMask)) {
      return {Reason::record_needed, count - 1};
    }
    if (const Status status = list_.SetUp(memory, bus_address, count, 1, 0); !status.ok())
      return status;
    for (uint32_t n = 0; n < count; ++n) list_.Put(n, descriptors[n]);
    configured_ = true;
    return {};
  }
  // One register write, and one more with a new tag. Refused (not_configured) if another list of
  // the channel has been configured since.
  Result<uint32_t> Start(uint32_t repeats = 1, uint32_t tag = 0) {
    return Start(TaskOptions{.repeats = repeats}, tag);
  }
  Result<uint32_t> Start(const TaskOptions& options, uint32_t tag = 0) {
    if (!configured_ || !list_.Mine()) return {0, Reason::not_configured};
    const Result<uint32_t> word = list_.channel().WordOf(options);
    if (!word.ok()) return word;
    const Result<uint32_t> ticket =
        list_.channel().PushWord(registers::channel::Task::kFromListMask | word.value, tag);
    if (ticket.ok()) {
      if (started_) list_.channel().Leave(ticket_);
      ticket_ = ticket.value;
      started_ = true;
    }
    return ticket;
  }
  Result<Completion> Await(Timeout timeout = {}) {
    if (!started_) return {{}, Reason::not_configured};
    return list_.channel().Wait(ticket_, timeout);
  }
  bool running() const { return started_ && !list_.channel().IsFinished(ticket_); }

 private:
  detail::ListMemory<ChannelType, kPitch, Cache> list_;
  uint32_t ticket_ = 0;
  bool configured_ = false;
  bool started_ = false;
};

}  // namespace tessera::driver
