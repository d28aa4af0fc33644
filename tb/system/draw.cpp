// Random cases of whole fabrics: random cases of a lone engine pair for every channel, in regions
// of their own, and everything that can happen to channels.
#include <algorithm>
#include <array>

#include "tb/check/encode.h"
#include "tb/model/walk.h"
#include "tb/random/generate.h"
#include "tb/system/extent.h"
#include "tb/system/system_case.h"

namespace tessera {
namespace {

using Kind = SystemEvent::Kind;

constexpr uint64_t kRegion = uint64_t{1} << 26;  // between the places of neighbouring channels
constexpr uint64_t kBlock = kMaxBusBytes;

void Move(int k, uint64_t mask, Case* value) {
  const uint64_t distance = kRegion * static_cast<uint64_t>(k);
  for (auto* list : {&value->reads, &value->writes}) {
    for (model::Transfer& t : *list) t.base = (t.base + distance) & mask;
  }
  for (auto* list : {&value->read_errors, &value->write_errors}) {
    for (model::ErrorRange& range : *list) {
      range.first += distance;
      range.last += distance;
    }
  }
}

model::Transfer LastCopy(Rng& rng, uint64_t base) {
  model::Transfer copy;
  copy.base = base + rng.Below(64);
  copy.count[0] = static_cast<uint32_t>(rng.Between(1, 200));
  copy.stride[0] = 1;
  return copy;
}

// Everything that was given so far: what one channel writes no other reads or writes.
class Places {
 public:
  explicit Places(const model::Build& build) : build_(build) {}
  // With `apart` not even the channel itself reads what it writes: chains that were moved may meet.
  bool Take(const Case& value, bool apart) {
    WordSet reads, writes;
    for (const model::Transfer& t : value.reads) AddWords(t, build_, kBlock, &reads);
    for (const model::Transfer& t : value.writes) AddWords(t, build_, kBlock, &writes);
    for (const uint64_t block : reads) {
      if (writes_.contains(block)) return false;
    }
    for (const uint64_t block : writes) {
      if (reads_.contains(block) || writes_.contains(block)) return false;
      if (apart && reads.contains(block)) return false;
    }
    reads_.insert(reads.begin(), reads.end());
    writes_.insert(writes.begin(), writes.end());
    return true;
  }

