// tessera run: every example ends well and leaves its files; what is wrong is one sentence.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tb/check/plan.h"
#include "tb/sim/fabric.h"
#include "tests/cli/program.h"

namespace tessera {
namespace {

using Json = nlohmann::json;

const std::string kJobs = std::string(TESSERA_SOURCE_DIR) + "/examples/jobs";

std::vector<std::string> Examples() {
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

using RunExample = RunTest;

TEST_F(RunExample, ThereIsOneForEachCommonNeed) {
  Proves({"run.examples"});
  const std::vector<std::string> names = Examples();
  for (const char* need : {"copy", "window", "transpose", "halo", "im2col", "interleave", "reverse",
                           "gather", "broadcast", "packets", "channels"}) {
    EXPECT_TRUE(std::find(names.begin(), names.end(), need) != names.end()) << need;
  }
}

TEST_F(RunExample, EveryOneEndsWellAndItsReportSaysSo) {
  Proves({"run.examples", "run.compares"});
  for (const std::string& name : Examples()) {
    const Json job = Json::parse(ReadText(kJobs + "/" + name + ".json"));
    const bool built = IsBuilt(job.at("config"));
    EXPECT_TRUE(built || job.at("config") == "shared") << name;
    if (!built) continue;
    const Output output = Tessera("run " + kJobs + "/" + name + ".json --out " + folder_.path() +
                                  " --report " + name + ".report.json");
    EXPECT_EQ(output.status, 0) << name << "\n" << output.out << output.errors;
    EXPECT_NE(output.out.find("no difference"), std::string::npos) << output.out;
    EXPECT_EQ(output.out.find('\x1b'), std::string::npos) << "colours, and this is no terminal";
    const Json report = Json::parse(ReadText(folder_ / (name + ".report.json")));
    EXPECT_TRUE(report.at("passed").get<bool>());
    EXPECT_GT(report.at("compared").get<int>(), 0);
  }
}

TEST_F(RunExample, TheDemoEndsWellAndLeavesThePictureOfTheManual) {
  Proves({"run.demo"});
  const Output output = Tessera("run " + std::string(TESSERA_SOURCE_DIR) +
                                "/examples/demo/tile.json --out " + folder_.path());
  EXPECT_EQ(output.status, 0) << output.out << output.errors;
  for (const char* name : {"tiles.png", "image.png", "tile.fst", "tile.gtkw", "tile.report.json"}) {
    EXPECT_TRUE(std::filesystem::exists(folder_ / name)) << name;
  }
  const Json report = Json::parse(ReadText(folder_ / "tile.report.json"));
  for (const Json& channel : report.at("channels")) {
    EXPECT_GE(channel.at("utilisation").get<double>(), 0.98 * channel.at("limit").get<double>());
    EXPECT_EQ(channel.at("bursts"), channel.at("bursts_least")) << channel.at("name");
  }
}

TEST_F(RunExample, TheSaveFileNamesSignalsOfTheWaveform) {
  Proves({"run.save-file"});
  if (std::system("command -v fst2vcd >/dev/null") != 0) GTEST_SKIP() << "gtkwave is not installed";
  const Output output = Tessera("run " + kJobs + "/copy.json --wave w.fst --out " + folder_.path());
  ASSERT_EQ(output.status, 0) << output.out << output.errors;
  ExpectSignals("typical");
}

TEST_F(RunTest, WritesDumpsCapturesBeatsAndWaves) {
  Proves({"run.files"});
  const Output output = Run(R"({
    "memories": [
      {"name": "a", "base": 4096, "data": {"hex": "00 11 22 33 44"}},
      {"name": "b", "base": 8192, "size": 5, "dump": "b.bin"},
      {"name": "c", "base": 12288, "data": {"pattern": "card", "width": 7, "height": 9, "pixel": "rgb"},
       "dump": {"file": "sub/c.png", "width": 7, "pixel": "rgb"}}],
    "channels": [
      {"direction": "read", "transfers": [{"base": "a", "count": [5], "stride": [1]}],
       "stream": {"capture": "s.bin", "beats": "s.jsonl"}},
      {"direction": "write", "transfers": [{"base": "b", "count": [5], "stride": [1]}],
       "stream": {"channel": "read"}}], "wave": "w.fst"})");
  ASSERT_EQ(output.status, 0) << output.out << output.errors;
  const std::string five("\x00\x11\x22\x33\x44", 5);
  EXPECT_EQ(ReadText(folder_ / "b.bin"), five);
  EXPECT_EQ(ReadText(folder_ / "s.bin"), five);
  const Json beat = Json::parse(ReadText(folder_ / "s.jsonl"));
  EXPECT_EQ(beat.at("data"), "0011223344------");
  EXPECT_EQ(beat.at("keep"), "11111000");
  EXPECT_EQ(beat.at("last"), true);
  EXPECT_GT(ReadText(folder_ / "w.fst").size(), 1000u);
  // The picture comes back as it was.
  const Output again = Run(R"({
    "memories": [{"name": "c", "base": 0, "data": {"image": "sub/c.png", "pixel": "rgb"},
                  "expect": {"pattern": "card", "width": 7, "height": 9, "pixel": "rgb"}}],
    "channels": [{"direction": "read", "transfers": [{"base": 0, "count": [1], "stride": [1]}]}]})");
  EXPECT_EQ(again.status, 0) << again.out << again.errors;
}

TEST_F(RunTest, ABrokenExpectationFails) {
  Proves({"run.compares"});
  const Output output = Run(R"({
    "memories": [{"name": "a", "base": 0, "data": {"hex": "000102"}, "expect": {"hex": "0001ff"}}],
    "channels": [{"direction": "read", "transfers": [{"base": 0, "count": [3], "stride": [1]}],
                  "stream": {"expect": {"hex": "00010203"}}}]})");
  EXPECT_EQ(output.status, 1);
  EXPECT_NE(output.out.find("FAILED memories[0].expect: byte 2 is 0x02, the job expects 0xff"),
            std::string::npos)
      << output.out;
  EXPECT_NE(
      output.out.find("FAILED channels[0].stream.expect: there are 3 bytes, the job expects 4"),
      std::string::npos)
      << output.out;
}

