// See picture.h.
#include "tools/show/picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "tb/sim/counted.h"
#include "tools/pictures/canvas.h"
#include "tools/show/memory_map.h"
#include "tools/show/words.h"

namespace tessera::show {
namespace {

using model::kDims;
using model::Transfer;

constexpr uint64_t kEntries = 600;  // drawn at most
constexpr size_t kLines = 20;       // of memory, if all of it or a whole tile is drawn
constexpr size_t kFirstLines = 8;   // of the beginning of a large one
constexpr size_t kBeats = 20;       // of the stream
constexpr double kCell = 24;        // height of a cell
constexpr double kStep = 30;        // from line to line

constexpr double kWidest = 700;  // of memory and of the stream
constexpr double kElement = 26;  // width of an element, if there is room
constexpr double kNarrowest = 15;

// Bytes side by side, in pieces with gaps between them.
class Scale {
 public:
  // `longest`: the largest number that a cell shows.
  Scale(const std::vector<MapColumns>& columns, int elem, uint64_t longest) {
    const double digits = static_cast<double>(fmt::format("{}", longest).size());
    const double narrowest = std::max(kNarrowest, 8 * 0.61 * digits + 5);
    int64_t bytes = 0;
    for (const MapColumns& c : columns) bytes += c.last - c.first + 1;
    const double e = elem;
    pixels_ = std::max(std::min(kElement / e, kWidest / static_cast<double>(bytes)), narrowest / e);
    double x = 0;
    for (const MapColumns& c : columns) {
      if (!pieces_.empty()) x += kGap_;
      const double room = kWidest - x;
      if (room < e * pixels_) {
        cut_ = true;
        break;
      }
      MapColumns shown = c;
      const int64_t fit = static_cast<int64_t>(room / pixels_ + 0.001);
      if (c.last - c.first + 1 > fit) {
        shown.last = c.first + fit / elem * elem - 1;
        cut_ = true;
      }
      pieces_.push_back({shown, x});
      x += static_cast<double>(shown.last - shown.first + 1) * pixels_;
      width_ = x;
    }
  }

  // Where a byte begins, if it is drawn.
  std::optional<double> At(int64_t byte) const {
    for (const auto& [c, x] : pieces_) {
      if (byte >= c.first && byte <= c.last) {
        return x + static_cast<double>(byte - c.first) * pixels_;
      }
    }
    return std::nullopt;
  }
  double Wide(int64_t bytes) const { return static_cast<double>(bytes) * pixels_; }
  const std::vector<std::pair<MapColumns, double>>& pieces() const { return pieces_; }
  double width() const { return width_; }
  bool cut() const { return cut_; }
  static constexpr double kGap_ = 26;

 private:
  std::vector<std::pair<MapColumns, double>> pieces_;
  double pixels_ = 1, width_ = 0;
  bool cut_ = false;
};

const Hue& HueOf(const TableEntry& e) { return kHue[e.burst.value_or(0) % kHues]; }

// A number in a cell, as large as fits; nothing if none does.
void Number(Canvas* c, double x, double y, double width, const std::string& text) {
  for (double size : {12.0, 11.0, 10.0, 9.0, 8.0}) {
    const TextStyle style{size, Anchor::kMiddle, kInk, true};
    if (Canvas::TextWidth(text, style) > width - 3) continue;
    c->Text(x + width / 2, y + kCell / 2 + size * 0.36, text, style);
    return;
  }
}

// "2", "2 to 5", "0, 8, 16 ..."
std::string Numbers(const std::vector<uint64_t>& all) {
  if (all.empty()) return "";
  if (all.back() - all.front() + 1 == all.size() && all.size() > 2) {
    return fmt::format("{} to {}", all.front(), all.back());
  }
  std::string text;
  for (size_t n = 0; n < all.size() && n < 4; ++n) {
    text += n == 3 ? " ..." : fmt::format("{}{}", n == 0 ? "" : ", ", all[n]);
  }
  return text;
}

class Picture {
 public:
  explicit Picture(const Report& report)
      : r_(report),
        t_(report.analysis.subject.transfer),
        read_(report.analysis.subject.direction == Direction::kRead),
        bars_(report.analysis.row_bytes > static_cast<uint64_t>(t_.elem)) {
    table_ = MakeTable(report.analysis.subject, kEntries);
    KeepTile();
    table_.DropBursts();
    map_ = MakeMap(report.analysis.subject, table_);
    const size_t most = table_.whole || tile_ ? kLines : kFirstLines;
    if (map_.lines.size() > most) {
      KeepLines(most);
      table_.DropBursts();
      map_ = MakeMap(report.analysis.subject, table_);
    }
  }

