// See expand.h.
#include "tools/prepare/expand.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "tb/model/walk.h"
#include "tb/sim/counted.h"

namespace tessera::cli {
namespace {

using job::Descriptor;
using job::Error;

constexpr size_t kMostSteps = size_t{1} << 18;  // of all channels together
constexpr uint32_t kMarkTrigger = 1, kPinTriggers = 0x10, kSoftwareTriggers = 0x20,
                   kTransferTriggers = 0x40, kTaskTriggers = 0x60;

bool Fits32(int64_t value) { return value == static_cast<int32_t>(value); }

class Expander {
 public:
  explicit Expander(Prepared* p) : p_(*p), dma_(*p->hardware.dma) {}

  void Run() {
    FindUsers();
    NumberDescriptors();
    for (const Descriptor& d : p_.job.descriptors) {
      if (numbers_.contains(&d)) p_.descriptors.emplace_back(numbers_.at(&d), Native(d));
    }
    for (PreparedChannel& c : p_.channels) {
      c.trigger = TriggerCode(c.channel->trigger);
      if (c.channel->list) ListOf(&c);
      if (c.channel->tasks.empty()) {
        OfTransfers(&c);
      } else {
        OfTasks(&c);
      }
      for (const model::Transfer& t : c.transfers) {
        c.payload += model::Positions(t) * static_cast<uint64_t>(t.elem);
      }
    }
  }

 private:
  const std::string& file() const { return p_.job.file; }

  // The channel that a descriptor belongs to: the first one of whose chains it is a part.
  void FindUsers() {
    for (const PreparedChannel& c : p_.channels) {
      for (const job::Task& task : c.channel->tasks) {
        if (!task.list.empty()) {  // of its own memory
          for (const Descriptor* d : p_.job.ChainOf(task)) users_.try_emplace(d, &c);
          continue;
        }
        for (const Descriptor* d : p_.job.ChainOf(task)) {
          const PreparedChannel*& user = users_[d];
          if (user == nullptr) user = &c;
          if (user == &c) continue;
          if (d->turns <= 1) continue;
          throw job::ErrorAt(
              file(), task.place + ".start", fmt::format("\"{}\"", task.start),
              fmt::format("{} of {} belongs to its chain, and its turns would depend "
                          "on time: legal is a descriptor of its own for each channel",
                          d->transfer.name, user->channel->name));
        }
      }
    }
    for (const Descriptor& d : p_.job.descriptors) {
      if (users_.contains(&d)) continue;
      p_.notes.push_back(fmt::format("no task uses descriptor {}", d.transfer.name));
    }
  }

  void NumberDescriptors() {
    for (const Descriptor& d : p_.job.descriptors) {
      if (!p_.job.InRam(d)) continue;
      int number = 0;
      while (number < dma_.descriptors && taken_.contains(number)) ++number;
      if (number == dma_.descriptors) {
        throw Error(fmt::format("{}: {} has no place: legal are at most {} (configuration {})",
                                file(), d.transfer.place, Counted(number, "descriptor"),
                                p_.config().name));
      }
      taken_.insert(number);
      numbers_[&d] = number;
    }
  }

  // A transfer as a descriptor can say it: `offset` is part of the base; without the extension so
  // is the start, which is nothing but an address where there are no bounds.
  model::Transfer Said(const model::Transfer& t, const std::string& place) const {
    model::Transfer out = t;
    out.base += std::exchange(out.offset, 0);
    out.task_end = false;
    if (dma_.channel.bounds) return out;
    out.fill = 0;
    for (size_t d = 0; d < model::kDims; ++d) {
      if (!Fits32(t.stride[d])) {
        throw job::ErrorAt(file(), fmt::format("{}.stride[{}]", place, d),
                           std::to_string(t.stride[d]),
                           fmt::format("legal are {} to {}, for there are no bounds, which hold "
                                       "the high halves (configuration {})",
                                       INT32_MIN, INT32_MAX, p_.config().name));
      }
      out.base += static_cast<uint64_t>(t.stride[d]) * static_cast<uint64_t>(int64_t{t.start[d]});
      out.start[d] = 0;
    }
    return out;
  }

  native::Descriptor Native(const Descriptor& d) const {
    native::Descriptor out;
    out.transfer = Said(d.transfer.value, d.transfer.place);
    if (d.acquire) out.acquire = {LockNumber(*d.acquire), AcquireValue(*d.acquire)};
    if (d.release) out.release = {LockNumber(*d.release), d.release->value};
    if (!d.next.empty()) out.next = numbers_.at(p_.job.FindDescriptor(d.next));
    if (d.turns > 1) {
      out.iteration_size = static_cast<int>(d.turns);
      out.iteration_step = d.step;
    }
    out.interrupt = d.interrupt;
    out.no_record = !d.record;
    out.side = d.side;
    if (d.header) {
      out.header = rtl::HeaderRequest{
          .enable = true, .kind = d.header->type, .bd = d.header->descriptor, .id = d.header->id};
    }
    return out;
  }
  int LockNumber(const job::LockUse& use) const { return *p_.job.FindLock(use.lock)->number; }
  static int AcquireValue(const job::LockUse& use) { return use.equal ? use.value : -use.value; }

