// Runs jobs that a test writes down, and looks at what they leave.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/cli/program.h"

namespace tessera {

using Json = nlohmann::json;

inline const std::string kJobs = std::string(TESSERA_SOURCE_DIR) + "/examples/jobs";

// Names of the jobs in examples/jobs.
inline std::vector<std::string> Examples() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(kJobs)) {
    if (entry.path().extension() == ".json") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

class RunTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!IsBuilt("typical")) GTEST_SKIP() << "configuration typical is not built";
  }
  // Runs a job of this text.
  Output Run(const std::string& text, const std::string& arguments = "") {
    WriteFile(folder_ / "j.json", text);
    return Tessera("run " + (folder_ / "j.json") + " --out " + folder_.path() + " " + arguments);
  }
  // The sentence on standard error, without the folder; exit status must be 2 and nothing else
  // said.
  std::string Refusal(const std::string& text) {
    const Output output = Run(text);
    EXPECT_EQ(output.status, 2) << text;
    EXPECT_EQ(output.out, "");
    EXPECT_EQ(std::count(output.errors.begin(), output.errors.end(), '\n'), 1) << output.errors;
    std::string sentence = output.errors;
    for (size_t at; (at = sentence.find(folder_.path() + "/")) != std::string::npos;) {
      sentence.erase(at, folder_.path().size() + 1);
    }
    if (!sentence.empty()) sentence.pop_back();
    return sentence;
  }
  // Every signal that w.gtkw names is in w.fst, where it says, as wide as it says.
  void ExpectSignals(const std::string& top) {
    const std::string vcd = folder_ / "w.vcd";
    ASSERT_EQ(std::system(("fst2vcd " + (folder_ / "w.fst") + " >" + vcd).c_str()), 0);
    std::set<std::string> known;
    std::vector<std::string> scopes;
    std::ifstream dump(vcd);
    for (std::string line; std::getline(dump, line) && !line.starts_with("$enddefinitions");) {
      std::istringstream words(line);
      std::string kind, type, name, id, range;
      words >> kind >> type >> name;
      if (kind == "$scope") scopes.push_back(name);
      if (kind == "$upscope") scopes.pop_back();
      if (kind != "$var") continue;
      words >> id >> name >> range;  // what was the name is the width
      std::string path;
      for (const std::string& scope : scopes) path += scope + ".";
      known.insert(path + name + (range == "$end" ? "" : range));
    }
    std::istringstream saved(ReadText(folder_ / "w.gtkw"));
    size_t signals = 0;
    for (std::string line; std::getline(saved, line);) {
      if (!line.starts_with(top + ".")) continue;
      EXPECT_TRUE(known.contains(line)) << line;
      ++signals;
    }
    EXPECT_GT(signals, 30u);
  }
  TempFolder folder_;
};

}  // namespace tessera
