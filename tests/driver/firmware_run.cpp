// Runs the firmware `day` and `standalone` on emulated processors whose registers are the RTL and
// whose memory is the device's, `standalone` through a data cache: one line for each, and a
// waveform on request.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "tb/board/board.h"
#include "tb/board/processor.h"

namespace {

using tessera::firmware::CacheModel;
using tessera::firmware::kTargets;
using tessera::firmware::Processor;
using tessera::firmware::Target;

constexpr uint64_t kBroken = 0x20000000;

struct Program {
  const char* name;  // of its file, of its function and handler
  const char* about;
  std::vector<uint64_t> arguments;
  enum class Caching { kNone, kHolds, kEvicts } caching;
};
const Program kPrograms[] = {
    {"day", "", {Processor::kRegisters, kBroken}, Program::Caching::kNone},
    {"standalone", ", cache holds", {Processor::kRegisters}, Program::Caching::kHolds},
    {"standalone", ", cache evicts", {Processor::kRegisters}, Program::Caching::kEvicts},
};

// True if the program has found everything right.
bool Run(const Target& target, const Program& program, const std::string& file,
         const std::string& build, const std::string& waveform) {
  tessera::DmaBenchOptions options;
  options.memory.latency_min = 5;
  options.memory.latency_max = 20;
  options.memory.errors = {tessera::ErrorRule::Range(kBroken, kBroken + 0xffff, tessera::kSlvErr)};
  tessera::simulation::Board board(build, options);
  CacheModel cache(target.cache_line, program.caching == Program::Caching::kEvicts);
  Processor processor(target.architecture, file, board);
  if (program.caching == Program::Caching::kNone) {
    board.Share(Processor::kRam, {processor.ram(), Processor::kRamBytes});
  } else {
    processor.SetCache(cache);
    board.Share(Processor::kRam, cache.device_memory());
  }
  board.Connect(0, 0);
  if (!waveform.empty()) board.Trace(waveform);
  const std::string name = program.name;
  processor.SetHandler(name + "_interrupt");
  const uint64_t begin = board.bench().cycle();
  const uint32_t wrong = processor.Call(name + "_run", program.arguments, 20'000'000);
  const bool good = wrong == 0 && board.refused().empty();
  fmt::print(
      "{:10} {:26} {:6} {:7} instructions {:5} register accesses {:3} interrupts {:6} cycles\n",
      target.name, name + program.about, good ? "passed" : "failed", processor.cost().instructions,
      processor.cost().reads + processor.cost().writes, processor.interrupts(),
      board.bench().cycle() - begin);
  if (wrong != 0) fmt::print("  step {}, reason {}\n", wrong >> 16, wrong & 0xff);
  for (const std::string& text : board.refused()) fmt::print("  refused: {}\n", text);
  return good;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Firmware on emulated processors, with the RTL of tessera_dma at their registers."};
  std::vector<std::string> processors;
  std::string build = "basic", folder = TESSERA_FIRMWARE, waveform;
  app.add_option("--processor", processors, "aarch64, cortex-r5, riscv64; none: all")
      ->check(CLI::IsMember({"aarch64", "cortex-r5", "riscv64"}));
  app.add_option("--build", build, "A build of cmake/dmas.json")->capture_default_str();
  app.add_option("--firmware", folder, "Where the programs are")->capture_default_str();
  app.add_option("--waveform", waveform, "Writes NAME_PROCESSOR_N.fst for each program");
  CLI11_PARSE(app, argc, argv);
  int failed = 0, run = 0;
  for (const Target& target : kTargets) {
    if (!processors.empty() &&
        std::find(processors.begin(), processors.end(), target.name) == processors.end())
      continue;
    for (size_t n = 0; n < std::size(kPrograms); ++n) {
      const std::string file = fmt::format("{}/{}_{}.elf", folder, kPrograms[n].name, target.name);
      if (!std::filesystem::exists(file)) {
        fmt::print("{:10} skipped: no cross compiler; scripts/setup installs it\n", target.name);
        break;
      }
      ++run;
      const std::string wave =
          waveform.empty() ? "" : fmt::format("{}_{}_{}.fst", waveform, target.name, n);
      try {
        failed += Run(target, kPrograms[n], file, build, wave) ? 0 : 1;
      } catch (const std::exception& error) {
        fmt::print("{:10} {} failed: {}\n", target.name, kPrograms[n].name, error.what());
        ++failed;
      }
    }
  }
  fmt::print("{} passed, {} failed\n", run - failed, failed);
  return failed == 0 ? 0 : 1;
}
