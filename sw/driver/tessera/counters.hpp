// The counters of the device as those of a Profiler.
//
// Two of the questions count from the first beat since the counters of all channels were cleared: a
// unit with one of them is given only while no other unit counts, and GLOBAL_CONTROL is not locked.
// The others count from where they begin, modulo 2^32.
#pragma once

#include <stdint.h>

#include "profile.hpp"
#include "registers.hpp"

namespace tessera::driver {

// What the counters of a channel say: why it stood still, and what it did. Modulo 2^32, since they
// were cleared.
struct ChannelCounts {
  uint32_t busy = 0;    // cycles
  uint32_t memory = 0;  // cycles in which it waited for the memory,
  uint32_t stream = 0;  // ... for the stream,
  uint32_t lock = 0;    // ... for a lock,
  uint32_t credit = 0;  // ... for credit on its port
  uint32_t beats = 0;   // of the stream
  uint32_t bursts = 0;
  uint32_t packets = 0;
  uint32_t transfers = 0;
  uint64_t bytes = 0;  // of the stream
};

// Reads them one after the other; Device::FreezeCounters() gives those of one moment.
template <Bus B>
Result<ChannelCounts> ReadCounts(const Device<B>& device, StreamPort port) {
  namespace c = registers::counter;
  const bool to = port.direction == Direction::kToStream;
  if (!device.build().Has(registers::global_block::CapFeatures::kCountersMask))
    return {{}, Reason::no_counters};
  if (port.channel >= (to ? device.build().reads : device.build().writes)) {
    return {{}, {Reason::channel_number, port.channel}};
  }
  const uint32_t at =
      to ? registers::ReadCountAddress(port.channel) : registers::WriteCountAddress(port.channel);
  Result<ChannelCounts> counts;
  ChannelCounts& value = counts.value;
  value.busy = device.Read(at + c::Busy::kOffset);
  value.memory = device.Read(at + c::Memory::kOffset);
  value.stream = device.Read(at + c::Stream::kOffset);
  value.lock = device.Read(at + c::Lock::kOffset);
  value.credit = device.Read(at + c::Credit::kOffset);
  value.beats = device.Read(at + c::Beats::kOffset);
  value.bursts = device.Read(at + c::Bursts::kOffset);
  value.packets = device.Read(at + c::Packets::kOffset);
  value.transfers = device.Read(at + c::Transfers::kOffset);
  const uint32_t before = device.Read(at + c::BytesHigh::kOffset);
  uint32_t low = device.Read(at + c::BytesLow::kOffset);
  const uint32_t high = device.Read(at + c::BytesHigh::kOffset);
  if (high != before) low = device.Read(at + c::BytesLow::kOffset);  // it has just been 0
  value.bytes = low | static_cast<uint64_t>(high) << 32;
  return counts;
}

template <Bus B, uint32_t kCount = 4>
class DeviceCounters {
 public:
  static constexpr uint32_t kUnits = kCount;

  explicit DeviceCounters(const Device<B>& device) : device_(&device) {}

  Reason Start(uint32_t unit, const ProfileSetup& setup) {
    if (!device_->build().Has(registers::global_block::CapFeatures::kCountersMask))
      return Reason::no_counters;
    const bool clears = setup.option == ProfileOption::kStreamStartToBytesTransferredCycles ||
                        setup.option == ProfileOption::kStreamStartDifferenceCycles;
    if (clears && used_ != 0) return Reason::no_handle;
    if (clears && device_->locked()) return Reason::register_locked;
    if (setup.option == ProfileOption::kStreamStartToBytesTransferredCycles) {
      device_->Write(At(setup.port) + registers::counter::Limit::kOffset, setup.value);
    }
    if (clears) device_->ClearCounters();
    used_ |= 1u << unit;
    setup_[unit] = setup;
    begin_[unit] = 0;
    begin_[unit] = clears ? 0 : static_cast<uint32_t>(Read(unit));
    return Reason::none;
  }
  uint64_t Read(uint32_t unit) const {
    const ProfileSetup& setup = setup_[unit];
    const uint32_t at = At(setup.port);
    namespace c = registers::counter;
    switch (setup.option) {
      case ProfileOption::kTotalStreamRunningToIdleCycles:
        return Since(unit, device_->Read(at + c::Busy::kOffset));
      case ProfileOption::kStreamStartToBytesTransferredCycles:
        return device_->Read(at + c::Reached::kOffset);
      case ProfileOption::kStreamStartDifferenceCycles: {
        const uint32_t first = device_->Read(at + c::First::kOffset);
        const uint32_t second = device_->Read(At(setup.other) + c::First::kOffset);
        return first == 0 || second == 0 ? 0 : second - first;  // 0: not yet both
      }
      default:
        return Since(unit, device_->Read(at + c::Beats::kOffset));
    }
  }
  void Stop(uint32_t unit) { used_ &= ~(1u << unit); }

 private:
  uint32_t Since(uint32_t unit, uint32_t count) const { return count - begin_[unit]; }
  static uint32_t At(StreamPort port) {
    return port.direction == Direction::kToStream ? registers::ReadCountAddress(port.channel)
                                                  : registers::WriteCountAddress(port.channel);
  }

  const Device<B>* device_;
  uint32_t used_ = 0;
  uint32_t begin_[kCount] = {};
  ProfileSetup setup_[kCount];
};

}  // namespace tessera::driver
