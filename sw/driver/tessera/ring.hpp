// A ring of descriptors in memory: software adds while the channel works; one register write an
// entry, or for many. The device may write a completion entry for each, so that no register is
// read.
//
// The ring's memory belongs to this object and to the device. Only places that the device has
// passed are written. The task of the ring has no end of its own: its transfers are counted, not
// ticketed.
#pragma once

#include "list.hpp"

namespace tessera::driver {

// What the device says of a descriptor of a ring that is done.
struct RingEntry {
  uint64_t bytes = 0;
  uint32_t tag = 0;
  uint16_t place = 0;
  uint8_t status = 0;  // status bits, as of a record
  bool last = false;
};

// `kPitch`: 64 for descriptors without extensions, 128 with one of them, 192 with both.
template <typename ChannelType, uint32_t kPitch = 64, typename Cache = NoCache>
class DescriptorRing {
 public:
  static constexpr uint32_t kEntryBytes = 4 * registers::entry::kWords;

  explicit DescriptorRing(ChannelType& channel) : list_(channel) {}

  // `places` times `kPitch` bytes at `memory`, which the device sees at `bus_address`. Starts the
  // task.
  Status Start(void* memory, uint64_t bus_address, uint32_t places) {
    if (running_) return Reason::task_running;
    entries_ = nullptr;
    return Begin(memory, bus_address, places, 0);
  }
  // The same with completion entries: `places` times kEntryBytes at `entries`, whole cache lines.
  // Of transfers then only those with errors leave records, besides their entries: Take() and Add()
  // make room for more. Each `interrupt_after` entries (0: never) raise
  // registers::channel::IrqStatus::kEntriesMask; so does the time that EnableInterrupts() of the
  // channel sets, after the first entry that was not told.
  Status Start(void* memory, uint64_t bus_address, uint32_t places, void* entries,
               uint64_t entries_bus_address, uint8_t interrupt_after = 0) {
    if (running_) return Reason::task_running;
    if (entries == nullptr) return Reason::null_buffer;
    if (places > registers::list::Count::kCountMask) return {Reason::list_count, 0};
    if (!list_.Fits(entries, entries_bus_address, places * kEntryBytes)) return Reason::list_base;
    // The line of an entry is invalidated whenever it is looked at.
    if (SharesLine<Cache>(reinterpret_cast<uintptr_t>(entries), places * kEntryBytes)) {
      return Reason::shares_line;
    }
    entries_ = static_cast<volatile uint32_t*>(entries);
    for (uint32_t n = 0; n < places * (kEntryBytes / 4); ++n) entries_[n] = 0;
    if constexpr (Cache::kLine > 1) {
      Cache::Flush(reinterpret_cast<uintptr_t>(entries), places * kEntryBytes);
    }
    done_bus_ = entries_bus_address;
    taken_ = 0;
    posted_ = 0;
    phase_ = 1;
    next_entry_ = 0;
    return Begin(
        memory, bus_address, places,
        registers::list::Control::kEntriesMask |
            registers::Bits<registers::list::Control::kInterruptAfterMask>(interrupt_after));
  }

  // Puts a descriptor into the ring; the device sees it after Ring(). If something else has ended
  // the task (Abort or Reset of the channel): transfer_aborted, until Stop() and Start(). A ring
  // that is full because its channel has stopped says channel_halted or channel_faulted.
  Status Add(const Descriptor& descriptor) {
    if (!running_) return Reason::not_configured;
    if (list_.channel().IsFinished(ticket_)) return Reason::transfer_aborted;
    if (const Status status = list_.Check(descriptor); !status.ok()) return status;
    const uint32_t next = tail_ + 1 == list_.places() ? 0 : tail_ + 1;
    // An entry that nobody has read must not be overwritten.
    if (entries_ != nullptr && posted_ - taken_ >= list_.places()) return Full();
    if (next == head_) {
      head_ = Head();  // read only when it seems to be full
      if (next == head_) return Full();
    }
    list_.Put(tail_, descriptor, entries_ != nullptr ? Descriptor::Flags::kNoRecordMask : 0);
    tail_ = next;
    ++posted_;
    return {};
  }
  // The doorbell: everything that was added belongs to the device. Of a ring whose task has ended:
  // nothing.
  void Ring() {
    if (Runs()) Doorbell();
  }
  Status Post(const Descriptor& descriptor) {
    if (const Status status = Add(descriptor); !status.ok()) return status;
    Doorbell();
    return {};
  }

