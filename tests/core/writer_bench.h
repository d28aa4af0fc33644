// A writer of the core between the sources of its streams and a memory, compared with the reference
// model byte by byte.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tb/model/memory_image.h"
#include "tb/model/reference.h"
#include "tb/sim/rng.h"
#include "tb/sim/unit.h"
#include "tests/core/feeder.h"
#include "units/Vwriter_top.h"

namespace tessera {

// A writer of writer_top.sv.
struct WriterShape {
  const char* name;
  int cell, channels, slots, addr_width, bytes, max_burst, parts;
};
inline constexpr WriterShape kWriters[] = {
    {"one", 0, 1, 4, 64, 8, 64, 1},      {"four", 1, 4, 4, 64, 8, 16, 2},
    {"sixteen", 2, 16, 2, 32, 8, 16, 4}, {"narrow", 3, 1, 2, 40, 4, 16, 1},
    {"wide", 4, 4, 2, 64, 64, 4, 8},
};

// How often, of 256, something goes on in a cycle.
struct WriterPace {
  int word = 256, aw = 256, w = 256, b = 256, stream = 256, end = 256;
  int latency = 1;
  uint64_t dead = 0;  // channels whose stream never goes on
  int pause = 0;      // of 4096: a channel pauses, or goes on
  int abort = 0;      // of 4096: a channel is aborted
};

// What the beats of a stream are like; of 256.
struct StreamKind {
  int last = 0;     // TLAST, but for the beats that a transfer ends with
  int partial = 0;  // of those with TLAST: not all bytes
  int sparse = 0;   // null bytes elsewhere
  int null = 0;     // no byte at all
};

class WriterBench {
 public:
  WriterBench(const WriterShape& shape, uint64_t seed, WriterPace pace,
              std::optional<model::ErrorRange> error = {});

  void Queue(int channel, const model::Transfer& transfer, const StreamKind& kind);
  void Weight(int channel, int weight) { weights_[static_cast<size_t>(channel)] = weight; }
  // Until all transfers have ended that can, or for so many cycles. What went wrong, or nothing.
  std::string Run(uint64_t most);
  std::string Cycles(uint64_t cycles);

  uint64_t cycle() const { return cycle_; }
  uint64_t words() const { return words_; }  // of W
  uint64_t beats(int channel) const { return lanes_[static_cast<size_t>(channel)].sent; }
  uint64_t bursts() const { return bursts_; }
  std::optional<uint64_t> first_go() const { return first_go_; }
  std::optional<uint64_t> first_aw() const { return first_aw_; }
  bool done() const;
  std::string State() const;

 private:
  // A byte of a stream, or a beat without bytes that ends a packet.
  struct Unit {
    uint32_t side = 0;
    bool null = false, last = false;  // of its packet
  };
  struct Lane {
    std::deque<model::StreamBeat> beats;             // to send
    std::vector<model::Record> records;              // expected
    std::deque<std::array<uint32_t, 8>> beat_sides;  // of `beats`, by part
    std::deque<Unit> units;                          // of the stream, not taken by a transfer
    std::vector<std::vector<uint32_t>> sides;        // of transfers: one of these; none: any
    std::vector<uint32_t> last_sides{0};             // of what was used last: one of these
    std::vector<model::Transfer> transfers;
    std::unique_ptr<model::WriteModel> model;
    StreamKind kind;
    std::vector<size_t> transfer_of;  // of the beats to send and of those that are gone
    uint64_t ended = 0, taken = 0, sent = 0;
    bool aborts = false;
    int quiet = 0;  // cycles at the end of an abort
  };
  // Whose a byte is that is written.
  struct Owner {
    int channel = 0;      // -1: several
    size_t transfer = 0;  // the last one
    bool several = false;
  };
  struct Burst {
    uint64_t addr = 0;
    int words = 0;
    int resp = 0;
    uint64_t ready = 0;
  };
  void Cycle();
  void Drive();
  void Sample();
  void Take(const Burst& burst, const uint8_t* data, const uint8_t* strobe, int word);
  void Fail(const std::string& what);
  bool Draw(Lane& lane, model::StreamBeat& beat);
  void ExpectSide(Lane& lane, const model::Transfer& transfer, const model::Record& record);
  void Expect(size_t channel, const model::Transfer& transfer, model::Record& record);
  void CompareMemory();
  bool Compares(const Owner& owner) const;
  void EndAbort(size_t channel);

  WriterShape shape_;
  Rng rng_, beat_rng_, side_rng_;
  WriterPace pace_;
  std::optional<model::ErrorRange> error_;
  model::MemoryImage wanted_;
  std::map<uint64_t, Owner> owner_;
  std::set<std::pair<size_t, size_t>> aborted_;  // channel, transfer
  std::map<uint64_t, uint8_t> written_;
  VerilatedUnit<Vwriter_top> unit_;
  std::vector<Lane> lanes_;
  Feeder feeder_;
  std::vector<int> weights_;
  std::deque<Burst> bursts_open_, responses_;
  struct Word {
    std::vector<uint8_t> data, strobe;
    bool last = false;
  };
  std::deque<Word> words_early_;
  int word_ = 0;  // of the oldest open burst
  uint32_t paused_ = 0, offered_ = 0;
  uint64_t cycle_ = 0, words_ = 0, bursts_ = 0;
  std::optional<uint64_t> first_go_, first_aw_;
  std::string failure_;
};

}  // namespace tessera
