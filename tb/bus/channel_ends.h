// The two ends of a channel in a bench, each with a pacer: ChannelSource offers payloads,
// ChannelSink takes them.
//
// As every component, an end looks at the pins in Sample(), once a cycle, and drives its own in
// Drive(), for the next cycle. A payload that is shown stays until it moves or a reset withdraws
// it. A pacer is asked once in each cycle in which its answer matters: that of a source while
// nothing is shown, that of a sink in every cycle.
#pragma once

#include <utility>

#include "tb/bus/pacer.h"
#include "tb/sim/channel.h"
#include "tb/sim/rng.h"
#include "tb/sim/tick.h"

namespace tessera {

template <typename T>
class ChannelSource {
 public:
  ChannelSource(Channel<T>* channel, const PacerSpec& pacer, const Rng& rng)
      : channel_(channel), pacer_(pacer, rng) {}

  // A payload is on the pins and has not moved yet.
  bool shown() const { return shown_; }

  // True if what is shown moves in this cycle.
  bool Sample(const Tick& tick) {
    if (tick.reset) {
      shown_ = false;
      return false;
    }
    if (!shown_ || !channel_->moves()) return false;
    shown_ = false;
    return true;
  }

  // Unless something is shown: where the pacer is willing and `make(T*)` makes a payload (and
  // returns true), shows it. `idle(T*)` is called when valid falls, and may change the payload.
  template <typename Make, typename Idle>
  void Drive(const Tick& next, Make&& make, Idle&& idle) {
    if (next.reset) return Withdraw();
    if (shown_) return;
    const bool was_valid = channel_->valid;
    channel_->valid = shown_ = pacer_.Next() && make(&channel_->payload);
    if (was_valid && !shown_) idle(&channel_->payload);
  }
  template <typename Make>
  void Drive(const Tick& next, Make&& make) {
    Drive(next, std::forward<Make>(make), [](T*) {});
  }
  // valid is 0 in the next cycle. Legal in and after a reset alone.
  void Withdraw() { channel_->valid = shown_ = false; }

 private:
  Channel<T>* channel_;
  Pacer pacer_;
  bool shown_ = false;
};

template <typename T>
class ChannelSink {
 public:
  ChannelSink(Channel<T>* channel, const PacerSpec& pacer, const Rng& rng)
      : channel_(channel), pacer_(pacer, rng) {}

  // True if a payload moves in this cycle: it is the channel's.
  bool Sample(const Tick& tick) {
    waits_ = !tick.reset && channel_->waits();
    return !tick.reset && channel_->moves();
  }
  // In the cycle that was sampled a payload was valid and did not move.
  bool waits() const { return waits_; }

  // Ready where the pacer is willing and `allowed`.
  void Drive(const Tick& next, bool allowed = true) { Show(Willing() && allowed && !next.reset); }
  // The two halves, for who has more to decide.
  bool Willing() { return pacer_.Next(); }
  void Show(bool ready) { channel_->ready = ready; }

 private:
  Channel<T>* channel_;
  Pacer pacer_;
  bool waits_ = false;
};

}  // namespace tessera
