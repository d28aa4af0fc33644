// @NAME@ for software: where it is, and what it was built with (@TOP@). Registers: tessera/registers.hpp, which this
// includes; the driver is tessera/driver.hpp. Freestanding C++20.
//
//   tessera::driver::MmioBus bus(@NAME@::kBase);
//   tessera::driver::Device device(bus);
//   if (!device.Open().ok() || !@NAME@::Matches(bus)) ...
#pragma once

#include <stdint.h>

#include "tessera/registers.hpp"

namespace @NAME@ {

inline constexpr uintptr_t kBase = @BASE@;  // as its specification says; the address editor decides
inline constexpr uint32_t kSpan = @SPAN@;   // bytes of registers
inline constexpr uint32_t kHertz = @HERTZ@;
@BUFFER@
// Parameters.
@CONSTANTS@
// Whether the hardware is this build: identity, channels, buses, tasks.
template <typename Bus>
bool Matches(Bus& bus) {
  using namespace tessera::registers::global_block;
  const auto log2 = [](uint32_t value) {
    uint32_t bits = 0;
    while ((uint32_t{1} << bits) < value) ++bits;
    return bits;
  };
  const CapChannels channels{bus.read32(CapChannels::kOffset)};
  const CapBus buses{bus.read32(CapBus::kOffset)};
  const CapTasks tasks{bus.read32(CapTasks::kOffset)};
  return bus.read32(Id::kOffset) == tessera::registers::kIdentity && channels.reads() == kReads &&
         channels.writes() == kWrites && channels.ports() == kPorts && buses.address() == kAddrWidth &&
         buses.data_log2() == log2(kDataWidth / 8) && buses.stream_log2() == log2(kStreamWidth / 8) &&
         tasks.descriptors() == kDescriptors && tasks.locks() == kLocks;
}

}  // namespace @NAME@
