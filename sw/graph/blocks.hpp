// Blocks of windows: filled by a channel, sent by one, or shared by two kernels.
#pragma once

#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "adf/model.hpp"

namespace adf::detail {

using tessera::graph::Channel;

// Blocks that a channel fills from a stream. The margin of a block is the end of the block before.
class InBlocks final : public Blocks {
 public:
  InBlocks(Channel* channel, std::vector<uint8_t*> memory, size_t bytes, size_t margin,
           std::shared_ptr<const tessera::graph::Access> access)
      : channel_(channel),
        memory_(std::move(memory)),
        bytes_(bytes),
        margin_(margin),
        access_(std::move(access)) {
    for (size_t n = 0; n < memory_.size(); ++n) {
      std::memset(memory_[n], 0, margin_);
      Post(n);
    }
  }
  bool ready() const override { return channel_->finished() > taken_; }
  uint8_t* Current() override { return memory_[taken_ % memory_.size()]; }
  void Advance() override {
    const size_t n = taken_ % memory_.size();
    uint8_t* const next = memory_[(n + 1) % memory_.size()];
    // The margin may be longer than the block, so it is taken of both.
    if (margin_ != 0) std::memmove(next, memory_[n] + bytes_, margin_);
    ++taken_;
    Post(n);
  }

 private:
  void Post(size_t n) {
    channel_->Post({.memory = memory_[n] + margin_, .bytes = bytes_, .access = access_});
  }
  Channel* channel_;
  std::vector<uint8_t*> memory_;
  size_t bytes_, margin_;
  std::shared_ptr<const tessera::graph::Access> access_;
  uint64_t taken_ = 0;
};

// Blocks that a channel sends.
class OutBlocks final : public Blocks {
 public:
  OutBlocks(Channel* channel, std::vector<uint8_t*> memory, size_t bytes, bool packet,
            std::shared_ptr<const tessera::graph::Access> access)
      : channel_(channel),
        memory_(std::move(memory)),
        bytes_(bytes),
        packet_(packet),
        access_(std::move(access)) {}
  bool ready() const override { return written_ - channel_->finished() < memory_.size(); }
  uint8_t* Current() override { return memory_[written_ % memory_.size()]; }
  void Advance() override {
    channel_->Post({.memory = Current(), .bytes = bytes_, .access = access_, .packet = packet_});
    ++written_;
  }

 private:
  Channel* channel_;
  std::vector<uint8_t*> memory_;
  size_t bytes_;
  bool packet_;
  std::shared_ptr<const tessera::graph::Access> access_;
  uint64_t written_ = 0;
};

// Blocks that two kernels share: no data move.
struct Shared {
  std::vector<uint8_t*> memory;
  uint64_t written = 0, taken = 0;
};
class SharedIn final : public Blocks {
 public:
  explicit SharedIn(std::shared_ptr<Shared> shared) : shared_(std::move(shared)) {}
  bool ready() const override { return shared_->written > shared_->taken; }
  uint8_t* Current() override { return shared_->memory[shared_->taken % shared_->memory.size()]; }
  void Advance() override { ++shared_->taken; }

 private:
  std::shared_ptr<Shared> shared_;
};
class SharedOut final : public Blocks {
 public:
  explicit SharedOut(std::shared_ptr<Shared> shared) : shared_(std::move(shared)) {}
  bool ready() const override { return shared_->written - shared_->taken < shared_->memory.size(); }
  uint8_t* Current() override { return shared_->memory[shared_->written % shared_->memory.size()]; }
  void Advance() override { ++shared_->written; }

 private:
  std::shared_ptr<Shared> shared_;
};

}  // namespace adf::detail
