// tessera show: explains transfers without running RTL.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string_view>

#include "tb/check/encode.h"
#include "tb/files/input.h"
#include "tb/files/output.h"
#include "tb/files/text.h"
#include "tb/sim/counted.h"
#include "tools/job/job.h"
#include "tools/program/commands.h"
#include "tools/show/configs.h"
#include "tools/show/direct.h"
#include "tools/show/picture.h"
#include "tools/show/program.h"
#include "tools/show/report.h"
#include "tools/show/words.h"

namespace tessera::cli {
namespace {

using namespace show;  // NOLINT: this file is its command

struct Options {
  std::string job, transfer, config, direction, svg, html, run;
  DirectOptions direct;
  ReportOptions report;
  bool json = false;
};

struct Shown {
  std::string name;
  Subject subject;
  std::vector<Note> notes;
};

[[noreturn]] void Refuse(const std::string& what) { throw std::invalid_argument(what); }

// All transfers of a job, channel by channel.
std::vector<Shown> OfJob(const Options& o) {
  const job::Job job = job::LoadJob(o.job);
  const job::Hardware hardware =
      o.config.empty() ? FindNamed(job) : FindNamed(o.config, "--config");
  job::CheckJob(job, hardware);
  const Config& config = hardware.config;
  std::vector<Shown> all;
  const auto add = [&](const job::NamedTransfer& t, Direction direction) {
    const std::string name = t.name.empty() ? t.place : fmt::format("{} ({})", t.name, t.place);
    all.push_back({fmt::format("{}: {}", o.job, name), {t.value, direction, config}, {}});
    return t.name == o.transfer && !o.transfer.empty();
  };
  for (const job::Channel& channel : job.channels) {
    for (const job::NamedTransfer& t : channel.transfers) {
      if (add(t, channel.direction)) return {all.back()};
    }
  }
  for (const job::Descriptor& d : job.descriptors) {
    if (add(d.transfer, job.DirectionOf(d))) return {all.back()};
  }
  if (o.transfer.empty()) return all;
  size_t number = all.size(), used = 0;
  try {
    number = std::stoul(o.transfer, &used);
  } catch (const std::exception&) {
  }
  if (used != o.transfer.size() || number >= all.size()) {
    Refuse(fmt::format("{}: --transfer is \"{}\": legal is 0 to {}, or the name of a transfer",
                       o.job, o.transfer, all.empty() ? 0 : all.size() - 1));
  }
  return {all[number]};
}

// A read gives TLAST, a write takes it.
void CheckDirection(const Options& o) {
  if (o.direction == "write" && !o.direct.last.empty()) {
    Refuse("--last is given with --direction write: legal is one of them");
  }
  if (o.direction != "write" && o.direct.on_last) {
    Refuse("--on-last is given without --direction write: legal is with it");
  }
}

Shown OfOptions(const Options& o) {
  CheckDirection(o);
  const DirectTransfer made = MakeDirect(o.direct);
  Shown shown;
  shown.name = "transfer";
  shown.subject.transfer = made.value;
  shown.subject.direction = o.direction == "write" ? Direction::kWrite : Direction::kRead;
  shown.subject.config = FindNamed(o.config.empty() ? "typical" : o.config, "--config").config;
  if (const auto wrong = model::Validate(made.value, BuildOf(shown.subject.config))) {
    Refuse(fmt::format("--{} (configuration {})", *wrong, shown.subject.config.name));
  }
  for (const std::string& note : made.notes) shown.notes.push_back({"dimensions", note});
  return shown;
}

// What a run tells that is not of this job; empty if there is nothing.
std::string Foreign(const job::Job& job, const std::string& ran, const timeline::Timeline& run) {
  if (FileName(ran) != FileName(job.file)) return "it is of " + FileName(ran);
  const auto names = [](const auto& list) {
    std::vector<std::string> all;
    for (const auto& each : list) all.push_back(each.name);
    return all;
  };
  const auto differ = [&](const char* what, const auto& seen, const auto& given) {
    const std::vector<std::string> is = names(seen), wanted = names(given);
    return is == wanted ? "" : fmt::format("its {} are {}", what, fmt::join(is, ", "));
  };
  std::string wrong = differ("channels", run.lanes, job.channels);
  if (wrong.empty()) wrong = differ("locks", run.locks, job.locks);
  for (size_t k = 0; k < run.lanes.size() && wrong.empty(); ++k) {
    const bool write = job.channels[k].direction == Direction::kWrite;
    if (run.lanes[k].write != write)
      return fmt::format("its channel {} {}", run.lanes[k].name, write ? "reads" : "writes");
    for (const timeline::Mark& record : run.lanes[k].records) {
      if (job.channels[k].tasks.empty() || job.FindDescriptor(record.name) != nullptr) continue;
      return "it has a record of descriptor " + record.name;
    }
  }
  return wrong;
}

// The timeline that `tessera run --report` keeps of this job.
std::optional<timeline::Timeline> TimelineOf(const Options& o, const job::Job& job) {
  if (o.run.empty()) return std::nullopt;
  constexpr size_t kMostText = size_t{256} << 20;
  const auto json = nlohmann::ordered_json::parse(
      ReadNamed(o.run, "a report of `tessera run --report`", kMostText), nullptr, false);
  const auto found = json.is_object() ? json.find("timeline") : json.end();
  if (json.is_discarded() || !json.is_object() || found == json.end()) {
    Refuse(
        fmt::format("--run is \"{}\": it has no timeline, legal is a report of `tessera run "
                    "--report` on a build of tessera_dma",
                    o.run));
  }
  timeline::Timeline run;
  try {
    run = timeline::FromJson(*found);
  } catch (const std::invalid_argument& error) {
    Refuse(fmt::format("--run is \"{}\": {}, legal is a report of `tessera run --report`", o.run,
                       error.what()));
  }
  const auto ran = json.find("job");
  const std::string wrong =
      ran == json.end() || !ran->is_string() ? "it names no job" : Foreign(job, *ran, run);
  if (wrong.empty()) return run;
  Refuse(fmt::format("--run is \"{}\": {}, legal is a report of a run of {}", o.run, wrong,
                     FileName(job.file)));
}

// A program as a whole: words, and its picture or that of its run.
void RunProgram(const Options& o, const job::Job& job, const job::Hardware& hardware) {
  const std::optional<timeline::Timeline> run = TimelineOf(o, job);
  fmt::print("{}", ProgramText(job, hardware));
  std::fflush(stdout);
  if (!o.svg.empty()) {
    WriteOutput(o.svg,
                run ? DrawTimeline(*run, fmt::format("{}: {}", FileName(job.file),
                                                     Counted(run->last - run->first, "cycle")))
                    : ProgramPicture(job, hardware));
  }
  if (!o.html.empty()) WriteOutput(o.html, ProgramPage(job, hardware, run));
}

void Run(const Options& o) {
  if (o.job.empty() && !o.direct.given()) {
    Refuse(
        "tessera show: JOB is missing: legal is a job file, or --count and --base (0 unless given) "
        "for a transfer without one (see tessera show --help)");
  }
  FileNames names;
  if (!o.job.empty()) names.Input("the job", o.job);
  if (!o.svg.empty()) names.Output("--svg", o.svg);
  if (!o.html.empty()) names.Output("--html", o.html);
  if (!o.run.empty()) names.Input("--run", o.run);
  if (!o.job.empty() && o.transfer.empty() && !o.json) {
    const job::Job job = job::LoadJob(o.job);
    if (HasProgram(job) && o.config.empty()) {
      const job::Hardware hardware = FindNamed(job);
      job::CheckJob(job, hardware);
      for (const std::string& path : {o.svg, o.html}) {
        if (!path.empty()) CheckOutput(path);
      }
      RunProgram(o, job, hardware);
      return;
    }
  }
  if (!o.run.empty()) {
    Refuse(
        fmt::format("--run is \"{}\": it needs a job with descriptors, and no --transfer, --config "
                    "or --json",
                    o.run));
  }
  const std::vector<Shown> all = o.job.empty() ? std::vector<Shown>{OfOptions(o)} : OfJob(o);
  if ((!o.svg.empty() || !o.html.empty()) && all.size() != 1) {
    Refuse(fmt::format("{}: has {} transfers: --transfer says which one is drawn, legal is 0 to {}",
                       o.job, all.size(), all.size() - 1));
  }
  for (const std::string& path : {o.svg, o.html}) {
    if (!path.empty()) CheckOutput(path);
  }
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  std::string picture, page;
  std::string text;
  for (const Shown& shown : all) {
    Report report = MakeReport(Escaped(shown.name), shown.subject, o.report);
    report.notes.insert(report.notes.begin(), shown.notes.begin(), shown.notes.end());
    if (!o.svg.empty()) picture = MakePicture(report);
    if (!o.html.empty()) page = MakePage(report);
    if (o.json) {
      list.push_back(ReportJson(report));
    } else {
      text += (text.empty() ? "" : "\n") + ReportText(report);
    }
  }
  fmt::print("{}", o.json ? list.dump(2) + "\n" : text);
  std::fflush(stdout);
  if (!o.svg.empty()) WriteOutput(o.svg, picture);
  if (!o.html.empty()) WriteOutput(o.html, page);
}

void AddDirect(CLI::App* show, CLI::Option* job, Options* o) {
  const char* group = "A transfer without a job file";
  DirectOptions* d = &o->direct;
  const auto add = [&](const char* name, auto& value, const char* what) {
    return show->add_option(name, value, what)->group(group)->excludes(job);
  };
  add("--base", d->base, "Address of the element whose coordinates are all 0; 0 unless given");
  add("--elem", d->elem, "Bytes of an element");
  add("--count", d->count, "Positions, the innermost dimension first: 64,64")
      ->check(CLI::Range(uint32_t{0}, std::numeric_limits<uint32_t>::max()))
      ->delimiter(',');
  add("--stride", d->stride, "Bytes; those that are absent make it contiguous")->delimiter(',');
  add("--start", d->start, "Coordinates of the first position")
      ->check(CLI::Range(std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max()))
      ->delimiter(',');
  add("--bound", d->bound, "Valid coordinates, - for no bound")->delimiter(',');
  add("--walk", d->walk, "DIM:STEP:COUNT, a level of the traversal, innermost first; repeat it");
  add("--length", d->length, "Elements after which the transfer ends");
  add("--fill", d->fill, "Value of a fill element");
  add("--direction", o->direction, "read (memory to stream) or write")
      ->check(CLI::IsMember({"read", "write"}));
  add("--last", d->last, "TLAST of a read: never, transfer, task, or a level 0 to 7");
  show->add_flag("--on-last", d->on_last, "A write that ends on TLAST")
      ->group(group)
      ->excludes(job);
}

}  // namespace

void RegisterShow(CLI::App& app, int*) {
  auto options = std::make_shared<Options>();
  CLI::App* show = app.add_subcommand(
      "show", "Explains transfers without running them: rows, bursts, cycles, advice, pictures");
  Options* o = options.get();
  CLI::Option* job = show->add_option("JOB", o->job, "The job file (docs/run.md)");
  show->add_option(
          "--transfer", o->transfer,
          "Number or name of the transfer or descriptor; if absent all of them, or the program")
      ->needs(job);
  show->add_option("--config", o->config, "Another configuration than the job's, or than typical");
  show->add_option("--latency", o->report.latencies, "Latencies of the memory, in cycles")
      ->check(CLI::Range(1, 1'000'000))
      ->delimiter(',')
      ->capture_default_str();
  show->add_option("--table", o->report.table_rows, "Positions in the table of addresses")
      ->check(CLI::Range(0, 1'000'000))
      ->capture_default_str();
  show->add_flag("--json", o->json, "Prints JSON");
  show->add_option("--svg", o->svg, "Writes a picture");
  show->add_option("--html", o->html,
                   "Writes a page: a walk to be stepped, or a program with its run");
  show->add_option("--run", o->run,
                   "A report of `tessera run --report`: draws what the channels did")
      ->needs(job);
  AddDirect(show, job, o);
  show->footer("For example: tessera show --base 0x1000 --count 64,64 --stride 1,256");
  show->callback([options] { Run(*options); });
}

}  // namespace tessera::cli
