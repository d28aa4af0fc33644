// A descriptor as a value: built field by field, checked without hardware, kept as the words that
// the hardware reads.
//
// Setters never fail; the first that is given what its field cannot hold is remembered, and Check()
// tells. Check() also tells the first rule that the whole breaks on a build. Everything is
// constexpr.
#pragma once

#include <stdint.h>

#include "capabilities.hpp"
#include "registers.hpp"
#include "status.hpp"

namespace tessera::driver {

inline constexpr uint32_t kDims = registers::descriptor::Count::kCount;
inline constexpr uint32_t kWalkLevels = registers::walk::Count::kCount;
inline constexpr uint32_t kDescriptorWords = registers::descriptor::kWords;

using registers::LastRule;

class Descriptor {
 public:
  // Words with several fields.
  using Locks = registers::descriptor::Locks;
  using Chain = registers::descriptor::Next;
  using Flags = registers::descriptor::Flags;

  constexpr Descriptor() {
    Clear(words_);
    Clear(bounds_);
    Clear(walk_);
    for (uint32_t d = 0; d < kDims; ++d) words_[registers::descriptor::Count::kWord + d] = 1;
    for (uint32_t k = 0; k < kWalkLevels; ++k) walk_[registers::walk::Count::kWord + k] = 1;
    words_[Flags::kWord] =
        Flags{}.set_valid(1).set_last_rule(static_cast<uint32_t>(LastRule::kTransfer)).word;
  }

  // ---- The shape --------------------------------------------------------------------------------

  // Byte address of the element whose coordinates are all 0.
  constexpr Descriptor& Base(uint64_t address) {
    words_[0] = static_cast<uint32_t>(address);
    words_[1] = static_cast<uint32_t>(address >> 32);
    return *this;
  }
  // Log2 of the bytes of an element.
  constexpr Descriptor& Element(uint32_t log2) {
    return Field<Flags>(Flags::kElemLog2Mask, log2, Reason::element_size);
  }
  // `count` positions, `stride` bytes between neighbours. Dimension 0 is the innermost.
  constexpr Descriptor& Dim(uint32_t dim, uint32_t count, int64_t stride) {
    if (dim >= kDims) return Fail(Reason::dimension_number, dim);
    words_[registers::descriptor::Count::kWord + dim] = count;
    words_[registers::descriptor::Stride::kWord + dim] = static_cast<uint32_t>(stride);
    bounds_[registers::bounds::StrideHigh::kWord + dim] =
        static_cast<uint32_t>(static_cast<uint64_t>(stride) >> 32);
    // A stride of more than 32 bits has its high half in the extension.
    if (stride != static_cast<int32_t>(stride)) Flag(Flags::kHasBoundsMask);
    return *this;
  }
  // Coordinate of the first position of a dimension.
  constexpr Descriptor& Start(uint32_t dim, int32_t coordinate) {
    if (dim >= kDims) return Fail(Reason::dimension_number, dim);
    Flag(Flags::kHasBoundsMask);
    bounds_[registers::bounds::Start::kWord + dim] = static_cast<uint32_t>(coordinate);
    return *this;
  }
  // Coordinates 0 to `bound` - 1 are memory, all others are fill.
  constexpr Descriptor& Bound(uint32_t dim, uint32_t bound) {
    if (dim >= kDims) return Fail(Reason::dimension_number, dim);
    Flag(Flags::kHasBoundsMask);
    bounds_[registers::bounds::Bound::kWord + dim] = bound;
    bounds_[registers::bounds::Bounded::kWord] |= 1u << dim;
    return *this;
  }
  // The value of a fill element.
  constexpr Descriptor& Fill(uint64_t value) {
    bounds_[registers::bounds::FillLow::kWord] = static_cast<uint32_t>(value);
    bounds_[registers::bounds::FillHigh::kWord] = static_cast<uint32_t>(value >> 32);
    return *this;
  }
  // Level `level` of the traversal moves the start of `dim` by `step` coordinates, `count` times.
  constexpr Descriptor& Walk(uint32_t level, uint32_t dim, int32_t step, uint32_t count) {
    if (level >= kWalkLevels) return Fail(Reason::walk_level, level);
    if (dim >= kDims) return Fail(Reason::dimension_number, dim);
    Flag(Flags::kHasWalkMask);
    walk_[registers::walk::Count::kWord + level] = count;
    walk_[registers::walk::Step::kWord + level] = static_cast<uint32_t>(step);
    walk_[registers::walk::Dimensions::kWord] =
        (walk_[registers::walk::Dimensions::kWord] & ~(3u << (2 * level))) | dim << (2 * level);
    return *this;
  }
  // The transfer ends after so many elements.
  constexpr Descriptor& Length(uint32_t elements) {
    words_[registers::descriptor::Length::kWord] = elements;
    words_[Flags::kWord] |= Flags::kHasLengthMask;
    return *this;
  }
  // Each execution adds `step` bytes to the base, and begins again after `size` of them. 1: none.
  constexpr Descriptor& Iteration(uint32_t size, int32_t step) {
    if (size == 0) return Fail(Reason::iteration_size);
    words_[registers::descriptor::Iteration::kWord] = static_cast<uint32_t>(step);
    return Field<Chain>(Chain::kTurnsMask, size, Reason::iteration_size);
  }

