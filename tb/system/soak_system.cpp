// See soak_system.h.
#include "tb/system/soak_system.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <vector>

#include "tb/files/interrupt.h"
#include "tb/files/output.h"
#include "tb/files/text.h"
#include "tb/sim/counted.h"

namespace tessera {
namespace {

SystemResult RunKept(const SystemCase& value, const Keep& keep, const std::string& waveform = "") {
  SystemCase kept = value;
  keep.Apply(&kept);
  return RunSystem(kept, waveform);
}

// Every way to leave out a little, the large parts first.
std::vector<Keep> Smaller(const Keep& keep) {
  std::vector<Keep> list;
  const auto with = [&](auto&& change) {
    Keep next = keep;
    change(&next);
    list.push_back(next);
  };
  for (size_t n = 0; n < keep.events.size(); ++n) {
    if (keep.events[n]) with([&](Keep* k) { k->events[n] = false; });
  }
  for (size_t n = 0; n < keep.faults.size(); ++n) {
    if (keep.faults[n]) with([&](Keep* k) { k->faults[n] = false; });
  }
  for (auto part : {&Keep::reads, &Keep::writes}) {
    for (size_t n = 0; n < (keep.*part).size(); ++n) {
      const size_t count = (keep.*part)[n];
      if (count == 0) continue;
      with([&](Keep* k) { (k->*part)[n] = 0; });
      if (count > 1) with([&](Keep* k) { (k->*part)[n] = count / 2; });
      if (count > 2) with([&](Keep* k) { (k->*part)[n] = count - 1; });
    }
  }
  for (auto flag : {&Keep::single, &Keep::plain, &Keep::unpaced, &Keep::dense}) {
    if (!(keep.*flag)) with([&](Keep* k) { k->*flag = true; });
  }
  return list;
}

std::string Line(const SoakOptions& options, const SystemCase& value, const Keep* keep) {
  std::string line =
      fmt::format("{} --config {} --seed {} --cases 1", options.program, value.config, value.seed);
  if (options.draws == Draws::kPlain) line += " --plain";
  if (keep != nullptr) line += fmt::format(" --keep \"{}\"", keep->ToString());
  return line;
}

std::string Report(const SystemCase& value, const SystemResult& result,
                   const SoakOptions& options) {
  const std::string line = Line(options, value, nullptr);
  fmt::print("\nFAILED {}\nreproduce: {}\n", result.message, line);
  std::fflush(stdout);
  if (options.shrink_runs == 0) return line;
  const Keep smallest = ShrinkSystem(value, Keep::All(value), result.kind, options.shrink_runs);
  SystemCase kept = value;
  smallest.Apply(&kept);
  fmt::print("what is left of it fails too:\n{}{}\nreproduce: {}\n", Describe(kept),
             RunSystem(kept).message, Line(options, value, &smallest));
  std::fflush(stdout);
  return line;
}

}  // namespace

Keep ShrinkSystem(const SystemCase& value, const Keep& keep, const std::string& kind,
                  uint64_t most_runs) {
  Keep smallest = keep;
  uint64_t runs = 0;
  for (bool progress = true; progress;) {
    progress = false;
    for (const Keep& candidate : Smaller(smallest)) {
      if (runs >= most_runs || Interrupted()) return smallest;
      ++runs;
      if (RunKept(value, candidate).kind != kind) continue;
      smallest = candidate;
      progress = true;
      break;
    }
  }
  return smallest;
}

SoakRow SoakFabric(const FabricConfig& config, const SoakOptions& options,
                   const std::function<void(const SoakRow&)>& progress) {
  return SoakSeeds(config.channel.name, options, progress, [&](uint64_t seed, SoakRow* row) {
    const SystemCase value = RandomSystemCase(config, seed, options.draws);
    const SystemResult result = RunSystem(value);
    row->transfers += result.transfers;
    row->cycles += result.cycles;
    row->beats += result.beats;
    row->compared += result.compared;
    if (!result.passed()) row->reproduce.push_back(Report(value, result, options));
    return result.passed();
  });
}

bool ReplaySystem(const FabricConfig& config, uint64_t seed, Draws draws, const std::string& keep,
                  const std::string& waveform) {
  const SystemCase value = RandomSystemCase(config, seed, draws);
  const Keep kept = Keep::Parse(keep, value);
  SystemCase shown = value;
  kept.Apply(&shown);
  const SystemResult result = RunKept(value, kept, waveform);
  fmt::print("{}{}\n", Describe(shown), result.message);
  fmt::print("{}: {}, {} compared\n", result.passed() ? "passed" : "FAILED",
             Counted(result.cycles, "cycle"), Counted(result.compared, "thing"));
  if (!result.unwritten.empty()) throw OutputError(result.unwritten);
  if (!waveform.empty()) fmt::print("waveform {}\n", Escaped(waveform));
  return result.passed();
}

}  // namespace tessera
