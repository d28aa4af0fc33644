// The picture of a timeline; see timeline.h.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "tools/pictures/canvas.h"
#include "tools/pictures/timeline.h"

namespace tessera::timeline {
namespace {

using show::Anchor;
using show::Canvas;
using show::TextStyle;

constexpr double kNames = 120;  // the names stand left of 0
constexpr double kWidth = 960;  // of the cycles
constexpr double kMarks = 20, kBar = 20, kQueue = 22, kLock = 34, kGap = 16, kEvents = 22;
constexpr TextStyle kName{.size = 12, .anchor = Anchor::kEnd, .bold = true};
constexpr TextStyle kSmall{.size = 10, .colour = show::kSoft};
constexpr TextStyle kSmallEnd{.size = 10, .anchor = Anchor::kEnd, .colour = show::kSoft};

struct Look {
  const char* fill;
  const char* ink;
  const char* meaning;
};
constexpr std::array<Look, kStates> kLooks = {{
    {"#ffffff", show::kSoft, "has nothing to do"},
    {"#2c6e49", "#ffffff", "moves data"},
    {"#f2b134", show::kInk, "waits for a lock"},
    {"#cfb1e6", show::kInk, "waits for its trigger"},
    {"#7cc0f0", show::kInk, "waits for its stream"},
    {"#e98074", show::kInk, "waits for memory"},
    {"#c08552", show::kInk, "has no credit on its port"},
    {"#f7a8c4", show::kInk, "waits for the token path"},
    {"#9fb0c3", show::kInk, "waits for room for a record"},
    {"#dfe26e", show::kInk, "waits for a descriptor"},
    {"url(#fill)", show::kInk, "paused or in reset"},
    {"#1f2933", "#ffffff", "has stopped with an error"},
}};
const Look& LookOf(State state) { return kLooks[static_cast<size_t>(state)]; }

class Picture {
 public:
  explicit Picture(const Timeline& t)
      : t_(t), cycles_(std::max<double>(1, static_cast<double>(t.last - t.first))) {}

  std::string Draw(const std::string& title) {
    canvas_.Text(-kNames, 0, title, {.size = 14, .bold = true});
    y_ = 16;
    DrawAxis();
    DrawMarks("events", t_.events, "#7b3fa0");
    DrawMarks("interrupts", t_.interrupts, show::kSoft);
    for (const Lane& lane : t_.lanes) DrawLane(lane);
    for (const LockLine& lock : t_.locks) DrawLock(lock);
    Grid();
    DrawLegend();
    Canvas all = std::move(grid_);
    return all.Join(canvas_).Finish(title);
  }

 private:
  double X(uint64_t cycle) const {
    const uint64_t at = std::clamp(cycle, t_.first, t_.last) - t_.first;
    return static_cast<double>(at) / cycles_ * kWidth;
  }

  // Ticks at round numbers of cycles, counted from the beginning.
  void DrawAxis() {
    step_ = std::pow(10, std::floor(std::log10(cycles_ / 5)));
    for (const double more : {2.0, 2.5, 2.0}) {
      if (cycles_ / step_ > 12) step_ *= more;
    }
    step_ = std::max(1.0, step_);
    canvas_.Text(-10, y_ + 10, "cycle", kSmallEnd);
    for (double at = 0; at <= cycles_; at += step_) {
      const double x = at / cycles_ * kWidth;
      canvas_.Text(x, y_ + 10, fmt::format("{:.0f}", at),
                   {.size = 10, .anchor = Anchor::kMiddle, .colour = show::kSoft});
    }
    y_ += 16;
    top_ = y_;
    y_ += 6;
  }
  void Grid() {
    for (double at = 0; at <= cycles_; at += step_) {
      const double x = at / cycles_ * kWidth;
      grid_.Line({{x, top_}, {x, y_ - kGap / 2}}, show::kPale, 1);
    }
  }

