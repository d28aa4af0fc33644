// What is asked of everything at once, and what stream partners do. See attendant.h.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <span>

#include "tb/sim/counted.h"
#include "tb/system/attendant.h"

namespace tessera {

bool WriteNextWindow(const SystemCase& value, Fabric* fabric, size_t* next) {
  fabric->window.valid = *next < value.windows.size();
  if (!fabric->window.valid) return true;
  fabric->window = value.windows[(*next)++];
  fabric->window.valid = true;
  return false;
}

void Attendant::AskForRest(uint64_t cycle, bool restart, uint64_t length) {
  restart_ = restart_ || restart;
  if (rest_ != Rest::kNone) return;
  ++happened_;
  rest_ = Rest::kAsked;
  rest_since_ = cycle;
  rest_until_ = length;
  for (int k = 0; k < config_.channels(); ++k) bench_->AllowClosing(k);
  bench_->fabric().quiesce = true;
}

void Attendant::DoRest(const Tick& tick) {
  Fabric& fabric = bench_->fabric();
  const auto all = [&](auto&& what) {
    for (int k = 0; k < config_.channels(); ++k) {
      for (const Direction d : kBoth) what(k, d);
    }
  };
  switch (rest_) {
    case Rest::kNone:
      break;
    case Rest::kAsked: {
      // What the memory owes for ever never ends; then, too, the request is answered.
      const bool given_up = fabric.timed_out && tampered_;
      if (given_up) restart_ = true;
      if (fabric.quiet || given_up) {
        rest_ = Rest::kQuiet;
        rest_until_ += tick.cycle;
      } else if (tick.cycle > rest_since_ + Patience()) {
        Fail(fmt::format("rest was asked for {} ago, and is neither there nor timed out",
                         Counted(Patience(), "cycle")));
      }
      break;
    }
    case Rest::kQuiet:
      if (tick.cycle < rest_until_) break;
      fabric.quiesce = false;
      if (!restart_) {
        rest_ = Rest::kNone;
        break;
      }
      restart_ = false;
      rest_ = Rest::kReset;
      rest_until_ = tick.cycle + 2;
      all([&](int k, Direction d) {
        const uint8_t stop = fabric.control(k, d).stop_on;
        fabric.control(k, d) = {};
        fabric.control(k, d).stop_on = stop;
        bench_->feeder(k, d).Pause(true);
      });
      for (int k = 0; k < config_.writes; ++k) {
        if (rng_.Chance(0.7)) bench_->source(k).DiscardUnsent();
      }
      bench_->Restart();
      strays_due_ = kNever;
      tampered_ = false;
      break;
    case Rest::kReset:
      if (tick.reset || tick.cycle < rest_until_) break;
      rest_ = Rest::kWindows;
      next_window_ = 0;
      break;
    case Rest::kWindows:
      if (!WriteNextWindow(case_, &fabric, &next_window_)) break;
      all([&](int k, Direction d) { bench_->feeder(k, d).Pause(false); });
      rest_ = Rest::kNone;
      break;
  }
  if (strays_due_ == kNever) return;
  // Behind a beat whose stream takes nothing the stray one waits.
  const AxiPort& port = fabric.port(case_.fault_port);
  if (port.r.waits() || port.b.waits()) ++strays_due_;
  if (fabric.strays != 0) strays_due_ = kNever;
  if (tick.cycle > strays_due_ && strays_due_ != kNever)
    Fail("data or an answer for nobody came, and it was not told");
}

// A writer that asks and gets nothing has lost its data to an abort or a reset: it gets others.
void Attendant::FeedStarvedWriters() {
  constexpr uint64_t kStarvedCycles = 24;
  for (int k = 0; k < config_.writes; ++k) {
    const PairPorts& pins = bench_->fabric().channel(k);
    uint64_t& cycles = starved_[static_cast<size_t>(k)];
    const bool withheld =
        misbehaviour_.channel == k && misbehaviour_.kind == SystemEvent::Kind::kGivesNothing;
    if (withheld || !pins.s_axis.ready || pins.s_axis.valid || !bench_->source(k).empty()) {
      cycles = 0;
      continue;
    }
    if (++cycles < kStarvedCycles) continue;
    cycles = 0;
    std::vector<uint8_t> bytes(rng_.Between(0, rng_.Chance(0.5) ? 16 : 300));
    for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(rng_());
    bench_->source(k).Push(bytes, rng_.Chance(0.85) ? PieceEnd::kLast : PieceEnd::kOpen);
  }
}

void Attendant::ForwardRing() {
  const int pairs = std::min(config_.reads, config_.writes);
  for (int k = 0; k < pairs; ++k) {
    const std::vector<uint8_t>& bytes = bench_->sink(k).bytes();
    size_t& forwarded = forwarded_[static_cast<size_t>(k)];
    if (bytes.size() <= forwarded) continue;
    const bool last = bench_->sink(k).beats().back().last;
    bench_->source((k + 1) % pairs)
        .Push(std::span(bytes).subspan(forwarded), last ? PieceEnd::kLast : PieceEnd::kOpen);
    forwarded = bytes.size();
  }
}

bool Attendant::RestoreBeat() {
  if (changed_.channel < 0) return false;
  StreamSource& source = bench_->source(changed_.channel);
  if (changed_.mask != 0) {
    source.Flip(changed_.byte, changed_.mask);
  } else {
    source.Reshape(changed_.place, changed_.before.keep, changed_.before.last);
  }
  changed_ = {};
  return true;
}

// Changes the beat that waits at a writer: one bit of its first byte, the topmost byte that it has,
// or its TLAST. False if it has no byte to take.
bool Attendant::ChangeBeat(int k, SystemEvent::Kind what) {
  StreamSource& source = bench_->source(k);
  AxisBeat& pins = bench_->fabric().channel(k).s_axis.payload;
  if (what == SystemEvent::Kind::kChanges) {
    const auto mask = static_cast<uint8_t>(1U << rng_.Below(8));
    pins.data[0] ^= mask;
    const std::optional<uint64_t> byte = source.FirstShown();
    if (!byte) return true;
    changed_ = {.channel = k, .byte = *byte, .mask = mask};
    source.Flip(*byte, mask);
    return true;
  }
  if (what == SystemEvent::Kind::kChangesLast) {
    pins.last = !pins.last;
  } else if (NoLanes(pins.keep)) {
    return false;
  } else {
    for (const size_t word : {1U, 0U}) {
      if (pins.keep.word[word] == 0) continue;
      pins.keep.word[word] ^= std::bit_floor(pins.keep.word[word]);
      break;
    }
  }
  const std::optional<StreamBeat> beat = source.Shown();
  if (!beat) return true;
  changed_ = {.channel = k, .place = source.beats().size(), .before = *beat};
  source.Reshape(changed_.place, pins.keep, pins.last);
  return true;
}

void Attendant::Misbehave() {
  if (misbehaviour_.channel < 0) return;
  using Kind = SystemEvent::Kind;
  const int k = misbehaviour_.channel;
  PairPorts& pins = bench_->fabric().channel(k);
  const Direction d =
      misbehaviour_.kind == Kind::kTakesNothing ? Direction::kRead : Direction::kWrite;
  if (misbehaviour_.back) pins.s_axis.valid = true;
  misbehaviour_.back = false;
  const bool held = misbehaviour_.waited && pins.s_axis.waits();
  misbehaviour_.waited = pins.s_axis.valid;
  const bool over = bench_->fabric().state(k, d).faulted || Finished() ||
                    side(k, d).step != Side::Step::kWorks || rest_ != Rest::kNone;
  switch (misbehaviour_.kind) {
    case Kind::kTakesNothing:
      if (!over) pins.m_axis.ready = false;
      if (over) misbehaviour_ = {};
      break;
    case Kind::kGivesNothing:
      bench_->source(k).Hold(!over);
      if (over) misbehaviour_ = {};
      break;
    default:
      if (misbehaviour_.done || over) {
        misbehaviour_ = {};
        break;
      }
      if (!held) break;
      if (misbehaviour_.kind == Kind::kTakesBack) {
        pins.s_axis.valid = false;
        misbehaviour_.back = true;
      } else if (!ChangeBeat(k, misbehaviour_.kind)) {
        break;
      } else {
        side(k, d).change_told_by = cycle_ + 10;
      }
      misbehaviour_.done = true;
      break;
  }
}

}  // namespace tessera
