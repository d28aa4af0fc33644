// tessera gen from inside: expressions, specifications and what is wrong with them, interfaces,
// folders, estimates.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tb/files/output.h"
#include "tests/cli/temp_folder.h"
#include "tests/gen/fixture.h"
#include "tools/gen/embedded.h"
#include "tools/gen/folder.h"
#include "tools/gen/writers.h"

namespace tessera::gen {
namespace {

namespace fs = std::filesystem;

TEST(Expression, IsOfATopAndHasItsNames) {
  const Values values{{"DataWidth", 48}, {"OnChipSize", 64}};
  EXPECT_EQ(Evaluate("DataWidth < 64 ? 64 : DataWidth > 512 ? 512 : DataWidth", values), 64);
  EXPECT_EQ(Evaluate("OnChipSize == 0 ? 12 : $clog2(OnChipSize) + 10", values), 16);
  EXPECT_EQ(Evaluate("DataWidth / 8", values), 6);
  for (const char* text : {"", "DataWidth / 7", "Reads * 8", "\"text\""}) {
    EXPECT_THROW(Evaluate(text, values), std::logic_error) << text;
  }
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
      {With(R"("parameters": {"Reads": 17})"),
       "s.json: parameters.Reads is 17: legal is an integer from 1 to 16"},
      {With(R"("parameters": {"DataWidth": 48})"),
       "s.json: parameters.DataWidth is 48: legal is one of 32, 64, 128, 256, 512, 1024"},
      {With(R"("parameters": {"Walk": 1})"),
       "s.json: parameters.Walk is 1: legal is true or false"},
      {With(R"("parameters": {"Locks": -1})"),
       "s.json: parameters.Locks is -1: legal is an integer from 0 to 64"},
      {With(R"("parameters": {"Locks": 1.5})"), "s.json: parameters.Locks is 1.5: legal is"},
      {With(R"("parameters": {"Readers": 1})"),
       "s.json: parameters has an unknown member \"Readers\": legal are Reads, Writes"},
      {With(R"("parameters": {"Reads": 3, "Writes": 2, "Ports": 2})"),
       "s.json: parameters.Ports is 2: legal is what divides Reads and Writes"},
      {With(R"("parameters": {"QueueDepth": 1})"),
       "s.json: parameters.QueueDepth is 1: legal is one of 2, 4, 8, 16"},
      {With(R"("parameters": {"Outstanding": 48})"),
       "s.json: parameters.Outstanding is 48: legal is one of 8, 16, 32, 64, 128"},
      {With(R"("parameters": {"BufferBeats": 1})"),
       "s.json: parameters.BufferBeats is 1: legal is an integer from 2 to 4096"},
      {With(R"("parameters": {"StreamWidth": 24})"),
       "s.json: parameters.StreamWidth is 24: legal is a power of two from 8 to 1024"},
      {With(R"("parameters": {"Side": 2, "StreamWidth": 16})"),
       "s.json: parameters.Side is 2: legal is 0 or 1 where StreamWidth is below 32"},
      {With(R"("clock_mhz": 0)"), "s.json: clock_mhz is 0: legal is a number from 1 to 1000"},
      {With(R"("stream_clock": {})"),
       "s.json: stream_clock has no member \"mhz\": legal is the frequency"},
      {With(R"("stream_clock": {"mhz": 9, "packets": 1})"),
       "s.json: stream_clock.packets is 1: legal is true or false"},
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
      {With(
           R"("placement": {"areaGroups": [{"name": "a", "nodeGroup": ["all"], "siteGroup": ["SLICE_X0Y0:RAMB36_X0Y0"]}]})"),
       "s.json: placement.areaGroups[0].siteGroup[0] is \"SLICE_X0Y0:RAMB36_X0Y0\": legal is a "
       "range of sites of one kind such as"},
      {With(R"("nmae": 1)"), "s.json: the document has an unknown member \"nmae\": legal are"},
      {With(R"("start": 5)"), "s.json: start is 5: legal is the name of a file, or an array"},
      {With(R"("start": [])"), "s.json: start is []: legal is an array of at least one write"},
      {With(R"("start": "none.txt")"),
       "s.json: start is \"none.txt\": none.txt cannot be read: No such file or directory, legal "
       "is "
       "the name of a file"},
      {With(R"("start": [[28]])"), "s.json: start[0] is [28]: legal is an address and a value"},
      {With(R"("start": [["0x1c", 1], ["0x1d", 1]])"),
       "s.json: start[1][0] is \"0x1d\": legal is a multiple of 4 from 0 to 0x3fffc"},
      {With(R"("start": [["0x40000", 1]])"),
       "s.json: start[0][0] is \"0x40000\": legal is a multiple of 4 from 0 to 0x3fffc"},
      {With(R"("start": [[28, "0x100000000"]])"),
       "s.json: start[0][1] is \"0x100000000\": legal is an integer from 0 to 4294967295"},
      {With(R"("start": [[0, 1]])"),
       "s.json: start[0][0] is 0: legal is the address of a register that takes writes: at 0x0 is "
       "none"},
      {With(R"("start": [["0x2018", 1], ["0x1108", 0]])"),
       "s.json: start[1][0] is \"0x1108\": legal is the address of a register that this build has: "
       "0x1108 is READ[1].TASK, and Reads is 1"},
      {With(R"("start": [["0x1080", 0]])"),
       "s.json: start[0][0] is \"0x1080\": legal is the address of a register that this build has: "
       "0x1080 is READ[0].LIST.BASE_LOW, and Lists is false"},
      {With(R"("start": [["0x12020", 0]], "parameters": {"Windows": 1})"),
       "s.json: start[0][0] is \"0x12020\": legal is the address of a register that this build "
       "has: 0x12020 is WINDOWS[16].WINDOW[1].FIRST_LOW, and Windows is 1"},
      {With(R"("start": [["0x20408", 0]])"),
       "s.json: start[0][0] is \"0x20408\": legal is the address of a register that this build "
       "has: 0x20408 is DESCRIPTOR[16].COUNT[0], and Descriptors is 16"},
      {With(R"("start": [["0x7c", 1]])"),
       "s.json: start[0][0] is \"0x7c\": legal is the address of a register that this build has: "
       "0x7c is GLOBAL.ONCHIP_TEST, and OnChipSize is 0"},
      {With(R"("parameters": {"OnChipSize": 48})"),
       "s.json: parameters.OnChipSize is 48: legal is 0 or a power of two from 4 to 4096"},
      {With(R"("parameters": {"Loopback": 2})"),
       "s.json: parameters.Loopback is 2: legal is at most Reads and Writes, and 0 with RouteDest"},
      {With(R"("parameters": {"Loopback": 1}, "stream_clock": {"mhz": 9})"),
       "s.json: stream_clock is \"axis_aclk\": legal is none, as Loopback joins all streams"},
      {With(R"("parameters": {"OnChipSize": 4}, "address": "0xfffffffffffc0000")"),
       "s.json: address is \"0xfffffffffffc0000\": legal is an address with room for s_axi_onchip"},
      {With(R"("parameters": {"StartProgram": 2})"),
       "s.json: parameters has an unknown member \"StartProgram\": legal are"},
      {"{", "s.json: this is no JSON"}};
  ExpectSentences(cases);
}

// Of SystemVerilog, C++ and VHDL.
TEST(Spec, NamesAreNoKeywords) {
  const auto sentence = [](const std::string& name) {
    return Sentence(R"({"top": "tessera_dma", "name": ")" + name + "\"}");
  };
  for (const char* name : {"module", "table", "buf", "integer", "always_ff", "bufif0",
                           "s_until_with", "tri1", "xor", "xnor", "abs", "new", "char8_t",
                           "co_await", "while", "entity", "buffer", "ror", "assume_guarantee"}) {
    EXPECT_TRUE(sentence(name).starts_with(fmt::format("s.json: name is \"{}\": legal is", name)))
        << name;
  }
  for (const char* name : {"tables", "my_buf", "abs0", "new_dma"}) EXPECT_EQ(sentence(name), "");
}

