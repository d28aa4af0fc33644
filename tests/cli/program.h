// Runs the program `tessera` as a user would and keeps what it says.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "tb/sim/dut.h"
#include "tb/sim/fabric.h"

namespace tessera {

struct Output {
  int status = -1;
  std::string out;     // of standard output
  std::string errors;  // of standard error
};

// A folder of this test's own, empty, removed with it.
class TempFolder {
 public:
  TempFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "tessera-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) ADD_FAILURE() << name << " cannot be made";
    path_ = name;
  }
  ~TempFolder() { std::filesystem::remove_all(path_); }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

inline std::string ReadText(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

inline void WriteFile(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

// `arguments` as a shell reads them.
inline Output Tessera(const std::string& arguments) {
  const TempFolder folder;
  Output output;
  const std::string command = std::string(TESSERA_PROGRAM) + " " + arguments + " </dev/null >" +
                              (folder / "out") + " 2>" + (folder / "errors");
  const int status = std::system(command.c_str());
  output.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  output.out = ReadText(folder / "out");
  output.errors = ReadText(folder / "errors");
  return output;
}

inline bool IsBuilt(const std::string& config) {
  for (const Config& c : Configs()) {
    if (c.name == config) return true;
  }
  for (const FabricConfig& c : Fabrics()) {
    if (c.channel.name == config) return true;
  }
  return false;
}

}  // namespace tessera
