// Which bursts an engine makes of the rows of a transfer, and how few would do.
//
// The engine's rule (docs/engine.md): the bytes of each row are cut where addresses are multiples
// of the longest burst, which is at most 4 KiB; each part is a burst. No row shares a word with its
// neighbour.
//
// The least: words that follow each other share a burst, and a word that is still at hand is not
// asked for again.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "tb/sim/dut.h"

namespace tessera::show {

inline constexpr uint64_t kPage = 4096;  // no burst crosses a multiple of it

constexpr uint64_t CeilDivide(uint64_t a, uint64_t b) { return a / b + (a % b != 0 ? 1 : 0); }

// What a planner needs to know of the hardware.
struct BurstRules {
  uint64_t mask = ~uint64_t{0};  // of addresses
  uint64_t word = 8;             // bytes of the bus
  uint64_t longest = 64;         // words of a burst, a power of two
};

BurstRules RulesOf(const Config& config);

// One turn of dimension 0 if its elements are neighbours in memory, else one element.
struct Row {
  uint64_t base = 0;  // address of its first position, inside the bounds or not
  uint64_t lead = 0;  // bytes of fill, data, fill
  uint64_t data = 0;
  uint64_t tail = 0;
  bool plain = false;  // all of it is data

  uint64_t addr() const { return base + lead; }
  uint64_t bytes() const { return lead + data + tail; }
};

struct Burst {
  uint64_t addr = 0;  // a multiple of the bus bytes
  uint64_t words = 0;
  bool operator==(const Burst&) const = default;
};

// Words and bursts that rows have needed.
struct BusCount {
  uint64_t words = 0;
  uint64_t bursts = 0;
  bool operator==(const BusCount&) const = default;
};

// Both counts, row by row. A row costs the same whatever its length.
class BurstPlanner {
 public:
  explicit BurstPlanner(const BurstRules& rules) : rules_(rules) {}

  // From now on the engine's bursts are listed as well; `list` must outlive the planner.
  void ListTo(std::vector<Burst>* list) { list_ = list; }

  // The next row in order. Returns the number of the burst that its first data byte lies in.
  uint64_t Add(const Row& row);

  // What the future depends on, seen from an address: equal keys mean equal bursts for equal rows.
  static constexpr size_t kKeyWords = 2;
  std::array<uint64_t, kKeyWords> Key(uint64_t base) const;
  // The state that the same rows would have left `bytes` further on.
  void Shift(uint64_t bytes);
  // Takes the state of another planner, and not its counts.
  void Resume(const BurstPlanner& other);

  const BusCount& engine() const { return engine_count_; }
  const BusCount& least() const { return least_count_; }
  // Words of data, and parts of rows before and behind them.
  uint64_t operations() const { return operations_ + engine_count_.words; }
  void ResetCounts();

 private:
  struct LeastState {
    bool open = false;
    uint64_t word = 0;   // the last one
    uint64_t burst = 0;  // words of its burst
  };

  uint64_t AddEngine(const Row& row);
  void AddLeast(const Row& row);
  // `n` words from an address on; `goes_on`: the word before it ended the last burst.
  void AddLeastWords(uint64_t addr, uint64_t n, bool goes_on);

  BurstRules rules_;
  LeastState least_;
  BusCount engine_count_, least_count_;
  uint64_t operations_ = 0;
  std::vector<Burst>* list_ = nullptr;
};

}  // namespace tessera::show
