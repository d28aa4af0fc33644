// tessera soak: random cases for a time or a number, in shards side by side.
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdio>
#include <functional>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "tb/files/interrupt.h"
#include "tb/files/output.h"
#include "tb/files/text.h"
#include "tb/sim/counted.h"
#include "tb/soak/soak.h"
#include "tools/prepare/prepare.h"
#include "tools/program/commands.h"
#include "tools/terminal/terminal.h"

namespace tessera::cli {
namespace {

struct Options {
  std::vector<std::string> configs, merge;
  std::string shard = "0/1", replay, save;
  uint64_t shards = 1;  // of this one, side by side
  double seconds = 0;   // in all
  CLI::Option* cases_given = nullptr;
  SoakOptions soak;
};

std::vector<Config> ConfigsOf(const Options& options) {
  if (options.configs.empty()) return Configs();
  std::vector<Config> configs;
  for (const std::string& name : options.configs) {
    configs.push_back(FindHardware("--config", name).config);
  }
  return configs;
}

std::vector<SoakRow> ReadRows(const std::string& path) {
  try {
    return RowsFromJson(ReadJson(path));
  } catch (const std::exception& error) {
    throw job::Error(fmt::format("--merge {}: {}: legal is a file of --save", path, error.what()));
  }
}

// The rows of all files; no case may be in two of them.
std::vector<SoakRow> ReadAllRows(const std::vector<std::string>& paths) {
  std::vector<SoakRow> rows;
  std::vector<std::string> files;  // of each row
  for (const std::string& path : paths) {
    const size_t before = rows.size();
    for (const SoakRow& row : ReadRows(path)) {
      for (size_t n = 0; n < before; ++n) {
        if (rows[n].config != row.config) continue;
        for (const SoakSeedRange& mine : row.seeds) {
          for (const SoakSeedRange& other : rows[n].seeds) {
            const auto seed = CommonSeed(mine, other);
            if (!seed) continue;
            throw job::Error(
                fmt::format("--merge {}: it has the case of {} with seed {}, as {} has: legal is "
                            "every case once",
                            path, row.config, *seed, files[n]));
          }
        }
      }
      rows.push_back(row);
      files.push_back(path);
    }
  }
  return rows;
}

// One shard of this process: a child that writes a line of JSON after every so many cases.
struct Child {
  pid_t pid = -1;
  int pipe = -1;
  std::string text;           // not yet a whole line
  std::vector<SoakRow> rows;  // as last told
  bool ended = false;         // it said that it is done
};

void Say(int pipe, const std::vector<SoakRow>& rows, bool ended) {
  Json json = ToJson(rows);
  json["ended"] = ended;
  const std::string line = json.dump() + "\n";
  for (size_t done = 0; done < line.size();) {
    const ssize_t n = write(pipe, line.data() + done, line.size() - done);
    if (n <= 0) _exit(1);
    done += static_cast<size_t>(n);
  }
}

[[noreturn]] void RunChild(const std::vector<Config>& configs, const SoakOptions& soak, int pipe) {
  std::vector<SoakRow> rows;
  try {
    for (const Config& config : configs) {
      rows.emplace_back();
      double told = 0;
      rows.back() = SoakConfig(config, soak, [&](const SoakRow& row) {
        if (row.seconds - told < 0.2) return;
        told = row.seconds;
        rows.back() = row;
        Say(pipe, rows, false);
      });
    }
    Say(pipe, rows, true);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", Escaped(error.what()));
    std::fflush(nullptr);
    _exit(1);
  }
  std::fflush(nullptr);
  _exit(0);
}

Child Start(const std::vector<Config>& configs, const SoakOptions& soak) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) throw std::runtime_error("no pipe to a shard can be made");
  std::fflush(nullptr);
  Child child;
  child.pid = fork();
  if (child.pid < 0) throw std::runtime_error("no process for a shard can be made");
  if (child.pid == 0) {
    close(ends[0]);
    const InterruptScope in_order{InterruptScope::Patient()};
    RunChild(configs, soak, ends[1]);
  }
  close(ends[1]);
  child.pipe = ends[0];
  return child;
}

