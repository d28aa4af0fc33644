// A stream of 32-bit words between two units of the simulated array: a FIFO of which a reader sees
// only what was pushed in earlier cycles, so that the order of units within a cycle does not matter
// to data. Commit() ends the cycle. Nothing is allocated after construction.
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>

namespace tessera::aieml {

struct Word {
  uint32_t data = 0;
  bool last = false;
};

// Of several links together.
struct Traffic {
  uint64_t pushes = 0, pops = 0;
};

class Link {
 public:
  static constexpr size_t kDepth = 8;
  explicit Link(Traffic* traffic = nullptr) : traffic_(traffic) {}  // that counts it, too

  bool CanPush() const { return tail_ - head_ < kDepth; }
  void Push(Word word) {
    assert(CanPush());
    words_[tail_++ % kDepth] = word;
    if (traffic_ != nullptr) ++traffic_->pushes;
  }
  // Words that the reader sees.
  bool Empty() const { return head_ == seen_; }
  const Word& Front() const {
    assert(!Empty());
    return words_[head_ % kDepth];
  }
  Word Pop() {
    const Word word = Front();
    ++head_;
    if (traffic_ != nullptr) ++traffic_->pops;
    return word;
  }
  // For those who watch: how many there were so far, and the last one.
  size_t pushes() const { return tail_; }
  size_t pops() const { return head_; }
  const Word& LastPushed() const { return words_[(tail_ - 1) % kDepth]; }
  const Word& LastPopped() const { return words_[(head_ - 1) % kDepth]; }
  void Commit() { seen_ = tail_; }

  bool Quiet() const { return head_ == tail_; }

 private:
  std::array<Word, kDepth> words_{};
  size_t head_ = 0, seen_ = 0, tail_ = 0;
  Traffic* traffic_;
};

}  // namespace tessera::aieml
