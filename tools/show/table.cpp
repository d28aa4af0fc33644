// See table.h.
#include "tools/show/table.h"

#include <algorithm>

#include "tb/check/encode.h"
#include "tb/model/walk.h"

namespace tessera::show {
namespace {

struct PlannedRow {
  uint64_t index = 0;  // of its first position
  uint64_t burst = 0;  // that its first byte lies in
};

// Plans the rows that hold the first `most` positions, and those that may share their bursts.
std::vector<PlannedRow> PlanRows(const Subject& subject, uint64_t most,
                                 std::vector<Burst>* bursts) {
  const Nest nest = NestOf(subject);
  BurstPlanner planner(RulesOf(subject.config));
  planner.ListTo(bursts);
  const uint64_t shown = std::min(most, nest.positions) * nest.elem;
  std::vector<PlannedRow> rows;
  uint64_t later = 0;  // rows behind the positions wanted
  ForEachRow(nest, [&](const RowStep& step) {
    if (step.index >= most && ++later > kPage) return false;
    Row row = step.row;
    row.data = std::min(row.data, shown + kPage);  // what lies further on is not shown
    rows.push_back({step.index, planner.Add(row)});
    return true;
  });
  return rows;
}

// The burst that holds an address, from burst `from` on.
std::optional<uint64_t> BurstOf(const std::vector<Burst>& bursts, uint64_t from, uint64_t addr,
                                const BurstRules& rules) {
  for (uint64_t n = from; n < bursts.size(); ++n) {
    if (((addr - bursts[n].addr) & rules.mask) < bursts[n].words * rules.word) return n;
  }
  return std::nullopt;
}

// Where a table begins: at the first row with data, if nothing before it has any.
uint64_t FirstShown(const Subject& subject, uint64_t most) {
  constexpr uint64_t kFurthest = uint64_t{1} << 20;
  uint64_t valid = 0;
  model::Walk(subject.transfer, BuildOf(subject.config), [&](const model::Position& p) {
    if (p.valid) valid = p.index;
    return !p.valid && p.index < kFurthest;
  });
  if (valid < most) return 0;
  const uint64_t row = valid - valid % subject.transfer.count[0];
  return valid - row < most ? row : valid;
}

}  // namespace

void Table::DropBursts() {
  uint64_t named = 0;
  for (const TableEntry& entry : entries) {
    if (entry.last_burst) named = std::max(named, *entry.last_burst + 1);
  }
  if (named < bursts.size()) bursts.resize(named);
}

Table MakeTable(const Subject& subject, uint64_t most) {
  Table table;
  const uint64_t positions = model::Positions(subject.transfer);
  table.whole = positions <= most;
  if (positions == 0) return table;
  table.first = FirstShown(subject, most);
  const uint64_t end = table.first + most;
  const std::vector<PlannedRow> rows = PlanRows(subject, end, &table.bursts);
  const BurstRules rules = RulesOf(subject.config);
  const Packets packets = PacketsOf(subject);
  const uint64_t elem = static_cast<uint64_t>(subject.transfer.elem);
  const uint64_t width = static_cast<uint64_t>(subject.config.stream_bytes);
  size_t row = 0;
  uint64_t from = rows.front().burst;
  model::Walk(subject.transfer, BuildOf(subject.config), [&](const model::Position& p) {
    if (p.index == end) return false;
    while (row + 1 < rows.size() && rows[row + 1].index <= p.index) from = rows[++row].burst;
    if (p.index < table.first) return true;
    TableEntry entry;
    entry.index = p.index;
    entry.x = p.x;
    entry.t = p.t;
    entry.addr = p.addr;
    entry.valid = p.valid;
    entry.row = row;
    const uint64_t byte = p.index % packets.positions * elem;
    const uint64_t beats = p.index / packets.positions * packets.beats;
    entry.beat = beats + byte / width;
    entry.lane = byte % width;
    entry.last_beat = beats + (byte + elem - 1) / width;
    const bool ends = p.index + 1 == positions || (p.index + 1) % packets.positions == 0;
    entry.ends_packet = ends && packets.last_at_end;
    if (p.valid) {
      entry.burst = BurstOf(table.bursts, from, p.addr, rules);
      from = entry.burst.value_or(from);
      entry.last_burst = BurstOf(table.bursts, from, (p.addr + elem - 1) & rules.mask, rules);
    }
    table.entries.push_back(entry);
    return true;
  });
  table.DropBursts();
  table.rows = row + 1;
  return table;
}

}  // namespace tessera::show
