// What a program without a library needs beside itself: the two functions that compilers call on
// their own, and construction in place. One file of a program includes it.
#pragma once

#include <stddef.h>
#include <stdint.h>

inline void* operator new(size_t, void* place) noexcept { return place; }

extern "C" {

// Loops whose body the compiler cannot see through: or they would become calls of themselves.
void* memset(void* to, int value, size_t bytes) {
  auto* at = static_cast<uint8_t*>(to);
  for (; bytes != 0; --bytes, ++at) {
    *at = static_cast<uint8_t>(value);
    asm volatile("" ::: "memory");
  }
  return to;
}

void* memcpy(void* to, const void* from, size_t bytes) {
  auto* at = static_cast<uint8_t*>(to);
  const auto* of = static_cast<const uint8_t*>(from);
  if (((reinterpret_cast<uintptr_t>(at) | reinterpret_cast<uintptr_t>(of)) & 3) == 0) {
    for (; bytes >= 4; bytes -= 4, at += 4, of += 4) {
      *reinterpret_cast<uint32_t*>(at) = *reinterpret_cast<const uint32_t*>(of);
      asm volatile("" ::: "memory");
    }
  }
  for (; bytes != 0; --bytes, ++at, ++of) {
    *at = *of;
    asm volatile("" ::: "memory");
  }
  return to;
}
}
