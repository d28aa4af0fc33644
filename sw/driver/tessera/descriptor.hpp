// A descriptor as a value: built field by field, checked without hardware, kept as the words that
// the hardware reads.
//
// Setters never fail; the first that is given what its field cannot hold is remembered, and Check()
// tells. Check() also tells the first rule that the whole breaks on a build. Everything is
// constexpr.
#pragma once

#include <stdint.h>

#include "capabilities.hpp"
#include "map.hpp"
#include "status.hpp"

namespace tessera::driver {

inline constexpr uint32_t kDims = 4;
inline constexpr uint32_t kWalkLevels = 4;
inline constexpr uint32_t kDescriptorWords = 16;

// Where a memory-to-stream transfer puts TLAST.
enum class LastRule : uint8_t { kNever = 0, kTransfer = 1, kTask = 2, kLevel = 3 };

class Descriptor {
 public:
  constexpr Descriptor() {
    Clear(words_);
    Clear(bounds_);
    Clear(walk_);
    for (uint32_t d = 0; d < kDims; ++d) words_[map::kWordCount + d] = 1;
    for (uint32_t k = 0; k < kWalkLevels; ++k) walk_[map::kWalkCount + k] = 1;
    words_[map::kWordControl] = map::kValid | 1u << map::kLastRuleShift;
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
    return Field(map::kWordControl, 0, 3, log2, Reason::element_size);
  }
  // `count` positions, `stride` bytes between neighbours. Dimension 0 is the innermost.
  constexpr Descriptor& Dim(uint32_t dim, uint32_t count, int64_t stride) {
    if (dim >= kDims) return Fail(Reason::dimension_number, dim);
    words_[map::kWordCount + dim] = count;
    words_[map::kWordStride + dim] = static_cast<uint32_t>(stride);
    bounds_[map::kBoundsHigh + dim] = static_cast<uint32_t>(static_cast<uint64_t>(stride) >> 32);
    // A stride of more than 32 bits has its high half in the extension.
    if (stride != static_cast<int32_t>(stride)) Flag(map::kHasBounds);
    return *this;
  }
  // Coordinate of the first position of a dimension.
  constexpr Descriptor& Start(uint32_t dim, int32_t coordinate) {
    if (dim >= kDims) return Fail(Reason::dimension_number, dim);
    Flag(map::kHasBounds);
    bounds_[map::kBoundsStart + dim] = static_cast<uint32_t>(coordinate);
    return *this;
  }
  // Coordinates 0 to `bound` - 1 are memory, all others are fill.
  constexpr Descriptor& Bound(uint32_t dim, uint32_t bound) {
    if (dim >= kDims) return Fail(Reason::dimension_number, dim);
    Flag(map::kHasBounds);
    bounds_[map::kBoundsBound + dim] = bound;
    bounds_[map::kBoundsMask] |= 1u << dim;
    return *this;
  }
  // The value of a fill element.
  constexpr Descriptor& Fill(uint64_t value) {
    bounds_[map::kBoundsFill] = static_cast<uint32_t>(value);
    bounds_[map::kBoundsFill + 1] = static_cast<uint32_t>(value >> 32);
    return *this;
  }
  // Level `level` of the traversal moves the start of `dim` by `step` coordinates, `count` times.
  constexpr Descriptor& Walk(uint32_t level, uint32_t dim, int32_t step, uint32_t count) {
    if (level >= kWalkLevels) return Fail(Reason::walk_level, level);
    if (dim >= kDims) return Fail(Reason::dimension_number, dim);
    Flag(map::kHasWalk);
    walk_[map::kWalkCount + level] = count;
    walk_[map::kWalkStep + level] = static_cast<uint32_t>(step);
    walk_[map::kWalkDims] = (walk_[map::kWalkDims] & ~(3u << (2 * level))) | dim << (2 * level);
    return *this;
  }
  // The transfer ends after so many elements.
  constexpr Descriptor& Length(uint32_t elements) {
    words_[map::kWordLength] = elements;
    words_[map::kWordControl] |= map::kHasLength;
    return *this;
  }
  // Each execution adds `step` bytes to the base, and begins again after `size` of them. 1: none.
  constexpr Descriptor& Iteration(uint32_t size, int32_t step) {
    if (size == 0) return Fail(Reason::iteration_size);
    words_[map::kWordStep] = static_cast<uint32_t>(step);
    return Field(map::kWordNext, 16, 16, size, Reason::iteration_size);
  }

