// A programmed port between software, memory and streams, compared with the reference model.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tb/model/memory_image.h"
#include "tb/model/reference.h"
#include "tb/sim/rng.h"
#include "tb/sim/unit.h"
#include "units/Vdma_engine_top.h"

namespace tessera {

// A port of dma_engine_top.sv.
struct EngineShape {
  const char* name;
  int cell, pairs;
  int addr_width = 64;
  bool walk = true, bounds = true;
};
inline constexpr EngineShape kEngines[] = {{"pair", 0, 1},
                                           {"four", 1, 4},
                                           {"plain", 2, 1, 32, false, false},
                                           {"plain_two", 3, 2, 40, false, false},
                                           {"walk", 4, 1, 64, true, false},
                                           {"bounds", 5, 2, 32, false, true}};

// Each channel has descriptors of its own, two or more, and uses one again when its record is
// there.
class EngineBench {
 public:
  EngineBench(const EngineShape& shape, uint64_t seed, int pace, int latency);

  // A transfer of a channel, reads first; a task of its own.
  void Queue(int channel, const model::Transfer& transfer);
  // Until all have their record. What went wrong, or nothing.
  std::string Run(uint64_t most);
  uint64_t cycle() const { return cycle_; }
  // From the first push that is taken to the first burst.
  uint64_t latency() const { return *first_burst_ - *first_push_; }
  uint64_t words() const { return words_; }  // of R and W

 private:
  struct Lane {
    std::deque<model::Transfer> waiting;
    std::vector<model::Transfer> transfers;
    std::vector<model::Record> records;
    std::vector<model::StreamBeat> beats;  // expected, of reads
    std::deque<model::StreamBeat> to_send;
    std::unique_ptr<model::ReadModel> reads;
    std::unique_ptr<model::WriteModel> writes;
    size_t pushed = 0, recorded = 0, seen = 0;
    int due = 0;  // records that are there
  };
  struct Access {
    int area = 0, descriptor = 0, word = 0;
    uint32_t data = 0;
  };
  struct Burst {
    uint64_t addr = 0;
    int words = 0;
    uint64_t ready = 0;
  };
  bool Receives(size_t channel) const { return channel >= static_cast<size_t>(shape_.pairs); }
  void Cycle();
  void Drive();
  void DriveSoftware();
  void Sample();
  void SampleSoftware();
  void SampleMemory();
  void SampleStreams();
  void Fail(const std::string& what);

  EngineShape shape_;
  Rng rng_;
  int pace_, latency_;
  model::MemoryImage memory_, wanted_;
  std::map<uint64_t, uint8_t> written_;
  VerilatedUnit<Vdma_engine_top> unit_;
  std::vector<Lane> lanes_;
  int descriptors_ = 0;  // of a channel
  std::deque<Access> accesses_;
  std::optional<size_t> pushing_, reading_;  // channel
  int word_ = 0;                             // of the record
  std::vector<uint32_t> record_;
  std::deque<Burst> reads_, writes_, responses_;
  struct Word {
    uint64_t data = 0;
    uint8_t strobe = 0;
    bool last = false;
  };
  std::deque<Word> early_;
  int at_ = 0;  // word of the oldest write
  uint32_t offered_ = 0;
  uint64_t cycle_ = 0, words_ = 0;
  std::optional<uint64_t> first_push_, first_burst_;
  std::string failure_;
};

}  // namespace tessera
