// The grammar of a job, from the outside in; see job.h.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "tb/files/input.h"
#include "tb/sim/counted.h"
#include "tools/job/parse_parts.h"

namespace tessera::job {
namespace {

Region ParseRegion(const Reader& reader, std::set<std::string>* names) {
  reader.Object();
  Region out;
  out.place = reader.place();
  out.name = Claim(reader.At("name"), names);
  reader.Get("base", &out.base);
  reader.Get("size", &out.size);
  if (reader.Has("data")) out.data = ParseContents(reader.At("data"));
  if (reader.Has("expect")) out.expect = ParseContents(reader.At("expect"));
  if (reader.Has("dump")) out.dump = ParseDump(reader.At("dump"));
  if (!out.size && out.data) {
    if (out.data->kind == Contents::Kind::kBytes) out.size = out.data->bytes.size();
    if (out.data->size != 0) out.size = out.data->size;  // of a file or a pattern
  }
  const bool measured = out.data && (out.data->kind == Contents::Kind::kFile ||
                                     out.data->kind == Contents::Kind::kImage);
  if (!out.size && !measured) reader.Need("size", "its bytes, for its data do not tell");
  if (out.size && *out.size == 0) reader.Refuse("a memory of at least one byte");
  if (out.size && out.base + (*out.size - 1) < out.base) {
    reader.At("base").Refuse(
        fmt::format("at most {:#x} for {}", kAny - (*out.size - 1), Counted(*out.size, "byte")));
  }
  return out;
}

void ParseShape(const Reader& reader, StreamShape* out) {
  reader.Object();
  reader.Get("partial", &out->partial);
  reader.Get("sparse", &out->sparse);
  reader.Get("null", &out->null);
  reader.Get("sparse_last", &out->sparse_last);
}

void ParsePackets(const Reader& reader, Stream* out) {
  if (!reader.json().is_array()) {
    out->packet = reader.Unsigned();
    return;
  }
  uint64_t total = 0;
  for (const Reader& entry : reader.Entries()) {
    Stream::Piece& piece = out->packets.emplace_back();
    if (entry.json().is_object()) {
      entry.Object();
      entry.Get("bytes", &piece.bytes);
      entry.Get("end", &piece.end);
    } else {
      piece.bytes = entry.Unsigned();
    }
    total += piece.bytes;
    if (total > kMostBytes) entry.Refuse(fmt::format("at most {} bytes in all", kMostBytes));
  }
}

Stream ParseStream(const Reader& reader, Direction direction) {
  Stream out;
  out.place = reader.place();
  reader.Object();
  reader.Get("pacer", &out.pacer);
  if (direction == Direction::kRead) {
    reader.Get("after_valid", &out.after_valid);
    if (reader.Has("capture")) out.capture = ParseDump(reader.At("capture"));
    reader.Get("beats", &out.beats);
    if (reader.Has("expect")) out.expect = ParseContents(reader.At("expect"));
    return out;
  }
  if (reader.Has("source")) {
    out.source = ParseContents(reader.At("source"));
    if (out.source->kind == Contents::Kind::kPattern && out.source->size == 0) {
      reader.At("source").Need("size", "the number of bytes");
    }
  }
  if (reader.Has("packets")) ParsePackets(reader.At("packets"), &out);
  reader.Get("marks", &out.marks);
  if (reader.Has("shape")) ParseShape(reader.At("shape"), &out.shape);
  reader.Get("channel", &out.channel);
  return out;
}

Channel ParseChannel(const Reader& either, const Symbols& symbols, const Job& job,
                     std::set<std::string>* names) {
  either.Object();
  Channel out;
  out.place = either.place();
  either.Get("direction", &out.direction);
  const bool write = out.direction == Direction::kWrite;
  const Reader reader = either.As(kChannelForms[write ? 1 : 0]);
  reader.Object();
  if (reader.Has("name")) {
    out.name = Claim(reader.At("name"), names);
  } else {
    out.name = write ? "write" : "read";
    if (!names->insert(out.name).second) {
      reader.Need("name", "a name, for there is another channel " + out.name);
    }
  }
  out.engine_given = reader.Has("engine");
  reader.Get("engine", &out.engine);
  reader.Get("weight", &out.weight);
  out.windows = ParseWindows(reader.Entries("windows"), symbols);
  if (reader.Has("list")) out.list = ParseList(reader.At("list"), false, symbols, job);
  if (reader.Has("ring")) {
    out.list = ParseList(reader.At("ring"), true, symbols, job);
    Task& task = out.tasks.emplace_back();
    task.place = out.list->place;
    task.list = out.list->descriptors;
  }
  if (reader.Has("tasks")) {
    out.tasks = ParseTasks(reader.Entries("tasks"), job, out.list ? &*out.list : nullptr);
  }
  if (reader.Has("trigger")) out.trigger = ParseTrigger(reader.At("trigger"));
  // Each turn that waits for a mark is a frame.
  if (out.trigger.kind == Trigger::Kind::kMark) {
    if (!write) reader.At("trigger").At("mark").Refuse("a write channel, whose stream comes in");
    for (Task& task : out.tasks) task.paced = task.paced || task.trigger;
  }
  for (const Reader& entry : reader.Entries("transfers")) {
    out.transfers.push_back(ParseTransfer(entry, symbols));
  }
  if (reader.Has("stream")) out.stream = ParseStream(reader.At("stream"), out.direction);
  reader.Get("offer", &out.offer);
  reader.Get("take", &out.take);
  return out;
}

void ParseBus(const Reader& reader, Job* job) {
  reader.Object();
  AxiMemoryOptions& bus = job->bus;
  if (reader.Has("latency")) {
    const Reader latency = reader.At("latency");
    if (latency.json().is_array()) {
      if (latency.Array() != 2) latency.Refuse("a number of cycles, or the least and the most");
      latency.At(0).Value(&bus.latency_min);
      bus.latency_max =
          static_cast<uint32_t>(latency.At(1).Unsigned(bus.latency_min, kLatency.most));
    } else {
      latency.Value(&bus.latency_min);
      bus.latency_max = bus.latency_min;
    }
  }
  reader.Get("max_reads", &bus.max_reads);
  reader.Get("max_writes", &bus.max_writes);
  reader.Get("ar", &bus.ar);
  reader.Get("r", &bus.r);
  reader.Get("aw", &bus.aw);
  reader.Get("w", &bus.w);
  reader.Get("b", &bus.b);
  reader.Get("service", &bus.service);
  reader.Get("write_order", &bus.write_order);
  const bool one_at_a_time = bus.service != AxiMemoryOptions::Service::kParallel;
  if (one_at_a_time && bus.write_order != AxiMemoryOptions::WriteOrder::kFree) {
    reader.At("write_order").Refuse("\"free\" where service is not \"parallel\"");
  }
  if (!reader.Has("errors")) return;
  const Reader errors = reader.At("errors");
  const bool one = errors.json().is_object();  // or several, in an array
  for (const Reader& entry : one ? std::vector{errors} : errors.Entries()) {
    entry.Object();
    Job::BusError& out = job->errors.emplace_back();
    entry.Get("first", &out.first);
    out.last = entry.At("last").Unsigned(out.first, kAny);
    if (entry.Has("response")) out.decerr = entry.At("response").Word(kResponses) == 1;
    entry.Get("reads", &out.reads);
    entry.Get("writes", &out.writes);
  }
}

// Gives every channel an engine of its own: those that name one, then the rest in order.
void DealEngines(Job* job) {
  std::map<std::pair<Direction, int>, const Channel*> taken;
  for (const Channel& channel : job->channels) {
    if (!channel.engine_given) continue;
    const auto [at, fresh] = taken.try_emplace({channel.direction, channel.engine}, &channel);
    if (fresh) continue;
    throw ErrorAt(job->file, channel.place + ".engine", std::to_string(channel.engine),
                  fmt::format("{} has it, legal is an engine of its own", at->second->place));
  }
  for (Channel& channel : job->channels) {
    if (channel.engine_given) continue;
    while (!taken.try_emplace({channel.direction, channel.engine}, &channel).second) {
      ++channel.engine;
    }
  }
}

// A task that waits has something to wait for.
void CheckTriggers(const Job& job) {
  for (const Channel& channel : job.channels) {
    const Trigger& trigger = channel.trigger;
    if (!trigger.channel.empty() && job.Find(trigger.channel) == nullptr) {
      const bool tasks = trigger.kind == Trigger::Kind::kTask;
      throw ErrorAt(job.file, trigger.place + (tasks ? ".task_done" : ".done"),
                    Shown(trigger.channel), "legal is the name of a channel");
    }
    for (const Task& task : channel.tasks) {
      if (trigger.kind != Trigger::Kind::kNone || !(task.trigger || task.paced)) continue;
      throw Error(fmt::format("{}: {} has no member \"trigger\": legal is what {} waits for",
                              job.file, channel.place, task.place));
    }
  }
}

// A read gives TLAST, a write takes it: what says the other is refused.
void CheckWay(const std::string& file, const NamedTransfer& t, Direction direction) {
  const model::Transfer usual;
  if (direction == Direction::kRead && t.value.finish != usual.finish) {
    throw ErrorAt(file, t.place + ".finish", Shown(std::string(NameOf(t.value.finish))),
                  "legal is \"length\" on a read channel, which takes no TLAST");
  }
  if (direction == Direction::kWrite && t.value.last_rule != usual.last_rule) {
    throw ErrorAt(file, t.place + ".last_rule", Shown(std::string(NameOf(t.value.last_rule))),
                  "legal is none on a write channel, which gives no TLAST");
  }
}

void CheckHeader(const std::string& file, const Descriptor& d, Direction direction) {
  if (!d.header || direction == Direction::kRead) return;
  throw Error(
      fmt::format("{}: {}.header is given: legal is none on a write channel, which sends "
                  "no packets",
                  file, d.transfer.place));
}

void CheckWays(const Job& job) {
  for (const Channel& channel : job.channels) {
    for (const NamedTransfer& t : channel.transfers) CheckWay(job.file, t, channel.direction);
    for (const Task& task : channel.tasks) {
      for (const Descriptor* d : job.ChainOf(task)) {
        CheckWay(job.file, d->transfer, channel.direction);
        CheckHeader(job.file, *d, channel.direction);
      }
    }
  }
}

void ParseChannels(const Reader& reader, const Symbols& symbols, Job* job) {
  std::set<std::string> names;
  uint64_t positions = 0;
  for (const Reader& entry : reader.Entries()) {
    job->channels.push_back(ParseChannel(entry, symbols, *job, &names));
    for (const NamedTransfer& t : job->channels.back().transfers) {
      const uint64_t mine = model::Positions(t.value);
      if (__builtin_add_overflow(positions, mine, &positions) || positions > kMostPositions) {
        throw Error(fmt::format("{}: {} visits {}: legal are {} for all transfers together",
                                reader.file(), t.place, Counted(mine, "position"), kMostPositions));
      }
    }
  }
  DealEngines(job);
  std::set<std::string> taken;
  for (const Channel& channel : job->channels) {
    const std::string& from = channel.stream.channel;
    if (from.empty()) continue;
    const Channel* source = job->Find(from);
    const std::string place = channel.stream.place + ".channel";
    if (source == nullptr || source->direction != Direction::kRead) {
      throw ErrorAt(job->file, place, Shown(from), "legal is the name of a read channel");
    }
    if (!taken.insert(from).second) {
      throw ErrorAt(job->file, place, Shown(from), "legal is a channel that feeds no other");
    }
  }
  CheckTriggers(*job);
  CheckWays(*job);
}

}  // namespace

std::string Claim(const Reader& reader, std::set<std::string>* names) {
  std::string name = reader.Name();
  if (!names->insert(name).second) reader.Refuse("a name that nothing before it has");
  return name;
}

std::string Job::Resolve(const std::string& path) const {
  const std::filesystem::path given(path);
  if (given.is_absolute()) return path;
  return (std::filesystem::path(file).parent_path() / given).string();
}

const Channel* Job::Find(std::string_view name) const {
  const auto found = std::find_if(channels.begin(), channels.end(),
                                  [&](const Channel& c) { return c.name == name; });
  return found == channels.end() ? nullptr : &*found;
}

void CheckRegions(const Job& job) {
  uint64_t total = 0;
  for (const Region& r : job.memories) {
    const uint64_t size = r.size.value_or(0);
    total += size;
    if (total > kMostBytes) {
      throw ErrorAt(job.file, r.place + ".size", std::to_string(size),
                    fmt::format("legal are {} bytes for all memories together", kMostBytes));
    }
    for (const Region& other : job.memories) {
      if (&other == &r || size == 0) break;
      if (!other.size || r.base > other.base + (*other.size - 1) ||
          other.base > r.base + (size - 1)) {
        continue;
      }
      throw ErrorAt(
          job.file, r.place + ".base", fmt::format("{:#x}", r.base),
          fmt::format("{} ({}) would overlap {} ({:#x} to {:#x}), legal is memory of its own",
                      r.name, Counted(size, "byte"), other.name, other.base,
                      other.base + (*other.size - 1)));
    }
  }
}

const Region* RegionAt(const Job& job, uint64_t address) {
  for (const Region& region : job.memories) {
    if (region.size && address - region.base < *region.size) return &region;
  }
  return nullptr;
}

Job ParseJob(std::string_view text, const std::string& file) {
  const Json json = ParseText(text, file);
  const Reader reader(json, file, "", &kJob);
  reader.Object();
  Job job;
  job.file = file;
  if (reader.Has("$schema")) reader.At("$schema").Text();
  reader.Get("about", &job.about);
  reader.Get("config", &job.config);
  reader.Get("dma", &job.dma);
  reader.Get("seed", &job.seed);
  std::set<std::string> names;
  for (const Reader& entry : reader.Entries("memories")) {
    job.memories.push_back(ParseRegion(entry, &names));
  }
  CheckRegions(job);
  Symbols symbols;
  for (const Region& region : job.memories) symbols[region.name] = region.base;
  ParseProgram(reader, symbols, &job);
  ParseChannels(reader.At("channels"), symbols, &job);
  ParseEvents(reader.Entries("events"), &job);
  ParseActions(reader.Entries("actions"), &job);
  if (reader.Has("bus")) ParseBus(reader.At("bus"), &job);
  reader.Get("timeout", &job.timeout);
  reader.Get("cycle_limit", &job.cycle_limit);
  reader.Get("report", &job.report);
  reader.Get("wave", &job.wave);
  reader.Get("timeline", &job.timeline);
  return job;
}

Job LoadJob(const std::string& path) {
  constexpr size_t kMostText = size_t{64} << 20;
  std::string text;
  try {
    text = ReadNamed(path, "a job file", kMostText);
  } catch (const std::invalid_argument& error) {
    throw Error(error.what());
  }
  return ParseJob(text, path);
}

}  // namespace tessera::job
