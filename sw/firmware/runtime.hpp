// What a program without a library needs beside itself: the two functions that compilers call on
// their own, and construction in place. One file of a program includes it.
#pragma once

#include <stddef.h>
#include <stdint.h>

inline void* operator new(size_t, void* place) noexcept { return place; }

extern "C" {

void* memset(void* to, int value, size_t bytes) {
  auto* at = static_cast<volatile uint8_t*>(to);  // volatile: or this becomes a call of itself
  for (size_t n = 0; n < bytes; ++n) at[n] = static_cast<uint8_t>(value);
  return to;
}

void* memcpy(void* to, const void* from, size_t bytes) {
  auto* at = static_cast<volatile uint8_t*>(to);
  const auto* of = static_cast<const uint8_t*>(from);
  for (size_t n = 0; n < bytes; ++n) at[n] = of[n];
  return to;
}
}