  std::string Draw() {
    c_.Text(0, 12, Title(), {15, Anchor::kStart, kInk, false, true});
    double y = 34;
    for (const std::string& line : FieldLines(t_)) {
      c_.Text(0, y, line, {11.5, Anchor::kStart, kSoft});
      y += 17;
    }
    y += 14;
    if (!table_.whole) y = DrawOverview(&c_, t_, read_, y) + 30;
    if (!table_.entries.empty()) {
      const double top = y;
      const auto [right, bottom] = Memory(0, top);
      const bool beside = right + 60 + StreamWidth() <= 960;
      const double sx = beside ? right + 56 : 0, sy = beside ? top : bottom + 30;
      y = std::max(bottom, Stream(sx, sy, beside ? bottom - top : (table_.whole ? 400 : 200))) + 24;
      y = Legend(y);
    }
    for (const std::string& line : Footer()) {
      c_.Text(0, y, line, {11.5, Anchor::kStart, kSoft});
      y += 17;
    }
    return c_.Finish(Title());
  }

 private:
  // Of a traversal that is not drawn entirely, the first tile if that is enough to see something.
  void KeepTile() {
    uint64_t tile = 1;
    for (const uint32_t count : t_.count) tile = SatMul(tile, count);
    if (table_.whole || table_.first != 0 || tile < 32 || tile >= table_.entries.size()) return;
    table_.entries.resize(tile);
    tile_ = true;
  }

  // Entries up to the one that would need a line too many.
  void KeepLines(size_t most) {
    std::set<uint64_t> lines;
    std::vector<uint64_t> line_of(table_.entries.size(), ~uint64_t{0});
    std::map<uint64_t, uint64_t> by_index;
    for (const MapCell& cell : map_.cells) {
      for (const uint64_t visit : cell.visits) line_of[visit] = cell.line;
    }
    for (size_t n = 0; n < table_.entries.size(); ++n) {
      if (line_of[n] == ~uint64_t{0}) continue;
      if (lines.insert(line_of[n]).second && lines.size() > most) {
        table_.entries.resize(n);
        break;
      }
    }
    table_.whole = false;
  }

  // What of the transfer is drawn.
  std::string Part() const {
    return table_.first == 0 ? "the beginning" : "from the first data on";
  }

  std::string Title() const {
    return fmt::format("{}: {}", FileName(r_.name), DirectionWords(r_.analysis.subject.direction));
  }

  std::vector<std::string> Footer() const {
    const Analysis& a = r_.analysis;
    if (a.empty()) return {"The transfer is empty: nothing is moved."};
    const Config& config = a.subject.config;
    std::string first = fmt::format(
        "{}, {} in memory, {} {}; {}, {} ({}), {}, {}", Plural(a.tally.positions, "position"),
        Grouped(a.tally.data), Grouped(a.tally.positions - a.tally.data),
        read_ ? "fill" : "dropped", Plural(a.tally.rows, "row"),
        Plural(a.tally.engine.bursts, "burst"),
        a.tally.least.bursts == a.tally.engine.bursts ? "no fewer would do"
                                                      : Grouped(a.tally.least.bursts) + " would do",
        Plural(a.tally.engine.words, "bus word"), Plural(a.stream_beats, "stream beat"));
    if (!a.exact) first += " (estimated)";
    return {first,
            fmt::format("configuration {}: bus of {}, stream of {}, bursts of up to {}",
                        config.name, Counted(config.data_bytes, "byte"),
                        Counted(config.stream_bytes, "byte"), Counted(config.max_burst, "word"))};
  }

  // ---- Memory ----------------------------------------------------------------------------------

