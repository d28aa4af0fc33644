// The command: its options, its messages, a picture, and the examples of the manual.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tb/check/plan.h"
#include "tests/show/enumerate.h"
#include "tools/program/commands.h"
#include "tools/show/direct.h"

namespace tessera::show {
namespace {

namespace fs = std::filesystem;

struct Outcome {
  std::string out;
  std::string error;  // of an exception
};

// "show --count 3 ...", split at blanks.
Outcome Call(const std::string& arguments) {
  CLI::App app{"Explains transfers", "tessera"};
  app.require_subcommand(1);
  cli::RegisterShow(app, nullptr);
  std::istringstream words(arguments);
  std::vector<std::string> all{std::istream_iterator<std::string>(words), {}};
  std::reverse(all.begin(), all.end());
  Outcome outcome;
  testing::internal::CaptureStdout();
  try {
    app.parse(all);
  } catch (const std::exception& error) {
    outcome.error = error.what();
  }
  fflush(stdout);
  outcome.out = testing::internal::GetCapturedStdout();
  return outcome;
}

std::string Read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / fmt::format("tessera_show_{}", getpid())) {
    fs::create_directories(path_);
  }
  ~Folder() { fs::remove_all(path_); }
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }

 private:
  fs::path path_;
};

// A block of the manual that begins with "$ tessera": the command and what it prints; "..." stands
// for lines left out at the end.
TEST(Manual, ExamplesAreWhatTheCommandPrints) {
  Proves({"show.manual"});
  std::istringstream page(Read(fs::path(TESSERA_ROOT) / "docs/show.md"));
  std::string line, expected, printed;
  size_t blocks = 0;
  bool inside = false;
  while (std::getline(page, line)) {
    if (line.rfind("$ tessera ", 0) == 0) {
      const fs::path before = fs::current_path();
      fs::current_path(TESSERA_ROOT);
      printed = Call(line.substr(10)).out;
      fs::current_path(before);
      expected.clear();
      inside = true;
      ++blocks;
    } else if (inside && (line == "```" || line == "...")) {
      EXPECT_EQ(printed.substr(0, expected.size()), expected);
      EXPECT_FALSE(expected.empty());
      inside = false;
    } else if (inside) {
      expected += line + "\n";
    }
  }
  EXPECT_GE(blocks, 1U);
}

// Byte by byte; TESSERA_UPDATE=1 in the environment writes the expected picture.
TEST(Command, ThePictureIsTheExpectedOne) {
  Proves({"show.manual"});
  const Folder folder;
  const fs::path expected = fs::path(TESSERA_ROOT) / "tests/show/transpose.svg";
  const std::string file =
      std::getenv("TESSERA_UPDATE") != nullptr ? expected.string() : folder / "transpose.svg";
  EXPECT_EQ(Call("show --elem 4 --base 0x1000 --count 3,4 --stride 16,4 --svg " + file).error, "");
  EXPECT_TRUE(Read(file) == Read(expected))
      << expected
      << " is another picture: TESSERA_UPDATE=1 show_tests --gtest_filter=Command.ThePicture*";
}

TEST(Command, JsonHoldsWhatTheAnalysisSays) {
  Proves({"show.json"});
  const Outcome outcome =
      Call("show --json --elem 4 --base 0x1000 --count 64,64 --stride 256,4 --latency 7 --table 5");
  const auto json = nlohmann::json::parse(outcome.out);
  ASSERT_EQ(json.size(), 1U);
  const auto& t = json[0];
  EXPECT_EQ(t["positions"], 4096);
  EXPECT_EQ(t["engine"]["bursts"], 4096);
  EXPECT_EQ(t["cycles"].size(), 1U);
  EXPECT_EQ(t["cycles"][0]["latency"], 7);
  EXPECT_EQ(t["cycles"][0]["engine"], 4096);
  EXPECT_EQ(t["table"].size(), 5U);
  EXPECT_EQ(t["table"][4]["address"], "0x1400");
  EXPECT_EQ(t["advice"][0]["kind"], "order");
  EXPECT_EQ(t["advice"][0]["bursts"]["after"], 32);
  EXPECT_EQ(t["addresses"]["high"], "0x4fff");
}

