// Does what a case asks for while it runs: pauses, drains, aborts, resets, rest; what stream
// partners do wrong; data for writers that have lost theirs; and the recovery of channels that are
// at fault.
//
// It also knows what must come of each, and in how many cycles: a request that does not end, a
// fault that is not told, and one that is told without a cause are failures.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tb/run/fabric_bench.h"
#include "tb/sim/rng.h"
#include "tb/system/lives.h"
#include "tb/system/system_case.h"

namespace tessera {

class Attendant {
 public:
  Attendant(const SystemCase& value, FabricBench* bench, Lives* lives);
  // After everything was sampled, before the edge.
  void Sample(const Tick& tick);
  // At the end of every cycle.
  void Misbehave();
  // Nothing is under way and nothing has to be: every transfer has its record.
  bool Done() const;
  // Takes back the change of a beat on a stream, if there was one.
  bool RestoreBeat();
  const std::string& failure() const { return failure_; }
  // How many events, faults and recoveries there have been.
  uint64_t happened() const { return happened_; }

 private:
  struct Side {  // one direction of a channel
    uint64_t pause_until = 0, drain_until = 0;
    enum class Step : uint8_t { kWorks, kWaits, kResets, kHolds, kLeaves } step = Step::kWorks;
    uint64_t since = 0, until = 0;
    bool faulted = false, named = false;  // in the last cycle
    bool misbehaved = false;              // a stream partner has done something wrong
    bool hit = false;                     // the memory has, since the last reset
    bool owing = false;                   // and may owe answers for ever
    int surplus = 0;                      // bursts that the memory has sent beyond what was asked
    bool certain = false;                 // it did something that must be told, whatever follows
    uint64_t told_by = kNever;
    uint64_t change_told_by = kNever;  // of a beat of its stream that was changed
    uint64_t records = 0;              // jobs before its last reset
  };
  enum class Rest : uint8_t { kNone, kAsked, kQuiet, kReset, kWindows };

  static constexpr Direction kBoth[] = {Direction::kRead, Direction::kWrite};
  static size_t Index(int k, Direction d) {
    return 2 * static_cast<size_t>(k) + (d == Direction::kRead ? 0 : 1);
  }
  Side& side(int k, Direction d) { return sides_[Index(k, d)]; }
  bool Exists(int k, Direction d) const {
    return k < (d == Direction::kRead ? config_.reads : config_.writes);
  }
  void Fail(const std::string& message);
  void Start(const SystemEvent& event, uint64_t cycle);
  void SeeHits(uint64_t cycle);
  void SeeFault(uint64_t cycle, int k, Direction d);
  void SeeName(int k, Direction d);
  Side Fresh(int k, Direction d);
  void Recover(uint64_t cycle, int k, Direction d);
  void AskForRest(uint64_t cycle, bool restart, uint64_t length);
  void DoRest(const Tick& tick);
  void FeedStarvedWriters();
  void ForwardRing();
  uint64_t Patience() const;
  bool Finished() const;
  bool ChangeBeat(int k, SystemEvent::Kind what);

  const SystemCase& case_;
  FabricBench* bench_;
  Lives* lives_;
  FabricConfig config_;
  Rng rng_;
  std::vector<Side> sides_;
  std::vector<bool> started_;
  std::vector<uint64_t> starved_;  // cycles, by writer
  std::vector<size_t> forwarded_;  // bytes of each reader that went on in the ring
  size_t hits_ = 0;                // of the tamper, seen
  Rest rest_ = Rest::kNone;
  bool restart_ = false;
  uint64_t rest_since_ = 0, rest_until_ = 0;
  size_t next_window_ = 0;
  uint64_t strays_due_ = kNever;
  bool tampered_ = false;  // something may be owed for ever
  struct Misbehaviour {
    SystemEvent::Kind kind = SystemEvent::Kind::kPause;
    int channel = -1;
    bool waited = false, done = false, back = false;
  } misbehaviour_;
  struct ChangedBeat {
    int channel = -1;
    uint64_t byte = 0;  // of its data
    uint8_t mask = 0;   // 0: TKEEP or TLAST of beat `place`, which was `before`
    size_t place = 0;
    StreamBeat before{};
  } changed_;
  uint64_t cycle_ = 0;
  uint64_t happened_ = 0;
  std::string failure_;
};

// Windows are written one a cycle; true when the last one is.
bool WriteNextWindow(const SystemCase& value, Fabric* fabric, size_t* next);

}  // namespace tessera
