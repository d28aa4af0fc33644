// tessera bench: the performance bench.
#include <CLI/CLI.hpp>
#include <memory>

#include "tools/bench/command.h"
#include "tools/program/commands.h"

namespace tessera::cli {

void RegisterBench(CLI::App& app, int* status) {
  auto options = std::make_shared<bench::Options>();
  CLI::App* command = app.add_subcommand(
      "bench", "Measures utilisation and latency on the memory of the bench and checks every byte");
  bench::AddOptions(*command, options.get());
  command->footer("For example: tessera bench --filter read/copy-4096");
  command->callback([options, status] { *status = bench::Run(*options); });
}

}  // namespace tessera::cli