TEST(Spec, TextGivesItAgain) {
  const Spec spec = ParseSpec(
      With(
          R"("parameters": {"Reads": 2, "Walk": false}, "stream_clock": {"mhz": 74.25, "packets": false})"),
      "s.json");
  const Spec again = ParseSpec(SpecText(spec), "t.json");
  EXPECT_EQ(again.parameters, spec.parameters);
  EXPECT_FALSE(again.stream_clock->packets);
  EXPECT_EQ(SpecText(again), SpecText(spec));
}

Spec Started(const std::string& file, const std::string& text) {
  const TempFolder folder;
  std::ofstream(folder / file) << text;
  return ParseSpec(With("\"start\": \"" + file + "\""), folder / "s.json");
}

TEST(Start, AFileAndAnArrayAreTheSame) {
  const Spec file = Started(
      "p.txt", "# program\n20000 1000 # base\r\n\n  2003c\t0x80000002 \n0x1008 1000000\n1c 0");
  const Spec array = ParseSpec(
      With(
          R"("start": [["0x20000", 4096], [131132, "0x80000002"], ["0x1008", "0x1000000"], [28, 0]])"),
      "s.json");
  EXPECT_EQ(StartLiteral(file.start),
            "{\n      64'h0000001c00000000,\n      64'h0000100801000000,\n"
            "      64'h0002003c80000002,\n      64'h0002000000001000\n    }");
  EXPECT_EQ(StartLiteral(array.start), StartLiteral(file.start));
  EXPECT_EQ(SpecText(array), SpecText(file));
  const Spec again = ParseSpec(SpecText(file), "t.json");
  EXPECT_EQ(SpecText(again), SpecText(file));
  const std::string rtl = WriteAll(Elaborate(file)).at("rtl/my_dma.v");
  EXPECT_NE(rtl.find(".StartProgram(" + StartLiteral(file.start) + ")"), std::string::npos);
}

