// A first-in first-out queue on one growing power-of-two array: no allocation once it has grown.
#pragma once

#include <cassert>
#include <cstddef>
#include <vector>

namespace tessera {

template <typename T>
class Ring {
 public:
  explicit Ring(size_t capacity = 16) : slots_(RoundUp(capacity)) {}

  bool empty() const { return size_ == 0; }
  size_t size() const { return size_; }
  T& operator[](size_t i) { return slots_[(head_ + i) & (slots_.size() - 1)]; }
  const T& operator[](size_t i) const { return slots_[(head_ + i) & (slots_.size() - 1)]; }
  T& front() {
    assert(size_ > 0);
    return slots_[head_];
  }
  const T& front() const {
    assert(size_ > 0);
    return slots_[head_];
  }
  T& back() { return (*this)[size_ - 1]; }

  // Room for one more at the end, to be filled in by the caller.
  T& Push() {
    if (size_ == slots_.size()) Grow();
    return (*this)[size_++];
  }
  void Push(const T& value) { Push() = value; }
  void Pop() {
    assert(size_ > 0);
    head_ = (head_ + 1) & (slots_.size() - 1);
    --size_;
  }
  // Takes one out; those after it move up.
  void Erase(size_t i) {
    assert(i < size_);
    for (; i > 0; --i) (*this)[i] = (*this)[i - 1];
    Pop();
  }
  void Clear() { head_ = size_ = 0; }

 private:
  static size_t RoundUp(size_t n) {
    size_t p = 1;
    while (p < n) p *= 2;
    return p;
  }
  void Grow() {
    std::vector<T> bigger(slots_.size() * 2);
    for (size_t i = 0; i < size_; ++i) bigger[i] = (*this)[i];
    slots_.swap(bigger);
    head_ = 0;
  }

  std::vector<T> slots_;
  size_t head_ = 0;
  size_t size_ = 0;
};

}  // namespace tessera