  // ---- Around the transfer ----------------------------------------------------------------------

  // Before: waits for lock >= -value and subtracts it if value < 0, else waits for lock == value.
  constexpr Descriptor& Acquire(uint32_t lock, int32_t value) {
    if (value < -63 || value > 63) return Fail(Reason::lock_value, lock);
    words_[Locks::kWord] |= Locks::kAcquireMask;
    Field<Locks>(Locks::kAcquireValueMask, static_cast<uint32_t>(value) & 0x7f, Reason::lock_value);
    return Field<Locks>(Locks::kAcquireIdMask, lock, Reason::lock_number);
  }
  // After: adds `value`, 0 for none.
  constexpr Descriptor& Release(uint32_t lock, int32_t value) {
    if (value < -64 || value > 63) return Fail(Reason::lock_value, lock);
    Field<Locks>(Locks::kReleaseValueMask, static_cast<uint32_t>(value) & 0x7f, Reason::lock_value);
    return Field<Locks>(Locks::kReleaseIdMask, lock, Reason::lock_number);
  }
  constexpr Descriptor& Next(uint32_t descriptor) {
    words_[Chain::kWord] |= Chain::kHasNextMask;
    return Field<Chain>(Chain::kNextMask, descriptor, Reason::descriptor_number);
  }
  constexpr Descriptor& NoNext() {
    words_[Chain::kWord] &= Chain::kTurnsMask;
    return *this;
  }
  constexpr Descriptor& Side(uint8_t dest, uint8_t id, uint16_t user) {
    words_[registers::descriptor::Side::kWord] =
        registers::descriptor::Side{}.set_dest(dest).set_id(id).set_user(user).word;
    return *this;
  }
  // `level` counts with LastRule::kLevel: 0 to 3 a turn of that dimension, 4 to 7 of a walk level.
  constexpr Descriptor& Last(LastRule rule, uint32_t level = 0) {
    Field<Flags>(Flags::kLastRuleMask, static_cast<uint32_t>(rule), Reason::last_level);
    return Field<Flags>(Flags::kLastLevelMask, level, Reason::last_level);
  }
  constexpr Descriptor& Join() { return Flag(Flags::kJoinNextMask); }
  constexpr Descriptor& FinishOnLast() { return Flag(Flags::kFinishLastMask); }
  constexpr Descriptor& Packet(uint32_t id, uint32_t type, uint32_t slot = 0) {
    Flag(Flags::kHeaderMask);
    Field<Flags>(Flags::kPacketIdMask, id, Reason::packet_id);
    Field<Flags>(Flags::kPacketTypeMask, type, Reason::packet_type);
    return Field<Flags>(Flags::kPacketDescriptorMask, slot, Reason::packet_slot);
  }
  constexpr Descriptor& Interrupt() { return Flag(Flags::kInterruptMask); }
  constexpr Descriptor& NoRecord() { return Flag(Flags::kNoRecordMask); }

