// A reader of the core between a memory and the sinks of its streams, compared with the reference
// model beat by beat.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tb/model/memory_image.h"
#include "tb/model/reference.h"
#include "tb/sim/rng.h"
#include "tb/sim/unit.h"
#include "tests/core/feeder.h"
#include "units/Vreader_top.h"

namespace tessera {

// A reader of reader_top.sv.
struct ReaderShape {
  const char* name;
  int cell, channels, slots, addr_width, bytes, max_burst, buffer, parts;
};
inline constexpr ReaderShape kReaders[] = {
    {"one", 0, 1, 4, 64, 8, 64, 16, 1},      {"four", 1, 4, 4, 64, 8, 16, 64, 2},
    {"sixteen", 2, 16, 2, 32, 8, 16, 64, 8}, {"narrow", 3, 1, 2, 40, 4, 16, 16, 2},
    {"wide", 4, 4, 2, 64, 64, 4, 16, 4},
};

// How often, of 256, something goes on in a cycle.
struct ReaderPace {
  int word = 256, ar = 256, r = 256, stream = 256, end = 256;
  int latency = 1;
  uint64_t dead = 0;    // channels whose stream never goes on
  int pause = 0;        // of 4096: a channel pauses, or goes on
  int abort = 0;        // of 4096: a channel is aborted
  bool closes = false;  // no transfer has the rule never
};

class ReaderBench {
 public:
  ReaderBench(const ReaderShape& shape, uint64_t seed, ReaderPace pace,
              std::vector<model::ErrorRange> errors = {});

  void Queue(int channel, const model::Transfer& transfer);
  void Weight(int channel, int weight) { weights_[static_cast<size_t>(channel)] = weight; }
  void PaceOfEnds(int pace) { pace_.end = pace; }
  // Until all streams that are not dead have what they must have, or for so many cycles. What went
  // wrong, or nothing.
  std::string Run(uint64_t most);
  // So many cycles, whatever happens.
  std::string Cycles(uint64_t cycles);

  uint64_t cycle() const { return cycle_; }
  uint64_t beats(int channel) const { return lanes_[static_cast<size_t>(channel)].seen; }
  uint64_t words() const { return words_; }  // of R
  uint64_t bursts() const { return bursts_; }
  std::optional<uint64_t> first_go() const { return first_go_; }
  std::optional<uint64_t> first_ar() const { return first_ar_; }
  bool done() const;
  std::string State() const;

 private:
  struct Lane {
    std::vector<model::StreamBeat> beats;  // expected
    std::vector<model::Record> records;    // expected
    std::vector<size_t> origins;           // of beats: their transfer
    std::vector<uint64_t> before;          // of beats: bytes of the stream before them
    std::vector<uint64_t> ends;            // of transfers: bytes of the stream up to their end
    std::vector<model::Transfer> transfers;
    uint64_t seen = 0, ended = 0;
    bool aborts = false, open = false;  // a packet is open
    int quiet = 0;                      // cycles at the end of an abort
    std::unique_ptr<model::ReadModel> model;
  };
  struct Burst {
    uint64_t addr = 0;
    int words = 0;
    uint64_t ready = 0;  // cycle
  };
  void Cycle();
  void Drive();
  void Sample();
  void Fail(const std::string& what);
  void EndAbort(size_t channel);
  void CheckOwners(size_t channel);
  std::string Origin(const Lane& lane) const;  // the transfer of the beat that was seen last

  ReaderShape shape_;
  Rng rng_;
  ReaderPace pace_;
  std::vector<model::ErrorRange> errors_;
  model::MemoryImage memory_;
  VerilatedUnit<Vreader_top> unit_;
  std::vector<Lane> lanes_;
  Feeder feeder_;
  std::vector<int> weights_;
  std::deque<Burst> reads_;
  uint32_t paused_ = 0;
  uint64_t cycle_ = 0, words_ = 0, bursts_ = 0;
  std::optional<uint64_t> first_go_, first_ar_;
  std::string failure_;
};

}  // namespace tessera
