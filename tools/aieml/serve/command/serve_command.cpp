// See serve_command.h.
#include "tools/aieml/serve/command/serve_command.h"

#include <fmt/format.h>

#include <signal.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "tb/files/output.h"
#include "tb/files/text.h"
#include "tb/sim/counted.h"
#include "tools/aieml/array/array_file.h"
#include "tools/aieml/serve/array_target.h"
#include "tools/aieml/serve/command/dma_target.h"
#include "tools/aieml/serve/server.h"
#include "tools/prepare/prepare.h"
#include "tools/terminal/terminal.h"

namespace tessera::serve {
namespace {

// SIGINT and SIGTERM wait until they are asked for.
class Stop {
 public:
  Stop() {
    sigemptyset(&signals_);
    sigaddset(&signals_, SIGINT);
    sigaddset(&signals_, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
  }
  bool Asked() const {
    const timespec now{};
    return sigtimedwait(&signals_, nullptr, &now) > 0;
  }

 private:
  sigset_t signals_{};
};

constexpr uint64_t kRtlCyclesAPoll = 64;

struct Options {
  std::string array;
  std::string dma;   // a build of tessera_dma; empty: the array
  bool rtl = false;  // of the array
  ServerOptions server;
};

// Until a signal comes. `begin` is printed after the port.
void Serve(const Stop& stop, Target* target, const Options& options, const std::string& begin) {
  const auto message = [](const std::string& line) {
    fmt::print(stderr, "{}\n", EscapedLines(line));
  };
  Server server(target, options.server, message);
  fmt::print("{}:{}\n{}", options.server.address, server.port(), begin);
  std::fflush(stdout);
  constexpr uint32_t kLook = 64;  // steps from one look for a signal to the next, if all are busy
  for (uint32_t n = 0; n % kLook != 0 || !stop.Asked(); ++n) {
    if (!server.Step(200)) n = kLook - 1;
  }
}

int Tell(const std::string& report, const std::vector<std::string>& failures) {
  const int status = failures.empty() ? cli::kGood : cli::kFailed;
  return cli::WriteAfter(status, [&] {
    fmt::print("{}", report);
    for (const std::string& line : failures) fmt::print("{}\n", line);
  });
}

int ServeArray(const Stop& stop, const Options& options, const FileNames& names) {
  array::ArrayFile file;
  if (!options.array.empty()) file = array::Load(options.array);
  file.rtl = options.rtl;
  array::Machine machine = array::Build(file, names);
  ArrayTarget target(machine.array.get());
  const aieml::ArrayOptions& tiles = file.options;
  std::string begin = fmt::format(
      "array: {} with a shim, {} and {} each{}\n", Counted(tiles.columns, "column"),
      Counted(tiles.memory_rows, "memory tile"), Counted(tiles.compute_rows, "compute tile"),
      file.rtl ? ", on the RTL"
      : file.rtl_tiles.empty()
          ? ""
          : fmt::format(", {} of them on the RTL", Counted(file.rtl_tiles.size(), "tile")));
  for (size_t n = 0; n < machine.arguments.size(); ++n) {
    begin += fmt::format("argument {} is at {:#x}\n", n, machine.arguments[n]);
  }
  Serve(stop, &target, options, begin);
  const int status = Tell(array::Report(machine), array::Compare(file, machine));
  return array::WriteDumps(file, machine, status);
}

int ServeDma(const Stop& stop, const Options& options) {
  cli::FindDma("--dma", options.dma);
  DmaTarget target(options.dma);
  Serve(stop, &target, options, "");
  return Tell(target.Report(), target.Strays());
}

}  // namespace

void RegisterServe(CLI::App& app, int* status) {
  CLI::App* serve =
      app.add_subcommand("serve", "Serves a simulated array, or a tessera_dma, by TCP");
  serve->footer(
      "For example: tessera serve --array array.json\n"
      "             tessera serve --dma basic\n"
      "Prints the port and writes it to the port file; ends at SIGINT or SIGTERM with a report.");
  auto options = std::make_shared<Options>();
  options->server.port_file = "mesim_output/mesimulator_aximm_port";
  options->server.protocol.base = 0x20000000000;
  CLI::Option* array =
      serve->add_option("--array", options->array,
                        "The array file; without it a column of a shim, a memory tile "
                        "and four compute tiles");
  CLI::Option* dma =
      serve->add_option("--dma", options->dma, "Serves the RTL of this build of tessera_dma");
  dma->excludes(array);
  serve
      ->add_flag("--rtl", options->rtl,
                 "The DMAs of the array are the RTL, not the behavioural model")
      ->excludes(dma);
  serve->add_option("--port", options->server.port, "TCP port; 0: one that is free")
      ->check(CLI::Range(0, 65535));
  serve->add_option("--listen", options->server.address, "IPv4 address to listen at");
  serve->add_option("--port-file", options->server.port_file, "Gets the port number");
  CLI::Option* base =
      serve->add_option("--base", options->server.protocol.base, "Added to addresses by clients");
  CLI::Option* cycles = serve
                            ->add_option("--cycles", options->server.protocol.cycles_a_poll,
                                         "Simulated cycles from one read of a register to the next")
                            ->check(CLI::Range(0, 10'000'000));
  serve->callback([=] {
    ProtocolOptions& protocol = options->server.protocol;
    if (!options->dma.empty() && base->count() == 0) protocol.base = 0;
    if (!options->dma.empty() && cycles->count() == 0) protocol.cycles_a_poll = kRtlCyclesAPoll;
    if (options->dma.empty()) protocol.cycles_a_microsecond = 1000;
    FileNames names;
    if (!options->array.empty()) names.Input("--array", options->array);
    if (!options->server.port_file.empty()) names.Output("--port-file", options->server.port_file);
    const Stop stop;  // before a model makes threads
    *status = options->dma.empty() ? ServeArray(stop, *options, names) : ServeDma(stop, *options);
  });
}

}  // namespace tessera::serve
