// The small streams of tessera_dma: words of 32 bits with TLAST, as a source and as a sink with
// checks.
//
// A source offers what it was given, in order, each word with the chance of its pacer; a sink takes
// words with the chance of its own and throws std::runtime_error if a word that waits changes or is
// taken back.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "tb/sim/rng.h"
#include "tb/sim/tick.h"

namespace tessera {

struct WordPins {
  uint32_t tdata = 0;
  bool tlast = false, tvalid = false, tready = false;
};

struct StreamWord {
  uint32_t data = 0;
  bool last = false;
  uint64_t cycle = 0;  // in which a sink took it
  bool operator==(const StreamWord& other) const {
    return data == other.data && last == other.last;
  }
};

class WordSource {
 public:
  explicit WordSource(const Rng& rng) : rng_(rng) {}
  // The words of a packet; the last one has TLAST.
  void Push(const std::vector<uint32_t>& packet);
  void SetChance(double chance) { chance_ = chance; }
  bool empty() const { return words_.empty(); }
  size_t left() const { return words_.size(); }

  void Sample(const Tick& tick, const WordPins& pins);
  void Drive(const Tick& next, WordPins* pins);

 private:
  Rng rng_;
  double chance_ = 1;
  bool offered_ = false;
  std::deque<StreamWord> words_;
};

class WordSink {
 public:
  WordSink(std::string name, const Rng& rng) : name_(std::move(name)), rng_(rng) {}
  void SetChance(double chance) { chance_ = chance; }
  const std::vector<StreamWord>& words() const { return words_; }
  // Words that were not asked for yet; those that this returns are asked for.
  std::vector<StreamWord> Take();

  void Sample(const Tick& tick, const WordPins& pins);
  void Drive(const Tick& next, WordPins* pins);

 private:
  std::string name_;
  Rng rng_;
  double chance_ = 1;
  bool waits_ = false;
  StreamWord held_;
  size_t asked_ = 0;
  std::vector<StreamWord> words_;
};

}  // namespace tessera
