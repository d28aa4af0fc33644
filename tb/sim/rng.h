// The random numbers of the harness: xoshiro256**, seeded by splitmix64 from one 64-bit seed.
//
// Promises: the same seed gives the same numbers on every machine and compiler; named sub-streams
// depend on the seed and the name alone, never on how many numbers were drawn before, so that
// adding a draw in one component leaves all others as they were.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <string_view>

namespace tessera {

// The splitmix64 output function: a bijection on 64 bits that looks random.
constexpr uint64_t Mix64(uint64_t x) {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

constexpr uint64_t HashName(std::string_view name) {  // FNV-1a
  uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : name) hash = (hash ^ static_cast<uint8_t>(c)) * 0x100000001b3U;
  return hash;
}

class Rng {
 public:
  using result_type = uint64_t;

  explicit constexpr Rng(uint64_t seed = 0) : seed_(seed) {
    uint64_t x = seed;
    for (uint64_t& word : state_) word = Mix64(x += 0x9e3779b97f4a7c15U);
  }

  // An independent stream that depends on this one's seed and the name (and index) alone.
  constexpr Rng Stream(std::string_view name, uint64_t index = 0) const {
    return Rng(Mix64(Mix64(seed_ ^ HashName(name)) + index));
  }

  constexpr uint64_t seed() const { return seed_; }

  constexpr uint64_t operator()() {
    const uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
    const uint64_t t = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= t;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }

  // 0 .. n-1; n must not be 0. The bias is below 2**-32 for n below 2**32 and of no matter here.
  constexpr uint64_t Below(uint64_t n) {
    if (n <= 0xffffffffU) return ((*this)() >> 32) * n >> 32;
    return (*this)() % n;
  }

  // low .. high, both included.
  constexpr uint64_t Between(uint64_t low, uint64_t high) {
    const uint64_t span = high - low + 1;
    return span == 0 ? (*this)() : low + Below(span);
  }

  constexpr bool Chance(double probability) {
    return static_cast<double>((*this)() >> 11) * 0x1.0p-53 < probability;
  }

  static constexpr uint64_t min() { return 0; }
  static constexpr uint64_t max() { return std::numeric_limits<uint64_t>::max(); }

 private:
  uint64_t seed_;
  std::array<uint64_t, 4> state_{};
};

}  // namespace tessera
