// tessera_bench: the bench as a program of its own.
#include <CLI/CLI.hpp>

#include "tb/files/interrupt.h"
#include "tools/bench/command.h"
#include "tools/terminal/status.h"

int main(int argc, char** argv) {
  tessera::CatchSignals();
  tessera::bench::Options options;
  CLI::App app{"Measures the engines on the memory model of the bench and checks every byte."};
  tessera::bench::AddOptions(app, &options);
  CLI11_PARSE(app, argc, argv);
  return tessera::cli::RunCommand([&] { return tessera::bench::Run(options); });
}