  // Names where there is room for them, after the mark.
  void DrawNames(const std::vector<Mark>& marks, double y, double height, const char* colour) {
    double free = -1;
    std::set<long> drawn;
    for (size_t n = 0; n < marks.size(); ++n) {
      const Mark& mark = marks[n];
      const double x = X(mark.cycle);
      if (!drawn.insert(std::lround(2 * x)).second) continue;
      canvas_.Line({{x, y}, {x, y + height}}, mark.good ? colour : "#b3261e", 1.5);
      const double width = Canvas::TextWidth(mark.name, kSmall);
      const double next = n + 1 < marks.size() ? X(marks[n + 1].cycle) : kWidth + 60;
      if (x < free || x + 3 + width > next) continue;
      canvas_.Text(x + 3, y + 9, mark.name, kSmall);
      free = x + 3 + width;
    }
  }

  void DrawMarks(const char* name, const std::vector<Mark>& marks, const char* colour) {
    if (marks.empty()) return;
    canvas_.Text(-10, y_ + 11, name, kSmallEnd);
    DrawNames(marks, y_, 14, colour);
    y_ += kEvents;
  }

  void DrawLane(const Lane& lane) {
    DrawNames(lane.records, y_ + 2, kMarks - 2, show::kInk);
    y_ += kMarks;
    canvas_.Text(-10, y_ + 11, lane.name, kName);
    canvas_.Text(-10, y_ + 22, lane.write ? "stream to memory" : "memory to stream",
                 {.size = 9, .anchor = Anchor::kEnd, .colour = show::kSoft});
    DrawStates(lane);
    for (const Mark& token : lane.tokens) {
      tokens_ = true;
      canvas_.Box(X(token.cycle) - 4, y_ + kBar - 4, 8, 8,
                  {.fill = "#ffffff", .stroke = "#7b3fa0", .width = 2, .radius = 4});
    }
    for (const Mark& missed : lane.missed) {
      missed_ = true;
      Cross(X(missed.cycle), y_ + kBar);
    }
    y_ += kBar + 6;
    canvas_.Text(kWidth + 8, y_ + kQueue / 2 + 3, "queue", kSmall);
    DrawSteps(lane.queue, std::max(1, lane.queue_depth), kQueue - 4, "#1f5fa8");
    y_ += kQueue + kGap;
  }

  void Cross(double x, double y) {
    for (const double way : {-4.0, 4.0}) {
      canvas_.Line({{x - 4, y - way}, {x + 4, y + way}}, "#b3261e", 2);
    }
  }

  // What is narrower than a line is drawn with what follows it, as what took longest.
  void DrawStates(const Lane& lane) {
    double begun = -1;
    std::array<double, kStates> shares{};
    std::string text;
    const auto flush = [&](double end) {
      const auto longest = std::max_element(shares.begin(), shares.end());
      const auto state = static_cast<State>(longest - shares.begin());
      used_.insert(state);
      const Look& look = LookOf(state);
      const double width = end - begun;
      canvas_.Box(begun, y_, width, kBar,
                  {.fill = look.fill, .stroke = width > 4 ? show::kLine : look.fill, .width = 0.5});
      for (const std::string& words : {text, std::string(WordOf(state))}) {
        const TextStyle style{.size = 10.5, .anchor = Anchor::kMiddle, .colour = look.ink};
        if (words.empty() || StateOf(words) != state) continue;
        if (Canvas::TextWidth(words, style) + 6 > width) continue;
        canvas_.Text(begun + width / 2, y_ + 14, words, style);
        break;
      }
      begun = -1;
      shares = {};
    };
    for (size_t n = 0; n < lane.states.size(); ++n) {
      const auto& [cycle, words] = lane.states[n];
      const double from = X(cycle);
      const double to = n + 1 < lane.states.size() ? X(lane.states[n + 1].first) : kWidth;
      if (begun < 0) begun = from;
      shares[static_cast<size_t>(StateOf(words))] += to - from;
      text = words;
      if (to - begun >= 1 || n + 1 == lane.states.size()) flush(to);
    }
  }

