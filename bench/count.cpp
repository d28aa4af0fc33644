// See count.h.
#include "bench/count.h"

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_map>
#include <utility>

namespace tessera::show {
namespace {

using model::kDims;

// Calls `visit` with each count of the tallies.
template <typename Visit, typename... Tallies>
void ForEachCount(Visit&& visit, Tallies&... tally) {
  visit(tally.positions...);
  visit(tally.data...);
  visit(tally.rows...);
  visit(tally.data_rows...);
  visit(tally.odd_rows...);
  visit(tally.aligned_words...);
  visit(tally.operations...);
  visit(tally.engine.words...);
  visit(tally.engine.bursts...);
  visit(tally.least.words...);
  visit(tally.least.bursts...);
}

void Add(Tally* sum, const Tally& more, uint64_t times = 1) {
  ForEachCount([times](uint64_t& a, uint64_t b) { a = SatAdd(a, SatMul(b, times)); }, *sum, more);
}

// Where the turns of a loop lie in the bound of its dimension.
enum class Zone { kInside, kOutside, kAcross };

struct ZoneRun {
  Zone zone = Zone::kInside;
  uint64_t turns = 0;  // from this one on that lie in the same zone
};

// The state in which a turn of a loop begins. Coordinates count only where a bound cuts the turn.
struct Key {
  std::array<uint64_t, 2 + kDims + BurstPlanner::kKeyWords> word{};
  bool operator==(const Key&) const = default;
};

struct KeyHash {
  size_t operator()(const Key& key) const {
    uint64_t hash = 0;
    for (const uint64_t word : key.word) {
      hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
      hash ^= hash >> 29;
    }
    return static_cast<size_t>(hash);
  }
};

constexpr uint64_t kInside = uint64_t{1} << 62;  // no coordinate
constexpr uint64_t kFewTurns = 8;                // not worth remembering
constexpr size_t kMostKept = 100'000;            // turns remembered

class Counter {
 public:
  Counter(const Nest& nest, const BurstRules& rules, uint64_t most_steps)
      : nest_(nest), rules_(rules), most_steps_(most_steps), planner_(rules) {
    for (size_t l = nest.first; l <= kLevels; ++l) {
      inner_[l] = nest.Inner(l);
      // What the levels below `l` add to a coordinate, at least and at most.
      if (l == nest.first) {
        if (l == 1) reach_[l][0].second = static_cast<int64_t>(nest.row_positions) - 1;
        continue;
      }
      reach_[l] = reach_[l - 1];
      const Level& level = nest.level[l - 1];
      if (!nest.bound[level.dim]) continue;
      const int64_t far = level.step * static_cast<int64_t>(level.count - 1);
      auto& [low, high] = reach_[l][level.dim];
      (far < 0 ? low : high) += far;
    }
  }

  // False if it is too much work.
  bool Run() {
    Part(kLevels, nest_.start, nest_.positions);
    return !tired_;
  }
  const Tally& tally() const { return tally_; }
  uint64_t steps() const { return steps_; }

 private:
  // A whole turn of all levels below `l`.
  void Whole(size_t l, const Place& at) {
    if (tired_) return;
    if (l == nest_.first) return RowAt(at, nest_.row_positions);
    Work();
    if (OutsideBounds(l, at)) {
      AddFill(l, 1);
    } else if (inner_[l] / nest_.row_positions <= kFewTurns) {
      Loop(l - 1, at, nest_.level[l - 1].count);
    } else {
      Remembered(l, at);
    }
  }

  // The same, unless a turn that began alike has been counted before.
  void Remembered(size_t l, const Place& at) {
    const Key key = KeyOf(l, at);
    const auto it = kept_.find(key);
    if (it != kept_.end()) {
      Add(&tally_, it->second.tally);
      planner_.Resume(it->second.after);
      planner_.Shift(at.addr - it->second.base);
      return;
    }
    const Tally before = std::exchange(tally_, {});
    Loop(l - 1, at, nest_.level[l - 1].count);
    if (kept_.size() < kMostKept && !tired_) kept_.emplace(key, Kept{tally_, planner_, at.addr});
    const Tally turn = std::exchange(tally_, before);
    Add(&tally_, turn);
  }