TEST(Command, ReadsJobFiles) {
  const std::string job = (fs::path(TESSERA_ROOT) / "examples/jobs/halo.json").string();
  const auto all = nlohmann::json::parse(Call("show --json " + job).out);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0]["direction"], "read");
  EXPECT_EQ(all[1]["direction"], "write");
  const auto named = nlohmann::json::parse(Call("show --json --transfer halo " + job).out);
  ASSERT_EQ(named.size(), 1U);
  EXPECT_EQ(named[0], all[0]);
  const auto numbered =
      nlohmann::json::parse(Call("show --json --transfer 1 --config wide " + job).out);
  EXPECT_EQ(numbered[0]["config"]["bus_bytes"], 64);
}

TEST(Command, WritesPictureAndPage) {
  const Folder folder;
  const std::string svg = folder / "a.svg", html = folder / "a.html";
  EXPECT_EQ(Call(fmt::format("show --count 8,8 --stride 1,64 --svg {} --html {}", svg, html)).error,
            "");
  EXPECT_EQ(Read(svg).rfind("<svg ", 0), 0U);
  EXPECT_EQ(Read(html).rfind("<!doctype html>", 0), 0U);
}

TEST(Command, OneOfAThingIsNotSeveral) {
  Proves({"show.picture", "show.notes"});
  const Folder folder;
  EXPECT_EQ(Call("show --base 1 --count 1 --svg " + folder / "t.svg").error, "");
  const std::string picture = Read(folder / "t.svg");
  EXPECT_NE(picture.find("1 position, 1 in memory, 0 fill; 1 row, 1 burst (no fewer would do), "
                         "1 bus word, 1 stream beat<"),
            std::string::npos)
      << picture;
  const std::string text = Call("show --base 7 --elem 2 --count 1").out;
  EXPECT_NE(text.find("1 of 1 row with data begins inside a bus word of 8 bytes: 2 bus words"),
            std::string::npos)
      << text;
}

TEST(Command, WrongInputIsASentence) {
  Proves({"cli.wrong-input"});
  const std::string job = (fs::path(TESSERA_ROOT) / "examples/jobs/halo.json").string();
  const std::vector<std::pair<std::string, std::string>> all{
      {"show", "tessera show: JOB is missing: legal is a job file, or --count and --base"},
      {"show " + job + " --count 3", "JOB excludes --count"},
      {"show nowhere.json", "nowhere.json: cannot be read"},
      {"show " + job + " --transfer 2", "--transfer is \"2\": legal is 0 to 1, or the name"},
      {"show " + job + " --svg x.svg", "has 2 transfers: --transfer says which one is drawn"},
      {"show " + job + " --config huge",
       "--config is \"huge\": legal is one of loopback, loopback_wide, minimal,"},
      {"show --count 4 --config no_bounds --bound 3", "bound[0] is 3: this build has no bounds"},
      {"show --count 4 --elem 3", "elem is 3: legal are the powers of two"},
      {"show --count 4 --base 12z", "--base is \"12z\": legal is 0 to 0xffffffffffffffff"},
      {"show --count 4 --base -1", "--base is \"-1\": legal is 0 to"},
      {"show --count 4 --fill x", "--fill is \"x\": legal is 0 to"},
      {"show --base 4", "--count is absent: legal is 1 to 8 numbers"},
      {"show --count 4 --stride 1,2", "--stride is 2 numbers: legal is at most 1"},
      {"show --count 4 --walk 4:1:2", "--walk is \"4:1:2\": legal is DIM:STEP:COUNT"},
      {"show --count 4 --walk 0:1", "--walk is \"0:1\": legal is DIM:STEP:COUNT"},
      {"show --count 4 --last 9", "--last is \"9\": legal is never, transfer, task, or a level"},
      {"show --count 4 --svg /proc/nowhere/x.svg", "/proc/nowhere/x.svg: cannot be written"},
      {"show --count 4,4,4,4,4 --stride 8,64,512,4096,-3 --start 1",
       "--count is of 5 dimensions: legal is four where --start"},
      {"show --count 4,4,4,4,4 --stride 8,64,512,4096,3",
       "--count is of 5 dimensions: legal is four, and up to four more"}};
  for (const auto& [arguments, message] : all) {
    const Outcome outcome = Call(arguments);
    EXPECT_NE(outcome.error.find(message), std::string::npos)
        << arguments << "\nsays: " << outcome.error;
    EXPECT_EQ(outcome.out, "") << arguments;
  }
}

