// tessera run: every example ends well and leaves its files; what is wrong is one sentence.
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "tb/check/plan.h"
#include "tests/cli/run_fixture.h"

namespace tessera {
namespace {

using RunExample = RunTest;

TEST_F(RunExample, ThereIsOneForEachCommonNeed) {
  Proves({"run.examples"});
  const std::vector<std::string> names = Examples();
  for (const char* need :
       {"copy", "window", "transpose", "halo", "im2col", "interleave", "reverse", "gather",
        "broadcast", "packets", "channels", "ping_pong", "ring", "frames"}) {
    EXPECT_TRUE(std::find(names.begin(), names.end(), need) != names.end()) << need;
  }
}

TEST_F(RunExample, EveryOneEndsWellAndItsReportSaysSo) {
  Proves({"run.examples", "run.compares"});
  for (const std::string& name : Examples()) {
    const Json job = Json::parse(ReadText(kJobs + "/" + name + ".json"));
    const bool built = job.contains("dma") ? IsBuiltDma(job.at("dma")) : IsBuilt(job.at("config"));
    EXPECT_TRUE(built || job.contains("dma")) << name;
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
    // Bursts end where those of aligned rows do: one more for a row that does not begin there.
    EXPECT_LE(channel.at("bursts"), 2 * channel.at("bursts_least").get<int>())
        << channel.at("name");
  }
}

TEST_F(RunExample, TheSaveFileNamesSignalsOfTheWaveform) {
  Proves({"run.save-file"});
  if (std::system("command -v fst2vcd >/dev/null") != 0) GTEST_SKIP() << "gtkwave is not installed";
  const Output output = Tessera("run " + kJobs + "/copy.json --wave w.fst --out " + folder_.path());
  ASSERT_EQ(output.status, 0) << output.out << output.errors;
  ExpectSignals("typical");
}

TEST_F(RunExample, AWaveformTakesAsManyBytesACycleAsThePageSays) {
  Proves({"run.demo"});
  const std::string page = ReadText(std::string(TESSERA_SOURCE_DIR) + "/docs/waveforms.md");
  const size_t at = page.find(" bytes a cycle for the demo");
  ASSERT_NE(at, std::string::npos);
  const double told = std::stod(page.substr(page.rfind(' ', at - 1)));
  const Output output = Tessera("run " + std::string(TESSERA_SOURCE_DIR) +
                                "/examples/demo/tile.json --out " + folder_.path());
  ASSERT_EQ(output.status, 0) << output.errors;
  const double cycles =
      Json::parse(ReadText(folder_ / "tile.report.json")).at("cycles").get<double>();
  const double bytes = static_cast<double>(std::filesystem::file_size(folder_ / "tile.fst"));
  EXPECT_NEAR(bytes / cycles, told, 0.1 * told);
}

TEST_F(RunTest, WritesDumpsCapturesBeatsAndWaves) {
  Proves({"run.files"});
  const Output output = Run(R"({
    "memories": [
      {"name": "a", "base": 4096, "data": {"hex": "00 11 22 33 44"}},
      {"name": "b", "base": 8192, "size": 5, "dump": {"file": "b.bin"}},
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
  EXPECT_NE(output.out.find("FAILED channels[0].stream.expect: it has 3 bytes, the job expects 4"),
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

TEST_F(RunTest, WhatIsWrongIsOneSentence) {
  Proves({"cli.wrong-input"});
  const std::string read =
      R"("channels": [{"direction": "read", "transfers": [{"base": 0, "count": [4], "stride": [1]}]}])";
  EXPECT_EQ(Refusal("{"),
            "j.json: this is no JSON: line 1, column 2: the text ends within a value");
  EXPECT_NE(Refusal(R"({"config": "nix", )" + read + "}")
                .find(R"(j.json: config is "nix": legal are the configurations in this program: )"),
            std::string::npos);
  EXPECT_EQ(
      Refusal(R"({"memories": [{"name": "a", "base": 0, "data": {"file": "none.bin"}}], )" + read +
              "}"),
      "j.json: memories[0].data.file is \"none.bin\": none.bin cannot be read: No such file or "
      "directory, legal is the name of a file");
  WriteFile(folder_ / "five", "12345");
  EXPECT_EQ(
      Refusal(R"({"memories": [{"name": "a", "base": 0, "size": 4, "data": {"file": "five"}}], )" +
              read + "}"),
      "j.json: memories[0].data.file is \"five\": five has 5 bytes, legal are 0 to 4");
  WriteFile(folder_ / "text", "This is no picture at all.");
  EXPECT_EQ(
      Refusal(R"({"memories": [{"name": "a", "base": 0, "data": {"image": "text"}}], )" + read +
              "}"),
      "j.json: memories[0].data.image is \"text\": text is no PNG image, legal is a PNG image");
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

}  // namespace
}  // namespace tessera
