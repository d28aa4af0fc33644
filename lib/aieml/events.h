// Timer, performance counters and event status of one module of a tile. Inside lib/aieml alone; see
// array.h.
//
// An event is a number of the module (facts of AI Engine-ML); it is active in a cycle or not. The
// timer counts cycles, whatever clocks and resets say. A counter counts the cycles from its start
// event until its stop event, or those in which the one event for both is active.
#pragma once

#include <bitset>
#include <cstdint>
#include <vector>

#include "lib/aieml/registers.h"

namespace tessera::aieml {

using EventSet = std::bitset<192>;

enum class Module : uint8_t { kShim, kMemoryTile, kMemory, kCore };

// Numbers of the events of a module; those of channels in the order S2MM 0 and 1, MM2S 0 and 1, of
// a memory tile those that are selected.
struct EventNumbers {
  uint32_t started, descriptor, task, lock, stream, memory;  // the first of four each; 0: none
  uint32_t s2mm_error, mm2s_error;                           // the first of `errors` each
  uint32_t errors;                                           // of a direction: one, or two
  uint32_t lock_error, token_stall, control_error;           // 0: none
  uint32_t ports;                                            // the first of four for each port
};
const EventNumbers& EventsOf(Module module);

class Events {
 public:
  explicit Events(Module module);

  Module module() const { return module_; }
  // At a cycle. False: it is none of these registers.
  bool Read(uint32_t offset, uint64_t now, uint32_t* value) const;
  bool Write(uint32_t offset, uint64_t now, uint32_t value);

  // A cycle, with the events in it; those of `levels` hold on while nothing changes.
  void Clock(uint64_t now, const EventSet& pulses, const EventSet& levels);
  // Timer, counters or a generated event may raise an event, or count.
  bool Armed() const { return armed_; }
  // How many cycles from `now` on are like the last one, if nothing changes elsewhere.
  uint64_t Steady(uint64_t now) const;
  void Skip(uint64_t cycles);

 private:
  struct Counter {
    uint32_t start = 0, stop = 0, reset = 0;  // events
    uint32_t value = 0, event_value = 0;
    bool running = false, counts = false, reached = false;
    bool held = false;  // its reset lasts: each cycle begins with 0
  };
  void Arm();
  uint32_t* Find(uint32_t offset);

  Module module_;
  uint32_t timer_, counter_;  // the first register of each
  std::vector<uint32_t> status_;
  std::vector<Counter> counters_;
  uint64_t zero_ = 0;  // the cycle when the timer was 0
  uint32_t reset_event_ = 0, trigger_low_ = 0, trigger_high_ = 0, generated_ = 0;
  bool triggers_ = false;  // a value to reach was written
  bool armed_ = false;
  bool held_ = false;  // the reset of the timer lasts
};

}  // namespace tessera::aieml
