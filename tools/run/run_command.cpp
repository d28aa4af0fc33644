// tessera run: a job file on the RTL.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "tb/files/interrupt.h"
#include "tb/files/text.h"
#include "tb/sim/counted.h"
#include "tools/prepare/executor.h"
#include "tools/program/commands.h"
#include "tools/run/outputs.h"
#include "tools/run/report.h"
#include "tools/terminal/terminal.h"

namespace tessera::cli {
namespace {

struct Options {
  std::string job, config, dma, out = ".", wave, report, timeline;
  uint64_t seed = 0;
  CLI::Option* seed_given = nullptr;
  bool quiet = false;
};

// The job as the options change it; `given`: members that they name.
job::Job Load(const Options& options, std::set<std::string>* given) {
  job::Job job = job::LoadJob(options.job);
  if (!options.config.empty()) {
    FindHardware("--config", options.config);
    job.config = options.config;
    job.dma.clear();
  }
  if (!options.dma.empty()) {
    FindDma("--dma", options.dma);
    job.dma = options.dma;
  }
  if (options.seed_given->count() > 0) job.seed = options.seed;
  for (const auto& [member, option, out] :
       {std::tuple{"wave", &options.wave, &job.wave},
        std::tuple{"report", &options.report, &job.report},
        std::tuple{"timeline", &options.timeline, &job.timeline}}) {
    if (option->empty()) continue;
    *out = *option;
    given->insert(member);
  }
  return job;
}

int Run(const Options& options, const Terminal& terminal) {
  const InterruptScope in_order;
  Prepared prepared;
  std::set<std::string> given;
  Prepare(Load(options, &given), &prepared);
  CheckNames(prepared, options.out, given);
  CheckOutputs(prepared, options.out);
  RunOptions run;
  if (!prepared.job.wave.empty()) run.wave = OutputPath(options.out, prepared.job.wave);
  run.progress = [&](uint64_t cycle, uint64_t bytes, uint64_t all) {
    terminal.Progress(fmt::format("{} cycles, {} of {}", cycle, bytes, Counted(all, "byte")));
  };
  const RunResult result = RunJob(prepared, run);
  terminal.Progress("");
  // The verdict comes first: no file that cannot be written hides it.
  int status = WriteAfter(result.passed() ? kGood : kFailed, [&] {
    if (options.quiet) {
      PrintFailures(result, terminal);
    } else {
      PrintRun(prepared, result, 16, terminal);
    }
    std::fflush(stdout);
  });
  if (result.interrupted) return InterruptStatus();
  const Written written = WriteOutputs(prepared, result, options.out);
  status = WriteAfter(status, [&] {
    for (const std::string& path : written.paths) {
      if (!options.quiet) fmt::print("written: {}\n", Escaped(path));
    }
  });
  for (const std::string& failure : written.failures) Complain(failure);
  return status == kGood && !written.failures.empty() ? kUnwritten : status;
}

struct CheckOptions {
  std::vector<std::string> jobs;
  bool parse_only = false;
};

int Check(const CheckOptions& options) {
  int status = kGood;
  for (const std::string& path : options.jobs) {
    try {
      job::Job job = job::LoadJob(path);
      if (!options.parse_only) {
        Prepared prepared;
        Prepare(std::move(job), &prepared);
        if (prepared.hardware.dma) CheckProgram(prepared);
        CheckNames(prepared, ".");
      }
      fmt::print("{}: ok\n", Escaped(path));
    } catch (const job::Error& error) {
      fmt::print("{}\n", Escaped(error.what()));
      status = kWrongInput;
    }
  }
  return status;
}

}  // namespace

void RegisterCheck(CLI::App& app, int* status) {
  auto options = std::make_shared<CheckOptions>();
  CLI::App* check =
      app.add_subcommand("check", "Says of job files whether they could run, a line each");
  check->add_option("JOB", options->jobs, "The job files")->required();
  check->add_flag("--parse", options->parse_only, "Looks at no other file and at no configuration");
  check->footer("For example: tessera check examples/jobs/*.json");
  check->callback([options, status] { *status = Check(*options); });
}

void RegisterRun(CLI::App& app, int* status) {
  auto options = std::make_shared<Options>();
  CLI::App* run = app.add_subcommand(
      "run", "Runs a job file on the RTL and checks every byte against the reference model");
  run->add_option("JOB", options->job, "The job file (docs/run.md)")->required();
  CLI::Option* config =
      run->add_option("--config", options->config, "Another configuration than the job's");
  run->add_option("--dma", options->dma, "Runs it on a build of tessera_dma, by registers")
      ->excludes(config);
  options->seed_given = run->add_option("--seed", options->seed, "Another seed than the job's");
  run->add_option("--out", options->out, "Folder for everything that is written")
      ->capture_default_str();
  run->add_option("--wave", options->wave,
                  "Writes a waveform (FST) and a GTKWave save file beside it");
  run->add_option("--report", options->report, "Writes a report (JSON)");
  run->add_option("--timeline", options->timeline,
                  "Draws what the channels of a tessera_dma did (SVG)");
  run->add_flag("--quiet", options->quiet, "Prints nothing but what is wrong");
  run->add_flag_callback(
      "--schema",
      [] {
        fmt::print("{}", job::SchemaText());
        throw CLI::Success();
      },
      "Prints the JSON schema of job files");
  run->footer("For example: tessera run examples/jobs/halo.json --wave halo.fst --out build/halo");
  run->callback([options, status] { *status = Run(*options, Terminal()); });
}

}  // namespace tessera::cli
