// See executor.h.
#include "tools/prepare/executor.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "tb/check/encode.h"
#include "tb/sim/counted.h"
#include "tools/prepare/expand.h"

namespace tessera::cli {
namespace {

using Kind = job::Trigger::Kind;

DeviceBuild BuildFor(const DmaConfig& config) {
  DeviceBuild build = native::BuildOfDevice(config, true);
  build.keeps_events = true;
  return build;
}

}  // namespace

Executor::Executor(const Prepared& prepared, model::MemoryImage* memory)
    : p_(prepared),
      build_(BuildOf(prepared.config())),
      device_(BuildFor(*prepared.hardware.dma), memory, prepared.read_errors, {}, &lists_),
      channels_(prepared.channels.size()),
      shadows_(prepared.channels.size()) {
  const size_t count = channels_.size();
  for (const job::Lock& lock : p_.job.locks) {
    LockState& state = locks_[*lock.number];
    state.first = lock.value;
    state.all.resize(count);
    state.releases.resize(count);
    device_.Write(native::kLocks + 0x10 * static_cast<uint32_t>(*lock.number),
                  static_cast<uint32_t>(lock.value));
  }
  for (const NumberedDescriptor& descriptor : p_.descriptors) WriteDescriptor(descriptor);
  for (size_t c = 0; c < count; ++c) {
    Channel& channel = channels_[c];
    channel.prepared = &p_.channels[c];
    channel.number = channel.prepared->channel->engine +
                     (channel.prepared->write() ? p_.hardware.dma->reads : 0);
    channel.steps = channel.prepared->steps.size();
    channel.acquired_of.resize(job::kMostLocks);
    channel.begun.resize(count);
    channel.ended.resize(count);
    for (const cli::Step& step : channel.prepared->steps) {
      if (step.release.value <= 0) continue;
      locks_.at(step.release.id).all[c] += static_cast<uint64_t>(step.release.value);
    }
    SetUp(&channel);
  }
  for (const job::Event& event : p_.job.events) {
    const auto source = static_cast<uint32_t>((event.pin ? 0x10 : 0x20) + event.number);
    for (size_t n = 0; n < event.at.size(); ++n) device_.Fire(source);
  }
}

// ---- Software

void Executor::Set(const Channel& channel, uint32_t offset, uint32_t value) {
  device_.Write(native::ChannelOf(*p_.hardware.dma, channel.number) + offset, value);
}

void Executor::SetUp(Channel* channel) {
  const PreparedChannel& c = *channel->prepared;
  if (c.trigger != 0) Set(*channel, native::kTrigger, c.trigger);
  if (!c.channel->list) return;
  const job::List& list = *c.channel->list;
  const uint64_t done = list.entries.value_or(0);
  Set(*channel, native::kListBase, static_cast<uint32_t>(list.base));
  Set(*channel, native::kListBase + 4, static_cast<uint32_t>(list.base >> 32));
  Set(*channel, native::kListCount, list.ring ? list.places : static_cast<uint32_t>(c.list.size()));
  Set(*channel, native::kListControl,
      uint32_t{list.ring} | uint32_t{list.entries.has_value()} << 1 |
          (native::kListPitch / 64 - 1) << 4);
  Set(*channel, native::kListDoneBase, static_cast<uint32_t>(done));
  Set(*channel, native::kListDoneBase + 4, static_cast<uint32_t>(done >> 32));
  for (size_t n = 0; !list.ring && n < c.list.size(); ++n) Place(*channel, n, c.list[n]);
}

void Executor::WriteDescriptor(const NumberedDescriptor& descriptor) {
  native::WriteWords(descriptor.first, descriptor.second,
                     [this](uint32_t address, uint32_t word) { device_.Write(address, word); });
}

// Writes a descriptor of a list into memory.
void Executor::Place(const Channel& channel, uint64_t place, const native::Descriptor& descriptor) {
  lists_.Write(channel.prepared->channel->list->base + native::kListPitch * place,
               native::BytesOf(descriptor));
}

void Executor::AddToRing(Channel* channel) {
  const PreparedChannel& c = *channel->prepared;
  const uint64_t places = c.channel->list->places;
  uint32_t head = 0;
  device_.Read(native::ChannelOf(*p_.hardware.dma, channel->number) + native::kListHead, &head);
  for (; channel->added < c.list.size() && (channel->added + 1) % places != head;
       ++channel->added) {
    Place(*channel, channel->added % places, c.list[channel->added]);
  }
  Set(*channel, native::kListTail, static_cast<uint32_t>(channel->added % places));
}

// Tasks, descriptors of a ring and beats of another channel that the channel can have by now.
void Executor::Supply(size_t c) {
  Channel& channel = channels_[c];
  const PreparedChannel& prepared = *channel.prepared;
  for (; channel.pushed < prepared.pushes.size(); ++channel.pushed) {
    const Push& push = prepared.pushes[channel.pushed];
    if (channel.step < push.after) break;  // its descriptors are still in use
    for (const NumberedDescriptor& descriptor : push.writes) WriteDescriptor(descriptor);
    Set(channel, native::kTag, push.tag);
    native::Task task = push.task;
    task.endless = task.endless || prepared.ring();  // as the driver starts it
    Set(channel, native::kTask, task.Word());
  }
  if (prepared.ring()) AddToRing(&channel);
  if (prepared.from == nullptr) return;
  const auto& sent = beats(static_cast<size_t>(prepared.from - p_.channels.data()));
  device_.Feed(prepared.channel->engine,
               {sent.begin() + static_cast<std::ptrdiff_t>(channel.fed), sent.end()});
  channel.fed = sent.size();
}

void Executor::Feed(size_t channel, const std::vector<model::StreamBeat>& beats) {
  const job::Channel& fed = *channels_[channel].prepared->channel;
  std::vector<uint32_t> sides;
  uint64_t packet = 0;
  bool first = true;
  for (const model::StreamBeat& beat : beats) {
    sides.push_back(first && fed.stream.marks.contains(packet) ? 1U << 16 : 0);
    first = beat.last;
    packet += beat.last ? 1 : 0;
  }
  device_.Feed(fed.engine, beats, sides);
}

void Executor::FeedAll() {
  for (size_t c = 0; c < channels_.size(); ++c) {
    const PreparedChannel& channel = p_.channels[c];
    if (!channel.write() || channel.from != nullptr) continue;
    Feed(c, DenseBeats(channel.pieces, channel.source, p_.config().stream_bytes));
  }
}

std::vector<int> Executor::locks() const {
  std::vector<int> values;
  for (const job::Lock& lock : p_.job.locks) values.push_back(device_.lock(*lock.number));
  return values;
}

uint64_t Executor::tokens() const {
  uint64_t sum = 0;
  for (const Channel& channel : channels_) sum += device_.tokens(channel.number).size();
  return sum;
}

// ---- Execution

void Executor::Run() {
  for (bool moved = true; moved;) {
    moved = false;
    for (size_t c = 0; c < channels_.size(); ++c) {
      while (Step(c)) moved = true;
    }
  }
  for (const Channel& channel : channels_) {
    if (channel.step < channel.steps) Refuse();
  }
}

bool Executor::Step(size_t c) {
  Channel& channel = channels_[c];
  if (channel.step == channel.steps) return false;
  Supply(c);
  const int held = channel.prepared->write() ? device_.held(channel.number) : 0;
  const bool begun = device_.begun(channel.number);
  const cli::Step& step = channel.prepared->steps[channel.step];
  const int lock = step.release.value == 0 ? 0 : device_.lock(step.release.id);
  const bool moved = device_.Step(channel.number);
  while (channel.triggers < device_.triggers_taken(channel.number)) NoteTrigger(c, held);
  if (step.acquire && !begun && device_.begun(channel.number)) NoteLock(c);
  if (executions(c).size() > channel.step) {
    NoteAccesses(c);
    NoteEnd(c, lock);
  }
  return moved;
}

void Executor::Join(Known* known, const Known& more) {
  for (size_t n = 0; n < more.size(); ++n) (*known)[n] = std::max((*known)[n], more[n]);
}

size_t Executor::IndexOf(const std::string& name) const {
  return static_cast<size_t>(p_.job.Find(name) - p_.job.channels.data());
}

const job::Lock& Executor::LockOf(int number) const {
  return *std::find_if(p_.job.locks.begin(), p_.job.locks.end(),
                       [number](const job::Lock& lock) { return lock.number == number; });
}

uint64_t Executor::EventsOf(const job::Trigger& trigger) const {
  if (trigger.kind == Kind::kTransfer) return channels_[IndexOf(trigger.channel)].step;
  if (trigger.kind == Kind::kTask) return channels_[IndexOf(trigger.channel)].task_ends.size();
  for (const job::Event& event : p_.job.events) {
    const bool same = event.pin == (trigger.kind == Kind::kPin) && event.number == trigger.number;
    if (same) return event.at.size();
  }
  return 0;
}

// The n-th time that a channel waits it comes after the n-th event at least.
void Executor::NoteTrigger(size_t c, int held) {
  Channel& channel = channels_[c];
  const job::Trigger& trigger = channel.prepared->channel->trigger;
  const uint64_t n = channel.triggers++;
  if (trigger.kind == Kind::kMark && held > 0) {
    throw job::Error(fmt::format(
        "{}: {} of {} waits for a mark within a beat of which {} {} left: "
        "legal is a frame that ends with its beat",
        p_.job.file, channel.prepared->steps[channel.step].place, channel.prepared->channel->name,
        Counted(held, "byte"), held == 1 ? "is" : "are"));
  }
  if (trigger.channel.empty()) return;
  const Channel& other = channels_[IndexOf(trigger.channel)];
  Join(&channel.begun, other.ends[trigger.kind == Kind::kTransfer ? n : other.task_ends[n]]);
}

// The channel has its lock: so many units of each channel the lock must have had, whatever the
// others gave.
void Executor::NoteLock(size_t c) {
  Channel& channel = channels_[c];
  const native::LockOp& acquire = *channel.prepared->steps[channel.step].acquire;
  const LockState& lock = locks_.at(acquire.id);
  const bool equal = acquire.value >= 0;
  uint64_t& mine = channel.acquired_of[static_cast<size_t>(acquire.id)];
  const uint64_t units = mine + static_cast<uint64_t>(equal ? acquire.value : -acquire.value);
  if (!equal) mine = units;
  uint64_t others = static_cast<uint64_t>(lock.first);
  for (size_t y = 0; y < channels_.size(); ++y) {
    others += y == c ? (lock.releases[y].empty() ? 0 : lock.releases[y].back().sum) : lock.all[y];
  }
  for (size_t y = 0; y < channels_.size(); ++y) {
    if (y == c || units + lock.all[y] <= others) continue;
    const uint64_t least = units + lock.all[y] - others;
    const std::vector<Release>& given = lock.releases[y];
    const auto first = std::lower_bound(given.begin(), given.end(), least,
                                        [](const Release& r, uint64_t sum) { return r.sum < sum; });
    if (first != given.end()) Join(&channel.begun, first->known);
  }
}

void Executor::NoteEnd(size_t c, int lock_before) {
  Channel& channel = channels_[c];
  const cli::Step& step = channel.prepared->steps[channel.step];
  const DeviceExecution& done = executions(c).back();
  ++channel.step;
  Join(&channel.ended, channel.begun);
  channel.ended[c] = static_cast<uint32_t>(channel.step);
  channel.ends.push_back(channel.ended);
  if (done.ends_task) channel.task_ends.push_back(channel.step - 1);
  const int given = done.given.amount;
  if ((device_.locks_over() | device_.locks_under()) != 0) {
    throw job::ErrorAt(
        p_.job.file, step.place + ".release.add", std::to_string(given),
        fmt::format("lock {} would become {}, legal are 0 to {}", LockOf(done.given.lock).name,
                    lock_before + given, job::kLockTop));
  }
  if (given <= 0) return;
  std::vector<Release>& all = locks_.at(done.given.lock).releases[c];
  const uint64_t before = all.empty() ? 0 : all.back().sum;
  all.push_back({before + static_cast<uint64_t>(given), channel.ended});
}

// Each byte: whoever visited it before has ended before this step began, for certain.
void Executor::NoteAccesses(size_t c) {
  if (channels_.size() == 1) return;
  const Channel& channel = channels_[c];
  const cli::Step& step = channel.prepared->steps[channel.step];
  const bool write = channel.prepared->write();
  uint64_t number = ~uint64_t{0};
  std::vector<std::pair<size_t, const Page*>> others;  // whose visits count, at the page
  Page* mine = nullptr;
  ForEachByte(executions(c).back().transfer, build_, [&](uint64_t address) {
    if (mine == nullptr || address / 4096 != number) {
      number = address / 4096;
      auto& page = shadows_[c][number];
      if (!page) page = std::make_unique<Page>();
      mine = page.get();
      others.clear();
      for (size_t y = 0; y < channels_.size(); ++y) {
        if (y == c || !(write || channels_[y].prepared->write())) continue;
        const auto found = shadows_[y].find(number);
        if (found != shadows_[y].end()) others.emplace_back(y, found->second.get());
      }
    }
    for (const auto& [y, page] : others) {
      const uint32_t last = page->last[address % 4096];
      if (last == 0) continue;
      if (last <= channel.begun[y]) continue;
      const PreparedChannel& other = *channels_[y].prepared;
      throw job::Error(fmt::format(
          "{}: {} of {} {} address {:#x}, which {} of {} {}: legal is an order by locks "
          "or triggers, for what is there must not depend on time",
          p_.job.file, step.place, channel.prepared->channel->name, write ? "writes" : "reads",
          address, other.steps[last - 1].place, other.channel->name,
          other.write() ? "writes" : "reads"));
    }
    mine->last[address % 4096] = static_cast<uint32_t>(channel.step + 1);
    return true;
  });
}

// ---- What cannot end

std::string Executor::WhyItWaits(size_t c) const {
  const Channel& channel = channels_[c];
  const cli::Step& step = channel.prepared->steps[channel.step];
  const std::string who =
      fmt::format("{} ({} of {})", step.place, step.name.empty() ? "a transfer" : step.name,
                  channel.prepared->channel->name);
  const job::Trigger& trigger = channel.prepared->channel->trigger;
  const DeviceModel::Wait waits = device_.WaitsFor(channel.number);
  if (waits == DeviceModel::Wait::kTrigger && trigger.kind == Kind::kMark) {
    return fmt::format("{} waits for frame {} of its stream, which marks {}", who,
                       channel.triggers + 1, channel.triggers);
  }
  if (waits == DeviceModel::Wait::kTrigger) {
    if (trigger.kind == Kind::kPin || trigger.kind == Kind::kSoftware) {
      return fmt::format("{} waits for {} {} for the {}. time, which comes {}", who,
                         trigger.kind == Kind::kPin ? "pin" : "event", trigger.number,
                         channel.triggers + 1, Counted(EventsOf(trigger), "time"));
    }
    return fmt::format("{} waits for {} {} of {}, which does {}", who,
                       trigger.kind == Kind::kTransfer ? "transfer" : "task", channel.triggers + 1,
                       trigger.channel, EventsOf(trigger));
  }
  if (waits == DeviceModel::Wait::kLock) {
    const int value = step.acquire->value;
    std::vector<std::string> releases;
    for (const job::Descriptor& d : p_.job.descriptors) {
      if (d.release && *p_.job.FindLock(d.release->lock)->number == step.acquire->id)
        releases.push_back(d.transfer.name);
    }
    const std::string releasers = Listed(releases, {}, ", ", 200);
    return fmt::format("{} waits for lock {} to be {} {}, which is {} (released by {})", who,
                       LockOf(step.acquire->id).name, value < 0 ? "at least" : "equal to",
                       value < 0 ? -value : value, device_.lock(step.acquire->id),
                       releasers.empty() ? "nobody" : releasers);
  }
  if (waits == DeviceModel::Wait::kHalt) {
    return fmt::format("{}: {}", who, device_.WhoWaits(channel.number));
  }
  const model::Transfer& t = channel.prepared->transfers[channel.step];
  return fmt::format("{} waits for more than its stream brings ({}, {})", who,
                     Counted(model::Positions(t) * static_cast<uint64_t>(t.elem), "byte"),
                     channel.prepared->from != nullptr
                         ? channel.prepared->from->channel->place
                         : channel.prepared->channel->stream.place + ".source");
}

void Executor::Refuse() const {
  std::string why;
  size_t waiting = 0;
  for (size_t c = 0; c < channels_.size(); ++c) {
    if (channels_[c].step == channels_[c].steps) continue;
    if (++waiting > 4) continue;
    why += (why.empty() ? "" : "; ") + WhyItWaits(c);
  }
  if (waiting > 4) why += fmt::format("; and {} more channels wait", waiting - 4);
  throw job::Error(
      fmt::format("{}: {}: legal is a program that comes to its end", p_.job.file, why));
}

void CheckProgram(const Prepared& prepared) {
  Memory memory(prepared.job.seed);
  prepared.LoadInto(&memory);
  model::MemoryImage image([&](uint64_t address) { return memory.ReadByte(address); });
  Executor executor(prepared, &image);
  executor.FeedAll();
  executor.Run();
}

}  // namespace tessera::cli
