// An engine pair from the first cycle to the verdict.
#include "tb/run/bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <stdexcept>

#include "tb/sim/counted.h"

namespace tessera {
EngineBench::EngineBench(std::unique_ptr<Dut> dut, const BenchOptions& options)
    : CycleLoop(dut.get(), Rng(options.seed), options.shuffle, options.reset_cycles),
      dut_(std::move(dut)),
      options_(options),
      rng_(options.seed),
      memory_(rng_.Stream("memory contents").seed()),
      axi_memory_(&memory_, &dut_->axi, dut_->config().data_bytes, options.memory,
                  rng_.Stream("axi memory")),
      pair_(dut_.get(), dut_->config(), options, rng_, &violations_) {
  if (options.quiet_cycles >= options.timeout) {
    throw std::invalid_argument(fmt::format("bench quiet_cycles {}: must be less than timeout {}",
                                            options.quiet_cycles, options.timeout));
  }
  for (Component* component : std::initializer_list<Component*>{
           &axi_memory_, &pair_.source, &pair_.sink, &pair_.read, &pair_.write, &pair_.monitors}) {
    Add(component);
  }
}

void EngineBench::AbortAt(Direction direction, uint64_t cycle) {
  schedule_.push_back(
      {direction == Direction::kRead ? Scheduled::Kind::kAbortRead : Scheduled::Kind::kAbortWrite,
       cycle, 0});
  next_due_ = std::min(next_due_, cycle);
}

void EngineBench::RequestAbort(Direction direction) {
  if (direction == Direction::kRead) {
    pair_.monitors.AllowNull(AxisMonitorOptions::Null::kWithLast);
  }
  pair_.feeder(direction).RequestAbort();
}

void EngineBench::ResetAt(uint64_t cycle, uint32_t length) {
  schedule_.push_back({Scheduled::Kind::kReset, cycle, std::max(length, 1U)});
  next_due_ = std::min(next_due_, cycle);
}

void EngineBench::BeforeDrive(const Tick& next) {
  if (next.reset) last_progress_ = next.cycle;
  if (next.cycle < next_due_) return;
  next_due_ = kNever;
  for (size_t i = 0; i < schedule_.size();) {
    const Scheduled due = schedule_[i];
    if (due.cycle > next.cycle) {
      next_due_ = std::min(next_due_, due.cycle);
      ++i;
      continue;
    }
    if (due.kind == Scheduled::Kind::kReset) {
      Reset(due.length);
      last_progress_ = next.cycle;
    } else {
      RequestAbort(due.kind == Scheduled::Kind::kAbortRead ? Direction::kRead : Direction::kWrite);
    }
    schedule_.erase(schedule_.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

// First events since the feeders accepted a transfer. The feeder of this cycle has sampled already,
// so that events of the cycle of acceptance count.
void EngineBench::Stamp() {
  const auto first = [this](bool event, uint64_t* stamp) {
    if (event && *stamp == kNever) *stamp = cycle();
  };
  EventStamps& r = pair_.read.stamps();
  if (r.accepted != kNever) {
    first(dut_->axi.ar.valid, &r.address);
    first(dut_->axi.r.valid, &r.r_valid);
    first(dut_->m_axis.valid, &r.t_valid);
  }
  EventStamps& w = pair_.write.stamps();
  if (w.accepted != kNever) {
    first(dut_->s_axis.valid, &w.t_valid);
    first(dut_->axi.aw.valid, &w.address);
    first(dut_->axi.w.valid, &w.w_valid);
    if (dut_->axi.b.moves()) w.last_b = cycle();
  }
}

void EngineBench::AfterSample() {
  if (!tick().reset) {
    if (pair_.monitors.moved()) last_progress_ = cycle();
    if (options_.record_w_cycles && dut_->axi.w.moves()) w_cycles_.push_back(cycle());
    Stamp();
  }
  for (Hook* hook : hooks_) hook->OnCycle(*this, tick());
  if (!Quiet()) last_movement_ = cycle();
}

bool EngineBench::Quiet() const {
  const AxiPort& bus = dut_->axi;
  if (tick().reset || bus.ar.valid || bus.aw.valid || bus.w.valid) return false;
  return pair_.Quiet() && axi_memory_.Idle() && axi_monitor().Quiet();
}

BenchResult EngineBench::Run() {
  using Failure = BenchResult::Failure;
  last_progress_ = std::max(last_progress_, cycle());  // steps before may have been idle
  try {
    for (;;) {
      Step();
      if (violations_.count() > 0) return Finish();
      if (cycle() - last_movement_ > options_.quiet_cycles && !reset_pending()) return Finish();
      if (cycle() > last_progress_ + options_.timeout) {
        return Fail(Failure::kTimeout,
                    fmt::format("nothing moved for {}", Counted(options_.timeout, "cycle")));
      }
      if (cycle() >= options_.cycle_limit) {
        return Fail(Failure::kCycleLimit,
                    fmt::format("not finished after {}", Counted(options_.cycle_limit, "cycle")));
      }
    }
  } catch (const std::runtime_error& error) {
    return Fail(Failure::kModelStopped, error.what());
  }
}

BenchResult EngineBench::Finish() {
  using Failure = BenchResult::Failure;
  if (violations_.count() == 0) {
    pair_.monitors.AtEnd(cycle());
  }
  if (violations_.count() > 0) {
    const Violation& first = violations_.kept().front();
    return Fail(Failure::kViolation,
                fmt::format("{} broken, first {}: {}", Counted(violations_.count(), "rule"),
                            first.rule, first.message));
  }
  if (reads().empty() && writes().empty()) {
    return Fail(Failure::kNoWork, "no transfer was given, so nothing was checked");
  }
  BenchResult result;
  result.cycles = cycle();
  result.handshakes = pair_.monitors.total();
  result.unwritten = EndTrace();
  return result;
}

BenchResult EngineBench::Fail(BenchResult::Failure failure, const std::string& what) {
  BenchResult result;
  result.failure = failure;
  result.cycles = result.fail_cycle = cycle();
  if (failure == BenchResult::Failure::kViolation) {
    result.fail_cycle = violations_.kept().front().cycle;
  }
  result.handshakes = pair_.monitors.total();
  if (failure != BenchResult::Failure::kModelStopped)
    dut_->Settle();  // so that the dump is of one cycle
  result.message = fmt::format("configuration {} seed {:#x} cycle {}: {}\n{}", dut_->config().name,
                               options_.seed, result.fail_cycle, what, Dump());
  result.violations = violations_.kept();
  if (failure != BenchResult::Failure::kModelStopped && trace_end() != kNever) {
    try {  // the waveform shows what came after, too
      while (cycle() <= trace_end()) Step();
    } catch (const std::runtime_error&) {
      // The failure is already told.
    }
  }
  result.unwritten = EndTrace();
  return result;
}

}  // namespace tessera
