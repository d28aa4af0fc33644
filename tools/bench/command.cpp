// tessera bench: the performance bench as a command.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <stdexcept>

#include "bench/measure.h"
#include "bench/programs.h"
#include "bench/report.h"
#include "tb/files/interrupt.h"
#include "tb/files/output.h"
#include "tb/files/text.h"
#include "tb/sim/counted.h"
#include "tb/sim/model.h"
#include "tools/bench/plot.h"
#include "tools/program/commands.h"
#include "tools/terminal/terminal.h"

namespace tessera::bench {
namespace {

struct Options {
  std::vector<std::string> filters;
  bool list = false, quick = false, check = false, update = false, speed = false, strict = false;
  double speed_seconds = 2.0;
  std::string csv, plots;
  std::string baseline, clocks;  // empty: those of the sources, if they are found
  WaveRequest wave;
};

constexpr const char* kBaseline = "bench/baseline.csv";
constexpr const char* kClocks = "bench/figures.json";

// A file of the sources: below the working folder, or below a folder above the program.
std::string OfSources(const std::string& name) {
  namespace fs = std::filesystem;
  std::error_code none;
  if (fs::exists(name, none)) return name;
  fs::path above = fs::read_symlink("/proc/self/exe", none);
  while (above.has_relative_path()) {
    above = above.parent_path();
    if (fs::exists(above / name, none)) return (above / name).string();
  }
  return name;
}

bool Wanted(const Options& options, const std::string& id, bool quick, bool extra) {
  if (options.quick && !quick) return false;
  if (!options.filters.empty()) {
    return std::any_of(options.filters.begin(), options.filters.end(),
                       [&](const std::string& part) { return id.find(part) != std::string::npos; });
  }
  return !extra || !options.plots.empty();
}

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
  const auto wanted = [&](auto all) {
    std::erase_if(all, [&](const auto& r) { return !Wanted(options, r.id, r.quick, false); });
    return all;
  };
  std::vector<ProgramRow> programs = wanted(AllProgramRows());
  size_t all = rows.size() + latencies.size() + programs.size();
  std::vector<std::pair<Suite, std::vector<ProgramRow>>> suites;
  for (const Suite& suite : Suites()) {
    suites.emplace_back(suite, wanted(suite.rows()));
    all += suites.back().second.size();
  }