TEST_F(RunTest, AStreamThatNobodyTakesFailsAndSaysWhoWaits) {
  Proves({"run.ends"});
  const Output output = Run(R"({"timeout": 200,
    "channels": [{"direction": "read", "transfers": [{"base": 0, "count": [64], "stride": [1]}],
                  "stream": {"pacer": "never"}}]})");
  EXPECT_EQ(output.status, 1);
  EXPECT_NE(output.out.find("nothing moved for"), std::string::npos) << output.out;
}

TEST_F(RunTest, ErrorResponsesShowInTheRecord) {
  Proves({"run.compares"});
  const Output output = Run(R"({"report": "r.json",
    "channels": [{"direction": "read", "transfers": [{"base": 64, "count": [64], "stride": [1]}]}],
    "bus": {"errors": [{"first": 100, "last": 100, "response": "decerr"}]}})");
  ASSERT_EQ(output.status, 0) << output.out << output.errors;
  const Json t = Json::parse(ReadText(folder_ / "r.json")).at("channels")[0].at("transfers")[0];
  EXPECT_EQ(t.at("status"), "decerr");
  EXPECT_EQ(t.at("error_address"), 96);
}

TEST_F(RunTest, EveryConfigurationRunsTheSameJob) {
  Proves({"run.configurations"});
  for (const Config& config : Configs()) {
    const Output output = Run(R"({
      "memories": [{"name": "a", "base": "0x1001", "data": {"pattern": "random", "size": 300}},
                   {"name": "b", "base": "0x2003", "size": 300,
                    "expect": {"pattern": "random", "size": 300}}],
      "channels": [
        {"direction": "read", "transfers": [{"base": "a", "count": [300], "stride": [1]}]},
        {"direction": "write", "transfers": [{"base": "b", "count": [300], "stride": [1]}],
         "stream": {"channel": "read"}}]})",
                              "--config " + config.name);
    EXPECT_EQ(output.status, 0) << config.name << "\n" << output.out << output.errors;
  }
}

