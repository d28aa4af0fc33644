// What users give: files, members, options, names. What is wrong is one sentence, and nothing
// hangs.
#include <fmt/format.h>
#include <png.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <filesystem>
#include <string>
#include <tuple>
#include <vector>

#include "tb/check/plan.h"
#include "tests/cli/inputs.h"
#include "tests/cli/run_fixture.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

const std::string kRead =
    R"("channels": [{"direction": "read", "transfers": [{"base": 0, "count": [4], "stride": [1]}]}])";

class InputTest : public RunTest {
 protected:
  void SetUp() override {
    RunTest::SetUp();
    WriteFile(folder_ / "five", "12345");
  }
  // The job's memory `a` with these members.
  static std::string Memory(const std::string& members) {
    return R"({"memories": [{"name": "a", "base": 0, )" + members + "}], " + kRead + "}";
  }
  // A job of one transfer with these members.
  static std::string Transfer(const std::string& members) {
    return R"({"memories": [{"name": "a", "base": 4096, "size": 256, "data": {"pattern": "ramp"}}],
               "channels": [{"direction": "read", "transfers": [{)" +
           members + R"(}], "stream": {"capture": "s.bin"}}]})";
  }
  void WritePng16() {
    const uint16_t pixels[4] = {0, 1000, 2000, 65535};
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.width = image.height = 2;
    image.format = PNG_FORMAT_LINEAR_Y;
    ASSERT_NE(
        png_image_write_to_file(&image, (folder_ / "deep.png").c_str(), 0, pixels, 0, nullptr), 0);
  }
};

// Every place that reads a file, `@` for its name, and what it says after the name.
TEST_F(InputTest, OnlyRegularFilesAreRead) {
  Proves({"in.files"});
  ASSERT_EQ(mkfifo((folder_ / "fifo").c_str(), 0600), 0);
  fs::create_directory(folder_ / "folder");
  for (const char* content : {R"("data": {"file": "@"})", R"("data": {"image": "@"})",
                              R"("size": 9, "expect": {"file": "@"})"}) {
    for (const auto& [name, kind] : std::vector<std::pair<std::string, std::string>>{
             {"fifo", "is a FIFO"},
             {"folder", "is a folder"},
             {"/dev/zero", "is a device"},
             {"none", "cannot be read: No such file or directory"}}) {
      std::string job = Memory(content);
      job.replace(job.find('@'), 1, name);
      EXPECT_NE(Refusal(job).find(name + " " + kind + ", legal is"), std::string::npos) << job;
    }
  }
  ExpectOnlyRegularFiles({"run @", "check @ >&2", "show @", "soak --merge @", "soak --replay @",
                          "gen @ -o x", "gen --check @ >&2", "bench --check --baseline @",
                          "bench --filter read/copy-64/64/L20 --clock @"},
                         folder_);
}

TEST_F(InputTest, AFileThatDoesNotFillItsMemorySaysSo) {
  Proves({"in.files"});
  for (const char* member : {"data", "expect"}) {
    EXPECT_EQ(Refusal(Memory(fmt::format(R"("size": 8, "{}": {{"file": "five"}})", member))),
              fmt::format("j.json: memories[0].{} is \"five\": it has 5 bytes for a memory of 8, "
                          "legal is as many, or \"fill\" with the value of the rest",
                          member));
  }
  const Output filled = Run(Memory(R"("size": 8, "data": {"file": "five", "fill": 255},
                                      "expect": {"hex": "3132333435ffffff"})"));
  EXPECT_EQ(filled.status, 0) << filled.out << filled.errors;
  for (const auto& [contents, has] : std::vector<std::pair<std::string, std::string>>{
           {R"({"hex": "00"})", "1 byte"},
           {R"({"values": [1, 2], "elem": 2})", "4 bytes"},
           {R"({"pattern": "ramp", "size": 5})", "5 bytes"},
           {R"({"pattern": "card", "width": 2, "height": 1})", "2 bytes"}}) {
    EXPECT_EQ(Refusal(Memory(R"("size": 8, "expect": )" + contents)),
              "j.json: memories[0].expect has " + has +
                  " for a memory of 8, legal is as many, or \"fill\" with the value of the rest");
    EXPECT_EQ(Run(Memory(R"("size": 8, "data": )" + contents)).status, 0) << contents;
    const std::string whole = contents.substr(0, contents.size() - 1) + R"(, "fill": 9})";
    const Output same = Run(Memory(R"("size": 8, "data": )" + whole + R"(, "expect": )" + whole));
    EXPECT_EQ(same.status, 0) << contents << same.out << same.errors;
    EXPECT_NE(same.out.find("8 bytes with what the job expects"), std::string::npos) << same.out;
  }
  EXPECT_EQ(
      Refusal(Memory(R"("size": 8, "data": {"file": "five", "fill": 256})")),
      "j.json: memories[0].data.fill is 256: legal is an integer from 0 to 255, or \"0x...\"");
}

TEST_F(InputTest, ASliceOfAFileIsTaken) {
  Proves({"in.files"});
  const std::string job = Memory(R"("data": {"file": "five", "skip": 1, "size": 4}, "dump": "d")");
  EXPECT_EQ(Run(job).status, 0);
  EXPECT_EQ(ReadText(folder_ / "d"), "2345");
  EXPECT_EQ(Refusal(Memory(R"("data": {"file": "five", "skip": 2, "size": 4})")),
            "j.json: memories[0].data.file is \"five\": five has 5 bytes, legal are at least 6");
}

TEST_F(InputTest, ImagesOf16BitsAndDamagedOnesAreRefused) {
  Proves({"in.files"});
  WritePng16();
  EXPECT_EQ(Refusal(Memory(R"("data": {"image": "deep.png"})")),
            "j.json: memories[0].data.image is \"deep.png\": deep.png has 16 bits a channel, legal "
            "are at most 8, legal is a PNG image");
  ASSERT_EQ(Run(Memory(R"("data": {"pattern": "card", "width": 32, "height": 32},
                          "dump": {"file": "good.png", "width": 32})"))
                .status,
            0);
  const std::string good = ReadText(folder_ / "good.png");
  for (const size_t size : {size_t{0}, size_t{8}, size_t{40}, good.size() / 2}) {
    WriteFile(folder_ / "cut.png", good.substr(0, size));
    const std::string sentence = Refusal(Memory(R"("data": {"image": "cut.png"})"));
    EXPECT_NE(sentence.find("PNG image, legal is a PNG image"), std::string::npos) << sentence;
    EXPECT_EQ(sentence.find("libpng"), std::string::npos);
  }
}

TEST_F(InputTest, MembersAreWhatTheManualSays) {
  Proves({"in.members"});
  const auto carried = [&](const std::string& members) {
    const Output output = Run(Transfer(members));
    EXPECT_EQ(output.status, 0) << members << output.out << output.errors;
    return ReadText(folder_ / "s.bin");
  };
  const std::string four("\x10\x11\x12\x13", 4);
  EXPECT_EQ(carried(R"("base": "a+16", "count": [4], "stride": [1])"), four);
  EXPECT_EQ(carried(R"("base": "a+0x20", "offset": -16, "count": [4], "stride": [1])"), four);
  EXPECT_EQ(carried(R"("base": "a+32", "offset": "-0x10", "count": [4], "stride": [1])"), four);
  EXPECT_EQ(carried(R"("base": "a-16", "offset": 32, "count": [4], "stride": [1])"), four);
  EXPECT_EQ(carried(R"("base": "a+16", "count": [4], "stride": [1], "start": null, "name": null,
                       "bound": [null], "walk": [null], "length": null, "fill": null,
                       "last_rule": null, "bananas": null)")
                .size(),
            4u)
      << "a member that is null is absent";
  EXPECT_EQ(Run(Memory(R"("data": {"file": "five", "hex": null, "image": null})")).status, 0);
  EXPECT_EQ(Run(R"({"memories": null, "bus": {"latency": null, "errors": null, "service": null},
                    "report": null, )" +
                kRead + "}")
                .status,
            0);
  // One range of errors, or several.
  for (const char* errors : {R"({"first": 0, "last": 7})", R"([{"first": 0, "last": 7}])"}) {
    const Output output =
        Run(fmt::format(R"({{"bus": {{"errors": {}}}, "report": "r.json", {}}})", errors, kRead));
    EXPECT_EQ(output.status, 0) << output.errors;
    EXPECT_EQ(
        Json::parse(ReadText(folder_ / "r.json")).at("channels")[0].at("transfers")[0].at("status"),
        "slverr");
  }
  EXPECT_EQ(Refusal(Transfer(R"("base": 0, "count": [], "stride": [])")),
            "j.json: channels[0].transfers[0].count is []: legal is an array of 1 to 4 entries");
  EXPECT_EQ(Refusal(Transfer(R"("base": 0, "count": [4], "stride": [1, 2])")),
            "j.json: channels[0].transfers[0].stride has 2 entries and count has 1: legal is a "
            "stride for each count, in bytes (0 repeats)");
  EXPECT_EQ(Refusal(Transfer(R"("base": "a-8192", "count": [4], "stride": [1])")).substr(0, 49),
            "j.json: channels[0].transfers[0].base is \"a-8192\"");
}

TEST_F(InputTest, OneThingIsSingular) {
  Proves({"in.members"});
  WriteFile(folder_ / "one", "1");
  EXPECT_EQ(Refusal(Memory(R"("data": {"file": "one", "skip": 0, "size": 4})")),
            "j.json: memories[0].data.file is \"one\": one has 1 byte, legal are at least 4");
  EXPECT_EQ(Refusal(Memory(R"("data": {"file": "one", "skip": 2})")).substr(0, 58),
            "j.json: memories[0].data.file is \"one\": one has 1 byte, le");
  EXPECT_EQ(Refusal(Transfer(R"("base": 0, "count": [4, 2], "stride": [1])")),
            "j.json: channels[0].transfers[0].stride has 1 entry and count has 2: legal is a "
            "stride for each count, in bytes (0 repeats)");
  EXPECT_EQ(Refusal(R"({"memories": [{"name": "b", "base": 8, "size": 4},
                                     {"name": "a", "base": 9, "data": {"file": "one"}}], )" +
                    kRead + "}")
                .substr(0, 63),
            "j.json: memories[1].base is 0x9: a (1 byte) would overlap b (0x");
  const auto verdict = [&](const char* expected) {
    return Run(fmt::format(R"({{"memories": [{{"name": "a", "base": 0, "data": {{"hex": "00"}}}}],
        "channels": [{{"direction": "read",
                      "transfers": [{{"base": 0, "count": [1], "stride": [1]}}],
                      "stream": {{"expect": {{"hex": "{}"}}}}}}]}})",
                           expected),
               "--quiet")
        .out;
  };
  EXPECT_EQ(verdict("0001"),
            "FAILED channels[0].stream.expect: it has 1 byte, the job expects 2\n");
}

