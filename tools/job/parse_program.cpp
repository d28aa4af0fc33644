// What a job tells a build of tessera_dma: locks, descriptors, tasks, triggers, events.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "tools/job/parse_parts.h"

namespace tessera::job {
namespace {

Lock ParseLock(const Reader& reader, std::set<std::string>* names) {
  reader.Object();
  Lock out;
  out.place = reader.place();
  const Reader name = reader.Need("name");
  Claim(name, names);
  out.name = name.Name();
  reader.Get("number", &out.number);
  reader.Get("value", &out.value);
  return out;
}

std::string Names(const std::vector<Lock>& locks) {
  std::string names;
  for (const Lock& lock : locks) {
    if (names.size() < 200) names += (names.empty() ? "" : ", ") + lock.name;
  }
  return names.empty() ? "there is none" : names;
}

std::string NameOfLock(const Reader& reader, const Job& job) {
  const Reader lock = reader.Need("lock");
  std::string name = lock.Name();
  if (job.FindLock(name) == nullptr) {
    lock.Refuse(fmt::format("the name of a lock ({})", Names(job.locks)));
  }
  return name;
}

LockUse ParseAcquire(const Reader& reader, const Job& job) {
  reader.Object();
  LockUse out;
  out.place = reader.place();
  out.lock = NameOfLock(reader, job);
  if (reader.Has("at_least") == reader.Has("equal")) {
    reader.Refuse("either \"at_least\", which takes so much, or \"equal\", which takes nothing");
  }
  out.equal = reader.Has("equal");
  reader.At(out.equal ? "equal" : "at_least").Value(&out.value);
  return out;
}

LockUse ParseRelease(const Reader& reader, const Job& job) {
  reader.Object();
  LockUse out;
  out.place = reader.place();
  out.lock = NameOfLock(reader, job);
  const Reader add = reader.Need("add");
  add.Value(&out.value);
  if (out.value == 0) {
    add.Refuse(fmt::format("an integer from {} to {} that is not 0", -kLockTop, kLockTop));
  }
  return out;
}

uint32_t ParseSide(const Reader& reader) {
  reader.Object();
  uint32_t dest = 0, id = 0, user = 0;
  reader.Get("dest", &dest);
  reader.Get("id", &id);
  reader.Get("user", &user);
  return dest | id << 8 | user << 16;
}

Descriptor ParseDescriptor(const Reader& reader, const Symbols& symbols, const Job& job,
                           std::set<std::string>* names) {
  reader.Object();
  Claim(reader.Need("name"), names);
  Descriptor out;
  out.transfer = ParseTransfer(reader, symbols);
  model::Build widest;
  widest.data_bytes = widest.stream_bytes = model::kMaxElem;
  CheckTransfer(out.transfer, widest, reader.file());
  if (reader.Has("acquire")) out.acquire = ParseAcquire(reader.At("acquire"), job);
  if (reader.Has("release")) out.release = ParseRelease(reader.At("release"), job);
  reader.Get("next", &out.next);
  if (reader.Has("iteration")) {
    const Reader turns = reader.At("iteration");
    turns.Object();
    turns.Need("step").Value(&out.step);
    turns.Need("size").Value(&out.turns);
  }
  reader.Get("interrupt", &out.interrupt);
  reader.Get("record", &out.record);
  if (reader.Has("header")) {
    const Reader header = reader.At("header");
    header.Object();
    Header& word = out.header.emplace();
    header.Get("id", &word.id);
    header.Get("type", &word.type);
    header.Get("descriptor", &word.descriptor);
  }
  if (reader.Has("side")) out.side = ParseSide(reader.At("side"));
  return out;
}

// Each `next` leads to a descriptor, and none in a circle.
void CheckChains(const Job& job) {
  for (const Descriptor& d : job.descriptors) {
    const std::string place = d.transfer.place + ".next";
    if (d.next.empty()) continue;
    size_t length = 0;
    for (const Descriptor* at = &d; !at->next.empty(); ++length) {
      at = job.FindDescriptor(at->next);
      if (at == nullptr) {
        if (length > 0) break;  // told where it stands
        throw ErrorAt(job.file, place, Shown(d.next), "legal is the name of a descriptor");
      }
      if (length > job.descriptors.size()) {
        throw ErrorAt(job.file, place, Shown(d.next),
                      "the chain leads in a circle, legal is one that ends (a task repeats it)");
      }
    }
  }
}

// Dealt in order; those that are given first.
void DealLocks(Job* job) {
  std::set<int> taken;
  for (const Lock& lock : job->locks) {
    if (lock.number && !taken.insert(*lock.number).second) {
      throw ErrorAt(job->file, lock.place + ".number", std::to_string(*lock.number),
                    "another lock has it, legal is a number of its own");
    }
  }
  int next = 0;
  for (Lock& lock : job->locks) {
    if (lock.number) continue;
    while (!taken.insert(next).second) ++next;
    lock.number = next;
  }
}

Event ParseEvent(const Reader& reader) {
  reader.Object();
  Event out;
  out.place = reader.place();
  if (reader.Has("pin") == reader.Has("software")) {
    reader.Refuse("either a pin that rises or an event of software");
  }
  out.pin = reader.Has("pin");
  reader.At(out.pin ? "pin" : "software").Value(&out.number);
  reader.Get("packet", &out.packet);
  if (out.packet && out.pin) reader.At("packet").Refuse("none beside a pin, which is no register");
  if (reader.Has("at")) {
    reader.Object({"pin", "software", "packet", "at"});
    const Reader list = reader.At("at");
    const size_t count = list.Array();
    if (count == 0) list.Refuse("an array of at least one cycle");
    for (size_t n = 0; n < count; ++n) {
      const uint64_t least = n == 0 ? 0 : out.at.back() + kGap;
      out.at.push_back(list.At(n).Unsigned(least, std::max(least, kMostCycle)));
    }
    return out;
  }
  const uint64_t every = reader.Need("every").Unsigned();
  const uint64_t count = reader.Need("count").Unsigned();
  uint64_t first = every;
  reader.Get("first", &first);
  for (uint64_t n = 0; n < count; ++n) out.at.push_back(first + n * every);
  return out;
}

}  // namespace

void ParseProgram(const Reader& reader, const Symbols& symbols, Job* job) {
  if (reader.Has("locks")) {
    const Reader locks = reader.At("locks");
    std::set<std::string> names;
    const size_t count = locks.Array();
    for (size_t n = 0; n < count; ++n) job->locks.push_back(ParseLock(locks.At(n), &names));
    DealLocks(job);
  }
  if (!reader.Has("descriptors")) return;
  const Reader descriptors = reader.At("descriptors");
  std::set<std::string> names;
  const size_t count = descriptors.Array();
  for (size_t n = 0; n < count; ++n) {
    job->descriptors.push_back(ParseDescriptor(descriptors.At(n), symbols, *job, &names));
  }
  CheckChains(*job);
}

void ParseEvents(const Reader& reader, Job* job) {
  const size_t count = reader.Array();
  std::set<std::pair<bool, int>> taken;
  for (size_t n = 0; n < count; ++n) {
    job->events.push_back(ParseEvent(reader.At(n)));
    const Event& event = job->events.back();
    if (taken.emplace(event.pin, event.number).second) continue;
    reader.At(n)
        .At(event.pin ? "pin" : "software")
        .Refuse("a source that no other entry has, for one entry lists all its cycles");
  }
}

namespace {

// The name of a descriptor that there is.
std::string DescriptorName(const Reader& reader, const Job& job) {
  std::string name = reader.Name();
  if (job.FindDescriptor(name) != nullptr) return name;
  std::string names;
  for (const Descriptor& d : job.descriptors) {
    if (names.size() < 200) names += (names.empty() ? "" : ", ") + d.transfer.name;
  }
  reader.Refuse(
      fmt::format("the name of a descriptor ({})", names.empty() ? "there is none" : names));
}

uint64_t ListAddress(const Reader& reader, const Symbols& symbols) {
  const uint64_t address = ParseAddress(reader, symbols);
  if (address % 64 != 0) {
    throw ErrorAt(reader.file(), reader.place(), fmt::format("{:#x}", address),
                  "legal is a multiple of 64");
  }
  return address;
}

}  // namespace

namespace {

// An endless task has no end of its own.
void CheckEndless(const Reader& entry, bool last, const Task& task, const Job& job) {
  const Reader endless = entry.At("endless");
  if (!last) endless.Refuse("false, or true in the last task of its channel");
  for (const char* member : {"repeats", "token", "trigger"}) {
    if (!entry.Has(member)) continue;
    entry.At(member).Refuse("none beside \"endless\", which has no last turn");
  }
  for (const Descriptor* d : job.ChainOf(task)) {
    const bool takes = d->acquire && !task.paced;
    if (d->record && !takes) continue;
    throw ErrorAt(job.file, d->transfer.place + (takes ? ".acquire" : ".record"),
                  takes ? Shown(d->acquire->lock) : "false",
                  fmt::format("legal is none in {}, which is endless{}", task.place,
                              takes ? " and not paced" : ""));
  }
}

}  // namespace

List ParseList(const Reader& reader, bool ring, const Symbols& symbols, const Job& job) {
  List out;
  out.place = reader.place();
  out.ring = ring;
  reader.Object();
  if (ring) {
    reader.Need("places").Value(&out.places);
    if (reader.Has("entries")) out.entries = ListAddress(reader.At("entries"), symbols);
    if (reader.Has("interrupt")) {
      reader.Need("entries");
      reader.At("interrupt").Value(&out.interrupt);
    }
  }
  out.base = ListAddress(reader.Need("base"), symbols);
  const Reader descriptors = reader.Need("descriptors");
  const size_t count = descriptors.Array();
  if (count == 0) descriptors.Refuse("an array of at least one name");
  for (size_t n = 0; n < count; ++n) {
    out.descriptors.push_back(DescriptorName(descriptors.At(n), job));
    const Descriptor& d = *job.FindDescriptor(out.descriptors.back());
    const char* member = d.turns > 1 ? "iteration" : d.next.empty() ? nullptr : "next";
    if (member == nullptr) continue;
    throw ErrorAt(
        job.file, descriptors.At(n).place(), fmt::format("\"{}\"", d.transfer.name),
        fmt::format("it has \"{}\", which a list ignores: legal is a descriptor without", member));
  }
  return out;
}

std::vector<Window> ParseWindows(const Reader& reader, const Symbols& symbols) {
  constexpr uint64_t kPage = 4096;
  const size_t count = reader.Array();
  if (count == 0) reader.Refuse("an array of at least one window");
  std::vector<Window> windows;
  for (size_t n = 0; n < count; ++n) {
    const Reader entry = reader.At(n);
    entry.Object();
    Window& out = windows.emplace_back();
    out.place = entry.place();
    const Reader base = entry.Need("base");
    out.base = ParseAddress(base, symbols);
    const Reader size = entry.Need("size");
    out.size = size.Unsigned();
    const bool misplaced = out.base % kPage != 0;
    if (misplaced || out.size % kPage != 0) {
      const Reader& wrong = misplaced ? base : size;
      throw ErrorAt(reader.file(), wrong.place(),
                    fmt::format("{:#x}", misplaced ? out.base : out.size),
                    "legal is a multiple of 4096, for windows are whole pages");
    }
    if (out.base + (out.size - 1) < out.base) {
      size.Refuse("one that ends within the address space");
    }
  }
  return windows;
}

void ParseActions(const Reader& reader, Job* job) {
  const size_t count = reader.Array();
  std::map<std::string, size_t> held;  // by the last action that holds the channel
  for (size_t n = 0; n < count; ++n) {
    const Reader entry = reader.At(n);
    entry.Object();
    Action& out = job->actions.emplace_back();
    out.place = entry.place();
    entry.Need("do").Value(&out.kind);
    const auto channel = [job](const Reader& name) {
      if (job->Find(name.Name()) == nullptr) name.Refuse("the name of a channel");
      return name.Name();
    };
    out.channel = channel(entry.Need("channel"));
    if (entry.Has("at") == entry.Has("after")) {
      entry.Refuse("either \"at\", a cycle, or \"after\", what a channel has done");
    }
    entry.Get("at", &out.at);
    if (entry.Has("after")) {
      const Reader after = entry.At("after");
      after.Object();
      out.after = channel(after.Need("channel"));
      after.Need("transfers").Value(&out.transfers);
    }
    const Channel& whose = *job->Find(out.channel);
    const bool endless = !whose.tasks.empty() && whose.tasks.back().endless;
    if (out.kind == Action::Kind::kStop && !endless) {
      entry.At("channel").Refuse("a channel with an endless task");
    }
    if (out.kind == Action::Kind::kPause || out.kind == Action::Kind::kDrain) held[out.channel] = n;
    if (out.kind == Action::Kind::kResume && held.erase(out.channel) == 0) {
      entry.At("do").Refuse("\"resume\" of a channel that an action before has paused or drained");
    }
  }
  if (!held.empty()) {
    const size_t last = held.begin()->second;
    reader.At(last).At("do").Refuse(
        fmt::format("\"{}\" with a \"resume\" that follows", NameOf(job->actions[last].kind)));
  }
}

bool Job::Stops(const Channel& channel) const {
  return std::any_of(actions.begin(), actions.end(), [&channel](const Action& a) {
    return a.kind == Action::Kind::kStop && a.channel == channel.name;
  });
}

std::vector<Task> ParseTasks(const Reader& reader, const Job& job, const List* list) {
  const size_t count = reader.Array();
  if (count == 0) reader.Refuse("an array of at least one task");
  std::vector<Task> tasks;
  for (size_t n = 0; n < count; ++n) {
    const Reader entry = reader.At(n);
    entry.Object();
    Task& task = tasks.emplace_back();
    task.place = entry.place();
    if (entry.Has("list")) {
      if (!entry.At("list").Bool()) entry.At("list").Refuse("true, or no such member");
      if (entry.Has("start")) entry.Refuse("either \"start\" or \"list\"");
      if (list == nullptr) {
        throw Error(fmt::format(
            "{}: {} takes descriptors from a list: legal is a channel with a member \"list\"",
            job.file, task.place));
      }
      task.list = list->descriptors;
    } else {
      task.start = DescriptorName(entry.Need("start"), job);
    }
    entry.Get("repeats", &task.repeats);
    entry.Get("tag", &task.tag);
    entry.Get("token", &task.token);
    entry.Get("trigger", &task.trigger);
    entry.Get("paced", &task.paced);
    entry.Get("endless", &task.endless);
    if (task.endless) CheckEndless(entry, n + 1 == count, task, job);
  }
  return tasks;
}

Trigger ParseTrigger(const Reader& reader) {
  reader.Object();
  using Kind = Trigger::Kind;
  Trigger out;
  out.place = reader.place();
  int given = 0;
  for (const auto& [member, kind] : {std::pair("pin", Kind::kPin), {"software", Kind::kSoftware}}) {
    if (!reader.Has(member)) continue;
    ++given;
    out.kind = kind;
    reader.At(member).Value(&out.number);
  }
  for (const auto& [member, kind] :
       {std::pair("done", Kind::kTransfer), {"task_done", Kind::kTask}}) {
    if (!reader.Has(member)) continue;
    ++given;
    out.kind = kind;
    reader.At(member).Value(&out.channel);
  }
  if (reader.Has("mark")) {
    ++given;
    out.kind = Kind::kMark;
    if (!reader.At("mark").Bool()) reader.At("mark").Refuse("true, or no such member");
  }
  if (given != 1) {
    reader.Refuse(
        "one of \"mark\" (TUSER of its stream), \"pin\", \"software\", \"done\" (the transfers of "
        "a channel) and \"task_done\"");
  }
  return out;
}

const Descriptor* Job::FindDescriptor(std::string_view name) const {
  const auto found = std::find_if(descriptors.begin(), descriptors.end(),
                                  [&](const Descriptor& d) { return d.transfer.name == name; });
  return found == descriptors.end() ? nullptr : &*found;
}

std::vector<const Descriptor*> Job::ChainOf(const Task& task) const {
  std::vector<const Descriptor*> chain;
  for (const std::string& name : task.list) chain.push_back(FindDescriptor(name));
  if (!chain.empty()) return chain;
  chain.push_back(FindDescriptor(task.start));
  while (!chain.back()->next.empty()) chain.push_back(FindDescriptor(chain.back()->next));
  return chain;
}

bool Job::InRam(const Descriptor& descriptor) const {
  bool listed = false;
  for (const Channel& channel : channels) {
    for (const Task& task : channel.tasks) {
      const std::vector<const Descriptor*> chain = ChainOf(task);
      if (std::find(chain.begin(), chain.end(), &descriptor) == chain.end()) continue;
      if (task.list.empty()) return true;
      listed = true;
    }
  }
  return !listed;
}

Direction Job::DirectionOf(const Descriptor& descriptor) const {
  for (const Channel& channel : channels) {
    for (const Task& task : channel.tasks) {
      const std::vector<const Descriptor*> chain = ChainOf(task);
      if (std::find(chain.begin(), chain.end(), &descriptor) != chain.end()) {
        return channel.direction;
      }
    }
  }
  return Direction::kRead;
}

const Lock* Job::FindLock(std::string_view name) const {
  const auto found =
      std::find_if(locks.begin(), locks.end(), [&](const Lock& l) { return l.name == name; });
  return found == locks.end() ? nullptr : &*found;
}

}  // namespace tessera::job
