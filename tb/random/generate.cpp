// Random cases around random transfers; see generate.h.
#include "tb/random/generate.h"

#include <algorithm>
#include <stdexcept>

#include "tb/check/encode.h"
#include "tb/model/walk.h"

namespace tessera {
namespace {

using model::Transfer;

constexpr uint64_t kPage = 4096;

// Two places far from each other: one for what is read, one for what is written. One of them may be
// the seam where addresses wrap.
struct Places {
  uint64_t read = 0;
  uint64_t write = 0;
};

Places DrawPlaces(Rng rng, const Config& config) {
  const uint64_t middle = uint64_t{1} << (config.addr_width - 1);
  Places places{rng.Chance(0.7) ? 16 * kPage + kPage * rng.Below(16) : 0,
                middle + kPage * rng.Below(16)};
  if (places.read == 0) places.read -= kPage * rng.Between(1, 3);  // the end of the address space
  Rng rare = rng.Stream("rare");
  if (rare.Chance(0.15)) (rare.Chance(0.5) ? places.read : places.write) = RarePlace(rare, config);
  if (rng.Chance(0.5)) std::swap(places.read, places.write);
  return places;
}

uint64_t DrawBudget(Rng& rng) {
  if (rng.Chance(0.04)) return rng.Between(1000, 5000);
  return rng.Chance(0.5) ? rng.Between(1, 40) : rng.Between(1, 400);
}

// Asks for what hardware must refuse. False if there is nothing this build would refuse.
bool MakeIllegal(Rng& rng, const Config& config, Transfer* t) {
  switch (rng.Below(4)) {
    case 0:
      if (config.walk) return false;
      t->walk[rng.Below(4)] = model::WalkLevel{0, 1, 2};
      return true;
    case 1:
      if (config.bounds) return false;
      t->bound[rng.Below(4)] = 100;
      return true;
    case 2:
      if (config.data_bytes == model::kMaxElem) return false;
      t->elem = 2 * config.data_bytes;
      return true;
    default:
      t->bound[rng.Below(4)] = static_cast<uint32_t>(model::kMaxBound + rng.Between(1, 5));
      return true;
  }
}

std::vector<Transfer> DrawChain(const Rng& base, const Config& config, uint64_t place,
                                bool illegal) {
  Rng rng = base.Stream("chain");
  const size_t size = rng.Chance(0.3) ? 1 : rng.Between(1, 12);
  std::vector<Transfer> chain;
  for (size_t k = 0; k < size; ++k) {
    Rng own = base.Stream("transfer", k);
    chain.push_back(RandomTransfer(own, config, place + kPage * own.Below(3), DrawBudget(own)));
    if (illegal && own.Chance(0.03)) MakeIllegal(own, config, &chain.back());
  }
  if (illegal) DrawRare(base.Stream("rare"), config, &chain);
  return chain;
}

// Stream attributes of a chain of reads: lone transfers, tasks, joined tasks, all kinds of TLAST.
void DrawTasks(Rng rng, std::vector<Transfer>* chain) {
  bool joining = false;
  model::LastRule rule = model::LastRule::kTransfer;
  for (Transfer& t : *chain) {
    if (!joining) rule = static_cast<model::LastRule>(rng.Below(4));
    t.last_rule = rng.Chance(0.8) ? rule : static_cast<model::LastRule>(rng.Below(4));
    t.last_level = static_cast<int>(rng.Chance(0.7) ? rng.Below(4) : rng.Below(8));
    joining = joining ? rng.Chance(0.7) : rng.Chance(0.45);
    t.join_next = joining || rng.Chance(0.05);
    t.task_end = !joining && (t.join_next || rng.Chance(0.5));
  }
}

uint64_t DrawPacket(Rng& rng, uint64_t extent, uint64_t elem) {
  switch (rng.Below(8)) {
    case 0:
      return extent + rng.Between(1, 8);
    case 1:
      return extent + rng.Between(1, 200);
    case 2:
      return extent - std::min(extent, rng.Between(1, 8));
    case 3:
      return rng.Below(extent + 1);
    case 4:
      return extent - std::min(extent, elem);
    default:
      return extent;
  }
}

PieceEnd LastEnd(Rng& rng) { return rng.Chance(0.15) ? PieceEnd::kNullLast : PieceEnd::kLast; }

// Finish rules, and a stream that gives each write what its rule asks for: packets shorter, longer
// and exact, or pieces of all kinds where only the length counts.
void DrawStream(Rng rng, const Config& config, Case* value) {
  const model::Build build = BuildOf(config);
  uint64_t surplus = 0;  // bytes of the next transfer that are in the stream already
  bool ended = false;    // and TLAST stands after them
  const double on_last = rng.Chance(0.2) ? 0.0 : rng.Chance(0.4) ? 1.0 : 0.6;
  for (Transfer& t : value->writes) {
    t.finish = rng.Chance(on_last) ? model::Finish::kLast : model::Finish::kLength;
    if (model::IsRefused(t, build) || model::IsEmpty(t)) continue;
    const uint64_t extent = model::Positions(t) * static_cast<uint64_t>(t.elem);
    if (t.finish == model::Finish::kLast) {
      if (surplus == 0 || !ended) {
        const uint64_t packet = DrawPacket(rng, extent, static_cast<uint64_t>(t.elem));
        value->stream.push_back({packet > surplus ? packet - surplus : 0, LastEnd(rng)});
      }
      surplus = 0;
      continue;
    }
    ended = ended && surplus > 0;
    const bool exact = rng.Chance(0.5);
    uint64_t left = extent;
    left -= std::min(left, surplus);
    surplus -= std::min(surplus, extent);
    while (left > 0) {
      uint64_t bytes = rng.Chance(0.5) ? left : CornerSize(rng, left);
      if (!exact && bytes == left && rng.Chance(0.5))
        bytes += rng.Between(1, 2 * static_cast<uint64_t>(config.stream_bytes));
      static constexpr std::array<PieceEnd, 6> kEnds{PieceEnd::kOpen, PieceEnd::kOpen,
                                                     PieceEnd::kBeat, PieceEnd::kLast,
                                                     PieceEnd::kLast, PieceEnd::kNullLast};
      const PieceEnd end = kEnds[rng.Below(kEnds.size())];
      value->stream.push_back({bytes, end});
      surplus = bytes > left ? bytes - left : 0;
      ended = end == PieceEnd::kLast || end == PieceEnd::kNullLast;
      left -= std::min(left, bytes);
    }
  }
}

// Writes that take what the reads of a loopback give, in shapes of their own.
void DrawLoopbackWrites(const Rng& base, const Config& config, uint64_t place, Case* value) {
  value->writes.clear();
  for (size_t k = 0; k < value->reads.size(); ++k) {
    Rng rng = base.Stream("transfer", k);
    const Transfer& read = value->reads[k];
    const uint64_t bytes = model::Positions(read) * static_cast<uint64_t>(read.elem);
    Transfer t =
        RandomTransfer(rng, config, place + kPage * rng.Below(3), std::max<uint64_t>(bytes, 1));
    while (bytes % static_cast<uint64_t>(t.elem) != 0) t.elem /= 2;
    const uint64_t elements = bytes / static_cast<uint64_t>(t.elem);
    if (!model::IsEmpty(t) && (!t.has_walk() || model::Positions(t) >= elements)) {
      t.length = static_cast<uint32_t>(elements);
    }
    t.finish = rng.Chance(0.5) ? model::Finish::kLast : model::Finish::kLength;
    value->writes.push_back(t);
  }
}

}  // namespace

std::optional<model::ErrorRange> DrawError(Rng& rng, const std::vector<Transfer>& chain,
                                           const Config& config) {
  const model::Build build = BuildOf(config);
  const Transfer& t = chain[rng.Below(chain.size())];
  if (model::IsRefused(t, build) || model::IsEmpty(t)) return std::nullopt;
  const uint64_t target = rng.Below(model::Positions(t));
  std::optional<model::ErrorRange> range;
  model::Walk(t, build, [&](const model::Position& p) {
    if (p.index < target) return true;
    const uint64_t bytes = rng.Chance(0.7) ? 1 : rng.Between(1, 200);
    if (p.valid)
      range = {p.addr, p.addr + std::min(bytes - 1, build.AddressMask() - p.addr), rng.Chance(0.5)};
    return false;
  });
  return range;
}

namespace {

// At most one range a page: a write burst answers with its first error alone and stays in its page.
void DrawErrors(Rng rng, const Config& config, Case* value) {
  const auto draw = [&](const std::vector<Transfer>& chain, std::vector<model::ErrorRange>* out) {
    if (chain.empty()) return;
    for (uint64_t n = rng.Between(1, 3); n > 0; --n) {
      auto range = DrawError(rng, chain, config);
      if (!range) continue;
      range->last = std::min(range->last, range->first | (kPage - 1));
      const bool taken = std::any_of(out->begin(), out->end(), [&](const model::ErrorRange& other) {
        return other.first / kPage == range->first / kPage;
      });
      if (!taken) out->push_back(*range);
    }
  };
  if (rng.Chance(0.6)) draw(value->reads, &value->read_errors);
  if (rng.Chance(0.6)) draw(value->writes, &value->write_errors);
}

void DrawPacers(Rng rng, Case* value) {
  if (rng.Chance(0.15)) return;  // everybody free running
  for (PacerSpec* pacer : {&value->source, &value->sink, &value->read_offer, &value->read_take,
                           &value->write_offer, &value->write_take}) {
    if (rng.Chance(0.6)) *pacer = PacerSpec::Random(rng);
  }
  value->sink_after_valid = rng.Chance(0.1);
}

void DrawShape(Rng rng, Case* value) {
  if (rng.Chance(0.5)) return;
  if (rng.Chance(0.5)) value->shape.null = 0.2;
  if (rng.Chance(0.3)) value->shape.sparse = rng.Chance(0.5) ? 0.05 : 0.5;
  if (rng.Chance(0.3)) value->shape.partial = rng.Chance(0.5) ? 0.05 : 0.5;
}

void DrawAborts(Rng rng, Case* value) {
  for (std::vector<uint64_t>* aborts : {&value->abort_read, &value->abort_write}) {
    if (rng.Chance(0.3)) continue;
    const uint64_t many = rng.Chance(0.5) ? 1 : rng.Between(2, 6);
    uint64_t cycle = 4;
    for (uint64_t n = 0; n < many; ++n) {
      const uint64_t gap = rng.Chance(0.3) ? 12 : (rng.Chance(0.5) ? 60 : 600);
      aborts->push_back(cycle += rng.Between(1, gap));
    }
  }
}

// One transaction at a time, which makes read and write engine wait for each other.
void DrawService(Rng rng, Case* value) {
  if (!rng.Chance(0.15)) return;
  value->memory.service = static_cast<AxiMemoryOptions::Service>(rng.Between(1, 3));
  value->memory.write_order = AxiMemoryOptions::WriteOrder::kFree;
}

Case Draw(const Config& config, uint64_t seed, const Rng& base) {
  Case value;
  value.config = config.name;
  value.seed = seed;
  Rng kind = base.Stream("kind");
  const Places places = DrawPlaces(base.Stream("places"), config);
  if (config.loopback || kind.Chance(0.85)) {
    value.reads = DrawChain(base.Stream("reads"), config, places.read, !config.loopback);
    DrawTasks(base.Stream("tasks"), &value.reads);
  }
  if (config.loopback) {
    DrawLoopbackWrites(base.Stream("writes"), config, places.write, &value);
  } else if (value.reads.empty() || kind.Chance(0.85)) {
    value.writes = DrawChain(base.Stream("writes"), config, places.write, true);
    DrawStream(base.Stream("stream"), config, &value);
    DrawShape(base.Stream("shape"), &value);
  }
  if (kind.Chance(0.8)) {
    Rng memory = base.Stream("memory");
    value.memory = AxiMemoryOptions::Random(memory);
  }
  DrawService(base.Stream("service"), &value);
  DrawPacers(base.Stream("pacers"), &value);
  bool errors = kind.Chance(0.12);
  Rng trouble = base.Stream("trouble");
  if (trouble.Chance(0.18)) {
    DrawAborts(base.Stream("aborts"), &value);
    errors = errors || base.Stream("errors after aborts").Chance(0.4);  // state that an abort left
  } else if (trouble.Chance(0.1)) {
    value.reset = trouble.Between(5, trouble.Chance(0.5) ? 80 : 800);
  }
  if (errors) DrawErrors(base.Stream("errors"), config, &value);
  return value;
}

}  // namespace

Case RandomCase(const Config& config, uint64_t seed) {
  const Rng base(seed);
  for (uint64_t attempt = 0; attempt < 100; ++attempt) {
    Case value = Draw(config, seed, base.Stream("case", attempt));
    if (Repair(&value, config)) return value;
  }
  throw std::logic_error("no sensible random case in 100 attempts for configuration " +
                         config.name);
}

}  // namespace tessera
