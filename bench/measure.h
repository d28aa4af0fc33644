// Runs one row: a model on the memory of the bench, with every monitor, record and payload byte
// checked against the reference model in the same run. An interrupt (tb/files/interrupt.h) ends it
// by InterruptedRun.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bench/row.h"
#include "tb/run/bench.h"
#include "tb/sim/dut.h"

namespace tessera::bench {

inline constexpr int kInFlight = 64;    // bursts that the memory takes at once
inline constexpr double kShare = 0.99;  // of the limit that a row must reach

// Stream to memory, memory to stream or both, loaded and ready to run, and the check of it.
class Work {
 public:
  Work(const Config& config, uint32_t latency, uint64_t seed = 1);

  void Read(std::vector<model::Transfer> chain);
  void Write(std::vector<model::Transfer> chain);
  // A packet for the write engine, of bytes drawn from the seed.
  void Packet(uint64_t bytes);
  BenchOptions& options() { return options_; }
  // Makes the model. Nothing can be added to what it runs from then on.
  EngineBench& Make();

  // Runs and compares; returns a message if anything was wrong.
  std::string Run();
  uint64_t compared() const { return compared_; }
  const std::string& unwritten() const { return unwritten_; }  // why the waveform is not there
  double run_seconds() const { return run_seconds_; }  // of processor time, without the comparison
  EngineBench& bench() { return *bench_; }

 private:
  std::string Compare(const Memory& before);

  Config config_;
  BenchOptions options_;
  Rng data_;
  std::vector<model::Transfer> reads_, writes_;
  std::vector<std::vector<uint8_t>> packets_;
  std::unique_ptr<EngineBench> bench_;
  uint64_t compared_ = 0;
  std::string unwritten_;
  double run_seconds_ = 0.0;
};

// A waveform of some cycles of a row.
struct WaveRequest {
  std::string path;  // empty: none
  uint64_t from = 0, to = 1000;
};

RowResult Measure(const Row& row, const Config& config, const WaveRequest& wave = {});

// ---- From the cycles of beats to a rate

// clamp(200000 / (beats + 20), 24, 2000), for transfers of `beats` beats.
uint64_t TransfersToRun(uint64_t beats);

// Cycles a transfer takes in the middle of a run: between the beats at 25 % and at 75 % of it.
// `cycles` are those of all beats of `transfers` transfers, in order. Each of the two points is the
// mean of 64 beats, because a run that waits for the memory comes in bunches of 64 beats, and a
// single beat would tell where in a bunch it lies. Throws std::invalid_argument for fewer beats
// than transfers, or fewer than 4 transfers.
double CyclesPerTransfer(std::span<const uint64_t> cycles, uint64_t transfers);

// ---- Latencies: one transfer at a time, everything else ready and waiting

LatencyResult MeasureLatency(const LatencyRow& row, const Config& config);

// ---- How fast a configuration simulates with everything checked

struct SpeedResult {
  std::string error;
  uint64_t cycles = 0;
  // Of processor time, so that others on the machine do not count.
  double seconds = 0.0;        // of running and of comparing with the reference model
  double model_seconds = 0.0;  // of running alone, monitors included
  double PerSecond() const { return static_cast<double>(cycles) / seconds; }
};

// Both engines at work at once, misaligned copies of 4096 B, for at least `seconds`.
SpeedResult MeasureSpeed(const Config& config, double seconds);

}  // namespace tessera::bench
