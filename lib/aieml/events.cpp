// See events.h.
#include "lib/aieml/events.h"

#include <algorithm>

namespace tessera::aieml {
namespace {

constexpr uint32_t kTrue = 1, kTimerReached = 4, kFirstCounter = 5;  // events
// Registers, from the first of the timer and the first of the counters on.
constexpr uint32_t kGenerate = 0x8, kTriggerLow = 0xf0, kTriggerHigh = 0xf4, kLow = 0xf8,
                   kHigh = 0xfc, kStatus = 0x200;
constexpr uint32_t kCounterReset = 0x8, kCounterValue = 0x20, kEventValue = 0x80;
constexpr uint64_t kNever = ~uint64_t{0};

}  // namespace

const EventNumbers& EventsOf(Module module) {
  static constexpr EventNumbers kNumbers[] = {
      {14, 18, 22, 26, 30, 34, 72, 73, 1, 74, 75, 65, 77},
      {21, 25, 29, 33, 37, 41, 133, 134, 1, 139, 140, 137, 79},
      {19, 23, 27, 31, 35, 39, 97, 99, 2, 101, 102, 0, 0},
      {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 57, 74},
  };
  return kNumbers[static_cast<size_t>(module)];
}

Events::Events(Module module)
    : module_(module),
      timer_(module == Module::kMemoryTile ? 0x94000
             : module == Module::kMemory   ? 0x14000
                                           : 0x34000),
      counter_(module == Module::kMemoryTile ? 0x91000
               : module == Module::kMemory   ? 0x11000
               : module == Module::kCore     ? 0x31500
                                             : 0x31000),
      status_(module == Module::kMemoryTile ? 6 : 4),
      counters_(module == Module::kMemoryTile || module == Module::kCore ? 4 : 2) {}

bool Events::Read(uint32_t offset, uint64_t now, uint32_t* value) const {
  const uint32_t timer = offset - timer_, counter = offset - counter_;
  const auto count = static_cast<uint32_t>(counters_.size());
  const uint64_t time = now - zero_;
  if (timer == 0) {
    *value = reset_event_ << 8;
  } else if (timer == kGenerate) {
    *value = 0;
  } else if (timer == kTriggerLow) {
    *value = trigger_low_;
  } else if (timer == kTriggerHigh) {
    *value = trigger_high_;
  } else if (timer == kLow) {
    *value = static_cast<uint32_t>(time);
  } else if (timer == kHigh) {
    *value = static_cast<uint32_t>(time >> 32);
  } else if (timer >= kStatus && (timer - kStatus) / 4 < status_.size()) {
    *value = status_[(timer - kStatus) / 4] | (timer == kStatus ? 1u << kTrue : 0);
  } else if (counter < 2 * count) {
    const Counter &even = counters_[counter / 2], &odd = counters_[counter / 2 + 1];
    *value = even.start | even.stop << 8 | odd.start << 16 | odd.stop << 24;
  } else if (counter == kCounterReset) {
    *value = 0;
    for (uint32_t n = 0; n < count; ++n) *value |= counters_[n].reset << 8 * n;
  } else if (counter >= kCounterValue && (counter - kCounterValue) / 4 < count) {
    *value = counters_[(counter - kCounterValue) / 4].value;
  } else if (counter >= kEventValue && (counter - kEventValue) / 4 < count) {
    *value = counters_[(counter - kEventValue) / 4].event_value;
  } else {
    return false;
  }
  return true;
}

bool Events::Write(uint32_t offset, uint64_t now, uint32_t value) {
  const uint32_t timer = offset - timer_, counter = offset - counter_;
  const auto count = static_cast<uint32_t>(counters_.size());
  const uint32_t event = module_ == Module::kMemoryTile ? 0xff : 0x7f;
  if (timer == 0) {
    reset_event_ = value >> 8 & event;
    if (value >> 31 != 0) zero_ = now;
  } else if (timer == kGenerate) {
    generated_ = value & event;
  } else if (timer == kTriggerLow || timer == kTriggerHigh) {
    (timer == kTriggerLow ? trigger_low_ : trigger_high_) = value;
    triggers_ = true;
  } else if (timer >= kStatus && (timer - kStatus) / 4 < status_.size()) {
    status_[(timer - kStatus) / 4] &= ~value;
  } else if (counter < 2 * count) {
    for (uint32_t n = 0; n < 2; ++n) {
      Counter& c = counters_[counter / 2 + n];
      const uint32_t start = value >> 16 * n & event, stop = value >> (16 * n + 8) & event;
      c.running = c.running && start == c.start && stop == c.stop;
      c.start = start;
      c.stop = stop;
    }
  } else if (counter == kCounterReset) {
    for (uint32_t n = 0; n < count; ++n) counters_[n].reset = value >> 8 * n & event;
  } else if (counter >= kCounterValue && (counter - kCounterValue) / 4 < count) {
    counters_[(counter - kCounterValue) / 4].value = value;
  } else if (counter >= kEventValue && (counter - kEventValue) / 4 < count) {
    counters_[(counter - kEventValue) / 4].event_value = value;
  } else {
    return timer == kLow || timer == kHigh;  // read-only
  }
  Arm();
  return true;
}

void Events::Arm() {
  armed_ = triggers_ || generated_ != 0 || reset_event_ != 0;
  for (const Counter& counter : counters_) {
    armed_ = armed_ || counter.start != 0 || counter.stop != 0 || counter.reset != 0;
  }
}

void Events::Clock(uint64_t now, const EventSet& pulses, const EventSet& levels) {
  EventSet active = pulses | levels;
  active.set(kTrue);
  if (generated_ != 0) {
    active.set(generated_);
    generated_ = 0;
    Arm();
  }
  const uint64_t trigger = uint64_t{trigger_high_} << 32 | trigger_low_;
  if (triggers_ && now - zero_ == trigger) active.set(kTimerReached);
  for (uint32_t n = 0; n < counters_.size(); ++n) {
    if (counters_[n].reached) active.set(kFirstCounter + n);
  }
  EventSet lasting = levels;
  lasting.set(kTrue);
  active.reset(0);  // the event that never is
  lasting.reset(0);
  for (size_t n = 0; n < status_.size(); ++n) {
    status_[n] |=
        static_cast<uint32_t>(((active >> 32 * n) & EventSet(uint64_t{0xffffffff})).to_ullong());
  }
  if (active[reset_event_]) zero_ = now;
  held_ = lasting[reset_event_];
  for (Counter& counter : counters_) {
    if (active[counter.reset]) counter.value = 0;
    counter.held = lasting[counter.reset];
    if (active[counter.start]) counter.running = true;
    if (active[counter.stop] && counter.stop != counter.start) counter.running = false;
    counter.counts = counter.start == counter.stop ? active[counter.start] : counter.running;
    counter.value += counter.counts ? 1 : 0;
    counter.reached = counter.counts && counter.value == counter.event_value;
  }
}

uint64_t Events::Steady(uint64_t now) const {
  if (!armed_) return kNever;
  if (generated_ != 0) return 0;
  uint64_t cycles = kNever;
  const uint64_t trigger = uint64_t{trigger_high_} << 32 | trigger_low_;
  if (triggers_ && trigger >= now - zero_) cycles = trigger - (now - zero_);
  for (const Counter& counter : counters_) {
    if (counter.reached) return 0;
    if (!counter.counts || counter.held) continue;
    const uint32_t left = counter.event_value - counter.value;  // 0: a whole turn
    cycles = std::min<uint64_t>(cycles, left == 0 ? 0xffffffff : left - 1);
  }
  return cycles;
}

void Events::Skip(uint64_t cycles) {
  if (!armed_) return;
  if (held_) zero_ += cycles;
  for (Counter& counter : counters_) {
    if (counter.counts && !counter.held) counter.value += static_cast<uint32_t>(cycles);
  }
}

}  // namespace tessera::aieml
