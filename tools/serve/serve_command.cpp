// See serve_command.h.
#include "tools/serve/serve_command.h"

#include <fmt/format.h>

#include <signal.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <fstream>
#include <memory>
#include <string>

#include "tools/array/array_file.h"
#include "tools/serve/array_target.h"
#include "tools/serve/server.h"

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

struct Options {
  std::string array;
  ServerOptions server;
};

int Serve(const Options& options) {
  const Stop stop;
  array::ArrayFile file;
  if (!options.array.empty()) file = array::Load(options.array);
  array::Machine machine = array::Build(file);
  ArrayTarget target(machine.array.get());
  const auto message = [](const std::string& line) { fmt::print(stderr, "{}\n", line); };
  Server server(&target, options.server, message);
  fmt::print("{}:{}\n", options.server.address, server.port());
  for (size_t n = 0; n < machine.arguments.size(); ++n) {
    fmt::print("argument {} is at {:#x}\n", n, machine.arguments[n]);
  }
  std::fflush(stdout);
  while (!stop.Asked()) server.Step(200);
  fmt::print("{}", array::Report(machine));
  int status = 0;
  for (const std::string& line : array::Finish(file, machine)) {
    fmt::print("{}\n", line);
    status = 1;
  }
  return status;
}

}  // namespace

void RegisterServe(CLI::App& app, int* status) {
  CLI::App* serve = app.add_subcommand("serve", "Serves a simulated array by TCP");
  serve->footer(
      "For example: tessera serve --array array.json\n"
      "Prints the port and writes it to the port file; ends at SIGINT or SIGTERM with a report.");
  auto options = std::make_shared<Options>();
  options->server.port_file = "mesim_output/mesimulator_aximm_port";
  options->server.protocol.base = 0x20000000000;
  serve->add_option("--array", options->array, "The array file");
  serve->add_option("--port", options->server.port, "TCP port; 0: one that is free");
  serve->add_option("--listen", options->server.address, "IPv4 address to listen at");
  serve->add_option("--port-file", options->server.port_file, "Gets the port number");
  serve->add_option("--base", options->server.protocol.base, "Added to addresses by clients");
  serve
      ->add_option("--cycles", options->server.protocol.cycles_a_request,
                   "Simulated cycles that go by at every access")
      ->check(CLI::Range(0, 100000));
  serve->callback([=] { *status = Serve(*options); });
}

}  // namespace tessera::serve
