// Transfers in, records out.
#include "tb/run/job_feeder.h"

#include <fmt/format.h>

namespace tessera {

void JobFeeder::Sample(const Tick& tick, const DutInputs& in, const DutOutputs& out) {
  after_reset_ = tick.reset;
  if (tick.reset) {
    if (shown_) {  // it may have begun: an engine reads a transfer where it stands
      jobs_[next_].accepted = jobs_[next_].offered;
      ++next_;
    }
    for (; taken_ < next_; ++taken_) jobs_[taken_].state = JobResult::State::kLost;
    shown_ = abort_wanted_ = abort_high_ = false;
    return;
  }
  const bool read = direction_ == Direction::kRead;
  const bool done_valid = read ? out.rd_done_valid : out.wr_done_valid;
  if (done_valid && stamps_.done_valid == kNever) stamps_.done_valid = tick.cycle;
  if (done_valid && (read ? in.rd_done_ready : in.wr_done_ready) && taken_ < next_) {
    JobResult& job = jobs_[taken_++];
    job.state = JobResult::State::kDone;
    job.done = tick.cycle;
    job.record = read ? out.rd_done : out.wr_done;
    if (options_.one_by_one) job.stamps = stamps_;
  }
  if (shown_ && (read ? out.rd_ready : out.wr_ready)) {
    JobResult& job = jobs_[next_++];
    job.state = JobResult::State::kRunning;
    job.accepted = tick.cycle;
    shown_ = false;
    if (options_.one_by_one || stamps_.accepted == kNever) {
      stamps_ = {};
      stamps_.accepted = tick.cycle;
    }
  }
  if (abort_high_ && (read ? out.rd_idle : out.wr_idle)) {
    abort_high_ = false;
    ++aborts_;
  }
}

void JobFeeder::Drive(const Tick& next, Dut* dut) {
  DutInputs& in = dut->in;
  const bool read = direction_ == Direction::kRead;
  const bool quiet = next.reset || after_reset_;
  if (abort_wanted_ && !quiet) {
    abort_high_ = true;
    abort_wanted_ = false;
  }
  const bool willing = offer_.Next() && !paused_ && !abort_high_ && !quiet &&
                       !(options_.one_by_one && taken_ < next_);
  if (!shown_ && willing && next_ < jobs_.size()) {
    shown_ = true;
    jobs_[next_].offered = next.cycle;
    dut->SetTransfer(direction_, jobs_[next_].transfer);
  }
  const bool take = take_.Next();
  (read ? in.rd_valid : in.wr_valid) = shown_;
  (read ? in.rd_done_ready : in.wr_done_ready) = take;
  (read ? in.rd_abort : in.wr_abort) = abort_high_;
}

std::string JobFeeder::Describe() const {
  return fmt::format("{} jobs: {} given, {} accepted, {} with record{}{}",
                     direction_ == Direction::kRead ? "read" : "write", jobs_.size(), next_, taken_,
                     shown_ ? ", one is offered" : "", abort_high_ ? ", abort is high" : "");
}

}  // namespace tessera