// Jobs of several channels, on every configuration that has them.
class RunMany : public RunTest {
 protected:
  void SetUp() override {
    if (Fabrics().empty()) GTEST_SKIP() << "no configuration with several channels is built";
  }
  Json Report() const { return Json::parse(ReadText(folder_ / "r.json")); }
};

TEST_F(RunMany, EveryChannelMovesItsOwn) {
  Proves({"run.channels"});
  // Two reads cross over to the writes; a third read and a third write have ends of their own.
  for (const FabricConfig& config : Fabrics()) {
    if (config.reads < 3 || config.writes < 3) continue;
    const Output output = Run(R"({"report": "r.json", "memories": [
        {"name": "a", "base": "0x1001", "data": {"pattern": "random", "size": 3000}},
        {"name": "b", "base": "0x3003", "data": {"pattern": "random", "seed": 2, "size": 2000}},
        {"name": "a2", "base": "0x5000", "size": 3000, "expect": {"pattern": "random", "size": 3000}},
        {"name": "b2", "base": "0x7005", "size": 2000, "dump": "b2.bin",
         "expect": {"pattern": "random", "seed": 2, "size": 2000}},
        {"name": "c", "base": "0x9001", "size": 500, "expect": {"pattern": "ramp", "size": 500}}],
      "channels": [
        {"name": "ra", "direction": "read", "engine": 2, "transfers": [
          {"base": "a", "count": [1000], "stride": [1]},
          {"base": "a+1000", "count": [2000], "stride": [1]}]},
        {"name": "rb", "direction": "read", "weight": 3, "transfers": [
          {"base": "b", "count": [2000], "stride": [1]}], "stream": {"pacer": "p=0.6"}},
        {"name": "rc", "direction": "read", "transfers": [
          {"base": "a", "count": [3], "stride": [-7], "start": [-2]}],
         "stream": {"capture": "rc.bin", "beats": "rc.jsonl"}},
        {"name": "wb", "direction": "write", "stream": {"channel": "rb"}, "transfers": [
          {"base": "b2", "count": [2000], "stride": [1]}]},
        {"name": "wa", "direction": "write", "stream": {"channel": "ra", "pacer": "p=0.7"},
         "transfers": [{"base": "a2", "count": [3000], "stride": [1]}]},
        {"name": "wc", "direction": "write", "stream": {"source": {"pattern": "ramp", "size": 500}},
         "transfers": [{"base": "c", "count": [500], "stride": [1]}]}],
      "bus": {"latency": [3, 20]}})",
                              "--config " + config.channel.name);
    ASSERT_EQ(output.status, 0) << config.channel.name << "\n" << output.out << output.errors;
    const Json report = Report();
    EXPECT_EQ(report.at("channels")[0].at("engine"), 2);
    EXPECT_EQ(report.at("channels")[1].at("engine"), 0);
    EXPECT_EQ(report.at("channels")[0].at("bytes"), 3000);
    EXPECT_EQ(report.at("channels")[4].at("bytes"), 3000);
    EXPECT_EQ(report.at("ports")[0].at("bytes"), 5003);
    EXPECT_EQ(report.at("ports")[1].at("bytes"), 5500);
    EXPECT_EQ(ReadText(folder_ / "rc.bin").size(), 3u);
    EXPECT_EQ(ReadText(folder_ / "b2.bin").size(), 2000u);
  }
}