  uint32_t TriggerCode(const job::Trigger& t) const {
    using Kind = job::Trigger::Kind;
    const auto number = static_cast<uint32_t>(t.number);
    if (t.kind == Kind::kPin) return kPinTriggers + number;
    if (t.kind == Kind::kSoftware) return kSoftwareTriggers + number;
    if (t.kind == Kind::kNone) return 0;
    if (t.kind == Kind::kMark) return kMarkTrigger;
    const job::Channel& other = *p_.job.Find(t.channel);
    return (t.kind == Kind::kTransfer ? kTransferTriggers : kTaskTriggers) +
           (other.direction == Direction::kWrite ? 0x10U : 0U) +
           static_cast<uint32_t>(other.engine);
  }

  void Count(const std::string& place, size_t steps, uint64_t positions) {
    steps_ += steps;
    if (steps_ > kMostSteps) {
      throw Error(fmt::format("{}: {} makes {}: legal are {} for all tasks together", file(), place,
                              Counted(steps, "transfer"), kMostSteps));
    }
    if (__builtin_add_overflow(positions_, positions, &positions_) ||
        positions_ > job::kMostPositions) {
      throw Error(fmt::format("{}: {} visits {}: legal are {} for all tasks together", file(),
                              place, Counted(positions, "position"), job::kMostPositions));
    }
  }

  // So often its triggers come, or so many packets or bytes its stream has.
  uint32_t EndlessTurns(const PreparedChannel& c, const job::Task& task) const {
    using Kind = job::Trigger::Kind;
    const job::Trigger& trigger = c.channel->trigger;
    const job::Stream& stream = c.channel->stream;
    uint64_t turns = 0;
    if (task.paced && trigger.kind == Kind::kMark) turns = stream.marks.size();
    for (const job::Event& event : p_.job.events) {
      const bool same = event.pin ? trigger.kind == Kind::kPin : trigger.kind == Kind::kSoftware;
      if (task.paced && same && event.number == trigger.number) turns = event.at.size();
    }
    if (!task.paced && stream.source) {
      uint64_t bytes = 0, packets = 0;
      for (const Descriptor* d : p_.job.ChainOf(task)) {
        const model::Transfer& t = d->transfer.value;
        bytes += model::Positions(t) * static_cast<uint64_t>(t.elem);
        packets += t.finish == model::Finish::kLast ? 1 : 0;
      }
      const auto last = [](const StreamPiece& piece) {
        return piece.end == PieceEnd::kLast || piece.end == PieceEnd::kNullLast;
      };
      const auto ends =
          static_cast<uint64_t>(std::count_if(c.pieces.begin(), c.pieces.end(), last));
      if (packets > 0) {
        turns = ends / packets;
      } else if (bytes > 0) {
        turns = c.source.size() / bytes;
      }
    }
    if (turns > 0 && turns <= kMostSteps) return static_cast<uint32_t>(turns);
    throw job::ErrorAt(
        file(), task.place + ".endless", "true",
        "legal is a task whose turns something counts: paced by a pin, by software "
        "or by the marks of its stream, or with a source that brings a turn's bytes");
  }

  void OfTasks(PreparedChannel* c) {
    for (const job::Task& given : c->channel->tasks) {
      job::Task task = given;
      if (task.endless) task.repeats = EndlessTurns(*c, task);
      const std::vector<const Descriptor*> chain = p_.job.ChainOf(task);
      uint64_t positions = 0;
      for (const Descriptor* d : chain) positions += model::Positions(d->transfer.value);
      if (__builtin_mul_overflow(positions, uint64_t{task.repeats}, &positions)) {
        positions = ~uint64_t{0};
      }
      Count(task.place, chain.size() * task.repeats, positions);
      Push& push = c->pushes.emplace_back();
      push.task.from_list = !task.list.empty();
      if (!push.task.from_list) push.task.start = numbers_.at(chain.front());
      push.task.endless = task.endless;
      push.task.repeats = task.endless ? 1 : static_cast<int>(task.repeats);
      push.task.token = task.token;
      push.task.trigger = task.trigger;
      push.task.paced = task.paced;
      push.tag = task.tag;
      push.name = chain.front()->transfer.name;
      push.first = c->steps.size();
      for (uint32_t turn = 0; turn < task.repeats; ++turn) {
        for (size_t n = 0; n < chain.size(); ++n) AddStep(c, task, *chain[n], n);
      }
      push.steps = c->steps.size() - push.first;
      if (c->ring() || task.endless) continue;  // its task never ends
      c->transfers.back().task_end = true;
    }
  }

