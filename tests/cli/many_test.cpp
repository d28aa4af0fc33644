// tessera run with several channels, on every configuration that has them.
#include <fmt/format.h>

#include <string>

#include "tb/check/plan.h"
#include "tests/cli/run_fixture.h"

namespace tessera {
namespace {

class RunMany : public RunTest {
 protected:
  void SetUp() override {
    if (Fabrics().empty()) GTEST_SKIP() << "no configuration with several channels is built";
  }
  Json Report() const { return Json::parse(ReadText(folder_ / "r.json")); }
};

TEST_F(RunMany, EveryEngineOfEveryConfigurationWorks) {
  Proves({"run.channels", "run.configurations"});
  // Read k feeds write k; reads that are left over have a sink. Odd addresses and lengths.
  for (const FabricConfig& config : Fabrics()) {
    Json job{{"report", "r.json"}, {"bus", {{"latency", {2, 30}}, {"r", "p=0.9"}}}};
    Json& memories = job["memories"];
    Json& channels = job["channels"];
    uint64_t bytes = 0;
    for (int k = 0; k < config.reads; ++k) {
      const int size = 301 + 70 * k;
      const std::string n = std::to_string(k);
      const Json data{{"pattern", "random"}, {"seed", k + 1}, {"size", size}};
      memories.push_back({{"name", "from" + n}, {"base", 0x10001 + 0x1000 * k}, {"data", data}});
      channels.push_back(
          {{"name", "read" + n},
           {"direction", "read"},
           {"engine", k},
           {"weight", 1 + k % 3},
           {"transfers", {{{"base", "from" + n}, {"count", {size}}, {"stride", {1}}}}},
           {"stream", {{"pacer", k % 2 == 0 ? "always" : "p=0.8"}}}});
      bytes += static_cast<uint64_t>(size);
      if (k >= config.writes) continue;
      memories.push_back(
          {{"name", "to" + n}, {"base", 0x40003 + 0x1000 * k}, {"size", size}, {"expect", data}});
      channels.push_back({{"name", "write" + n},
                          {"direction", "write"},
                          {"engine", k},
                          {"transfers", {{{"base", "to" + n}, {"count", {size}}, {"stride", {1}}}}},
                          {"stream", {{"channel", "read" + n}}}});
    }
    const Output output = Run(job.dump(), "--config " + config.channel.name);
    ASSERT_EQ(output.status, 0) << config.channel.name << "\n" << output.out << output.errors;
    uint64_t read = 0;
    const Json report = Report();
    for (const Json& port : report.at("ports")) {
      if (port.at("direction") == "read") read += port.at("bytes").get<uint64_t>();
    }
    EXPECT_EQ(read, bytes) << config.channel.name;
  }
}

TEST_F(RunMany, EveryExampleRunsOrIsRefusedWithAReason) {
  Proves({"run.channels", "run.examples"});
  for (const FabricConfig& config : Fabrics()) {
    const std::string name = config.channel.name;
    size_t ran = 0;
    for (const std::string& example : Examples()) {
      const Output output = Tessera("run " + kJobs + "/" + example + ".json --config " + name +
                                    " --out " + folder_.path());
      if (output.status == 0) {
        ++ran;
        continue;
      }
      EXPECT_EQ(output.status, 2) << example << " on " << name << "\n"
                                  << output.out << output.errors;
      EXPECT_TRUE(output.errors.find("legal") != std::string::npos &&
                  output.errors.find(name) != std::string::npos)
          << example << " on " << name << ": " << output.errors;
    }
    EXPECT_GE(ran, 5u) << name;
  }
}

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
    if (config.room_beats == 0) continue;  // everything is asked for: the queue is in the memory
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

TEST_F(RunMany, AGuardThatStopsAChannelEndsTheJobAndSaysWhy) {
  Proves({"run.ends"});
  for (const FabricConfig& config : Fabrics()) {
    if (!config.guard) continue;
    const std::string job =
        R"({"channels": [{"direction": "read", "engine": 1, "transfers": [
          {"base": 0, "count": [4], "stride": [1]}, {"base": 0, "count": [64], "stride": [1]}],
          "stream": {"pacer": "%"}}], "bus": {"r": "#"}})";
    const auto ends = [&](const char* r, const char* stream, const std::string& what) {
      std::string text = job;
      text.replace(text.find('%'), 1, stream);
      text.replace(text.find('#'), 1, r);
      const Output output = Run(text, "--config " + config.channel.name);
      EXPECT_EQ(output.status, 1) << output.out;
      EXPECT_NE(output.out.find("the guard of read engine 1 stopped it in transfer 0: " + what),
                std::string::npos)
          << output.out;
    };
    ends("never", "always",
         fmt::format("memory let it wait for {} cycles, and legal is less (cause bus_time)",
                     config.silence));
    if (config.stream_silence == 0) continue;
    ends("always", "never",
         fmt::format("its stream let it wait for {} cycles, and legal is less (cause stream_time)",
                     config.stream_silence));
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

}  // namespace
}  // namespace tessera
