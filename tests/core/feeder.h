// Writes contexts into an engine of the core, channel by channel, and counts its slots.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "tb/sim/rng.h"
#include "tests/core/context.h"

namespace tessera {

class Feeder {
 public:
  Feeder(int channels, int slots) : lanes_(static_cast<size_t>(channels)), slots_(slots) {
    for (Lane& lane : lanes_) lane.free = slots;
  }

  // The contexts of a transfer.
  void Queue(int channel, std::vector<Context> contexts) {
    std::deque<Context>& waiting = lanes_[static_cast<size_t>(channel)].waiting;
    waiting.insert(waiting.end(), contexts.begin(), contexts.end());
  }
  uint64_t started(size_t channel) const { return lanes_[channel].started; }
  int free(size_t channel) const { return lanes_[channel].free; }
  // A slot is free again; false if all are.
  bool Free(size_t channel) { return ++lanes_[channel].free <= slots_; }

  bool writing(size_t channel) const { return writing_ && channel_ == channel; }
  // Some of the contexts of a transfer are written.
  bool in_transfer(size_t channel) const { return lanes_[channel].in_transfer; }

  // Sets the pins of a cycle: a word, if `goes`, of a channel with less than `most` transfers since
  // ended(channel), if that is a number. True with the last word.
  template <typename Model, typename Ended>
  bool Drive(Model& m, Rng& rng, bool goes, uint64_t most, const Ended& ended) {
    m.word_valid_i = m.go_valid_i = 0;
    for (size_t n = 0, first = rng.Below(lanes_.size()); !writing_ && n < lanes_.size(); ++n) {
      const size_t c = (first + n) % lanes_.size();
      const std::optional<uint64_t> gone = ended(c);
      if (lanes_[c].waiting.empty() || lanes_[c].free == 0) continue;
      // A transfer that has begun goes on to its last context.
      if (!lanes_[c].in_transfer && (!gone || lanes_[c].started - *gone >= most)) continue;
      channel_ = c;
      writing_ = true;
    }
    if (!writing_ || !goes) return false;
    Lane& lane = lanes_[channel_];
    const Context& context = lane.waiting.front();
    m.word_channel_i = static_cast<uint8_t>(channel_);
    m.word_slot_i = static_cast<uint8_t>(lane.slot);
    m.word_valid_i = 1;
    m.word_index_i = static_cast<uint8_t>(context.words[word_].index);
    m.word_data_i = context.words[word_].data;
    if (++word_ < context.words.size()) return false;
    m.go_valid_i = 1;
    lane.started += context.more ? 0 : 1;
    lane.in_transfer = context.more;
    lane.waiting.pop_front();
    lane.slot = (lane.slot + 1) % slots_;
    --lane.free;
    word_ = 0;
    writing_ = false;
    return true;
  }

 private:
  struct Lane {
    std::deque<Context> waiting;
    uint64_t started = 0;  // transfers
    int free = 0, slot = 0;
    bool in_transfer = false;
  };
  std::vector<Lane> lanes_;
  int slots_;
  size_t channel_ = 0, word_ = 0;  // that is being written
  bool writing_ = false;
};

}  // namespace tessera