  // ---- What was built ---------------------------------------------------------------------------

  constexpr uint64_t base() const { return words_[0] | static_cast<uint64_t>(words_[1]) << 32; }
  constexpr uint32_t count(uint32_t dim) const {
    return words_[registers::descriptor::Count::kWord + dim];
  }
  constexpr int64_t stride(uint32_t dim) const {
    return static_cast<int64_t>(
        words_[registers::descriptor::Stride::kWord + dim] |
        static_cast<uint64_t>(bounds_[registers::bounds::StrideHigh::kWord + dim]) << 32);
  }
  constexpr uint32_t element_log2() const { return Flags{words_[Flags::kWord]}.elem_log2(); }
  constexpr bool Has(uint32_t control) const { return (words_[Flags::kWord] & control) != 0; }
  constexpr bool has_bounds() const { return Has(Flags::kHasBoundsMask); }
  constexpr bool has_walk() const { return Has(Flags::kHasWalkMask); }
  constexpr uint32_t word(uint32_t n) const { return words_[n]; }
  constexpr const uint32_t* words() const { return words_; }
  constexpr uint32_t bounds_word(uint32_t n) const { return bounds_[n]; }
  constexpr uint32_t walk_word(uint32_t n) const { return walk_[n]; }

  // The first rule that is broken on this build.
  constexpr Status Check(const Capabilities& build) const;

 private:
  template <typename Word>
  constexpr Descriptor& Field(uint32_t mask, uint32_t value, Reason reason) {
    const int shift = __builtin_ctz(mask);
    if (value > mask >> shift) return Fail(reason, value);
    words_[Word::kWord] = (words_[Word::kWord] & ~mask) | value << shift;
    return *this;
  }
  constexpr Descriptor& Flag(uint32_t bit) {
    words_[Flags::kWord] |= bit;
    return *this;
  }
  // Store by store: what the compiler takes for a constant it clears by a slow call.
  static constexpr void Clear(uint32_t (&words)[kDescriptorWords]) {
    if (!__builtin_is_constant_evaluated()) words[0] = 0;
#ifndef __OPTIMIZE_SIZE__
#pragma GCC unroll 16
#endif
    for (uint32_t& word : words) word = 0;
  }
  constexpr Descriptor& Fail(Reason reason, uint32_t index = 0) {
    if (fault_.ok()) fault_ = Status(reason, index);
    return *this;
  }
  // A row of neighbours: of the stride as many bits count as addresses have.
  constexpr bool Dense(const Capabilities& build) const {
    return count(0) == 1 ||
           (words_[registers::descriptor::Stride::kWord] == 1u << element_log2() &&
            (build.address_bits == 32 ||
             bounds_[registers::bounds::StrideHigh::kWord] << (64 - build.address_bits) == 0));
  }
  constexpr Status CheckBounds(bool dense) const;
  constexpr Status CheckLocks(const Capabilities& build) const;

