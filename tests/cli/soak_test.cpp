// tessera soak with RTL that is broken on purpose: the failure is told, shrunk, kept and
// reproduced.
//
// This program has its own MakeDut: a model whose read engine flips a bit of the stream. The model
// is TESSERA_MODEL, which the build chooses. With the argument `soak` it is that command, so that a
// test can let file operations of it fail.
#include <gtest/gtest.h>

#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

#include "tb/check/plan.h"
#include "tb/random/case.h"
#include "tessera_models.h"
#include "tests/cli/faults.h"
#include "tests/cli/temp_folder.h"
#include "tools/program/commands.h"

namespace tessera {
namespace {

Model<Config, Dut> Whole() { return TESSERA_MODEL(); }

// Beats of the stream with 4 bytes and more have bit 5 of byte 3 wrong.
class BrokenDut final : public Dut {
 public:
  explicit BrokenDut(std::unique_ptr<Dut> whole) : whole_(std::move(whole)) {}
  const Config& config() const override { return whole_->config(); }
  void Settle() override {
    whole_->aresetn = aresetn;
    static_cast<PairPorts&>(*whole_) = *this;
    whole_->Settle();
    static_cast<PairPorts&>(*this) = *whole_;
    if (m_axis.valid && m_axis->keep[3]) m_axis->data[3] ^= 0x20;
  }
  void Edge() override { whole_->Edge(); }
  void Trace(const std::string& path) override { whole_->Trace(path); }

 private:
  std::unique_ptr<Dut> whole_;
};

}  // namespace

std::vector<Config> Configs() { return {Whole().config}; }
std::unique_ptr<Dut> MakeDut(const std::string&, uint64_t seed) {
  return std::make_unique<BrokenDut>(Whole().make(Whole().config, seed));
}

namespace {

class Soak : public ::testing::Test {
 protected:
  int Run(std::vector<std::string> words) {
    std::vector<const char*> argv{"tessera"};
    for (const std::string& word : words) argv.push_back(word.c_str());
    testing::internal::CaptureStdout();
    const int status = cli::Main(static_cast<int>(argv.size()), argv.data());
    out_ = testing::internal::GetCapturedStdout();
    return status;
  }
  std::vector<std::string> Files(const std::string& extension) const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
      if (entry.path().extension() == extension) names.push_back(entry.path().string());
    }
    return names;
  }
  const TempFolder temp_;
  const std::string folder_ = temp_.path();
  std::string out_;
};

TEST_F(Soak, AFailureIsShrunkKeptAndReproduced) {
  Proves({"cli.soak"});
  ASSERT_EQ(Run({"soak", "--config", Whole().config.name, "--cases", "50", "--seed", "7", "--out",
                 folder_, "--shrink-runs", "300"}),
            1)
      << out_;
  // The table, and a line that reproduces it.
  EXPECT_TRUE(std::regex_search(out_, std::regex(R"(\d+ passed, 1 failed)"))) << out_;
  std::smatch line;
  ASSERT_TRUE(std::regex_search(
      out_, line, std::regex(R"(reproduce: tessera soak --config (\w+) --seed (\d+) --cases 1)")));
  EXPECT_EQ(line[1], Whole().config.name);
  const std::string seed = line[2];
  // The shrunk case: one read and nothing else, of few elements; with a waveform.
  const std::vector<std::string> cases = Files(".json"), waves = Files(".fst");
  ASSERT_EQ(cases.size(), 1U);
  EXPECT_EQ(waves.size(), 1U);
  std::ifstream file(cases[0]);
  const Case smallest = CaseFromJson(Json::parse(file));
  EXPECT_EQ(smallest.reads.size(), 1U);
  EXPECT_TRUE(smallest.writes.empty());
  uint64_t bytes = static_cast<uint64_t>(smallest.reads[0].elem);
  for (const uint32_t count : smallest.reads[0].count) bytes *= count;
  EXPECT_LE(bytes, 8U) << model::ToString(smallest.reads[0]);
  // Both ways to reproduce it do.
  EXPECT_EQ(Run({"soak", "--replay", cases[0]}), 1);
  EXPECT_NE(out_.find("FAILED"), std::string::npos) << out_;
  EXPECT_NE(out_.find(": 1 difference from the reference model"), std::string::npos) << out_;
  EXPECT_EQ(Run({"soak", "--config", Whole().config.name, "--seed", seed, "--cases", "1", "--out",
                 folder_, "--shrink-runs", "0"}),
            1);
}