TEST_F(InputTest, CheckRefusesWhatRunRefuses) {
  Proves({"in.members"});
  fs::create_directory(folder_ / "folder");
  for (const std::string& job : std::vector<std::string>{
           R"({"bus": {"service": "one-queued", "write_order": "data-first"}, )" + kRead + "}",
           R"({"config": "nix", )" + kRead + "}", R"({"report": "j.json", )" + kRead + "}",
           Memory(R"("data": {"file": "none"})"), Memory(R"("size": 8, "data": {"file": "five"})"),
           Memory(R"("size": 2)"), R"({"wave": "x", "report": "x", )" + kRead + "}",
           Memory(R"("size": 4, "dump": "/dev/null")"), R"({"report": "/dev/null", )" + kRead + "}",
           R"({"wave": "folder", )" + kRead + "}", R"({"timeline": "/dev/null", )" + kRead + "}"}) {
    const std::string sentence = Refusal(job);
    const Output check = Tessera("check j.json", "cd " + folder_.path() + ";");
    EXPECT_EQ(check.status, 2) << job;
    EXPECT_EQ(check.out.substr(0, 20), sentence.substr(0, 20));
  }
  EXPECT_EQ(
      Refusal(Memory(R"("size": 4, "dump": "/dev/null")")),
      "j.json: memories[0].dump is \"/dev/null\": it is a device, legal is a regular file or a "
      "new name");
  EXPECT_EQ(
      Refusal(R"({"bus": {"service": "one-queued", "write_order": "data-first"}, )" + kRead + "}"),
      "j.json: bus.write_order is \"data-first\": legal is \"free\" where service is not "
      "\"parallel\"");
}