 private:
  model::Build build_;
  WordSet reads_, writes_;
};

// The longest that a channel waits for others, in cycles of a bus that is never idle.
uint64_t LongestTurn(const FabricConfig& config, uint64_t weight) {
  const int most = std::max(config.reads, config.writes) / config.ports;
  return static_cast<uint64_t>(most) * (weight + 1) *
         static_cast<uint64_t>(config.channel.max_burst);
}

// Where time-outs are faults, a memory that is never slow enough to be one.
AxiMemoryOptions PatientMemory(Rng& rng, const FabricConfig& config) {
  AxiMemoryOptions memory;
  memory.latency_min = static_cast<uint32_t>(rng.Between(1, 20));
  memory.latency_max = memory.latency_min + static_cast<uint32_t>(rng.Below(30));
  const auto pace = [&] {
    return rng.Chance(0.4)   ? PacerSpec::Always()
           : rng.Chance(0.5) ? PacerSpec::Probability(0.6 + 0.1 * static_cast<double>(rng.Below(4)))
                             : PacerSpec::Bursts(4, 20, 0, 6);
  };
  memory.ar = pace();
  memory.r = pace();
  memory.aw = pace();
  memory.w = pace();
  memory.b = pace();
  memory.max_reads = static_cast<uint32_t>(rng.Chance(0.6) ? 64 : rng.Between(2, 16));
  memory.max_writes = static_cast<uint32_t>(rng.Chance(0.6) ? 64 : rng.Between(2, 16));
  memory.write_order = static_cast<AxiMemoryOptions::WriteOrder>(rng.Below(4));
  if (config.silence >= 4000 && config.channels() <= 4 && rng.Chance(0.2)) {
    memory.write_order = AxiMemoryOptions::WriteOrder::kFree;
    memory.service = static_cast<AxiMemoryOptions::Service>(rng.Between(1, 3));
  }
  return memory;
}

void DrawMemory(Rng rng, const FabricConfig& config, SystemCase* value) {
  if (rng.Chance(0.15)) {
    value->memory = AxiMemoryOptions::Latency(static_cast<uint32_t>(rng.Between(1, 60)));
  } else {
    value->memory = config.guard || rng.Chance(0.6) ? PatientMemory(rng, config)
                                                    : AxiMemoryOptions::Random(rng);
  }
  value->memory.reorder = !config.one_id && rng.Chance(0.5);
}

void DrawStandings(Rng rng, const FabricConfig& config, SystemCase* value) {
  uint64_t most = 15;
  if (config.guard) {
    while (most > 1 && 4 * LongestTurn(config, most) > static_cast<uint64_t>(config.silence))
      --most;
    // Where few bursts are served at once each takes its part of the latency, whatever it counts.
    const AxiMemoryOptions& memory = value->memory;
    if (memory.service != AxiMemoryOptions::Service::kParallel ||
        std::min(memory.max_reads, memory.max_writes) < memory.latency_max) {
      most = 1;
    }
  }
  for (ChannelPlan& channel : value->channels) {
    for (Fabric::Standing* s : {&channel.read_standing, &channel.write_standing}) {
      *s =
          Fabric::Standing{static_cast<uint8_t>(rng.Below(most + 1)),
                           static_cast<uint8_t>(rng.Below(16)), static_cast<uint8_t>(rng.Below(16)),
                           static_cast<uint8_t>(rng.Below(8)), static_cast<uint8_t>(rng.Below(2))};
    }
  }
}

// A window over what some of the transfers touch, or over everything.
void DrawWindows(Rng rng, const FabricConfig& config, SystemCase* value) {
  const model::Build build = BuildOf(config.channel);
  for (int n = 0; n < config.reads + config.writes; ++n) {
    const bool write = n >= config.reads;
    ChannelPlan& channel = value->channels[static_cast<size_t>(write ? n - config.reads : n)];
    std::vector<model::Transfer>& chain = write ? channel.writes : channel.reads;
    Fabric::Window window;
    window.channel = static_cast<uint8_t>(n);
    if (chain.empty() || rng.Chance(0.5)) {
      window.last = ~uint64_t{0} >> 12;
      window.read = !write || rng.Chance(0.5);
      window.write = write || rng.Chance(0.5);
      window.lock = rng.Chance(0.2);
      value->windows.push_back(window);
      continue;
    }
    for (model::Transfer& t : chain) t.join_next = false;  // what is refused joins nothing
    for (int index = 0; index < config.windows; ++index) {
      const model::Transfer& t = chain[rng.Below(chain.size())];
      WordSet pages;
      AddWords(t, build, Memory::kPageBytes, &pages);
      if (pages.empty()) continue;
      const auto [low, high] = std::minmax_element(pages.begin(), pages.end());
      window.index = static_cast<uint8_t>(index);
      window.first = *low - std::min(*low, rng.Chance(0.3) ? rng.Below(3) : 0);
      window.last = std::min(*high + (rng.Chance(0.3) ? rng.Below(3) : 0),
                             build.AddressMask() / Memory::kPageBytes);
      if (rng.Chance(0.15) && window.last > window.first) --window.last;
      window.read = rng.Chance(write ? 0.3 : 0.9);
      window.write = rng.Chance(write ? 0.9 : 0.3);
      window.lock = rng.Chance(0.2);
      value->windows.push_back(window);
    }
  }
}

// Records that stop a channel.
void DrawStops(Rng rng, SystemCase* value) {
  static constexpr std::array<uint8_t, 4> kStops{
      rtl::Status::kSlverr | rtl::Status::kDecerr, rtl::Status::kDecerr,
      rtl::Status::kOverlong | rtl::Status::kPartialElement, rtl::Status::kSparseKeep};
  for (ChannelPlan& channel : value->channels) {
    if (rng.Chance(0.2)) channel.read_stop = kStops[rng.Below(2)];
    if (rng.Chance(0.2)) channel.write_stop = kStops[rng.Below(kStops.size())];
  }
}

uint64_t Moment(Rng& rng) { return rng.Between(10, rng.Chance(0.5) ? 150 : 1500); }

void DrawEvents(Rng rng, const FabricConfig& config, SystemCase* value) {
  const uint64_t count = rng.Chance(0.25) ? 0 : rng.Between(1, 4 + value->channels.size() / 2);
  for (uint64_t n = 0; n < count; ++n) {
    SystemEvent event;
    const uint64_t kind = rng.Below(100);
    event.kind = !config.control ? Kind::kAbort
                 : kind < 20     ? Kind::kPause
                 : kind < 40     ? Kind::kDrain
                 : kind < 60     ? Kind::kAbort
                 : kind < 90     ? Kind::kReset
                 : kind < 96     ? Kind::kQuiesce
                                 : Kind::kRestart;
    event.cycle = Moment(rng);
    event.direction = rng.Chance(0.5) ? Direction::kRead : Direction::kWrite;
    const int of = event.direction == Direction::kRead ? config.reads : config.writes;
    event.channel = static_cast<int>(rng.Below(static_cast<uint64_t>(of)));
    event.length = rng.Chance(0.5) ? rng.Between(1, 20) : rng.Between(1, 600);
    value->events.push_back(event);
  }
}

void DrawFaults(Rng rng, const FabricConfig& config, SystemCase* value) {
  if (!config.guard) return;
  if (rng.Chance(0.55)) {
    const uint64_t count = rng.Chance(0.7) ? 1 : 2;
    value->fault_port = static_cast<int>(rng.Below(static_cast<uint64_t>(config.ports)));
    uint64_t from = 0;
    for (uint64_t n = 0; n < count; ++n) {
      AxiFault fault;
      fault.kind = static_cast<AxiFault::Kind>(rng.Between(1, AxiFault::kKinds - 1));
      const bool read = fault.kind < AxiFault::Kind::kErrorAnswer;
      const int of = (read ? config.reads : config.writes) / config.ports;
      if (fault.stray() && !config.one_id && of == AxiFault::kMostIds)
        continue;  // all are somebody's
      fault.id = config.one_id ? 0 : static_cast<uint16_t>(rng.Below(static_cast<uint64_t>(of)));
      from = fault.from = std::max(from, Moment(rng));
      const bool silent =
          fault.kind == AxiFault::Kind::kSilentData || fault.kind == AxiFault::Kind::kSilentAnswer;
      const auto silence = static_cast<uint64_t>(config.silence);
      if (silent) fault.cycles = rng.Chance(0.5) ? silence + 300 : rng.Between(1, 3 * silence);
      value->faults.push_back(fault);
    }
  }
  if (!rng.Chance(0.3)) return;
  SystemEvent event;
  const bool timed = config.stream_silence > 0 && rng.Chance(0.5);
  event.kind = timed             ? rng.Chance(0.5) ? Kind::kGivesNothing : Kind::kTakesNothing
               : rng.Chance(0.5) ? Kind::kTakesBack
                                 : Kind::kChanges;
  event.cycle = Moment(rng);
  event.direction = event.kind == Kind::kTakesNothing ? Direction::kRead : Direction::kWrite;
  const int of = event.direction == Direction::kRead ? config.reads : config.writes;
  event.channel = static_cast<int>(rng.Below(static_cast<uint64_t>(of)));
  value->events.push_back(event);
}

// A partner that changes a beat while it waits may change TKEEP or TLAST alone; sometimes one more
// does.
void DrawChanges(Rng rng, const FabricConfig& config, SystemCase* value) {
  if (!config.guard) return;
  const auto draw = [&rng] { return rng.Chance(0.5) ? Kind::kChangesKeep : Kind::kChangesLast; };
  bool any = false;
  for (SystemEvent& event : value->events) {
    any = any || event.kind >= Kind::kGivesNothing;
    if (event.kind == Kind::kChanges && rng.Chance(0.6)) event.kind = draw();
  }
  if (any || !rng.Chance(0.2)) return;
  SystemEvent event;
  event.kind = draw();
  event.cycle = Moment(rng);
  event.direction = Direction::kWrite;
  event.channel = static_cast<int>(rng.Below(static_cast<uint64_t>(config.writes)));
  value->events.push_back(event);
}

// Rings: what is read is what the next one writes, by length.
void DrawRing(Rng rng, const FabricConfig& config, SystemCase* value) {
  if (!rng.Chance(0.15) || config.writes < 2) return;
  value->ring = true;
  for (ChannelPlan& channel : value->channels) {
    channel.stream.clear();
    channel.shape = {};
    if (rng.Chance(0.5)) {
      for (model::Transfer& t : channel.writes) t.finish = model::Finish::kLength;
    }
  }
}

// ---- Rare states, on purpose --------------------------------------------------------------

// Many empty transfers in a row; counts and bounds near powers of two. Bytes stay what they were.
void DrawRareFields(Rng rng, const Config& config, Case* value) {
  for (auto* list : {&value->reads, &value->writes}) {
    if (list->empty()) continue;
    if (rng.Chance(0.3)) {
      InsertEmpty(rng, list);
    } else if (rng.Chance(0.4)) {
      for (model::Transfer& t : *list) EnlargeField(rng, config, UINT32_MAX, &t);
    }
  }
  if (!value->reads.empty()) value->reads.back().join_next = false;
}

// A chain lies across a power of two, and its errors with it; the last copy stays where it is.
void DrawRarePlaces(Rng rng, const Config& config, Case* value) {
  const uint64_t mask = BuildOf(config).AddressMask();
  const auto move = [&](std::vector<model::Transfer>* list,
                        std::vector<model::ErrorRange>* errors) {
    if (list->size() < 2 || rng.Chance(0.5)) return;
    uint64_t page = RarePlace(rng, config);
    if (rng.Chance(0.4)) {
      const uint64_t power = uint64_t{1} << (rng.Chance(0.5) ? 31 : 32);
      page = power - Memory::kPageBytes * rng.Between(1, 3);
    }
    const uint64_t distance = page - list->front().base / Memory::kPageBytes * Memory::kPageBytes;
    for (size_t n = 0; n + 1 < list->size(); ++n)
      (*list)[n].base = ((*list)[n].base + distance) & mask;
    for (model::ErrorRange& range : *errors) {
      const uint64_t bytes = range.last - range.first;
      range.first = (range.first + distance) & mask;
      range.last = range.first + bytes;
    }
  };
  move(&value->reads, &value->read_errors);
  move(&value->writes, &value->write_errors);
}

// An abort in the middle of a chain whose later transfers meet errors of the bus.
void DrawErrorsAfterAbort(Rng rng, const FabricConfig& config, SystemCase* value) {
  if (!rng.Chance(0.4)) return;
  SystemEvent event;
  event.kind = Kind::kAbort;
  event.direction = rng.Chance(0.5) ? Direction::kRead : Direction::kWrite;
  const bool read = event.direction == Direction::kRead;
  event.channel =
      static_cast<int>(rng.Below(static_cast<uint64_t>(read ? config.reads : config.writes)));
  ChannelPlan& channel = value->channels[static_cast<size_t>(event.channel)];
  const std::vector<model::Transfer>& chain = read ? channel.reads : channel.writes;
  if (chain.size() < 2) return;
  std::vector<model::ErrorRange>& errors = read ? value->read_errors : value->write_errors;
  const std::vector<model::Transfer> later(chain.begin() + static_cast<ptrdiff_t>(chain.size() / 2),
                                           chain.end());
  for (uint64_t n = rng.Between(1, 3); n > 0; --n) {
    auto range = DrawError(rng, later, config.channel);
    if (!range) continue;
    range->last = std::min(range->last, range->first | (Memory::kPageBytes - 1));
    const uint64_t page = range->first / Memory::kPageBytes;  // one error a page, as in a lone pair
    if (std::none_of(errors.begin(), errors.end(), [page](const model::ErrorRange& other) {
          return other.first / Memory::kPageBytes == page;
        }))
      errors.push_back(*range);
  }
  // Transfers come one after the other: the abort takes some of them.
  (read ? channel.read_offer : channel.write_offer) = PacerSpec::Bursts(1, 1, 20, 120);
  event.cycle = rng.Between(10, 250);
  value->events.push_back(event);
}

}  // namespace

SystemCase RandomSystemCase(const FabricConfig& config, uint64_t seed, Draws draws) {
  const Rng base = Rng(seed).Stream("system");
  const Rng rare = base.Stream("rare");
  const bool is_rare = draws == Draws::kRare && rare.Stream("any").Chance(0.4);
  SystemCase value;
  value.config = config.channel.name;
  value.seed = seed;
  Places places(BuildOf(config.channel));
  for (int k = 0; k < config.channels(); ++k) {
    ChannelPlan& channel = value.channels.emplace_back();
    constexpr uint64_t kAttempts = 6;  // after them the last copies alone
    for (uint64_t attempt = 0; attempt <= kAttempts; ++attempt) {
      Rng rng = base.Stream("channel", static_cast<uint64_t>(k) * 8 + attempt);
      Case pair;
      if (attempt < kAttempts) pair = RandomCase(config.channel, rng());
      const size_t most = config.channels() > 8 ? 2 : 5;
      if (pair.reads.size() > most) pair.reads.resize(most);
      if (pair.writes.size() > most) pair.writes.resize(most);
      if (!pair.reads.empty()) pair.reads.back().join_next = false;
      if (k >= config.reads) pair.reads.clear();
      if (k >= config.writes) pair.writes.clear();
      if (rng.Chance(0.7)) {
        pair.read_errors.clear();
        pair.write_errors.clear();
      }
      const Rng own = rare.Stream("channel", static_cast<uint64_t>(k) * 8 + attempt);
      if (is_rare) DrawRareFields(own.Stream("fields"), config.channel, &pair);
      pair.reads.push_back(LastCopy(rng, 0x2800000));
      pair.writes.push_back(
          LastCopy(rng, 0x2c00000 + (uint64_t{1} << (config.channel.addr_width - 1))));
      Move(k, BuildOf(config.channel).AddressMask(), &pair);
      if (is_rare) DrawRarePlaces(own.Stream("places"), config.channel, &pair);
      if (!places.Take(pair, is_rare)) continue;
      channel.last_read = pair.reads.back();
      channel.last_write = pair.writes.back();
      pair.reads.pop_back();
      pair.writes.pop_back();
      channel.reads = pair.reads;
      channel.writes = pair.writes;
      channel.stream = pair.stream;
      channel.shape = pair.shape;
      channel.source = pair.source;
      channel.sink = pair.sink;
      // Where data wait on R, a reader that pauses for long keeps the data of another too long.
      if (config.room_beats == 0) channel.sink.off_max = std::min(channel.sink.off_max, 20U);
      channel.sink_after_valid = pair.sink_after_valid;
      channel.read_offer = pair.read_offer;
      channel.read_take = pair.read_take;
      channel.write_offer = pair.write_offer;
      channel.write_take = pair.write_take;
      value.read_errors.insert(value.read_errors.end(), pair.read_errors.begin(),
                               pair.read_errors.end());
      value.write_errors.insert(value.write_errors.end(), pair.write_errors.begin(),
                                pair.write_errors.end());
      break;
    }
  }
  DrawMemory(base.Stream("memory"), config, &value);
  DrawStandings(base.Stream("standings"), config, &value);
  if (config.windows > 0) DrawWindows(base.Stream("windows"), config, &value);
  if (config.control) DrawStops(base.Stream("stops"), &value);
  DrawRing(base.Stream("ring"), config, &value);
  DrawEvents(base.Stream("events"), config, &value);
  DrawFaults(base.Stream("faults"), config, &value);
  if (is_rare) DrawErrorsAfterAbort(rare.Stream("abort"), config, &value);
  if (is_rare) DrawChanges(rare.Stream("changes"), config, &value);
  return value;
}

}  // namespace tessera