// By scripts/start_program.
TEST(Start, TheProgramOfTheBuildStarted) {
  const auto builds = nlohmann::json::parse(ReadAll(TESSERA_SOURCE_DIR "/cmake/dmas.json"));
  const nlohmann::json document{{"top", "tessera_dma"},
                                {"name", "my_dma"},
                                {"parameters", {{"ControlPackets", true}}},
                                {"start", "started.txt"}};
  const Spec spec = ParseSpec(document.dump(), TESSERA_SOURCE_DIR "/tests/dma/s.json");
  std::string digits;  // there as one literal, without zeros before it
  for (size_t n = spec.start.size(); n-- > 0;)
    digits += fmt::format("{:08x}{:08x}", spec.start[n].address, spec.start[n].value);
  EXPECT_EQ(
      fmt::format("{}'h{}", 64 * spec.start.size(), digits.substr(digits.find_first_not_of('0'))),
      builds.at("started").at("StartProgram"));
}

size_t LongestLine(const std::string& text) {
  size_t longest = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) longest = std::max(longest, line.size());
  return longest;
}

TEST(Start, WrongLinesAreNamed) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"1c 1\n1d 1",
       "line 2, \"1d 1\", is an address (a multiple of 4 below 40000) and a value of 32 "
       "bits, both hexadecimal"},
      {"40000 1", "line 1, \"40000 1\", is an address"},
      {"1c 123456789", "line 1, \"1c 123456789\", is an address"},
      {"0x1d 1", "line 1, \"0x1d 1\", is an address"},
      {"0x 1", "line 1, \"0x 1\", is an address"},
      {"1c 1 2", "line 1, \"1c 1 2\", is an address"},
      {"# none\n1c 1\n1004 0",
       "line 3, \"1004 0\", is the address of a register that takes writes"},
      {"2108 0 # far",
       "line 1, \"2108 0 # far\", is the address of a register that this build has: "
       "0x2108 is WRITE[1].TASK, and Writes is 1"}};
  for (const auto& [text, told] : cases) {
    try {
      Started("p.txt", text);
      ADD_FAILURE() << "it takes " << text;
    } catch (const job::Error& error) {
      const std::string sentence = error.what();
      EXPECT_NE(sentence.find("start is \"p.txt\": legal is a file in which " + told),
                std::string::npos)
          << sentence;
    }
  }
  std::string most;
  for (size_t n = 0; n < kMostStartWrites; ++n) most += "1c 0\n";
  const Spec longest = Started("p.txt", most);
  EXPECT_EQ(longest.start.size(), kMostStartWrites);
  const std::string rtl = WriteAll(Elaborate(longest)).at("rtl/my_dma.v");
  EXPECT_LT(LongestLine(rtl), 500u);  // Verilator takes literals of 65536 bits at most
  EXPECT_THROW(Started("p.txt", most + "1c 0\n"), job::Error);
  EXPECT_THROW(Started("p.txt", "# nothing\n"), job::Error);
}