TEST_F(RunMany, WeightsShareThePort) {
  Proves({"run.channels"});
  for (const FabricConfig& config : Fabrics()) {
    if (config.reads < 2 || config.one_id) continue;
    if (config.channel.stream_bytes < config.channel.data_bytes) continue;  // streams are the limit
    const Output output = Run(R"({"report": "r.json", "channels": [
        {"name": "light", "direction": "read", "transfers": [
          {"base": "0x10000", "count": [16000], "stride": [1]}]},
        {"name": "heavy", "direction": "read", "weight": 3, "transfers": [
          {"base": "0x20000", "count": [48000], "stride": [1]}]}],
      "bus": {"latency": 20}})",
                              "--config " + config.channel.name);
    ASSERT_EQ(output.status, 0) << output.out << output.errors;
    const Json report = Report();
    // With shares of 1 and 3 of the bus both end together.
    const double light = report.at("channels")[0].at("cycles");
    const double heavy = report.at("channels")[1].at("cycles");
    EXPECT_NEAR(light / heavy, 1.0, 0.1) << output.out;
    EXPECT_GT(report.at("ports")[0].at("utilisation").get<double>(), 0.95);
  }
}

TEST_F(RunMany, ErrorsStayInTheirChannel) {
  Proves({"run.channels"});
  const Output output = Run(R"({"report": "r.json", "channels": [
      {"name": "good", "direction": "read", "transfers": [{"base": 0, "count": [64], "stride": [1]}]},
      {"name": "bad", "direction": "read", "transfers": [{"base": 64, "count": [64], "stride": [1]}]},
      {"name": "w0", "direction": "write", "stream": {"channel": "good"},
       "transfers": [{"base": 4096, "count": [64], "stride": [1]}]},
      {"name": "w1", "direction": "write", "stream": {"channel": "bad"},
       "transfers": [{"base": 8192, "count": [64], "stride": [1]}]}],
    "bus": {"errors": [{"first": 96, "last": 96, "response": "decerr"},
                       {"first": 8200, "last": 8207}]}})",
                            "--config " + Fabrics().front().channel.name);
  ASSERT_EQ(output.status, 0) << output.out << output.errors;
  const Json channels = Report().at("channels");
  const auto status = [&](size_t k) { return channels[k].at("transfers")[0].at("status"); };
  EXPECT_EQ(status(0), "ok");
  EXPECT_EQ(status(1), "decerr");
  EXPECT_EQ(status(2), "ok");
  EXPECT_EQ(status(3), "slverr");
}

TEST_F(RunMany, WhatDependsOnTimeIsRefused) {
  Proves({"cli.wrong-input"});
  const auto write = [](const char* name, int base, const char* more) {
    return fmt::format(R"({{"name": "{}", "direction": "write", "transfers": [
        {{"base": {}, "count": [8], "stride": [1]}}], "stream": {{"source": {{"hex":
        "0001020304050607"}}}}}}{})",
                       name, base, more);
  };
  const std::string end = R"(], "config": ")" + Fabrics().front().channel.name + "\"";
  EXPECT_EQ(Refusal("{\"channels\": [" + write("a", 4, ", ") + write("b", 11, "") + end + "}"),
            "j.json: channels[1].transfers[0] writes address 0xb, and channels[0] writes it too: "
            "legal is what does not depend on time");
  if (Fabrics().front().channel.data_bytes != 8) return;
  EXPECT_EQ(
      Refusal("{\"channels\": [" + write("a", 4, ", ") + write("b", 12, "") + end +
              R"(, "bus": {"errors": [{"first": 0, "last": 99}]}})"),
      "j.json: channels[1].transfers[0] writes address 0xc, and channels[0] writes in the same "
      "bus word, where writes can fail: legal is what does not depend on time");
}

TEST_F(RunMany, TheSaveFileNamesSignalsOfTheWaveform) {
  Proves({"run.save-file"});
  if (std::system("command -v fst2vcd >/dev/null") != 0) GTEST_SKIP() << "gtkwave is not installed";
  const std::string config = Fabrics().front().channel.name;
  const Output output = Run(R"({"channels": [
      {"direction": "read", "transfers": [{"base": 0, "count": [64], "stride": [1]}]},
      {"direction": "write", "transfers": [{"base": 4096, "count": [64], "stride": [1]}],
       "stream": {"channel": "read"}}]})",
                            "--wave w.fst --config " + config);
  ASSERT_EQ(output.status, 0) << output.out << output.errors;
  ExpectSignals(config);
}