  // Returns the right and the bottom edge.
  std::pair<double, double> Memory(double x, double y) {
    const Scale scale(map_.columns, t_.elem, table_.entries.back().index);
    const std::string title = (table_.whole ? "" : Part() + ", ") + MapTitle(map_);
    const TextStyle heading{12.5, Anchor::kStart, kInk, false, true};
    c_.Text(x, y + 10, title, heading);
    const double title_end = x + Canvas::TextWidth(title, heading);
    y += 34;
    const std::vector<std::string> labels = LineLabels(map_, t_);
    double label = 0;
    for (const std::string& text : labels) {
      label = std::max(label, Canvas::TextWidth(text, {11, Anchor::kStart, kSoft, true}));
    }
    const double left = x + label + 12;
    ColumnNumbers(scale, left, y - 8);
    std::vector<double> at(map_.lines.size());
    double right = std::max(left + scale.width(), title_end);
    for (size_t l = 0; l < map_.lines.size(); ++l) {
      if (l != 0 && map_.lines[l].plane != map_.lines[l - 1].plane) y += 16;
      if (map_.lines[l].gap_before) {
        c_.Text(left, y + 9, "...", {13, Anchor::kStart, kSoft, false, true});
        y += 20;
      }
      at[l] = y;
      c_.Text(x + label, y + 16, labels[l], {11, Anchor::kEnd, kSoft, true});
      for (const auto& [columns, cx] : scale.pieces()) {
        c_.Box(left + cx, y, scale.Wide(columns.last - columns.first + 1), kCell, {kGap, kPale, 1});
      }
      y += kStep;
    }
    for (size_t n = 0; n + 1 < scale.pieces().size(); ++n) {
      const auto& [columns, cx] = scale.pieces()[n];
      const double gap =
          left + cx + scale.Wide(columns.last - columns.first + 1) + Scale::kGap_ / 2;
      for (const double line : at) {
        c_.Text(gap, line + 15, "...", {11, Anchor::kMiddle, kSoft});
      }
    }
    Cells(scale, left, at);
    right = std::max(right, Bursts(scale, left, at));
    if (scale.cut()) {
      for (const double line : at)
        c_.Text(left + scale.width() + 6, line + 15, "...", {11, Anchor::kStart, kSoft});
    }
    if (map_.hidden != 0) {
      c_.Text(x, y + 8,
              fmt::format("{} more {} fill that lies on bytes of others", map_.hidden,
                          map_.hidden == 1 ? "position is" : "positions are"),
              {11, Anchor::kStart, kSoft});
      y += 18;
    }
    return {right, y - (kStep - kCell)};
  }

  // Offsets in the line, at every bus word or less often.
  void ColumnNumbers(const Scale& scale, double left, double y) {
    const int64_t word = r_.analysis.subject.config.data_bytes;
    int64_t every = std::max<int64_t>(word, t_.elem);
    while (scale.Wide(every) < 34) every *= 2;
    for (const auto& [columns, cx] : scale.pieces()) {
      const int64_t from = columns.first >= 0 ? (columns.first + every - 1) / every * every
                                              : -(-columns.first / every * every);
      for (int64_t b = from; b <= columns.last; b += every) {
        const auto at = scale.At(b);
        if (at)
          c_.Text(left + *at + 1, y, fmt::format("{:+}", b), {9.5, Anchor::kStart, kSoft, true});
      }
    }
  }

  void Cells(const Scale& scale, double left, const std::vector<double>& at) {
    for (const MapCell& cell : map_.cells) {
      const auto x = scale.At(cell.column);
      if (!x) continue;
      const double width = scale.Wide(t_.elem), y = at[cell.line];
      const TableEntry& e = table_.entries[cell.entry];
      if (cell.valid) {
        c_.Box(left + *x, y, width, kCell, {HueOf(e).fill, kLine, 1});
        if (bars_ && BeginsRow(cell.entry)) {
          c_.Box(left + *x, y + 2.5, 3, kCell - 5, {kInk, "none", 0});
        }
      } else {
        c_.Box(left + *x, y, width, kCell, kFillBox);
      }
      Number(&c_, left + *x + (cell.valid ? 1.5 : 0), y, scale.Wide(cell.own),
             fmt::format("{}", table_.entries[cell.visits.front()].index));
      if (cell.visits.size() > 1) {
        again_ = true;
        c_.Line({{left + *x + width - 6, y + 1.5},
                 {left + *x + width - 1.5, y + 1.5},
                 {left + *x + width - 1.5, y + 6},
                 {left + *x + width - 6, y + 1.5}},
                kInk, 1.6);
      }
    }
  }

