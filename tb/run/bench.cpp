// The cycle: settle, sample, hooks, edge, drive.
#include "tb/run/bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "tb/files/output.h"

namespace tessera {
namespace {

AxisMonitorOptions MasterOptions(const Config& config, AxisMonitorOptions::Keep keep) {
  return {"m_axis", config.stream_bytes, keep, AxisMonitorOptions::Null::kNone};
}

AxisMonitorOptions SlaveOptions(const Config& config) {
  return {"s_axis", config.stream_bytes, AxisMonitorOptions::Keep::kAny,
          AxisMonitorOptions::Null::kAny};
}

template <typename Array>
void Shuffle(Array* parts, Rng rng) {
  for (size_t i = parts->size(); i > 1; --i) std::swap((*parts)[i - 1], (*parts)[rng.Below(i)]);
}

}  // namespace

EngineBench::EngineBench(std::unique_ptr<Dut> dut, const BenchOptions& options)
    : dut_(std::move(dut)),
      options_(options),
      rng_(options.seed),
      memory_(rng_.Stream("memory contents").seed()),
      axi_memory_(&memory_, dut_->config().data_bytes, options.memory, rng_.Stream("axi memory")),
      source_(dut_->config().stream_bytes, options.source, rng_.Stream("source")),
      sink_(dut_->config().stream_bytes, options.sink, rng_.Stream("sink")),
      read_(Direction::kRead, options.read, rng_.Stream("read jobs")),
      write_(Direction::kWrite, options.write, rng_.Stream("write jobs")),
      axi_monitor_(AxiMonitorOptions::For(dut_->config()), &violations_),
      master_monitor_(MasterOptions(dut_->config(), options.keep), &violations_),
      slave_monitor_(SlaveOptions(dut_->config()), &violations_),
      read_monitor_(Direction::kRead, &violations_),
      write_monitor_(Direction::kWrite, &violations_),
      sample_order_{Part::kMemory, Part::kSource, Part::kSink,
                    Part::kRead,   Part::kWrite,  Part::kMonitors},
      drive_order_(sample_order_) {
  if (options.quiet_cycles >= options.timeout) {
    throw std::invalid_argument(fmt::format("bench quiet_cycles {}: must be less than timeout {}",
                                            options.quiet_cycles, options.timeout));
  }
  if (options.shuffle) {
    Shuffle(&sample_order_, rng_.Stream("sample order"));
    Shuffle(&drive_order_, rng_.Stream("drive order"));
  }
  last_.fill(kNever);
  reset_left_ = std::max<uint64_t>(options.reset_cycles, 1) - 1;
  tick_ = {0, true};
  dut_->in = DutInputs{};
}

void EngineBench::AbortAt(Direction direction, uint64_t cycle) {
  schedule_.push_back(
      {direction == Direction::kRead ? Scheduled::Kind::kAbortRead : Scheduled::Kind::kAbortWrite,
       cycle, 0});
  next_due_ = std::min(next_due_, cycle);
}

void EngineBench::RequestAbort(Direction direction) {
  if (direction == Direction::kRead) {
    master_monitor_.AllowNull(AxisMonitorOptions::Null::kWithLast);
    read_.RequestAbort();
  } else {
    write_.RequestAbort();
  }
}

void EngineBench::ResetAt(uint64_t cycle, uint32_t length) {
  schedule_.push_back({Scheduled::Kind::kReset, cycle, std::max(length, 1U)});
  next_due_ = std::min(next_due_, cycle);
}

void EngineBench::TraceWindow(const std::string& path, uint64_t from, uint64_t to) {
  trace_path_ = path;
  trace_from_ = from;
  trace_to_ = to;
  if (from == 0) Trace(path);
}

void EngineBench::ApplySchedule(uint64_t next_cycle) {
  if (next_cycle < next_due_) return;
  next_due_ = kNever;
  for (size_t i = 0; i < schedule_.size();) {
    const Scheduled due = schedule_[i];
    if (due.cycle > next_cycle) {
      next_due_ = std::min(next_due_, due.cycle);
      ++i;
      continue;
    }
    if (due.kind == Scheduled::Kind::kReset) {
      reset_left_ = std::max<uint64_t>(reset_left_, due.length);
      ++resets_;
    } else {
      RequestAbort(due.kind == Scheduled::Kind::kAbortRead ? Direction::kRead : Direction::kWrite);
    }
    schedule_.erase(schedule_.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

void EngineBench::UpdateTrace(uint64_t next_cycle) {
  if (next_cycle == trace_from_) Trace(trace_path_);
  if (next_cycle == trace_to_ + 1) Trace("");
}

void EngineBench::Trace(const std::string& path) {
  try {
    dut_->Trace(path);
  } catch (const OutputError& error) {
    unwritten_ = error.what();
  }
}

void EngineBench::SamplePart(Part part) {
  const DutInputs& in = dut_->in;
  const DutOutputs& out = dut_->out;
  switch (part) {
    case Part::kMemory:
      axi_memory_.Sample(tick_, in, out);
      break;
    case Part::kSource:
      source_.Sample(tick_, in, out);
      break;
    case Part::kSink:
      sink_.Sample(tick_, in, out);
      break;
    case Part::kRead:
      read_.Sample(tick_, in, out);
      break;
    case Part::kWrite:
      write_.Sample(tick_, in, out);
      break;
    case Part::kMonitors:
      SampleMonitors();
      break;
  }
}

void EngineBench::DrivePart(Part part, const Tick& next) {
  DutInputs* in = &dut_->in;
  switch (part) {
    case Part::kMemory:
      axi_memory_.Drive(next, in);
      break;
    case Part::kSource:
      source_.Drive(next, in);
      break;
    case Part::kSink:
      sink_.Drive(next, in);
      break;
    case Part::kRead:
      read_.Drive(next, dut_.get());
      break;
    case Part::kWrite:
      write_.Drive(next, dut_.get());
      break;
    case Part::kMonitors:
      break;
  }
}

void EngineBench::SampleMonitors() {
  const DutInputs& in = dut_->in;
  const DutOutputs& out = dut_->out;
  axi_monitor_.Sample(tick_, in, out);
  master_monitor_.SampleMaster(tick_, in, out);
  slave_monitor_.SampleSlave(tick_, in, out);
  read_monitor_.Sample(
      tick_,
      {in.rd_valid && out.rd_ready, out.rd_done_valid, in.rd_done_ready, out.rd_idle, &out.rd_done},
      axi_monitor_.open_reads() > 0 || out.arvalid);
  write_monitor_.Sample(
      tick_,
      {in.wr_valid && out.wr_ready, out.wr_done_valid, in.wr_done_ready, out.wr_idle, &out.wr_done},
      axi_monitor_.open_writes() > 0 || out.awvalid);
}

void EngineBench::CountHandshakes() {
  const DutInputs& in = dut_->in;
  const DutOutputs& out = dut_->out;
  if (in.rd_valid && out.rd_ready) Moved(Channel::kReadTransfer);
  if (out.rd_done_valid && in.rd_done_ready) Moved(Channel::kReadDone);
  if (in.wr_valid && out.wr_ready) Moved(Channel::kWriteTransfer);
  if (out.wr_done_valid && in.wr_done_ready) Moved(Channel::kWriteDone);
  if (out.arvalid && in.arready) Moved(Channel::kAr);
  if (in.rvalid && out.rready) Moved(Channel::kR);
  if (out.awvalid && in.awready) Moved(Channel::kAw);
  if (out.wvalid && in.wready) {
    Moved(Channel::kW);
    if (options_.record_w_cycles) w_cycles_.push_back(tick_.cycle);
  }
  if (in.bvalid && out.bready) Moved(Channel::kB);
  if (out.m_tvalid && in.m_tready) Moved(Channel::kMaster);
  if (in.s_tvalid && out.s_tready) Moved(Channel::kSlave);
}

// First events since the feeders accepted a transfer. The feeder of this cycle has sampled already,
// so that events of the cycle of acceptance count.
void EngineBench::Stamp() {
  const DutInputs& in = dut_->in;
  const DutOutputs& out = dut_->out;
  const auto first = [this](bool event, uint64_t* stamp) {
    if (event && *stamp == kNever) *stamp = tick_.cycle;
  };
  EventStamps& r = read_.stamps();
  if (r.accepted != kNever) {
    first(out.arvalid, &r.address);
    first(in.rvalid, &r.r_valid);
    first(out.m_tvalid, &r.t_valid);
  }
  EventStamps& w = write_.stamps();
  if (w.accepted != kNever) {
    first(in.s_tvalid, &w.t_valid);
    first(out.awvalid, &w.address);
    first(out.wvalid, &w.w_valid);
    if (in.bvalid && out.bready) w.last_b = tick_.cycle;
  }
}

void EngineBench::Step() {
  dut_->Settle();
  for (const Part part : sample_order_) SamplePart(part);
  if (!tick_.reset) {
    CountHandshakes();
    Stamp();
  }
  for (Hook* hook : hooks_) hook->OnCycle(*this, tick_);
  if (!Quiet()) last_movement_ = tick_.cycle;

  UpdateTrace(tick_.cycle + 1);
  dut_->Edge();

  ApplySchedule(tick_.cycle + 1);
  const Tick next{tick_.cycle + 1, reset_left_ > 0};
  if (reset_left_ > 0) {
    --reset_left_;
    last_progress_ = next.cycle;
  }
  dut_->in.aresetn = !next.reset;
  for (const Part part : drive_order_) DrivePart(part, next);
  tick_ = next;
}

bool EngineBench::Quiet() const {
  const DutOutputs& out = dut_->out;
  if (tick_.reset || !read_.Finished() || !write_.Finished()) return false;
  if (!out.rd_idle || !out.wr_idle) return false;
  if (out.arvalid || out.awvalid || out.wvalid || out.m_tvalid) return false;
  if (out.rd_done_valid || out.wr_done_valid) return false;
  if (dut_->in.s_tvalid && out.s_tready) return false;
  return axi_memory_.Idle() && axi_monitor_.Quiet();
}

BenchResult EngineBench::Run() {
  using Failure = BenchResult::Failure;
  last_progress_ = std::max(last_progress_, tick_.cycle);  // steps before may have been idle
  try {
    for (;;) {
      Step();
      if (options_.stop_at_violation && violations_.count() > 0) return Finish();
      if (tick_.cycle - last_movement_ > options_.quiet_cycles && reset_left_ == 0) return Finish();
      if (tick_.cycle > last_progress_ + options_.timeout) {
        return Fail(Failure::kTimeout,
                    fmt::format("nothing moved for {} cycles", options_.timeout));
      }
      if (tick_.cycle >= options_.cycle_limit) {
        return Fail(Failure::kCycleLimit,
                    fmt::format("not finished after {} cycles", options_.cycle_limit));
      }
    }
  } catch (const std::runtime_error& error) {
    return Fail(Failure::kModelStopped, error.what());
  }
}

BenchResult EngineBench::Finish() {
  using Failure = BenchResult::Failure;
  if (violations_.count() == 0) {
    axi_monitor_.AtEnd(tick_.cycle);
    master_monitor_.AtEnd(tick_.cycle);
    read_monitor_.AtEnd(tick_.cycle);
    write_monitor_.AtEnd(tick_.cycle);
  }
  if (violations_.count() > 0) {
    const Violation& first = violations_.kept().front();
    return Fail(Failure::kViolation, fmt::format("{} rules were broken, first {}: {}",
                                                 violations_.count(), first.rule, first.message));
  }
  if (read_.jobs().empty() && write_.jobs().empty()) {
    return Fail(Failure::kNoWork, "no transfer was given, so nothing was checked");
  }
  BenchResult result;
  result.cycles = tick_.cycle;
  for (const uint64_t count : counts_) result.handshakes += count;
  if (!trace_path_.empty()) Trace("");
  result.unwritten = unwritten_;
  return result;
}

BenchResult EngineBench::Fail(BenchResult::Failure failure, const std::string& what) {
  BenchResult result;
  result.failure = failure;
  result.cycles = result.fail_cycle = tick_.cycle;
  if (failure == BenchResult::Failure::kViolation) {
    result.fail_cycle = violations_.kept().front().cycle;
  }
  for (const uint64_t count : counts_) result.handshakes += count;
  if (failure != BenchResult::Failure::kModelStopped)
    dut_->Settle();  // so that the dump is of one cycle
  result.message = fmt::format("configuration {} seed {:#x} cycle {}: {}\n{}", dut_->config().name,
                               options_.seed, result.fail_cycle, what, Dump());
  result.violations = violations_.kept();
  if (failure != BenchResult::Failure::kModelStopped && trace_to_ != kNever) {
    try {  // the waveform shows what came after, too
      while (tick_.cycle <= trace_to_) Step();
    } catch (const std::runtime_error&) {
      // The failure is already told.
    }
  }
  if (!trace_path_.empty()) Trace("");
  result.unwritten = unwritten_;
  return result;
}

}  // namespace tessera
