// Faults of file operations: the program runs with fault.c, which lets one of them fail.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "tests/cli/program.h"

namespace tessera {

// What a folder holds, with everything below it.
inline std::vector<std::string> Names(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    names.push_back(entry.path().lexically_relative(folder).string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

// What a command does to files within `folder`, call by call. `log` is a file for it.
inline std::vector<std::string> Calls(const std::string& command, const std::string& folder,
                                      const std::string& log, int status = 0,
                                      const std::string& before = "") {
  const Output output =
      Tessera(command, fmt::format("export LD_PRELOAD={} FAULT_FOLDER={} FAULT_LOG={}; {}",
                                   TESSERA_FAULT_LIBRARY, folder, log, before));
  EXPECT_EQ(output.status, status) << command << output.out << output.errors;
  std::vector<std::string> calls;
  std::istringstream lines(ReadText(log));
  for (std::string line; std::getline(lines, line);) calls.push_back(line);
  std::filesystem::remove(log);
  return calls;
}

// The command with a fault at a call: an error EIO, or a signal.
inline Output Faulty(const std::string& command, const std::string& folder, size_t call,
                     int signal = 0, const std::string& before = "") {
  return Tessera(command, fmt::format("export LD_PRELOAD={} FAULT_FOLDER={} FAULT_AT={} {}={}; {}",
                                      TESSERA_FAULT_LIBRARY, folder, call,
                                      signal == 0 ? "FAULT_ERROR" : "FAULT_SIGNAL",
                                      signal == 0 ? EIO : signal, before));
}

}  // namespace tessera
