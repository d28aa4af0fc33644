// The registers of windows, and whether one of them permits a page.
#pragma once

#include <cstdint>
#include <vector>

#include "tb/sim/rng.h"
#include "tests/port/shapes.h"

namespace tessera {

struct WindowAccess {
  bool write = false;
  int channel = 0, number = 0, word = 0, strobe = 15;
  uint32_t data = 0;
};

class WindowModel {
 public:
  WindowModel(const PortShape& shape, bool write)
      : shape_(shape),
        write_(write),
        words_(static_cast<size_t>(shape.channels * shape.windows * 5)) {}

  bool there(const WindowAccess& a) const {
    return a.channel < shape_.channels && a.number < shape_.windows;
  }
  bool refused(const WindowAccess& a) const {
    return !there(a) || (a.write && At(a.channel, a.number, 4) >> 31 != 0);
  }
  uint32_t Read(const WindowAccess& a) const { return At(a.channel, a.number, a.word); }
  void Write(const WindowAccess& a) {
    if (refused(a) || a.strobe == 0) return;
    constexpr uint32_t kKept[] = {0xfffff000, 0xffffffff, 0xfffff000, 0xffffffff, 0x80000003};
    uint32_t mask = 0;
    for (int n = 0; n < 4; ++n) mask |= a.strobe >> n & 1 ? 0xffU << (8 * n) : 0;
    uint32_t& word = At(a.channel, a.number, a.word);
    word = ((word & ~mask) | (a.data & mask)) & kKept[a.word];
    if (a.word != 4) At(a.channel, a.number, 4) = 0;
  }
  bool Permits(int channel, uint64_t addr) const {
    if (shape_.windows == 0) return true;
    for (int n = 0; n < shape_.windows; ++n) {
      const auto page = [&](int word) {
        return (static_cast<uint64_t>(At(channel, n, word + 1)) << 32 | At(channel, n, word)) >> 12;
      };
      if ((At(channel, n, 4) >> (write_ ? 1 : 0) & 1) != 0 && addr >> 12 >= page(0) &&
          addr >> 12 <= page(2))
        return true;
    }
    return false;
  }

  WindowAccess Random(Rng& rng) const {
    WindowAccess a;
    a.write = rng.Below(3) != 0;
    a.channel = static_cast<int>(rng.Below(static_cast<uint64_t>(shape_.channels)));
    a.number = static_cast<int>(rng.Below(static_cast<uint64_t>(shape_.windows)));
    if (rng.Below(16) == 0) a.number = static_cast<int>(rng.Below(16));
    a.word = static_cast<int>(rng.Below(8) < 4 ? 4 : rng.Below(5));
    if (rng.Below(8) == 0) a.strobe = static_cast<int>(rng.Below(16));
    a.data = Word(rng, a.word);
    return a;
  }
  // Words of a window like those that are used.
  static uint32_t Word(Rng& rng, int word) {
    if (word == 4)
      return static_cast<uint32_t>(rng.Below(8) == 0 ? rng.Below(4) : 3) |
             (rng.Below(64) == 0 ? 0x80000000U : 0);
    if (word % 2 == 1) return static_cast<uint32_t>(rng.Below(16) == 0 ? rng.Below(3) : 0);
    const uint64_t page = word == 0 ? rng.Below(24) : 8 + rng.Below(24);
    return static_cast<uint32_t>(page << 12 | rng.Below(4096));
  }

 private:
  uint32_t& At(int channel, int number, int word) {
    return words_[static_cast<size_t>((channel * shape_.windows + number) * 5 + word)];
  }
  const uint32_t& At(int channel, int number, int word) const {
    return words_[static_cast<size_t>((channel * shape_.windows + number) * 5 + word)];
  }
  PortShape shape_;
  bool write_;
  std::vector<uint32_t> words_;
};

}  // namespace tessera
