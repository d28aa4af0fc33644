// See descriptor.h.
#include "tests/program/descriptor.h"

#include <algorithm>
#include <bit>

#include "sw/driver/tessera/registers.hpp"
#include "tb/model/descriptor.h"

namespace tessera {
namespace {

using model::kDims;
using Locks = registers::descriptor::Locks;
using Chain = registers::descriptor::Next;
using Flags = registers::descriptor::Flags;

model::Words WordsOf(const Descriptor& d) {
  return {d.area[kBase], d.area[kBoundsArea], d.area[kWalkArea]};
}

model::Build BuildOf(const PreparationShape& shape) {
  return {.addr_width = shape.addr_width,
          .data_bytes = 1 << shape.bus_log,
          .walk = shape.walk,
          .bounds = shape.bounds};
}

}  // namespace

uint32_t ErrorOf(const Descriptor& d, const Circumstance& c, const PreparationShape& shape) {
  const Flags flags{d.area[kBase][Flags::kWord]};
  if (!c.exists) return static_cast<uint32_t>(registers::LoadError::kUnavailable);
  // The list has put its reason into a descriptor that is not valid.
  if (c.from_list && !flags.valid() && (flags.word & 0x3f) != 0) return flags.word & 0x3f;
  if (!c.from_list && !d.valid) return static_cast<uint32_t>(registers::LoadError::kInvalid);
  model::Words words = WordsOf(d);
  if (c.from_list) words.base[Flags::kWord] |= Flags::kValidMask;
  return static_cast<uint32_t>(
      model::RefusalOf(words, BuildOf(shape), static_cast<uint32_t>(shape.locks), shape.headers));
}

model::Transfer TransferOf(const Descriptor& d, const Circumstance& c,
                           const PreparationShape& shape) {
  model::Transfer t = model::TransferOf(WordsOf(d), c.from_list ? 0 : d.turns(), BuildOf(shape));
  t.task_end = c.final_turn && (c.from_list || !Chain{d.area[kBase][Chain::kWord]}.has_next());
  return t;
}

uint32_t NextTurns(const Descriptor& d, const Circumstance& c) {
  const uint32_t size = Chain{d.area[kBase][Chain::kWord]}.turns();
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
  const auto below = [&](uint64_t n) { return static_cast<uint32_t>(rng.Below(n)); };
  const auto lock = [&] {
    return shape.locks == 0 || rng.Chance(0.005) ? below(64)
                                                 : below(static_cast<uint64_t>(shape.locks));
  };
  Locks locks;
  if (rng.Chance(0.3) && (shape.locks > 0 || rng.Chance(0.03)))
    locks.set_acquire_id(lock()).set_acquire(1).set_acquire_value(below(128));
  if (rng.Chance(0.3) && (shape.locks > 0 || rng.Chance(0.03)))
    locks.set_release_id(lock()).set_release_value(below(128));
  base[Locks::kWord] = locks.word;
  Chain chain;
  const uint32_t next = below(512);
  chain.set_next(next).set_has_next(next >> 8);
  if (rng.Chance(0.3)) chain.set_turns(below(5));
  if (rng.Chance(0.03)) chain.set_turns(0xffff);
  base[Chain::kWord] = chain.word;
  base[registers::descriptor::Side::kWord] = static_cast<uint32_t>(rng());
  const uint32_t ends = below(128), reports = below(4), packet = below(1 << 14);
  Flags flags;
  flags.set_last_rule(ends).set_last_level(ends >> 2).set_join_next(ends >> 5);
  flags.set_finish_last(ends >> 6).set_interrupt(reports).set_no_record(reports >> 1);
  flags.set_packet_id(packet).set_packet_type(packet >> 5).set_packet_descriptor(packet >> 8);
  flags.set_elem_log2(log).set_has_length(length).set_has_bounds(bounds).set_has_walk(walks);
  flags.set_header(shape.headers ? rng.Chance(0.3) : rng.Chance(0.01));
  flags.set_valid(!rng.Chance(0.01));
  base[Flags::kWord] = flags.word;
  if (rng.Chance(0.02)) {  // a reserved bit
    struct Reserved {
      Area area;
      uint32_t word, bits;
    };
    static constexpr std::array<Reserved, 5> kReservedBits{
        {{kBase, Locks::kWord, ~Locks::kWritable},
         {kBase, Chain::kWord, ~Chain::kWritable},
         {kBase, Flags::kWord, ~Flags::kWritable},
         {kBoundsArea, registers::bounds::Bounded::kWord, ~registers::bounds::Bounded::kWritable},
         {kWalkArea, registers::walk::Dimensions::kWord, ~registers::walk::Dimensions::kWritable}}};
    const size_t choice = rng.Below(2 * kReservedBits.size());
    const auto& [area, word, bits] = kReservedBits[choice / 2];
    d.area[area][word] |= choice % 2 == 0 ? bits & -bits : std::bit_floor(bits);
  }
  d.valid = flags.valid();
  return d;
}

}  // namespace tessera
