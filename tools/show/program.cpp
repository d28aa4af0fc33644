// A program in words; see program.h.
#include "tools/show/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <ranges>
#include <set>

#include "tb/sim/counted.h"
#include "tools/show/words.h"

namespace tessera::show {
namespace {

using Kind = job::Trigger::Kind;

uint64_t BytesOf(const model::Transfer& t) {
  return model::Positions(t) * static_cast<uint64_t>(t.elem);
}

std::string Name(const job::Descriptor& d) { return d.transfer.name; }

// "free, full" of the things that `uses` says.
template <typename Things, typename Words, typename Uses>
std::string Users(const Things& things, Words name, Uses uses) {
  const std::string names = Listed(things | std::views::filter(uses), name);
  return names.empty() ? "nobody" : names;
}

// "image+64" of an address in a memory.
std::string Where(const job::Job& job, uint64_t address) {
  const job::Region* region = job::RegionAt(job, address);
  if (region == nullptr) return Hex(static_cast<__int128>(address));
  if (address == region->base) return region->name;
  return fmt::format("{}+{}", region->name, address - region->base);
}

std::string LockLine(const job::Job& job, const job::Lock& lock) {
  const auto of = [&](const std::optional<job::LockUse>& use) {
    return use && use->lock == lock.name;
  };
  return fmt::format("  {}: lock {}, {} at first, awaited by {}, released by {}\n", lock.name,
                     *lock.number, lock.value,
                     Users(job.descriptors, Name, [&](const auto& d) { return of(d.acquire); }),
                     Users(job.descriptors, Name, [&](const auto& d) { return of(d.release); }));
}

std::string EventLine(const job::Job& job, const job::Event& event) {
  const std::string who = Users(job.channels, &job::Channel::name, [&](const job::Channel& c) {
    return c.trigger.kind == (event.pin ? Kind::kPin : Kind::kSoftware) &&
           c.trigger.number == event.number;
  });
  return fmt::format(
      "  {} {}{}: {}, the first {} after the program was loaded, for {}\n",
      event.pin ? "pin" : "event", event.number, event.packet ? " by control packets" : "",
      Plural(event.at.size(), event.pin ? "rise" : "time"), Plural(event.at[0], "cycle"), who);
}

// ---- The on-chip buffer

Subject SubjectOf(const job::Job& job, const job::Descriptor& d, const DmaConfig& dma) {
  return {d.transfer.value, job.DirectionOf(d), dma.channel};
}

// The step of the innermost dimension that jumps, if it leads to the same bank: words, and those
// that would not.
std::optional<std::pair<uint64_t, uint64_t>> Trap(const model::Transfer& t, const DmaConfig& dma) {
  const auto word = static_cast<uint64_t>(dma.channel.data_bytes),
             banks = static_cast<uint64_t>(dma.on_chip_banks);
  for (size_t d = 0; d < model::kDims; ++d) {
    const auto step = static_cast<uint64_t>(std::abs(t.stride[d]));
    if (t.count[d] < 2 || step <= word) continue;
    if (step % (word * banks) != 0) return std::nullopt;
    return std::pair{step / word, step / word + 1};
  }
  return std::nullopt;
}

std::string Line(const job::Job& job, const job::Descriptor& d, const DmaConfig& dma,
                 const BankUse& use) {
  const bool write = job.DirectionOf(d) == Direction::kWrite;
  std::string text = fmt::format("  {} {} {}, ", d.transfer.name, write ? "writes" : "reads",
                                 Plural(use.words, "word"));
  if (use.outside > 0) text += fmt::format("{} more outside, ", Grouped(use.outside));
  if (use.stays == 0) return text + "each in another bank than the one before\n";
  text += fmt::format("{} of them in the bank of the one before", Grouped(use.stays));
  if (const auto trap = Trap(d.transfer.value, dma)) {
    text += fmt::format(": a step of {} leads to the same bank, one of {} would not",
                        Plural(trap->first, "word"), trap->second);
  }
  return text + "\n";
}

std::string PortsLine(const char* what, const std::set<int>& ports) {
  if (ports.empty()) return "";
  const std::string names = Listed(ports, [](int port) { return std::to_string(port); });
  if (ports.size() == 1)
    return fmt::format("  {} come from port {} alone: none waits for a bank, but for a processor\n",
                       what, names);
  return fmt::format(
      "  {} come from ports {}: none waits for long where each word is in another bank than the "
      "one before\n",
      what, names);
}

}  // namespace

bool HasProgram(const job::Job& job) { return !job.descriptors.empty(); }

std::string MovesWords(const job::Job& job, const job::Descriptor& d) {
  const model::Transfer& t = d.transfer.value;
  const bool write = job.DirectionOf(d) == Direction::kWrite;
  std::string text =
      fmt::format("{} {} {} {}", t.finish == model::Finish::kLast ? "up to" : "moves",
                  Plural(BytesOf(t), "byte"), write ? "to" : "from", Where(job, t.base));
  if (t.finish == model::Finish::kLast) text = "moves a packet of " + text;
  if (d.turns > 1) {
    text += fmt::format(", {} byte{} further each turn, {} turns", d.step, d.step == 1 ? "" : "s",
                        d.turns);
  }
  return text;
}

std::string WaitsWords(const job::Descriptor& d) {
  if (!d.acquire) return "";
  return d.acquire->equal
             ? fmt::format("waits until lock {} is {}", d.acquire->lock, d.acquire->value)
             : fmt::format("waits until lock {} is at least {} and takes {}", d.acquire->lock,
                           d.acquire->value, d.acquire->value);
}

std::string GivesWords(const job::Descriptor& d) {
  if (!d.release) return "";
  return d.release->value > 0
             ? fmt::format("adds {} to lock {} when done", d.release->value, d.release->lock)
             : fmt::format("takes {} from lock {} when done", -d.release->value, d.release->lock);
}

std::string TaskWords(const job::Job& job, const job::Task& task) {
  uint64_t bytes = 0;
  const std::vector<const job::Descriptor*> descriptors = job.ChainOf(task);
  for (const job::Descriptor* d : descriptors) bytes += BytesOf(d->transfer.value);
  std::string text = task.list.empty() ? "" : "of its list: ";
  text += Listed(
      descriptors, [](const job::Descriptor* d) { return Name(*d); }, ", then ");
  if (task.repeats > 1) text += fmt::format(", {} times", Grouped(task.repeats));
  if (task.endless) text += ", again and again";
  text += fmt::format(": {}, {}", Plural(descriptors.size() * task.repeats, "transfer"),
                      Plural(bytes * task.repeats, "byte"));
  if (task.endless) text += " each time";
  if (task.paced && task.endless) {
    text += ", on a trigger";
  } else if (task.paced) {
    text += task.repeats > 1 ? ", each time on a trigger" : ", on a trigger";
  } else if (task.trigger) {
    text += ", begins on a trigger";
  }
  if (task.token) text += ", sends a token at the end";
  if (task.tag != 0) text += fmt::format(", tag {}", task.tag);
  return text;
}

std::string ActionWords(const job::Action& action) {
  const std::string when =
      action.after.empty()
          ? fmt::format("{} after the program was loaded", Plural(action.at, "cycle"))
          : fmt::format("when {} has done {}", action.after, Plural(action.transfers, "transfer"));
  return fmt::format("{} {} {}", NameOf(action.kind), action.channel, when);
}

std::string ListWords(const job::Job& job, const job::List& list) {
  if (!list.ring) {
    return fmt::format("list: an array of {} at {}", Plural(list.descriptors.size(), "descriptor"),
                       Where(job, list.base));
  }
  std::string text = fmt::format(
      "ring: {} at {}; software adds {}: {}", Plural(list.places, "place"), Where(job, list.base),
      Plural(list.descriptors.size(), "descriptor"), Listed(list.descriptors, {}, ", ", 200));
  if (list.entries) text += fmt::format("; completion entries at {}", Where(job, *list.entries));
  if (list.interrupt > 0) {
    text += fmt::format(", an interrupt after {} of them", list.interrupt);
  }
  return text;
}

std::string TriggerWords(const job::Job&, const job::Trigger& trigger) {
  switch (trigger.kind) {
    case Kind::kPin:
      return fmt::format("pin {} rises", trigger.number);
    case Kind::kSoftware:
      return fmt::format("software fires event {}", trigger.number);
    case Kind::kMark:
      return "a frame begins in its stream (TUSER bit 0)";
    case Kind::kTransfer:
      return fmt::format("a transfer of {} is done", trigger.channel);
    case Kind::kTask:
      return fmt::format("a task of {} is done", trigger.channel);
    default:
      return "";
  }
}

std::string ProgramText(const job::Job& job, const job::Hardware& hardware) {
  std::string text =
      fmt::format("program: tessera_dma {} ({}-bit bus, {}-bit stream), {}, {}, {}\n",
                  hardware.config.name, 8 * hardware.config.data_bytes,
                  8 * hardware.config.stream_bytes, Plural(job.channels.size(), "channel"),
                  Plural(job.descriptors.size(), "descriptor"), Plural(job.locks.size(), "lock"));
  text += "\nChannels\n";
  for (const job::Channel& channel : job.channels) {
    text += fmt::format("  {}: {}, channel {}\n", channel.name, DirectionWords(channel.direction),
                        channel.engine);
    if (channel.trigger.kind != Kind::kNone) {
      text += fmt::format("    trigger: {}\n", TriggerWords(job, channel.trigger));
    }
    for (const job::Window& window : channel.windows) {
      text += fmt::format("    window: {} from {} on\n", Plural(window.size, "byte"),
                          Hex(static_cast<__int128>(window.base)));
    }
    if (channel.list) text += fmt::format("    {}\n", ListWords(job, *channel.list));
    if (channel.list && channel.list->ring) continue;
    for (size_t n = 0; n < channel.tasks.size(); ++n) {
      text += fmt::format("    task {}: {}\n", n, TaskWords(job, channel.tasks[n]));
    }
    if (!channel.transfers.empty()) {
      text +=
          fmt::format("    {}, a descriptor each\n", Plural(channel.transfers.size(), "transfer"));
    }
  }
  text += "\nDescriptors\n";
  for (const job::Descriptor& d : job.descriptors) {
    text += fmt::format("  {}: {}", d.transfer.name, MovesWords(job, d));
    for (const std::string& words : {WaitsWords(d), GivesWords(d)}) {
      if (!words.empty()) text += "; " + words;
    }
    if (d.header) {
      text += fmt::format("; a header of id {}, type {}, for descriptor {} goes first",
                          d.header->id, d.header->type, d.header->descriptor);
    }
    if (!d.next.empty()) text += "; then " + d.next;
    if (!d.record) text += "; no record";
    if (d.interrupt) text += "; an interrupt";
    text += "\n";
  }
  text += OnChipText(job, hardware);
  if (!job.locks.empty()) text += "\nLocks\n";
  for (const job::Lock& lock : job.locks) text += LockLine(job, lock);
  if (!job.actions.empty()) text += "\nActions of software, one after the other\n";
  for (const job::Action& action : job.actions) text += "  " + ActionWords(action) + "\n";
  if (!job.events.empty()) text += "\nEvents\n";
  for (const job::Event& event : job.events) text += EventLine(job, event);
  return text;
}

BankUse BanksOf(const Subject& subject, const DmaConfig& dma, uint64_t most_rows) {
  const auto word = static_cast<uint64_t>(dma.channel.data_bytes),
             banks = static_cast<uint64_t>(dma.on_chip_banks);
  BankUse use;
  std::optional<uint64_t> before;
  for (const Burst& burst : ListBursts(subject, most_rows)) {
    for (uint64_t n = 0; n < burst.words; ++n) {
      const uint64_t at = burst.addr + n * word - dma.onchip_first();
      if (at >= dma.onchip_bytes()) {
        ++use.outside;
        continue;
      }
      const uint64_t bank = at / word % banks;
      ++use.words;
      use.stays += before == bank ? 1 : 0;
      before = bank;
    }
  }
  return use;
}

std::string OnChipText(const job::Job& job, const job::Hardware& hardware) {
  if (!hardware.dma || hardware.dma->onchip_bytes() == 0) return "";
  const DmaConfig& dma = *hardware.dma;
  std::string lines;
  std::set<std::string> inside;
  for (const job::Descriptor& d : job.descriptors) {
    const BankUse use = BanksOf(SubjectOf(job, d, dma), dma);
    if (use.words == 0) continue;
    inside.insert(d.transfer.name);
    lines += Line(job, d, dma, use);
  }
  if (lines.empty()) return "";
  std::set<int> ports[2];
  for (const job::Channel& channel : job.channels) {
    const bool write = channel.direction == Direction::kWrite;
    const int each = (write ? dma.writes : dma.reads) / dma.ports;
    for (const job::Task& task : channel.tasks) {
      for (const job::Descriptor* d : job.ChainOf(task)) {
        if (inside.contains(d->transfer.name)) ports[write ? 1 : 0].insert(channel.engine / each);
      }
    }
  }
  return fmt::format("\nOn-chip buffer: {} KiB from {} on; word n, of {}, is in bank n mod {}\n",
                     dma.on_chip_size, Hex(static_cast<__int128>(dma.onchip_first())),
                     Plural(static_cast<uint64_t>(dma.channel.data_bytes), "byte"),
                     dma.on_chip_banks) +
         lines + PortsLine("reads", ports[0]) + PortsLine("writes", ports[1]);
}

}  // namespace tessera::show
