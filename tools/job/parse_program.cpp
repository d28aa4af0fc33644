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
  out.name = Claim(reader.At("name"), names);
  reader.Get("number", &out.number);
  reader.Get("value", &out.value);
  return out;
}

std::string NameOfLock(const Reader& reader, const Job& job) {
  std::string name = reader.Name();
  if (job.FindLock(name) == nullptr) {
    reader.Refuse(fmt::format("the name of a lock ({})", NamesIn(job.locks, &Lock::name)));
  }
  return name;
}

LockUse ParseAcquire(const Reader& reader, const Job& job) {
  reader.Object();
  LockUse out;
  out.place = reader.place();
  out.lock = NameOfLock(reader.At("lock"), job);
  out.equal = reader.Has("equal");
  reader.Get(out.equal ? "equal" : "at_least", &out.value);
  return out;
}

LockUse ParseRelease(const Reader& reader, const Job& job) {
  reader.Object();
  LockUse out;
  out.place = reader.place();
  out.lock = NameOfLock(reader.At("lock"), job);
  const Reader add = reader.At("add");
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
  Claim(reader.At("name"), names);
  Descriptor out;
  out.transfer = ParseTransfer(reader, symbols);
  if (reader.Has("acquire")) out.acquire = ParseAcquire(reader.At("acquire"), job);
  if (reader.Has("release")) out.release = ParseRelease(reader.At("release"), job);
  reader.Get("next", &out.next);
  if (reader.Has("iteration")) {
    const Reader turns = reader.At("iteration");
    turns.Object();
    turns.Get("step", &out.step);
    turns.Get("size", &out.turns);
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
  out.pin = reader.Has("pin");
  reader.Get(out.pin ? "pin" : "software", &out.number);
  reader.Get("packet", &out.packet);
  if (reader.Has("at")) {
    const Reader list = reader.At("at");
    const size_t count = list.Array();
    for (size_t n = 0; n < count; ++n) {
      const uint64_t least = n == 0 ? 0 : out.at.back() + kGap;
      out.at.push_back(list.At(n).Unsigned(least, std::max(least, kMostCycle)));
    }
    return out;
  }
  const uint64_t every = reader.At("every").Unsigned();
  const uint64_t count = reader.At("count").Unsigned();
  uint64_t first = every;
  reader.Get("first", &first);
  for (uint64_t n = 0; n < count; ++n) out.at.push_back(first + n * every);
  return out;
}

}  // namespace

void ParseProgram(const Reader& reader, const Symbols& symbols, Job* job) {
  std::set<std::string> locks, descriptors;
  for (const Reader& entry : reader.Entries("locks")) {
    job->locks.push_back(ParseLock(entry, &locks));
  }
  DealLocks(job);
  for (const Reader& entry : reader.Entries("descriptors")) {
    job->descriptors.push_back(ParseDescriptor(entry, symbols, *job, &descriptors));
  }
  CheckChains(*job);
}

void ParseEvents(const std::vector<Reader>& entries, Job* job) {
  std::set<std::pair<bool, int>> taken;
  for (const Reader& entry : entries) {
    job->events.push_back(ParseEvent(entry));
    const Event& event = job->events.back();
    if (taken.emplace(event.pin, event.number).second) continue;
    entry.At(event.pin ? "pin" : "software")
        .Refuse("a source that no other entry has, for one entry lists all its cycles");
  }
}

namespace {

// The name of a descriptor that there is.
std::string DescriptorName(const Reader& reader, const Job& job) {
  std::string name = reader.Name();
  if (job.FindDescriptor(name) != nullptr) return name;
  reader.Refuse(
      fmt::format("the name of a descriptor ({})",
                  NamesIn(job.descriptors, [](const Descriptor& d) { return d.transfer.name; })));
}

uint64_t ListAddress(const Reader& reader, const Symbols& symbols) {
  const uint64_t address = ParseAddress(reader, symbols);
  if (address % 64 != 0) {
    throw ErrorAt(reader.file(), reader.place(), fmt::format("{:#x}", address),
                  "legal is a multiple of 64");
  }
  return address;
}

// An endless task has no end of its own.
void CheckEndless(const Reader& endless, bool last, const Task& task, const Job& job) {
  if (!last) endless.Refuse("false, or true in the last task of its channel");
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
    reader.Get("places", &out.places);
    if (reader.Has("entries")) out.entries = ListAddress(reader.At("entries"), symbols);
    reader.Get("interrupt", &out.interrupt);
  }
  out.base = ListAddress(reader.At("base"), symbols);
  for (const Reader& entry : reader.Entries("descriptors")) {
    out.descriptors.push_back(DescriptorName(entry, job));
    const Descriptor& d = *job.FindDescriptor(out.descriptors.back());
    const char* member = d.turns > 1 ? "iteration" : d.next.empty() ? nullptr : "next";
    if (member == nullptr) continue;
    throw ErrorAt(
        job.file, entry.place(), fmt::format("\"{}\"", d.transfer.name),
        fmt::format("it has \"{}\", which a list ignores: legal is a descriptor without", member));
  }
  return out;
}

