// Random cases until one fails, enough have passed, or time is up; rows that add up over shards.
//
// Case n of a configuration has the seed `seed` + n, whoever runs it. A shard runs every n-th. A
// failing case prints one line that reproduces it, is shrunk to the smallest case that fails in the
// same way, and is left as JSON with its waveform.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tb/random/case.h"
#include "tb/random/generate.h"
#include "tb/sim/dut.h"

namespace tessera {

struct SoakOptions {
  std::string program;  // what a user types to reproduce
  uint64_t seed = 1;
  uint64_t cases = 200;  // of each configuration; 0: no limit
  double seconds = 0;    // of each configuration; 0: no limit
  uint64_t shard = 0, shards = 1;
  std::string out = "failures";
  uint64_t failures = 1;        // of a configuration, before it is left
  uint64_t shrink_runs = 1500;  // 0: do not shrink
  Draws draws = Draws::kRare;
};

// Seeds of cases that were run: `first`, `first` + `step` and so on.
struct SoakSeedRange {
  uint64_t first = 0, step = 1, cases = 0;
  bool Has(uint64_t seed) const {
    return seed >= first && (seed - first) % step == 0 && (seed - first) / step < cases;
  }
};
// A seed that both have.
std::optional<uint64_t> CommonSeed(const SoakSeedRange& a, const SoakSeedRange& b);

// What was run of one configuration.
struct SoakRow {
  std::string config;
  std::vector<SoakSeedRange> seeds;
  uint64_t cases = 0, failed = 0, transfers = 0, cycles = 0, beats = 0, compared = 0;
  double seconds = 0;
  std::vector<std::string> reproduce;  // a line for each failure
  SoakRow& operator+=(const SoakRow& other);
};

// Sets `shard` and `shards` from "i/n". Throws std::invalid_argument saying what is legal.
void ParseShard(const std::string& text, SoakOptions* options);

// Calls `run` with the seed of each case, until `options` say that it is enough. It adds what it
// did to the row, a line to `reproduce` if the case failed, and is true if it passed. `progress` is
// called after every case.
SoakRow SoakSeeds(const std::string& config, const SoakOptions& options,
                  const std::function<void(const SoakRow&)>& progress,
                  const std::function<bool(uint64_t seed, SoakRow* row)>& run);

// `progress` is called after every case. Failures are told on standard output as they come.
SoakRow SoakConfig(const Config& config, const SoakOptions& options,
                   const std::function<void(const SoakRow&)>& progress = {});

// Runs the case in a JSON file; true if it passed.
bool Replay(const std::string& path, const std::string& program);

// What a file of JSON holds. Throws std::invalid_argument: it cannot be read, it is no JSON.
Json ReadJson(const std::string& path);

Json ToJson(const std::vector<SoakRow>& rows);
// Throws std::invalid_argument naming what is wrong.
std::vector<SoakRow> RowsFromJson(const Json& json);
// Rows of the same configuration become one.
std::vector<SoakRow> Merge(const std::vector<SoakRow>& rows);
// The table and the line "N passed, M failed"; false unless something was compared and nothing
// failed.
bool PrintSoak(const std::vector<SoakRow>& rows);

}  // namespace tessera
