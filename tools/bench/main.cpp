// tessera_bench: the bench as a program of its own.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <exception>

#include "tools/bench/command.h"

int main(int argc, char** argv) {
  tessera::bench::Options options;
  CLI::App app{"Measures the engines on the memory model of the bench and checks every byte."};
  tessera::bench::AddOptions(app, &options);
  CLI11_PARSE(app, argc, argv);
  try {
    return tessera::bench::Run(options);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
}
