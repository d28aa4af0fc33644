// Transfers in, records out.
#include "tb/run/job_feeder.h"

#include <fmt/format.h>

namespace tessera {

void JobFeeder::Sample(const Tick& tick) {
  after_reset_ = tick.reset;
  const bool offered = transfers_.shown();
  const bool accepted = transfers_.Sample(tick), recorded = records_.Sample(tick);
  if (tick.reset) {
    if (offered) {  // it may have begun: an engine reads a transfer where it stands
      jobs_[next_].accepted = jobs_[next_].offered;
      ++next_;
    }
    for (; taken_ < next_; ++taken_) jobs_[taken_].state = JobResult::State::kLost;
    abort_wanted_ = aborting_ = false;
    return;
  }
  if (port_->done.valid && stamps_.done_valid == kNever) stamps_.done_valid = tick.cycle;
  if (recorded && taken_ < next_) {
    JobResult& job = jobs_[taken_++];
    job.state = JobResult::State::kDone;
    job.done = tick.cycle;
    job.record = port_->done.payload;
    if (options_.one_by_one) job.stamps = stamps_;
  }
  if (accepted) {
    JobResult& job = jobs_[next_++];
    job.state = JobResult::State::kRunning;
    job.accepted = tick.cycle;
    if (options_.one_by_one || stamps_.accepted == kNever) {
      stamps_ = {};
      stamps_.accepted = tick.cycle;
    }
  }
  if (aborting_ && port_->idle) {
    aborting_ = false;
    ++aborts_;
  }
}

void JobFeeder::Drive(const Tick& next) {
  const bool quiet = next.reset || after_reset_;
  if (abort_wanted_ && !quiet) {
    aborting_ = true;
    abort_wanted_ = false;
  }
  port_->abort = aborting_;
  const bool willing =
      offer_.Next() && !aborting_ && !quiet && !(options_.one_by_one && taken_ < next_);
  // A transfer that is offered when a reset begins stands until the reset is seen.
  if (next.reset && !transfers_.shown()) transfers_.Withdraw();
  if (!next.reset) {
    transfers_.Drive(next, [&](EngineTransfer* transfer) {
      if (!willing || next_ == jobs_.size()) return false;
      jobs_[next_].offered = next.cycle;
      *transfer = jobs_[next_].transfer;
      return true;
    });
  }
  records_.Show(records_.Willing());
}

std::string JobFeeder::Describe() const {
  return fmt::format("{} jobs: {} given, {} accepted, {} with record{}{}", NameOf(direction_),
                     jobs_.size(), next_, taken_, shown() ? ", one is offered" : "",
                     aborting_ ? ", abort is high" : "");
}

}  // namespace tessera