  void DrawSteps(const Changes<int>& changes, int most, double height, const char* colour) {
    const double bottom = y_ + height;
    canvas_.Line({{0, bottom}, {kWidth, bottom}}, show::kLine, 0.75);
    canvas_.Text(-10, bottom + 3, "0", kSmallEnd);
    canvas_.Text(-10, y_ + 5, std::to_string(most), kSmallEnd);
    std::vector<std::pair<double, double>> points;
    for (const auto& [cycle, value] : changes) {
      const double x = X(cycle);
      const double y = bottom - height * std::clamp(value, 0, most) / most;
      if (!points.empty()) points.emplace_back(x, points.back().second);
      points.emplace_back(x, y);
      // Many changes within a line look like one from the lowest to the highest.
      while (points.size() > 6 && x - points[points.size() - 6].first < 0.25) {
        points.erase(points.end() - 4, points.end() - 2);
      }
    }
    if (points.empty()) return;
    points.emplace_back(kWidth, points.back().second);
    canvas_.Line(points, colour, 1.5);
  }

  void DrawLock(const LockLine& lock) {
    int most = 1;
    for (const auto& [cycle, value] : lock.values) most = std::max(most, value);
    canvas_.Text(-26, y_ + kLock / 2, lock.name, kName);
    canvas_.Text(kWidth + 8, y_ + kLock / 2, "lock", kSmall);
    DrawSteps(lock.values, most, kLock - 8, "#8a5a00");
    y_ += kLock + kGap / 2;
  }

  // A key for each state that is there, and for the marks.
  void DrawLegend() {
    double x = -kNames;
    const auto entry = [&](const std::string& text, auto&& key) {
      const double width = 24 + Canvas::TextWidth(text, kSmall);
      if (x > -kNames && x + width > kWidth + 60) {
        x = -kNames;
        y_ += 20;
      }
      key(x, y_);
      canvas_.Text(x + 20, y_ + 10, text, kSmall);
      x += width + 14;
    };
    for (const State state : used_) {
      entry(fmt::format("{}: {}", WordOf(state), LookOf(state).meaning), [&](double at, double y) {
        canvas_.Box(at, y, 14, 12, {.fill = LookOf(state).fill, .width = 0.75});
      });
    }
    entry("record, with its descriptor", [&](double at, double y) {
      canvas_.Line({{at + 7, y}, {at + 7, y + 12}}, show::kInk, 1.5);
    });
    if (tokens_) {
      entry("token", [&](double at, double y) {
        canvas_.Box(at + 3, y + 2, 8, 8,
                    {.fill = "#ffffff", .stroke = "#7b3fa0", .width = 2, .radius = 4});
      });
    }
    if (missed_) {
      entry("trigger that was missed", [&](double at, double y) { Cross(at + 7, y + 6); });
    }
  }

  const Timeline& t_;
  double cycles_, step_ = 1, y_ = 0, top_ = 0;
  Canvas canvas_, grid_;
  std::set<State> used_;
  bool tokens_ = false, missed_ = false;
};

}  // namespace

std::string MissedWords(const Lane& lane) {
  if (lane.missed.empty()) return "";
  std::string cycles;
  for (size_t n = 0; n < lane.missed.size() && n < 8; ++n) {
    cycles += fmt::format("{}{}", n == 0 ? "" : ", ", lane.missed[n].cycle);
  }
  const size_t more = lane.missed.size() - std::min<size_t>(lane.missed.size(), 8);
  if (more > 0) cycles += fmt::format(" and {} more", more);
  const bool one = lane.missed.size() == 1;
  return fmt::format("channel {} missed {} in cycle{} {}: one before it was still waiting",
                     lane.name, one ? "a trigger" : fmt::format("{} triggers", lane.missed.size()),
                     one ? "" : "s", cycles);
}

std::string DrawTimeline(const Timeline& timeline, const std::string& title) {
  return Picture(timeline).Draw(title);
}

}  // namespace tessera::timeline