  // The first `positions` of a turn of all levels below `l`.
  void Part(size_t l, const Place& at, uint64_t positions) {
    if (positions == 0 || tired_) return;
    if (positions >= inner_[l]) return Whole(l, at);
    if (l == nest_.first) return RowAt(at, positions);
    const uint64_t whole = positions / inner_[l - 1];
    Loop(l - 1, at, whole);
    Part(l - 1, nest_.Moved(at, l - 1, whole), positions - whole * inner_[l - 1]);
  }

  // `turns` turns of level `l` from a place on.
  void Loop(size_t l, Place at, uint64_t turns) {
    while (turns != 0 && !tired_) {
      const ZoneRun run = ZoneAt(l, at.x[nest_.level[l].dim]);
      const uint64_t n = std::min(turns, run.turns);
      if (run.zone == Zone::kOutside) {
        AddFill(l, n);
      } else {
        Alike(l, at, n);
      }
      turns -= n;
      at = nest_.Moved(at, l, n);
    }
  }

  // Turns of level `l` that lie alike in the bounds: periodic once their state comes again.
  void Alike(size_t l, Place at, uint64_t turns) {
    if (turns <= kFewTurns) {
      for (; turns != 0; --turns) {
        Whole(l, at);
        at = nest_.Moved(at, l, 1);
      }
      return;
    }
    const Tally before = std::exchange(tally_, {});
    // A state is kept after 1, 2, 4, 8 ... turns; when it comes again, the loop is periodic.
    Key kept = KeyOf(l, at);
    Tally kept_tally;
    uint64_t since = 0, next = 1;
    while (turns != 0 && !tired_) {
      Whole(l, at);
      at = nest_.Moved(at, l, 1);
      --turns;
      ++since;
      const Key key = KeyOf(l, at);
      if (key == kept && turns >= since) {
        const uint64_t skipped = turns / since * since;
        Add(&tally_, Difference(tally_, kept_tally), turns / since);
        planner_.Shift(skipped * nest_.level[l].stride);
        at = nest_.Moved(at, l, skipped);
        turns -= skipped;
      } else if (since == next) {
        kept = key;
        kept_tally = tally_;
        next *= 2;
        since = 0;
      }
    }
    const Tally all = std::exchange(tally_, before);
    Add(&tally_, all);
  }

  static Tally Difference(Tally a, const Tally& b) {
    ForEachCount([](uint64_t& x, uint64_t y) { x -= y; }, a, b);
    return a;
  }

  void RowAt(const Place& at, uint64_t positions) {
    Work();
    const Row row = nest_.RowAt(at, positions);
    Tally cost;
    planner_.ResetCounts();
    planner_.Add(row);
    cost.positions = positions;
    cost.data = row.data / nest_.elem;
    cost.rows = 1;
    cost.data_rows = row.data != 0 ? 1 : 0;
    cost.odd_rows = row.data != 0 && (row.addr() & rules_.mask) % rules_.word != 0 ? 1 : 0;
    cost.aligned_words = CeilDivide(row.data, rules_.word);
    cost.operations = planner_.operations();
    cost.engine = planner_.engine();
    cost.least = planner_.least();
    Add(&tally_, cost);
  }

  void Work() {
    if (++steps_ > most_steps_) tired_ = true;
  }

  // Whole turns of all levels below `l`, without data.
  void AddFill(size_t l, uint64_t turns) {
    const uint64_t bytes = nest_.row_positions * nest_.elem;
    Tally cost;
    cost.positions = SatMul(inner_[l], turns);
    cost.rows = SatMul(inner_[l] / nest_.row_positions, turns);
    cost.operations = SatMul(cost.rows, CeilDivide(bytes, rules_.word));
    Add(&tally_, cost);
  }

  // True if a turn of all levels below `l` lies outside a bound.
  bool OutsideBounds(size_t l, const Place& at) const {
    for (size_t d = 0; d < kDims; ++d) {
      if (!nest_.bound[d]) continue;
      const auto& [low, high] = reach_[l][d];
      if (at.x[d] + high < 0 || at.x[d] + low >= int64_t{*nest_.bound[d]}) return true;
    }
    return false;
  }

