// See descriptor.h.
#include "tb/model/descriptor.h"

namespace tessera::model {
namespace {

uint32_t Bits(uint32_t word, int low, int count) {
  return word >> low & static_cast<uint32_t>((uint64_t{1} << count) - 1);
}
uint64_t Wide(uint32_t low, uint32_t high) { return low | uint64_t{high} << 32; }

// Of a number that counts modulo the address width.
int64_t Extend(uint64_t value, int width) {
  return static_cast<int64_t>(value << (64 - width)) >> (64 - width);
}

}  // namespace

Transfer TransferOf(const Words& words, uint32_t turns, const Build& build) {
  const auto& [base, limits, walk] = words;
  const uint32_t control = base[15];
  const bool bounds = Bits(control, 14, 1) != 0;
  Transfer t;
  t.elem = 1 << Bits(control, 0, 3);
  t.base = Wide(base[0], base[1]);
  for (size_t k = 0; k < kDims; ++k) {
    t.count[k] = base[2 + k];
    uint64_t stride = static_cast<uint64_t>(int64_t{static_cast<int32_t>(base[6 + k])});
    if (bounds) {
      stride = Wide(base[6 + k], limits[12 + k]);
      t.start[k] = static_cast<int32_t>(limits[k]);
      if (limits[10] >> k & 1) t.bound[k] = limits[4 + k];
    }
    t.stride[k] = Extend(stride, build.addr_width);
  }
  if (bounds) t.fill = Wide(limits[8], limits[9]);
  for (size_t k = 0; Bits(control, 15, 1) != 0 && k < kWalkLevels; ++k) {
    t.walk[k] = WalkLevel{static_cast<int>(Bits(walk[8], static_cast<int>(2 * k), 2)),
                          static_cast<int32_t>(walk[4 + k]), walk[k]};
  }
  if (Bits(control, 3, 1) != 0) t.length = base[10];
  if (Bits(base[13], 16, 16) > 1)
    t.offset = static_cast<uint64_t>(int64_t{turns} * static_cast<int32_t>(base[11]));
  t.last_rule = static_cast<LastRule>(Bits(control, 4, 2));
  t.last_level = static_cast<int>(Bits(control, 6, 3));
  t.join_next = Bits(control, 9, 1) != 0;
  t.finish = static_cast<Finish>(Bits(control, 10, 1));
  return t;
}

int RefusalOf(const Words& words, const Build& build, uint32_t locks, bool headers) {
  const auto& [base, limits, walk] = words;
  const uint32_t lock = base[12], chain = base[13], control = base[15];
  const bool bounds = Bits(control, 14, 1) != 0, walks = Bits(control, 15, 1) != 0;
  if (Bits(control, 31, 1) == 0) return 32;
  if ((bounds && !build.bounds) || (walks && !build.walk) ||
      (Bits(control, 11, 1) != 0 && !headers))
    return 35;
  if (Bits(lock, 31, 1) || Bits(lock, 22, 2) || Bits(lock, 6, 2) || Bits(chain, 9, 7) ||
      Bits(control, 30, 1))
    return 38;
  if (Bits(lock, 15, 1) && (Bits(lock, 0, 6) >= locks || Bits(lock, 8, 7) == 0x40)) return 34;
  if (Bits(lock, 24, 7) && Bits(lock, 16, 6) >= locks) return 34;
  const Transfer t = TransferOf(words, 0, build);
  if (t.elem > build.data_bytes) return 1;
  if ((t.base & ~build.AddressMask()) != 0) return 4;
  const auto elem = static_cast<uint64_t>(t.elem);
  const bool row = t.stride[0] == t.elem || t.count[0] == 1;
  if (row && elem * t.count[0] > UINT32_MAX) return 5;
  if (t.length && elem * *t.length > UINT32_MAX) return 6;
  const bool reserved = (bounds && (Bits(limits[10], 4, 28) != 0 || limits[11] != 0)) ||
                        (walks && Bits(walk[8], 8, 24) != 0);
  return reserved ? 38 : 0;
}

}  // namespace tessera::model
