// A tessera_dma at the other end of a bus: what it is, and what concerns all of its channels.
//
// Open() must have succeeded before anything else is used. A device object holds no state of the
// hardware but its capabilities, so that several may stand for one device.
#pragma once

#include <stdint.h>

#include "bus.hpp"
#include "capabilities.hpp"
#include "registers.hpp"
#include "status.hpp"

namespace tessera::driver {

enum class Direction : uint8_t { kToStream = 0, kFromStream = 1 };

// The memory of the IP itself. Channels reach it by address, as any memory; processors through the
// IP's port s_axi_onchip, where its first byte may have another address.
struct OnChip {
  uint64_t address = 0;  // of its first byte, for channels
  uint32_t bytes = 0;    // 0: there is none
  uint8_t banks = 0;     // word n, as wide as a beat of memory, is in bank n % banks
  registers::Check check = registers::Check::kNone;

  constexpr bool Holds(uint64_t first, uint64_t count) const {
    return first >= address && count <= bytes && first - address <= bytes - count;
  }
};

template <Bus B>
class Device {
 public:
  using BusType = B;

  explicit constexpr Device(B& bus) : bus_(&bus) {}

  // Reads the capability registers. Refuses what is no tessera_dma, or one of another programming
  // model, and a device whose channels an earlier program left quiesced: Resume() ends that, and
  // may be called before.
  Status Open() {
    Result<Capabilities> found = Discover(*bus_);
    if (found.ok() && (Read(registers::global_block::GlobalControl::kOffset) &
                       registers::global_block::GlobalControl::kQuiesceMask) != 0) {
      found.status = Reason::device_quiesced;
    }
    if (found.ok()) build_ = found.value;
    opened_ = found.ok();
    return found.status;
  }

  const Capabilities& build() const { return build_; }
  bool opened() const { return opened_; }
  B& bus() const { return *bus_; }
  uint32_t Read(uint32_t offset) const { return bus_->read32(offset); }
  void Write(uint32_t offset, uint32_t value) const { bus_->write32(offset, value); }

  // GLOBAL_CONTROL stays as it is.
  bool locked() const {
    return (Read(registers::global_block::GlobalControl::kOffset) &
            registers::global_block::GlobalControl::kLockMask) != 0;
  }

  // The cycle counter.
  uint64_t Cycles() const {
    for (;;) {
      const uint32_t low =
          Read(registers::global_block::CyclesLow::kOffset);  // latches the high half
      const uint32_t high = Read(registers::global_block::CyclesHigh::kOffset);
      // A handler may have latched it in between, later than the low half was 0.
      if (Read(registers::global_block::CyclesLow::kOffset) >= low)
        return low | static_cast<uint64_t>(high) << 32;
    }
  }
  uint32_t CyclesLow() const { return Read(registers::global_block::CyclesLow::kOffset); }

  void EnableInterrupts(bool enable) const {
    Change(registers::global_block::GlobalControl::kIrqEnableMask,
           enable ? registers::global_block::GlobalControl::kIrqEnableMask : 0);
  }

  // Which bits of registers::global_block::GlobalIrqStatus raise the interrupt line beside the
  // channels. A cause holds until it is cleared where it is told, so a handler takes it out of
  // `which` if it cannot clear it.
  void EnableCauses(uint32_t which) const {
    Write(registers::global_block::GlobalIrqEnable::kOffset, which);
  }
  // Those that hold now, enabled or not.
  uint32_t Causes() const { return Read(registers::global_block::GlobalIrqStatus::kOffset); }

  // No channel begins a transfer or goes on with one; waits until all buses are quiet.
  Status Quiesce(Timeout timeout = {}) const {
    if (locked()) return Reason::register_locked;
    Change(registers::global_block::GlobalControl::kQuiesceMask,
           registers::global_block::GlobalControl::kQuiesceMask);
    return WaitFor(registers::global_block::GlobalStatus::kOffset,
                   registers::global_block::GlobalStatus::kQuietMask,
                   registers::global_block::GlobalStatus::kQuietMask, timeout);
  }
  void Resume() const { Change(registers::global_block::GlobalControl::kQuiesceMask, 0); }

  // Memories and streams have 2^exponent times as long as the build says before they are at fault:
  // 0 to 15, for a slow memory or a debugger that holds it.
  Status SetPatience(uint32_t exponent) const {
    if (exponent > 15) return {Reason::patience_exponent, exponent};
    if (locked()) return Reason::register_locked;
    Change(registers::global_block::GlobalControl::kPatienceMask,
           registers::Bits<registers::global_block::GlobalControl::kPatienceMask>(exponent));
    return {};
  }