  // An array, or what is added to a ring one after the other; each of a ring ends a turn.
  void ListOf(PreparedChannel* c) {
    for (const std::string& name : c->channel->list->descriptors) {
      const Descriptor& d = *p_.job.FindDescriptor(name);
      c->list.push_back(Native(d));
    }
  }

  void AddStep(PreparedChannel* c, const job::Task& task, const Descriptor& d, size_t at) {
    const bool listed = !task.list.empty();
    Step& step = c->steps.emplace_back();
    step.place = d.transfer.place;
    step.name = d.transfer.name;
    step.descriptor = listed ? static_cast<int>(at & 0xff) : numbers_.at(&d);
    step.record = d.record;
    if (c->ring()) {
      const job::List& ring = *c->channel->list;
      step.descriptor = static_cast<int>(at % ring.places & 0xff);
      step.record = d.record && !ring.entries;
    }
    if (d.acquire) step.acquire = {LockNumber(*d.acquire), AcquireValue(*d.acquire)};
    if (d.release) step.release = {LockNumber(*d.release), d.release->value};
    model::Transfer& t = c->transfers.emplace_back(d.transfer.value);
    if (d.turns == 1) return;
    uint32_t& done = turns_[&d];
    t.offset = static_cast<uint64_t>(int64_t{done} * d.step);
    done = (done + 1) % d.turns;
  }

  // So many descriptors are left for a channel with transfers.
  int ShareOf(const PreparedChannel& c) const {
    const auto sharers =
        std::count_if(p_.channels.begin(), p_.channels.end(),
                      [](const PreparedChannel& other) { return other.channel->tasks.empty(); });
    const int share = (dma_.descriptors - static_cast<int>(taken_at_first_)) /
                      std::max(1, static_cast<int>(sharers));
    if (share > 0) return share;
    throw Error(
        fmt::format("{}: {}.transfers has no descriptors: legal are fewer than {} for "
                    "tasks (configuration {})",
                    file(), c.channel->place, dma_.descriptors, p_.config().name));
  }

  // A descriptor for each transfer, written when the one that had its place has its record; a task
  // for each but those that must be of one task: a beat or a packet goes on from one to the next.
  void OfTransfers(PreparedChannel* c) {
    if (taken_at_first_ == 0) taken_at_first_ = p_.job.descriptors.size();
    const std::vector<int> places = TakePlaces(*c);
    const auto share = places.size();
    const std::vector<job::NamedTransfer>& transfers = c->channel->transfers;
    Count(c->channel->place, transfers.size(), 0);  // the parser knows their positions
    for (size_t k = 0; k < transfers.size();) {
      size_t end = k;
      while (end + 1 < transfers.size() && GoesOn(transfers[end].value)) ++end;
      ++end;
      if (end - k > share) {
        throw Error(fmt::format(
            "{}: {} begins {} transfers that belong together: legal are {}, so many descriptors "
            "has the channel (configuration {})",
            file(), transfers[k].place, end - k, share, p_.config().name));
      }
      Push& push = c->pushes.emplace_back();
      push.task.start = places[k % share];
      push.name = transfers[k].name;
      push.tag = static_cast<uint32_t>(c->pushes.size() - 1);
      push.first = k;
      push.steps = end - k;
      push.after = end > share ? end - share : 0;
      for (size_t n = k; n < end; ++n) {
        native::Descriptor d;
        d.transfer = Said(transfers[n].value, transfers[n].place);
        if (n + 1 < end) d.next = places[(n + 1) % share];
        push.writes.emplace_back(places[n % share], d);
        Step& step = c->steps[n];
        step.descriptor = places[n % share];
        c->transfers[n].task_end = n + 1 == end;
      }
      k = end;
    }
  }
  static bool GoesOn(const model::Transfer& t) {
    return !t.task_end && (t.join_next || t.last_rule == model::LastRule::kTask);
  }
  std::vector<int> TakePlaces(const PreparedChannel& c) {
    const int share = ShareOf(c);
    std::vector<int> places;
    int number = 0;
    const size_t wanted = std::min(static_cast<size_t>(share), c.channel->transfers.size());
    for (; places.size() < wanted && number < dma_.descriptors; ++number) {
      if (taken_.insert(number).second) places.push_back(number);
    }
    return places;
  }

  Prepared& p_;
  const DmaConfig& dma_;
  std::map<const Descriptor*, const PreparedChannel*> users_;
  std::map<const Descriptor*, int> numbers_;
  std::map<const Descriptor*, uint32_t> turns_;  // done so far
  std::set<int> taken_;
  size_t taken_at_first_ = 0, steps_ = 0;
  uint64_t positions_ = 0;
};

}  // namespace

void ExpandProgram(Prepared* prepared) { Expander(prepared).Run(); }

}  // namespace tessera::cli
