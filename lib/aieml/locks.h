// The counting locks of one tile: values 0 to 63, sticky overflow and underflow.
//
// Acquire of a negative amount waits for at least that and subtracts it; of a positive one or 0 for
// exactly that and leaves it. A release that would leave the range saturates.
#pragma once

#include <cstdint>
#include <vector>

namespace tessera::aieml {

// The locks of a tile as its neighbours see them.
class TileLocks {
 public:
  virtual ~TileLocks() = default;
  virtual bool Acquire(uint32_t lock, int32_t amount) = 0;
  virtual void Release(uint32_t lock, int32_t amount) = 0;
  virtual uint32_t Value(uint32_t lock) = 0;
  // A number that is another one when a lock may have changed.
  virtual uint64_t changes() const = 0;
};

class Locks final : public TileLocks {
 public:
  explicit Locks(uint32_t count) : values_(count) {}

  uint32_t count() const { return static_cast<uint32_t>(values_.size()); }
  uint32_t Value(uint32_t lock) override { return values_[lock]; }
  void Set(uint32_t lock, uint32_t value) {
    values_[lock] = value & 63;
    ++changes_;
  }

  bool Acquire(uint32_t lock, int32_t amount) override {
    const int32_t value = static_cast<int32_t>(values_[lock]);
    if (amount >= 0) return value == amount;
    if (value < -amount) return false;
    values_[lock] = static_cast<uint32_t>(value + amount);
    ++changes_;
    return true;
  }
  void Release(uint32_t lock, int32_t amount) override {
    const int32_t value = static_cast<int32_t>(values_[lock]) + amount;
    if (value > 63) over_ |= uint64_t{1} << lock;
    if (value < 0) under_ |= uint64_t{1} << lock;
    values_[lock] = static_cast<uint32_t>(value < 0 ? 0 : value > 63 ? 63 : value);
    ++changes_;
  }

  uint64_t changes() const override { return changes_; }
  uint64_t over() const { return over_; }
  uint64_t under() const { return under_; }
  void ClearOver(uint64_t bits) { over_ &= ~bits; }
  void ClearUnder(uint64_t bits) { under_ &= ~bits; }

 private:
  std::vector<uint32_t> values_;
  uint64_t over_ = 0, under_ = 0;
  uint64_t changes_ = 0;
};

}  // namespace tessera::aieml
