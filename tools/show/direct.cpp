// See direct.h.
#include "tools/show/direct.h"
#include "tb/sim/counted.h"

#include <fmt/format.h>

#include <limits>
#include <optional>
#include <stdexcept>

namespace tessera::show {
namespace {

using model::kDims;
using model::Transfer;

std::invalid_argument Wrong(const std::string& option, const std::string& value,
                            const std::string& legal) {
  return std::invalid_argument(fmt::format("{} is {}: legal is {}", option, value, legal));
}

// A whole number of `text`, or nothing.
std::optional<int64_t> Number(const std::string& text) {
  try {
    size_t used = 0;
    const int64_t value = std::stoll(text, &used, 0);
    if (used == text.size()) return value;
  } catch (const std::exception&) {
  }
  return std::nullopt;
}

uint64_t Unsigned(const std::string& option, const std::string& text, uint64_t most) {
  try {
    size_t used = 0;
    const uint64_t value = std::stoull(text, &used, 0);
    if (used == text.size() && text[0] != '-' && value <= most) return value;
  } catch (const std::exception&) {
  }
  throw Wrong(option, fmt::format("\"{}\"", text), fmt::format("0 to {:#x}", most));
}

model::WalkLevel ParseWalk(const std::string& text) {
  const size_t a = text.find(':'), b = a == std::string::npos ? a : text.find(':', a + 1);
  if (b != std::string::npos) {
    const auto dim = Number(text.substr(0, a)), step = Number(text.substr(a + 1, b - a - 1)),
               count = Number(text.substr(b + 1));
    if (dim && step && count && *dim >= 0 && *dim < 4 &&
        *step >= std::numeric_limits<int32_t>::min() &&
        *step <= std::numeric_limits<int32_t>::max() && *count >= 0 &&
        *count <= std::numeric_limits<uint32_t>::max()) {
      return {static_cast<int>(*dim), static_cast<int32_t>(*step), static_cast<uint32_t>(*count)};
    }
  }
  throw Wrong("--walk", fmt::format("\"{}\"", text),
              "DIM:STEP:COUNT, a dimension 0 to 3, coordinates that a turn moves, turns");
}

struct Loop {
  uint64_t count = 1;
  int64_t stride = 0;
  size_t number = 0;  // as the user counts
};

// Folds neighbours that touch until no more than four dimensions are left.
void FoldTouching(std::vector<Loop>* loops, std::vector<std::string>* notes) {
  for (size_t d = 0; d + 1 < loops->size() && loops->size() > kDims;) {
    Loop& inner = (*loops)[d];
    const Loop& outer = (*loops)[d + 1];
    const __int128 turn = static_cast<__int128>(inner.count) * inner.stride;
    const uint64_t count = inner.count * outer.count;
    const bool single = outer.count == 1;
    if ((!single && turn != outer.stride) || count > std::numeric_limits<uint32_t>::max()) {
      ++d;
      continue;
    }
    notes->push_back(
        single ? fmt::format("Dimension {} has a single position and was left out.", outer.number)
               : fmt::format("Dimensions {} and {} touch and were folded into one.", inner.number,
                             outer.number));
    inner.count = count;
    loops->erase(loops->begin() + static_cast<std::ptrdiff_t>(d) + 1);
  }
}

// What is more than four dimensions becomes levels of the traversal.
void MoveToWalk(std::vector<Loop>* loops, Transfer* t, std::vector<std::string>* notes) {
  for (size_t k = 0; loops->size() > kDims; ++k) {
    const Loop loop = (*loops)[kDims];
    loops->erase(loops->begin() + kDims);
    bool placed = false;
    for (size_t d = 0; d < kDims && !placed && k < model::kWalkLevels; ++d) {
      const __int128 stride = (*loops)[d].stride;  // -2^63 / -1 is more than 64 bits
      if (stride == 0 || loop.stride % stride != 0) continue;
      const __int128 step = loop.stride / stride;
      if (step < std::numeric_limits<int32_t>::min() ||
          step > std::numeric_limits<int32_t>::max()) {
        continue;
      }
      t->walk[k] = model::WalkLevel{static_cast<int>(d), static_cast<int32_t>(step),
                                    static_cast<uint32_t>(loop.count)};
      notes->push_back(fmt::format(
          "Dimension {} became walk[{}]: {} turns that move dimension {} by {} coordinate{}.",
          loop.number, k, loop.count, d, static_cast<int32_t>(step), step == 1 ? "" : "s"));
      placed = true;
    }
    if (!placed) {
      throw Wrong("--count", fmt::format("of {} dimensions", loop.number + 1),
                  "four, and up to four more whose stride is a multiple of one of theirs");
    }
  }
}

void SetLast(const std::string& rule, Transfer* t) {
  if (rule.empty() || rule == "transfer") return;
  if (rule == "never") {
    t->last_rule = model::LastRule::kNever;
  } else if (rule == "task") {
    t->last_rule = model::LastRule::kTask;
    t->task_end = true;
  } else if (rule.size() == 1 && rule[0] >= '0' && rule[0] <= '7') {
    t->last_rule = model::LastRule::kLevel;
    t->last_level = rule[0] - '0';
  } else {
    throw Wrong("--last", fmt::format("\"{}\"", rule),
                "never, transfer, task, or a level: 0 to 3 for a dimension, 4 to 7 for a walk");
  }
}

}  // namespace

DirectTransfer MakeDirect(const DirectOptions& o) {
  DirectTransfer made;
  Transfer& t = made.value;
  t.elem = o.elem;
  if (!o.base.empty()) t.base = Unsigned("--base", o.base, ~uint64_t{0});
  if (o.count.empty()) throw Wrong("--count", "absent", "1 to 8 numbers, the innermost first");
  const auto few = [&](const char* option, size_t size, size_t most) {
    if (size <= most) return;
    throw Wrong(option, Counted(size, "number"),
                fmt::format("at most {}, one for each dimension", most));
  };
  few("--count", o.count.size(), kDims + model::kWalkLevels);
  few("--stride", o.stride.size(), o.count.size());
  few("--start", o.start.size(), std::min(kDims, o.count.size()));
  few("--bound", o.bound.size(), std::min(kDims, o.count.size()));
  few("--walk", o.walk.size(), model::kWalkLevels);

  std::vector<Loop> loops;
  int64_t next = o.elem;  // the stride that goes on where the dimension before ends
  for (size_t d = 0; d < o.count.size(); ++d) {
    const int64_t stride = d < o.stride.size() ? o.stride[d] : next;
    loops.push_back({o.count[d], stride, d});
    int64_t reach = 0;
    next = __builtin_mul_overflow(stride, static_cast<int64_t>(o.count[d]), &reach) ? 0 : reach;
  }
  if (loops.size() > kDims) {
    if (!o.bound.empty() || !o.start.empty() || !o.walk.empty()) {
      throw Wrong("--count", fmt::format("of {} dimensions", loops.size()),
                  "four where --start, --bound or --walk are given");
    }
    FoldTouching(&loops, &made.notes);
    MoveToWalk(&loops, &t, &made.notes);
  }
  for (size_t d = 0; d < loops.size(); ++d) {
    t.count[d] = static_cast<uint32_t>(loops[d].count);
    t.stride[d] = loops[d].stride;
  }
  for (size_t d = 0; d < o.start.size(); ++d) t.start[d] = o.start[d];
  for (size_t d = 0; d < o.bound.size(); ++d) {
    if (o.bound[d] == "-" || o.bound[d] == "none") continue;
    t.bound[d] = static_cast<uint32_t>(
        Unsigned(fmt::format("--bound of dimension {}", d), o.bound[d], model::kMaxBound));
  }
  for (size_t k = 0; k < o.walk.size(); ++k) t.walk[k] = ParseWalk(o.walk[k]);
  if (!o.length.empty()) {
    t.length =
        static_cast<uint32_t>(Unsigned("--length", o.length, std::numeric_limits<uint32_t>::max()));
  }
  if (!o.fill.empty()) t.fill = Unsigned("--fill", o.fill, ~uint64_t{0});
  SetLast(o.last, &t);
  if (o.on_last) t.finish = model::Finish::kLast;
  return made;
}

}  // namespace tessera::show