// A register of the map is refused or reached in every place, and what is no register is refused.
TEST(Start, EveryRegisterThatTakesWritesIsReached) {
  const Spec spec = ParseSpec(
      With(
          R"("parameters": {"Reads": 16, "Writes": 16, "Ports": 16, "Descriptors": 256, "Locks": 64, "Windows": 16, "Lists": true, "Counters": true, "ControlPackets": true, "Triggers": true, "OnChipSize": 4})"),
      "s.json");
  size_t reached = 0;
  for (uint32_t address = 0; address < 0x40000; address += 4) {
    const nlohmann::json json{{address, 0}};
    const std::string file = "s.json";
    try {
      reached += ReadStart(job::Reader(json, file, "start"), *spec.top, spec.parameters).size();
    } catch (const job::Error&) {
    }
  }
  size_t registers = 0;
  for (const Register& reg : spec.top->writable) {
    size_t places = 1;
    for (const auto& [count, stride] : reg.places) places *= static_cast<size_t>(count);
    registers += places;
  }
  EXPECT_EQ(reached, registers);
}

TEST(Design, EveryPinOfTheTopIsSomewhere) {
  ExpectEveryPin(With(R"("parameters": {})"));
  ExpectEveryPin(With(
      R"("parameters": {"Reads": 4, "Writes": 2, "Ports": 2, "Lists": true, "Tokens": true, "Triggers": true})"));
}

constexpr const char* kBuffered =
    R"("parameters": {"Reads": 2, "Writes": 3, "Loopback": 2, "OnChipSize": 512, "OnChipBase": 4096, "OnChipCheck": 2})";

