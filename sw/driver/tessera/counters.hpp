// The counters of the device as those of a Profiler.
//
// Two of the questions count from the first beat since the counters of all channels were cleared: a
// unit with one of them is given only while no other unit counts. The others count from where they
// begin, modulo 2^32.
#pragma once

#include <stdint.h>

#include "profile.hpp"
#include "registers.hpp"

namespace tessera::driver {

template <Bus B, uint32_t kCount = 4>
class DeviceCounters {
 public:
  static constexpr uint32_t kUnits = kCount;

  explicit DeviceCounters(const Device<B>& device) : device_(&device) {}

  Reason Start(uint32_t unit, const ProfileSetup& setup) {
    if (!device_->build().Has(map::kFeatureCounters)) return Reason::no_counters;
    const bool clears = setup.option == ProfileOption::kStreamStartToBytesTransferredCycles ||
                        setup.option == ProfileOption::kStreamStartDifferenceCycles;
    if (clears && used_ != 0) return Reason::no_handle;
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
