// The program around its commands; see commands.h.
#include <CLI/CLI.hpp>
#include <optional>

#include "tb/files/interrupt.h"
#include "tools/arguments/arguments.h"
#include "tools/program/commands.h"
#include "tools/seq/seq_command.h"
#include "tools/serve/command/serve_command.h"
#include "tools/show/show_command.h"
#include "tools/terminal/status.h"
#include "tools/txn/txn_command.h"

namespace tessera::cli {

int Main(int argc, const char* const* argv) {
  CatchSignals();
  CLI::App app{
      "Tessera, an open tensor DMA: runs transfers on the verilated RTL.\n"
      "Exit status: 0 good, 1 something failed, 2 wrong input, 3 an output could not be written,\n"
      "128 + n ended by signal n.",
      "tessera"};
  app.require_subcommand(1);
  app.footer("Begin with: tessera run examples/jobs/transpose.json");
  app.set_version_flag("--version", TESSERA_VERSION);
  app.set_help_all_flag("--help-all", "Help of every command");
  Program program;
  return RunCommand([&]() -> int {
    RegisterRun(app, &program);
    RegisterCheck(app, &program);
    RegisterShow(app);
    RegisterConfig(app, &program);
    RegisterBench(app, &program);
    RegisterSoak(app, &program);
    txn::RegisterTxn(app, &program.status);
    seq::RegisterSeq(app, &program.status);
    serve::RegisterServe(app, &program.status);
    RegisterGen(app, &program);
    RegisterCompletion(app, &program);
    const std::optional<int> ended = ReadArguments(&app, argc, argv);
    return ended ? *ended : program.status;
  });
}

}  // namespace tessera::cli
