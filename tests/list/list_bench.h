// A unit of lists between software, a sequencer, a preparation, windows and memory.
//
// What must come of a list is written from docs/programming.md: the next descriptor is that at
// HEAD, with the words that memory had when it was posted; the first error of it, or none; an entry
// for each transfer. Whatever else happens is a failure.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sw/driver/tessera/registers.hpp"
#include "tb/sim/unit.h"
#include "tests/list/list_memory.h"
#include "units/Vlist_unit_top.h"

namespace tessera::list {

using Chain = registers::descriptor::Next;
using Flags = registers::descriptor::Flags;
inline Flags FlagsOf(const Line& base) { return {base[Flags::kWord]}; }
// Makes it a valid descriptor at random that has no extension and is not the end of a turn.
void Describe(Line& line, Rng& rng);

// As in list_unit_top.sv.
struct Shape {
  const char* name;
  int cell, channels, addr_width, width, ahead, outstanding, entries;
  bool walk, bounds;
};
inline constexpr Shape kShapes[] = {{"one", 0, 1, 64, 64, 16, 16, 16, true, true},
                                    {"pair", 1, 2, 32, 64, 8, 16, 16, true, true},
                                    {"sixteen", 2, 16, 64, 64, 8, 16, 16, true, true},
                                    {"wide", 3, 32, 48, 512, 4, 32, 16, true, false},
                                    {"plain", 4, 3, 40, 128, 4, 8, 2, false, false},
                                    {"four", 5, 4, 64, 256, 16, 4, 4, true, true}};

enum Word : int { kBase, kBaseHigh, kCount, kTail, kHead, kControl, kDone, kDoneHigh, kStatus };
enum Reason : int {
  kOk = 0,
  kInvalid = 32,
  kFetch = 36,
  kWindow = 37,
  kReserved = 38,
  kDecode = 39,
  kBadBase = 40,
  kNoCount = 41,
  kBadTail = 42,
  kPitch = 43,
  kFault = 44,
  kEntryBase = 49,
  kEntryWindow = 50,
  kEntrySlvErr = 51,
  kEntryDecErr = 52,
  kEntryFault = 53
};

struct Registers {
  bool ring = false, entries = false;
  uint32_t per = 0, count = 8;
  uint64_t pitch = 64;  // bytes
  uint64_t base = 0, done = 0;
};

struct Counts {
  uint64_t descriptors = 0, bounds = 0, walks = 0, turns = 0, wraps = 0, entries = 0,
           interrupts = 0, aborts = 0, resets = 0, locked = 0, reports = 0, quiesced = 0, opens = 0,
           dropped = 0;
  std::map<int, uint64_t> reasons;
};

class ListBench {
 public:
  ListBench(const Shape& shape, uint64_t seed, const Pace& pace);

  struct List;
  struct Answer {
    bool error = false;
    uint32_t data = 0;
  };

  // ---- What a test does
  void Cycle();
  void Run(int cycles) {
    for (int n = 0; n < cycles && ok(); ++n) Cycle();
  }
  Answer Access(int channel, int word, bool write, uint32_t data = 0, int strobe = 15);
  void Write(int channel, int word, uint32_t data);  // accepted
  uint32_t Read(int channel, int word);
  void Program(int channel, const Registers& setup);
  // Descriptors of a place of the list: words of memory now.
  Line& At(uint64_t addr) { return memory_.lines[addr / 64]; }
  void Ring(int channel, uint32_t tail);  // the doorbell
  void Open(int channel, int turns);      // a task; 0: endless
  bool Abort(int channel);                // true when it is done
  bool Reset(int channel, int cycles);    // the same
  void Fail(const std::string& what);
  void Forget() { on_bus_.clear(); }  // entries whose answers count no more
  bool ok() const { return failure_.empty(); }
  const std::string& failure() const { return failure_; }
  auto& model() { return unit_.model(); }
  List& list(int channel) { return lists_[static_cast<size_t>(channel)]; }
  ListMemory& memory() { return memory_; }
  uint64_t cycle() const { return cycle_; }
  Rng& rng() { return rng_; }

