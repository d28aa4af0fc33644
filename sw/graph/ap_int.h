// ap_uint<W>: as much of it as words of streams need.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <type_traits>

template <int W>
class ap_uint {
  static_assert(W >= 1 && W <= 512, "tessera: ap_uint has 1 to 512 bits");

 public:
  static constexpr int width = W;
  static constexpr int kWords = (W + 63) / 64;

  constexpr ap_uint() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): a number is a word.
  constexpr ap_uint(uint64_t value) : words_{value} { Trim(); }

  constexpr uint64_t to_uint64() const { return words_[0]; }
  constexpr operator uint64_t() const  // NOLINT(google-explicit-constructor): as ap_uint has it
      requires(W <= 64) {
    return words_[0];
  }
  template <int V>
  constexpr bool operator==(const ap_uint<V>& other) const {
    static_assert(V == W, "tessera: ap_uint of different widths are compared");
    return words_ == other.words_;
  }

  // Bits `low` to `high`, at most 64 of them.
  constexpr uint64_t range(int high, int low) const {
    uint64_t value = 0;
    for (int n = low; n <= high; ++n) value |= Bit(n) << (n - low);
    return value;
  }
  constexpr void set_range(int high, int low, uint64_t value) {
    for (int n = low; n <= high; ++n) {
      uint64_t& word = words_[static_cast<size_t>(n / 64)];
      word = (word & ~(uint64_t{1} << n % 64)) | (value >> (n - low) & 1) << n % 64;
    }
  }
  // Little-endian bytes.
  void to_bytes(uint8_t* bytes) const { std::memcpy(bytes, words_.data(), (W + 7) / 8); }
  void from_bytes(const uint8_t* bytes) {
    words_ = {};
    std::memcpy(words_.data(), bytes, (W + 7) / 8);
    Trim();
  }

 private:
  constexpr uint64_t Bit(int n) const { return words_[static_cast<size_t>(n / 64)] >> n % 64 & 1; }
  constexpr void Trim() {
    if constexpr (W % 64 != 0) words_[kWords - 1] &= (uint64_t{1} << W % 64) - 1;
  }
  std::array<uint64_t, kWords> words_{};
};
