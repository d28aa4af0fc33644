// The text; see report.h.
#include "tools/show/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "tools/show/words.h"

namespace tessera::show {
namespace {

using model::kDims;
using model::Transfer;

// A word for a share of something: "87 %".
std::string Share(double part, double whole) {
  return whole > 0 ? fmt::format("{:.0f} %", 100.0 * part / whole) : "-";
}

class Columns {
 public:
  // Column `remark` is for words.
  explicit Columns(std::optional<size_t> remark = {}) : remark_(remark) {}
  void Row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }

  // The first `left` columns to the left, the others to the right.
  std::string Text(size_t left, const std::string& indent = "  ") const {
    std::vector<size_t> width;
    for (const auto& row : rows_) {
      width.resize(std::max(width.size(), row.size()));
      for (size_t n = 0; n < row.size(); ++n) width[n] = std::max(width[n], row[n].size());
    }
    std::string text;
    for (const auto& row : rows_) {
      std::string line = indent;
      for (size_t n = 0; n < row.size(); ++n) {
        if (n != 0) line += "  ";
        const bool remark = remark_ && *remark_ == n;
        line += n < left || remark ? fmt::format("{:<{}}", row[n], width[n])
                                   : fmt::format("{:>{}}", row[n], width[n]);
      }
      while (!line.empty() && line.back() == ' ') line.pop_back();
      text += line + "\n";
    }
    return text;
  }

 private:
  std::optional<size_t> remark_;
  std::vector<std::vector<std::string>> rows_;
};

// Breaks a sentence at 100 columns.
std::string Wrapped(const std::string& text, const std::string& indent) {
  std::string out = indent + "* ";
  size_t column = out.size();
  for (size_t at = 0; at < text.size();) {
    const size_t space = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, space - at);
    if (column + word.size() > 98) {
      out.pop_back();
      out += "\n" + indent + "  ";
      column = indent.size() + 2;
    }
    out += word + " ";
    column += word.size() + 1;
    at = space + 1;
  }
  while (out.back() == ' ') out.pop_back();
  return out + "\n";
}

std::string Head(const Report& r) {
  const Subject& s = r.analysis.subject;
  const Config& c = s.config;
  return fmt::format(
      "{}: {}, configuration {} ({}-bit bus, {}-bit stream, bursts of up to {}, {} in flight)\n",
      r.name,
      s.direction == Direction::kRead ? "read, memory to stream" : "write, stream to memory",
      c.name, 8 * c.data_bytes, 8 * c.stream_bytes, c.max_burst, c.outstanding);
}

std::string Fields(const Transfer& t) {
  std::string text =
      fmt::format("  elements of {} byte{}, base {:#x}", t.elem, t.elem == 1 ? "" : "s", t.base);
  if (t.offset != 0) text += fmt::format(" + offset {:#x}", t.offset);
  text += "\n";
  Columns columns;
  columns.Row({"dimension", "count", "stride", "start", "bound"});
  size_t last = 0;
  for (size_t d = 0; d < kDims; ++d) {
    if (t.count[d] != 1 || t.bound[d] || t.start[d] != 0) last = d;
  }
  for (size_t d = 0; d <= last; ++d) {
    columns.Row({fmt::format("{}", d), Grouped(t.count[d]), fmt::format("{}", t.stride[d]),
                 fmt::format("{}", t.start[d]), t.bound[d] ? Grouped(*t.bound[d]) : "none"});
  }
  text += columns.Text(1, "    ");
  if (t.has_walk()) {
    Columns walk;
    walk.Row({"walk", "dimension", "step", "count"});
    for (size_t k = 0; k < model::kWalkLevels; ++k) {
      if (!t.walk[k]) continue;
      walk.Row({fmt::format("{}", k), fmt::format("{}", t.walk[k]->dim),
                fmt::format("{}", t.walk[k]->step), Grouped(t.walk[k]->count)});
    }
    text += walk.Text(1, "    ");
  }
  if (t.length) text += fmt::format("    length {}\n", Grouped(*t.length));
  return text;
}

std::string Visits(const Analysis& a) {
  const Tally& n = a.tally;
  const bool read = a.subject.direction == Direction::kRead;
  std::string text = "\nVisits\n";
  Columns c(2);
  c.Row({"positions", Grouped(n.positions), Size(a.stream_bytes) + " of stream"});
  c.Row({read ? "  read" : "  written", Grouped(n.data), Size(a.memory_bytes) + " of memory"});
  if (a.fill_bytes != 0) {
    c.Row({read ? "  fill" : "  dropped", Grouped(a.fill),
           fmt::format(
               "{}, {} of the stream", Size(a.fill_bytes),
               Share(static_cast<double>(a.fill_bytes), static_cast<double>(a.stream_bytes)))});
  }
  c.Row({"rows", Grouped(n.rows),
         a.row_is_dim0 ? fmt::format("turns of dimension 0, {} each", Size(a.row_bytes))
                       : "single elements: those of dimension 0 are no neighbours in memory"});
  if (n.data_rows != 0) {
    c.Row({"  aligned", Grouped(n.data_rows - n.odd_rows),
           fmt::format("of {} with data begin at a bus word", Grouped(n.data_rows))});
  }
  text += c.Text(1);
  if (a.extent.any) {
    text += fmt::format("  {} {} to {}, a span of {}\n",
                        a.extent.exact ? "addresses" : "addresses within", Hex(a.extent.low),
                        Hex(a.extent.high),
                        a.extent.high - a.extent.low < (static_cast<__int128>(1) << 63)
                            ? Size(static_cast<uint64_t>(a.extent.high - a.extent.low + 1))
                            : "more than 2^63 bytes");
  }
  return text;
}

