// See dma_sampler.h.
#include "tools/run/dma_sampler.h"

#include <fmt/format.h>

#include <utility>

#include "tb/dma/native.h"

namespace tessera::cli {
namespace {

using timeline::State;

constexpr std::array<uint32_t, 3> kCounters = {0xc4, 0xc8, 0xd0};  // memory, stream, credit
constexpr uint32_t kCountBeats = 0xd4;
constexpr std::array<State, 3> kCounted = {State::kMemory, State::kStream, State::kCredit};

}  // namespace

DmaSampler::DmaSampler(DmaBench* bench, const Prepared& prepared, timeline::Timeline* timeline)
    : bench_(*bench), p_(prepared), timeline_(*timeline), counts_(prepared.channels.size()) {
  for (const PreparedChannel& c : p_.channels) {
    timeline::Lane& lane = timeline_.lanes.emplace_back();
    lane.name = c.channel->name;
    lane.write = c.write();
    lane.queue_depth = bench_.config().task_depth;
  }
  for (const job::Lock& lock : p_.job.locks) timeline_.locks.emplace_back().name = lock.name;
}

uint32_t DmaSampler::SampleChannel(size_t channel) {
  const job::Channel& job = *p_.channels[channel].channel;
  const uint32_t status = bench_.Get(native::Channel(job.direction, job.engine) + native::kStatus);
  const uint64_t cycle = bench_.cycle();
  timeline::Lane& lane = timeline_.lanes[channel];
  timeline::Note(&lane.states, cycle, TextOf(channel, status));
  timeline::Note(&lane.queue, cycle, lane.queue_depth - static_cast<int>(status >> 24 & 0x1f));
  return status;
}

// The state with what is waited for, by the names of the job.
std::string DmaSampler::TextOf(size_t channel, uint32_t status) {
  const State state = StateOf(channel, status);
  std::string text(timeline::WordOf(state));
  if (state == State::kLock) {
    for (const job::Lock& lock : p_.job.locks) {
      if (*lock.number == static_cast<int>(status >> 8 & 63)) text += " " + lock.name;
    }
  }
  if (state != State::kTrigger) return text;
  using Kind = job::Trigger::Kind;
  const job::Trigger& trigger = p_.channels[channel].channel->trigger;
  if (trigger.kind == Kind::kPin) return text + fmt::format(" pin {}", trigger.number);
  if (trigger.kind == Kind::kSoftware) return text + fmt::format(" event {}", trigger.number);
  return text + " " + trigger.channel;
}

// The codes of STATUS, who is waited for.
State DmaSampler::StateOf(size_t channel, uint32_t status) {
  static constexpr std::array<State, 16> kStates = {
      State::kIdle,  State::kTrigger,    State::kDescriptor, State::kLock,
      State::kRuns,  State::kRuns,       State::kRecord,     State::kLock,
      State::kToken, State::kDescriptor, State::kRecord,     State::kHeld,
      State::kHeld,  State::kStopped,    State::kStream,     State::kIdle};
  const State state = kStates[status & 15];
  // The next descriptor may wait while the engine has a transfer: then beats move.
  const bool ahead =
      state == State::kLock || state == State::kTrigger || state == State::kDescriptor;
  const bool moved = bench_.config().counters && Moved(channel);
  if (ahead && moved) return State::kRuns;
  return state == State::kRuns ? Engine(channel) : state;
}

// Beats of the stream moved in a quarter of the cycles since the last look.
bool DmaSampler::Moved(size_t channel) {
  const job::Channel& job = *p_.channels[channel].channel;
  Counts& now = counts_[channel];
  const uint32_t beats = bench_.Get(native::Channel(job.direction, job.engine) + kCountBeats);
  const uint32_t moved = beats - std::exchange(now.beats, beats);
  const uint64_t cycles = bench_.cycle() - std::exchange(now.looked, bench_.cycle());
  return uint64_t{moved} * 4 > cycles;
}

// An engine that has a transfer runs, unless it waited for more than half of the time.
State DmaSampler::Engine(size_t channel) {
  if (!bench_.config().counters) return State::kRuns;
  const job::Channel& job = *p_.channels[channel].channel;
  const uint32_t at = native::Channel(job.direction, job.engine);
  const Counts before = counts_[channel];
  Counts& now = counts_[channel];
  now.cycle = bench_.cycle();
  State state = State::kRuns;
  uint64_t most = (now.cycle - before.cycle) / 2;
  for (size_t n = 0; n < kCounters.size(); ++n) {
    now.waits[n] = bench_.Get(at + kCounters[n]);
    const uint32_t waited = now.waits[n] - before.waits[n];
    if (waited <= most) continue;
    most = waited;
    state = kCounted[n];
  }
  return state;
}

void DmaSampler::SampleLocks() {
  for (size_t k = 0; k < p_.job.locks.size(); ++k) {
    const auto number = static_cast<uint32_t>(*p_.job.locks[k].number);
    const uint32_t value = bench_.Get(native::kLocks + 0x10 * number);
    timeline::Note(&timeline_.locks[k].values, bench_.cycle(), static_cast<int>(value));
  }
}

void DmaSampler::NoteRecord(size_t channel, uint64_t cycle, const std::string& name, bool good) {
  timeline_.lanes[channel].records.push_back({cycle, name, good});
}

// A token tells its channel: the actor is 6 + the number of a read channel, or that of a write one.
void DmaSampler::NoteToken(const StreamWord& word) {
  const int actor = static_cast<int>(word.data >> 8 & 0xff) - 0x60;
  for (size_t c = 0; c < p_.channels.size(); ++c) {
    const job::Channel& job = *p_.channels[c].channel;
    const bool write = job.direction == Direction::kWrite;
    if (actor != (write ? job.engine : 6 + job.engine)) continue;
    timeline_.lanes[c].tokens.push_back({word.cycle, "token", true});
    return;
  }
}

}  // namespace tessera::cli
