// See attendant.h. What is asked of everything, and streams, are in attendant_rest.cpp.
#include "tb/system/attendant.h"

#include <fmt/format.h>

#include <algorithm>

namespace tessera {
namespace {

using EventKind = SystemEvent::Kind;
using FaultKind = AxiFault::Kind;

constexpr uint64_t kSlack = 6000;  // cycles, for whatever else goes on

bool Legal(FaultKind kind) {
  return kind == FaultKind::kErrorData || kind == FaultKind::kErrorAnswer;
}
bool Silent(FaultKind kind) {
  return kind == FaultKind::kSilentData || kind == FaultKind::kSilentAnswer;
}
// Bursts that come beside those that were asked for; below 0: that never come.
int Surplus(FaultKind kind) {
  if (kind == FaultKind::kUnaskedData || kind == FaultKind::kUnaskedAnswer ||
      kind == FaultKind::kEarlyAnswer)
    return 1;
  return kind == FaultKind::kLostData || kind == FaultKind::kLostAnswer ? -1 : 0;
}

}  // namespace

Attendant::Attendant(const SystemCase& value, FabricBench* bench, Lives* lives)
    : case_(value),
      bench_(bench),
      lives_(lives),
      config_(bench->fabric().config()),
      rng_(Rng(value.seed).Stream("attendant")),
      sides_(2 * value.channels.size()),
      started_(value.events.size()),
      starved_(value.channels.size()),
      forwarded_(value.channels.size()) {}

void Attendant::Fail(const std::string& message) {
  if (failure_.empty()) failure_ = fmt::format("cycle {}: {}", cycle_, message);
}

uint64_t Attendant::Patience() const {
  uint64_t longest = 0;
  for (const AxiFault& fault : case_.faults) longest = std::max(longest, fault.cycles);
  return 3 * static_cast<uint64_t>(config_.silence) + longest + kSlack;
}

bool Attendant::Finished() const {
  for (int k = 0; k < config_.channels(); ++k) {
    for (const Direction d : kBoth) {
      if (!bench_->feeder(k, d).Finished()) return false;
    }
  }
  return true;
}

bool Attendant::Done() const {
  if (rest_ != Rest::kNone || strays_due_ != kNever || !Finished()) return false;
  for (int k = 0; k < config_.channels(); ++k) {
    for (const Direction d : kBoth) {
      const Side& s = sides_[Index(k, d)];
      if (s.step != Side::Step::kWorks || s.told_by != kNever) return false;
      if (bench_->fabric().state(k, d).faulted) return false;
    }
  }
  return true;
}

void Attendant::Sample(const Tick& tick) {
  cycle_ = tick.cycle;
  Fabric& fabric = bench_->fabric();
  DoRest(tick);
  if (tick.reset) {
    for (int k = 0; k < config_.channels(); ++k) {
      for (const Direction d : kBoth) {
        side(k, d) = Fresh(k, d);
        // A reset of the channel that was begun beside it is over with it.
        fabric.control(k, d).reset = fabric.control(k, d).give_up = false;
      }
    }
    return;
  }
  for (size_t n = 0; n < started_.size(); ++n) {
    if (started_[n] || tick.cycle < case_.events[n].cycle) continue;
    started_[n] = true;
    ++happened_;
    Start(case_.events[n], tick.cycle);
  }
  SeeHits(tick.cycle);
  for (int k = 0; k < config_.channels(); ++k) {
    for (const Direction d : kBoth) {
      if (!Exists(k, d)) continue;
      Side& s = side(k, d);
      if (config_.control) {
        fabric.control(k, d).pause = tick.cycle < s.pause_until;
        fabric.control(k, d).drain = tick.cycle < s.drain_until;
        SeeFault(tick.cycle, k, d);
        Recover(tick.cycle, k, d);
      }
    }
  }
  FeedStarvedWriters();
  if (case_.ring) ForwardRing();
}

void Attendant::Start(const SystemEvent& event, uint64_t cycle) {
  Side& s = side(event.channel, event.direction);
  switch (event.kind) {
    case EventKind::kPause:
      s.pause_until = std::max(s.pause_until, cycle + event.length);
      break;
    case EventKind::kDrain:
      s.drain_until = std::max(s.drain_until, cycle + event.length);
      break;
    case EventKind::kAbort:
      bench_->RequestAbort(event.channel, event.direction);
      break;
    case EventKind::kReset:
      if (s.step != Side::Step::kWorks) break;
      s.step = Side::Step::kWaits;
      s.until = cycle;
      break;
    case EventKind::kQuiesce:
    case EventKind::kRestart:
      AskForRest(cycle, event.kind == EventKind::kRestart, event.length);
      break;
    default:
      if (misbehaviour_.channel >= 0) break;
      misbehaviour_ = {.kind = event.kind, .channel = event.channel};
      s.misbehaved = true;
      if (event.kind != EventKind::kGivesNothing && event.kind != EventKind::kTakesNothing)
        bench_->Excuse(event.channel);
      break;
  }
}

// What the tamper has done since the last cycle: whom it concerns, and what must come of it.
void Attendant::SeeHits(uint64_t cycle) {
  const AxiTamper* tamper = bench_->tamper();
  if (tamper == nullptr) return;
  for (; hits_ < tamper->hits().size(); ++hits_) {
    const AxiTamper::Hit& hit = tamper->hits()[hits_];
    const FaultKind kind = hit.fault.kind;
    ++happened_;
    const Direction d = kind < FaultKind::kErrorAnswer ? Direction::kRead : Direction::kWrite;
    const int group = (d == Direction::kRead ? config_.reads : config_.writes) / config_.ports;
    const int first = case_.fault_port * group;
    if (hit.fault.stray() && !config_.one_id) {
      strays_due_ = cycle + 400;
      continue;
    }
    tampered_ = tampered_ || !Legal(kind);
    const bool told = !Legal(kind) && !Silent(kind);
    for (int k = first; k < first + group; ++k) {
      if (!config_.one_id && k != first + hit.fault.id) continue;
      Side& s = side(k, d);
      lives_->Distrust(k, d, hit.cycle);
      if (!Legal(kind)) bench_->Excuse(k);
      s.hit = true;
      s.owing = s.owing || !(Silent(kind) || Legal(kind));
      s.surplus += Surplus(kind);
      s.certain = s.certain || (told && Surplus(kind) == 0);
      if (told && !config_.one_id && s.step == Side::Step::kWorks && rest_ == Rest::kNone)
        s.told_by =
            std::min(s.told_by, cycle + 2 * static_cast<uint64_t>(config_.silence) + kSlack);
      // A burst too many and one that never comes: as many as were asked for, which nobody can
      // tell.
      if (Surplus(kind) != 0 && s.surplus == 0 && !s.certain) s.told_by = kNever;
    }
  }
}

void Attendant::SeeFault(uint64_t cycle, int k, Direction d) {
  Side& s = side(k, d);
  const Fabric::State& state = bench_->fabric().state(k, d);
  const std::string who = fmt::format("channel {} {}", k, NameOf(d));
  // A burst too few or too many looks like the next one for as long as there are any.
  const PairPorts& pins = bench_->fabric().channel(k);
  const bool moves = pins.axi.r.valid || pins.axi.b.valid || pins.axi.ar.valid ||
                     pins.axi.aw.valid || pins.axi.w.valid;
  if (s.told_by != kNever && moves)
    s.told_by = std::max(s.told_by, cycle + 2 * static_cast<uint64_t>(config_.silence) + kSlack);
  if (cycle > s.told_by) {
    Fail(fmt::format("{}: the memory did wrong, and it was not told in time", who));
  }
  if (cycle > s.change_told_by && !state.faulted)
    Fail(fmt::format("{}: a beat of its stream was changed, and it was not told", who));
  if (s.step != Side::Step::kWorks || bench_->feeder(k, d).Aborting() || rest_ != Rest::kNone)
    s.told_by = s.change_told_by = kNever;
  if (state.named && !s.named) SeeName(k, d);
  s.named = state.named;
  if (!state.faulted || s.faulted) {
    s.faulted = state.faulted;
    return;
  }
  s.faulted = true;
  s.told_by = s.change_told_by = kNever;
  ++happened_;
  const uint8_t stop = bench_->fabric().control(k, d).stop_on;
  const bool record = state.cause == rtl::Fault::kRecord;
  const bool stream = state.cause == rtl::Fault::kStream || state.cause == rtl::Fault::kStreamTime;
  const bool hit = s.hit || (config_.one_id && tampered_);  // whose it was, nobody knows
  if (record ? stop == 0 : stream ? !s.misbehaved : !hit) {
    Fail(fmt::format("{} is at fault with cause {}, and nobody did anything wrong", who,
                     NameOf(state.cause)));
  }
}

// The record that tells of a fault is the one that the state names.
void Attendant::SeeName(int k, Direction d) {
  const Fabric::State& state = bench_->fabric().state(k, d);
  const std::vector<JobResult>& jobs = bench_->feeder(k, d).jobs();
  const uint64_t number = side(k, d).records + state.transfer;
  constexpr uint8_t kBus = rtl::Status::kSlverr | rtl::Status::kDecerr;
  const uint8_t tells =
      state.cause == rtl::Fault::kRecord ? bench_->fabric().control(k, d).stop_on : kBus;
  if (number >= jobs.size() || jobs[number].state != JobResult::State::kDone) {
    Fail(fmt::format("channel {} {} names transfer {}, which has no record", k, NameOf(d), number));
  } else if ((jobs[number].record.status & tells) == 0 || jobs[number].record.addr != state.addr) {
    Fail(fmt::format(
        "channel {} {} names transfer {} and address {:#x}; its record has status {:#x} "
        "and {:#x}",
        k, NameOf(d), number, state.addr, jobs[number].record.status, jobs[number].record.addr));
  }
}

// A channel as it is after a reset. Its partner may still be about to do what it was told to.
Attendant::Side Attendant::Fresh(int k, Direction d) {
  Side fresh;
  fresh.records = bench_->feeder(k, d).accepted();
  fresh.misbehaved = side(k, d).misbehaved && misbehaviour_.channel == k;
  return fresh;
}

// From the decision to reset a channel to the cycle in which it works again.
void Attendant::Recover(uint64_t cycle, int k, Direction d) {
  Side& s = side(k, d);
  Fabric::Control& control = bench_->fabric().control(k, d);
  const Fabric::State& state = bench_->fabric().state(k, d);
  const std::string who = fmt::format("channel {} {}", k, NameOf(d));
  switch (s.step) {
    case Side::Step::kWorks:
      if (rest_ != Rest::kNone || !state.faulted) break;
      if (config_.one_id && state.cause <= rtl::Fault::kBusTime) {
        // Whose what is, nobody can say any more: everything is reset.
        AskForRest(cycle, true, rng_.Between(1, 200));
      } else {
        s.step = Side::Step::kWaits;
        s.until = cycle + (rng_.Chance(0.3) ? 1 : rng_.Below(300));
      }
      break;
    case Side::Step::kWaits:
      if (cycle < s.until) break;
      bench_->AllowClosing(k);
      control.reset = true;
      s.since = cycle;
      s.step = Side::Step::kResets;
      break;
    case Side::Step::kResets:
      if (state.stuck && config_.one_id && tampered_) {
        AskForRest(cycle, true, 1);  // to give up would shift the answers of the others
      } else if (state.stuck && s.owing) {
        control.give_up = true;
      }
      if (state.stuck && !s.hit && !(config_.one_id && tampered_))
        Fail(fmt::format("{} is stuck, and the memory owes nothing", who));
      if (state.in_reset) {
        // Answers that are only late are thrown away meanwhile.
        uint64_t late = case_.memory.service == AxiMemoryOptions::Service::kParallel ? 1000 : 4000;
        for (const AxiFault& fault : case_.faults) late = std::max(late, 1000 + fault.cycles);
        s.until = cycle + (s.hit ? late : rng_.Below(10));
        s.step = Side::Step::kHolds;
      } else if (cycle > s.since + Patience()) {
        Fail(fmt::format("{} is not in reset after {} cycles", who, Patience()));
      }
      break;
    case Side::Step::kHolds:
      if (cycle < s.until) break;
      if (d == Direction::kWrite && rng_.Chance(0.7)) bench_->source(k).DiscardUnsent();
      control.reset = control.give_up = false;
      s.since = cycle;
      s.step = Side::Step::kLeaves;
      break;
    case Side::Step::kLeaves:
      if (!state.in_reset && cycle > s.since + 1) {
        if (state.faulted || state.named || state.stuck || state.cause != rtl::Fault::kNone) {
          Fail(fmt::format("{} is out of reset and not as new", who));
        }
        Side fresh = Fresh(k, d);
        fresh.pause_until = s.pause_until;
        fresh.drain_until = s.drain_until;
        if (config_.one_id && tampered_) lives_->Distrust(k, d, cycle);
        if (lives_->now(k, d).trust != kNever) {  // something new while it was in reset
          fresh.hit = s.hit;
          fresh.owing = s.owing;
        }
        s = fresh;
      } else if (cycle > s.since + 20) {
        Fail(fmt::format("{} does not leave its reset", who));
      }
      break;
  }
}

}  // namespace tessera
