// A program with the command `show` alone, for tests and for the pictures of the manual.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <exception>

#include "tools/program/commands.h"

int main(int argc, char** argv) {
  CLI::App app{"Explains transfers", "show_only"};
  app.require_subcommand(1);
  try {
    tessera::cli::RegisterShow(app, nullptr);
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
}