TEST_F(RunTest, WhatIsWrongIsOneSentence) {
  Proves({"cli.wrong-input"});
  const std::string read =
      R"("channels": [{"direction": "read", "transfers": [{"base": 0, "count": [4], "stride": [1]}]}])";
  EXPECT_EQ(Refusal("{"),
            "j.json: this is no JSON: parse error at line 1, column 2: syntax error while parsing "
            "object key - unexpected end of input; expected string literal");
  EXPECT_NE(Refusal(R"({"config": "nix", )" + read + "}")
                .find(R"(j.json: config is "nix": legal are the configurations in this program: )"),
            std::string::npos);
  EXPECT_EQ(Refusal(R"({"memories": [{"name": "a", "base": 0, "data": {"file": "none.bin"}}], )" +
                    read + "}"),
            "j.json: memories[0].data.file is \"none.bin\": none.bin cannot be read, legal is the "
            "name of a file");
  WriteFile(folder_ / "five", "12345");
  EXPECT_EQ(
      Refusal(R"({"memories": [{"name": "a", "base": 0, "size": 4, "data": {"file": "five"}}], )" +
              read + "}"),
      "j.json: memories[0].data.file is \"five\": five has 5 bytes, legal are 0 to 4");
  WriteFile(folder_ / "text", "This is no picture at all.");
  EXPECT_EQ(
      Refusal(R"({"memories": [{"name": "a", "base": 0, "data": {"image": "text"}}], )" + read +
              "}"),
      "j.json: memories[0].data.image is \"text\": text: Not a PNG file, legal is a PNG image");
  EXPECT_EQ(Refusal(R"({"memories": [{"name": "a", "base": 0, "data": {"file": "five"}},
                                     {"name": "b", "base": 4, "size": 9}], )" +
                    read + "}"),
            "j.json: memories[1].base is 0x4: b (9 bytes) would overlap a (0x0 to 0x4), legal is "
            "memory of its own");
  EXPECT_EQ(Refusal(R"({"memories": [{"name": "a", "base": 1, "size": 9}], )" + read + "}"),
            "j.json: channels[0].transfers[0] visits address 0x0, which is in no memory: legal are "
            "the memories, bounds that leave it out, or no memories at all");
  EXPECT_EQ(
      Refusal(R"({"channels": [
              {"direction": "read", "transfers": [{"base": 0, "count": [4], "stride": [1]}]},
              {"direction": "write", "transfers": [{"base": 3, "count": [4], "stride": [1]}],
               "stream": {"channel": "read"}}]})"),
      "j.json: channels[0].transfers[0] reads address 0x3, which channels[1] writes: legal is "
      "what does not depend on time");
  EXPECT_EQ(Refusal(R"({"channels": [
              {"direction": "write", "transfers": [{"base": 0, "count": [4], "stride": [1]}],
               "stream": {"source": {"hex": "000102"}}}]})"),
            "j.json: channels[0].transfers[0] waits for more than its stream brings (3 of 4 bytes, "
            "channels[0].stream.source): legal is a stream that feeds every transfer");
  EXPECT_EQ(Refusal(R"({"channels": [
              {"direction": "write", "transfers": [{"base": 0, "count": [3], "stride": [1]}],
               "stream": {"source": {"hex": "000102"}, "packets": [1, 1]}}]})"),
            "j.json: channels[0].stream.packets has 2 bytes and the source 3: legal is the same");
}

