// Data, keep and strobe of a bus of any width.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace tessera {

inline constexpr int kMaxBusBytes = 128;

// One bit a byte lane.
struct LaneMask {
  std::array<uint64_t, 2> word{};
  bool operator[](int lane) const { return (word[lane >> 6] >> (lane & 63)) & 1; }
  void Set(int lane) { word[lane >> 6] |= uint64_t{1} << (lane & 63); }
  bool operator==(const LaneMask&) const = default;
};

using BusData = std::array<uint8_t, kMaxBusBytes>;  // byte lane 0 first; lanes past the width are 0

}  // namespace tessera