  // ---- Around the transfer ----------------------------------------------------------------------

  // Before: waits for lock >= -value and subtracts it if value < 0, else waits for lock == value.
  constexpr Descriptor& Acquire(uint32_t lock, int32_t value) {
    if (value < -63 || value > 63) return Fail(Reason::lock_value, lock);
    words_[map::kWordLock] |= map::kAcquireEnable;
    Field(map::kWordLock, 8, 7, static_cast<uint32_t>(value) & 0x7f, Reason::lock_value);
    return Field(map::kWordLock, 0, 6, lock, Reason::lock_number);
  }
  // After: adds `value`, 0 for none.
  constexpr Descriptor& Release(uint32_t lock, int32_t value) {
    if (value < -64 || value > 63) return Fail(Reason::lock_value, lock);
    Field(map::kWordLock, 24, 7, static_cast<uint32_t>(value) & 0x7f, Reason::lock_value);
    return Field(map::kWordLock, 16, 6, lock, Reason::lock_number);
  }
  constexpr Descriptor& Next(uint32_t descriptor) {
    words_[map::kWordNext] |= map::kHasNext;
    return Field(map::kWordNext, 0, 8, descriptor, Reason::descriptor_number);
  }
  constexpr Descriptor& NoNext() {
    words_[map::kWordNext] &= 0xffff0000u;
    return *this;
  }
  constexpr Descriptor& Side(uint8_t dest, uint8_t id, uint16_t user) {
    words_[map::kWordSide] =
        dest | static_cast<uint32_t>(id) << 8 | static_cast<uint32_t>(user) << 16;
    return *this;
  }
  // `level` counts with LastRule::kLevel: 0 to 3 a turn of that dimension, 4 to 7 of a walk level.
  constexpr Descriptor& Last(LastRule rule, uint32_t level = 0) {
    Field(map::kWordControl, map::kLastRuleShift, 2, static_cast<uint32_t>(rule),
          Reason::last_level);
    return Field(map::kWordControl, map::kLastLevelShift, 3, level, Reason::last_level);
  }
  constexpr Descriptor& Join() { return Flag(map::kJoin); }
  constexpr Descriptor& FinishOnLast() { return Flag(map::kFinishOnLast); }
  constexpr Descriptor& Packet(uint32_t id, uint32_t type, uint32_t slot = 0) {
    Flag(map::kHeader);
    Field(map::kWordControl, map::kHeaderIdShift, 5, id, Reason::packet_id);
    Field(map::kWordControl, map::kHeaderTypeShift, 3, type, Reason::packet_type);
    return Field(map::kWordControl, map::kHeaderSlotShift, 6, slot, Reason::packet_slot);
  }
  constexpr Descriptor& Interrupt() { return Flag(map::kInterrupt); }
  constexpr Descriptor& NoRecord() { return Flag(map::kNoRecord); }

  // ---- What was built ---------------------------------------------------------------------------

  constexpr uint64_t base() const { return words_[0] | static_cast<uint64_t>(words_[1]) << 32; }
  constexpr uint32_t count(uint32_t dim) const { return words_[map::kWordCount + dim]; }
  constexpr int64_t stride(uint32_t dim) const {
    return static_cast<int64_t>(words_[map::kWordStride + dim] |
                                static_cast<uint64_t>(bounds_[map::kBoundsHigh + dim]) << 32);
  }
  constexpr uint32_t element_log2() const { return words_[map::kWordControl] & 7; }
  constexpr bool Has(uint32_t control) const { return (words_[map::kWordControl] & control) != 0; }
  constexpr bool has_bounds() const { return Has(map::kHasBounds); }
  constexpr bool has_walk() const { return Has(map::kHasWalk); }
  constexpr uint32_t word(uint32_t n) const { return words_[n]; }
  constexpr const uint32_t* words() const { return words_; }
  constexpr uint32_t bounds_word(uint32_t n) const { return bounds_[n]; }
  constexpr uint32_t walk_word(uint32_t n) const { return walk_[n]; }