  uint32_t words_[kDescriptorWords];
  uint32_t bounds_[kDescriptorWords];
  uint32_t walk_[kDescriptorWords];
  Status fault_;
};

constexpr Status Descriptor::Check(const Capabilities& build) const {
  if (!fault_.ok()) return fault_;
  const uint32_t control = words_[Flags::kWord];
  const uint32_t log2 = element_log2();
  if (log2 > build.data_log2) return Reason::element_size;
  if (build.address_bits < 64 && (words_[1] >> (build.address_bits - 32)) != 0) {
    return Reason::base_range;
  }
  const uint32_t most = ~0u >> log2;
  const bool dense = (count(0) > most || has_bounds()) && Dense(build);
  if (dense && count(0) > most) return {Reason::row_bytes, 0};
  if ((control & Flags::kHasLengthMask) != 0 &&
      words_[registers::descriptor::Length::kWord] > most) {
    return Reason::length_bytes;
  }
  const Chain chain{words_[Chain::kWord]};
  if (chain.has_next() && chain.next() >= build.descriptors) {
    return {Reason::descriptor_number, chain.next()};
  }
  if (words_[Locks::kWord] != 0) {
    if (const Status status = CheckLocks(build); !status.ok()) return status;
  }
  if ((control & Flags::kHeaderMask) != 0 &&
      !build.Has(registers::global_block::CapFeatures::kPacketHeadersMask))
    return Reason::no_headers;
  if ((control & (Flags::kHasBoundsMask | Flags::kHasWalkMask)) == 0) return {};
  if (has_bounds() && !build.Has(registers::global_block::CapFeatures::kBoundsMask))
    return Reason::no_bounds;
  if (has_walk() && !build.Has(registers::global_block::CapFeatures::kWalkMask))
    return Reason::no_walk;
  return has_bounds() ? CheckBounds(dense) : Status();
}

constexpr Status Descriptor::CheckLocks(const Capabilities& build) const {
  const Locks locks{words_[Locks::kWord]};
  if (locks.acquire() && locks.acquire_id() >= build.locks) {
    return {Reason::lock_number, locks.acquire_id()};
  }
  if (locks.release_value() && locks.release_id() >= build.locks) {
    return {Reason::lock_number, locks.release_id()};
  }
  return {};
}

// How far coordinates reach: the hardware keeps them in 32 bits, those of a row in bytes.
constexpr Status Descriptor::CheckBounds(bool dense) const {
  for (uint32_t d = 0; d < kDims; ++d) {
    if (((bounds_[registers::bounds::Bounded::kWord] >> d) & 1) == 0) continue;
    if (bounds_[registers::bounds::Bound::kWord + d] > 0x80000000u) return {Reason::bound_range, d};
    int64_t low = static_cast<int32_t>(bounds_[registers::bounds::Start::kWord + d]);
    int64_t high = low + count(d) - 1;
    if (d == kDims - 1 && Has(Flags::kHasLengthMask) &&
        !has_walk()) {  // it steps on, at most so far
      const int64_t end = low + words_[registers::descriptor::Length::kWord] - 1;
      if (end > high) high = end;
    }
    uint32_t levels = 0;
    for (uint32_t k = 0; has_walk() && k < kWalkLevels; ++k) {
      if (((walk_[registers::walk::Dimensions::kWord] >> (2 * k)) & 3) == d &&
          walk_[registers::walk::Step::kWord + k] != 0)
        ++levels;
    }
    const uint32_t scale = d == 0 && dense ? element_log2() : 0;
    for (uint32_t k = 0; levels != 0 && k < kWalkLevels; ++k) {
      if (((walk_[registers::walk::Dimensions::kWord] >> (2 * k)) & 3) != d) continue;
      const int64_t step = static_cast<int32_t>(walk_[registers::walk::Step::kWord + k]);
      const int64_t turns = walk_[registers::walk::Count::kWord + k];
      const int64_t most = (1u << 31) >> scale;  // of a step that is never made too
      const int64_t limit = levels > 1 ? most >> 2 : most;
      if (step < -most || step >= most || step * turns < -limit || step * turns >= limit) {
        return {Reason::walk_reach, k};
      }
      if (turns > 1) (step < 0 ? low : high) += step * (turns - 1);
    }
    if (count(d) != 0 && (low < INT32_MIN || high > INT32_MAX))
      return {Reason::coordinate_range, d};
  }
  return {};
}

}  // namespace tessera::driver
