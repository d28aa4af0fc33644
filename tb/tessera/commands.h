// The commands of the program `tessera`. Each registers itself with the program and leaves its exit
// status in `Program` when it is chosen.
//
// Exit status: 0 good, 1 something failed, 2 wrong input. A wrong input is one sentence on standard
// error.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "tb/tessera/terminal.h"

namespace tessera::cli {

struct Program {
  Terminal terminal;
  int status = 0;
};

// For options without a sign: what they are converted with takes a minus and wraps around.
inline CLI::Validator NotNegative() {
  return CLI::Validator(
      [](const std::string& text) {
        return text.starts_with('-') ? "Number less than 0: " + text : std::string();
      },
      "");
}

void RegisterRun(CLI::App& app, Program* program);
void RegisterCheck(CLI::App& app, Program* program);
void RegisterConfig(CLI::App& app, Program* program);
void RegisterBench(CLI::App& app, Program* program);
void RegisterSoak(CLI::App& app, Program* program);
void RegisterCompletion(CLI::App& app, Program* program);

// Parses the arguments and runs the command; returns the exit status.
int Main(int argc, const char* const* argv);

}  // namespace tessera::cli
