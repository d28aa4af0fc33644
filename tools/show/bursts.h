// Which bursts an engine makes of the rows of a transfer, and how few would do.
//
// The engine's rule (docs/engine.md): rows each of which begins at the byte where the one before
// ended share bursts. A burst is as long as the configuration allows and never crosses 4 KiB. Such
// rows are given to the data side in runs of at most 128, which end when they are as long as a
// burst: a group that two runs share is handled twice. The second tile of a traversal comes three
// cycles after the first: rows of a first tile that takes less join no row of the second. The
// planner assumes a data side that never holds the request side up; one that does can only make
// bursts shorter.
//
// The least: words that follow each other share a burst, and a word that is still at hand is not
// asked for again.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "tb/model/transfer.h"
#include "tb/sim/dut.h"

namespace tessera::show {

inline constexpr uint64_t kPage = 4096;     // no burst crosses a multiple of it
inline constexpr uint32_t kTileCycles = 3;  // from the first tile to the second, at least
inline constexpr uint32_t kRunRows = 128;   // rows that one run joins at most
inline constexpr uint64_t kOnTlastBurst =
    16;  // words of a burst of a write that ends on TLAST, at most
inline constexpr uint64_t kOnTlastFirst = 2;  // of the first; each next is twice as long

// What a planner needs to know of the hardware.
struct BurstRules {
  uint64_t mask = ~uint64_t{0};  // of addresses
  uint64_t word = 8;             // bytes of the bus
  uint64_t group = 8;            // bytes that the data side handles in a cycle
  uint64_t longest = 64;         // words of a burst
  uint64_t first_longest = 64;   // of the first of a transfer; doubles with each
  uint64_t run_bytes = 512;      // a run is full from here on
  uint32_t lone_rows = 0;        // rows of the first tile, if the next one comes after a pause
};

BurstRules RulesOf(const Config& config, Direction direction, const model::Transfer& transfer);

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
  explicit BurstPlanner(const BurstRules& rules) : rules_(rules) { engine_.lone = rules.lone_rows; }

  // From now on the engine's bursts are listed as well; `list` must outlive the planner.
  void ListTo(std::vector<Burst>* list) { list_ = list; }

  // The next row in order. Returns the number of the burst that its first data byte lies in.
  uint64_t Add(const Row& row);
  // So many rows without data.
  void AddFill();
  // The row before ended a packet: nothing joins it.
  void EndPacket() { engine_.open = false; }

  // What the future depends on, seen from an address: equal keys mean equal bursts for equal rows.
  static constexpr size_t kKeyWords = 4;
  std::array<uint64_t, kKeyWords> Key(uint64_t base) const;
  // The state that the same rows would have left `bytes` further on.
  void Shift(uint64_t bytes);
  // Takes the state of another planner, and not its counts.
  void Resume(const BurstPlanner& other);

  const BusCount& engine() const { return engine_count_; }
  const BusCount& least() const { return least_count_; }
  // Groups of bytes that data lies in, and those with groups of fill.
  uint64_t groups() const { return groups_; }
  uint64_t operations() const { return operations_ + groups_; }
  void ResetCounts();

 private:
  struct EngineState {
    bool open = false;    // the row before was plain
    uint64_t next = 0;    // the address after it
    uint32_t joined = 0;  // rows that its run has taken up
    uint64_t run = 0;     // bytes of the run from its first word on, as far as they matter
    uint64_t burst = 0;   // words of the last burst
    uint64_t limit = 0;   // that it was held to; 0: there was none
    uint32_t lone = 0;    // rows of the first tile to come
    uint32_t cycles = 0;  // that those before them took
  };
  struct LeastState {
    bool open = false;
    uint64_t word = 0;   // the last one
    uint64_t burst = 0;  // words of its burst
  };

  uint64_t AddEngine(const Row& row);
  void PauseAfterFirstTile(const Row& row);
  void AddLeast(const Row& row);
  // `n` words from an address on; `goes_on`: the word before it ended a burst of `burst` words,
  // which was held to `limit`. Returns the words of the last burst.
  uint64_t AddWords(uint64_t addr, uint64_t n, bool goes_on, uint64_t burst, uint64_t* limit,
                    BusCount* count, std::vector<Burst>* list) const;

  BurstRules rules_;
  EngineState engine_;
  LeastState least_;
  BusCount engine_count_, least_count_;
  uint64_t groups_ = 0, operations_ = 0;
  std::vector<Burst>* list_ = nullptr;
};

}  // namespace tessera::show