  // The counters of all channels, at one moment: they stand still, or count from 0.
  void FreezeCounters(bool freeze) const {
    Change(registers::global_block::GlobalControl::kFreezeMask,
           freeze ? registers::global_block::GlobalControl::kFreezeMask : 0);
  }
  void ClearCounters() const {
    Change(registers::global_block::GlobalControl::kClearMask,
           registers::global_block::GlobalControl::kClearMask);
  }

  // Where the on-chip buffer is, if there is one.
  OnChip FindOnChip() const {
    if (!build_.Has(registers::global_block::CapFeatures::kOnchipMask)) return {};
    const registers::global_block::CapOnchip has{Read(registers::global_block::CapOnchip::kOffset)};
    return {.address = static_cast<uint64_t>(Read(registers::global_block::OnchipBase::kOffset))
                       << 20,
            .bytes = has.kib() << 10,
            .banks = static_cast<uint8_t>(has.banks()),
            .check = static_cast<registers::Check>(has.check())};
  }
  // The on-chip buffer since ClearCounters(): cycles in which an access waited for its bank; words
  // that were read with a wrong bit and corrected, and that could not be, each up to 65,535. Only
  // where FindOnChip() has bytes.
  uint32_t OnChipConflicts() const {
    return Read(registers::global_block::OnchipConflicts::kOffset);
  }
  struct OnChipErrors {
    uint16_t corrected = 0, lost = 0;
  };
  OnChipErrors ReadOnChipErrors() const {
    const registers::global_block::OnchipErrors errors{
        Read(registers::global_block::OnchipErrors::kOffset)};
    return {static_cast<uint16_t>(errors.corrected()), static_cast<uint16_t>(errors.lost())};
  }

  // An event of software: 0 to 15.
  Status Trigger(uint32_t event) const {
    if (event > 15) return {Reason::trigger_number, event};
    if (!build_.Has(registers::global_block::CapFeatures::kTriggersMask))
      return Reason::no_triggers;
    bus_->barrier();
    Write(registers::global_block::Fire::kOffset, 1u << event);
    return {};
  }

  // Waits until the bits `mask` of a register are `value`.
  Status WaitFor(uint32_t offset, uint32_t mask, uint32_t value, Timeout timeout) const;

 private:
  // Read and written, unless it is locked: not in a handler that may interrupt another call that
  // changes this register.
  void Change(uint32_t mask, uint32_t bits) const {
    const uint32_t held = Read(registers::global_block::GlobalControl::kOffset);
    if ((held & registers::global_block::GlobalControl::kLockMask) == 0)
      Write(registers::global_block::GlobalControl::kOffset, (held & ~mask) | bits);
  }

  B* bus_;
  Capabilities build_{};
  bool opened_ = false;
};

// Ends a waiting loop: each turn asks Passed().
template <Bus B>
class Deadline {
 public:
  Deadline(const Device<B>& device, Timeout timeout)
      : device_(&device), turns_(timeout.turns), cycles_(timeout.cycles) {
    if (cycles_ != 0) begin_ = device.CyclesLow();
  }

  bool Passed() {
    if (turns_ == 0) return true;
    --turns_;
    if (cycles_ != 0 && device_->CyclesLow() - begin_ >= cycles_) return true;
    Relax(device_->bus());
    return false;
  }
  uint32_t turns() const { return turns_; }  // that are left
  void Shorten(uint32_t turns) { turns_ = turns_ < turns ? turns_ : turns; }

 private:
  const Device<B>* device_;
  uint32_t turns_;
  uint32_t cycles_;
  uint32_t begin_ = 0;
};

template <Bus B>
Status Device<B>::WaitFor(uint32_t offset, uint32_t mask, uint32_t value, Timeout timeout) const {
  Deadline<B> deadline(*this, timeout);
  for (;;) {
    if ((Read(offset) & mask) == value) return {};
    if (deadline.Passed()) return Reason::timeout;
  }
}

// ---- Locks
// ------------------------------------------------------------------------------------------

// Locks whose releases went beyond their range: a bit a lock.
struct LockErrors {
  uint64_t over = 0;   // stayed at 63
  uint64_t under = 0;  // stayed at 0
};

// Reads which they were and clears them. No lock of a build without locks.
template <Bus B>
LockErrors TakeLockErrors(const Device<B>& device) {
  if (device.build().locks == 0) return {};
  const auto take = [&](uint32_t at) {
    const uint32_t word = device.Read(at);
    if (word != 0) device.Write(at, word);
    return word;
  };
  const auto both = [&](uint32_t at) {
    const uint64_t low = take(at);
    if (device.build().locks <= 32) return low;  // there is no second register
    return low | static_cast<uint64_t>(take(at + 4)) << 32;
  };
  const uint64_t over = both(registers::global_block::LockOverLow::kOffset);
  return {over, both(registers::global_block::LockUnderLow::kOffset)};
}

// A counting lock, 0 to 63.
template <Bus B>
class Lock {
 public:
  constexpr Lock(const Device<B>& device, uint32_t number) : device_(&device), number_(number) {}

