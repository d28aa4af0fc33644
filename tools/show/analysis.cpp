// See analysis.h.
#include "tools/show/analysis.h"

#include <algorithm>

#include "tb/check/encode.h"
#include "tb/model/walk.h"
#include "tools/show/reach.h"
#include "tools/show/words.h"

namespace tessera::show {
namespace {

constexpr int kMemoryFlight = 64;  // bursts that the memory of the bench takes at once

struct Bound {
  uint64_t cycles;
  const char* name;
};

// The largest, and its name; the first of equals.
void Largest(std::initializer_list<Bound> bounds, double flight, double* cycles,
             std::string* name) {
  *cycles = 0;
  for (const Bound& bound : bounds) {
    if (static_cast<double>(bound.cycles) <= *cycles) continue;
    *cycles = static_cast<double>(bound.cycles);
    *name = bound.name;
  }
  if (flight > *cycles) {
    *cycles = flight;
    *name = "flight";
  }
}

CycleLimit Limit(const Analysis& a, uint32_t latency) {
  const Tally& tally = a.tally;
  // A burst keeps its place until its last word or its response has been taken, in the engine some
  // cycles longer.
  const auto flight = [&](uint64_t bursts, uint64_t cycles, int kept = 0) {
    const double places = std::min(a.subject.config.outstanding - kept, kMemoryFlight);
    return (static_cast<double>(bursts) * latency + static_cast<double>(cycles)) / places;
  };
  const bool read = a.subject.direction == Direction::kRead;
  CycleLimit limit;
  limit.latency = latency;
  Largest({{tally.least.words, "bus"}, {a.stream_beats, "stream"}},
          flight(tally.least.bursts, tally.least.words), &limit.best, &limit.best_bound);
  Largest({{tally.engine.words, "bus"},
           {a.stream_beats, "stream"},
           {tally.rows, "rows"},
           {read ? tally.operations : 0, "operations"}},
          flight(tally.engine.bursts, tally.engine.words + tally.engine.bursts * (read ? 4 : 9),
                 read ? 0 : 1),
          &limit.engine, &limit.engine_bound);
  return limit;
}

}  // namespace

Nest NestOf(const Subject& subject) {
  return MakeNest(subject.transfer, BuildOf(subject.config).AddressMask());
}

Packets PacketsOf(const Subject& subject) {
  const Nest nest = NestOf(subject);
  const model::Transfer& t = subject.transfer;
  Packets packets;
  packets.positions = nest.positions;
  if (subject.direction == Direction::kRead) {  // a write's packets are its sender's
    if (nest.packet_level < kLevels && nest.positions != 0) {
      uint64_t turn = 1;
      for (size_t l = 0; l <= nest.packet_level; ++l) turn = SatMul(turn, nest.level[l].count);
      packets.positions = std::min(turn, nest.positions);
    }
    packets.last_at_end = t.last_rule == model::LastRule::kTransfer ||
                          t.last_rule == model::LastRule::kLevel ||
                          (t.last_rule == model::LastRule::kTask && t.task_end);
  }
  packets.beats = CeilDivide(SatMul(packets.positions, nest.elem),
                             static_cast<uint64_t>(subject.config.stream_bytes));
  return packets;
}

Analysis Analyse(const Subject& subject, const std::vector<uint32_t>& latencies,
                 uint64_t most_steps) {
  Analysis a;
  a.subject = subject;
  const Nest nest = NestOf(subject);
  const BurstRules rules = RulesOf(subject.config);
  const CountResult count = CountTransfer(nest, rules, most_steps);
  a.tally = count.tally;
  a.exact = count.exact;
  a.counted = count.counted;
  a.steps = count.steps;
  a.row_is_dim0 = nest.first == 1;
  a.row_bytes = nest.row_positions * nest.elem;
  a.stream_bytes = SatMul(a.tally.positions, nest.elem);
  a.memory_bytes = SatMul(a.tally.data, nest.elem);
  // Between counts that are too large to be told any number may lie.
  const bool filled = a.tally.positions != a.tally.data;
  a.fill =
      filled && a.tally.positions == kSaturated ? kSaturated : a.tally.positions - a.tally.data;
  a.fill_bytes =
      filled && a.stream_bytes == kSaturated ? kSaturated : a.stream_bytes - a.memory_bytes;
  if (!a.empty()) {
    const Packets packets = PacketsOf(subject);
    const uint64_t whole = nest.positions / packets.positions;
    const uint64_t rest = nest.positions % packets.positions;
    a.stream_beats =
        SatAdd(SatMul(whole, packets.beats),
               CeilDivide(rest * nest.elem, static_cast<uint64_t>(subject.config.stream_bytes)));
    a.packets = packets.last_at_end ? whole + (rest != 0 ? 1 : 0) : 0;
  }
  a.extent = FindExtent(nest);
  for (const uint32_t latency : latencies) a.cycles.push_back(Limit(a, latency));
  return a;
}

std::vector<Burst> ListBursts(const Subject& subject, uint64_t most_rows) {
  const Nest nest = NestOf(subject);
  std::vector<Burst> bursts;
  BurstPlanner planner(RulesOf(subject.config));
  planner.ListTo(&bursts);
  uint64_t rows = 0;
  ForEachRow(nest, [&](const RowStep& step) {
    planner.Add(step.row);
    return ++rows < most_rows;
  });
  return bursts;
}

}  // namespace tessera::show