// Processors reach the on-chip buffer as memory; a kernel has its registers alone.
TEST(Design, TheOnChipBufferIsMemory) {
  const Design design = Elaborate(ParseSpec(With(kBuffered), "s.json"));
  EXPECT_EQ(design.buffer_bytes, 512 << 10);
  EXPECT_EQ(design.buffer_address, 0xa0080000);  // the first multiple of its size
  const Files files = WriteAll(design);
  const std::string& rtl = files.at("rtl/my_dma.v");
  ExpectAttribute(rtl, "s_axi_onchip",
                  "ADDR_WIDTH 19, ID_WIDTH 16, MAX_BURST_LENGTH 256, SUPPORTS_NARROW_BURST 1");
  ExpectAttribute(rtl, "m_axi_0", "MAX_BURST_LENGTH 16, SUPPORTS_NARROW_BURST 0");
  const std::string& component = files.at("component.xml");
  for (const char* part :
       {"<ipxact:slave><ipxact:memoryMapRef memoryMapRef=\"s_axi_onchip_mmap\"/>",
        "<ipxact:name>s_axi_onchip_mmap</ipxact:name>", "<ipxact:range>'h80000</ipxact:range>"}) {
    EXPECT_NE(component.find(part), std::string::npos) << part;
  }
  EXPECT_NE(files.at("software/my_dma.dtsi")
                .find("reg = <0x0 0xa0000000 0x0 0x40000 0x0 0xa0080000 0x0 0x80000>;"),
            std::string::npos);
  EXPECT_NE(files.at("software/my_dma.hpp").find("kOnChipAddress = 0xa0080000;"),
            std::string::npos);
  const std::string& kernel = files.at("vitis/my_dma_kernel.v");
  EXPECT_EQ(kernel.find("wire [15:0] s_axi_onchip"), std::string::npos) << "a pin of the kernel";
  EXPECT_NE(kernel.find(".s_axi_onchip_arvalid({1{1'b0}})"), std::string::npos);
  EXPECT_EQ(files.at("vitis/kernel.xml").find("onchip"), std::string::npos);
  EXPECT_NE(files.at("README.md").find("no processor reaches its on-chip buffer"),
            std::string::npos);
  const Files without = WriteAll(Elaborate(ParseSpec(With(R"("parameters": {})"), "s.json")));
  for (const auto& [path, text] : without) {
    if (path.starts_with("vivado/") || path.starts_with("vitis/") || path == "sim/main.cpp" ||
        path == "README.md") {
      EXPECT_EQ(text.find("s_axi_onchip"), std::string::npos) << path;
    }
  }
}

TEST(Design, JoinedStreamsHaveNoPins) {
  ExpectEveryPin(With(kBuffered));
  const Design design = Elaborate(ParseSpec(With(kBuffered), "s.json"));
  std::vector<std::string> streams;
  for (const bool master : {true, false}) {
    for (const Interface* stream : design.Of(Kind::kStream, master))
      streams.push_back(stream->name);
  }
  EXPECT_EQ(streams, std::vector<std::string>{"s_axis_2"});
  const std::string rtl = WriteAll(design).at("rtl/my_dma.v");
  for (const char* connection : {".m_axis_tdata(unused_m_axis_tdata)", ".m_axis_tready({2{1'b0}})",
                                 ".s_axis_tdata({s_axis_2_tdata, {128{1'b0}}})",
                                 ".s_axis_tready({s_axis_2_tready, unused_s_axis_tready})"}) {
    EXPECT_NE(rtl.find(connection), std::string::npos) << connection;
  }
}

TEST(Design, EveryPinIsOfAnInterfaceThatIsDescribed) {
  for (const Top& top : Tops()) {
    for (const Pin& pin : top.pins) {
      if (pin.name == top.clock || pin.name == top.reset) continue;
      bool known = false;
      for (const Group& group : top.groups)
        known |= pin.name == group.prefix || pin.name.starts_with(group.prefix + "_");
      EXPECT_TRUE(known) << top.name << "." << pin.name << ": add its interface to tops.json";
    }
  }
}

TEST(Templates, APlaceThatNobodyFillsIsAnError) {
  EXPECT_THROW(Fill("sim.mk", {}), std::logic_error);
}

// Headers of the RTL lie in several folders: Vivado and Vitis look into all of them.
TEST(Package, EveryFolderWithAHeaderIsSearched) {
  const Files files = WriteAll(Elaborate(ParseSpec(With("\"parameters\": {}"), "s.json")));
  std::set<std::string> folders;
  for (const auto& [path, text] : files) {
    if (path.ends_with(".svh")) folders.insert(fs::path(path).parent_path().string());
  }
  EXPECT_GT(folders.size(), 1u);
  for (const char* script : {"vivado/package_ip.tcl", "vitis/package_xo.tcl"}) {
    for (const std::string& folder : folders) {
      EXPECT_NE(files.at(script).find("[file join $here " + folder + "]"), std::string::npos)
          << script << ": " << folder;
    }
  }
}

