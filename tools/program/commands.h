// The commands of the program `tessera`. Each registers itself with the program and leaves its exit
// status when it is chosen.
//
// Exit status: as tools/terminal/terminal.h. What is wrong is one sentence on standard error.
#pragma once

#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace tessera::cli {

void RegisterRun(CLI::App& app, int* status);
void RegisterCheck(CLI::App& app, int* status);
void RegisterShow(CLI::App& app, int* status);
void RegisterConfig(CLI::App& app, int* status);
void RegisterBench(CLI::App& app, int* status);
void RegisterSoak(CLI::App& app, int* status);
void RegisterGen(CLI::App& app, int* status);
void RegisterCompletion(CLI::App& app, int* status);

// The commands of this build, of the core and of products (cmake/products.cmake), and the others
// with the option that left them out.
using Command = void (*)(CLI::App& app, int* status);
struct AbsentCommand {
  std::string_view name, option;
};
const std::vector<Command>& CoreCommands();
const std::vector<Command>& ProductCommands();
const std::vector<AbsentCommand>& AbsentCommands();

// Parses the arguments and runs the command; returns the exit status.
int Main(int argc, const char* const* argv);

}  // namespace tessera::cli
