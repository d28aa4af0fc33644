// Tasks: chains of descriptors that are configured once and started as often as wanted, and the
// pool that their descriptors come from.
//
// A descriptor belongs to one task from Configure() to Free(), and a task that the hardware still
// has can neither be changed nor freed: so no descriptor is written while the hardware may read it.
#pragma once

#include <stdint.h>

#include "channel.hpp"
#include "descriptor.hpp"
#include "status.hpp"

namespace tessera::driver {

// Which descriptors of a device are free. One pool for a device, or several for ranges that do not
// overlap.
class DescriptorPool {
 public:
  // Descriptors `first` to `first` + `count` - 1.
  constexpr explicit DescriptorPool(uint32_t count, uint32_t first = 0) {
    for (uint32_t n = first; n < first + count && n < 256; ++n) free_[n / 32] |= 1u << (n % 32);
  }

  Result<uint32_t> Take() {
    // Counted by hand: not every processor counts zeros without a library.
    for (uint32_t n = 0; n < 256; ++n) {
      const uint32_t bit = 1u << (n % 32);
      if ((free_[n / 32] & bit) == 0) continue;
      free_[n / 32] &= ~bit;
      return {n, {}};
    }
    return {0, Reason::no_descriptor};
  }
  void Give(uint32_t descriptor) { free_[(descriptor / 32) & 7] |= 1u << (descriptor % 32); }
  uint32_t available() const {
    uint32_t sum = 0;
    for (uint32_t n = 0; n < 256; ++n) sum += (free_[n / 32] >> (n % 32)) & 1;
    return sum;
  }

 private:
  uint32_t free_[8] = {};
};

namespace detail {

// The words of an area, all of them or those that differ from `old`; bit n of `words` stands for
// word n. True if any was written.
template <Bus B, typename Word>
bool WriteChanges(const Device<B>& device, uint32_t at, uint32_t words, Word word,
                  const Descriptor* old, const Descriptor& descriptor) {
  bool changed = false;
  for (uint32_t n = 0; words >> n != 0; ++n) {
    if ((words >> n & 1) == 0) continue;
    const uint32_t value = word(descriptor, n);
    if (old != nullptr && word(*old, n) == value) continue;
    device.Write(at + 4 * n, value);
    changed = true;
  }
  return changed;
}

}  // namespace detail

// Writes a descriptor; its last word, which makes it valid and begins its iteration again, comes
// last. With `old`, what the device holds, only what differs is written.
template <Bus B>
void WriteDescriptor(const Device<B>& device, uint32_t number, const Descriptor& descriptor,
                     const Descriptor* old = nullptr) {
  const uint32_t at = registers::DescriptorAddress(number);
  const uint32_t control = descriptor.word(Descriptor::Flags::kWord);
  const bool iterates = Descriptor::Chain{descriptor.word(Descriptor::Chain::kWord)}.turns() > 1;
  bool changed = old == nullptr || old->word(Descriptor::Flags::kWord) != control || iterates;
  if (descriptor.has_bounds()) {
    changed |= detail::WriteChanges(
        device, registers::BoundsAddress(number), registers::bounds::kPresent,
        [](const Descriptor& d, uint32_t n) { return d.bounds_word(n); },
        old != nullptr && old->has_bounds() ? old : nullptr, descriptor);
  }
  if (descriptor.has_walk()) {
    changed |= detail::WriteChanges(
        device, registers::WalkAddress(number), registers::walk::kPresent,
        [](const Descriptor& d, uint32_t n) { return d.walk_word(n); },
        old != nullptr && old->has_walk() ? old : nullptr, descriptor);
  }
  if (old == nullptr) {
    if constexpr (requires { device.bus().template write_words<15>(at, descriptor.words()); }) {
      device.bus().template write_words<Descriptor::Flags::kWord>(at, descriptor.words());
    } else {
      for (uint32_t n = 0; n < Descriptor::Flags::kWord; ++n)
        device.Write(at + 4 * n, descriptor.word(n));
    }
  } else {
    changed |= detail::WriteChanges(
        device, at, registers::descriptor::kPresent & ~(1u << Descriptor::Flags::kWord),
        [](const Descriptor& d, uint32_t n) { return d.word(n); }, old, descriptor);
  }
  if (changed) device.Write(at + 4 * Descriptor::Flags::kWord, control);
}

// A task of at most `Chain` descriptors on a channel. With `Shadow` it remembers what it wrote, 200
// bytes a descriptor, and a change writes only the words that differ.
template <typename ChannelType, uint32_t Chain = 1, bool Shadow = false>
class Task {
  static_assert(Chain >= 1 && Chain <= 256, "tessera: a task has 1 to 256 descriptors");

 public:
  Task(ChannelType& channel, DescriptorPool& pool) : channel_(&channel), pool_(&pool) {}
  Task(const Task&) = delete;
  Task& operator=(const Task&) = delete;

  bool configured() const { return length_ != 0; }
  bool running() const { return started_ && !channel_->IsFinished(last_ticket_); }
  ChannelType& channel() const { return *channel_; }
  // The number of descriptor n of the chain.
  uint32_t descriptor(uint32_t n = 0) const { return slots_[n]; }

