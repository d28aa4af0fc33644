// tessera run: a job file on the RTL.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

#include "tb/check/writable.h"
#include "tools/program/commands.h"
#include "tools/run/report.h"
#include "tools/run/waves.h"

namespace tessera::cli {
namespace {

struct Options {
  std::string job, config, out = ".", wave, report;
  uint64_t seed = 0;
  CLI::Option* seed_given = nullptr;
  bool quiet = false;
};

job::Job Load(const Options& options) {
  job::Job job = job::LoadJob(options.job);
  if (!options.config.empty()) job.config = options.config;
  if (options.seed_given->count() > 0) job.seed = options.seed;
  if (!options.wave.empty()) job.wave = options.wave;
  if (!options.report.empty()) job.report = options.report;
  return job;
}

// Where something begins to happen.
uint64_t FirstCycle(const RunResult& result) {
  uint64_t first = kNever;
  for (const ChannelResult& channel : result.channels) {
    for (const JobResult& job : channel.transfers) first = std::min(first, job.offered);
  }
  return first == kNever ? 0 : first;
}

int Run(const Options& options, const Terminal& terminal) {
  Prepared prepared;
  Prepare(Load(options), &prepared);
  std::error_code error;
  std::filesystem::create_directories(options.out, error);
  if (error) {
    throw job::Error(fmt::format("--out {}: cannot be made: legal is a folder that can be written",
                                 options.out));
  }
  RunOptions run;
  if (!prepared.job.wave.empty()) run.wave = OutputPath(options.out, prepared.job.wave);
  if (!run.wave.empty()) TryToWrite(run.wave);
  run.progress = [&](uint64_t cycle, uint64_t bytes, uint64_t all) {
    terminal.Progress(fmt::format("{} cycles, {} of {} bytes", cycle, bytes, all));
  };
  const RunResult result = RunJob(prepared, run);
  terminal.Progress("");
  std::vector<std::string> written = WriteFiles(prepared, result, options.out);
  if (!run.wave.empty()) {
    written.push_back(run.wave);
    written.push_back(WriteSaveFile(run.wave, prepared, FirstCycle(result)));
  }
  if (!options.quiet) {
    PrintRun(prepared, result, 16, terminal);
    for (const std::string& path : written) fmt::print("written: {}\n", path);
  }
  return result.passed() ? 0 : 1;
}

struct CheckOptions {
  std::vector<std::string> jobs;
  bool parse_only = false;
};

int Check(const CheckOptions& options) {
  int status = 0;
  for (const std::string& path : options.jobs) {
    try {
      job::Job job = job::LoadJob(path);
      if (!options.parse_only) {
        Prepared prepared;
        Prepare(std::move(job), &prepared);
      }
      fmt::print("{}: ok\n", path);
    } catch (const job::Error& error) {
      fmt::print("{}\n", error.what());
      status = 2;
    }
  }
  return status;
}

}  // namespace

void RegisterCheck(CLI::App& app, Program* program) {
  auto options = std::make_shared<CheckOptions>();
  CLI::App* check =
      app.add_subcommand("check", "Says of job files whether they could run, a line each");
  check->add_option("JOB", options->jobs, "Job files")->required();
  check->add_flag("--parse", options->parse_only, "Looks at no other file and at no configuration");
  check->footer("For example: tessera check examples/jobs/*.json");
  check->callback([options, program] { program->status = Check(*options); });
}

void RegisterRun(CLI::App& app, Program* program) {
  auto options = std::make_shared<Options>();
  CLI::App* run = app.add_subcommand(
      "run", "Runs a job file on the RTL and checks every byte against the reference model");
  run->add_option("JOB", options->job, "The job file (docs/run.md)")->required();
  run->add_option("--config", options->config, "Another configuration than the job's");
  options->seed_given = run->add_option("--seed", options->seed, "Another seed than the job's");
  run->add_option("--out", options->out, "Folder for everything that is written")
      ->capture_default_str();
  run->add_option("--wave", options->wave,
                  "Writes a waveform (FST) and a GTKWave save file beside it");
  run->add_option("--report", options->report, "Writes a report (JSON)");
  run->add_flag("--quiet", options->quiet, "Prints nothing but what is wrong");
  run->footer("For example: tessera run examples/jobs/halo.json --wave halo.fst --out build/halo");
  run->callback([options, program] { program->status = Run(*options, program->terminal); });
}

}  // namespace tessera::cli
