// The second run of a failing case.
#include "tb/run/wave.h"

#include <fmt/format.h>

#include <exception>

namespace tessera {

std::string RerunWithWaveform(const BenchFactory& make, const BenchResult& failed,
                              const WaveWindow& window) {
  if (failed.passed()) return "no waveform: the run did not fail";
  const uint64_t from = failed.fail_cycle > window.before ? failed.fail_cycle - window.before : 0;
  const uint64_t to = failed.fail_cycle + window.after;
  try {
    const std::unique_ptr<EngineBench> bench = make();
    bench->TraceWindow(window.path, from, to);
    const BenchResult again = bench->Run();
    if (!again.unwritten.empty()) return fmt::format("no waveform: {}", again.unwritten);
    if (again.failure != failed.failure || again.fail_cycle != failed.fail_cycle) {
      return fmt::format(
          "waveform {} shows cycles {} to {}, but the run was not the same: it {} in cycle {} "
          "instead of failing in cycle {}",
          window.path, from, to, again.passed() ? "passed" : "failed", again.cycles,
          failed.fail_cycle);
    }
  } catch (const std::exception& error) {
    return fmt::format("no waveform: {}", error.what());
  }
  return fmt::format("waveform {} shows cycles {} to {}, the failure is in cycle {}", window.path,
                     from, to, failed.fail_cycle);
}

}  // namespace tessera
