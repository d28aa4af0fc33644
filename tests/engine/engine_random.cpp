// Runs random cases until one fails or enough have passed; then a table.
//
// A failure prints one line that reproduces it, is shrunk to the smallest case that fails in the
// same way, and leaves that case as JSON and its waveform.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "tb/random/generate.h"
#include "tb/random/shrink.h"
#include "tb/run/wave.h"
#include "tests/engine/run_case.h"

namespace tessera {
namespace {

using Clock = std::chrono::steady_clock;

struct Options {
  std::vector<std::string> configs;
  uint64_t seed = 1;
  uint64_t cases = 200;
  double seconds = 0;  // 0: no limit
  std::string shard = "0/1";
  std::string replay;
  std::string out = "failures";
  uint64_t failures = 1;        // of a configuration, before it is left
  uint64_t shrink_runs = 1500;  // 0: do not shrink
  bool quiet = false;
};

struct Row {
  std::string config;
  uint64_t cases = 0, failed = 0, transfers = 0, cycles = 0, beats = 0, compared = 0;
  double seconds = 0;
};

double Since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

void Shard(const std::string& text, uint64_t* index, uint64_t* count) {
  const size_t slash = text.find('/');
  try {
    *index = std::stoull(text.substr(0, slash));
    *count = std::stoull(text.substr(slash == std::string::npos ? text.size() : slash + 1));
  } catch (const std::logic_error&) {
    *count = 0;
  }
  if (*count == 0 || *index >= *count) {
    throw std::invalid_argument(
        fmt::format("--shard is '{}': legal is i/n with i from 0 to n-1", text));
  }
}

// Never throws: a case that stops the model is a failing case.
CaseResult RunSafely(const Case& value) {
  try {
    return RunCase(value);
  } catch (const std::exception& error) {
    CaseResult result;
    result.kind = CaseResult::Kind::kBench;
    result.bench_failure = BenchResult::Failure::kModelStopped;
    result.message =
        fmt::format("configuration {} seed {:#x}: {}", value.config, value.seed, error.what());
    return result;
  }
}

std::string Waveform(const Case& value, const CaseResult& result, const std::string& path) {
  if (result.kind == CaseResult::Kind::kBench) {
    WaveWindow window;
    window.path = path;
    return RerunWithWaveform([&] { return MakeBench(value); }, result.bench, window);
  }
  const auto bench = MakeBench(value);
  bench->TraceWindow(path, 0, result.cycles);
  bench->Run();
  bench->dut().Trace("");
  return fmt::format("waveform {}: cycles 0 to {}", path, result.cycles);
}

void Report(const Case& value, const CaseResult& result, const std::string& program,
            const Options& options) {
  fmt::print("\nFAILED {}\n", result.message);
  fmt::print("reproduce: {} --config {} --seed {} --cases 1\n", program, value.config, value.seed);
  std::fflush(stdout);
  const Config config = FindConfig(value.config);
  Case smallest = value;
  CaseResult shown = result;
  if (options.shrink_runs > 0) {
    ShrinkOptions shrink;
    shrink.most_runs = options.shrink_runs;
    shrink.repair = [&](Case* c) { return Repair(c, config); };
    const auto fails = [&](const Case& c) { return RunSafely(c).SameFailure(result); };
    const ShrinkResult shrunk = Shrink(value, fails, shrink);
    smallest = shrunk.smallest;
    shown = RunSafely(smallest);
    fmt::print("shrunk in {} runs, {} kept: {} reads, {} writes\n{}\n", shrunk.tried, shrunk.kept,
               smallest.reads.size(), smallest.writes.size(), shown.message);
  }
  std::filesystem::create_directories(options.out);
  const std::string stem = fmt::format("{}/{}-{:016x}", options.out, value.config, value.seed);
  std::ofstream(stem + ".json") << ToJson(smallest).dump(2) << "\n";
  for (const model::Transfer& t : smallest.reads) fmt::print("  read  {}\n", model::ToString(t));
  for (const model::Transfer& t : smallest.writes) fmt::print("  write {}\n", model::ToString(t));
  fmt::print("{}\n", Waveform(smallest, shown, stem + ".fst"));
  fmt::print("reproduce: {} --replay {}.json\n", program, stem);
  std::fflush(stdout);
}

Row RunConfig(const Config& config, const std::string& program, const Options& options) {
  Row row;
  row.config = config.name;
  uint64_t shard = 0, shards = 1;
  Shard(options.shard, &shard, &shards);
  const auto start = Clock::now();
  uint64_t told = 0;
  for (uint64_t n = shard; n < options.cases; n += shards) {
    if (options.seconds > 0 && Since(start) > options.seconds) break;
    const Case value = RandomCase(config, options.seed + n);
    const CaseResult result = RunSafely(value);
    ++row.cases;
    row.transfers += value.reads.size() + value.writes.size();
    row.cycles += result.cycles;
    row.beats += result.beats;
    row.compared += result.compared;
    if (!result.passed()) {
      Report(value, result, program, options);
      if (++row.failed >= options.failures) break;
    }
    const uint64_t percent = 100 * (n + 1) / options.cases;
    if (!options.quiet && percent / 10 > told) {
      told = percent / 10;
      fmt::print("{}: {} cases, {} %, {} failed\n", config.name, row.cases, percent, row.failed);
      std::fflush(stdout);
    }
  }
  row.seconds = Since(start);
  return row;
}

int Replay(const std::string& program, const Options& options) {
  std::ifstream file(options.replay);
  if (!file)
    throw std::invalid_argument(fmt::format("--replay {}: cannot be read", options.replay));
  const Case value = CaseFromJson(Json::parse(file));
  const CaseResult result = RunSafely(value);
  if (result.passed()) {
    fmt::print("passed: {} cycles, {} things compared\n", result.cycles, result.compared);
    return 0;
  }
  fmt::print("FAILED {}\n{}\nreproduce: {} --replay {}\n", result.message,
             Waveform(value, result, options.replay + ".fst"), program, options.replay);
  return 1;
}

int RunAll(const std::string& program, const Options& options) {
  std::vector<Config> configs;
  for (const std::string& name : options.configs) configs.push_back(FindConfig(name));
  if (configs.empty()) configs = Configs();
  std::vector<Row> rows;
  for (const Config& config : configs) rows.push_back(RunConfig(config, program, options));

  fmt::print("\n{:<14} {:>7} {:>7} {:>10} {:>11} {:>11} {:>12} {:>8} {:>9}\n", "configuration",
             "cases", "failed", "transfers", "cycles", "beats", "compared", "seconds", "kcycle/s");
  uint64_t cases = 0, failed = 0, compared = 0;
  for (const Row& row : rows) {
    fmt::print("{:<14} {:>7} {:>7} {:>10} {:>11} {:>11} {:>12} {:>8.1f} {:>9.0f}\n", row.config,
               row.cases, row.failed, row.transfers, row.cycles, row.beats, row.compared,
               row.seconds, static_cast<double>(row.cycles) / 1000 / std::max(row.seconds, 1e-6));
    cases += row.cases;
    failed += row.failed;
    compared += row.compared;
  }
  if (failed == 0 && compared == 0) {
    fmt::print("nothing was compared: that is no pass\n");
    return 1;
  }
  fmt::print("{} passed, {} failed\n", cases - failed, failed);
  return failed == 0 ? 0 : 1;
}

}  // namespace
}  // namespace tessera

int main(int argc, char** argv) {
  tessera::Options options;
  CLI::App app{"Random cases for the engine pair, compared with the reference model."};
  app.add_option("--config", options.configs,
                 "Configuration; may be given several times; default: all");
  app.add_option("--seed", options.seed, "Seed of the first case; case n has seed + n")
      ->capture_default_str();
  app.add_option("--cases", options.cases, "Cases of each configuration")->capture_default_str();
  app.add_option("--seconds", options.seconds, "Leave a configuration after that time");
  app.add_option("--shard", options.shard, "i/n: run every n-th case from i on")
      ->capture_default_str();
  app.add_option("--replay", options.replay, "Run the case in this JSON file");
  app.add_option("--out", options.out, "Where failing cases and waveforms go")
      ->capture_default_str();
  app.add_option("--failures", options.failures, "Leave a configuration after so many")
      ->capture_default_str();
  app.add_option("--shrink-runs", options.shrink_runs, "Runs spent on shrinking; 0: none")
      ->capture_default_str();
  app.add_flag("--quiet", options.quiet, "No progress");
  CLI11_PARSE(app, argc, argv);
  try {
    return options.replay.empty() ? tessera::RunAll(argv[0], options)
                                  : tessera::Replay(argv[0], options);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
}