  bool BeginsRow(uint64_t entry) const {
    return entry == 0 || table_.entries[entry - 1].row != table_.entries[entry].row ||
           !table_.entries[entry - 1].valid;
  }

  // Frames, and which bursts a line has. Bursts that share bytes of a line have one grey frame.
  // Returns the right edge.
  double Bursts(const Scale& scale, double left, const std::vector<double>& at) {
    struct Frame {
      int64_t first, last;
      std::vector<uint64_t> bursts;
    };
    std::map<uint64_t, std::vector<Frame>> of_line;
    for (const MapBurst& b : map_.bursts) {
      Frame frame{b.first, b.last, {b.burst}};
      auto& frames = of_line[b.line];
      for (auto it = frames.begin(); it != frames.end();) {
        if (it->first > frame.last || it->last < frame.first) {
          ++it;
          continue;
        }
        frame.first = std::min(frame.first, it->first);
        frame.last = std::max(frame.last, it->last);
        frame.bursts.insert(frame.bursts.end(), it->bursts.begin(), it->bursts.end());
        it = frames.erase(it);
      }
      frames.push_back(std::move(frame));
    }
    double right = left + scale.width();
    const double x = right + (scale.cut() ? 24 : 12);
    for (const auto& [line, frames] : of_line) {
      std::set<uint64_t> all;
      for (const Frame& frame : frames) {
        all.insert(frame.bursts.begin(), frame.bursts.end());
        const bool shared = frame.bursts.size() > 1;
        shared_ = shared_ || shared;
        Outline(scale, left, at[line], frame.first, frame.last,
                shared ? kSoft : kHue[frame.bursts[0] % kHues].stroke, shared);
      }
      const std::string text =
          fmt::format("burst{} {}", all.size() > 1 ? "s" : "", Numbers({all.begin(), all.end()}));
      const TextStyle style{10.5, Anchor::kStart, kSoft};
      c_.Text(x, at[line] + 16, text, style);
      right = std::max(right, x + Canvas::TextWidth(text, style));
    }
    return right;
  }

  // Around what is drawn of some bytes of a line.
  void Outline(const Scale& scale, double left, double y, int64_t from, int64_t to,
               const char* colour, bool dashed) {
    for (const auto& [columns, cx] : scale.pieces()) {
      const int64_t first = std::max(from, columns.first), last = std::min(to, columns.last);
      if (first > last) continue;
      c_.Box(left + cx + scale.Wide(first - columns.first) - 1, y - 2,
             scale.Wide(last - first + 1) + 2, kCell + 4,
             {"none", colour, 2, 4, dashed ? "5 3" : nullptr});
    }
  }

  // ---- Stream ----------------------------------------------------------------------------------

  int64_t Lanes() const { return r_.analysis.subject.config.stream_bytes; }
  double LaneWidth() const {
    const double e = static_cast<double>(std::min<int64_t>(t_.elem, Lanes()));
    return std::max(std::min(kElement / e, kWidest / static_cast<double>(Lanes())), 2.0);
  }
  double StreamWidth() const { return 26 + LaneWidth() * static_cast<double>(Lanes()) + 50; }

