// The commands of the program `tessera`. Each registers itself with the program and leaves its exit
// status in `Program` when it is chosen.
//
// Exit status: as tools/terminal/status.h. What is wrong is one sentence on standard error.
#pragma once

#include <string_view>
#include <vector>

#include "tools/terminal/terminal.h"

namespace CLI {
class App;
}

namespace tessera::cli {

struct Program {
  Terminal terminal;
  int status = 0;
};

void RegisterRun(CLI::App& app, Program* program);
void RegisterCheck(CLI::App& app, Program* program);
void RegisterConfig(CLI::App& app, Program* program);
void RegisterBench(CLI::App& app, Program* program);
void RegisterSoak(CLI::App& app, Program* program);
void RegisterGen(CLI::App& app, Program* program);
void RegisterCompletion(CLI::App& app, Program* program);

// Commands of products beside the core (cmake/products.cmake): those of this build, and the others
// with the option that left them out.
using ProductCommand = void (*)(CLI::App& app, int* status);
struct AbsentCommand {
  std::string_view name, option;
};
const std::vector<ProductCommand>& ProductCommands();
const std::vector<AbsentCommand>& AbsentCommands();

// Parses the arguments and runs the command; returns the exit status.
int Main(int argc, const char* const* argv);

}  // namespace tessera::cli
