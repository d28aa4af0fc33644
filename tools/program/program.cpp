// The program around its commands; see commands.h.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <optional>
#include <stdexcept>
#include <string>

#include "tb/files/interrupt.h"
#include "tools/program/commands.h"
#include "tools/terminal/arguments.h"
#include "tools/terminal/terminal.h"

namespace tessera::cli {
namespace {

// "Not in this build: txn, seq (TESSERA_AIEMLS=none)."; empty if every command is in it.
std::string Absent() {
  std::string text, option;
  for (const AbsentCommand& command : AbsentCommands()) {
    if (option == command.option) {
      text += ", ";
    } else {
      text += text.empty() ? "Not in this build: " : fmt::format(" ({}); ", option);
    }
    option = command.option;
    text += command.name;
  }
  return text.empty() ? "" : fmt::format("{} ({}).\n", text, option);
}

void RefuseAbsent(int argc, const char* const* argv) {
  for (const AbsentCommand& command : AbsentCommands()) {
    if (argc < 2 || argv[1] != command.name) continue;
    throw std::invalid_argument(
        fmt::format("tessera: the command is \"{}\": it is not in this build, which was configured "
                    "with {}",
                    command.name, command.option));
  }
}

}  // namespace

int Main(int argc, const char* const* argv) {
  CatchSignals();
  CLI::App app{
      "Tessera, an open tensor DMA: runs transfers on the verilated RTL.\n"
      "Exit status: 0 good, 1 something failed, 2 wrong input, 3 an output could not be written,\n"
      "128 + n ended by signal n.",
      "tessera"};
  app.require_subcommand(1);
  app.footer(Absent() + "Begin with: tessera run examples/jobs/transpose.json");
  app.set_version_flag("--version", TESSERA_VERSION);
  app.set_help_all_flag("--help-all", "Help of every command");
  int status = 0;
  return RunCommand([&]() -> int {
    for (const Command add : CoreCommands()) add(app, &status);
    for (const Command add : ProductCommands()) add(app, &status);
    RefuseAbsent(argc, argv);
    const std::optional<int> ended = ReadArguments(&app, argc, argv);
    return ended ? *ended : status;
  });
}

}  // namespace tessera::cli
