// See advice.h.
#include "tools/show/advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "tb/check/encode.h"
#include "tb/sim/counted.h"
#include "tools/show/reach.h"
#include "tools/show/rewrite.h"

namespace tessera::show {
namespace {

using model::kDims;
using model::Transfer;

constexpr uint64_t kSteps = 400'000;  // of each candidate's analysis
constexpr double kWorthwhile = 0.98;  // cycles after of cycles before

struct Cost {
  double cycles = 0;
  uint64_t bursts = 0, rows = 0;

  bool Beats(const Cost& other) const {
    if (cycles != other.cycles) return cycles < other.cycles;
    if (bursts != other.bursts) return bursts < other.bursts;
    return rows < other.rows;
  }
  bool MuchBetter(const Cost& other) const {
    const double before = static_cast<double>(other.bursts);
    return cycles <= kWorthwhile * other.cycles ||
           (cycles <= other.cycles && bursts < other.bursts &&
            static_cast<double>(bursts) <= 0.9 * before);
  }
};

// Tries transfers on one subject.
class Adviser {
 public:
  explicit Adviser(const Subject& subject) : subject_(subject), now_(CostOf(subject.transfer)) {}

  std::vector<Advice> Run() {
    TryFold();
    TryOrder();
    TryWiden();
    TryPlace();
    std::stable_sort(found_.begin(), found_.end(), [](const Advice& a, const Advice& b) {
      return a.cycles_after < b.cycles_after;
    });
    return std::move(found_);
  }

 private:
  Cost CostOf(const Transfer& t) const {
    const Analysis a = Analyse({t, subject_.direction, subject_.config}, {kAdviceLatency}, kSteps);
    return {a.cycles.front().engine, a.tally.engine.bursts, a.tally.rows};
  }

  Transfer Masked(Transfer t) const {
    t.base &= BuildOf(subject_.config).AddressMask();
    return t;
  }

  bool Legal(const Transfer& t) const {
    return !model::Validate(t, BuildOf(subject_.config)).has_value();
  }

  // "4096 instead of 8192 cycles (2.0 times as fast), 64 instead of 4096 bursts".
  std::string Gain(const Cost& cost) const {
    const auto number = [](double value) { return fmt::format("{:.0f}", value); };
    std::string text;
    if (cost.cycles < now_.cycles) {
      text = fmt::format("{} instead of {} cycles ({:.3g} times as fast)", number(cost.cycles),
                         number(now_.cycles), now_.cycles / cost.cycles);
    } else {
      text = fmt::format("as many cycles, {}", number(cost.cycles));
    }
    if (cost.bursts != now_.bursts) {
      text += fmt::format(", {} instead of {}", cost.bursts, Counted(now_.bursts, "burst"));
    }
    return text;
  }

  void Add(Advice::Kind kind, const Transfer& t, const Cost& cost, bool same_bytes,
           bool same_stream, std::string text) {
    Advice advice;
    advice.kind = kind;
    advice.transfer = t;
    advice.same_bytes = same_bytes;
    advice.same_stream = same_stream;
    advice.cycles_before = now_.cycles;
    advice.cycles_after = cost.cycles;
    advice.bursts_before = now_.bursts;
    advice.bursts_after = cost.bursts;
    advice.text = std::move(text);
    found_.push_back(std::move(advice));
  }

  // Folds whatever touches, and tells which dimensions.
  Transfer FoldAll(Transfer t, std::string* what) const {
    for (bool more = true; more;) {
      more = false;
      for (size_t d = 0; d < kDims && !more; ++d) {
        for (size_t e = d + 1; e < kDims && !more; ++e) {
          const auto folded = Folded(t, d, e);
          if (!folded || !Legal(Masked(*folded))) continue;
          t = Masked(*folded);
          if (what != nullptr) *what += fmt::format("{}{} and {}", what->empty() ? "" : ", ", d, e);
          more = true;
        }
      }
    }
    return t;
  }

  void TryFold() {
    std::string what;
    const Transfer folded = FoldAll(subject_.transfer, &what);
    if (what.empty()) return;
    const Cost cost = CostOf(folded);
    const bool faster = cost.MuchBetter(now_);
    if (!faster && cost.rows >= now_.rows) return;
    Add(Advice::Kind::kFold, folded, cost, true, true,
        fmt::format(
            "Fold dimensions {} that touch into count[{}] = {}: {}{}. The stream stays the "
            "same.",
            what, what.substr(0, 1), folded.count[static_cast<size_t>(what[0] - '0')], Gain(cost),
            faster ? "" : fmt::format(", {} instead of {}", cost.rows, Counted(now_.rows, "row"))));
  }

