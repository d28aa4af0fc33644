// tessera_bench: the bench as a program of its own.
#include <CLI/CLI.hpp>
#include <optional>

#include "tb/files/interrupt.h"
#include "tools/bench/command.h"
#include "tools/terminal/arguments.h"
#include "tools/terminal/terminal.h"

int main(int argc, char** argv) {
  tessera::CatchSignals();
  tessera::bench::Options options;
  CLI::App app{"Measures the engines on the memory model of the bench and checks every byte.",
               "tessera_bench"};
  tessera::bench::AddOptions(app, &options);
  return tessera::cli::RunCommand([&]() -> int {
    const std::optional<int> ended = tessera::cli::ReadArguments(&app, argc, argv);
    return ended ? *ended : tessera::bench::Run(options);
  });
}
