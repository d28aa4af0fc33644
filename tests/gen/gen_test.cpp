// tessera gen from inside: expressions, specifications and what is wrong with them, interfaces,
// folders, estimates.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/cli/temp_folder.h"
#include "tools/gen/embedded.h"
#include "tools/gen/fill.h"
#include "tools/gen/folder.h"
#include "tools/gen/writers.h"

namespace tessera::gen {
namespace {

namespace fs = std::filesystem;

TEST(Expression, Values) {
  const Values values{{"A", 6}, {"Width", 40}};
  const std::vector<std::pair<const char*, int64_t>> cases{
      {"7", 7},          {"1'b1", 1},         {"'0", 0},
      {"7'h1f", 31},     {"A * Width", 240},  {"A-1", 5},
      {"2 + 3 * 4", 14}, {"(2 + 3) * 4", 20}, {"A < 8 ? 1 : A / 8", 1},
      {"A << 2", 24},    {"A <= 6 && !0", 1}, {"$clog2(A)", 3},
      {"-A + 10", 4},    {"Width % 16", 8},   {"32'd1_000", 1000},
      {"A != 6", 0},     {"A >> 1 > 2", 1}};
  for (const auto& [text, value] : cases) {
    EXPECT_EQ(Evaluate(text, values), value) << text;
  }
}

TEST(Expression, RefusesWhatItCannotRead) {
  for (const char* text : {"", "B", "1 +", "(1", "1 2", "4 / 0", "A ? 1", "\"text\""}) {
    EXPECT_THROW(Evaluate(text, {{"A", 1}}), std::logic_error) << text;
  }
}

std::string Sentence(const std::string& text) {
  try {
    Elaborate(ParseSpec(text, "s.json"));
  } catch (const job::Error& error) {
    return error.what();
  }
  return "";
}

std::string With(const std::string& members) {
  return R"({"top": "tessera_dma", "name": "my_dma", )" + members + "}";
}

TEST(Spec, WrongOnesAreOneSentence) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {R"({"name": "my_dma"})",
       "s.json: the document has no member \"top\": legal is the name of a top: see tessera gen "
       "--list"},
      {R"({"top": "tessera", "name": "my_dma"})",
       "s.json: top is \"tessera\": legal is one of tessera_dma"},
      {R"({"top": "tessera_dma", "name": "My"})",
       "s.json: name is \"My\": legal is a name of lower-case letters"},
      {R"({"top": "tessera_dma", "name": "tsr_fifo"})",
       "s.json: name is \"tsr_fifo\": legal is a name that no module"},
      {R"({"top": "tessera_dma", "name": "module"})", "s.json: name is \"module\": legal is"},
      {With(R"("parameters": {"Reads": 17})"),
       "s.json: parameters.Reads is 17: legal is an integer from 1 to 16"},
      {With(R"("parameters": {"DataWidth": 48})"),
       "s.json: parameters.DataWidth is 48: legal is one of 32, 64, 128, 256, 512, 1024"},
      {With(R"("parameters": {"Walk": 1})"),
       "s.json: parameters.Walk is 1: legal is true or false"},
      {With(R"("parameters": {"TriggerStages": 1})"),
       "s.json: parameters.TriggerStages is 1: legal is one of 0, 2, 3, 4"},
      {With(R"("parameters": {"Locks": -1})"),
       "s.json: parameters.Locks is -1: legal is an integer from 0 to 64"},
      {With(R"("parameters": {"Locks": 1.5})"), "s.json: parameters.Locks is 1.5: legal is"},
      {With(R"("parameters": {"Readers": 1})"),
       "s.json: parameters has an unknown member \"Readers\": legal are Reads, Writes"},
      {With(R"("parameters": {"Reads": 3, "Writes": 2, "Ports": 2})"),
       "s.json: parameters.Ports is 2: legal is what divides Reads and Writes"},
      {With(R"("parameters": {"FlightBeats": 100})"),
       "s.json: parameters.FlightBeats is 100: legal is at least twice MaxBurst"},
      {With(R"("parameters": {"StoreBeats": 0, "Writes": 2})"),
       "s.json: parameters.StoreBeats is 0: legal is 1 and more"},
      {With(R"("clock_mhz": 0)"), "s.json: clock_mhz is 0: legal is a number from 1 to 1000"},
      {With(R"("stream_clock": {})"),
       "s.json: stream_clock has no member \"mhz\": legal is the frequency"},
      {With(R"("stream_clock": {"mhz": 9, "name": "aclk"})"),
       "s.json: stream_clock.name is \"aclk\": legal is a name that no other pin has"},
      {With(R"("stream_clock": {"mhz": 9, "name": "irq"})"),
       "s.json: stream_clock is \"irq\": legal is a name that no other pin has"},
      {With(R"("address": "0x1000")"),
       "s.json: address is \"0x1000\": legal is a multiple of 0x40000"},
      {With(R"("part": "x y")"), "s.json: part is \"x y\": legal is a part as Vivado names it"},
      {With(R"("about": "a [tcl] $line")"), "s.json: about is \"a [tcl] $line\": legal is a line"},
      {With(
           R"("placement": {"areaGroups": [{"name": "a", "nodeGroup": ["read[1]"], "siteGroup": ["SLICE_X0Y0"]}]})"),
       "s.json: placement.areaGroups[0].nodeGroup[0] is \"read[1]\": legal is all, registers, "
       "read[0 to 0]"},
      {With(
           R"("placement": {"areaGroups": [{"name": "a", "nodeGroup": ["all"], "siteGroup": ["slice"]}]})"),
       "s.json: placement.areaGroups[0].siteGroup[0] is \"slice\": legal is a range of sites"},
      {With(R"("nmae": 1)"), "s.json: the document has an unknown member \"nmae\": legal are"},
      {"{", "s.json: this is no JSON"}};
  for (const auto& [text, begin] : cases) {
    const std::string told = Sentence(text);
    EXPECT_TRUE(told.starts_with(begin)) << text << "\n  says: " << told;
    EXPECT_EQ(told.find('\n'), std::string::npos) << told;
  }
}

