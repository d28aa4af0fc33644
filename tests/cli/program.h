// Runs the program `tessera` as a user would and keeps what it says.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

#include "tb/dma/dma.h"
#include "tb/sim/dut.h"
#include "tb/sim/model.h"
#include "tests/cli/temp_folder.h"

namespace tessera {

struct Output {
  int status = -1;
  std::string out;     // of standard output
  std::string errors;  // of standard error
};

inline std::string ReadText(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

inline void WriteFile(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

// `arguments` as a shell reads them. `before` stands before the program: `ulimit -f 8;`.
inline Output RunProgram(const std::string& program, const std::string& arguments,
                         const std::string& before = "") {
  const TempFolder folder;
  Output output;
  const std::string command = "{ " + before + " " + program + " " + arguments + "\n} </dev/null >" +
                              (folder / "out") + " 2>" + (folder / "errors");
  const int status = std::system(command.c_str());
  output.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  output.out = ReadText(folder / "out");
  output.errors = ReadText(folder / "errors");
  return output;
}

inline Output Tessera(const std::string& arguments, const std::string& before = "") {
  return RunProgram(TESSERA_PROGRAM, arguments, before);
}

inline bool IsBuilt(const std::string& config) { return FindNamed(Configs(), config).has_value(); }

inline bool IsBuiltDma(const std::string& name) { return FindNamed(Dmas(), name).has_value(); }

}  // namespace tessera