TEST_F(InputTest, OptionsThatDoNotFitAreRefused) {
  Proves({"cli.arguments"});
  const std::string job = kJobs + "/copy.json";
  ExpectWrongWords({"run " + job + " --config ''",
                    "run " + job + " --out ''",
                    "run ''",
                    "check ''",
                    "soak --seconds nan",
                    "soak --seconds inf",
                    "bench --speed --speed-seconds nan",
                    "frob --help",
                    "run --frob --help",
                    "config frob --help",
                    "soak x --help",
                    "bench --wave-from 3",
                    "bench --wave w --wave-from 9 --wave-to 3",
                    "bench --list --csv x",
                    "bench --speed --check",
                    "soak --wave w",
                    "soak --merge a --cases 3",
                    "soak --replay a --config typical",
                    "soak --failures 0",
                    "show " + job + " --elem 4",
                    "show --transfer 0 --base 0 --count 4",
                    "show --base 0 --count 4 --on-last",
                    "show --base 0 --count 4 --direction read --on-last",
                    "show --base 0 --count 4 --direction write --last 1",
                    "run " + job + " --seed 1 --seed 2",
                    "run " + job + " --quiet=maybe",
                    "run " + job + " --wave",
                    "config show"},
                   folder_);
}

TEST_F(InputTest, AConfigurationThatIsNotBuiltComesWithTheCommandThatBuildsIt) {
  Proves({"cli.wrong-input"});
  for (const char* name : {"narrow_bus", "wide"}) {
    if (IsBuilt(name)) continue;
    const std::string sentence =
        Refusal("{\"config\": \"" + std::string(name) + "\", " + kRead + "}");
    EXPECT_NE(sentence.find(std::string("=") + name + " && cmake --build"), std::string::npos)
        << sentence;
  }
}

