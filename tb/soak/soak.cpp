// See soak.h.
#include "tb/soak/soak.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "tb/files/input.h"
#include "tb/files/interrupt.h"
#include "tb/files/output.h"
#include "tb/files/text.h"
#include "tb/random/generate.h"
#include "tb/random/shrink.h"
#include "tb/run/wave.h"
#include "tb/sim/counted.h"
#include "tb/soak/run_case.h"

namespace tessera {
namespace {

using Clock = std::chrono::steady_clock;

double Since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
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

std::string WaveformOf(const Case& value, const CaseResult& result, const std::string& path) {
  if (result.kind == CaseResult::Kind::kBench) {
    WaveWindow window;
    window.path = path;
    return RerunWithWaveform([&] { return MakeBench(value); }, result.bench, window);
  }
  const auto bench = MakeBench(value);
  bench->TraceWindow(path, 0, result.cycles);
  const BenchResult again = bench->Run();
  if (!again.unwritten.empty()) return fmt::format("no waveform: {}", again.unwritten);
  return fmt::format("waveform {}: cycles 0 to {}", path, result.cycles);
}

// A build without waveforms says so; that hides no failure.
std::string Waveform(const Case& value, const CaseResult& result, const std::string& path) {
  try {
    return WaveformOf(value, result, path);
  } catch (const std::exception& error) {
    return fmt::format("no waveform: {}", error.what());
  }
}

// Tells everything about a failing case; returns the line that reproduces it.
std::string Report(const Case& value, const CaseResult& result, const SoakOptions& options) {
  const std::string line =
      fmt::format("{} --config {} --seed {} --cases 1", options.program, value.config, value.seed);
  fmt::print("\nFAILED {}\nreproduce: {}\n", result.message, line);
  std::fflush(stdout);
  const Config config = FindConfig(value.config);
  Case smallest = value;
  CaseResult shown = result;
  if (options.shrink_runs > 0) {
    ShrinkOptions shrink;
    shrink.most_runs = options.shrink_runs;
    shrink.repair = [&](Case* c) { return Repair(c, config); };
    const auto fails = [&](const Case& c) {  // nothing fails any more once it is to end
      return !Interrupted() && RunSafely(c).SameFailure(result);
    };
    const ShrinkResult shrunk = Shrink(value, fails, shrink);
    smallest = shrunk.smallest;
    shown = RunSafely(smallest);
    fmt::print("shrunk in {}, {} kept: {}, {}\n{}\n", Counted(shrunk.tried, "run"), shrunk.kept,
               Counted(smallest.reads.size(), "read"), Counted(smallest.writes.size(), "write"),
               shown.message);
  }
  const std::string stem = fmt::format("{}/{}-{:016x}", options.out, value.config, value.seed);
  for (const model::Transfer& t : smallest.reads) fmt::print("  read  {}\n", model::ToString(t));
  for (const model::Transfer& t : smallest.writes) fmt::print("  write {}\n", model::ToString(t));
  if (Interrupted()) return line;
  try {
    WriteOutput(stem + ".json", ToJson(smallest).dump(2) + "\n");
    fmt::print("{}\nreproduce: {} --replay {}.json\n",
               EscapedLines(Waveform(smallest, shown, stem + ".fst")), options.program,
               Escaped(stem));
  } catch (const std::exception& error) {  // the failure is told above
    fmt::print("no case, no waveform: {}\n", Escaped(error.what()));
  }
  std::fflush(stdout);
  return line;
}

}  // namespace

SoakRow& SoakRow::operator+=(const SoakRow& other) {
  cases += other.cases;
  failed += other.failed;
  transfers += other.transfers;
  cycles += other.cycles;
  beats += other.beats;
  compared += other.compared;
  seconds += other.seconds;
  seeds.insert(seeds.end(), other.seeds.begin(), other.seeds.end());
  reproduce.insert(reproduce.end(), other.reproduce.begin(), other.reproduce.end());
  return *this;
}

std::optional<uint64_t> CommonSeed(const SoakSeedRange& a, const SoakSeedRange& b) {
  const SoakSeedRange& less = a.cases < b.cases ? a : b;
  const SoakSeedRange& more = a.cases < b.cases ? b : a;
  for (uint64_t n = 0; n < less.cases; ++n) {
    if (const uint64_t seed = less.first + n * less.step; more.Has(seed)) return seed;
  }
  return std::nullopt;
}

void ParseShard(const std::string& text, SoakOptions* options) {
  const size_t slash = text.find('/');
  try {
    options->shard = std::stoull(text.substr(0, slash));
    options->shards =
        std::stoull(text.substr(slash == std::string::npos ? text.size() : slash + 1));
  } catch (const std::logic_error&) {
    options->shards = 0;
  }
  if (options->shards == 0 || options->shard >= options->shards) {
    throw std::invalid_argument(
        fmt::format("--shard is '{}': legal is i/n with i from 0 to n-1", text));
  }
}

SoakRow SoakSeeds(const std::string& config, const SoakOptions& options,
                  const std::function<void(const SoakRow&)>& progress,
                  const std::function<bool(uint64_t seed, SoakRow* row)>& run) {
  SoakRow row;
  row.config = config;
  row.seeds.push_back({options.seed + options.shard, options.shards, 0});
  const auto start = Clock::now();
  for (uint64_t n = options.shard; options.cases == 0 || n < options.cases; n += options.shards) {
    if (Interrupted() || (options.seconds > 0 && Since(start) > options.seconds)) break;
    row.seeds.back().cases = ++row.cases;
    if (!run(options.seed + n, &row) && ++row.failed >= options.failures) break;
    row.seconds = Since(start);
    if (progress) progress(row);
  }
  row.seconds = Since(start);
  return row;
}

SoakRow SoakConfig(const Config& config, const SoakOptions& options,
                   const std::function<void(const SoakRow&)>& progress) {
  return SoakSeeds(config.name, options, progress, [&](uint64_t seed, SoakRow* row) {
    const Case value = RandomCase(config, seed);
    const CaseResult result = RunSafely(value);
    row->transfers += value.reads.size() + value.writes.size();
    row->cycles += result.cycles;
    row->beats += result.beats;
    row->compared += result.compared;
    if (!result.passed()) row->reproduce.push_back(Report(value, result, options));
    return result.passed();
  });
}

bool Replay(const std::string& path, const std::string& program) {
  Case value;
  try {
    value = CaseFromJson(ReadJson(path));
  } catch (const Json::exception&) {
    throw std::invalid_argument(
        fmt::format("--replay {}: is no case: legal is a case that a soak left", path));
  } catch (const std::exception& error) {
    throw std::invalid_argument(
        fmt::format("--replay {}: {}: legal is a case that a soak left", path, error.what()));
  }
  const CaseResult result = RunSafely(value);
  if (result.passed()) {
    fmt::print("passed: {}, {} compared\n", Counted(result.cycles, "cycle"),
               Counted(result.compared, "thing"));
    return true;
  }
  fmt::print("FAILED {}\n", EscapedLines(result.message));
  std::fflush(stdout);
  fmt::print("{}\nreproduce: {} --replay {}\n",
             EscapedLines(Waveform(value, result, path + ".fst")), program, Escaped(path));
  return false;
}

Json ReadJson(const std::string& path) {
  const std::string text = ReadInput(path);
  if (text.empty()) throw std::invalid_argument("is empty");
  try {
    return Json::parse(text);
  } catch (const Json::exception&) {
    throw std::invalid_argument("is no JSON");
  }
}

Json ToJson(const std::vector<SoakRow>& rows) {
  Json list = Json::array();
  for (const SoakRow& row : rows) {
    Json seeds = Json::array();
    for (const SoakSeedRange& s : row.seeds) seeds.push_back({s.first, s.step, s.cases});
    list.push_back({{"config", row.config},
                    {"seeds", seeds},
                    {"cases", row.cases},
                    {"failed", row.failed},
                    {"transfers", row.transfers},
                    {"cycles", row.cycles},
                    {"beats", row.beats},
                    {"compared", row.compared},
                    {"seconds", row.seconds},
                    {"reproduce", row.reproduce}});
  }
  return Json{{"soak", 1}, {"rows", list}};
}

std::vector<SoakRow> RowsFromJson(const Json& json) try {
  if (json.at("soak").get<int>() != 1) {
    throw std::invalid_argument("soak is another version: legal is 1");
  }
  std::vector<SoakRow> rows;
  for (const Json& entry : json.at("rows")) {
    SoakRow& row = rows.emplace_back();
    entry.at("config").get_to(row.config);
    for (const Json& s : entry.at("seeds")) {
      const auto step = s.at(1).get<uint64_t>();
      row.seeds.push_back({s.at(0), std::max(step, uint64_t{1}), s.at(2)});
    }
    entry.at("cases").get_to(row.cases);
    entry.at("failed").get_to(row.failed);
    entry.at("transfers").get_to(row.transfers);
    entry.at("cycles").get_to(row.cycles);
    entry.at("beats").get_to(row.beats);
    entry.at("compared").get_to(row.compared);
    entry.at("seconds").get_to(row.seconds);
    entry.at("reproduce").get_to(row.reproduce);
  }
  return rows;
} catch (const nlohmann::json::exception&) {
  throw std::invalid_argument("is no result of a soak");
}

std::vector<SoakRow> Merge(const std::vector<SoakRow>& rows) {
  std::vector<SoakRow> merged;
  for (const SoakRow& row : rows) {
    const auto same = std::find_if(merged.begin(), merged.end(),
                                   [&](const SoakRow& m) { return m.config == row.config; });
    if (same == merged.end()) {
      merged.push_back(row);
    } else {
      *same += row;
    }
  }
  return merged;
}

bool PrintSoak(const std::vector<SoakRow>& rows) {
  fmt::print("\n{:<14} {:>7} {:>7} {:>10} {:>11} {:>11} {:>12} {:>8} {:>9}\n", "configuration",
             "cases", "failed", "transfers", "cycles", "beats", "compared", "seconds", "kcycle/s");
  SoakRow sum;
  for (const SoakRow& row : rows) {
    fmt::print("{:<14} {:>7} {:>7} {:>10} {:>11} {:>11} {:>12} {:>8.1f} {:>9.0f}\n",
               Escaped(row.config), row.cases, row.failed, row.transfers, row.cycles, row.beats,
               row.compared, row.seconds,
               static_cast<double>(row.cycles) / 1000 / std::max(row.seconds, 1e-6));
    sum += row;
  }
  for (const std::string& line : sum.reproduce) fmt::print("reproduce: {}\n", Escaped(line));
  if (sum.failed == 0 && sum.compared == 0) {
    fmt::print("nothing was compared: that is no pass\n");
    return false;
  }
  fmt::print("{} passed, {} failed\n", sum.cases - sum.failed, sum.failed);
  return sum.failed == 0;
}

}  // namespace tessera