TEST_F(RunTest, ArgumentsThatAreWrongAreOneSentence) {
  Proves({"cli.arguments"});
  const auto sentence = [](const std::string& arguments) {
    const Output output = Tessera(arguments);
    EXPECT_EQ(output.status, 2) << arguments;
    EXPECT_EQ(output.out, "") << arguments;
    return output.errors;
  };
  EXPECT_EQ(sentence(""), "tessera: A subcommand is required (see tessera --help)\n");
  EXPECT_EQ(sentence("run"), "tessera run: JOB is required (see tessera run --help)\n");
  EXPECT_EQ(sentence("run /none.json"),
            "/none.json: cannot be read: legal is the name of a job file\n");
  EXPECT_EQ(sentence("frob").substr(0, 47), "tessera: the command is \"frob\": legal are run, ");
  EXPECT_EQ(sentence("config frob"),
            "tessera config: the command is \"frob\": legal are list, show\n");
  EXPECT_EQ(sentence("run " + kJobs + "/copy.json --seed x"),
            "tessera run: --seed is \"x\": legal is a number (see tessera run --help)\n");
  EXPECT_EQ(sentence("run " + kJobs + "/copy.json --wave /none/x.fst"),
            "/none/x.fst: cannot be written: legal is a file in a folder that is there\n");
  EXPECT_EQ(sentence("run " + kJobs + "/copy.json --seed -1"),
            "tessera run: --seed is \"-1\": legal is 0 or more (see tessera run --help)\n");
  EXPECT_EQ(sentence("soak --cases -1"),
            "tessera soak: --cases is \"-1\": legal is 0 or more (see tessera soak --help)\n");
  EXPECT_EQ(
      sentence("soak --seconds x"),
      "tessera soak: --seconds is \"x\": legal is 0 to 1000000000 (see tessera soak --help)\n");
  EXPECT_EQ(sentence("completion csh"),
            "tessera completion: SHELL is \"csh\": legal are bash,zsh,fish (see tessera completion "
            "--help)\n");
  EXPECT_EQ(sentence("show --base 0 --count 4 --latency 0"),
            "tessera show: --latency is \"0\": legal is 1 to 1000000 (see tessera show --help)\n");
  EXPECT_EQ(sentence("run a b"),
            "tessera run: \"b\" is not expected: legal is what the help tells (see tessera run "
            "--help)\n");
  EXPECT_LT(sentence("run a " + std::string(100000, 'b')).size(), 2000u);
  EXPECT_EQ(sentence("soak --shard 3/2 --cases 1"),
            "--shard is '3/2': legal is i/n with i from 0 to n-1\n");
  EXPECT_EQ(sentence("soak --merge /none"),
            "--merge /none: cannot be read: legal is a file of --save\n");
  EXPECT_EQ(sentence("soak --replay /none"),
            "--replay /none: cannot be read: legal is a case that a soak left\n");
  EXPECT_EQ(sentence("run " + kJobs + "/copy.json --out /proc/none"),
            "--out /proc/none: cannot be made: legal is a folder that can be written\n");
  EXPECT_EQ(
      sentence("run " + kJobs + "/copy.json --report /proc/none/r.json"),
      "/proc/none/r.json: cannot be written: legal is a file in a folder that can be written\n");
}

TEST(Commands, HelpIsEverywhere) {
  Proves({"cli.help"});
  for (const char* command : {"", "run", "check", "config", "config list", "config show", "bench",
                              "soak", "completion"}) {
    const Output output = Tessera(std::string(command) + " --help");
    EXPECT_EQ(output.status, 0) << command;
    EXPECT_NE(output.out.find("Usage: tessera"), std::string::npos) << command;
  }
}

TEST(Commands, ConfigListAndShowKnowEveryConfiguration) {
  Proves({"cli.config"});
  const Json list = Json::parse(Tessera("config list --json").out);
  ASSERT_EQ(list.size(), Configs().size() + Fabrics().size());
  for (const Json& config : list) {
    const std::string name = config.at("name");
    EXPECT_NE(Tessera("config list").out.find(name), std::string::npos);
    EXPECT_EQ(Json::parse(Tessera("config show --json " + name).out), config);
    EXPECT_EQ(Tessera("config show " + name).status, 0);
  }
  EXPECT_EQ(Tessera("config show nix").status, 2);
}