TEST_F(InputTest, NamesAndTextsAreShownWithoutControlCharacters) {
  Proves({"in.shown"});
  const std::string name = "a\x1b[31m\xff\n\xe2\x80\xae.json";  // colour, no UTF-8, newline, turned
  const std::string text =
      R"({"about": "\u001b[2J\u009b bell \u0007", "report": "r.json",)" + kRead + "}";
  WriteFile(folder_ / name, text);
  const std::string quoted = "'" + (folder_ / name) + "'";
  const std::string out = " --out '" + (folder_ / "o\x1b\xfe") + "'";
  for (const std::string& words : std::vector<std::string>{
           "run " + quoted + out, "check " + quoted, "show " + quoted, "show --json " + quoted,
           "show " + quoted + " --svg '" + (folder_ / "x.svg") + "' --html '" +
               (folder_ / "x.html") + "'",
           "run 'x\x1b\xff'", "run " + quoted + " --frob '\x1b\xff'", "soak --merge '\x1b\xff'"}) {
    const Output output = Tessera(words);
    for (const std::string& shown : {output.out, output.errors}) {
      EXPECT_EQ(shown.find_first_of("\x1b\xff\xfe\x07"), std::string::npos) << shown;
      EXPECT_EQ(shown.find("\xe2\x80\xae"), std::string::npos) << shown;
      EXPECT_EQ(shown.find("\xc2\x9b"), std::string::npos) << shown;
    }
  }
  for (const char* file : {"x.svg", "x.html", "o\x1b\xfe/r.json"}) {
    const std::string shown = ReadText(folder_ / file);
    EXPECT_GT(shown.size(), 100u) << file;
    EXPECT_EQ(shown.find_first_of("\x1b\xff\xfe\x07"), std::string::npos) << file;
  }
}

// The same of the commands without a job.
TEST_F(InputTest, NamesAreShownWithoutControlCharactersInEveryCommand) {
  Proves({"in.shown"});
  const std::string odd = "a\x1b[31m\xff\n\xe2\x80\xae";
  const auto copy = [&](const std::string& from, const std::string& end) {
    fs::copy_file(TESSERA_SOURCE_DIR "/examples/" + from, folder_ / (odd + end));
    return "'" + (folder_ / (odd + end)) + "'";
  };
  const std::string spec = copy("gen/pair.json", ".spec");
  WriteFile(folder_ / (odd + ".case"), R"({"config": "n\u001bx\n\u009b"})");
  WriteFile(folder_ / (odd + ".soak"),
            R"({"soak": 1, "rows": [{"config": "n\u001bx", "seeds": [], "cases": 1, "failed": 1,
                "transfers": 0, "cycles": 0, "beats": 0, "compared": 0, "seconds": 0,
                "reproduce": ["\u001b[2J"]}]})");
  const auto quoted = [&](const std::string& end) { return "'" + (folder_ / (odd + end)) + "'"; };
  ExpectShownPlain({{"gen --check " + spec + " " + quoted(".case"), 2},
                    {"gen " + spec + " -o " + quoted(".made"), 0},
                    {"soak --replay " + quoted(".case"), 1},
                    {"soak --merge " + quoted(".soak"), 1}});
}

