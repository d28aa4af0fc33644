// What tests of `tessera gen` share, of any top.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "tests/cli/temp_folder.h"
#include "tools/gen/embedded.h"
#include "tools/gen/folder.h"
#include "tools/gen/writers.h"

namespace tessera::gen {

inline Spec ParseSpec(const std::string& text, const std::string& file) {
  const std::vector<Spec> specs = ParseSpecs(text, file);
  EXPECT_EQ(specs.size(), 1U);
  return specs.at(0);
}

inline std::string Sentence(const std::string& text) {
  try {
    for (const Spec& spec : ParseSpecs(text, "s.json")) Elaborate(spec);
  } catch (const job::Error& error) {
    return error.what();
  }
  return "";
}

inline std::string With(const std::string& members) {
  return R"({"top": "tessera_dma", "name": "my_dma", )" + members + "}";
}

inline std::string ReadAll(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

inline nlohmann::json Figures() { return nlohmann::json::parse(EmbeddedText("figures.json")); }

// Specifications, and how the sentence begins that refuses each.
inline void ExpectSentences(const std::vector<std::pair<std::string, std::string>>& cases) {
  for (const auto& [text, begin] : cases) {
    const std::string told = Sentence(text);
    EXPECT_TRUE(told.starts_with(begin)) << text << "\n  says: " << told;
    EXPECT_EQ(told.find('\n'), std::string::npos) << told;
  }
}

inline void ExpectEveryPin(const std::string& text) {
  const Design design = Elaborate(ParseSpec(text, "s.json"));
  for (const Pin& pin : design.top().pins) {
    if (pin.name == design.top().clock || pin.name == design.top().reset) continue;
    int64_t bits = 0;
    for (const Tie& tie : design.ties) bits += tie.pin == pin.name ? tie.width : 0;
    for (const Interface& interface : design.interfaces) {
      for (const Port& port : interface.ports) bits += port.pin == pin.name ? port.width : 0;
    }
    EXPECT_EQ(bits, Evaluate(pin.width, design.values)) << pin.name;
  }
}

// An attribute of an interface in the RTL.
inline void ExpectAttribute(const std::string& rtl, const std::string& interface,
                            const std::string& attribute) {
  const size_t at = rtl.find("XIL_INTERFACENAME " + interface + ",");
  const std::string line = at == std::string::npos ? "" : rtl.substr(at, rtl.find('\n', at) - at);
  EXPECT_NE(line.find(attribute), std::string::npos) << interface << ": " << line;
}

inline void ExpectThatOnlyItsOwnIsReplaced(const std::string& text) {
  namespace fs = std::filesystem;
  const TempFolder folder;
  Files files;
  const std::vector<Spec> specs = ParseSpecs(text, "s.json");
  for (const Spec& spec : specs) {
    const std::string below = specs.size() == 1 ? "" : spec.name + "/";
    for (const auto& [path, told] : WriteAll(Elaborate(spec))) files[below + path] = told;
  }
  const std::string made = folder / "made", below = specs.size() == 1 ? "" : "two/";
  WriteFolder(made, files);
  fs::create_directories(made + "/" + below + "sim/build");
  std::ofstream(made + "/" + below + "sim/build/main.o") << "built";
  EXPECT_NO_THROW(WriteFolder(made, files, FilesOfEarlier(made)));
  for (const std::string& name :
       {std::string("precious.txt"), below + "vivado/mine/x.xpr", below + "rtl/built/main.o"}) {
    fs::create_directories(fs::path(made + "/" + name).parent_path());
    std::ofstream(made + "/" + name) << "mine";
    try {
      WriteFolder(made, files, FilesOfEarlier(made));
      ADD_FAILURE() << name << " is gone";
    } catch (const job::Error& error) {
      EXPECT_EQ(error.what(),
                fmt::format("-o is \"{}\": it holds {}, which gen did not write: legal is an "
                            "empty folder or one that gen wrote",
                            made, name));
    }
    EXPECT_EQ(ReadAll(made + "/" + name), "mine");
    fs::remove(made + "/" + name);
  }
  fs::remove(made + "/" + below + specs.back().name + ".json");  // whose are the others?
  EXPECT_THROW(WriteFolder(made, files, FilesOfEarlier(made)), job::Error);
}

}  // namespace tessera::gen
