// See compare.h.
#include "tb/check/compare.h"

#include <utility>
#include <vector>

namespace tessera {
namespace {

std::vector<rtl::Done> Records(const std::vector<JobResult>& jobs) {
  std::vector<rtl::Done> records;
  for (const JobResult& job : jobs) {
    if (job.state == JobResult::State::kDone) records.push_back(job.record);
  }
  return records;
}

std::vector<ErrorEvent> Errors(const EngineBench& bench, Direction direction) {
  std::vector<ErrorEvent> errors;
  for (const ErrorEvent& event : bench.axi_memory().errors()) {
    if (event.direction == direction) errors.push_back(event);
  }
  return errors;
}

}  // namespace

void CompareRun(const EngineBench& bench, std::span<const model::Transfer> reads,
                std::span<const model::Transfer> writes, Scoreboard* board) {
  const bool loopback = bench.dut().config().loopback;
  std::vector<model::StreamBeat> looped;
  if (!reads.empty()) {
    Seen seen;
    seen.beats = BeatList(bench.sink().beats(), bench.sink().bytes());
    seen.records = Records(bench.reads());
    seen.errors = Errors(bench, Direction::kRead);
    looped = board->CheckRead(reads, seen, !loopback);
  }
  if (!writes.empty()) {
    Seen seen;
    seen.beats = loopback ? BeatList(std::move(looped))
                          : BeatList(bench.source().beats(), bench.source().bytes());
    seen.records = Records(bench.writes());
    seen.errors = Errors(bench, Direction::kWrite);
    board->CheckWrite(writes, seen);
  }
  board->CheckMemory(bench.memory());
}

}  // namespace tessera