TEST_F(Soak, FailuresOfShardsAddUp) {
  Proves({"cli.soak"});
  for (const char* shard : {"0/2", "1/2"}) {
    EXPECT_EQ(Run({"soak", "--cases", "40", "--shard", shard, "--shrink-runs", "0", "--out",
                   folder_, "--save", folder_ + "/" + shard[0] + ".rows"}),
              1);
  }
  EXPECT_EQ(Run({"soak", "--merge", folder_ + "/0.rows", folder_ + "/1.rows"}), 1);
  EXPECT_NE(out_.find(" passed, 2 failed"), std::string::npos) << out_;
}

// Case and waveform are whole or not there, and the failure is told whatever fails.
TEST_F(Soak, EveryFileOperationOfAFailureMayFail) {
  Proves({"out.faults"});
#ifdef TESSERA_SANITIZED
  GTEST_SKIP() << "the sanitizers want to be loaded first";
#endif
  const std::string out = folder_ + "/out";
  const std::string command =
      "soak --config " + Whole().config.name + " --cases 50 --seed 7 --shrink-runs 0 --out " + out;
  const std::vector<std::string> calls = Calls(command, out, folder_ + "/log", 1);
  const std::vector<std::string> whole = Names(out);
  ASSERT_EQ(whole.size(), 2u);  // NAME.fst, NAME.json
  const auto size = std::filesystem::file_size(out + "/" + whole[1]);
  size_t told = 0;
  for (size_t n = 1; n <= calls.size(); ++n) {
    const std::string what = std::to_string(n) + " " + calls[n - 1];
    std::filesystem::remove_all(out);
    const Output output = Faulty(command, out, n);
    EXPECT_EQ(output.status, 1) << what << output.errors;
    EXPECT_NE(output.out.find("\nreproduce: tessera soak --config "), std::string::npos) << what;
    const std::vector<std::string> left =
        std::filesystem::exists(out) ? Names(out) : std::vector<std::string>();
    for (const std::string& name : left) {
      EXPECT_TRUE(name == whole[0] || name == whole[1]) << what << " " << name;
    }
    const bool json = std::find(left.begin(), left.end(), whole[1]) != left.end();
    if (json) {
      EXPECT_EQ(std::filesystem::file_size(out + "/" + whole[1]), size) << what;
    }
    EXPECT_EQ(output.out.find("no case, no waveform: ") == std::string::npos, json) << what;
    if (left == whole) {  // closing what is only looked at says nothing about a file
      EXPECT_EQ(calls[n - 1], "close") << what;
      continue;
    }
    EXPECT_NE(output.out.find(std::string(": cannot be written: ") + std::strerror(EIO)),
              std::string::npos)
        << what << output.out;
    ++told;
  }
  EXPECT_GT(told, 10u);
}

TEST_F(Soak, EndsWhenTimeIsUp) {
  Proves({"cli.soak"});
  const auto start = std::chrono::steady_clock::now();
  Run({"soak", "--seconds", "0.5", "--shards", "2", "--failures", "1000000", "--shrink-runs", "0",
       "--out", folder_});
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
  EXPECT_NE(out_.find(Whole().config.name), std::string::npos) << out_;
}

}  // namespace
}  // namespace tessera

int main(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "soak") return tessera::cli::Main(argc, argv);
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
