// Small streams beside the data: words of 32 bits with TLAST, as a source and as a sink that
// watches the handshake.
//
// A source offers what it was given, in order; a sink keeps every word with its cycle.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "tb/bus/channel_ends.h"
#include "tb/monitor/channel_monitor.h"
#include "tb/monitor/violation.h"
#include "tb/sim/component.h"
#include "tb/sim/ports.h"
#include "tb/sim/rng.h"
#include "tb/sim/tick.h"

namespace tessera {

std::string Describe(const WordBeat& beat);

// A header or a control word: bit 31 makes the number of ones odd.
inline uint32_t Sealed(uint32_t word) {
  return word | static_cast<uint32_t>(__builtin_parity(word) == 0) << 31;
}

struct StreamWord {
  uint32_t data = 0;
  bool last = false;
  uint64_t cycle = 0;  // of the handshake
  bool operator==(const StreamWord& other) const {
    return data == other.data && last == other.last;
  }
};

class WordSource final : public Component {
 public:
  WordSource(WordPort* port, const PacerSpec& pacer, const Rng& rng);
  // The words of a packet; the last one has TLAST.
  void Push(const std::vector<uint32_t>& packet);
  bool empty() const { return words_.empty(); }
  size_t left() const { return words_.size(); }

  void Sample(const Tick& tick) override;
  void Drive(const Tick& next) override;

 private:
  Rng rng_;
  ChannelSource<WordBeat> end_;
  std::deque<WordBeat> words_;
};

class WordSink final : public Component {
 public:
  WordSink(WordPort* port, const std::string& name, const PacerSpec& pacer, const Rng& rng,
           ViolationList* violations);
  const std::vector<StreamWord>& words() const { return words_; }
  // Words that were not asked for yet; those that this returns are asked for.
  std::vector<StreamWord> Take();

  void Sample(const Tick& tick) override;
  void Drive(const Tick& next) override { end_.Drive(next); }

 private:
  const WordPort* port_;
  ChannelSink<WordBeat> end_;
  ChannelMonitor<WordBeat> monitor_;
  size_t asked_ = 0;
  std::vector<StreamWord> words_;
};

}  // namespace tessera
