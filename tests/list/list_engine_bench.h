// A port whose descriptors come from lists in memory, compared with the reference model: bytes,
// beats, records, completion entries.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tb/dma/native.h"
#include "tb/model/memory_image.h"
#include "tb/model/reference.h"
#include "tb/sim/rng.h"
#include "tb/sim/unit.h"
#include "units/Vlist_engine_top.h"

namespace tessera::list {

// A port of list_engine_top.sv.
struct EngineShape {
  const char* name;
  int cell, pairs;
};
inline constexpr EngineShape kEngines[] = {{"pair", 0, 1}, {"four", 1, 4}};

// Each channel has a ring of kPlaces places; a place is written again when its record is there.
class ListEngineBench {
 public:
  static constexpr uint32_t kPlaces = 16;
  static constexpr uint64_t kPitch = 192, kList = uint64_t{1} << 40, kDone = uint64_t{1} << 41;

  ListEngineBench(const EngineShape& shape, uint64_t seed, int pace, int latency);
  // A turn of the list, a task of its own: the last one ends it.
  void Queue(int channel, std::vector<model::Transfer> transfers);
  // Until all have their record and their entry. What went wrong, or nothing.
  std::string Run(uint64_t most);
  void Setup();  // of all lists
  // This descriptor of a channel is not valid: it ends the run.
  void Spoil(int channel, size_t number) { spoilt_ = {static_cast<size_t>(channel), number}; }
  // A task, and a doorbell behind the ring.
  void Overrun(int channel) {
    spoilt_ = {static_cast<size_t>(channel), ~size_t{0}};
    accesses_.push_back({static_cast<uint32_t>(channel), 3, 20});
    pushing_ = static_cast<size_t>(channel);
  }
  struct Refusal {
    int channel = 0, index = 0, reason = 0;
    uint64_t addr = 0;
    bool entry = false;
  };
  std::optional<Refusal> refusal;
  size_t recorded(int channel) const { return lanes_[static_cast<size_t>(channel)].recorded; }
  bool halted(int channel) { return unit_.model().halted_o >> channel & 1; }
  void Go(int cycles) {
    for (Lane& lane : lanes_) lane.turns = 0;
    for (int n = 0; n < cycles && failure_.empty(); ++n) Cycle();
  }
  const std::string& failure() const { return failure_; }
  uint64_t cycle() const { return cycle_; }
  uint64_t words() const { return words_; }
  // From the last beat of the first descriptor to the first burst of data.
  uint64_t latency() const { return *first_burst_ - *first_descriptor_; }
  // Of one channel: between these records.
  std::vector<uint64_t> recorded_at;

 private:
  struct Turn {
    std::vector<model::Transfer> transfers;
  };
  struct Lane {
    std::deque<Turn> waiting;
    std::vector<model::Transfer> transfers;
    std::vector<model::Record> records;
    std::vector<uint32_t> tags;
    std::vector<model::StreamBeat> beats;  // expected, of reads
    std::deque<model::StreamBeat> to_send;
    std::unique_ptr<model::ReadModel> reads;
    std::unique_ptr<model::WriteModel> writes;
    size_t posted = 0, recorded = 0, entered = 0, seen = 0, turns = 0;
    int due = 0;  // records that are there
  };
  struct Burst {
    uint64_t addr = 0;
    int words = 0;
    uint64_t ready = 0;
  };
  struct Word {
    uint64_t data = 0;
    uint8_t strobe = 0;
    bool last = false;
  };
  bool Receives(size_t channel) const { return channel >= static_cast<size_t>(shape_.pairs); }
  bool Access(int channel, int word, uint32_t data);
  void Cycle();
  void Drive();
  void DriveSoftware();
  void Sample();
  void SampleSoftware();
  void SampleMemory();
  void SampleLists();
  void SampleStreams();
  void Fail(const std::string& what);
  void Describe(size_t channel, size_t number, bool next);

  EngineShape shape_;
  Rng rng_;
  int pace_, latency_;
  model::MemoryImage memory_, wanted_;
  std::map<uint64_t, uint8_t> written_;
  std::map<uint64_t, uint32_t> lists_;  // words of descriptors
  VerilatedUnit<Vlist_engine_top> unit_;
  std::vector<Lane> lanes_;
  std::deque<std::array<uint32_t, 3>> accesses_;  // channel, word, data
  std::optional<size_t> pushing_, reading_;       // channel
  int word_ = 0;                                  // of the record
  std::vector<uint32_t> record_;
  std::deque<Burst> reads_, writes_, responses_, list_reads_, list_writes_, list_responses_;
  std::deque<uint64_t> list_words_;
  std::deque<Word> early_;
  int at_ = 0;  // word of the oldest write
  uint32_t offered_ = 0;
  uint64_t cycle_ = 0, words_ = 0;
  std::optional<uint64_t> first_descriptor_, first_burst_;
  std::optional<std::pair<size_t, size_t>> spoilt_;
  std::string failure_;
};

}  // namespace tessera::list