TEST(Commands, SoakRunsShardsAndMergesThem) {
  Proves({"cli.soak"});
  const TempFolder folder;
  const std::string config = Configs().front().name;
  const std::string common =
      "soak --config " + config + " --seed 5 --cases 6 --out " + (folder / "failures") + " --save ";
  const Output whole = Tessera(common + (folder / "whole.json"));
  EXPECT_EQ(whole.status, 0) << whole.out;
  EXPECT_NE(whole.out.find("6 passed, 0 failed"), std::string::npos) << whole.out;
  EXPECT_EQ(Tessera(common + (folder / "a.json") + " --shard 0/2 --shards 2").status, 0);
  EXPECT_EQ(Tessera(common + (folder / "b.json") + " --shard 1/2").status, 0);
  const Output merged = Tessera("soak --merge " + (folder / "a.json") + " " + (folder / "b.json") +
                                " --save " + (folder / "m.json"));
  EXPECT_EQ(merged.status, 0) << merged.errors;
  Json one = Json::parse(ReadText(folder / "whole.json")).at("rows")[0];
  Json two = Json::parse(ReadText(folder / "m.json")).at("rows")[0];
  one.erase("seconds");
  two.erase("seconds");
  EXPECT_EQ(one, two);
}

TEST(Commands, ColoursAreForTerminalsAlone) {
  Proves({"cli.plain"});
  if (std::system("command -v script >/dev/null") != 0) GTEST_SKIP() << "script is not installed";
  const TempFolder folder;
  // A pseudo terminal; what the command says goes through it.
  const auto on_terminal = [&](const std::string& environment) {
    const std::string command =
        environment + " script -qec '" TESSERA_PROGRAM " config list' /dev/null </dev/null >" +
        (folder / "out");
    EXPECT_EQ(std::system(command.c_str()), 0);
    return ReadText(folder / "out");
  };
  EXPECT_NE(on_terminal("").find('\x1b'), std::string::npos);
  EXPECT_EQ(on_terminal("NO_COLOR=1").find('\x1b'), std::string::npos);
  EXPECT_EQ(Tessera("config list").out.find('\x1b'), std::string::npos);
  EXPECT_EQ(Tessera("soak --cases 2 --config " + Configs().front().name).errors, "");
}

// A script of a shell that is not installed cannot be run; quotes that do not close show anyway.
TEST(Commands, CompletionOfEveryShellIsWellFormed) {
  Proves({"cli.completion"});
  const TempFolder folder;
  for (const char* shell : {"bash", "zsh", "fish"}) {
    const Output output = Tessera("completion " + std::string(shell));
    ASSERT_EQ(output.status, 0);
    std::istringstream lines(output.out);
    for (std::string line; std::getline(lines, line);) {
      if (!line.starts_with("complete ")) continue;
      size_t quotes = 0;
      for (size_t n = 0; n < line.size(); ++n) {
        if (line[n] == '\\') ++n;
        if (n < line.size() && line[n] == '\'') ++quotes;
      }
      EXPECT_EQ(quotes % 2, 0u) << line;
    }
    WriteFile(folder / shell, output.out);
    const std::string check = std::string("if command -v ") + shell + " >/dev/null; then " + shell +
                              " -n " + (folder / shell) + "; fi";
    EXPECT_EQ(std::system(check.c_str()), 0) << shell;
  }
}

TEST(Commands, BashCompletes) {
  Proves({"cli.completion"});
  const TempFolder folder;
  const auto complete = [&](const std::string& words) {
    WriteFile(folder / "c.sh", "source <(" + std::string(TESSERA_PROGRAM) +
                                   " completion bash)\nCOMP_WORDS=(" + words +
                                   ")\nCOMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_tessera\n"
                                   "echo \"${COMPREPLY[@]}\" >" +
                                   (folder / "words"));
    EXPECT_EQ(std::system(("bash " + (folder / "c.sh")).c_str()), 0);
    return ReadText(folder / "words");
  };
  EXPECT_EQ(complete("tessera so"), "soak\n");
  EXPECT_EQ(complete("tessera config sh"), "show\n");
  EXPECT_EQ(complete("tessera run --rep"), "--report\n");
  const std::string config = Configs().front().name;
  std::string expected;  // and what else begins like it
  for (const Config& known : Configs()) {
    if (known.name.starts_with(config)) expected += (expected.empty() ? "" : " ") + known.name;
  }
  EXPECT_EQ(complete("tessera config show " + config), expected + "\n");
}

}  // namespace
}  // namespace tessera