  // Writes a chain; `next` of its descriptors is set here. Nothing is written unless all of it is
  // valid.
  Status Configure(const Descriptor* list, uint32_t length) {
    if (length == 0 || length > Chain) return {Reason::chain_length, length};
    if (running()) return Reason::task_running;
    const Capabilities& build = channel_->device().build();
    for (uint32_t n = 0; n < length; ++n) {
      if (const Status status = list[n].Check(build); !status.ok()) return status;
    }
    if (Chain == 1 &&
        (list[0].word(Descriptor::Chain::kWord) & Descriptor::Chain::kHasNextMask) != 0) {
      return {Reason::chain_length, 2};
    }
    if (list[length - 1].Has(Descriptor::Flags::kNoRecordMask))
      return {Reason::record_needed, length - 1};
    if (const Status status = Resize(length); !status.ok()) return status;
    if constexpr (Chain == 1) {
      Put(0, list[0]);  // has no next: see above
    } else {
      for (uint32_t n = 0; n < length; ++n) {
        Descriptor linked = list[n];
        linked.NoNext();
        if (n + 1 < length) linked.Next(slots_[n + 1]);
        Put(n, linked);
      }
    }
    return {};
  }
  Status Configure(const Descriptor& descriptor) { return Configure(&descriptor, 1); }
  // For what a lowering gave.
  Status Configure(const Result<Descriptor>& made) {
    return made.ok() ? Configure(&made.value, 1) : made.status;
  }

  // Starts it: one register write, and one more if the tag is a new one. The ticket of the start
  // before can be collected until the channel needs its place.
  Result<uint32_t> Start(const TaskOptions& options, uint32_t tag = 0) {
    if (length_ == 0) return {0, Reason::not_configured};
    return Note(channel_->Push(slots_[0], options, tag));
  }
  // Starts it for one turn, without options.
  Result<uint32_t> Start() { return Restart(); }
  Result<uint32_t> Restart() {
    if (length_ == 0) return {0, Reason::not_configured};
    return Note(channel_->PushWord(slots_[0]));
  }
  // Waits for the latest start.
  Result<Completion> Await(Timeout timeout = {}) {
    if (!started_) return {{}, Reason::not_configured};
    const Result<Completion> result = channel_->Wait(last_ticket_, timeout);
    open_ = channel_->Knows(last_ticket_);
    return result;
  }
  // Everything in one call.
  Result<Completion> Run(const Result<Descriptor>& made, Timeout timeout = {}) {
    if (const Status status = Configure(made); !status.ok()) return {{}, status};
    if (const Result<uint32_t> ticket = Start(); !ticket.ok()) return {{}, ticket.status};
    return Await(timeout);
  }
  Result<Completion> Run(const Descriptor& descriptor, Timeout timeout = {}) {
    return Run(Result<Descriptor>{descriptor, {}}, timeout);
  }
  // How often descriptor n of the chain has been loaded since Configure(), modulo the size of its
  // iteration: where the next turn begins.
  Result<uint32_t> Turn(uint32_t n = 0) const {
    if (n >= length_) return {0, Reason::not_configured};
    return {channel_->device().Read(registers::TurnAddress() + 4 * slots_[n]), {}};
  }
  // Gives the descriptors back.
  Status Free() {
    if (running()) return Reason::task_running;
    if (started_) channel_->Forget(last_ticket_);
    started_ = false;
    return Resize(0);
  }

 private:
  struct None {};
  struct Written {
    Descriptor image[Chain];
    bool there[Chain] = {};
    uint32_t opens = 0;  // of the channel
  };

  Result<uint32_t> Note(const Result<uint32_t>& ticket) {
    if (!ticket.ok()) return ticket;
    if (open_) channel_->Leave(last_ticket_);
    last_ticket_ = ticket.value;
    started_ = true;
    open_ = true;
    return ticket;
  }
  // Has descriptors 0 to `length` - 1, or none at all if there are not enough: a part of a chain is
  // no chain.
  Status Resize(uint32_t length) {
    Status status;
    for (uint32_t n = length_; n < length && n < Chain; ++n) {
      const Result<uint32_t> slot = pool_->Take();
      if (!slot.ok()) {
        status = slot.status;
        length = 0;
        break;
      }
      slots_[n] = static_cast<uint8_t>(slot.value);
      length_ = n + 1;
    }
    for (uint32_t n = length; n < length_ && n < Chain; ++n) {
      pool_->Give(slots_[n]);
      if constexpr (Shadow) shadow_.there[n] = false;
    }
    length_ = length;
    return status;
  }
  void Put(uint32_t n, const Descriptor& descriptor) {
    if constexpr (Shadow) {
      if (shadow_.opens != channel_->opens()) {
        shadow_.opens = channel_->opens();
        for (bool& there : shadow_.there) there = false;
      }
      WriteDescriptor(channel_->device(), slots_[n], descriptor,
                      shadow_.there[n] ? &shadow_.image[n] : nullptr);
      shadow_.image[n] = descriptor;
      shadow_.there[n] = true;
    } else {
      WriteDescriptor(channel_->device(), slots_[n], descriptor);
    }
  }

  template <bool Remembers, typename Yes, typename No>
  struct Choose {
    using Type = Yes;
  };
  template <typename Yes, typename No>
  struct Choose<false, Yes, No> {
    using Type = No;
  };

  ChannelType* channel_;
  DescriptorPool* pool_;
  uint32_t last_ticket_ = 0;
  uint32_t length_ = 0;
  bool started_ = false;
  bool open_ = false;  // nobody has awaited the last start
  uint8_t slots_[Chain] = {};
  [[no_unique_address]] typename Choose<Shadow, Written, None>::Type shadow_;
};

}  // namespace tessera::driver