  struct Expected {  // of an entry
    uint64_t addr;
    std::array<uint32_t, 4> words;
    bool interrupts, optional;
    int refused;  // reason
    int name;
    uint64_t epoch;
  };
  struct Report {
    bool entry;
    int index, reason;
    uint64_t addr;
  };
  struct Done {
    uint32_t tag = 0;
    int index = 0, status = 0;
    uint64_t bytes = 0, ready = 0;
    bool last = false, task_end = false, interrupts = false;
  };
  struct List {
    Registers setup;
    uint64_t first_page = 0, last_page = ~uint64_t{0} >> 12;  // of reads,
    bool done_window = true;                                  // and whether entries are permitted
    // The list.
    uint32_t head = 0, tail = 0, old_head = 0;
    std::set<uint32_t> heads;                      // since an access began
    std::map<uint32_t, std::vector<Line>> posted;  // words of descriptors, as they were posted
    // The task.
    bool open = false, again = false, again_next = false, halted = false, pending = false;
    bool refused = false;  // one that was handed on
    int turns = 0, turn = 0;
    uint64_t fetched_turns = 0;
    uint64_t progress = 0, last_look = 0, opened_at = 0, closed_at = 0;
    bool stopping = false;
    bool fresh = false;  // an array of which nothing was taken
    int jobs = 0;        // taken and not ended
    bool continues = false;
    bool closes = false;  // with the job that is shown
    // Entries.
    uint32_t place = 0, since = 0;
    bool phase = true;
    int dead = 0;
    uint64_t epoch = 0, reset_at = 0, back_at = 0;
    std::deque<Done> executing;
    std::deque<Expected> expected;  // not on the bus
    std::deque<Report> reports;
    int owed_entries = 0;
    bool in_reset = false;
    uint64_t reset_until = 0;
    int faulted_reads = 0;  // reason 44, 53 may come
    bool may_fault = false, may_entry_fault = false;
    uint64_t taken = 0, loaded = 0;
  };
  Counts counts;
  bool strict_rate = false;
  double prep_refuses = 0;  // probability
  bool quiesce = false;
  uint32_t give_up = 0;
  std::function<void(int channel, uint64_t addr)> on_fetch = [](int, uint64_t) {};
  uint64_t first_ready = 0, first_address = 0;  // cycles
  int last_fault = 0;

 private:
  struct Job {
    int channel = 0, place = 0, contexts = 1;
    int error = 0;  // expected of row 3
    std::vector<Line> words;
    uint32_t index = 0;
    bool first = true, task_end = false;
  };
  // The head passes a descriptor that was fetched, be it right or not.
  static bool Handed(int error) { return error == kOk || error == kInvalid || error == 35; }
  bool Permitted(const List& list, bool write, uint64_t addr) const;
  uint64_t Mask() const {
    return shape_.addr_width == 64 ? ~uint64_t{0} : (uint64_t{1} << shape_.addr_width) - 1;
  }
  int ErrorOf(List& list, uint32_t index);
  uint64_t AddressOf(const List& list, uint32_t index) const {
    return list.setup.base + index * list.setup.pitch;
  }
  int Allowed(const List& list) const {
    return std::min(static_cast<int>(list.setup.pitch / 64) - 1, 2);
  }
  void CheckPlace(const Job& job, const char* when);
  void CheckFetch(const ListMemory::Burst& burst);
  void CheckWrite(const ListMemory::Burst& burst);
  void CheckAnswer(const ListMemory::Burst& burst, uint8_t resp);
  void Drive();
  void DriveJobs();
  void Look();
  void Sample();
  void SampleTake();
  void Enter(List& list, const Done& done);

  Shape shape_;
  Rng rng_;
  Pace pace_;
  VerilatedUnit<Vlist_unit_top> unit_;
  ListMemory memory_;
  std::vector<List> lists_;
  std::map<int, std::array<std::array<uint32_t, 4>, 16>> ram_;  // by place
  std::deque<Job> jobs_;
  std::optional<Job> working_;
  uint64_t job_until_ = 0, ar_since_ = 0;
  bool ar_shows_ = false;
  std::deque<std::pair<uint64_t, Job>> again_;  // further contexts
  int looking_ = -1, took_ = -1;
  struct Looked {
    Job job;
    bool final_turn = false, turn_end = false, bad = false;
  };
  Looked looked_, take_;  // at the look; handed on
  std::optional<size_t> entering_;
  Done entering_done_;
  struct Sent {
    int channel;
    bool interrupts;
    uint64_t epoch, addr;
    int name;
  };
  std::deque<Sent> on_bus_;
  struct Wanted {
    int channel;
    bool interrupts, sure, never;  // a word of it: must come, must not
  };
  std::deque<Wanted> written_now_;
  struct Request {
    int channel, word;
    bool write;
    uint32_t data;
    int strobe;
  };
  std::optional<Request> access_;
  Answer answer_;
  uint64_t cycle_ = 0;
  std::string failure_;
};

}  // namespace tessera::list