std::vector<Window> ParseWindows(const std::vector<Reader>& entries, const Symbols& symbols) {
  constexpr uint64_t kPage = 4096;
  std::vector<Window> windows;
  for (const Reader& entry : entries) {
    entry.Object();
    Window& out = windows.emplace_back();
    out.place = entry.place();
    const Reader base = entry.At("base"), size = entry.At("size");
    out.base = ParseAddress(base, symbols);
    out.size = size.Unsigned();
    const bool misplaced = out.base % kPage != 0;
    if (misplaced || out.size % kPage != 0) {
      const Reader& wrong = misplaced ? base : size;
      throw ErrorAt(entry.file(), wrong.place(),
                    fmt::format("{:#x}", misplaced ? out.base : out.size),
                    "legal is a multiple of 4096, for windows are whole pages");
    }
    if (out.base + (out.size - 1) < out.base) {
      size.Refuse("one that ends within the address space");
    }
  }
  return windows;
}

void ParseActions(const std::vector<Reader>& entries, Job* job) {
  std::map<std::string, size_t> held;  // by the last action that holds the channel
  for (size_t n = 0; n < entries.size(); ++n) {
    const Reader& entry = entries[n];
    entry.Object();
    Action& out = job->actions.emplace_back();
    out.place = entry.place();
    entry.Get("do", &out.kind);
    const auto channel = [job](const Reader& name) {
      if (job->Find(name.Name()) == nullptr) name.Refuse("the name of a channel");
      return name.Name();
    };
    out.channel = channel(entry.At("channel"));
    entry.Get("at", &out.at);
    if (entry.Has("after")) {
      const Reader after = entry.At("after");
      after.Object();
      out.after = channel(after.At("channel"));
      after.Get("transfers", &out.transfers);
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
    entries[last].At("do").Refuse(
        fmt::format("\"{}\" with a \"resume\" that follows", NameOf(job->actions[last].kind)));
  }
}

bool Job::Stops(const Channel& channel) const {
  return std::any_of(actions.begin(), actions.end(), [&channel](const Action& a) {
    return a.kind == Action::Kind::kStop && a.channel == channel.name;
  });
}

std::vector<Task> ParseTasks(const std::vector<Reader>& entries, const Job& job, const List* list) {
  std::vector<Task> tasks;
  for (const Reader& entry : entries) {
    entry.Object();
    Task& task = tasks.emplace_back();
    task.place = entry.place();
    bool listed = false;
    entry.Get("list", &listed);
    if (listed) {
      if (list == nullptr) {
        throw Error(fmt::format(
            "{}: {} takes descriptors from a list: legal is a channel with a member \"list\"",
            job.file, task.place));
      }
      task.list = list->descriptors;
    } else {
      task.start = DescriptorName(entry.At("start"), job);
    }
    entry.Get("repeats", &task.repeats);
    entry.Get("tag", &task.tag);
    entry.Get("token", &task.token);
    entry.Get("trigger", &task.trigger);
    entry.Get("paced", &task.paced);
    entry.Get("endless", &task.endless);
    if (task.endless) {
      CheckEndless(entry.At("endless"), tasks.size() == entries.size(), task, job);
    }
  }
  return tasks;
}

Trigger ParseTrigger(const Reader& reader) {
  reader.Object();
  using Kind = Trigger::Kind;
  Trigger out;
  out.place = reader.place();
  for (const auto& [member, kind] :
       {std::pair("pin", Kind::kPin), std::pair("software", Kind::kSoftware),
        std::pair("done", Kind::kTransfer), std::pair("task_done", Kind::kTask)}) {
    if (reader.Has(member)) out.kind = kind;
  }
  reader.Get("pin", &out.number);
  reader.Get("software", &out.number);
  reader.Get("done", &out.channel);
  reader.Get("task_done", &out.channel);
  bool mark = false;
  reader.Get("mark", &mark);
  if (mark) out.kind = Kind::kMark;
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

std::vector<std::pair<const Channel*, const Task*>> Job::UsersOf(const Descriptor& d) const {
  std::vector<std::pair<const Channel*, const Task*>> users;
  for (const Channel& channel : channels) {
    for (const Task& task : channel.tasks) {
      const std::vector<const Descriptor*> chain = ChainOf(task);
      if (std::find(chain.begin(), chain.end(), &d) != chain.end()) {
        users.emplace_back(&channel, &task);
      }
    }
  }
  return users;
}

bool Job::InRam(const Descriptor& descriptor) const {
  const auto users = UsersOf(descriptor);
  return users.empty() || std::any_of(users.begin(), users.end(),
                                      [](const auto& user) { return user.second->list.empty(); });
}

Direction Job::DirectionOf(const Descriptor& descriptor) const {
  const auto users = UsersOf(descriptor);
  return users.empty() ? Direction::kRead : users.front().first->direction;
}

const Lock* Job::FindLock(std::string_view name) const {
  const auto found =
      std::find_if(locks.begin(), locks.end(), [&](const Lock& l) { return l.name == name; });
  return found == locks.end() ? nullptr : &*found;
}

}  // namespace tessera::job