  // The first rule that is broken on this build.
  constexpr Status Check(const Capabilities& build) const;

 private:
  constexpr Descriptor& Field(uint32_t word, uint32_t shift, uint32_t bits, uint32_t value,
                              Reason reason) {
    const uint32_t mask = (1u << bits) - 1;
    if (value > mask) return Fail(reason, value);
    words_[word] = (words_[word] & ~(mask << shift)) | value << shift;
    return *this;
  }
  constexpr Descriptor& Flag(uint32_t bit) {
    words_[map::kWordControl] |= bit;
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
    return count(0) == 1 || (words_[map::kWordStride] == 1u << element_log2() &&
                             (build.address_bits == 32 ||
                              bounds_[map::kBoundsHigh] << (64 - build.address_bits) == 0));
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
  const uint32_t control = words_[map::kWordControl];
  const uint32_t log2 = control & 7;
  if (log2 > build.data_log2) return Reason::element_size;
  if (build.address_bits < 64 && (words_[1] >> (build.address_bits - 32)) != 0) {
    return Reason::base_range;
  }
  const uint32_t most = ~0u >> log2;
  const bool dense = (count(0) > most || has_bounds()) && Dense(build);
  if (dense && count(0) > most) return {Reason::row_bytes, 0};
  if ((control & map::kHasLength) != 0 && words_[map::kWordLength] > most) {
    return Reason::length_bytes;
  }
  if ((words_[map::kWordNext] & map::kHasNext) != 0 &&
      (words_[map::kWordNext] & 0xff) >= build.descriptors) {
    return {Reason::descriptor_number, words_[map::kWordNext] & 0xff};
  }
  if (words_[map::kWordLock] != 0) {
    if (const Status status = CheckLocks(build); !status.ok()) return status;
  }
  if ((control & map::kHeader) != 0 && !build.Has(map::kFeatureHeaders)) return Reason::no_headers;
  if ((control & (map::kHasBounds | map::kHasWalk)) == 0) return {};
  if (has_bounds() && !build.Has(map::kFeatureBounds)) return Reason::no_bounds;
  if (has_walk() && !build.Has(map::kFeatureWalk)) return Reason::no_walk;
  return has_bounds() ? CheckBounds(dense) : Status();
}

constexpr Status Descriptor::CheckLocks(const Capabilities& build) const {
  const uint32_t lock = words_[map::kWordLock];
  if ((lock & map::kAcquireEnable) != 0 && (lock & 0x3f) >= build.locks) {
    return {Reason::lock_number, lock & 0x3f};
  }
  if ((lock >> 24) != 0 && ((lock >> 16) & 0x3f) >= build.locks) {
    return {Reason::lock_number, (lock >> 16) & 0x3f};
  }
  return {};
}

// How far coordinates reach: the hardware keeps them in 32 bits, those of a row in bytes.
constexpr Status Descriptor::CheckBounds(bool dense) const {
  for (uint32_t d = 0; d < kDims; ++d) {
    if (((bounds_[map::kBoundsMask] >> d) & 1) == 0) continue;
    if (bounds_[map::kBoundsBound + d] > 0x80000000u) return {Reason::bound_range, d};
    int64_t low = static_cast<int32_t>(bounds_[map::kBoundsStart + d]);
    int64_t high = low + count(d) - 1;
    if (d == kDims - 1 && Has(map::kHasLength) && !has_walk()) {  // it steps on, at most so far
      const int64_t end = low + words_[map::kWordLength] - 1;
      if (end > high) high = end;
    }
    uint32_t levels = 0;
    for (uint32_t k = 0; has_walk() && k < kWalkLevels; ++k) {
      if (((walk_[map::kWalkDims] >> (2 * k)) & 3) == d && walk_[map::kWalkStep + k] != 0) ++levels;
    }
    const uint32_t scale = d == 0 && dense ? element_log2() : 0;
    for (uint32_t k = 0; levels != 0 && k < kWalkLevels; ++k) {
      if (((walk_[map::kWalkDims] >> (2 * k)) & 3) != d) continue;
      const int64_t step = static_cast<int32_t>(walk_[map::kWalkStep + k]);
      const int64_t turns = walk_[map::kWalkCount + k];
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