  // The oldest completion entry that was not taken, in the order of the descriptors. False: none is
  // new. No register is read but after an error, whose record is taken with the entry.
  bool Take(RingEntry& entry) {
    if (entries_ == nullptr) return false;
    volatile uint32_t* at = entries_ + next_entry_ * (kEntryBytes / 4);
    DropLine();
    const registers::entry::Status status{at[registers::entry::Status::kWord]};
    if (status.phase() != phase_) return false;
    list_.channel().device().bus().barrier();
    DropLine();  // it may have been fetched between two beats of the entry
    const registers::entry::BytesHigh high{at[registers::entry::BytesHigh::kWord]};
    entry.tag = at[registers::entry::Tag::kWord];
    entry.bytes = at[registers::entry::BytesLow::kWord] | uint64_t{high.bytes()} << 32;
    entry.place = static_cast<uint16_t>(high.index());
    constexpr uint32_t kStatus = registers::channel::Record{~uint32_t{0}}.status();
    entry.status = status.word & kStatus;
    entry.last = status.last() != 0;
    if (++next_entry_ == list_.places()) {
      next_entry_ = 0;
      phase_ ^= 1;
    }
    ++taken_;
    if (entry.status != 0) list_.channel().Service();
    return true;
  }

  // Descriptors that the device has not handed to the channel yet; 0 if the task has ended.
  uint32_t waiting() {
    if (!Runs()) return 0;
    head_ = Head();
    return tail_ >= head_ ? tail_ - head_ : tail_ + list_.places() - head_;
  }
  // Ends the task with what is under way; what waits in the ring is dropped. A task that has ended
  // already leaves the channel as it is.
  Status Stop(Timeout timeout = {}) {
    if (!running_) return Reason::not_configured;
    if (Runs()) {
      if (const Status status = list_.channel().Abort(timeout); !status.ok()) return status;
    }
    if (list_.Mine()) {
      if (const Status status = list_.WaitIdle(timeout); !status.ok()) return status;
    }
    list_.channel().Forget(ticket_);
    running_ = false;
    return {};
  }

 private:
  bool Runs() const { return running_ && !list_.channel().IsFinished(ticket_); }
  void Doorbell() {
    list_.channel().device().bus().barrier();
    list_.Write(registers::list::Tail::kOffset, tail_);
  }
  // What the cache holds of the next entry is not what the device has written.
  void DropLine() const {
    if constexpr (Cache::kLine > 1) {
      const auto address = reinterpret_cast<uintptr_t>(entries_) + next_entry_ * kEntryBytes;
      Cache::Invalidate(address & ~uintptr_t{Cache::kLine - 1}, Cache::kLine);
    }
  }
  Status Begin(void* memory, uint64_t bus_address, uint32_t places, uint32_t control) {
    if (list_.channel().headers_choose()) return Reason::headers_choose;
    if (const Status status = list_.SetUp(memory, bus_address, places, 2,
                                          registers::list::Control::kRingMask | control);
        !status.ok())
      return status;
    if (entries_ != nullptr) {
      list_.Write(registers::list::DoneBaseLow::kOffset, static_cast<uint32_t>(done_bus_));
      list_.Write(registers::list::DoneBaseHigh::kOffset, static_cast<uint32_t>(done_bus_ >> 32));
    }
    head_ = 0;
    tail_ = 0;
    const Result<uint32_t> ticket = list_.channel().PushWord(
        registers::channel::Task::kFromListMask | registers::channel::Task::kEndlessMask);
    running_ = ticket.ok();
    ticket_ = ticket.value;
    return ticket.status;
  }
  Status Full() {
    if (entries_ != nullptr) list_.channel().Service();
    const Status stopped = list_.channel().Stopped();
    return stopped.ok() ? Status(Reason::ring_full) : stopped;
  }
  uint32_t Head() const {
    return registers::list::Head{list_.Read(registers::list::Head::kOffset)}.head();
  }

  detail::ListMemory<ChannelType, kPitch, Cache> list_;
  volatile uint32_t* entries_ = nullptr;
  uint64_t done_bus_ = 0;
  uint32_t tail_ = 0;
  uint32_t head_ = 0;  // at least so far has the device come
  uint32_t ticket_ = 0;
  uint32_t posted_ = 0;
  uint32_t taken_ = 0;
  uint32_t next_entry_ = 0;
  uint32_t phase_ = 0;
  bool running_ = false;
};

}  // namespace tessera::driver