// What a library throws is told in a sentence of the program's own.
TEST_F(InputTest, NoLibrarySpeaksForTheProgram) {
  Proves({"in.shown"});
  const std::string file = folder_ / "r.json";
  for (
      const auto& [words, text, sentence] :
      std::vector<std::tuple<std::string, std::string, std::string>>{
          {"show " + kJobs + "/ping_pong.json --run ", R"({"timeline": {"first": 1}})",
           "--run is \"@\": timeline.last is missing, legal is a report of `tessera run --report`"},
          {"show " + kJobs + "/ping_pong.json --run ", R"({"timeline": {"first": "x"}})",
           "--run is \"@\": timeline.first is \"x\" and not a cycle, legal is a report of `tessera "
           "run --report`"},
          {"show " + kJobs + "/ping_pong.json --run ", R"({"timeline": 3})",
           "--run is \"@\": timeline is 3 and not an object, legal is a report of `tessera run "
           "--report`"},
          {"soak --replay ", R"({"seed": "x"})",
           "--replay @: seed is \"x\", another kind of value: legal is a case that a soak left"},
          {"soak --replay ", R"({"reads": [{"base": [1]}]})",
           "--replay @: base is [1]: legal is a number from 0 to 18446744073709551615: legal is a "
           "case that a soak left"},
          {"soak --merge ", R"({"soak": "x"})",
           "--merge @: is no result of a soak: legal is a file of --save"}}) {
    if (words.starts_with("show") && !IsBuiltDma("basic")) continue;
    WriteFile(file, text);
    const Output output = Tessera(words + file);
    EXPECT_EQ(output.status, 2) << words << text;
    std::string expected = sentence + "\n";
    expected.replace(expected.find('@'), 1, file);
    EXPECT_EQ(output.errors, expected);
  }
}

