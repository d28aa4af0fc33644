// Runs the firmware `day` on emulated processors whose registers are the RTL and whose memory is
// the device's: one line for each, and a waveform on request.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "sw/simulation/board.h"
#include "sw/simulation/processor.h"

namespace {

using tessera::firmware::kTargets;
using tessera::firmware::Processor;
using tessera::firmware::Target;

constexpr uint64_t kBroken = 0x20000000;

// True if the program has found everything right.
bool Run(const Target& target, const std::string& program, const std::string& build,
         const std::string& waveform) {
  tessera::DmaBenchOptions options;
  options.memory.latency_min = 5;
  options.memory.latency_max = 20;
  options.memory.errors = {tessera::ErrorRule::Range(kBroken, kBroken + 0xffff, tessera::kSlvErr)};
  tessera::simulation::Board board(build, options);
  Processor processor(target.architecture, program, board);
  board.Share(Processor::kRam, {processor.ram(), Processor::kRamBytes});
  board.Connect(0, 0);
  if (!waveform.empty()) board.Trace(waveform);
  processor.SetHandler("day_interrupt");
  const uint64_t begin = board.bench().cycle();
  const uint32_t wrong = processor.Call("day_run", {Processor::kRegisters, kBroken}, 20'000'000);
  const bool good = wrong == 0 && board.refused().empty();
  fmt::print("{:10} {:6} {:8} instructions {:6} register accesses {:3} interrupts {:7} cycles\n",
             target.name, good ? "passed" : "failed", processor.cost().instructions,
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
  app.add_option("--waveform", waveform, "Writes NAME_PROCESSOR.fst for each");
  CLI11_PARSE(app, argc, argv);
  int failed = 0, run = 0;
  for (const Target& target : kTargets) {
    if (!processors.empty() &&
        std::find(processors.begin(), processors.end(), target.name) == processors.end())
      continue;
    const std::string program = fmt::format("{}/day_{}.elf", folder, target.name);
    if (!std::filesystem::exists(program)) {
      fmt::print("{:10} skipped: no cross compiler; scripts/setup installs it\n", target.name);
      continue;
    }
    ++run;
    try {
      const std::string wave =
          waveform.empty() ? "" : fmt::format("{}_{}.fst", waveform, target.name);
      failed += Run(target, program, build, wave) ? 0 : 1;
    } catch (const std::exception& error) {
      fmt::print("{:10} failed: {}\n", target.name, error.what());
      ++failed;
    }
  }
  fmt::print("{} passed, {} failed\n", run - failed, failed);
  return failed == 0 ? 0 : 1;
}
