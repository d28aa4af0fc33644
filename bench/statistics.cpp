// See statistics.h.
#include "bench/statistics.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "tb/sim/counted.h"

namespace tessera::bench {
namespace {

constexpr uint64_t kBunch = 64;

double Mean(std::span<const uint64_t> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace

uint64_t TransfersToRun(uint64_t beats) {
  return std::clamp<uint64_t>(200000 / (beats + 20), 24, 2000);
}

double CyclesPerTransfer(std::span<const uint64_t> cycles, uint64_t transfers) {
  const uint64_t beats = cycles.size();
  if (transfers < 4 || beats < transfers) {
    throw std::invalid_argument(fmt::format("{} of {}: a rate needs 4 transfers and a beat of each",
                                            Counted(beats, "beat"),
                                            Counted(transfers, "transfer")));
  }
  const uint64_t quarter = transfers / 4;
  const uint64_t from = beats * quarter / transfers;
  const uint64_t to = beats * (transfers - quarter) / transfers;
  const uint64_t bunch = std::min({kBunch, beats - to, to - from});
  const double passed = Mean(cycles.subspan(to, bunch)) - Mean(cycles.subspan(from, bunch));
  return passed * static_cast<double>(beats) /
         (static_cast<double>(to - from) * static_cast<double>(transfers));
}

}  // namespace tessera::bench