  void TryOrder() {
    const Transfer& t = subject_.transfer;
    if (!IsWholeBox(t) || t.last_rule == model::LastRule::kLevel) return;
    // Where writes overlap, the order decides what remains.
    if (subject_.direction == Direction::kWrite && FindOverlap(subject_) != Overlap::kNone) return;
    std::array<size_t, kDims> order{};
    std::iota(order.begin(), order.end(), 0);
    Cost best = now_;
    Transfer best_transfer = t;
    std::array<size_t, kDims> best_order = order;
    std::string best_flips;
    do {
      if (Pointless(order)) continue;
      Transfer turned = Permuted(t, order);
      std::string flips;
      for (size_t d = 0; d < kDims; ++d) {
        if (turned.stride[d] >= 0 || turned.count[d] < 2) continue;
        const auto flipped = Flipped(turned, d);
        if (!flipped || !Legal(Masked(*flipped))) continue;
        turned = Masked(*flipped);
        flips += fmt::format("{}{}", flips.empty() ? "" : " and ", order[d]);
      }
      if (!Legal(turned)) continue;
      const Cost cost = CostOf(turned);
      if (!cost.Beats(best)) continue;
      best = cost;
      best_transfer = turned;
      best_order = order;
      best_flips = flips;
    } while (std::next_permutation(order.begin(), order.end()));
    if (!best.MuchBetter(now_)) return;
    std::string what;
    const std::string list = Nontrivial(best_order);
    if (list != Nontrivial({0, 1, 2, 3})) {
      what = fmt::format("Take the dimensions in the order {} (innermost first)", list);
    }
    if (!best_flips.empty()) {
      what +=
          fmt::format("{} dimension {} forwards", what.empty() ? "Walk" : " and walk", best_flips);
    }
    const Transfer folded = FoldAll(best_transfer, nullptr);
    const Cost folded_cost = CostOf(folded);
    if (folded_cost.MuchBetter(best)) {
      best = folded_cost;
      best_transfer = folded;
      what += " and fold those that touch";
    }
    Add(Advice::Kind::kOrder, best_transfer, best, true, false,
        fmt::format("{}: {}. The bytes are the same, {}.", what, Gain(best),
                    subject_.direction == Direction::kRead
                        ? "the stream carries them in that order"
                        : "the stream must bring them in that order"));
  }

  // Dimensions of one turn need not move.
  bool Pointless(const std::array<size_t, kDims>& order) const {
    for (size_t n = 0; n < kDims; ++n) {
      if (Trivial(order[n]) && order[n] != n) return true;
    }
    return false;
  }
  bool Trivial(size_t d) const { return subject_.transfer.count[d] == 1; }

  std::string Nontrivial(const std::array<size_t, kDims>& order) const {
    std::string text;
    for (const size_t d : order) {
      if (!Trivial(d)) text += fmt::format("{}{}", text.empty() ? "" : ", ", d);
    }
    return text;
  }

  // A wider element is never slower; it matters where dimensions are scarce.
  void TryWiden() {
    const Transfer& t = subject_.transfer;
    const auto wide = Widened(t, subject_.config.data_bytes);
    if (!wide || !Legal(Masked(*wide))) return;
    const Transfer to = Masked(*wide);
    const Cost cost = CostOf(to);
    const bool frees = to.count[0] == 1 && t.count[1] != 1 && t.count[2] != 1 && t.count[3] != 1;
    if (!cost.MuchBetter(now_) && !frees) return;
    Add(Advice::Kind::kWiden, to, cost, true, true,
        fmt::format("Elements of {} say the same{}: {}. The stream stays the same.",
                    Counted(to.elem, "byte"), frees ? " and leave a dimension free" : "",
                    Gain(cost)));
  }

  // Rows that begin inside a bus word touch one word more, often.
  void TryPlace() {
    const Transfer& t = subject_.transfer;
    const uint64_t word = static_cast<uint64_t>(subject_.config.data_bytes);
    const Nest nest = NestOf(subject_);
    Transfer to = t;
    const uint64_t past = nest.start.addr % word;
    uint64_t first = past;
    // The first byte that is moved decides, where the first row begins with fill.
    ForEachRow(nest, [&, rows = 0](const RowStep& step) mutable {
      if (step.row.data != 0) first = step.row.addr() % word;
      return step.row.data == 0 && ++rows < 100'000;
    });
    if (first == 0) return;
    to.base = t.base - first;
    to = Masked(to);
    if (!Legal(to)) return;
    const Cost cost = CostOf(to);
    if (!cost.MuchBetter(now_)) return;
    Add(Advice::Kind::kPlace, to, cost, false, true,
        fmt::format("Put the buffer {} byte{} lower, base {:#x}, so that its first byte begins a "
                    "bus word: {}.",
                    first, first == 1 ? "" : "s", to.base, Gain(cost)));
  }

  const Subject& subject_;
  const Cost now_;
  std::vector<Advice> found_;
};

}  // namespace

std::vector<Advice> Advise(const Subject& subject) {
  if (model::Positions(subject.transfer) == 0) return {};
  return Adviser(subject).Run();
}

}  // namespace tessera::show