// Takes what a child says; false once it has ended.
bool Listen(Child* child) {
  std::array<char, 65536> part;
  const ssize_t n = read(child->pipe, part.data(), part.size());
  if (n <= 0) {
    close(child->pipe);
    child->pipe = -1;
    return false;
  }
  child->text.append(part.data(), static_cast<size_t>(n));
  for (size_t end; (end = child->text.find('\n')) != std::string::npos;) {
    const Json json = Json::parse(child->text.substr(0, end));
    child->rows = RowsFromJson(json);
    child->ended = json.at("ended").get<bool>();
    child->text.erase(0, end + 1);
  }
  return true;
}

std::vector<SoakRow> All(const std::vector<Child>& children) {
  std::vector<SoakRow> rows;
  for (const Child& child : children) rows.insert(rows.end(), child.rows.begin(), child.rows.end());
  return Merge(rows);
}

void Tell(const std::vector<Child>& children, const Terminal& terminal) {
  SoakRow sum;
  std::string at;
  for (const SoakRow& row : All(children)) {
    sum += row;
    at = row.config;
  }
  terminal.Progress(fmt::format("{}: {}, {}, {} failed", at, Counted(sum.cases, "case"),
                                Counted(sum.transfers, "transfer"), sum.failed));
}

// The commands that run what an interrupted soak did not, a line for each configuration. Shards
// need not have come equally far: what the slowest did not run is run again.
std::vector<std::string> GoOn(const Options& options, const std::vector<Config>& configs,
                              const std::vector<Child>& children) {
  const SoakOptions& soak = options.soak;
  const uint64_t shards = soak.shards * options.shards;
  std::vector<std::string> lines;
  for (const Config& config : configs) {
    uint64_t done = ~uint64_t{0};  // of each shard
    double seconds = 0;
    bool failed = false;
    for (const Child& child : children) {
      const auto row = std::find_if(child.rows.begin(), child.rows.end(),
                                    [&](const SoakRow& r) { return r.config == config.name; });
      done = std::min(done, row == child.rows.end() ? 0 : row->cases);
      if (row == child.rows.end()) continue;
      seconds = std::max(seconds, row->seconds);
      failed = failed || row->failed >= soak.failures;
    }
    const uint64_t first = done * shards;
    if (failed || (soak.cases > 0 && first >= soak.cases)) continue;
    if (soak.seconds > 0 && seconds >= soak.seconds) continue;
    std::string line =
        fmt::format("tessera soak --config {} --seed {}", config.name, soak.seed + first);
    line += fmt::format(" --cases {}", soak.cases > 0 ? soak.cases - first : 0);
    if (soak.seconds > 0) line += fmt::format(" --seconds {:.0f}", soak.seconds - seconds + 0.5);
    if (soak.out != SoakOptions().out) line += fmt::format(" --out '{}'", soak.out);
    if (options.shards > 1) line += fmt::format(" --shards {}", options.shards);
    if (soak.shards > 1) line += fmt::format(" --shard {}", options.shard);
    lines.push_back(line);
  }
  return lines;
}

// Shards of the shard, a process each: they share nothing.
std::vector<SoakRow> RunShards(const Options& options, const std::vector<Config>& configs,
                               const Terminal& terminal, std::vector<std::string>* go_on) {
  std::vector<Child> children;
  for (uint64_t n = 0; n < options.shards; ++n) {
    SoakOptions soak = options.soak;
    soak.shard = options.soak.shard + n * options.soak.shards;
    soak.shards = options.soak.shards * options.shards;
    children.push_back(Start(configs, soak));
  }
  for (size_t running = children.size(); running > 0;) {
    std::vector<pollfd> polls;
    for (const Child& child : children) polls.push_back({child.pipe, POLLIN, 0});
    const int ready = poll(polls.data(), polls.size(), -1);
    if (Interrupted() && go_on->empty()) {  // those that a terminal did not tell
      for (const Child& child : children) kill(child.pid, SIGTERM);
      go_on->emplace_back();
    }
    if (ready < 0) continue;
    for (size_t n = 0; n < children.size(); ++n) {
      if (polls[n].revents != 0 && children[n].pipe >= 0 && !Listen(&children[n])) --running;
    }
    Tell(children, terminal);
  }
  terminal.Progress("");
  bool died = false;
  for (size_t n = 0; n < children.size(); ++n) {
    int status = 0;
    waitpid(children[n].pid, &status, 0);
    if (status == 0 && children[n].ended) continue;
    fmt::print("shard {} of {} died before its end\n", n, children.size());
    died = true;
  }
  if (Interrupted()) *go_on = GoOn(options, configs, children);
  std::vector<SoakRow> rows = All(children);
  if (died) {
    SoakRow& row = rows.emplace_back();
    row.config = "(died)";
    row.cases = row.failed = 1;
  }
  return rows;
}