TEST_F(InputTest, QuietSaysWhatIsWrong) {
  Proves({"run.compares"});
  const std::string good = "{" + kRead + "}";
  EXPECT_EQ(Run(good, "--quiet").out, "");
  const Output bad = Run(
      R"({"memories": [{"name": "a", "base": 0, "data": {"hex": "00010203"}, "expect": {"hex": "01010203"}}], )" +
          kRead + "}",
      "--quiet");
  EXPECT_EQ(bad.status, 1);
  EXPECT_EQ(bad.out, "FAILED memories[0].expect: byte 0 is 0x00, the job expects 0x01\n");
}

TEST_F(InputTest, TheVerdictCountsWhatItSays) {
  Proves({"run.compares"});
  const Output output = Run(R"({
    "memories": [{"name": "a", "base": 4096, "data": {"pattern": "ramp", "size": 20}},
                 {"name": "b", "base": 8192, "size": 20, "expect": {"pattern": "ramp", "size": 20}}],
    "channels": [{"direction": "read", "transfers": [{"base": "a", "count": [20], "stride": [1]}]},
                 {"direction": "write", "transfers": [{"base": "b", "count": [20], "stride": [1]}],
                  "stream": {"channel": "read"}}]})");
  EXPECT_NE(output.out.find("; 3 beats, 2 records and 20 bytes of memory compared, 20 bytes with "
                            "what the job expects, no difference\n"),
            std::string::npos)
      << output.out;
}

TEST_F(InputTest, ATransferThatWrapsAtTheTopHasItsLeast) {
  Proves({"run.compares"});
  for (const auto& [base, start] :
       std::vector<std::pair<std::string, int>>{{"0xffffffffffffffc0", 0}, {"0x0", -64}}) {
    const Output output =
        Run(fmt::format(R"({{"report": "r.json", "channels": [{{"direction": "read",
        "transfers": [{{"base": "{}", "start": [{}], "count": [128], "stride": [1]}}]}}]}})",
                        base, start));
    ASSERT_EQ(output.status, 0) << output.out << output.errors;
    const Json channel = Json::parse(ReadText(folder_ / "r.json")).at("channels")[0];
    EXPECT_EQ(channel.at("bursts"), 2);
    EXPECT_EQ(channel.at("bursts_least"), 2);
    EXPECT_EQ(channel.at("bus_beats_least"), 16);
    EXPECT_GT(channel.at("limit").get<double>(), 0.5);
    EXPECT_LE(channel.at("utilisation").get<double>(), channel.at("limit").get<double>());
  }
}

// Processor time of a run of so many transfers.
double Seconds(const TempFolder& folder, int transfers) {
  std::string list;
  for (int k = 0; k < transfers; ++k) {
    list += fmt::format("{}{{\"base\": {}, \"count\": [8], \"stride\": [1]}}", k == 0 ? "" : ",",
                        4096 + 8 * (k % 512));
  }
  WriteFile(folder / "j.json",
            R"({"channels": [{"direction": "read", "transfers": [)" + list + "]}]}");
  rusage before{}, after{};
  getrusage(RUSAGE_CHILDREN, &before);
  EXPECT_EQ(Tessera("run " + (folder / "j.json")).status, 0);
  getrusage(RUSAGE_CHILDREN, &after);
  const auto of = [](const rusage& u) {
    return static_cast<double>(u.ru_utime.tv_sec) + 1e-6 * static_cast<double>(u.ru_utime.tv_usec);
  };
  return of(after) - of(before);
}

TEST_F(InputTest, TimeGrowsWithTheTransfersAndNotFaster) {
  Proves({"run.linear"});
  const double few = Seconds(folder_, 8000), many = Seconds(folder_, 64000);
  EXPECT_LT(many, 8 * 2 * few) << few << " s and " << many << " s";
}

}  // namespace
}  // namespace tessera
