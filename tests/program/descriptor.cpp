// See descriptor.h.
#include "tests/program/descriptor.h"

#include <algorithm>

namespace tessera {
namespace {

using model::kDims;

uint32_t Bits(uint32_t word, int low, int count) {
  return word >> low & ((uint32_t{1} << count) - 1);
}

int64_t Extend(uint64_t value, int width) {
  return static_cast<int64_t>(value << (64 - width)) >> (64 - width);
}

bool Lacks(uint32_t lock, const PreparationShape& shape) {
  return lock >= static_cast<uint32_t>(shape.locks);
}

}  // namespace

uint32_t ErrorOf(const Descriptor& d, const Circumstance& c, const PreparationShape& shape) {
  const auto& base = d.area[kBase];
  const uint32_t lock = base[12], chain = base[13], control = base[15];
  const bool bounds = Bits(control, 14, 1), walk = Bits(control, 15, 1);
  if (!c.exists) return kUnavailable;
  // The list has put its reason into a descriptor that is not valid.
  if (c.from_list && !Bits(control, 31, 1) && Bits(control, 0, 6) != 0)
    return static_cast<int>(Bits(control, 0, 6));
  if (!c.from_list && !d.valid) return kInvalid;
  if ((bounds && !shape.bounds) || (walk && !shape.walk) ||
      (Bits(control, 11, 1) && !shape.headers))
    return kExtension;
  if (Bits(lock, 31, 1) || Bits(lock, 22, 2) || Bits(lock, 6, 2) || Bits(chain, 9, 7) ||
      Bits(control, 30, 1))
    return kReserved;
  if (Bits(lock, 15, 1) && (Lacks(Bits(lock, 0, 6), shape) || Bits(lock, 8, 7) == 0x40))
    return kLock;
  if (Bits(lock, 24, 7) && Lacks(Bits(lock, 16, 6), shape)) return kLock;
  if (static_cast<int>(Bits(control, 0, 3)) > shape.bus_log) return 1;
  const model::Transfer t = TransferOf(d, c, shape);
  if (t.base > model::Build{.addr_width = shape.addr_width}.AddressMask()) return 4;
  const auto elem = static_cast<uint64_t>(t.elem);
  const bool row = t.stride[0] == t.elem || t.count[0] == 1;
  if (row && elem * t.count[0] > UINT32_MAX) return 5;
  if (t.length && elem * *t.length > UINT32_MAX) return 6;
  const auto& limits = d.area[kBoundsArea];
  if (bounds && (limits[10] >> 4 || limits[11])) return kReserved;
  if (walk && d.area[kWalkArea][8] >> 8) return kReserved;
  return 0;
}

model::Transfer TransferOf(const Descriptor& d, const Circumstance& c,
                           const PreparationShape& shape) {
  const auto& base = d.area[kBase];
  const auto& limits = d.area[kBoundsArea];
  const auto& walk = d.area[kWalkArea];
  const uint32_t control = base[15];
  const bool bounds = Bits(control, 14, 1);
  model::Transfer t;
  t.elem = 1 << Bits(control, 0, 3);
  t.base = base[0] | static_cast<uint64_t>(base[1]) << 32;
  for (size_t k = 0; k < kDims; ++k) {
    t.count[k] = base[2 + k];
    uint64_t stride = static_cast<uint64_t>(Extend(base[6 + k], 32));
    if (bounds) {
      stride = base[6 + k] | static_cast<uint64_t>(limits[12 + k]) << 32;
      t.start[k] = static_cast<int32_t>(limits[k]);
      if (limits[10] >> k & 1) t.bound[k] = limits[4 + k];
    }
    t.stride[k] = Extend(stride, shape.addr_width);
  }
  if (bounds) t.fill = limits[8] | static_cast<uint64_t>(limits[9]) << 32;
  if (Bits(control, 15, 1)) {
    for (size_t k = 0; k < model::kWalkLevels; ++k)
      t.walk[k] = model::WalkLevel{static_cast<int>(Bits(walk[8], static_cast<int>(2 * k), 2)),
                                   static_cast<int32_t>(walk[4 + k]), walk[k]};
  }
  if (Bits(control, 3, 1)) t.length = base[10];
  if (Bits(base[13], 16, 16) > 1 && !c.from_list)
    t.offset = d.turns() * static_cast<uint64_t>(Extend(base[11], 32));
  t.last_rule = static_cast<model::LastRule>(Bits(control, 4, 2));
  t.last_level = static_cast<int>(Bits(control, 6, 3));
  t.join_next = Bits(control, 9, 1);
  t.task_end = c.final_turn && (c.from_list || !Bits(base[13], 8, 1));
  t.finish = static_cast<model::Finish>(Bits(control, 10, 1));
  return t;
}

uint32_t NextTurns(const Descriptor& d, const Circumstance& c) {
  const uint32_t size = Bits(d.area[kBase][13], 16, 16);
  if (size <= 1 || c.from_list) return d.turns();
  return d.turns() + 1 >= size ? 0 : d.turns() + 1;
}

std::vector<Tile> TilesOf(const model::Transfer& transfer, size_t most) {
  std::vector<Tile> tiles;
  Tile first{transfer};
  first.transfer.walk = {};
  if (!transfer.has_walk()) return {first};
  first.transfer.length.reset();
  if (IsEmpty(transfer)) {
    first.transfer.count[0] = 0;
    return {first};
  }
  std::array<uint32_t, model::kWalkLevels> t{};
  const uint64_t per_tile = Positions(first.transfer);
  uint64_t left = transfer.length.value_or(0);
  while (tiles.size() < most) {
    Tile tile = first;
    size_t ended = 0;  // levels in their last turn, from level 0 on
    while (ended < t.size() && t[ended] + 1 >= transfer.walk[ended]->count) ++ended;
    for (size_t k = 0; k < t.size(); ++k) {
      const auto dim = static_cast<size_t>(transfer.walk[k]->dim);
      const auto stride = static_cast<uint64_t>(transfer.stride[dim]);
      const uint64_t far = static_cast<uint64_t>(t[k]) *
                           static_cast<uint64_t>(static_cast<int64_t>(transfer.walk[k]->step));
      if (transfer.bound[dim]) {
        // The coordinate wraps at 32 bits, which no valid descriptor asks for; the address does
        // not.
        const int32_t before = tile.transfer.start[dim];
        const auto start =
            static_cast<int32_t>(static_cast<uint32_t>(before) + static_cast<uint32_t>(far));
        tile.transfer.start[dim] = start;
        const uint64_t exact = static_cast<uint64_t>(static_cast<int64_t>(before)) + far;
        tile.transfer.offset +=
            (exact - static_cast<uint64_t>(static_cast<int64_t>(start))) * stride;
      } else {
        tile.transfer.offset += far * stride;
      }
    }
    tile.more = ended < t.size();
    tile.packet =
        transfer.last_rule == model::LastRule::kLevel &&
        (transfer.last_level == 3 ||
         (transfer.last_level > 3 && ended > static_cast<size_t>(transfer.last_level) - 4));
    if (transfer.length) {
      tile.length = static_cast<uint32_t>(left);
      tile.more = tile.more && left > per_tile;
      left -= std::min(left, per_tile);
    }
    tiles.push_back(tile);
    if (!tile.more) break;
    for (size_t k = 0; k < ended; ++k) t[k] = 0;
    ++t[ended];
  }
  return tiles;
}

Descriptor RandomDescriptor(Rng& rng, const PreparationShape& shape) {
  Descriptor d;
  auto& base = d.area[kBase];
  auto& limits = d.area[kBoundsArea];
  auto& walk = d.area[kWalkArea];
  const auto extreme = [&]() -> uint32_t {
    static constexpr std::array<uint32_t, 8> kOdd{0,          1,          2,          0x7fffffff,
                                                  0x80000000, 0x80000001, 0xfffffffe, 0xffffffff};
    return rng.Chance(0.5) ? kOdd[rng.Below(8)] : static_cast<uint32_t>(rng());
  };
  const double wild = rng.Chance(0.2) ? 0.5 : 0.02;  // extreme values
  const auto count = [&]() -> uint32_t {
    if (rng.Chance(wild)) return extreme();
    return static_cast<uint32_t>(rng.Chance(0.4) ? 1 : rng.Between(2, 40));
  };
  const uint32_t log = static_cast<uint32_t>(
      rng.Chance(0.01) ? rng.Below(8) : rng.Below(static_cast<uint64_t>(shape.bus_log) + 1));
  base[0] = static_cast<uint32_t>(rng());
  base[1] = static_cast<uint32_t>(rng());
  if (!rng.Chance(0.01) && shape.addr_width < 64)
    base[1] &= (uint32_t{1} << (shape.addr_width - 32)) - 1;
  const bool bounds = shape.bounds ? rng.Chance(0.5) : rng.Chance(0.02);
  const bool walks = shape.walk ? rng.Chance(0.4) : rng.Chance(0.02);
  const bool high = rng.Chance(0.2);
  for (size_t k = 0; k < kDims; ++k) {
    base[2 + k] = count();
    if (rng.Chance(0.01)) base[2 + k] = 0;
    int64_t stride = static_cast<int64_t>(rng.Between(0, 4000)) - (rng.Chance(0.3) ? 2000 : 0);
    if (rng.Chance(wild)) stride = static_cast<int32_t>(extreme());
    if (k == 0 && rng.Chance(0.7)) stride = int64_t{1} << log;
    if (bounds && high && rng.Chance(0.5)) stride = static_cast<int64_t>(rng());
    base[6 + k] = static_cast<uint32_t>(stride);
    limits[12 + k] = static_cast<uint32_t>(static_cast<uint64_t>(stride) >> 32);
    limits[k] = rng.Chance(wild) ? extreme() : static_cast<uint32_t>(rng.Between(0, 40) - 20);
    limits[4 + k] = rng.Chance(wild) ? extreme() : static_cast<uint32_t>(rng.Between(0, 40));
    walk[k] = static_cast<uint32_t>(rng.Chance(0.4) ? 1 : rng.Between(1, 4));
    if (rng.Chance(0.01)) walk[k] = 0;
    walk[4 + k] = static_cast<uint32_t>(rng.Between(0, 20) - 10);
    if (rng.Chance(wild)) walk[k] = extreme();
    if (rng.Chance(wild)) walk[4 + k] = extreme();
  }
  limits[8] = static_cast<uint32_t>(rng());
  limits[9] = static_cast<uint32_t>(rng());
  limits[10] = static_cast<uint32_t>(rng.Below(16));
  walk[8] = static_cast<uint32_t>(rng.Below(256));
  const bool length = rng.Chance(0.2);
  base[10] = static_cast<uint32_t>(rng.Between(1, 5000));
  if (rng.Chance(0.02)) base[10] = 0;
  if (rng.Chance(wild)) base[10] = extreme();
  base[11] = rng.Chance(wild) ? extreme() : static_cast<uint32_t>(rng.Between(0, 9000) - 4500);
  const auto lock = [&] {
    return static_cast<uint32_t>(shape.locks == 0 || rng.Chance(0.005)
                                     ? rng.Below(64)
                                     : rng.Below(static_cast<uint64_t>(shape.locks)));
  };
  if (rng.Chance(0.3) && (shape.locks > 0 || rng.Chance(0.03)))
    base[12] |= lock() | 0x8000U | static_cast<uint32_t>(rng.Below(128)) << 8;
  if (rng.Chance(0.3) && (shape.locks > 0 || rng.Chance(0.03)))
    base[12] |= lock() << 16 | static_cast<uint32_t>(rng.Below(128)) << 24;
  base[13] = static_cast<uint32_t>(rng.Below(512));
  if (rng.Chance(0.3)) base[13] |= static_cast<uint32_t>(rng.Below(5)) << 16;
  if (rng.Chance(0.03)) base[13] |= 0xffff0000U;
  base[14] = static_cast<uint32_t>(rng());
  base[15] = log | (length ? 8U : 0U) | static_cast<uint32_t>(rng.Below(128)) << 4 |
             static_cast<uint32_t>(rng.Below(4)) << 12 |
             static_cast<uint32_t>(rng.Below(1 << 14)) << 16;
  if (shape.headers ? rng.Chance(0.3) : rng.Chance(0.01)) base[15] |= 1U << 11;
  base[15] &= ~(3U << 14);
  base[15] |= (bounds ? 1U << 14 : 0U) | (walks ? 1U << 15 : 0U);
  if (!rng.Chance(0.01)) base[15] |= 1U << 31;
  if (rng.Chance(0.02)) {  // a reserved bit
    static constexpr std::array<std::array<size_t, 3>, 9> kReservedBits{{{kBase, 12, 31},
                                                                         {kBase, 12, 22},
                                                                         {kBase, 12, 7},
                                                                         {kBase, 13, 9},
                                                                         {kBase, 13, 15},
                                                                         {kBase, 15, 30},
                                                                         {kBoundsArea, 10, 4},
                                                                         {kBoundsArea, 10, 31},
                                                                         {kWalkArea, 8, 8}}};
    const auto& [area, word, bit] = kReservedBits[rng.Below(kReservedBits.size())];
    d.area[area][word] |= uint32_t{1} << bit;
  }
  d.valid = base[15] >> 31;
  return d;
}

}  // namespace tessera