  // Returns the bottom edge.
  double Stream(double x, double y, double height) {
    c_.Text(x, y + 10, table_.whole ? "stream beats" : "stream beats, " + Part(),
            {12.5, Anchor::kStart, kInk, false, true});
    y += 34;
    c_.Text(x + 26, y - 8, "lane 0", {9.5, Anchor::kStart, kSoft, true});
    const size_t room = std::max<size_t>(4, static_cast<size_t>((height - 20) / kStep));
    const uint64_t most = std::min<uint64_t>(kBeats, std::max<size_t>(room, table_.whole ? 8 : 4));
    const double lane = LaneWidth();
    std::optional<uint64_t> drawn;
    std::set<uint64_t> last;
    const uint64_t base = table_.entries.front().beat;
    for (const TableEntry& e : table_.entries) {
      // An element may be spread over several beats.
      uint64_t beat = e.beat, from = e.lane, left = static_cast<uint64_t>(t_.elem);
      while (left != 0 && beat - base < most) {
        const uint64_t here = std::min<uint64_t>(left, static_cast<uint64_t>(Lanes()) - from);
        const double cy = y + static_cast<double>(beat - base) * kStep;
        if (!drawn || *drawn < beat) {
          c_.Text(x + 18, cy + 16, fmt::format("{}", beat), {11, Anchor::kEnd, kSoft, true});
          c_.Box(x + 26, cy, lane * static_cast<double>(Lanes()), kCell, {kGap, kPale, 1});
          drawn = beat;
        }
        const double cx = x + 26 + lane * static_cast<double>(from);
        const double width = lane * static_cast<double>(here);
        if (e.valid) {
          c_.Box(cx, cy, width, kCell, {HueOf(e).fill, kLine, 1});
        } else {
          c_.Box(cx, cy, width, kCell, kFillBox);
        }
        Number(&c_, cx, cy, width, fmt::format("{}", e.index));
        left -= here;
        from = 0;
        ++beat;
      }
      if (e.ends_packet && e.last_beat - base < most) last.insert(e.last_beat);
    }
    for (const uint64_t beat : last) {
      c_.Text(x + 26 + lane * static_cast<double>(Lanes()) + 7,
              y + static_cast<double>(beat - base) * kStep + 16, "TLAST",
              {10, Anchor::kStart, "#a12622", false, true});
    }
    const uint64_t shown = drawn ? *drawn - base + 1 : 0;
    y += static_cast<double>(shown) * kStep;
    if (shown < r_.analysis.stream_beats) {
      c_.Text(x + 26, y + 8, fmt::format("... {} beats in all", Grouped(r_.analysis.stream_beats)),
              {11, Anchor::kStart, kSoft});
      y += 18;
    }
    return y - (kStep - kCell);
  }

  // Returns the bottom edge.
  double Legend(double y) {
    double x = 0;
    const auto entry = [&](const char* text, auto&& draw) {
      const TextStyle style{11, Anchor::kStart, kInk};
      if (x != 0 && x + 26 + Canvas::TextWidth(text, style) > 880) {
        x = 0;
        y += 22;
      }
      draw(x, y);
      c_.Text(x + 26, y + 11, text, style);
      x += 26 + Canvas::TextWidth(text, style) + 20;
    };
    entry("number: order of visit", [&](double lx, double ly) {
      c_.Box(lx, ly, 20, 15, {kHue[0].fill, kLine, 1});
      Number(&c_, lx, ly - 4.5, 20, "7");
    });
    if (!map_.bursts.empty()) {
      entry("frame and colour: a burst", [&](double lx, double ly) {
        c_.Box(lx + 1, ly + 1, 18, 13, {"none", kHue[0].stroke, 2, 4});
      });
    }
    if (shared_) {
      entry("dashed frame: bytes that several bursts read or write", [&](double lx, double ly) {
        c_.Box(lx + 1, ly + 1, 18, 13, {"none", kSoft, 2, 4, "5 3"});
      });
    }
    if (bars_) {
      entry("bar: a row begins", [&](double lx, double ly) {
        c_.Box(lx, ly, 20, 15, {kHue[0].fill, kLine, 1});
        c_.Box(lx, ly + 2, 3, 11, {kInk, "none", 0});
      });
    }
    if (std::any_of(table_.entries.begin(), table_.entries.end(),
                    [](const TableEntry& e) { return !e.valid; })) {
      entry(read_ ? "hatched: fill" : "hatched: dropped",
            [&](double lx, double ly) { c_.Box(lx, ly, 20, 15, kFillBox); });
    }
    if (again_) {
      entry("corner: visited again later", [&](double lx, double ly) {
        c_.Box(lx, ly, 20, 15, {kHue[0].fill, kLine, 1});
        c_.Line(
            {{lx + 14, ly + 1.5}, {lx + 18.5, ly + 1.5}, {lx + 18.5, ly + 6}, {lx + 14, ly + 1.5}},
            kInk, 1.6);
      });
    }
    return y + 36;
  }

  const Report& r_;
  const Transfer& t_;
  const bool read_;
  Table table_;
  MemoryMap map_;
  Canvas c_;
  const bool bars_;  // rows are more than elements
  bool again_ = false, shared_ = false, tile_ = false;
};

}  // namespace

std::string MakePicture(const Report& report) { return Picture(report).Draw(); }

}  // namespace tessera::show