  Results results;
  const cli::Terminal terminal;
  size_t done = 0;
  const auto measure_each = [&](auto& these, auto measure, auto* measured) {
    for (auto& row : these) {
      if (Interrupted()) break;
      terminal.Progress(fmt::format("[{}/{}] {}", ++done, all, row.id));
      try {
        auto result = measure(row);
        if (result) {
          measured->push_back({std::move(row), std::move(*result)});
        } else {
          NoteMissing(row.config, &results);
        }
      } catch (const InterruptedRun&) {
        break;  // half a row is none
      }
    }
  };
  const auto measure_row = [&](const Row& row, const Config& config) {
    RowResult result = Measure(row, config, options.wave);
    results.unwritten = result.unwritten;  // of the last row
    return result;
  };
  // Nothing if the build of a row is not there.
  const auto if_built = [](const auto& built, auto measure) {
    return [built, measure](const auto& row) {
      const auto config = FindNamed(built, row.config);
      return config ? std::optional(measure(row, *config)) : std::nullopt;
    };
  };
  measure_each(rows, if_built(Configs(), measure_row), &results.rows);
  measure_each(latencies, if_built(Configs(), MeasureLatency), &results.latencies);
  measure_each(programs, if_built(Dmas(), MeasureProgram), &results.programs);
  for (auto& [suite, these] : suites) measure_each(these, suite.measure, &results.programs);
  terminal.Progress("");
  return results;
}

void List(const Options& options) {
  for (const Row& row : AllRows()) {
    if (Wanted(options, row.id, row.quick, row.extra)) fmt::print("{:<28} {}\n", row.id, row.work);
  }
  for (const LatencyRow& row : AllLatencyRows()) {
    if (Wanted(options, row.id, true, false)) fmt::print("{:<28} {}\n", row.id, row.what);
  }
  const auto list_programs = [&](const std::vector<ProgramRow>& rows) {
    for (const ProgramRow& row : rows) {
      if (Wanted(options, row.id, row.quick, false)) fmt::print("{:<28} {}\n", row.id, row.what);
    }
  };
  list_programs(AllProgramRows());
  for (const Suite& suite : Suites()) list_programs(suite.rows());
}

int Speed(const Options& options, bool colour) {
  // What 64 bits are to reach, and what others do without checks.
  constexpr double kTarget = 2.0e6;
  Table table({"configuration", "bits", "cycles", "s", "cycles/s", "target", "verdict", "others",
               "without the reference model"},
              colour);
  int code = 0;
  for (const char* name : {"typical", "wide"}) {
    const std::optional<Config> config = FindNamed(Configs(), name);
    if (!config) continue;
    SpeedResult r;
    try {
      r = MeasureSpeed(*config, options.speed_seconds);
    } catch (const InterruptedRun&) {
      break;
    }
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
  if (Interrupted()) fmt::print("interrupted: what was measured stands above\n");
  return Interrupted() ? InterruptStatus() : code;
}

int Check(const Options& options, const Figures& baseline, const Results& results) {
  const Comparison c = Compare(baseline, results.figures());
  for (const std::string& text : c.worse) fmt::print("worse   {}\n", text);
  for (const std::string& text : c.better) fmt::print("better  {}\n", text);
  for (const std::string& text : c.unknown) fmt::print("not in the baseline: {}\n", text);
  fmt::print("{} compared with {}: {} worse, {} better by more than 1 %\n",
             Counted(c.compared, "figure"), Escaped(options.baseline), c.worse.size(),
             c.better.size());
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

// What cannot be written is found out now.
void CheckNames(const Options& options) {
  FileNames names;
  names.Input("--clock", options.clocks);
  const auto add = [&](const char* what, const std::string& path) {
    names.Output(what, path);
    CheckOutput(path);
  };
  if (options.update) {
    add("--baseline", options.baseline);
  } else {
    names.Input("--baseline", options.baseline);
  }
  if (!options.csv.empty()) add("--csv", options.csv);
  if (!options.wave.path.empty()) add("--wave", options.wave.path);
  if (!options.plots.empty()) {
    for (const std::string& file : PlotFiles(options.plots)) add("a file of --plots", file);
  }
}

// Tables and verdict, then files; of an interrupted bench the tables alone.
int Tell(const Options& options, const Clocks& clocks, const Figures& baseline, bool colour,
         const Results& results) {
  int status = results.errors() == 0 ? cli::kGood : cli::kFailed;
  if (options.strict && results.misses() > 0) status = cli::kFailed;
  status = cli::WriteAfter(status, [&] {
    PrintTables(results, clocks, colour, stdout);
    PrintSummary(results, clocks, stdout);
    if (Interrupted()) fmt::print("interrupted: what was measured stands above\n");
    if (options.check && !Interrupted())
      status = std::max(status, Check(options, baseline, results));
    std::fflush(stdout);
  });
  if (Interrupted()) return status;
  if (!options.csv.empty()) {
    status = cli::WriteAfter(status, [&] { WriteCsv(options.csv, results, clocks); });
  }
  if (!options.plots.empty()) {
    const Plots plots = WritePlots(options.plots, results);
    status = cli::WriteAfter(status, [&] {
      for (const std::string& file : plots.written) fmt::print("written: {}\n", Escaped(file));
    });
    for (const std::string& failure : plots.failures) {
      status = cli::WriteAfter(status, [&] { throw OutputError(failure); });
    }
  }
  if (options.update && results.errors() == 0) {
    Figures all = baseline;  // what was not measured stays
    for (const auto& [name, value] : results.figures()) all[name] = value;
    status = cli::WriteAfter(status, [&] { SaveBaseline(options.baseline, all); });
  }
  if (!results.unwritten.empty()) {
    status = cli::WriteAfter(status, [&] { throw OutputError(results.unwritten); });
  }
  return status;
}

void AddOptions(CLI::App& app, Options* options) {
  CLI::Option* filter =
      app.add_option("--filter", options->filters, "Only rows whose name holds one of these texts");
  CLI::Option* list = app.add_flag("--list", options->list, "Names the rows and ends");
  CLI::Option* quick = app.add_flag("--quick", options->quick, "A subset that takes seconds");
  CLI::Option* check = app.add_flag("--check", options->check,
                                    "Fails if a figure is more than 1 % worse than the baseline");
  CLI::Option* strict =
      app.add_flag("--strict", options->strict, "Fails if a row misses its target");
  CLI::Option* update =
      app.add_flag("--update", options->update, "Writes what was measured into the baseline");
  app.add_option("--baseline", options->baseline, "The file of the baseline")
      ->default_str(kBaseline);
  app.add_option("--clock", options->clocks, "Estimated clocks")->default_str(kClocks);
  CLI::Option* csv = app.add_option("--csv", options->csv, "Writes the tables into this file");
  CLI::Option* plots =
      app.add_option("--plots", options->plots,
                     "Measures more transfer sizes and writes SVG plots into this folder");
  CLI::Option* speed =
      app.add_flag("--speed", options->speed, "Measures the simulation instead: cycles a second");
  app.add_option("--speed-seconds", options->speed_seconds, "At least so long each")
      ->check(CLI::Range(0.0, 1e6))
      ->capture_default_str()
      ->needs(speed);
  CLI::Option* wave = app.add_option("--wave", options->wave.path,
                                     "Writes an FST waveform of the last row measured");
  app.add_option("--wave-from", options->wave.from, "Its first cycle")
      ->capture_default_str()
      ->needs(wave);
  app.add_option("--wave-to", options->wave.to, "Its last cycle")
      ->capture_default_str()
      ->needs(wave);
  for (CLI::Option* option : {check, strict, update, csv, plots, wave}) {
    list->excludes(option);
    speed->excludes(option);
  }
  for (CLI::Option* option : {filter, list, quick}) speed->excludes(option);
}

int Run(Options options) {
  const InterruptScope in_order;
  if (options.baseline.empty()) options.baseline = OfSources(kBaseline);
  const bool clocks_given = !options.clocks.empty();
  if (!clocks_given) options.clocks = OfSources(kClocks);
  const bool colour = cli::Terminal().colour();
  if (options.list) {
    List(options);
    return 0;
  }
  if (options.speed) return Speed(options, colour);
  if (options.wave.from > options.wave.to) {
    throw std::invalid_argument(fmt::format("--wave-from is {}: legal is at most --wave-to, {}",
                                            options.wave.from, options.wave.to));
  }

  // What cannot be read or written is found out now, not after minutes.
  CheckNames(options);
  const bool clocked = clocks_given || std::filesystem::exists(options.clocks);
  const Clocks clocks = clocked ? Clocks::Load(options.clocks) : Clocks();
  const bool there = options.check || std::filesystem::exists(options.baseline);
  const Figures baseline =
      there && (options.check || options.update) ? LoadBaseline(options.baseline) : Figures();
  const Results results = MeasureAll(options);
  if (results.size() == 0 && !Interrupted()) RefuseNothing(options, results);
  const int status = Tell(options, clocks, baseline, colour, results);
  return Interrupted() ? InterruptStatus() : status;
}

}  // namespace
}  // namespace tessera::bench

namespace tessera::cli {

void RegisterBench(CLI::App& app, int* status) {
  auto options = std::make_shared<bench::Options>();
  CLI::App* command = app.add_subcommand(
      "bench", "Measures utilisation and latency on the memory of the bench and checks every byte");
  bench::AddOptions(*command, options.get());
  command->footer("For example: tessera bench --filter read/copy-4096");
  command->callback([options, status] { *status = bench::Run(*options); });
}

}  // namespace tessera::cli