TEST(Estimate, TellsTheClock) {
  const auto units = Figures().at("units");
  const std::string readme =
      WriteAll(Elaborate(ParseSpec(With("\"parameters\": {}"), "s.json"))).at("README.md");
  const std::string expected =
      fmt::format("Clock of `tessera_dma` with its defaults on an ECP5 by nextpnr: {} MHz.",
                  units.at("tessera_dma").at("mhz").get<int>());
  EXPECT_NE(readme.find(expected), std::string::npos) << readme;
}

// The lowest of the measured builds that it reaches.
TEST(Estimate, TheClockFallsWithChannelsAndWidth) {
  const auto units = Figures().at("units");
  const std::string whole = "tessera_dma", four = "tessera_dma, 4 + 4 channels",
                    most = "tessera_dma, 16 + 16 channels", wide = "tessera_dma, 512 bits";
  const std::vector<std::pair<std::string, std::string>> cases{
      {R"("Reads": 3, "Writes": 4, "DataWidth": 256)", whole},
      {R"("Reads": 4, "Writes": 4)", four},
      {R"("Reads": 16, "Writes": 15)", four},
      {R"("Reads": 16, "Writes": 16, "Descriptors": 32)", most},
      {R"("DataWidth": 512)", wide},
      {R"("StreamWidth": 1024)", wide},
      {R"("Reads": 4, "Writes": 4, "DataWidth": 512)", wide},
      {R"("Reads": 16, "Writes": 16, "Descriptors": 32, "DataWidth": 1024)", most}};
  for (const auto& [parameters, unit] : cases) {
    const double mhz = units.at(unit).at("mhz");
    const Design design =
        Elaborate(ParseSpec(With("\"parameters\": {" + parameters + "}"), "s.json"));
    EXPECT_EQ(EstimateOf(design).mhz, mhz) << parameters;
    EXPECT_EQ(SupportedMhz(design), 5 * std::floor(mhz / 5)) << parameters;
    EXPECT_NE(WriteAll(design).at("README.md").find(fmt::format("Clock of `{}`", unit)),
              std::string::npos)
        << parameters;
  }
}

// Without clock_mhz a build asks for the clock that its estimate supports.
TEST(Estimate, TheClockIsItsOwnUnlessItIsGiven) {
  const double whole = Figures().at("units").at("tessera_dma").at("mhz");
  const Design own = Elaborate(ParseSpec(With("\"parameters\": {}"), "s.json"));
  EXPECT_EQ(own.spec.mhz, 5 * std::floor(whole / 5));
  EXPECT_EQ(ClockWarning(own), "");
  EXPECT_NE(SpecText(own.spec).find(fmt::format("\"clock_mhz\": {:.1f}", own.spec.mhz)),
            std::string::npos);
  const Design fast = Elaborate(ParseSpec(With(R"("clock_mhz": 200)"), "s.json"));
  EXPECT_EQ(fast.spec.mhz, 200);
  EXPECT_EQ(ClockWarning(fast),
            fmt::format("my_dma: clock_mhz is 200, and the estimate is {:.0f} MHz: constraints may "
                        "not be met; without clock_mhz they ask for {:.0f}",
                        whole, own.spec.mhz));
  const std::string line = EstimateLine(fast);
  EXPECT_EQ(line.substr(0, 6), "about ");
  EXPECT_NE(line.find(fmt::format("{:.0f} MHz", whole)), std::string::npos) << line;
}

