#include "tb/dma/cut_locks.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "tb/check/encode.h"

namespace tessera {
namespace {

bool Aborted(const native::Record& record) {
  return (record.done.status & rtl::Status::kAborted) != 0;
}

// What a channel has executed: the first `ended` transfers to their end, `begun` behind them not.
struct Progress {
  size_t ended = 0, begun = 0;
};

// Those that are possible after these records.
std::vector<Progress> Possible(std::span<const ModelExecution> all,
                               std::span<const native::Record> records) {
  const auto first_aborted = std::ranges::find_if(records, Aborted);
  const auto aborted = std::span(first_aborted, records.end());
  size_t ended = 0;
  for (auto left = records.size() - aborted.size(); left > 0 && ended < all.size(); ++ended) {
    if (all[ended].recorded) --left;
  }
  std::vector<Progress> possible;
  for (;; ++ended) {
    const auto matches = [&](size_t n) {
      return ended + n < all.size() && all[ended + n].descriptor == aborted[n].descriptor();
    };
    bool fits = true;
    for (size_t n = 0; n < aborted.size(); ++n) fits = fits && matches(n);
    if (fits) possible.push_back({ended, aborted.size()});
    if (ended >= all.size() || all[ended].recorded) return possible;
  }
}

}  // namespace

LocksCompared CompareCutLocks(const SequencerModel& model, std::span<const int> before,
                              std::span<const std::vector<native::Record>> records, bool cut_off,
                              const std::function<int(int)>& now) {
  LocksCompared result;
  std::vector<int> expected(before.begin(), before.end());
  std::vector<bool> known(before.size(), true);
  const auto move = [&](const ModelExecution::LockMove& m) {
    if (m.amount != 0) expected.at(static_cast<size_t>(m.lock)) += m.amount;
  };
  for (size_t c = 0; c < records.size(); ++c) {
    const std::vector<ModelExecution>& all = model.executions(static_cast<int>(c));
    const std::vector<Progress> possible = Possible(all, records[c]);
    if (possible.empty()) {
      result.differences.push_back(
          fmt::format("channel {}: what its aborted records name was not its turn", c));
      return result;
    }
    const Progress least = possible.front(), most = possible.back();
    for (size_t n = 0; n < least.ended + least.begun; ++n) {
      move(all[n].taken);
      if (n < least.ended) move(all[n].given);
    }
    if (possible.size() == 1 && !cut_off) continue;
    const size_t end = cut_off ? all.size() : most.ended + most.begun;
    for (size_t n = least.ended; n < end; ++n) {
      for (const auto& m : {all[n].taken, all[n].given}) {
        if (m.amount != 0) known.at(static_cast<size_t>(m.lock)) = false;
      }
    }
  }
  for (size_t k = 0; k < expected.size(); ++k) {
    if (!known[k]) continue;
    ++result.locks;
    const int value = now(static_cast<int>(k));
    if (value != expected[k]) {
      result.differences.push_back(
          fmt::format("lock {} is {}, expected {} of {}", k, value, expected[k], before[k]));
    }
  }
  return result;
}

}  // namespace tessera
