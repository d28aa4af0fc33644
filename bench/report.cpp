// See report.h.
#include "bench/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "tb/files/output.h"
#include "tb/sim/counted.h"

namespace tessera::bench {
namespace {

const char* Title(Path path) {
  static constexpr const char* kTitles[] = {"memory to stream", "stream to memory",
                                            "memory to memory through loopback"};
  return kTitles[static_cast<int>(path)];
}

std::string Verdict(const std::string& error, bool pass) {
  return !error.empty() ? "ERROR" : (pass ? "PASS" : "MISS");
}

std::optional<double> BandwidthOf(const Measured& m, const Clocks& clocks) {
  const std::optional<double> mhz = clocks.Mhz(m.row.path, m.row.bits);
  if (!mhz) return std::nullopt;
  return Bandwidth(m.result.utilisation, m.row.bits, *mhz);
}

std::string Gb(const std::optional<double>& bandwidth) {
  return bandwidth ? fmt::format("{:.2f}", *bandwidth) : "n/a";
}

std::string Other(const Row& row) {
  return row.other ? fmt::format("{:.2f}", *row.other) : row.other_note;
}

std::vector<std::string> Cells(const Measured& m, const Clocks& clocks) {
  const RowResult& r = m.result;
  const std::string name = fmt::format("L{}", m.row.latency);
  if (!r.error.empty()) return {m.row.work, name, "", "", "", "", "", "ERROR", "", "", "", ""};
  return {m.row.work,
          name,
          fmt::format("{}", r.transfers),
          fmt::format("{:.4f}", r.utilisation),
          fmt::format("{:.4f}", r.limit.utilisation),
          r.limit.bound,
          fmt::format("{:.4f}", r.ratio()),
          Verdict(r.error, r.pass),
          fmt::format("{:.2f}", r.bursts),
          fmt::format("{:.2f}", r.bursts_least),
          Other(m.row),
          Gb(BandwidthOf(m, clocks))};
}

void PrintLatencies(const Results& results, const Clocks& clocks, bool colour, std::FILE* out) {
  if (results.latencies.empty()) return;
  fmt::print(out, "\nlatency in cycles\n");
  Table table(
      {"from, to", "configuration", "L", "least", "most", "target", "verdict", "others", "ns"},
      colour);
  for (const auto& [row, r] : results.latencies) {
    const bool ran = r.error.empty();
    const bool read =
        row.event == LatencyRow::Event::kAcceptToAr || row.event == LatencyRow::Event::kRToT;
    const std::optional<double> mhz = clocks.Mhz(read ? Path::kRead : Path::kWrite, row.bits);
    const std::string ns =
        mhz && ran ? fmt::format("{:.1f}", static_cast<double>(r.most) * 1000.0 / *mhz) : "n/a";
    table.Add({row.what, row.config, fmt::format("L{}", row.latency),
               ran ? fmt::format("{}", r.least) : "", ran ? fmt::format("{}", r.most) : "",
               row.target ? fmt::format("{}", *row.target) : "-",
               row.target || !ran ? Verdict(r.error, r.pass) : "-", row.other, ns});
  }
  table.Print(out);
}

void PrintPrograms(const Results& results, const std::string& top, bool counts, bool colour,
                   std::FILE* out) {
  Table table({counts ? "from, to" : "descriptors", "build", "memory",
               counts ? "most" : "utilisation", counts ? "least" : "limit", "target", "verdict"},
              colour);
  bool any = false;
  for (const auto& [row, r] : results.programs) {
    if (row.top != top || row.Counts() != counts) continue;
    any = true;
    const int digits = counts ? 0 : 4;
    table.Add({row.what, row.config, fmt::format("L{}", row.latency),
               fmt::format("{:.{}f}", r.value, digits), fmt::format("{:.{}f}", r.least, digits),
               fmt::format("{:.{}f}", r.target, digits), Verdict(r.error, r.pass)});
  }
  if (!any) return;
  fmt::print(out, "\n{}, {}\n", top, counts ? "latency in cycles" : "short descriptors");
  table.Print(out);
}

}  // namespace

// ---- Results ------------------------------------------------------------------------------------

Figures Results::figures() const {
  Figures figures;
  for (const auto& [row, r] : rows) {
    if (!r.error.empty()) continue;
    figures[row.id] = r.utilisation;
    figures[row.id + "/bursts"] = r.bursts;
  }
  for (const auto& [row, r] : latencies) {
    if (r.error.empty()) figures[row.id + "/cycles"] = static_cast<double>(r.most);
  }
  for (const auto& [row, r] : programs) {
    if (r.error.empty()) figures[row.id + (row.Counts() ? "/cycles" : "")] = r.value;
  }
  return figures;
}

size_t Results::errors() const {
  const auto failed = [](const auto& m) { return !m.result.error.empty(); };
  return static_cast<size_t>(std::count_if(rows.begin(), rows.end(), failed) +
                             std::count_if(latencies.begin(), latencies.end(), failed) +
                             std::count_if(programs.begin(), programs.end(), failed));
}

size_t Results::misses() const {
  const auto missed = [](const auto& m) { return m.result.error.empty() && !m.result.pass; };
  return static_cast<size_t>(std::count_if(rows.begin(), rows.end(), missed) +
                             std::count_if(latencies.begin(), latencies.end(), missed) +
                             std::count_if(programs.begin(), programs.end(), missed));
}

// ---- Tables -------------------------------------------------------------------------------------

void Table::Print(std::FILE* out) const {
  std::vector<size_t> widths(lines_.front().size());
  for (const auto& line : lines_) {
    for (size_t c = 0; c < line.size(); ++c) widths[c] = std::max(widths[c], line[c].size());
  }
  for (size_t n = 0; n < lines_.size(); ++n) {
    std::string text;
    for (size_t c = 0; c < widths.size(); ++c) {
      const std::string& cell = lines_[n][c];
      const size_t pad = widths[c] - cell.size();
      const char* paint = "";
      if (colour_ && cell == "PASS") paint = "\x1b[32m";
      if (colour_ && (cell == "MISS" || cell == "ERROR")) paint = "\x1b[31m";
      const char* plain = *paint == '\0' ? "" : "\x1b[0m";
      if (c == 0) {
        text += fmt::format("{}{:{}}", cell, "", pad);
      } else {
        text += fmt::format("  {:{}}{}{}{}", "", pad, paint, cell, plain);
      }
    }
    text.erase(text.find_last_not_of(' ') + 1);
    const bool bold = colour_ && n == 0;
    fmt::print(out, "{}{}{}\n", bold ? "\x1b[1m" : "", text, bold ? "\x1b[0m" : "");
  }
}

void PrintTables(const Results& results, const Clocks& clocks, bool colour, std::FILE* out) {
  for (const int bits : {64, 512}) {
    for (const Path path : {Path::kRead, Path::kWrite, Path::kLoop}) {
      Table table({"work", "memory", "transfers", "utilisation", "limit", "by", "of limit",
                   "verdict", "bursts", "least", "best other", "GB/s"},
                  colour);
      bool any = false;
      for (const Measured& m : results.rows) {
        if (m.row.bits != bits || m.row.path != path) continue;
        table.Add(Cells(m, clocks));
        any = true;
      }
      if (!any) continue;
      fmt::print(out, "\n{}, {} bits\n", Title(path), bits);
      table.Print(out);
    }
  }
  PrintLatencies(results, clocks, colour, out);
  std::string top;
  for (const auto& [row, r] : results.programs) {  // those of a top are one after the other
    if (row.top == top) continue;
    top = row.top;
    for (const bool counts : {true, false}) PrintPrograms(results, top, counts, colour, out);
  }
}

void PrintSummary(const Results& results, const Clocks& clocks, std::FILE* out) {
  fmt::print(out, "\n");
  for (const Measured& m : results.rows) {
    if (m.row.id != "read/copy-64/64/L100" || !m.result.error.empty()) continue;
    fmt::print(
        out,
        "64-bit reads of 64 B at L = 100: {} GB/s (best read engine with any alignment {:.2f})\n",
        Gb(BandwidthOf(m, clocks)), Bandwidth(0.143, 64, kOtherReadMhz));
  }
  for (const auto& [row, r] : results.rows) {
    if (!r.error.empty()) {
      fmt::print(out, "ERROR {}: {}\n", row.id, r.error);
    } else if (!r.pass) {
      fmt::print(
          out, "MISS  {}: {:.4f} of {:.4f}, {:.1f} % of the limit, {:.2f} bursts of {:.2f}\n",
          row.id, r.utilisation, r.limit.utilisation, 100.0 * r.ratio(), r.bursts, r.bursts_least);
    }
  }
  for (const auto& [row, r] : results.latencies) {
    if (!r.error.empty()) {
      fmt::print(out, "ERROR {}: {}\n", row.id, r.error);
    } else if (!r.pass) {
      fmt::print(out, "MISS  {}: {}, target {}\n", row.id, Counted(r.most, "cycle"), *row.target);
    }
  }
  for (const auto& [row, r] : results.programs) {
    if (!r.error.empty()) {
      fmt::print(out, "ERROR {}: {}\n", row.id, r.error);
    } else if (!r.pass) {
      fmt::print(out, "MISS  {}: {:.6g}, target {:.6g}\n", row.id, r.value, r.target);
    }
  }
  for (const std::string& name : results.not_built) {
    fmt::print(out, "configuration '{}' is not in this program: its rows were left out\n", name);
  }
  uint64_t compared = 0;
  for (const Measured& m : results.rows) compared += m.result.compared;
  const size_t all = results.rows.size() + results.latencies.size() + results.programs.size();
  fmt::print(out,
             "{}: {} reach their target, {} miss it, {} went wrong; {} bytes, beats and records "
             "compared\n",
             Counted(all, "row"), all - results.misses() - results.errors(), results.misses(),
             results.errors(), compared);
}

void WriteCsv(const std::string& path, const Results& results, const Clocks& clocks) {
  std::string text;
  const auto out = std::back_inserter(text);
  fmt::format_to(
      out,
      "row,work,bits,latency,value,unit,target,verdict,limit,bound,ratio,bytes,transfers,bursts,"
      "bursts_least,best_other,gbytes_per_s\n");
  for (const Measured& m : results.rows) {
    const RowResult& r = m.result;
    fmt::format_to(
        out,
        "{},\"{}\",{},{},{:.6g},utilisation,{:.6g},{},{:.6g},{},{:.6g},{},{},{:.6g},{:.6g},\"{}\",{"
        "}\n",
        m.row.id, m.row.work, m.row.bits, m.row.latency, r.utilisation, r.target,
        Verdict(r.error, r.pass), r.limit.utilisation, r.limit.bound, r.ratio(), m.row.bytes,
        r.transfers, r.bursts, r.bursts_least, Other(m.row), Gb(BandwidthOf(m, clocks)));
  }
  for (const auto& [row, r] : results.latencies) {
    fmt::format_to(out, "{},\"{}\",{},{},{},cycles,{},{},,,,,,,,\"{}\",\n", row.id, row.what,
                   row.bits, row.latency, r.most, row.target ? fmt::format("{}", *row.target) : "",
                   Verdict(r.error, r.pass), row.other);
  }
  WriteOutput(path, text);
}

}  // namespace tessera::bench