// The frequency of an interface is that of the block design, and how much is in flight is told.
TEST(Design, AttributesOfInterfaces) {
  const auto files = [](const std::string& text) {
    return WriteAll(Elaborate(ParseSpec(text, "s.json")));
  };
  const Files dma = files(With(
      R"("parameters": {"Reads": 4, "Writes": 2, "Ports": 2, "Outstanding": 8, "Lists": true})"));
  for (const auto& [path, text] : dma) {
    const bool block_design = path.starts_with("vivado/bd_");
    EXPECT_TRUE(block_design || text.find("FREQ_HZ") == std::string::npos) << path;
  }
  const std::string& rtl = dma.at("rtl/my_dma.v");
  ExpectAttribute(rtl, "m_axi_0", "NUM_READ_OUTSTANDING 8, NUM_WRITE_OUTSTANDING 8");
  ExpectAttribute(rtl, "m_axi_list", "NUM_READ_OUTSTANDING 16");
}

// The folder holds the registers of this build, and the programs that it can run.
TEST(Design, ThePagesOfTheBuild) {
  const auto files = [](const std::string& parameters) {
    return WriteAll(Elaborate(ParseSpec(With("\"parameters\": {" + parameters + "}"), "s.json")));
  };
  const Files one = files(R"("Reads": 2, "Descriptors": 8, "Locks": 4, "Walk": false)");
  const std::string& registers = one.at("software/registers.md");
  for (const char* row :
       {"| 0x00000 | `GLOBAL.", "| 0x01004 + 0x100 k, k = 0 to 1 | `READ[k].STATUS` |",
        "| 0x02008 | `WRITE[0].TASK` |", "| 0x03000 + 0x10 k, k = 0 to 3 | `LOCK[k].",
        "| 0x20000 + 0x40 k, k = 0 to 7 | `DESCRIPTOR[k].", "| 19 | `paused` | r |"}) {
    EXPECT_NE(registers.find(row), std::string::npos) << row;
  }
  for (const char* none : {"WALK[", "WINDOWS[", ".LIST.", ".TRIGGER`"}) {
    EXPECT_EQ(registers.find(none), std::string::npos) << none;
  }
  const std::string& guide = one.at("software/guide.md");
  EXPECT_NE(guide.find("## Copy\n"), std::string::npos);
  EXPECT_EQ(guide.find("## Open the windows"), std::string::npos);
  EXPECT_EQ(guide.find("## Ring of descriptors"), std::string::npos);
  EXPECT_EQ(guide.find("]("), std::string::npos) << "a link that leads nowhere";
  const Files lists = files(R"("Lists": true, "Windows": 2)");
  EXPECT_EQ(registers.find("`GLOBAL.ONCHIP"), std::string::npos);
  const Files buffered = files(R"("OnChipSize": 4)");
  for (const char* row : {"`GLOBAL.CAP_ONCHIP`", "`GLOBAL.ONCHIP_TEST`"})
    EXPECT_NE(buffered.at("software/registers.md").find(row), std::string::npos) << row;
  EXPECT_NE(lists.at("software/guide.md").find("## Ring of descriptors"), std::string::npos);
  EXPECT_NE(lists.at("software/registers.md").find("`WINDOWS[0]."), std::string::npos);
  EXPECT_NE(one.at("README.md").find("`software/registers.md`"), std::string::npos);
  EXPECT_NE(one.at("README.md").find("`software/guide.md`"), std::string::npos);
}

TEST(Estimate, TellsWhatWasMeasured) {
  const auto rows = Figures().at("area").at("rows");
  for (const auto& [name, row] : rows.items()) {
    const Design design =
        Elaborate(ParseSpec(With("\"parameters\": " + row.at("set").dump()), "s.json"));
    const Estimate estimate = EstimateOf(design);
    const double lut = row.at("lut"), ff = row.at("ff");
    EXPECT_NEAR(estimate.lut, lut, lut * 0.12) << name;
    EXPECT_NEAR(estimate.ff, ff, ff * 0.12) << name;
    EXPECT_GT(estimate.mhz, 50) << name;
    // What the on-chip buffer has more than the same build without it.
    const double others =
        name == "onchipports" ? rows.at("ports2").at("bram36") : rows.at("base").at("bram36");
    if (name.starts_with("onchip")) {
      EXPECT_EQ(estimate.block_ram, row.at("bram36").get<double>() - others) << name;
    }
  }
}