TEST(Spec, EveryParameterOfEveryTopHasARangeOrIsAFlag) {
  for (const Top& top : Tops()) {
    for (const Parameter& p : top.parameters) {
      EXPECT_TRUE(p.flag || (p.from && p.to) || !p.values.empty())
          << top.name << "." << p.name << ": add it to tools/gen/tops.json";
      EXPECT_FALSE(p.about.empty()) << top.name << "." << p.name;
    }
  }
}

TEST(Spec, TextGivesItAgain) {
  const Spec spec = ParseSpec(
      With(R"("parameters": {"Reads": 2, "Walk": false}, "stream_clock": {"mhz": 74.25})"),
      "s.json");
  const Spec again = ParseSpec(SpecText(spec), "t.json");
  EXPECT_EQ(again.parameters, spec.parameters);
  EXPECT_EQ(SpecText(again), SpecText(spec));
}

TEST(Design, EveryPinOfTheTopIsSomewhere) {
  for (
      const char* parameters :
      {R"({})",
       R"({"Reads": 4, "Writes": 2, "Ports": 2, "Lists": true, "Tokens": true, "Triggers": true})"}) {
    const Design design =
        Elaborate(ParseSpec(With(std::string("\"parameters\": ") + parameters), "s.json"));
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
}

TEST(Design, EveryPinIsOfAnInterfaceThatIsDescribed) {
  for (const Top& top : Tops()) {
    for (const Pin& pin : top.pins) {
      if (pin.name == top.clock || pin.name == top.reset) continue;
      bool known = false;
      for (const Group& group : top.groups)
        known |= pin.name == group.prefix || pin.name.starts_with(group.prefix + "_");
      EXPECT_TRUE(known) << top.name << "." << pin.name
                         << ": add its interface to tools/gen/tops.json";
    }
  }
}

TEST(Templates, APlaceThatNobodyFillsIsAnError) {
  EXPECT_THROW(Fill("sim.mk", {}), std::logic_error);
}

std::string ReadAll(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

TEST(Estimate, TheManualTellsWhatWasMeasured) {
  const std::string page = ReadAll(TESSERA_SOURCE_DIR "/docs/integration.md");
  const auto rows = nlohmann::json::parse(EmbeddedText("area.json")).at("rows");
  for (const auto& [name, row] : rows.items()) {
    if (name == "base") continue;
    const auto change = [&](const char* figure) {
      return row.at(figure).get<int>() - rows.at("base").at(figure).get<int>();
    };
    const std::string cells = fmt::format("| {:+d} | {:+d} |", change("lut"), change("ff"));
    EXPECT_NE(page.find(cells), std::string::npos)
        << name << ": docs/integration.md has no " << cells;
  }
}

TEST(Estimate, TellsWhatWasMeasured) {
  const auto rows = nlohmann::json::parse(EmbeddedText("area.json")).at("rows");
  for (const auto& [name, row] : rows.items()) {
    const Design design =
        Elaborate(ParseSpec(With("\"parameters\": " + row.at("set").dump()), "s.json"));
    const Estimate estimate = EstimateOf(design);
    const double lut = row.at("lut"), ff = row.at("ff");
    EXPECT_NEAR(estimate.lut, lut, lut * 0.12) << name;
    EXPECT_NEAR(estimate.ff, ff, ff * 0.12) << name;
    EXPECT_GT(estimate.mhz, 50) << name;
  }
}

size_t Entries(const std::string& folder) {
  return static_cast<size_t>(
      std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

TEST(Folder, IsMadeWithItsParents) {
  const TempFolder folder;
  WriteFolder(folder / "a/b/", {{"x.txt", "1"}, {"c/y.txt", "2"}}, false);
  EXPECT_EQ(ReadAll(folder / "a/b/x.txt"), "1");
  EXPECT_EQ(ReadAll(folder / "a/b/c/y.txt"), "2");
  EXPECT_EQ(Entries(folder / "a"), 1U);
}

TEST(Folder, OneThatIsNotEmptyStaysUnlessForced) {
  const TempFolder folder;
  WriteFolder(folder / "a", {{"old.txt", "1"}}, false);
  EXPECT_THROW(WriteFolder(folder / "a", {{"new.txt", "2"}}, false), job::Error);
  EXPECT_TRUE(fs::exists(folder / "a/old.txt"));
  EXPECT_FALSE(fs::exists(folder / "a/new.txt"));
  WriteFolder(folder / "a", {{"new.txt", "2"}}, true);
  EXPECT_FALSE(fs::exists(folder / "a/old.txt"));
  EXPECT_EQ(ReadAll(folder / "a/new.txt"), "2");
  fs::create_directory(folder / "empty");
  WriteFolder(folder / "empty", {{"new.txt", "2"}}, false);
  EXPECT_TRUE(fs::exists(folder / "empty/new.txt"));
  EXPECT_EQ(Entries(folder / "."), 2U);
}

TEST(Folder, NothingIsLeftWhenAFileCannotBeWritten) {
  const TempFolder folder;
  WriteFolder(folder / "a", {{"old.txt", "1"}}, false);
  // "x" cannot be a file and a folder.
  EXPECT_ANY_THROW(WriteFolder(folder / "a", {{"x", "1"}, {"x/y", "2"}}, true));
  EXPECT_EQ(ReadAll(folder / "a/old.txt"), "1");
  EXPECT_ANY_THROW(WriteFolder(folder / "b", {{"x", "1"}, {"x/y", "2"}}, false));
  EXPECT_EQ(Entries(folder / "."), 1U);
}

TEST(Folder, AFileIsNoFolder) {
  const TempFolder folder;
  std::ofstream(folder / "file") << "mine";
  EXPECT_THROW(WriteFolder(folder / "file", {{"x", "1"}}, true), job::Error);
  EXPECT_EQ(ReadAll(folder / "file"), "mine");
  EXPECT_THROW(WriteFolder(folder / "file/sub", {{"x", "1"}}, true), job::Error);
}

}  // namespace
}  // namespace tessera::gen