  Status Set(uint32_t value) const {
    if (const Status status = Check(value > 63); !status.ok()) return status;
    device_->Write(Address(), value);
    return {};
  }
  Result<uint32_t> Value() const {
    if (const Status status = Check(false); !status.ok()) return {0, status};
    return {device_->Read(Address()) & 0x3f, {}};
  }
  // Adds a signed amount. What was written to memory before is visible to whoever gets the lock.
  Status Release(int32_t amount) const {
    if (const Status status = Check(amount < -64 || amount > 63); !status.ok()) return status;
    device_->bus().barrier();
    device_->Write(Address() + registers::lock::Release::kOffset,
                   static_cast<uint32_t>(amount) & 0x7f);
    return {};
  }
  // Tries until it is granted, as a descriptor does: below 0 for lock >= -value, which it takes,
  // else for lock == value, which stays (a build with EqualTakes takes it).
  Status Acquire(int32_t value, Timeout timeout = {}) const {
    if (const Status status = Check(value < -64 || value > 63); !status.ok()) return status;
    const uint32_t request =
        registers::AcquireAddress(number_) + 4 * (static_cast<uint32_t>(value) & 0x7f);
    Deadline<B> deadline(*device_, timeout);
    while ((device_->Read(request) & 1) == 0) {
      if (deadline.Passed()) return {Reason::not_granted, number_};
    }
    device_->bus().barrier();
    return {};
  }

 private:
  uint32_t Address() const { return registers::LockAddress(number_); }
  Status Check(bool bad) const {
    if (device_->build().locks == 0) return Reason::no_locks;
    if (number_ >= device_->build().locks) return {Reason::lock_number, number_};
    return bad ? Status(Reason::lock_value, number_) : Status();
  }

  const Device<B>* device_;
  uint32_t number_;
};

// ---- Windows
// ----------------------------------------------------------------------------------------

struct Window {
  uint64_t first = 0;  // address of the first page of 4 KiB; both within the address width
  uint64_t last = 0;   // of the last one
  bool read = false;
  bool write = false;
  bool lock = false;  // stays as it is until a reset
};

// Sets window `number` of a channel; the word that makes it count is written last.
template <Bus B>
Status SetWindow(const Device<B>& device, Direction direction, uint32_t channel, uint32_t number,
                 const Window& window) {
  const Capabilities& build = device.build();
  const bool writes = direction == Direction::kFromStream;
  if (!build.Has(registers::global_block::CapFeatures::kWindowsMask)) return Reason::no_windows;
  if (channel >= (writes ? build.writes : build.reads)) return {Reason::channel_number, channel};
  if (number >= build.windows) return {Reason::window_number, number};
  if (((window.first | window.last) & 0xfff) != 0 || window.first > window.last ||
      (build.address_bits < 64 &&
       (static_cast<uint32_t>(window.last >> 32) >> (build.address_bits - 32)) != 0)) {
    return {Reason::window_pages, number};
  }
  const uint32_t at = registers::WindowAddress(channel + (writes ? 16 : 0), number);
  if ((device.Read(at + registers::window::Flags::kOffset) & registers::window::Flags::kLockMask) !=
      0) {
    return {Reason::window_locked, number};
  }
  device.Write(at + registers::window::FirstLow::kOffset, static_cast<uint32_t>(window.first));
  device.Write(at + registers::window::FirstLow::kOffset + 4,
               static_cast<uint32_t>(window.first >> 32));
  device.Write(at + registers::window::LastLow::kOffset, static_cast<uint32_t>(window.last));
  device.Write(at + registers::window::LastLow::kOffset + 4,
               static_cast<uint32_t>(window.last >> 32));
  device.Write(at + registers::window::Flags::kOffset,
               (window.read ? 1u : 0) | (window.write ? 2u : 0) |
                   (window.lock ? registers::window::Flags::kLockMask : 0));
  return {};
}

}  // namespace tessera::driver