size_t Entries(const std::string& folder) {
  return static_cast<size_t>(
      std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

const Replaceable kAny = [](const std::string&) { return true; };

TEST(Folder, IsMadeWithItsParents) {
  const TempFolder folder;
  WriteFolder(folder / "a/b/", {{"x.txt", "1"}, {"c/y.txt", "2"}});
  EXPECT_EQ(ReadAll(folder / "a/b/x.txt"), "1");
  EXPECT_EQ(ReadAll(folder / "a/b/c/y.txt"), "2");
  EXPECT_EQ(Entries(folder / "a"), 1U);
}

TEST(Folder, OneThatIsNotEmptyStaysUnlessItMayBeReplaced) {
  const TempFolder folder;
  WriteFolder(folder / "a", {{"old.txt", "1"}});
  EXPECT_THROW(WriteFolder(folder / "a", {{"new.txt", "2"}}), job::Error);
  EXPECT_TRUE(fs::exists(folder / "a/old.txt"));
  EXPECT_FALSE(fs::exists(folder / "a/new.txt"));
  WriteFolder(folder / "a", {{"new.txt", "2"}}, kAny);
  EXPECT_FALSE(fs::exists(folder / "a/old.txt"));
  EXPECT_EQ(ReadAll(folder / "a/new.txt"), "2");
  fs::create_directory(folder / "empty");
  WriteFolder(folder / "empty", {{"new.txt", "2"}});
  EXPECT_TRUE(fs::exists(folder / "empty/new.txt"));
  EXPECT_EQ(Entries(folder / "."), 2U);
}

TEST(Folder, OnlyWhatGenWroteIsReplaced) {
  ExpectThatOnlyItsOwnIsReplaced(With(R"("clock_mhz": 100)"));
}

TEST(Folder, NothingIsLeftWhenAFileCannotBeWritten) {
  const TempFolder folder;
  WriteFolder(folder / "a", {{"old.txt", "1"}});
  // "x" cannot be a file and a folder.
  EXPECT_ANY_THROW(WriteFolder(folder / "a", {{"x", "1"}, {"x/y", "2"}}, kAny));
  EXPECT_EQ(ReadAll(folder / "a/old.txt"), "1");
  EXPECT_ANY_THROW(WriteFolder(folder / "b", {{"x", "1"}, {"x/y", "2"}}));
  EXPECT_EQ(Entries(folder / "."), 1U);
}

TEST(Folder, AFileThatTheSystemRefusesIsToldWithTheCause) {
  const TempFolder folder;
  try {
    WriteFolder(folder / "a", {{std::string(300, 'x'), "1"}});
    FAIL() << "it was written";
  } catch (const OutputError& error) {
    EXPECT_NE(std::string(error.what()).find(std::strerror(ENAMETOOLONG)), std::string::npos)
        << error.what();
  }
  EXPECT_EQ(Entries(folder / "."), 0U);
}

TEST(Folder, AFileIsNoFolder) {
  const TempFolder folder;
  std::ofstream(folder / "file") << "mine";
  EXPECT_THROW(WriteFolder(folder / "file", {{"x", "1"}}, kAny), job::Error);
  EXPECT_EQ(ReadAll(folder / "file"), "mine");
  EXPECT_THROW(WriteFolder(folder / "file/sub", {{"x", "1"}}, kAny), OutputError);
  EXPECT_THROW(WriteFolder("/proc/none", {{"x", "1"}}), OutputError);
}

}  // namespace
}  // namespace tessera::gen
