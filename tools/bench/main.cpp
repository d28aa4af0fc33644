// tessera_bench: the bench as a program of its own.
#include <CLI/CLI.hpp>
#include <stdexcept>
#include <string>

#include "tb/files/interrupt.h"
#include "tools/bench/command.h"
#include "tools/terminal/status.h"

int main(int argc, char** argv) {
  tessera::CatchSignals();
  tessera::bench::Options options;
  CLI::App app{"Measures the engines on the memory model of the bench and checks every byte."};
  tessera::bench::AddOptions(app, &options);
  return tessera::cli::RunCommand([&]() -> int {
    try {
      app.parse(argc, argv);
    } catch (const CLI::Success& success) {
      return app.exit(success);
    } catch (const CLI::ParseError& error) {
      throw std::invalid_argument(std::string("tessera_bench: ") + error.what() +
                                  " (see tessera_bench --help)");
    }
    return tessera::bench::Run(options);
  });
}
