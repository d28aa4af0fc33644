// Runs a prepared job on the RTL and compares every byte with the reference model.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bench/limit.h"
#include "tb/check/scoreboard.h"
#include "tools/prepare/prepare.h"
#include "tools/run/machine.h"

namespace tessera::cli {

struct RunOptions {
  std::string wave;  // path of a waveform; empty: none
  // Told now and then how far the run is: cycles, bytes that the slower channel has moved, of how
  // many.
  std::function<void(uint64_t cycle, uint64_t bytes, uint64_t all)> progress;
};

// Bytes and the cycles in which they moved.
struct Throughput {
  uint64_t bytes = 0;        // of the stream, fill included
  uint64_t cycles = 0;       // from the first beat to the last, of bus or stream: the longer
  double utilisation = 0.0;  // bytes of all transfers over cycles of data times bus width
  bench::Limit limit;
};

// What one channel did.
struct ChannelResult : Throughput {
  const PreparedChannel* channel = nullptr;
  std::vector<JobResult> transfers;
  uint64_t stream_beats = 0;  // 0 if nobody can see the stream
  uint64_t bus_beats = 0;     // 0 if nobody can tell whose they are
  uint64_t bursts = 0;        // the same
  bench::BusWork least;       // bus beats and bursts that would do
};

// What the channels of one direction did together on a port that they share.
struct PortResult : Throughput {
  int port = 0;
  Direction direction = Direction::kRead;
};

struct RunResult {
  std::vector<std::string> failures;  // the first line of each names what is wrong; empty: passed
  uint64_t cycles = 0;
  Scoreboard::Count count;              // compared with the reference model
  uint64_t locks = 0;                   // compared
  std::vector<int> locks_at_end;        // that the program leaves, if it was compared
  std::vector<std::string> notes;       // what a user may not have meant
  uint64_t expected = 0;                // bytes compared with what the job expects
  std::vector<ChannelResult> channels;  // as those of the job
  std::vector<PortResult> ports;        // where channels share them
  std::unique_ptr<Machine> machine;     // as the run left it
  bool interrupted = false;             // before its end; nothing was compared
  std::string unwritten;                // why the waveform is not there
  uint64_t compared() const { return count.beats + count.records + count.bytes + expected; }
  bool passed() const { return failures.empty() && !interrupted; }
};

// Throws job::Error of a program that cannot end or depends on time.
RunResult RunJob(const Prepared& prepared, const RunOptions& options);

// Compares what a tessera_dma did with what its program does without time (executor.h): streams,
// records, memory, locks and tokens. `before` is memory as it was before the run. Throws job::Error
// as RunJob does.
void CompareProgram(const Prepared& prepared, const Memory& before, RunResult* result);

}  // namespace tessera::cli