TEST(Command, CountsBeyond64BitsAreToldAsSuch) {
  const std::string huge = "show --count 4294967295,4294967295,16 --stride 1,8,16";
  const std::string text = Call(huge).out;
  for (const char* told :
       {"  positions  at least 18 446 744 073 709 551 615  at least 16 EiB of stream\n",
        "    read     at least 18 446 744 073 709 551 615  at least 16 EiB of memory\n",
        "\nCosts, at least\n", "The first 16 of at least 18 446 744 073 709 551 615 positions\n"}) {
    EXPECT_NE(text.find(told), std::string::npos) << told << " is not in\n" << text;
  }
  const nlohmann::json json = nlohmann::json::parse(Call(huge + " --json").out).at(0);
  for (const char* count : {"positions", "data", "stream_bytes", "memory_bytes"}) {
    EXPECT_TRUE(json.at(count).is_null()) << count << " is " << json.at(count);
  }
  EXPECT_EQ(json.at("fill"), 0);
  EXPECT_EQ(json.at("exact"), false);
  const nlohmann::json bounded =
      nlohmann::json::parse(
          Call("show --count 2000000000,2000000000,16 --stride 1,8,16 --bound 4,4,4 --json").out)
          .at(0);
  EXPECT_TRUE(bounded.at("fill").is_null()) << bounded.at("fill");
  EXPECT_NE(Call("show --count 4294967295,1024").out.find("  positions  4 398 046 510 080  4 TiB"),
            std::string::npos);
}

std::vector<uint64_t> Addresses(const model::Transfer& t) {
  std::vector<uint64_t> all;
  model::Walk(t, {}, [&](const model::Position& p) {
    all.push_back(p.addr);
    return true;
  });
  return all;
}

// More dimensions than a transfer has, against loops.
TEST(Direct, MoreThanFourDimensions) {
  struct Wide {
    std::vector<uint32_t> count;
    std::vector<int64_t> stride;
  };
  const std::vector<Wide> all{{{2, 3, 4, 5, 6}, {1, 2, 6, 24, 120}},
                              {{2, 3, 2, 3, 2, 2}, {1, 10, 100, 1000, 5000, 20000}},
                              {{2, 1, 2, 3, 2, 2}, {4, 7, -40, 100, 5000, 20000}},
                              {{2, 2, 2, 2, 2, 2, 2, 2}, {1, 3, 9, 27, 81, 243, 729, 2187}}};
  for (const Wide& wide : all) {
    DirectOptions options;
    options.base = "0x100000";
    options.count = wide.count;
    options.stride = wide.stride;
    const DirectTransfer made = MakeDirect(options);
    EXPECT_FALSE(made.notes.empty());
    std::vector<uint64_t> expected{0x100000};
    for (size_t d = 0; d < wide.count.size(); ++d) {
      std::vector<uint64_t> more;
      for (uint32_t i = 0; i < wide.count[d]; ++i) {
        for (const uint64_t a : expected) {
          more.push_back(a + static_cast<uint64_t>(int64_t{i} * wide.stride[d]));
        }
      }
      expected = more;
    }
    EXPECT_EQ(Addresses(made.value), expected);
  }
}

// -2^63 / -1 is more than 64 bits have.
TEST(Direct, TheLeastStrideIsNoMultipleOfMinusOne) {
  DirectOptions options;
  options.count = {2, 2, 2, 2, 2};
  options.stride = {-1, 100, 1000, 10000, std::numeric_limits<int64_t>::min()};
  EXPECT_THROW(MakeDirect(options), std::invalid_argument);
  options.stride[1] = int64_t{1} << 40;
  const DirectTransfer made = MakeDirect(options);
  EXPECT_EQ(made.value.walk[0], (model::WalkLevel{1, -(1 << 23), 2}));
}

TEST(Direct, AbsentStridesAreContiguous) {
  DirectOptions options;
  options.elem = 2;
  options.count = {3, 4};
  EXPECT_EQ(MakeDirect(options).value.stride, (std::array<int64_t, 4>{2, 6, 0, 0}));
  options.stride = {10};
  EXPECT_EQ(MakeDirect(options).value.stride, (std::array<int64_t, 4>{10, 30, 0, 0}));
}

}  // namespace
}  // namespace tessera::show