void CheckNames(const Options& options) {
  FileNames names;
  for (const std::string& path : options.merge) names.Input("--merge", path);
  if (!options.replay.empty()) {
    names.Input("--replay", options.replay);
    names.Output("the waveform of --replay", options.replay + ".fst");
    CheckOutput(options.replay + ".fst");
  }
  if (!options.save.empty()) {
    names.Output("--save", options.save);
    CheckOutput(options.save);
  }
}

int Soak(Options options, const Terminal& terminal) {
  const InterruptScope in_order;
  CheckNames(options);
  if (!options.replay.empty()) return Replay(options.replay, "tessera soak") ? 0 : 1;
  std::vector<SoakRow> rows;
  std::vector<std::string> go_on;
  if (!options.merge.empty()) {
    rows = Merge(ReadAllRows(options.merge));
  } else {
    const std::vector<Config> configs = ConfigsOf(options);
    ParseShard(options.shard, &options.soak);
    if (options.seconds > 0) {
      options.soak.seconds = options.seconds / static_cast<double>(configs.size());
      if (options.cases_given->count() == 0) options.soak.cases = 0;
    }
    rows = RunShards(options, configs, terminal, &go_on);
  }
  int status = kFailed;
  const auto print = [&] {
    if (PrintSoak(rows)) status = kGood;
    if (Interrupted()) fmt::print("interrupted\n");
    for (const std::string& line : go_on) fmt::print("go on: {}\n", Escaped(line));
    std::fflush(stdout);
  };
  const int told = WriteAfter(kGood, print);
  if (status == kGood) status = told;
  if (!options.save.empty()) {
    status = WriteAfter(status, [&] { WriteOutput(options.save, ToJson(rows).dump(2) + "\n"); });
  }
  return Interrupted() ? InterruptStatus() : status;
}

}  // namespace

void RegisterSoak(CLI::App& app, int* status) {
  auto options = std::make_shared<Options>();
  SoakOptions& soak = options->soak;
  soak.program = "tessera soak";
  CLI::App* command = app.add_subcommand(
      "soak", "Runs random cases for a time or a number and compares with the reference model");
  const auto add = [&](const char* name, auto& value, const char* what) {
    return command->add_option(name, value, what);
  };
  CLI::Option* config =
      add("--config", options->configs, "Only this configuration; may be given again");
  CLI::Option* seconds = add("--seconds", options->seconds, "Time for all configurations together")
                             ->check(CLI::Range(0.0, 1e9));
  CLI::Option* cases = options->cases_given =
      add("--cases", soak.cases, "Cases of each configuration; 0: no limit")->capture_default_str();
  CLI::Option* seed = add("--seed", soak.seed, "Seed of the first case; case n has seed + n")
                          ->capture_default_str();
  CLI::Option* shards = add("--shards", options->shards, "Processes side by side")
                            ->check(CLI::Range(1, 256))
                            ->capture_default_str();
  CLI::Option* shard =
      add("--shard", options->shard, "i/n: this machine runs every n-th case from i on")
          ->capture_default_str();
  CLI::Option* save = add("--save", options->save, "Writes the table as JSON, for --merge");
  CLI::Option* merge = add("--merge", options->merge, "Runs nothing; adds up the files of --save");
  CLI::Option* replay = add("--replay", options->replay, "Runs the case in this JSON file");
  CLI::Option* out =
      add("--out", soak.out, "Where failing cases and waveforms go")->capture_default_str();
  CLI::Option* failures = add("--failures", soak.failures, "Leaves a configuration after so many")
                              ->check(CLI::Range(uint64_t{1}, ~uint64_t{0} >> 1))
                              ->capture_default_str();
  CLI::Option* shrink = add("--shrink-runs", soak.shrink_runs, "Runs spent on shrinking; 0: none")
                            ->capture_default_str();
  for (CLI::Option* run : {config, seconds, cases, seed, shards, shard, out, failures, shrink}) {
    merge->excludes(run);
    replay->excludes(run);
  }
  replay->excludes(merge)->excludes(save);
  command->footer("For example: tessera soak --config typical --seconds 60 --shards 2");
  command->callback([options, status] { *status = Soak(*options, Terminal()); });
}

}  // namespace tessera::cli
