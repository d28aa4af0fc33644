// What every command does with wrong inputs.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "tests/cli/program.h"

namespace tessera {

// Commands that read a file, `@` for its name; the folder has a FIFO `fifo` and a folder `folder`.
inline void ExpectOnlyRegularFiles(const std::vector<std::string>& commands,
                                   const TempFolder& folder) {
  for (const std::string& command : commands) {
    for (const auto& [name, kind] :
         std::vector<std::pair<std::string, std::string>>{{folder / "fifo", "is a FIFO"},
                                                          {folder / "folder", "is a folder"},
                                                          {"/none", "cannot be read: No such file"},
                                                          {"/dev/zero", "is a device"}}) {
      std::string words = command;
      words.replace(words.find('@'), 1, name);
      const Output output = Tessera(words);
      EXPECT_EQ(output.status, 2) << words;
      const size_t at = output.errors.find(name + ": " + kind);
      ASSERT_NE(at, std::string::npos) << words << "\n" << output.errors;
      EXPECT_NE(output.errors.find(": legal is", at), std::string::npos) << output.errors;
    }
  }
}

// What each says in a sentence with what is legal.
inline void ExpectWrongWords(const std::vector<std::string>& lines, const TempFolder& folder) {
  for (const std::string& words : lines) {
    const Output output = Tessera(words, "cd " + folder.path() + ";");
    EXPECT_EQ(output.status, 2) << words;
    EXPECT_EQ(output.out, "") << words;
    EXPECT_EQ(std::count(output.errors.begin(), output.errors.end(), '\n'), 1) << output.errors;
    EXPECT_NE(output.errors.find("legal"), std::string::npos) << output.errors;
  }
}

// Commands and their exit statuses: names and texts come without control characters.
inline void ExpectShownPlain(const std::vector<std::pair<std::string, int>>& commands) {
  for (const auto& [words, status] : commands) {
    const Output output = Tessera(words);
    EXPECT_EQ(output.status, status) << words << output.out << output.errors;
    EXPECT_GT(output.out.size() + output.errors.size(), 10u) << words;
    for (const std::string& shown : {output.out, output.errors}) {
      EXPECT_EQ(shown.find_first_of("\x1b\xff\xfe\x07"), std::string::npos) << shown;
      EXPECT_EQ(shown.find("\xe2\x80\xae"), std::string::npos) << shown;
      EXPECT_EQ(shown.find("\xc2\x9b"), std::string::npos) << shown;
    }
  }
}

inline void ExpectHelp(const std::vector<std::string>& commands) {
  for (const std::string& command : commands) {
    const Output output = Tessera(command + " --help");
    EXPECT_EQ(output.status, 0) << command;
    EXPECT_NE(output.out.find("Usage: tessera"), std::string::npos) << command;
    // And ends with an example of itself.
    const std::string name = command.substr(0, command.find(' '));
    const size_t example = output.out.rfind(": ");
    ASSERT_NE(example, std::string::npos) << command;
    EXPECT_NE(output.out.find("tessera " + name, example), std::string::npos) << output.out;
  }
}

}  // namespace tessera