  // How a turn of all levels below `l` lies in the bound of level `l`'s dimension, and how many
  // turns of level `l` from here on lie likewise.
  ZoneRun ZoneAt(size_t l, int64_t x) const {
    constexpr uint64_t kAll = ~uint64_t{0};
    const Level& level = nest_.level[l];
    if (!nest_.bound[level.dim]) return {Zone::kInside, kAll};
    const int64_t bound = *nest_.bound[level.dim], step = level.step;
    const auto [reach_low, reach_high] = reach_[l][level.dim];
    const int64_t low = x + reach_low, high = x + reach_high;
    const auto turns = [](int64_t way, int64_t by) { return static_cast<uint64_t>(way / by + 1); };
    if (bound == 0) return {Zone::kOutside, kAll};
    if (high < 0) return {Zone::kOutside, step > 0 ? turns(-high - 1, step) : kAll};
    if (low >= bound) return {Zone::kOutside, step < 0 ? turns(low - bound, -step) : kAll};
    if (low >= 0 && high < bound) {
      if (step == 0) return {Zone::kInside, kAll};
      return {Zone::kInside, step > 0 ? turns(bound - 1 - high, step) : turns(low, -step)};
    }
    return {Zone::kAcross, step == 0 ? kAll : 1};
  }

  // Seen from a turn of all levels below `l`.
  Key KeyOf(size_t l, const Place& at) const {
    Key key;
    key.word[0] = l;
    key.word[1] = at.addr % kPage;
    for (size_t d = 0; d < kDims; ++d) {
      if (!nest_.bound[d]) continue;
      const auto& [low, high] = reach_[l][d];
      const bool inside = at.x[d] + low >= 0 && at.x[d] + high < int64_t{*nest_.bound[d]};
      key.word[2 + d] = inside ? kInside : static_cast<uint64_t>(at.x[d]);
    }
    const auto bus = planner_.Key(at.addr);
    std::copy(bus.begin(), bus.end(), key.word.begin() + 2 + kDims);
    return key;
  }

  struct Kept {
    Tally tally;
    BurstPlanner after;
    uint64_t base = 0;
  };

  const Nest& nest_;
  const BurstRules rules_;
  const uint64_t most_steps_;
  BurstPlanner planner_;
  std::array<uint64_t, kLevels + 1> inner_{};
  std::array<std::array<std::pair<int64_t, int64_t>, kDims>, kLevels + 1> reach_{};
  std::unordered_map<Key, Kept, KeyHash> kept_;
  Tally tally_;
  uint64_t steps_ = 0;
  bool tired_ = false;
};

uint64_t Scaled(uint64_t value, double by) {
  const double scaled = static_cast<double>(value) * by;
  return scaled < 1.8e19 ? static_cast<uint64_t>(scaled) : ~uint64_t{0};
}

// The first rows counted, the rest taken to be like them.
CountResult Estimate(Nest nest, const BurstRules& rules, uint64_t steps) {
  const uint64_t all = nest.positions;
  CountResult result;
  result.exact = false;
  result.counted = std::min(all, SatMul(nest.row_positions, steps));
  nest.positions = result.counted;
  Counter counter(nest, rules, SatAdd(steps, 1));
  counter.Run();
  result.tally = counter.tally();
  result.steps = counter.steps();
  const double by = static_cast<double>(all) / static_cast<double>(result.counted);
  ForEachCount([by](uint64_t& count) { count = Scaled(count, by); }, result.tally);
  result.tally.positions = all;
  return result;
}

}  // namespace

CountResult CountTransfer(const Nest& nest, const BurstRules& rules, uint64_t most_steps) {
  if (nest.positions == 0) return {};
  Counter counter(nest, rules, most_steps);
  if (nest.positions == ~uint64_t{0} || !counter.Run()) return Estimate(nest, rules, most_steps);
  return {counter.tally(), true, nest.positions, counter.steps()};
}

}  // namespace tessera::show