std::string Costs(const Analysis& a) {
  const Tally& n = a.tally;
  const uint64_t word = static_cast<uint64_t>(a.subject.config.data_bytes);
  const double bus = static_cast<double>(n.engine.words) * static_cast<double>(word);
  std::string text = n.positions == kSaturated ? "\nCosts, at least\n" : "\nCosts\n";
  Columns c(3);
  c.Row({"", "engine", "least", ""});
  const auto mean = n.engine.bursts == 0 ? 0.0
                                         : static_cast<double>(n.engine.words) /
                                               static_cast<double>(n.engine.bursts);
  c.Row({"bursts", Grouped(n.engine.bursts), Grouped(n.least.bursts),
         fmt::format("{:.3g} word{} each", mean, mean == 1.0 ? "" : "s")});
  c.Row(
      {"bus words", Grouped(n.engine.words), Grouped(n.least.words),
       fmt::format("{} of their bytes are used", Share(static_cast<double>(a.memory_bytes), bus))});
  c.Row({"stream beats", Grouped(a.stream_beats), Grouped(a.stream_beats),
         a.packets == 0 ? "" : fmt::format("{} with TLAST", Grouped(a.packets))});
  c.Row({"rows, a cycle each", Grouped(n.rows), "", ""});
  c.Row({"operations, a cycle each", Grouped(n.operations), "", ""});
  text += c.Text(1);
  text += "\nCycles, at least\n";
  Columns k;
  k.Row({"memory latency", "engine", "limited by", "bus and memory", "limited by", "bus used"});
  for (const CycleLimit& limit : a.cycles) {
    const double used = limit.engine > 0 ? static_cast<double>(a.memory_bytes) /
                                               (limit.engine * static_cast<double>(word))
                                         : 0;
    k.Row({fmt::format("{}", limit.latency), GroupedReal(limit.engine), limit.engine_bound,
           GroupedReal(limit.best), limit.best_bound, fmt::format("{:.2f}", used)});
  }
  return text + k.Text(0);
}

// What belongs to a position, as far as the transfer uses it.
std::string First(const Report& r) {
  const Table& table = r.table;
  if (table.entries.empty()) return "";
  const Transfer& t = r.analysis.subject.transfer;
  const bool read = r.analysis.subject.direction == Direction::kRead;
  std::vector<size_t> dims, walks;
  for (size_t d = 0; d < kDims; ++d) {
    if (d == 0 || t.count[d] != 1) dims.push_back(d);
  }
  for (size_t k = 0; k < model::kWalkLevels; ++k) {
    if (t.walk[k] && t.walk[k]->count > 1) walks.push_back(k);
  }
  std::string text =
      table.whole ? "\nAll positions\n"
                  : fmt::format("\nThe first {} of {} positions{}\n", Grouped(table.entries.size()),
                                Grouped(r.analysis.tally.positions),
                                table.first == 0 ? "" : ", from the first data on");
  Columns c;
  std::vector<std::string> head{"index"};
  for (const size_t k : walks) head.push_back(fmt::format("t{}", k));
  for (const size_t d : dims) head.push_back(fmt::format("x{}", d));
  for (const char* name : {"address", "", "beat", "lane", "burst"}) head.emplace_back(name);
  c.Row(head);
  for (const TableEntry& e : table.entries) {
    std::vector<std::string> row{Grouped(e.index)};
    for (const size_t k : walks) row.push_back(fmt::format("{}", e.t[k]));
    for (const size_t d : dims) row.push_back(fmt::format("{}", e.x[d]));
    row.push_back(e.valid ? fmt::format("{:#x}", e.addr) : "-");
    row.emplace_back(e.valid ? "" : (read ? "fill" : "dropped"));
    row.push_back(e.last_beat == e.beat ? fmt::format("{}", e.beat)
                                        : fmt::format("{}-{}", e.beat, e.last_beat));
    row.push_back(fmt::format("{}", e.lane));
    row.push_back(!e.burst ? "-"
                  : *e.burst == e.last_burst.value_or(*e.burst)
                      ? fmt::format("{}", *e.burst)
                      : fmt::format("{}-{}", *e.burst, *e.last_burst));
    c.Row(row);
  }
  text += c.Text(0);
  if (table.bursts.empty()) return text;
  text += "  bursts:";
  size_t column = 9;
  for (size_t n = 0; n < table.bursts.size(); ++n) {
    const Burst& b = table.bursts[n];
    const std::string one = fmt::format(" {} {:#x}+{}", n, b.addr, b.words);
    if (column + one.size() > 98) {
      text += "\n         ";
      column = 9;
    }
    text += one + (n + 1 < table.bursts.size() ? "," : "");
    column += one.size() + 1;
  }
  return text + " (address + words)\n";
}

}  // namespace

Report MakeReport(const std::string& name, const Subject& subject, const ReportOptions& options) {
  Report report;
  report.name = name;
  report.analysis = Analyse(subject, options.latencies);
  report.notes = FindNotes(report.analysis);
  report.advice = Advise(subject);
  report.table = MakeTable(subject, options.table_rows);
  return report;
}

std::string ReportText(const Report& r) {
  std::string text = Head(r) + Fields(r.analysis.subject.transfer);
  if (!r.analysis.empty()) text += Visits(r.analysis) + Costs(r.analysis);
  if (!r.notes.empty()) {
    text += "\nNote\n";
    for (const Note& note : r.notes) text += Wrapped(note.text, "  ");
  }
  if (!r.advice.empty()) {
    text += fmt::format("\nFaster (memory latency {})\n", kAdviceLatency);
    for (const Advice& advice : r.advice) text += Wrapped(advice.text, "  ");
  }
  return text + First(r);
}

}  // namespace tessera::show
