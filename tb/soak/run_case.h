// Runs a case on a model of its configuration and compares everything with the reference model.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "tb/random/case.h"
#include "tb/run/bench.h"
#include "tb/sim/dut.h"

namespace tessera {

struct CaseResult {
  // What kind of thing went wrong; two failures are "the same" if they agree in it.
  enum class Kind : uint8_t { kPassed, kBench, kScoreboard, kNothingChecked };
  Kind kind = Kind::kPassed;
  BenchResult::Failure bench_failure = BenchResult::Failure::kNone;
  std::string rule;       // of the first violation, if the bench saw one
  std::string message;    // empty if passed; the first line names the failure
  BenchResult bench;      // for a waveform
  uint64_t compared = 0;  // beats, records and bytes of memory compared
  uint64_t cycles = 0;
  uint64_t beats = 0;  // of both streams and both data channels
  bool passed() const { return kind == Kind::kPassed; }
  bool SameFailure(const CaseResult& other) const {
    return kind == other.kind && bench_failure == other.bench_failure && rule == other.rule;
  }
};

// The configuration of that name among those linked into this program; throws std::invalid_argument
// naming them if there is none.
Config FindConfig(const std::string& name);

// A bench with everything in the case loaded, ready to run. Deterministic. `start_up` is the seed
// of what registers hold before the reset; absent: that of the case.
std::unique_ptr<EngineBench> MakeBench(const Case& value,
                                       std::optional<uint64_t> start_up = std::nullopt);

// Runs it and compares streams, records and memory. `hook` looks on.
CaseResult RunCase(const Case& value, EngineBench::Hook* hook = nullptr);

}  // namespace tessera
