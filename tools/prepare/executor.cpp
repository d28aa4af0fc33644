// See executor.h.
#include "tools/prepare/executor.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <utility>

#include "tb/check/encode.h"
#include "tb/sim/counted.h"
#include "tools/prepare/visit.h"

namespace tessera::cli {
namespace {

using Kind = job::Trigger::Kind;

}  // namespace

Executor::Executor(const Prepared& prepared, model::MemoryImage* memory)
    : p_(prepared),
      memory_(*memory),
      build_(BuildOf(prepared.config())),
      channels_(prepared.channels.size()),
      shadows_(prepared.channels.size()) {
  const size_t count = channels_.size();
  for (const job::Lock& lock : p_.job.locks) {
    LockState& state = locks_[*lock.number];
    state.value = state.first = lock.value;
    state.all.resize(count);
    state.releases.resize(count);
  }
  for (size_t c = 0; c < count; ++c) {
    Channel& channel = channels_[c];
    channel.prepared = &p_.channels[c];
    channel.steps = channel.prepared->steps.size();
    if (channel.prepared->write()) {
      channel.write.emplace(build_, *memory);
    } else {
      channel.read.emplace(build_, *memory, p_.read_errors);
    }
    channel.acquired_of.resize(job::kMostLocks);
    channel.begun.resize(count);
    channel.ended.resize(count);
    for (const cli::Step& step : channel.prepared->steps) {
      if (step.release.value <= 0) continue;
      locks_.at(step.release.id).all[c] += static_cast<uint64_t>(step.release.value);
    }
  }
}

void Executor::Feed(size_t channel, std::vector<model::StreamBeat> beats) {
  Channel& fed = channels_[channel];
  const std::set<uint64_t>& marks = fed.prepared->channel->stream.marks;
  fed.marked.clear();
  uint64_t packet = 0;
  bool first = true;
  for (const model::StreamBeat& beat : beats) {
    fed.marked.push_back(first && marks.contains(packet));
    first = beat.last;
    packet += beat.last ? 1 : 0;
  }
  fed.fed = std::move(beats);
}

std::vector<int> Executor::locks() const {
  std::vector<int> values;
  for (const job::Lock& lock : p_.job.locks) values.push_back(locks_.at(*lock.number).value);
  return values;
}

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
  if (!TakeTrigger(c) || !TakeLock(c) || !Execute(c)) return false;
  NoteAccesses(c);
  Finish(c);
  return true;
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

// ---- Triggers and locks

uint64_t Executor::EventsOf(const job::Trigger& trigger) const {
  if (trigger.kind == Kind::kTransfer) return channels_[IndexOf(trigger.channel)].step;
  if (trigger.kind == Kind::kTask) return channels_[IndexOf(trigger.channel)].tasks;
  for (const job::Event& event : p_.job.events) {
    const bool same = event.pin == (trigger.kind == Kind::kPin) && event.number == trigger.number;
    if (same) return event.at.size();
  }
  return 0;
}

// The n-th time that a channel waits it comes after the n-th event at least.
bool Executor::TakeTrigger(size_t c) {
  Channel& channel = channels_[c];
  if (!channel.prepared->steps[channel.step].waits || channel.waited) return true;
  const job::Trigger& trigger = channel.prepared->channel->trigger;
  if (trigger.kind == Kind::kMark) return TakeMark(c);
  if (EventsOf(trigger) <= channel.triggers) return false;
  channel.waited = true;
  const uint64_t n = channel.triggers++;
  if (trigger.channel.empty()) return true;
  const Channel& other = channels_[IndexOf(trigger.channel)];
  Join(&channel.begun, other.ends[trigger.kind == Kind::kTransfer ? n : other.task_ends[n]]);
  return true;
}

// What comes before the next mark is dropped.
bool Executor::TakeMark(size_t c) {
  Channel& channel = channels_[c];
  const auto from = channel.marked.begin() + static_cast<std::ptrdiff_t>(channel.next_beat);
  const auto mark = std::find(from, channel.marked.end(), true);
  if (mark == channel.marked.end()) return false;
  if (channel.write->held() > 0) {
    throw job::Error(fmt::format(
        "{}: {} of {} waits for a mark within a beat of which {} {} left: "
        "legal is a frame that ends with its beat",
        p_.job.file, channel.prepared->steps[channel.step].place, channel.prepared->channel->name,
        Counted(channel.write->held(), "byte"), channel.write->held() == 1 ? "is" : "are"));
  }
  channel.next_beat = channel.frame = static_cast<size_t>(mark - channel.marked.begin());
  channel.framed = channel.waited = true;
  ++channel.triggers;
  return true;
}

bool Executor::TakeLock(size_t c) {
  Channel& channel = channels_[c];
  const std::optional<native::LockOp>& acquire = channel.prepared->steps[channel.step].acquire;
  if (!acquire || channel.acquired) return true;
  LockState& lock = locks_.at(acquire->id);
  const bool equal = acquire->value >= 0;
  const int wanted = equal ? acquire->value : -acquire->value;
  if (equal ? lock.value != wanted : lock.value < wanted) return false;
  channel.acquired = true;
  uint64_t& mine = channel.acquired_of[static_cast<size_t>(acquire->id)];
  const uint64_t units = mine + static_cast<uint64_t>(wanted);
  if (!equal) {
    lock.value -= wanted;
    mine = units;
  }
  // So many units of each channel the lock must have had, whatever the others gave.
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
  return true;
}

// ---- Execution

bool Executor::Execute(size_t c) {
  Channel& channel = channels_[c];
  const model::Transfer& t = channel.prepared->transfers[channel.step];
  if (channel.read) {
    channel.runs.push_back(channel.step);
    channel.records.push_back(channel.read->Run(t));
    Send(c);
    return true;
  }
  // On a copy, for it may wait for beats that come later. What it has written it writes again.
  model::WriteModel trial = *channel.write;
  size_t next = channel.next_beat;
  const std::vector<model::StreamBeat>& beats =
      channel.prepared->from == nullptr
          ? channel.fed
          : this->beats(static_cast<size_t>(channel.prepared->from - p_.channels.data()));
  trial.Offer([&](model::StreamBeat& beat) {
    if (next == beats.size()) return false;
    // A mark goes to no transfer but that which begins with it.
    if (channel.framed && next != channel.frame && channel.marked[next]) return false;
    beat = beats[next++];
    return true;
  });
  const std::optional<model::Record> record = trial.Run(t);
  if (!record) return false;
  trial.Offer(model::WriteModel::Source());
  *channel.write = std::move(trial);
  channel.next_beat = next;
  channel.records.push_back(*record);
  const bool marked = next > 0 && next <= channel.marked.size() && channel.marked[next - 1];
  channel.sides.push_back(marked ? 1U << 16 : 0);
  return true;
}

// The word of a header of an IP that stands at `place`; parity is odd.
uint32_t WordOf(const job::Header& header, uint32_t place) {
  const uint32_t word =
      header.id | uint32_t{header.descriptor} << 5 | uint32_t{header.type} << 12 | place;
  return word | static_cast<uint32_t>(std::popcount(word) % 2 == 0) << 31;
}

// A header goes before the packet that its transfer begins; what follows moves up by four lanes.
void Executor::Send(size_t c) {
  Channel& channel = channels_[c];
  const std::vector<model::StreamBeat>& beats = channel.read->beats();
  const auto width = static_cast<size_t>(build_.stream_bytes);
  const auto flush = [&](size_t lanes, bool last) {
    model::StreamBeat& beat = channel.sent.emplace_back();
    for (size_t n = 0; n < lanes; ++n) {
      beat.data[n] = channel.lanes[n].first;
      beat.keep[n] = channel.lanes[n].second;
    }
    beat.last = last;
    channel.lanes.erase(channel.lanes.begin(),
                        channel.lanes.begin() + static_cast<std::ptrdiff_t>(lanes));
  };
  for (; channel.headed < beats.size(); ++channel.headed) {
    const model::StreamBeat& beat = beats[channel.headed];
    const size_t transfer = channel.read->origins()[channel.headed].transfer;
    const std::optional<job::Header>& header =
        channel.prepared->steps[channel.runs[transfer]].header;
    const bool begins = !std::exchange(channel.within, !beat.last);
    if (begins && header) {
      const uint32_t word = WordOf(*header, p_.hardware.dma->place());
      for (int b = 0; b < 4; ++b) {
        channel.lanes.emplace_back(static_cast<uint8_t>(word >> (8 * b)), true);
      }
    }
    if (channel.lanes.empty()) {
      channel.sent.push_back(beat);
      continue;
    }
    for (size_t n = 0; n < width; ++n) channel.lanes.emplace_back(beat.data[n], beat.keep[n]);
    while (beat.last && !channel.lanes.back().second) channel.lanes.pop_back();
    while (channel.lanes.size() > width || (!beat.last && channel.lanes.size() == width)) {
      flush(width, false);
    }
    if (beat.last) flush(channel.lanes.size(), true);
  }
}

void Executor::Finish(size_t c) {
  Channel& channel = channels_[c];
  const cli::Step& step = channel.prepared->steps[channel.step];
  ++channel.step;
  Join(&channel.ended, channel.begun);
  channel.ended[c] = static_cast<uint32_t>(channel.step);
  channel.ends.push_back(channel.ended);
  channel.acquired = channel.waited = false;
  if (channel.prepared->ring() && channel.prepared->channel->list->entries) WriteEntry(c);
  const bool illegal = channel.records.back().illegal;
  if (step.task_end && !illegal) {
    channel.task_ends.push_back(channel.step - 1);
    ++channel.tasks;
    tokens_ += step.token ? 1 : 0;
  }
  if (illegal || step.release.value == 0) return;
  LockState& lock = locks_.at(step.release.id);
  lock.value += step.release.value;
  if (lock.value < 0 || lock.value > job::kLockTop) {
    throw job::ErrorAt(p_.job.file, step.place + ".release.add", std::to_string(step.release.value),
                       fmt::format("lock {} would become {}, legal are 0 to {}",
                                   LockOf(step.release.id).name, lock.value, job::kLockTop));
  }
  if (step.release.value < 0) return;
  std::vector<Release>& given = lock.releases[c];
  const uint64_t before = given.empty() ? 0 : given.back().sum;
  given.push_back({before + static_cast<uint64_t>(step.release.value), channel.ended});
}

// What the device writes of a descriptor of a ring that is done.
void Executor::WriteEntry(size_t c) {
  const Channel& channel = channels_[c];
  const job::List& ring = *channel.prepared->channel->list;
  const size_t n = channel.step - 1;
  const model::Record& record = channel.records.back();
  const uint64_t place = n % ring.places;
  const uint32_t phase = n / ring.places % 2 == 0 ? 1U << 31 : 0;
  const std::array<uint32_t, 4> words = {
      channel.prepared->steps[n].tag, static_cast<uint32_t>(record.bytes),
      static_cast<uint32_t>(record.bytes >> 32 | place << 16),
      uint32_t{StatusOf(record)} | (record.last ? 1U << 8 : 0) | phase};
  for (uint64_t b = 0; b < job::List::kEntry; ++b) {
    memory_.Write(*ring.entries + place * job::List::kEntry + b,
                  static_cast<uint8_t>(words[b / 4] >> (8 * (b % 4))));
  }
}

// Each byte: whoever visited it before has ended before this step began, for certain.
void Executor::NoteAccesses(size_t c) {
  if (channels_.size() == 1) return;
  const Channel& channel = channels_[c];
  const cli::Step& step = channel.prepared->steps[channel.step];
  uint64_t number = ~uint64_t{0};
  std::vector<std::pair<size_t, const Page*>> others;  // whose visits count, at the page
  Page* mine = nullptr;
  ForEachByte(channel.prepared->transfers[channel.step], build_, [&](uint64_t address) {
    if (mine == nullptr || address / 4096 != number) {
      number = address / 4096;
      auto& page = shadows_[c][number];
      if (!page) page = std::make_unique<Page>();
      mine = page.get();
      others.clear();
      for (size_t y = 0; y < channels_.size(); ++y) {
        if (y == c || !(channel.write || channels_[y].write)) continue;
        const auto found = shadows_[y].find(number);
        if (found != shadows_[y].end()) others.emplace_back(y, found->second.get());
      }
    }
    for (const auto& [y, page] : others) {
      const uint32_t last = page->last[address % 4096];
      if (last == 0) continue;
      dependent_ = true;
      if (last <= channel.begun[y]) continue;
      const PreparedChannel& other = *channels_[y].prepared;
      throw job::Error(fmt::format(
          "{}: {} of {} {} address {:#x}, which {} of {} {}: legal is an order by locks "
          "or triggers, for what is there must not depend on time",
          p_.job.file, step.place, channel.prepared->channel->name,
          channel.write ? "writes" : "reads", address, other.steps[last - 1].place,
          other.channel->name, other.write() ? "writes" : "reads"));
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
  if (step.waits && !channel.waited && trigger.kind == Kind::kMark) {
    return fmt::format("{} waits for frame {} of its stream, which marks {}", who,
                       channel.triggers + 1, channel.triggers);
  }
  if (step.waits && !channel.waited) {
    if (trigger.kind == Kind::kPin || trigger.kind == Kind::kSoftware) {
      return fmt::format("{} waits for {} {} for the {}. time, which comes {}", who,
                         trigger.kind == Kind::kPin ? "pin" : "event", trigger.number,
                         channel.triggers + 1, Counted(EventsOf(trigger), "time"));
    }
    return fmt::format("{} waits for {} {} of {}, which does {}", who,
                       trigger.kind == Kind::kTransfer ? "transfer" : "task", channel.triggers + 1,
                       trigger.channel, EventsOf(trigger));
  }
  if (step.acquire && !channel.acquired) {
    const int value = step.acquire->value;
    std::string releasers;
    for (const job::Descriptor& d : p_.job.descriptors) {
      if (!d.release || *p_.job.FindLock(d.release->lock)->number != step.acquire->id) continue;
      if (releasers.size() < 200) {
        releasers += (releasers.empty() ? "" : ", ") + d.transfer.name;
      }
    }
    return fmt::format("{} waits for lock {} to be {} {}, which is {} (released by {})", who,
                       LockOf(step.acquire->id).name, value < 0 ? "at least" : "equal to",
                       value < 0 ? -value : value, locks_.at(step.acquire->id).value,
                       releasers.empty() ? "nobody" : releasers);
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

}  // namespace tessera::cli
