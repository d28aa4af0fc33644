// Pins of a verilated model that are wider than a word, as bytes, words and bits.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tessera {

template <typename Pin>
auto* Bytes(Pin& pin) {
  return reinterpret_cast<uint8_t*>(&pin);
}
template <typename Pin>
auto* Words(Pin& pin) {
  return reinterpret_cast<uint64_t*>(&pin);
}
template <typename Pin>
bool Bit(const Pin& pin, size_t n) {
  return reinterpret_cast<const uint8_t*>(&pin)[n / 8] >> (n % 8) & 1;
}

}  // namespace tessera
