// @NAME@ for software: where it is, what it was built with (@TOP@), and how to start it. All registers with their bits:
// tessera/mover_registers.h. Freestanding C++20.
//
//   tessera::driver::MmioBus bus(@NAME@::kBase);             // or any class with read32 and write32
//   if (!@NAME@::Matches(bus)) ...
//   @NAME@::SetArgument(bus, 0, @NAME@::kListArgument, address);
//   @NAME@::Start(bus);
//   while (!@NAME@::Done(bus)) {
//   }
//   if (@NAME@::Errors(bus) != 0) ...                        // a bit a channel, reads first
#pragma once

#include <stdint.h>

#include "tessera/bus.hpp"

namespace @NAME@ {

inline constexpr uintptr_t kBase = @BASE@;  // as its specification says; the address editor decides
inline constexpr uint32_t kSpan = @SPAN@;   // bytes of registers
inline constexpr uint32_t kHertz = @HERTZ@;

// Parameters.
@CONSTANTS@
// Registers.
inline constexpr uint32_t kControl = 0x00, kGie = 0x04, kIer = 0x08, kIsr = 0x0c;
inline constexpr uint32_t kId = 0xf00, kVersion = 0xf04, kCapabilities = 0xf08, kErrors = 0xf0c, kCycles = 0xf10, kDepth = 0xf18;
inline constexpr uint32_t Argument(uint32_t channel, uint32_t argument) { return 0x10 + 24 * channel + 12 * argument; }
inline constexpr uint32_t Channel(uint32_t channel) { return 0x1000 + 0x80 * channel; }
// Of a channel.
inline constexpr uint32_t kOptions = 0x00, kStatus = 0x04, kFirst = 0x08, kLast = 0x10, kErrorIndex = 0x18, kErrorAddress = 0x1c,
                          kCount = 0x24, kBytes = 0x28, kBegun = 0x30, kEnded = 0x38, kMismatches = 0x40, kMismatch = 0x44,
                          kResult = 0x4c, kRamPlace = 0x50, kRamData = 0x54;

// Which argument of a channel is what: the list, or with ranges the address; the data's address, or with ranges the size.
inline constexpr uint32_t kListArgument = kBaseFirst ? 1 : 0, kDataArgument = kBaseFirst ? 0 : 1;

template <typename Bus>
void SetArgument(Bus& bus, uint32_t channel, uint32_t argument, uint64_t value) {
  bus.write32(Argument(channel, argument), static_cast<uint32_t>(value));
  bus.write32(Argument(channel, argument) + 4, static_cast<uint32_t>(value >> 32));
}
template <typename Bus>
uint64_t Read64(Bus& bus, uint32_t offset) {
  const uint64_t low = bus.read32(offset);
  return low | static_cast<uint64_t>(bus.read32(offset + 4)) << 32;
}
template <typename Bus>
void Start(Bus& bus) {
  bus.write32(kControl, 1);
}
// Reading clears it: true once for each run.
template <typename Bus>
bool Done(Bus& bus) {
  return (bus.read32(kControl) & 2) != 0;
}
template <typename Bus>
uint32_t Errors(Bus& bus) {
  return bus.read32(kErrors);
}
// Words of the RAM of a read channel, from its word `place` on; while the kernel is idle.
template <typename Bus>
void WriteRam(Bus& bus, uint32_t channel, uint32_t place, const uint32_t* words, uint32_t count) {
  bus.write32(Channel(channel) + kRamPlace, place);
  for (uint32_t n = 0; n < count; ++n) bus.write32(Channel(channel) + kRamData, words[n]);
}

// Whether the hardware is this build: identity, channels, widths.
template <typename Bus>
bool Matches(Bus& bus) {
  const auto log2 = [](uint32_t value) {
    uint32_t bits = 0;
    while ((uint32_t{1} << bits) < value) ++bits;
    return bits;
  };
  const uint32_t is = bus.read32(kCapabilities);
  return bus.read32(kId) == 0x5453524d && (is & 0x1f) == kReads && (is >> 5 & 0x1f) == kWrites &&
         (is >> 16 & 0xf) == log2(kDataWidth / 8) && (is >> 20 & 0xf) == log2(kStreamWidth / 8) &&
         (is >> 24 & 0xf) == log2(kElementBytes) && (is >> 28 & 1) == kPatterns && (is >> 29 & 1) == kBaseFirst &&
         bus.read32(kDepth) == (kRomWords != 0 ? kRomWords : kRamWords);
}

}  // namespace @NAME@
