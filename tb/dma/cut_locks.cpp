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

int NumberOf(const DeviceExecution& execution) { return execution.record.descriptor; }

// What a channel has executed: its first transfers to their end, at least `least` and at most
// `most`, and of the next `begun` the beginning.
struct Progress {
  size_t least = 0, most = 0, begun = 0;
};

// By its records; no value: they are not those of its transfers.
std::optional<Progress> ProgressOf(std::span<const DeviceExecution> all,
                                   std::span<const native::Record> records) {
  const auto aborted = std::span(std::ranges::find_if(records, Aborted), records.end());
  size_t ended = 0;
  for (auto left = records.size() - aborted.size(); left > 0 && ended < all.size(); ++ended) {
    if (all[ended].recorded) --left;
  }
  std::optional<Progress> progress;
  for (;; ++ended) {  // more have ended if they asked for no record
    const auto next = all.subspan(ended, std::min(aborted.size(), all.size() - ended));
    if (std::ranges::equal(aborted, next, {}, &native::Record::descriptor, NumberOf)) {
      if (!progress) progress = {ended, ended, aborted.size()};
      progress->most = ended;
    }
    if (ended == all.size() || all[ended].recorded) return progress;
  }
}

}  // namespace

LocksCompared CompareCutLocks(const DeviceModel& model, std::span<const int> before,
                              std::span<const std::vector<native::Record>> records, bool cut_off,
                              const std::function<int(int)>& now) {
  LocksCompared result;
  std::vector<int> expected(before.begin(), before.end());
  std::vector<bool> known(before.size(), true);
  const auto move = [&](const DeviceExecution::LockMove& m) {
    if (m.amount != 0) expected.at(static_cast<size_t>(m.lock)) += m.amount;
  };
  for (size_t c = 0; c < records.size(); ++c) {
    const std::vector<DeviceExecution>& all = model.executions(static_cast<int>(c));
    const std::optional<Progress> progress = ProgressOf(all, records[c]);
    if (!progress) {
      result.differences.push_back(
          fmt::format("channel {}: what its aborted records name was not its turn", c));
      return result;
    }
    const auto [least, most, begun] = *progress;
    for (size_t n = 0; n < least + begun; ++n) {
      move(all[n].taken);
      if (n < least) move(all[n].given);
    }
    if (least == most && !cut_off) continue;
    const size_t end = cut_off ? all.size() : most + begun;
    for (size_t n = least; n < end; ++n) {
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
