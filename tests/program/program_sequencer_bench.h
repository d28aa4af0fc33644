// A sequencer between software, a preparation and an engine, all three models, checked cycle by
// cycle against what docs/programming.md says of tasks, locks, ends and records.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "tb/sim/rng.h"
#include "tb/sim/unit.h"
#include "units/Vprogram_sequencer_top.h"

namespace tessera {

// A sequencer of program_sequencer_top.sv.
struct SequencerShape {
  const char* name;
  int cell, reads, channels, slots, tasks, records, locks;
  bool equal_takes, side, lists;
};
inline constexpr SequencerShape kSequencers[] = {
    {"pair", 0, 1, 2, 2, 4, 8, 16, false, false, false},
    {"eight", 1, 4, 8, 4, 4, 8, 16, true, true, true},
    {"three", 2, 3, 3, 2, 8, 2, 1, false, false, false},
    {"all", 3, 16, 32, 2, 2, 16, 64, false, false, false},
};

// What a descriptor asks of the sequencer.
struct Plan {
  int next = -1;              // of the chain
  int acquire = 0, take = 0;  // lock; value of the acquire
  bool acquires = false;
  int release = 0, give = 0;
  bool interrupts = false, no_record = false, finish = false;
  int element = 0;
  int contexts = 1;
  int refused = 0;  // reason
  uint32_t side = 0;
};

struct Task {
  int start = 0;
  int turns = 1;
  bool endless = false, token = false, trigger = false, paced = false, from_list = false;
  uint32_t tag = 0;
};

// How often, of 256, something goes on in a cycle; cycles that something takes.
struct SequencerPace {
  int push = 0, pop = 256, end = 256, entry = 256, trigger = 0, job = 256, list = 256;
  int prepare_least = 4, prepare_most = 4;
  int hold_least = 4, hold_most = 4;  // a context in the engine
  int end_least = 1, end_most = 1;    // from the last context to the end
  int orders = 0;                     // of 65536: an abort, a reset, a drain, a stop begins
  int errors = 0;                     // of 256: an end has an error
  int refuses = 0;                    // of 65536: a descriptor is refused
  int cuts = 0;                       // of 256: the rest of a transfer is discarded
  bool overlaps = false;              // a job is accepted before the one before is prepared
};

class SequencerBench {
 public:
  SequencerBench(const SequencerShape& shape, uint64_t seed, SequencerPace pace);

  Plan& plan(int n) { return plans_[static_cast<size_t>(n)]; }
  void set_list(int channel, std::vector<int> descriptors) {
    lanes_[static_cast<size_t>(channel)].list = std::move(descriptors);
  }
  void set_stop_on(int channel, int bits) { lanes_[static_cast<size_t>(channel)].stop_on = bits; }
  void Push(int channel, const Task& task) { lane(channel).waiting.push_back(task); }
  void SetLock(int id, int value) { registers_.push_back({1, id, value}); }
  int ReadLock(int id);
  void Fire(int channel) { lanes_[static_cast<size_t>(channel)].trigger = true; }
  void set_pace(const SequencerPace& pace) { pace_ = pace; }
  void Order(int channel, bool drain, bool abort, bool reset, bool stop);
  void set_programs(std::vector<Task> tasks) { programs_ = std::move(tasks); }

  std::string Cycles(uint64_t cycles);
  std::string Finish(uint64_t most);  // no more orders; until everything is done
  uint64_t cycle() const { return cycle_; }
  uint64_t retired(int channel) const { return lanes_[static_cast<size_t>(channel)].retired; }
  bool halted(int channel) { return m().halted_o >> channel & 1; }
  bool faulted(int channel) { return m().faulted_o >> channel & 1; }
  bool idle(int channel) { return m().idle_o >> channel & 1; }
  bool in_reset(int channel) { return m().in_reset_o >> channel & 1; }
  bool busy(int channel) { return m().busy_o >> channel & 1; }
  struct View {
    int waits, next_waits, lock, descriptor, room, records;
    bool in_task;
  };
  View Look(int channel);
  std::string State() const;

 private:
  struct Transfer {
    int lane = 0;
    Plan plan;
    Task task;
    int name = 0, index = 0;
    bool task_end = false;
    uint64_t serial = 0;
  };
  struct Context {
    Transfer transfer;
    bool first = true, more = false, cut = false, prepared = false;
    int error = 0;
    uint64_t leaves = 0;  // cycle in which the engine frees it
  };
  struct Job {
    int lane = 0, slot = 0;
    uint64_t words = 0, done = 0;
    bool shown = false;
    Plan plan;
    bool more = false;
    int error = 0;
  };
  struct End {
    Transfer transfer;
    bool aborted = false, last = false;
    int flags = 0;  // slverr, decerr, overlong, sparse keep, denied
    uint64_t bytes = 0, dropped = 0, addr = 0;
    uint32_t side = 0;
    uint64_t ready = 0;
  };
  struct Record {
    uint32_t head, tag, side;
    uint64_t bytes, dropped, addr;
    uint64_t least, most;  // stamp
  };
  struct Access {
    int command, id, value;
  };
  struct Lane {
    std::deque<Task> waiting, tasks;
    std::vector<int> list;
    size_t list_at = 0;
    bool list_ready = false;
    bool chained = false, later = false;
    int next = 0, turns = 0;
    int job_slot = 0, go_slot = 0;
    bool trigger = false, taken = false;
    bool list_taken = false;
    int list_place = 0, list_index = 0;
    bool list_end = false;
    std::deque<Context> made, engine;
    std::optional<Context> current;  // with further contexts
    int left = 0;
    bool due = false, tiled = false;
    bool begun = false;  // the engine awaits a further context
    std::deque<End> ends;
    std::deque<Record> records;
    std::deque<std::array<int, 2>> refusals;
    bool halted = false, faulted = false, reset_seen = false;
    bool drain = false, abort = false, reset = false, stop = false, cut = false;
    uint64_t drain_at = 0, stop_at = 0, cut_at = 0, abort_at = 0, fault_at = 0, halt_at = 0;
    uint64_t order_ends = 0;
    bool aborts = false;  // abort_o a cycle ago
    int stop_on = 0;
    uint64_t retired = 0, serial = 0;
    bool idle = true;
  };

  Vprogram_sequencer_top& m() { return unit_.model(); }
  Lane& lane(int c) { return lanes_[static_cast<size_t>(c)]; }
  void Cycle();
  void Drive();
  void Sample();
  void TakeJob();
  void TakeGo();
  void TakeEnd();
  void Clean(int c);
  void Orders();
  bool Goes(int pace) { return static_cast<int>(rng_.Below(256)) < pace; }
  uint64_t Draw(int least, int most) {
    return rng_.Between(static_cast<uint64_t>(least), static_cast<uint64_t>(most));
  }
  void Fail(const std::string& what);

  SequencerShape shape_;
  Rng rng_;
  SequencerPace pace_;
  VerilatedUnit<Vprogram_sequencer_top> unit_;
  std::vector<Plan> plans_;
  std::vector<Lane> lanes_;
  std::vector<Task> programs_;
  std::deque<Job> jobs_;
  std::deque<Access> registers_;
  std::vector<int> locks_;
  std::vector<bool> spoilt_locks_;
  std::optional<int> read_;
  int reading_ = -1, word_ = 0, view_ = 0;
  int ending_ = -1;
  int sent_ = 0, entered_ = 0;
  uint64_t end_begun_ = 0;
  int push_to_ = 0;
  bool finishing_ = false, job_seen_ = false;
  uint64_t job_since_ = 0;
  uint64_t cycle_ = 0;
  std::string failure_;
};

}  // namespace tessera
