// See dma_probe.h.
#include "tools/run/dma_probe.h"

#include <fmt/format.h>

#include <array>

#include "tb/dma/native.h"

namespace tessera::cli {
namespace {

using timeline::State;

// Cycles that a state lasts at least, if it is noted: every transfer has shorter ones.
constexpr uint64_t kShort = 4, kShortStall = 8;
// A channel that changes faster is noted as what it is after so many cycles.
constexpr uint64_t kRestless = 16;

bool IsStall(State state) {
  return state == State::kMemory || state == State::kStream || state == State::kCredit;
}

}  // namespace

DmaSampler::DmaSampler(const DmaConfig& config, const DmaProbe& probe, const Prepared& prepared,
                       timeline::Timeline* timeline)
    : config_(config),
      probe_(probe),
      p_(prepared),
      timeline_(*timeline),
      channels_(prepared.channels.size()),
      locks_(prepared.job.locks.size()) {
  for (const PreparedChannel& c : p_.channels) {
    timeline::Lane& lane = timeline_.lanes.emplace_back();
    lane.name = c.channel->name;
    lane.write = c.write();
    lane.queue_depth = config_.queue_depth;
  }
  for (const job::Lock& lock : p_.job.locks) timeline_.locks.emplace_back().name = lock.name;
}

int DmaSampler::Place(size_t channel) const {
  const job::Channel& job = *p_.channels[channel].channel;
  return job.direction == Direction::kWrite ? config_.reads + job.engine : job.engine;
}

void DmaSampler::OnCycle(uint64_t cycle) {
  for (size_t c = 0; begun_ && c < channels_.size(); ++c) {
    const rtl::SequencerView& view = probe_.view(Place(c));
    timeline::Lane& lane = timeline_.lanes[c];
    NoteState(c, cycle, MomentOf(c, view));
    timeline::Note(&lane.queue, cycle, lane.queue_depth - view.room);
    if (probe_.misses(Place(c))) lane.missed.push_back({cycle, "missed", false});
  }
  for (size_t k = 0; begun_ && k < locks_.size(); ++k) {
    timeline::Note(&timeline_.locks[k].values, cycle, locks_[k]);
  }
  const LockChange change = probe_.change();
  for (size_t k = 0; change.valid && k < locks_.size(); ++k) {
    if (*p_.job.locks[k].number == change.id) locks_[k] = change.value;
  }
}

// A state stands from its first cycle on, once it has lasted.
void DmaSampler::NoteState(size_t channel, uint64_t cycle, const Moment& now) {
  Settling& s = channels_[channel];
  if (!s.settled) {
    Settle(channel, cycle, now);
    return;
  }
  if (now == *s.settled) {
    s.unsettled = false;
    return;
  }
  if (!s.unsettled || now != s.next) {
    s.next = now;
    s.next_since = cycle;
    if (!s.unsettled) s.unsettled_since = cycle;
    s.unsettled = true;
  }
  if (cycle - s.next_since + 1 >= (IsStall(now.state) ? kShortStall : kShort)) {
    Settle(channel, s.next_since, now);
  } else if (cycle - s.unsettled_since + 1 >= kRestless) {
    Settle(channel, s.unsettled_since, now);
  }
}

void DmaSampler::Settle(size_t channel, uint64_t cycle, const Moment& moment) {
  Settling& s = channels_[channel];
  s.settled = moment;
  s.unsettled = false;
  timeline::Note(&timeline_.lanes[channel].states, cycle, TextOf(channel, moment));
}

DmaSampler::Moment DmaSampler::MomentOf(size_t channel, const rtl::SequencerView& view) const {
  static constexpr std::array<State, 16> kStates = {
      State::kIdle,  State::kTrigger,    State::kDescriptor, State::kLock,
      State::kRuns,  State::kRuns,       State::kRecord,     State::kRuns,
      State::kToken, State::kDescriptor, State::kRecord,     State::kHeld,
      State::kHeld,  State::kStopped,    State::kStream,     State::kRuns};
  State state = kStates[static_cast<size_t>(view.waits)];
  if (state == State::kRuns && probe_.paused(Place(channel))) state = State::kHeld;
  if (state != State::kRuns) return {state, state == State::kLock ? view.lock : -1};
  using Counter = rtl::CounterWord;
  const auto happens = [&](Counter counter) { return probe_.happens(Place(channel), counter); };
  if (happens(Counter::kBeats)) return {State::kRuns};
  if (happens(Counter::kMemory)) return {State::kMemory};
  if (happens(Counter::kStream)) return {State::kStream};
  return {happens(Counter::kCredit) ? State::kCredit : State::kRuns};
}

// The state with what is waited for, by the names of the job.
std::string DmaSampler::TextOf(size_t channel, const Moment& moment) const {
  std::string text(timeline::WordOf(moment.state));
  for (const job::Lock& lock : p_.job.locks) {
    if (*lock.number == moment.lock) text += " " + lock.name;
  }
  if (moment.state != State::kTrigger) return text;
  using Kind = job::Trigger::Kind;
  const job::Trigger& trigger = p_.channels[channel].channel->trigger;
  if (trigger.kind == Kind::kPin) return text + fmt::format(" pin {}", trigger.number);
  if (trigger.kind == Kind::kMark) return text + " mark";
  if (trigger.kind == Kind::kSoftware) return text + fmt::format(" event {}", trigger.number);
  return text + " " + trigger.channel;
}

void DmaSampler::NoteRecord(size_t channel, uint64_t cycle, const std::string& name, bool good) {
  timeline_.lanes[channel].records.push_back({cycle, name, good});
}

void DmaSampler::NoteToken(const StreamWord& word) {
  const int actor = static_cast<int>(word.data >> 8 & 0xff) - 0x60;
  for (size_t c = 0; c < p_.channels.size(); ++c) {
    const job::Channel& job = *p_.channels[c].channel;
    if (actor != native::Actor(config_, job.direction, job.engine)) continue;
    timeline_.lanes[c].tokens.push_back({word.cycle, "token", true});
    return;
  }
}

}  // namespace tessera::cli
