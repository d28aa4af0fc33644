// Offers the transfers of one engine in order and collects their records; drives its abort pin.
//
// One record is expected for each accepted transfer, in order. A reset loses the transfers that
// were accepted and have no record, and the one that was offered: it may have begun.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tb/bus/channel_ends.h"
#include "tb/bus/pacer.h"
#include "tb/sim/component.h"
#include "tb/sim/ports.h"
#include "tb/sim/tick.h"

namespace tessera {

// Cycles of first events since the transfer was accepted; kNever if there was none.
struct EventStamps {
  uint64_t accepted = kNever;
  uint64_t address = kNever;  // ARVALID or AWVALID
  uint64_t r_valid = kNever;  // RVALID (read)
  uint64_t t_valid = kNever;  // TVALID of the engine's stream (write: no earlier than accepted)
  uint64_t w_valid = kNever;  // WVALID (write)
  uint64_t last_b = kNever;   // the latest B handshake (write)
  uint64_t done_valid = kNever;
};

struct JobResult {
  enum class State : uint8_t { kWaiting, kRunning, kDone, kLost };
  friend constexpr std::array<std::string_view, 4> NamesOf(State) {
    return {"waits", "runs", "done", "lost"};
  }
  EngineTransfer transfer;
  State state = State::kWaiting;
  uint64_t offered = kNever;   // cycle of the first valid
  uint64_t accepted = kNever;  // cycle of the handshake
  uint64_t done = kNever;      // cycle in which the record was taken
  rtl::Done record;
  EventStamps stamps;  // filled if the feeder runs its jobs one by one
};

struct FeederOptions {
  PacerSpec offer;          // when a transfer may be offered
  PacerSpec take;           // when a record is taken
  bool one_by_one = false;  // offers a transfer only when the one before has its record
};

class JobFeeder final : public Component {
 public:
  JobFeeder(EnginePort* port, Direction direction, const FeederOptions& options, const Rng& rng)
      : port_(port),
        direction_(direction),
        options_(options),
        offer_(options.offer, rng.Stream("offer")),
        transfers_(&port->transfer, PacerSpec::Always(), Rng()),
        records_(&port->done, options.take, rng.Stream("take")) {}

  void Add(const EngineTransfer& transfer) { jobs_.emplace_back().transfer = transfer; }
  // Holds abort high from the next cycle until the engine is idle.
  void RequestAbort() { abort_wanted_ = true; }

  void Sample(const Tick& tick) override;
  void Drive(const Tick& next) override;

  bool Finished() const {
    return next_ == jobs_.size() && taken_ == next_ && !abort_wanted_ && !aborting_;
  }
  bool shown() const { return transfers_.shown(); }
  uint64_t running() const { return next_ - taken_; }
  uint64_t accepted() const { return next_; }
  uint64_t aborts() const { return aborts_; }
  const std::vector<JobResult>& jobs() const { return jobs_; }
  EventStamps& stamps() { return stamps_; }
  const EventStamps& stamps() const { return stamps_; }
  std::string Describe() const;

 private:
  EnginePort* port_;
  Direction direction_;
  FeederOptions options_;
  Pacer offer_;  // asked in every cycle
  ChannelSource<EngineTransfer> transfers_;
  ChannelSink<rtl::Done> records_;
  std::vector<JobResult> jobs_;
  size_t next_ = 0;   // the next to be accepted
  size_t taken_ = 0;  // the next to have its record
  bool after_reset_ = true;
  bool abort_wanted_ = false;
  bool aborting_ = false;
  uint64_t aborts_ = 0;
  EventStamps stamps_;
};

}  // namespace tessera
