// See report.h.
#include "tools/run/report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "tb/check/encode.h"
#include "tb/files/text.h"
#include "tb/sim/counted.h"

namespace tessera::cli {
namespace {

using Ordered = nlohmann::ordered_json;

const char* WayOf(Direction direction) { return direction == Direction::kWrite ? "write" : "read"; }

std::string StateOf(const JobResult& r) {
  if (r.state == JobResult::State::kDone) return StatusText(r.record.status);
  return r.state == JobResult::State::kWaiting ? "waits" : "runs";
}

// utilisation, limit, set by
std::string Shares(const Throughput& t) {
  if (t.cycles == 0 || t.bytes == 0) return fmt::format("{:>12} {:>7} {:>8}", "-", "-", "-");
  return fmt::format("{:>12.3f} {:>7.3f} {:>8}", t.utilisation, t.limit.utilisation, t.limit.bound);
}

// What a user may not have meant, of the job and of the run.
std::vector<std::string> NotesOf(const Prepared& p, const RunResult& result) {
  std::vector<std::string> notes = p.notes;
  notes.insert(notes.end(), result.notes.begin(), result.notes.end());
  const DmaFigures* figures = result.machine->dma();
  if (figures == nullptr) return notes;
  notes.insert(notes.end(), figures->notes.begin(), figures->notes.end());
  for (const timeline::Lane& lane : figures->timeline.lanes) {
    if (!lane.missed.empty()) notes.push_back(timeline::MissedWords(lane));
  }
  return notes;
}

void PrintChannels(const Prepared& p, const RunResult& result, const Terminal& terminal) {
  fmt::print("{}\n", terminal.Strong(fmt::format(
                         "{:<12} {:<6} {:>9} {:>11} {:>8} {:>8} {:>8} {:>12} {:>7} {:>8}",
                         "channel", "way", "transfers", "bytes", "cycles", "bursts", "least",
                         "utilisation", "limit", "set by")));
  for (const ChannelResult& r : result.channels) {
    const job::Channel& channel = *r.channel->channel;
    const bool known = r.bursts > 0 || r.least.bursts == 0;
    fmt::print("{:<12} {:<6} {:>9} {:>11} {:>8} {:>8} {:>8} {}\n", channel.name,
               WayOf(channel.direction), r.transfers.size(), r.bytes, r.cycles,
               known ? std::to_string(r.bursts) : "-", r.least.bursts, Shares(r));
  }
  for (const PortResult& r : result.ports) {
    fmt::print("{:<12} {:<6} {:>9} {:>11} {:>8} {:>8} {:>8} {}\n", fmt::format("port {}", r.port),
               WayOf(r.direction), "", r.bytes, r.cycles, "", "", Shares(r));
  }
  for (const std::string& note : NotesOf(p, result)) fmt::print("note: {}\n", note);
}

// What registers were for.
void PrintFigures(const Prepared& p, const DmaFigures& f) {
  fmt::print("driver: {}, {}, {}, {}, {}, {}\n", Counted(f.register_writes, "register write"),
             Counted(f.register_reads, "read"), Counted(f.descriptors, "descriptor"),
             Counted(f.tasks, "task"), Counted(f.interrupts, "interrupt"),
             Counted(f.tokens, "token"));
  fmt::print("external memory: {} read, {} written, in whole words\n",
             Counted(f.bytes_read, "byte"), f.bytes_written);
  if (p.hardware.dma->onchip_bytes() > 0) {
    fmt::print("on-chip buffer: {} in which an access waited for its bank\n",
               Counted(f.conflicts, "cycle"));
  }
  std::string locks;
  for (size_t k = 0; k < f.locks.size(); ++k) {
    locks += fmt::format("{}{} {}", locks.empty() ? "" : ", ", p.job.locks[k].name, f.locks[k]);
  }
  if (!locks.empty()) fmt::print("locks at the end: {}\n", locks);
}

Ordered FiguresReport(const Prepared& p, const RunResult& result, const DmaFigures& f) {
  Ordered locks = Ordered::array();
  for (size_t k = 0; k < f.locks.size(); ++k) {
    locks.push_back(
        {{"name", p.job.locks[k].name}, {"number", *p.job.locks[k].number}, {"value", f.locks[k]}});
    if (!result.locks_at_end.empty()) locks.back()["expected"] = result.locks_at_end[k];
  }
  return {{"register_writes", f.register_writes},
          {"register_reads", f.register_reads},
          {"descriptors", f.descriptors},
          {"tasks", f.tasks},
          {"tokens", f.tokens},
          {"interrupts", f.interrupts},
          {"external_bytes_read", f.bytes_read},
          {"external_bytes_written", f.bytes_written},
          {"on_chip_conflicts", f.conflicts},
          {"locks", locks}};
}

void PrintTransfers(const RunResult& result, size_t most_rows, const Terminal& terminal) {
  // Registers tell when a task was pushed, not when its transfers began.
  const bool pushed = result.machine->dma() != nullptr;
  size_t all = 0;
  for (const ChannelResult& r : result.channels) all += r.transfers.size();
  size_t shown = 0;
  for (const ChannelResult& r : result.channels) {
    const job::Channel& channel = *r.channel->channel;
    for (size_t k = 0; k < r.transfers.size(); ++k) {
      const JobResult& job = r.transfers[k];
      const std::string state = StateOf(job);
      if (all > most_rows && (state == "ok" || shown >= most_rows)) continue;
      if (shown++ == 0) {
        fmt::print("\n{}\n", terminal.Strong(
                                 fmt::format("{:<28} {:>11} {:>10} {:>10}  {}", "transfer", "bytes",
                                             pushed ? "pushed" : "accepted", "done", "status")));
      }
      const Step& t = r.channel->steps[k];
      const auto cycle = [](uint64_t c) { return c == kNever ? "-" : std::to_string(c); };
      fmt::print("{:<28} {:>11} {:>10} {:>10}  {}{}\n",
                 t.name.empty() ? fmt::format("{}[{}]", channel.name, k) : t.name, job.record.bytes,
                 cycle(pushed ? job.offered : job.accepted), cycle(job.done),
                 state == "ok" ? terminal.Good(state) : terminal.Bad(state),
                 job.record.dropped > 0 ? fmt::format(", {} dropped", job.record.dropped) : "");
    }
  }
}

Ordered Cycle(uint64_t cycle) { return cycle == kNever ? Ordered(nullptr) : Ordered(cycle); }

Ordered TransferReport(const Step& t, const JobResult& r) {
  Ordered json{{"place", t.place}};
  if (!t.name.empty()) json["name"] = t.name;
  json["status"] = StateOf(r);
  json["bytes"] = r.record.bytes;
  json["dropped"] = r.record.dropped;
  json["last"] = r.record.last;
  if (r.record.addr != 0) json["error_address"] = r.record.addr;
  json["offered"] = Cycle(r.offered);
  json["accepted"] = Cycle(r.accepted);
  json["done"] = Cycle(r.done);
  return json;
}

}  // namespace

void PrintFailures(const RunResult& result, const Terminal& terminal) {
  for (const std::string& failure : result.failures) {
    fmt::print("{} {}\n", terminal.Bad("FAILED"), failure);
  }
}

void PrintRun(const Prepared& p, const RunResult& result, size_t most_rows,
              const Terminal& terminal) {
  fmt::print("{}{}{}\n", Escaped(p.job.file), p.job.about.empty() ? "" : ": ",
             Escaped(p.job.about));
  const job::Hardware& h = p.hardware;
  const std::string engines = h.shared
                                  ? fmt::format("{} read and {} write engines on {} port{}, ",
                                                h.reads, h.writes, h.ports, h.ports == 1 ? "" : "s")
                                  : "";
  fmt::print("{} {} ({}{}-bit bus, {}-bit stream), seed {}, latency {}{}\n\n",
             h.dma ? "tessera_dma" : "configuration", h.config.name, engines,
             8 * h.config.data_bytes, 8 * h.config.stream_bytes, p.job.seed, p.job.bus.latency_min,
             p.job.bus.latency_max == p.job.bus.latency_min
                 ? ""
                 : fmt::format(" to {}", p.job.bus.latency_max));
  PrintChannels(p, result, terminal);
  PrintTransfers(result, most_rows, terminal);
  if (const DmaFigures* figures = result.machine->dma()) PrintFigures(p, *figures);
  fmt::print("\n");
  PrintFailures(result, terminal);
  if (result.interrupted) {
    fmt::print("{} after {}; nothing was compared\n", terminal.Bad("interrupted"),
               Counted(result.cycles, "cycle"));
  } else if (result.passed()) {
    std::string expected;
    if (result.expected > 0) {
      expected = fmt::format(", {} with what the job expects", Counted(result.expected, "byte"));
    }
    fmt::print("{} {}; {}, {} and {} of memory compared{}, no difference\n",
               terminal.Good("passed"), Counted(result.cycles, "cycle"),
               Counted(result.count.beats, "beat"), Counted(result.count.records, "record"),
               Counted(result.count.bytes, "byte"), expected);
  }
}

nlohmann::ordered_json ReportOf(const Prepared& p, const RunResult& result) {
  Ordered channels = Ordered::array();
  for (const ChannelResult& r : result.channels) {
    const job::Channel& channel = *r.channel->channel;
    Ordered transfers = Ordered::array();
    for (size_t k = 0; k < r.transfers.size(); ++k) {
      transfers.push_back(TransferReport(r.channel->steps[k], r.transfers[k]));
    }
    channels.push_back({{"name", channel.name},
                        {"direction", WayOf(channel.direction)},
                        {"engine", channel.engine},
                        {"bytes", r.bytes},
                        {"stream_beats", r.stream_beats},
                        {"bus_beats", r.bus_beats},
                        {"bus_beats_least", r.least.words},
                        {"bursts", r.bursts},
                        {"bursts_least", r.least.bursts},
                        {"cycles", r.cycles},
                        {"utilisation", r.utilisation},
                        {"limit", r.limit.utilisation},
                        {"limit_set_by", r.limit.bound},
                        {"transfers", transfers}});
  }
  Ordered ports = Ordered::array();
  for (const PortResult& r : result.ports) {
    ports.push_back({{"port", r.port},
                     {"direction", WayOf(r.direction)},
                     {"bytes", r.bytes},
                     {"cycles", r.cycles},
                     {"utilisation", r.utilisation},
                     {"limit", r.limit.utilisation},
                     {"limit_set_by", r.limit.bound}});
  }
  Ordered memories = Ordered::array();
  for (size_t k = 0; k < p.regions.size(); ++k) {
    memories.push_back({{"name", p.job.memories[k].name},
                        {"base", p.regions[k].base},
                        {"size", p.regions[k].size}});
  }
  Ordered report{{"report", 1},
                 {"job", p.job.file},
                 {p.job.hardware_member(), p.config().name},
                 {"seed", p.job.seed},
                 {"passed", result.passed()},
                 {"failures", result.failures},
                 {"notes", NotesOf(p, result)},
                 {"cycles", result.cycles},
                 {"compared", result.compared()},
                 {"compared_beats", result.count.beats},
                 {"compared_records", result.count.records},
                 {"compared_bytes", result.count.bytes},
                 {"compared_expected", result.expected},
                 {"channels", channels},
                 {"ports", ports},
                 {"memories", memories}};
  if (const DmaFigures* figures = result.machine->dma()) {
    report["dma"] = FiguresReport(p, result, *figures);
    report["timeline"] = timeline::ToJson(figures->timeline);
  }
  return report;
}

}  // namespace tessera::cli
