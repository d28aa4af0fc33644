// See command.h.
#include "tools/bench/command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include "bench/baseline.h"
#include "bench/channels.h"
#include "bench/clock.h"
#include "bench/latency.h"
#include "bench/report.h"
#include "bench/speed.h"
#include "tb/check/writable.h"
#include "tools/bench/plot.h"

namespace tessera::bench {
namespace {

bool Wanted(const Options& options, const std::string& id, bool quick, bool extra) {
  if (options.quick && !quick) return false;
  if (!options.filters.empty()) {
    return std::any_of(options.filters.begin(), options.filters.end(),
                       [&](const std::string& part) { return id.find(part) != std::string::npos; });
  }
  return !extra || !options.plots.empty();
}

// Tells a terminal how far things are.
class Progress {
 public:
  explicit Progress(size_t all) : all_(all), shown_(isatty(STDERR_FILENO) != 0) {}
  ~Progress() { Say(""); }
  void Next(const std::string& id) { Say(fmt::format("[{}/{}] {}", ++done_, all_, id)); }

 private:
  void Say(const std::string& text) const {
    if (shown_) fmt::print(stderr, "\r\x1b[K{}", text);
  }
  size_t all_, done_ = 0;
  bool shown_;
};

void NoteMissing(const std::string& name, Results* results) {
  std::vector<std::string>& names = results->not_built;
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

Results MeasureAll(const Options& options) {
  std::vector<Row> rows = AllRows();
  std::erase_if(rows, [&](const Row& r) { return !Wanted(options, r.id, r.quick, r.extra); });
  std::vector<LatencyRow> latencies = AllLatencyRows();
  std::erase_if(latencies,
                [&](const LatencyRow& r) { return !Wanted(options, r.id, true, false); });

  std::vector<ChannelRow> channels = AllChannelRows();
  std::erase_if(channels,
                [&](const ChannelRow& r) { return !Wanted(options, r.id, r.quick, false); });

  Results results;
  Progress progress(rows.size() + latencies.size() + channels.size());
  for (Row& row : rows) {
    progress.Next(row.id);
    const std::optional<Config> config = FindBuilt(row.config);
    if (!config) {
      NoteMissing(row.config, &results);
      continue;
    }
    RowResult result = Measure(row, *config, options.wave);
    results.rows.push_back({std::move(row), std::move(result)});
  }
  for (LatencyRow& row : latencies) {
    progress.Next(row.id);
    const std::optional<Config> config = FindBuilt(row.config);
    if (!config) {
      NoteMissing(row.config, &results);
      continue;
    }
    LatencyResult result = MeasureLatency(row, *config);
    results.latencies.push_back({std::move(row), std::move(result)});
  }
  for (ChannelRow& row : channels) {
    progress.Next(row.id);
    const std::optional<FabricConfig> config = FindFabricBuilt(row.config);
    if (!config) {
      NoteMissing(row.config, &results);
      continue;
    }
    ChannelResult result = MeasureChannels(row, *config);
    results.channels.push_back({std::move(row), std::move(result)});
  }
  return results;
}

void List(const Options& options) {
  for (const Row& row : AllRows()) {
    if (Wanted(options, row.id, row.quick, row.extra)) fmt::print("{:<28} {}\n", row.id, row.work);
  }
  for (const LatencyRow& row : AllLatencyRows()) {
    if (Wanted(options, row.id, true, false)) fmt::print("{:<28} {}\n", row.id, row.what);
  }
  for (const ChannelRow& row : AllChannelRows()) {
    if (Wanted(options, row.id, row.quick, false)) fmt::print("{:<28} {}\n", row.id, row.what);
  }
}

int Speed(const Options& options, bool colour) {
  // What 64 bits are to reach, and what others do without checks.
  constexpr double kTarget = 2.0e6;
  Table table({"configuration", "bits", "cycles", "s", "cycles/s", "target", "verdict", "others",
               "without the reference model"},
              colour);
  int code = 0;
  for (const char* name : {"typical", "wide"}) {
    const std::optional<Config> config = FindBuilt(name);
    if (!config) continue;
    const SpeedResult r = MeasureSpeed(*config, options.speed_seconds);
    if (!r.error.empty()) {
      fmt::print("{}: {}\n", name, r.error);
      code = 1;
      continue;
    }
    const bool narrow = config->data_bytes == 8;
    table.Add({name, fmt::format("{}", 8 * config->data_bytes), fmt::format("{}", r.cycles),
               fmt::format("{:.2f}", r.seconds), fmt::format("{:.0f}", r.PerSecond()),
               narrow ? fmt::format("{:.0f}", kTarget) : "-",
               !narrow ? "-" : (r.PerSecond() >= kTarget ? "PASS" : "MISS"),
               narrow ? "2100000" : "500000",
               fmt::format("{:.0f}", static_cast<double>(r.cycles) / r.model_seconds)});
  }
  table.Print(stdout);
  return code;
}

int Check(const Options& options, const Figures& baseline, const Results& results) {
  const Comparison c = Compare(baseline, results.figures());
  for (const std::string& text : c.worse) fmt::print("worse   {}\n", text);
  for (const std::string& text : c.better) fmt::print("better  {}\n", text);
  for (const std::string& text : c.unknown) fmt::print("not in the baseline: {}\n", text);
  fmt::print("{} figures compared with {}: {} worse, {} better by more than 1 %\n", c.compared,
             options.baseline, c.worse.size(), c.better.size());
  if (c.compared == 0) fmt::print("nothing was compared\n");
  return c.worse.empty() && c.compared > 0 ? 0 : 1;
}

[[noreturn]] void RefuseNothing(const Options& options, const Results& results) {
  if (!results.not_built.empty()) {
    throw std::invalid_argument(fmt::format(
        "nothing is measured: this program has none of the configurations that the rows "
        "need ({})",
        fmt::join(results.not_built, ", ")));
  }
  throw std::invalid_argument(
      fmt::format("--filter is \"{}\": legal is a part of a name that --list tells",
                  fmt::join(options.filters, " ")));
}

}  // namespace

void AddOptions(CLI::App& app, Options* options) {
  options->baseline = TESSERA_BENCH_DIR "/baseline.csv";
  options->clocks = TESSERA_BENCH_DIR "/clock.json";
  app.add_option("--filter", options->filters, "Only rows whose name holds one of these texts");
  app.add_flag("--list", options->list, "Names the rows and ends");
  app.add_flag("--quick", options->quick, "A subset that takes seconds");
  app.add_flag("--check", options->check,
               "Fails if a figure is more than 1 % worse than the baseline");
  app.add_flag("--strict", options->strict, "Fails if a row misses its target");
  app.add_flag("--update", options->update, "Writes what was measured into the baseline");
  app.add_option("--baseline", options->baseline, "The file of the baseline")
      ->capture_default_str();
  app.add_option("--clock", options->clocks, "Estimated clocks")->capture_default_str();
  app.add_option("--csv", options->csv, "Writes the tables into this file");
  app.add_option("--plots", options->plots,
                 "Measures more transfer sizes and writes SVG plots into this folder");
  app.add_flag("--speed", options->speed, "Measures the simulation instead: cycles a second");
  app.add_option("--speed-seconds", options->speed_seconds, "At least so long each")
      ->check(CLI::Range(0.0, 1e6))
      ->capture_default_str();
  app.add_option("--wave", options->wave.path, "Writes an FST waveform of the last row measured");
  app.add_option("--wave-from", options->wave.from, "Its first cycle")->capture_default_str();
  app.add_option("--wave-to", options->wave.to, "Its last cycle")->capture_default_str();
}

int Run(const Options& options) {
  const bool colour = isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr;
  if (options.list) {
    List(options);
    return 0;
  }
  if (options.speed) return Speed(options, colour);

  // What cannot be read or written is found out now, not after minutes.
  const Clocks clocks = Clocks::Load(options.clocks);
  const bool there = options.check || std::filesystem::exists(options.baseline);
  const Figures baseline =
      there && (options.check || options.update) ? LoadBaseline(options.baseline) : Figures();
  if (options.update) TryToWrite(options.baseline);
  if (!options.csv.empty()) TryToWrite(options.csv);
  if (!options.wave.path.empty()) TryToWrite(options.wave.path);
  const Results results = MeasureAll(options);
  if (results.rows.empty() && results.latencies.empty() && results.channels.empty())
    RefuseNothing(options, results);
  PrintTables(results, clocks, colour, stdout);
  PrintSummary(results, clocks, stdout);
  if (!options.csv.empty()) WriteCsv(options.csv, results, clocks);
  if (!options.plots.empty()) {
    for (const std::string& file : WritePlots(options.plots, results)) {
      fmt::print("written: {}\n", file);
    }
  }
  int code = results.errors() == 0 ? 0 : 1;
  if (options.strict && results.misses() > 0) code = 1;
  if (options.update && results.errors() == 0) {
    Figures all = baseline;  // what was not measured stays
    for (const auto& [name, value] : results.figures()) all[name] = value;
    SaveBaseline(options.baseline, all);
  }
  if (options.check) code = std::max(code, Check(options, baseline, results));
  return code;
}

}  // namespace tessera::bench
