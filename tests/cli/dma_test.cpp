// tessera run on tessera_dma: programs of locks, descriptors, tasks and triggers, driven by
// registers; what cannot end well is refused.
#include <fmt/format.h>

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tb/check/plan.h"
#include "tests/cli/run_fixture.h"

namespace tessera {
namespace {

class RunDma : public RunTest {
 protected:
  void SetUp() override {
    if (!IsBuiltDma("basic")) GTEST_SKIP() << "build basic of tessera_dma is not built";
  }
  Json Report() const { return Json::parse(ReadText(folder_ / "r.json")); }
  // Runs an example and gives its report.
  Json Example(const std::string& name) {
    const Output output =
        Tessera("run " + kJobs + "/" + name + ".json --out " + folder_.path() + " --report r.json");
    EXPECT_EQ(output.status, 0) << output.out << output.errors;
    return Report();
  }
  // Cycles in which the transfers of a channel were done.
  static std::vector<uint64_t> Done(const Json& report, const std::string& channel) {
    std::vector<uint64_t> cycles;
    for (const Json& c : report.at("channels")) {
      if (c.at("name") != channel) continue;
      for (const Json& t : c.at("transfers")) cycles.push_back(t.at("done"));
    }
    return cycles;
  }
};

// Two channels that hand a buffer over; `change` is put in for `what`.
std::string Handover(const std::string& what = "", const std::string& change = "") {
  std::string text = R"({"dma": "basic", "report": "r.json",
    "memories": [{"name": "b", "base": 4096, "size": 64}],
    "locks": [{"name": "full"}],
    "descriptors": [
      {"name": "put", "base": "b", "count": [64], "stride": [1], "release": {"lock": "full", "add": 1}},
      {"name": "get", "base": "b", "count": [64], "stride": [1], "acquire": {"lock": "full", "at_least": 1}}],
    "channels": [
      {"name": "in", "direction": "write", "tasks": [{"start": "put"}],
       "stream": {"source": {"pattern": "ramp", "size": 64}}},
      {"name": "out", "direction": "read", "tasks": [{"start": "get"}],
       "stream": {"expect": {"pattern": "ramp", "size": 64}}}]})";
  const size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return what.empty() ? text : text.replace(at, what.size(), change);
}

TEST_F(RunDma, LocksKeepTheOrderOfABuffer) {
  Proves({"run.dma"});
  const Output output = Run(Handover());
  ASSERT_EQ(output.status, 0) << output.out << output.errors;
  const Json report = Report();
  EXPECT_EQ(report.at("dma").at("tasks"), 2);
  EXPECT_EQ(report.at("dma").at("descriptors"), 2);
  EXPECT_GE(report.at("dma").at("register_writes"), 2 * 16);
  EXPECT_GE(report.at("dma").at("interrupts"), 1);
  EXPECT_EQ(report.at("dma").at("locks").at(0).at("value"), 0);
  EXPECT_LT(Done(report, "in").at(0), Done(report, "out").at(0));
  EXPECT_NE(output.out.find("locks at the end: full 0"), std::string::npos) << output.out;
}

TEST_F(RunDma, PingPongFillsOneBufferWhileTheOtherIsSent) {
  Proves({"run.dma", "run.examples"});
  const Json report = Example("ping_pong");
  const std::vector<uint64_t> in = Done(report, "fill"), out = Done(report, "send");
  ASSERT_EQ(in.size(), 8u);
  ASSERT_EQ(out.size(), 8u);
  for (size_t k = 0; k < 8; ++k) EXPECT_LT(in[k], out[k]) << k << ": sent before it was full";
  for (size_t k = 2; k < 8; ++k) EXPECT_LT(out[k - 2], in[k]) << k << ": filled before it was sent";
  EXPECT_LT(in[1], out[0] + 200) << "the second buffer waited for the first";
  EXPECT_EQ(report.at("compared_records"), 16);
}

TEST_F(RunDma, ARingIsOneDescriptorEachWayAndSilentTransfersCount) {
  Proves({"run.dma", "run.examples"});
  const Json report = Example("ring");
  EXPECT_EQ(report.at("dma").at("descriptors"), 2);
  EXPECT_EQ(report.at("dma").at("tasks"), 2);
  for (const Json& c : report.at("channels")) EXPECT_EQ(c.at("bytes"), 5120) << c.at("name");
  EXPECT_EQ(report.at("dma").at("locks").at(0).at("value"), 4);
}

TEST_F(RunDma, ATaskWaitsForItsPinAndSendsItsToken) {
  Proves({"run.dma", "run.examples"});
  const Json report = Example("frames");
  EXPECT_EQ(report.at("dma").at("tokens"), 6);
  const std::vector<uint64_t> sent = Done(report, "display"), kept = Done(report, "camera");
  std::vector<uint64_t> pins;
  for (const Json& event : report.at("timeline").at("events")) pins.push_back(event.at(0));
  ASSERT_EQ(pins.size(), 5u);
  ASSERT_EQ(sent.size(), 5u);
  for (size_t k = 0; k < 5; ++k) {
    EXPECT_EQ(pins[k] - pins[0], 900 * k);
    // 384 beats after the pin rose, and what it takes to begin; not before.
    EXPECT_GT(sent[k], pins[k] + 384) << k;
    EXPECT_LT(sent[k], pins[k] + 384 + 120) << k;
    EXPECT_GT(kept[k], sent[k] + 384) << k << ": received before it was sent";
  }
  // The display sends one at the end of its five frames, the camera one with each.
  for (const Json& lane : report.at("timeline").at("channels")) {
    const std::vector<uint64_t>& done = lane.at("name") == "display" ? sent : kept;
    const size_t first = lane.at("name") == "display" ? 4 : 0;
    const Json& tokens = lane.at("tokens");
    ASSERT_EQ(tokens.size(), 5 - first) << lane.at("name");
    for (size_t k = 0; k < tokens.size(); ++k) {
      EXPECT_GE(tokens[k].at(0), done[first + k]) << lane.at("name") << k;
      EXPECT_LE(tokens[k].at(0), done[first + k] + 20) << lane.at("name") << k;
    }
  }
}

TEST_F(RunDma, JobsOfEnginesRunOnADescriptorAndATaskForEachTransfer) {
  Proves({"run.dma"});
  size_t ran = 0;
  for (const std::string& name : Examples()) {
    if (std::set<std::string>{"marks", "fence", "headers"}.contains(name)) {
      continue;  // basic has no TUSER, no windows and no headers
    }
    const Output output = Tessera("run " + kJobs + "/" + name + ".json --dma basic --out " +
                                  folder_.path() + " --report r.json");
    if (name == "channels") {  // three channels each way
      EXPECT_EQ(output.status, 2);
      EXPECT_NE(output.errors.find("legal is at most 1 read channel"), std::string::npos)
          << output.errors;
      continue;
    }
    EXPECT_EQ(output.status, 0) << name << "\n" << output.out << output.errors;
    const Json report = Report();
    EXPECT_EQ(report.at("dma").at("tasks") > 0, true) << name;
    EXPECT_GT(report.at("compared"), 0) << name;
    ++ran;
  }
  EXPECT_GT(ran, 10u);
}

TEST_F(RunDma, MoreTransfersThanDescriptorsTakeTurns) {
  Proves({"run.dma"});
  Json transfers = Json::array();
  for (int k = 0; k < 100; ++k) {
    transfers.push_back({{"base", 4096 + 8 * k}, {"count", {8}}, {"stride", {1}}});
  }
  const Json job{{"report", "r.json"},
                 {"channels", {{{"direction", "read"}, {"transfers", transfers}}}}};
  const Output output = Run(job.dump(), "--dma basic");
  ASSERT_EQ(output.status, 0) << output.out << output.errors;
  EXPECT_EQ(Report().at("dma").at("descriptors"), 100);
  EXPECT_EQ(Report().at("compared_records"), 100);
}

TEST_F(RunDma, ErrorsOfTheBusAreInTheRecords) {
  Proves({"run.dma"});
  const Output output = Run(
      R"({"dma": "basic", "report": "r.json", "channels": [{"direction": "read", "transfers": [
        {"base": 0, "count": [64], "stride": [1]}, {"base": 4096, "count": [64], "stride": [1]},
        {"base": 8192, "count": [64], "stride": [1]}]}],
        "bus": {"errors": {"first": 4100, "last": 4107, "response": "decerr"}}})");
  ASSERT_EQ(output.status, 0) << output.out << output.errors;
  const Json transfers = Report().at("channels").at(0).at("transfers");
  EXPECT_EQ(transfers.at(0).at("status"), "ok");
  EXPECT_EQ(transfers.at(1).at("status"), "decerr");
  EXPECT_EQ(transfers.at(1).at("error_address"), 4096);
  EXPECT_EQ(transfers.at(2).at("status"), "ok");
}

TEST_F(RunDma, ErrorsOfTheBusGoWithBuffersThatChannelsShare) {
  Proves({"run.dma", "run.channels"});
  const auto with = [](const std::string& errors) {
    return Handover("\"channels\"", "\"bus\": {\"errors\": " + errors + "}, \"channels\"");
  };
  // What `get` reads with an error is sent as memory gave it.
  std::string text =
      with(R"({"first": 4112, "last": 4119, "response": "slverr", "writes": false})");
  const std::string expect = R"("stream": {"expect": {"pattern": "ramp", "size": 64}})";
  text.replace(text.find(expect), expect.size(), R"("stream": {})");
  Output output = Run(text);
  ASSERT_EQ(output.status, 0) << output.out << output.errors;
  EXPECT_EQ(Report().at("channels").at(0).at("transfers").at(0).at("status"), "ok");
  EXPECT_EQ(Report().at("channels").at(1).at("transfers").at(0).at("status"), "slverr");
  EXPECT_EQ(Report().at("channels").at(1).at("transfers").at(0).at("error_address"), 4112);
  // Writes that fail, in a memory that keeps them.
  output = Run(with(R"({"first": 4112, "last": 4119, "response": "decerr", "reads": false})"));
  ASSERT_EQ(output.status, 0) << output.out << output.errors;
  EXPECT_EQ(Report().at("channels").at(0).at("transfers").at(0).at("status"), "decerr");
  EXPECT_EQ(Report().at("channels").at(0).at("transfers").at(0).at("error_address"), 4096);
  EXPECT_EQ(Report().at("channels").at(1).at("transfers").at(0).at("status"), "ok");
}

TEST_F(RunDma, ChannelsShareThePortByWeightAndBeatsAreKnownByTheirId) {
  Proves({"run.dma", "run.channels"});
  if (!IsBuiltDma("several")) GTEST_SKIP() << "build several of tessera_dma is not built";
  const Output output = Tessera("run " + kJobs + "/channels.json --dma several --out " +
                                folder_.path() + " --report r.json");
  ASSERT_EQ(output.status, 0) << output.out << output.errors;
  for (const Json& c : Report().at("channels")) {
    EXPECT_EQ(c.at("bus_beats"), c.at("bus_beats_least")) << c.at("name");
    EXPECT_EQ(c.at("bytes"), 9216);
  }
  EXPECT_EQ(Report().at("ports").size(), 4u);  // two, reading and writing
}

TEST_F(RunDma, WhatCannotEndWellIsRefusedWithASentence) {
  Proves({"run.dma-refused"});
  const std::string end = ": legal is a program that comes to its end";
  const std::pair<std::pair<const char*, const char*>, std::string> wrong[] = {
      {{R"("at_least": 1)", R"("at_least": 2)"},
       "j.json: descriptors[1] (get of out) waits for lock full to be at least 2, which is 1 "
       "(released by put)" +
           end},
      {{R"("add": 1)", R"("add": -1)"},
       "j.json: descriptors[0].release.add is -1: lock full would become -1, legal are 0 to 63"},
      {{R"(, "acquire": {"lock": "full", "at_least": 1})", ""},
       "j.json: descriptors[1] of out reads address 0x1000, which descriptors[0] of in writes: "
       "legal is an order by locks or triggers, for what is there must not depend on time"},
      {{R"("locks": [{"name": "full"}])", R"("locks": [{"name": "full", "value": 1}])"},
       "j.json: descriptors[1] of out reads address 0x1000, which descriptors[0] of in writes: "
       "legal is an order by locks or triggers, for what is there must not depend on time"},
      {{R"("size": 64}}})", R"("size": 60}}})"},
       "j.json: descriptors[0] (put of in) waits for more than its stream brings (64 bytes, "
       "channels[0].stream.source); descriptors[1] (get of out) waits for lock full to be at "
       "least 1, which is 0 (released by put)" +
           end},
      {{R"([{"start": "get"}])", R"([{"start": "get", "repeats": 0}])"},
       "j.json: channels[1].tasks[0].repeats is 0: legal is an integer from 1 to 65536, or "
       "\"0x...\""},
      {{R"([{"start": "get"}])", R"([{"start": "got"}])"},
       "j.json: channels[1].tasks[0].start is \"got\": legal is the name of a descriptor (put, "
       "get)"},
      {{R"("name": "put",)", R"("name": "put", "next": "put",)"},
       "j.json: descriptors[0].next is \"put\": the chain leads in a circle, legal is one that "
       "ends (a task repeats it)"},
      {{R"({"lock": "full", "at_least": 1})", R"({"lock": "fool", "at_least": 1})"},
       "j.json: descriptors[1].acquire.lock is \"fool\": legal is the name of a lock (full)"},
      {{R"("tasks": [{"start": "get"}])", R"("tasks": [{"start": "get", "trigger": true}])"},
       "j.json: channels[1] has no member \"trigger\": legal is what channels[1].tasks[0] waits "
       "for"},
      {{R"("tasks": [{"start": "get"}])",
        R"("trigger": {"pin": 2}, "tasks": [{"start": "get", "trigger": true}])"},
       "j.json: descriptors[1] (get of out) waits for pin 2 for the 1. time, which comes 0 times" +
           end},
      {{R"("tasks": [{"start": "get"}])",
        R"("trigger": {"done": "out"}, "tasks": [{"start": "get", "trigger": true}])"},
       "j.json: descriptors[1] (get of out) waits for transfer 1 of out, which does 0" + end},
      {{R"("dma": "basic")", R"("dma": "basic", "config": "typical")"},
       "j.json: config is \"typical\": legal is none beside \"dma\", which is a build of "
       "tessera_dma"},
      {{R"("dma": "basic")", R"("config": "typical")"},
       "j.json: locks is given: configuration typical has no registers, legal is a build of "
       "tessera_dma as \"dma\""},
      {{R"("dma": "basic")", R"("dma": "basik")"},
       "j.json: dma is \"basik\": legal are the builds"},
      {{R"("direction": "read", "tasks")", R"("direction": "read", "offer": "p=0.5", "tasks")"},
       "j.json: channels[1].offer is given: legal is none with \"dma\", where registers take "
       "tasks"},
      {{R"([{"name": "full"}])", R"([{"name": "full", "number": 16}])"},
       "j.json: locks[0].number is 16: legal is a lock from 0 to 15 (configuration basic)"},
  };
  for (const auto& [change, sentence] : wrong) {
    const std::string refusal = Refusal(Handover(change.first, change.second));
    EXPECT_TRUE(refusal.starts_with(sentence)) << refusal << "\nexpected " << sentence;
  }
}

TEST_F(RunDma, AListInMemoryIsExecutedByATask) {
  Proves({"run.dma", "run.examples"});
  const Json report = Example("list");
  const Json& transfers = report.at("channels").at(0).at("transfers");
  ASSERT_EQ(transfers.size(), 6u);
  const char* names[] = {"first", "middle", "last"};
  for (size_t k = 0; k < 6; ++k) EXPECT_EQ(transfers.at(k).at("name"), names[k % 3]) << k;
  EXPECT_EQ(report.at("dma").at("tasks"), 2);
  EXPECT_EQ(report.at("compared_records"), 7);
}

TEST_F(RunDma, ARingIsFedWhileItsChannelWorks) {
  Proves({"run.dma", "run.examples"});
  const Json report = Example("doorbell");
  const Json& transfers = report.at("channels").at(0).at("transfers");
  ASSERT_EQ(transfers.size(), 6u);
  // Three fit into four places; the fourth is added when there is room.
  EXPECT_EQ(transfers.at(2).at("offered"), transfers.at(0).at("offered"));
  EXPECT_GT(transfers.at(3).at("offered"), transfers.at(2).at("offered"));
  EXPECT_EQ(report.at("channels").at(0).at("bytes"), 6144);
  EXPECT_EQ(report.at("compared_bytes"), 64) << "four entries of 16 bytes";
  // Without entries each leaves a record.
  Json job = Json::parse(ReadText(kJobs + "/doorbell.json"));
  Json& ring = job.at("channels").at(0).at("ring");
  ring.erase("entries");
  ring.erase("interrupt");
  const Output output = Run(job.dump());
  ASSERT_EQ(output.status, 0) << output.out << output.errors;
  EXPECT_NE(output.out.find("6 records and 0 bytes of memory compared"), std::string::npos)
      << output.out;
}

TEST_F(RunDma, AFrameBeginsWithItsMark) {
  Proves({"run.dma", "run.examples"});
  if (!IsBuiltDma("several")) GTEST_SKIP() << "build several of tessera_dma is not built";
  const Json report = Example("marks");
  EXPECT_EQ(report.at("channels").at(0).at("bytes"), 192);
  EXPECT_EQ(report.at("compared_bytes"), 192);
  const auto changed = [](const char* member, const Json& value) {
    Json job = Json::parse(ReadText(kJobs + "/marks.json"));
    job[Json::json_pointer(member)] = value;
    return job.dump();
  };
  // The bytes that come before the first mark go nowhere.
  Json job = Json::parse(changed("/memories/0/expect", Json{{"pattern", "ramp"}, {"value", 20}}));
  EXPECT_EQ(Run(job.dump()).status, 0);
  job["memories"][0]["expect"]["value"] = 0;
  EXPECT_EQ(Run(job.dump()).status, 1);
  EXPECT_EQ(Refusal(changed("/channels/0/stream/marks", Json{1, 3})),
            "j.json: descriptors[0] (frame of camera) waits for frame 3 of its stream, which marks "
            "2: legal is a program that comes to its end");
  // A frame that ends before its transfer does.
  EXPECT_EQ(Refusal(changed("/channels/0/stream/marks", Json{1, 2, 3, 4})),
            "j.json: descriptors[0] (frame of camera) waits for more than its stream brings (64 "
            "bytes, channels[0].stream.source): legal is a program that comes to its end");
  EXPECT_EQ(Refusal(changed("/dma", "basic")),
            "j.json: channels[0].stream.marks is given: legal is none, for there is no TUSER "
            "(configuration basic)");
}

TEST_F(RunDma, AnEndlessTaskIsStoppedAndAPausedChannelGoesOn) {
  Proves({"run.dma", "run.examples"});
  const Json report = Example("endless");
  const std::vector<uint64_t> shown = Done(report, "display"), noted = Done(report, "logger");
  EXPECT_EQ(shown.size(), 4u) << "stopped after three: one more turn";
  ASSERT_EQ(noted.size(), 6u) << "as many packets as there are";
  EXPECT_EQ(report.at("compared_records"), 10);
  std::map<std::string, uint64_t> events;
  for (const Json& e : report.at("timeline").at("events")) events[e.at(1)] = e.at(0);
  const uint64_t paused = events.at("pause logger"), resumed = events.at("resume logger");
  EXPECT_GT(resumed, shown.at(1));
  for (const uint64_t cycle : noted) EXPECT_TRUE(cycle < paused || cycle > resumed) << cycle;
  bool held = false;
  for (const Json& s : report.at("timeline").at("channels").at(1).at("states")) {
    held = held || (s.at(1) == "held" && s.at(0) >= paused && s.at(0) < paused + 100);
  }
  EXPECT_TRUE(held) << "the timeline has no pause";
  EXPECT_LT(events.at("stop display"), shown.at(3));
  // Without the stop: a turn for each pin.
  Json job = Json::parse(ReadText(kJobs + "/endless.json"));
  job["report"] = "r.json";
  job["actions"].erase(2);
  Output output = Run(job.dump());
  ASSERT_EQ(output.status, 0) << output.out << output.errors;
  EXPECT_EQ(Done(Report(), "display").size(), 8u);
  job["actions"][1] = Json{{"do", "resume"}, {"channel", "logger"}, {"at", 900000}};
  job["actions"].insert(job["actions"].end(),
                        Json{{"do", "stop"}, {"channel", "display"}, {"at", 990000}});
  output = Run(job.dump());
  EXPECT_EQ(output.status, 0) << output.out << output.errors;
  EXPECT_NE(output.out.find("note: actions[2] was not done: all tasks ended before"),
            std::string::npos)
      << output.out;
}

// What the engine has taken is finished, and nothing else is begun until the resume.
TEST_F(RunDma, ADrainedChannelEndsWhatItHasBegunAndGoesOn) {
  Proves({"run.dma"});
  Json job = Json::parse(ReadText(kJobs + "/endless.json"));
  job["report"] = "r.json";
  job["channels"][1]["stream"]["source"]["size"] = 15000;
  job["actions"] = Json::array({{{"do", "drain"}, {"channel", "logger"}, {"at", 300}},
                                job["actions"][2],
                                {{"do", "resume"}, {"channel", "logger"}, {"at", 8000}}});
  const Output output = Run(job.dump());
  ASSERT_EQ(output.status, 0) << output.out << output.errors;
  const Json report = Report();
  const std::vector<uint64_t> noted = Done(report, "logger");
  ASSERT_EQ(noted.size(), 30u) << "as many packets as there are";
  std::map<std::string, uint64_t> events;
  for (const Json& e : report.at("timeline").at("events")) events[e.at(1)] = e.at(0);
  const uint64_t drained = events.at("drain logger"), resumed = events.at("resume logger");
  size_t begun = 0, later = 0;
  for (const uint64_t cycle : noted) {
    begun += cycle > drained && cycle < resumed ? 1 : 0;
    later += cycle > resumed ? 1 : 0;
    EXPECT_TRUE(cycle < resumed - 3000 || cycle > resumed) << cycle;
  }
  EXPECT_GT(begun, 0u);
  EXPECT_GT(later, 0u);
}

TEST_F(RunDma, EndlessTasksAndActionsThatCannotBeAreRefused) {
  Proves({"run.dma-refused"});
  const auto refuses = [&](const char* member, const Json& value, const std::string& sentence) {
    Json job = Json::parse(ReadText(kJobs + "/endless.json"));
    job[Json::json_pointer(member)] = value;
    EXPECT_EQ(Refusal(job.dump()), "j.json: " + sentence) << member;
  };
  refuses("/channels/0/tasks/0/repeats", 2,
          "channels[0].tasks[0].repeats is 2: legal is none beside \"endless\", which has no last "
          "turn");
  refuses("/channels/0/tasks/0/paced", false,
          "channels[0].tasks[0].endless is true: legal is a task whose turns something counts: "
          "paced by a pin, by software or by the marks of its stream, or with a source that brings "
          "a turn's bytes");
  refuses("/channels/0/tasks/1", Json{{"start", "show"}},
          "channels[0].tasks[0].endless is true: legal is false, or true in the last task of its "
          "channel");
  refuses("/actions/1/do", "stop",
          "actions[0].do is \"pause\": legal is \"pause\" with a \"resume\" that follows");
  refuses("/actions", Json::array({{{"do", "drain"}, {"channel", "logger"}, {"at", 500}}}),
          "actions[0].do is \"drain\": legal is \"drain\" with a \"resume\" that follows");
  refuses("/actions/0/do", "abort",
          "actions[0].do is \"abort\": legal is one of pause, drain, resume, stop");
  refuses("/actions/0/do", "resume",
          "actions[0].do is \"resume\": legal is \"resume\" of a channel that an action before has "
          "paused or drained");
  refuses("/actions/0/channel", "lagger",
          "actions[0].channel is \"lagger\": legal is the name of a channel");
  refuses(
      "/descriptors/1/record", false,
      "descriptors[1].record is false: legal is none in channels[1].tasks[0], which is endless");
}

TEST_F(RunDma, AWindowRefusesWhatLeavesIt) {
  Proves({"run.dma", "run.examples"});
  if (!IsBuiltDma("several")) GTEST_SKIP() << "build several of tessera_dma is not built";
  const Json report = Example("fence");
  const Json& transfers = report.at("channels").at(0).at("transfers");
  ASSERT_EQ(transfers.size(), 3u);
  for (const Json& transfer : transfers) {
    EXPECT_EQ(transfer.at("status"), "ok");
    EXPECT_EQ(transfer.at("bytes"), 4096);
  }
  const auto refuses = [&](const char* member, const Json& value, const std::string& sentence) {
    Json job = Json::parse(ReadText(kJobs + "/fence.json"));
    job[Json::json_pointer(member)] = value;
    EXPECT_EQ(Refusal(job.dump()), "j.json: " + sentence) << member;
  };
  refuses("/channels/0/windows/0/size", 100,
          "channels[0].windows[0].size is 0x64: legal is a multiple of 4096, for windows are whole "
          "pages");
  refuses("/dma", "basic",
          "channels[0].windows has 2 entries: legal is none, for there are no windows "
          "(configuration basic)");
  refuses(
      "/descriptors/0/count/0", 9000,
      "descriptors[0] leaves the windows of send at address 0x12000: legal is a transfer that lies "
      "in them");
}

TEST_F(RunDma, AHeaderGoesBeforeItsPacket) {
  Proves({"run.dma", "run.examples"});
  if (!IsBuiltDma("several")) GTEST_SKIP() << "build several of tessera_dma is not built";
  const Json report = Example("headers");
  const auto of = [&](size_t channel) { return report.at("channels").at(channel); };
  EXPECT_EQ(of(0).at("bytes"), 128) << "headers do not count";
  EXPECT_EQ(of(0).at("stream_beats"), 34) << "two packets of 16 words and their headers";
  EXPECT_EQ(of(1).at("bytes"), 136) << "they are data for who receives them";
  // 3 | 4 << 5 | 2 << 12, row 3 << 16 and column 9 << 21 have eight ones: bit 31 makes them odd.
  Json job = Json::parse(ReadText(kJobs + "/headers.json"));
  Json& word = job["memories"][1]["expect"]["values"][0];
  EXPECT_EQ(word, 0x81232083);
  word = 0x01232083;
  EXPECT_EQ(Run(job.dump()).status, 1);
  // The record comes before the last beat is taken.
  word = 0x81232083;
  job["channels"].erase(1);
  job["memories"].erase(1);
  job["descriptors"].erase(2);
  job["channels"][0]["stream"] = Json{{"pacer", "bursts=1-1/150-150"}};
  EXPECT_EQ(Run(job.dump()).status, 0);
  job = Json::parse(ReadText(kJobs + "/headers.json"));
  job["descriptors"][0]["header"]["id"] = 32;
  EXPECT_EQ(
      Refusal(job.dump()),
      "j.json: descriptors[0].header.id is 32: legal is an integer from 0 to 31, or \"0x...\"");
  job["descriptors"][0]["header"]["id"] = 3;
  job["dma"] = "basic";
  EXPECT_EQ(
      Refusal(job.dump()),
      "j.json: descriptors[0].header is given: legal is none, for there are no packet headers "
      "(configuration basic)");
}

TEST_F(RunDma, AControlPacketFiresAnEvent) {
  Proves({"run.dma", "run.examples"});
  const Json report = Example("remote");
  const std::vector<uint64_t> sent = Done(report, "display");
  const Json& events = report.at("timeline").at("events");
  ASSERT_EQ(sent.size(), 3u);
  ASSERT_EQ(events.size(), 3u);
  for (size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(events.at(k).at(1), "packet 5");
    const uint64_t fired = events.at(k).at(0);
    EXPECT_EQ(fired - events.at(0).at(0).get<uint64_t>(), 600 * k);
    EXPECT_GT(sent[k], fired + 128) << k;
    EXPECT_LT(sent[k], fired + 128 + 120) << k;
  }
  Json job = Json::parse(ReadText(kJobs + "/remote.json"));
  job["dma"] = "plain";
  if (IsBuiltDma("plain")) {
    EXPECT_EQ(Refusal(job.dump()),
              "j.json: events[0].packet is true: legal is false, for there are no control packets "
              "(configuration plain)");
  }
}

TEST_F(RunDma, ListsThatCannotBeAreRefused) {
  Proves({"run.dma-refused"});
  const auto refuses = [&](const std::string& example, const char* member, const Json& value,
                           const std::string& sentence) {
    Json job = Json::parse(ReadText(kJobs + "/" + example + ".json"));
    job[Json::json_pointer(member)] = value;
    EXPECT_EQ(Refusal(job.dump()), "j.json: " + sentence) << member;
  };
  refuses("list", "/channels/0/list/base", "lists+8",
          "channels[0].list.base is 0x30008: legal is a multiple of 64");
  refuses("list", "/channels/0/list/base", "lists+512",
          "channels[0].list.base is 0x30200: it takes 576 bytes, legal is where a memory has so "
          "many");
  refuses("list", "/channels/0/list/base", "matrix",
          "descriptors[0] visits address 0x10000, which is that of channels[0].list.base: legal is "
          "other memory");
  refuses(
      "list", "/channels/0/list/descriptors/1", "muddle",
      "channels[0].list.descriptors[1] is \"muddle\": legal is the name of a descriptor (first, "
      "middle, last, keep)");
  refuses(
      "list", "/descriptors/0/next", "last",
      "channels[0].list.descriptors[0] is \"first\": it has \"next\", which a list ignores: legal "
      "is a descriptor without");
  refuses("list", "/channels/1/tasks/0", Json{{"list", true}},
          "channels[1].tasks[0] takes descriptors from a list: legal is a channel with a member "
          "\"list\"");
  refuses("doorbell", "/channels/0/ring/entries", "ring+512",
          "channels[0].ring.entries is 0x20200: its 64 bytes would overlap channels[0].ring.base, "
          "legal is memory of its own");
  refuses("doorbell", "/channels/0/ring/places", 1,
          "channels[0].ring.places is 1: legal is an integer from 2 to 65535, or \"0x...\"");
}

TEST_F(RunDma, AnOrderByATriggerIsAnOrder) {
  Proves({"run.dma-refused"});
  // The reader waits for the writer's transfer instead of its lock.
  const std::string job =
      Handover(R"("name": "out", "direction": "read", "tasks": [{"start": "get"}])",
               R"("name": "out", "direction": "read", "trigger": {"done": "in"},
                                      "tasks": [{"start": "got", "trigger": true}])");
  std::string text = job;
  const std::string get =
      R"("name": "get", "base": "b", "count": [64], "stride": [1], "acquire": {"lock": "full", "at_least": 1})";
  text.replace(text.find(get), get.size(),
               R"("name": "got", "base": "b", "count": [64], "stride": [1])");
  const Output output = Run(text);
  EXPECT_EQ(output.status, 0) << output.out << output.errors;
}

TEST_F(RunDma, WhatDoesNotEndSaysWhoWaits) {
  Proves({"run.ends", "run.dma"});
  const Output output =
      Run(Handover(R"("stream": {"expect")", R"("stream": {"pacer": "never", "expect")"));
  EXPECT_EQ(output.status, 1) << output.errors;
  EXPECT_NE(output.out.find("no handshake for"), std::string::npos) << output.out;
  EXPECT_NE(output.out.find("read channel 0 waits for its stream, TVALID 1 TREADY 0"),
            std::string::npos)
      << output.out;
}

using Timeline = RunDma;

TEST_F(Timeline, TheRecordsOfARunStandAtTheirCycles) {
  Proves({"run.timeline"});
  const Json report = Example("ping_pong");
  const Json& lanes = report.at("timeline").at("channels");
  ASSERT_EQ(lanes.size(), 2u);
  for (size_t c = 0; c < 2; ++c) {
    const Json& transfers = report.at("channels").at(c).at("transfers");
    const Json& records = lanes.at(c).at("records");
    ASSERT_EQ(records.size(), transfers.size());
    for (size_t k = 0; k < records.size(); ++k) {
      EXPECT_EQ(records.at(k).at(0), transfers.at(k).at("done"));
      EXPECT_EQ(records.at(k).at(1), transfers.at(k).at("name"));
    }
  }
}

TEST_F(Timeline, LocksAndStatesAreThoseOfTheRun) {
  Proves({"run.timeline"});
  const Json report = Example("ping_pong");
  const Json& timeline = report.at("timeline");
  // `send` waits for the first buffer until it is full, and not later.
  const uint64_t full = report.at("channels").at(0).at("transfers").at(0).at("done");
  bool waited = false;
  for (const Json& change : timeline.at("channels").at(1).at("states")) {
    if (change.at(1) != "lock full") continue;
    waited = waited || change.at(0).get<uint64_t>() < full;
  }
  EXPECT_TRUE(waited);
  // No value that the program never gives, and the last one is that at the end.
  for (size_t k = 0; k < 2; ++k) {
    const Json& lock = timeline.at("locks").at(k);
    for (const Json& change : lock.at("values")) EXPECT_LE(change.at(1), 2) << lock.at("name");
    EXPECT_EQ(lock.at("values").back().at(1), report.at("dma").at("locks").at(k).at("value"));
  }
}

// A lock changes three cycles behind the stamp of the record of the transfer that releases it, and
// is taken four cycles later where a channel waits for it.
TEST_F(Timeline, EveryChangeOfALockStandsAtItsCycle) {
  Proves({"run.timeline"});
  const Json report = Example("ring");
  const std::vector<uint64_t> sent = Done(report, "consumer");
  ASSERT_EQ(sent.size(), 10u);
  const auto changes = [&](size_t lock) {
    std::vector<std::pair<uint64_t, int>> list;
    for (const Json& c : report.at("timeline").at("locks").at(lock).at("values")) {
      list.emplace_back(c.at(0), c.at(1));
    }
    return list;
  };
  std::vector<uint64_t> rises, falls;
  for (size_t lock = 0; lock < 2; ++lock) {
    const auto list = changes(lock);
    ASSERT_EQ(list.size(), 21u) << "10 are given and 10 taken";
    rises.clear();
    falls.clear();
    for (size_t n = 1; n < list.size(); ++n) {
      EXPECT_EQ(std::abs(list[n].second - list[n - 1].second), 1) << list[n].first;
      (list[n].second > list[n - 1].second ? rises : falls).push_back(list[n].first);
    }
    if (lock > 0) continue;
    for (size_t k = 0; k < 10; ++k) EXPECT_EQ(rises.at(k), sent[k] + 3) << "free, " << k;
  }
  // `full`: the consumer waits for the first of them and goes on four cycles later.
  EXPECT_EQ(falls.at(0), rises.at(0) + 4);
  const Json& consumer = report.at("timeline").at("channels").at(1).at("states");
  const auto waits = std::find_if(consumer.begin(), consumer.end(),
                                  [](const Json& s) { return s.at(1) == "lock full"; });
  ASSERT_NE(waits, consumer.end());
  EXPECT_LT(waits->at(0), rises.at(0));
  EXPECT_NEAR((waits + 1)->at(0).get<double>(), static_cast<double>(falls.at(0)), 4);
}

TEST_F(Timeline, ATriggerThatIsMissedIsToldWithItsCycle) {
  Proves({"run.timeline"});
  const std::string job =
      R"({"dma": "basic", "report": "r.json", "channels": [{"name": "out", "direction": "read",
        "trigger": {"pin": 3}, "tasks": [{"start": "a", "repeats": 2, "paced": true}]}],
        "descriptors": [{"name": "a", "base": 4096, "count": [1024], "stride": [1]}],
        "events": [{"pin": 3, "at": [100, 116, COUNT]}]})";
  const auto with = [&](const std::string& cycles) {
    std::string text = job;
    return text.replace(text.find("COUNT"), 5, cycles);
  };
  // Two are taken, for a turn is prepared while one runs; the third waits, the others are lost.
  Output output = Run(with("132, 148, 164"));
  ASSERT_EQ(output.status, 0) << output.out << output.errors;
  const Json pins = Report().at("timeline").at("events");
  const Json missed = Report().at("timeline").at("channels").at(0).at("missed");
  size_t lost = 0;
  for (const Json& miss : missed) {
    const uint64_t after = miss.at(0).get<uint64_t>() - pins.at(3 + lost++).at(0).get<uint64_t>();
    EXPECT_NEAR(static_cast<double>(after), 2.5, 0.5) << "two stages, which may take one more";
  }
  EXPECT_EQ(lost, 2u);
  EXPECT_NE(output.out.find("note: channel out missed 2 triggers in cycles"), std::string::npos)
      << output.out;
  EXPECT_NE(Report().at("notes").dump().find("missed 2 triggers"), std::string::npos);
  output = Run(with("200"));
  ASSERT_EQ(output.status, 0) << output.out << output.errors;
  EXPECT_EQ(output.out.find("missed"), std::string::npos) << output.out;
  EXPECT_NE(output.out.find("note: no task of channel out took its last trigger"),
            std::string::npos)
      << output.out;
}

TEST_F(RunDma, AGuardThatStopsTheLastTransferIsNamed) {
  Proves({"run.ends", "run.dma"});
  for (const char* way : {"read", "write"}) {
    const std::string write = R"(, "stream": {"source": {"pattern": "ramp", "size": 64}})";
    const Output output = Run(fmt::format(
        R"({{"dma": "basic", "timeout": 20000, "bus": {{"r": "never", "b": "never"}},
          "channels": [{{"name": "c", "direction": "{}", "transfers": [
            {{"base": 4096, "count": [64], "stride": [1]}}]{}}}]}})",
        way, way == std::string("write") ? write : ""));
    EXPECT_EQ(output.status, 1) << output.errors;
    EXPECT_NE(output.out.find("FAILED channel c has stopped in descriptor 0: its guard found "
                              "bus_time"),
              std::string::npos)
        << output.out;
  }
}

TEST_F(Timeline, IsDrawnOnRequestAndStandsOnThePageOfItsProgram) {
  Proves({"run.timeline", "show.program"});
  const Output run = Tessera("run " + kJobs + "/ping_pong.json --out " + folder_.path() +
                             " --report r.json --timeline t.svg");
  ASSERT_EQ(run.status, 0) << run.out << run.errors;
  const std::string svg = ReadText(folder_ / "t.svg");
  for (const char* word : {">fill<", ">send<", ">free<", ">full<", ">queue<"}) {
    EXPECT_NE(svg.find(word), std::string::npos) << word;
  }
  const Output show = Tessera("show " + kJobs + "/ping_pong.json --run " + (folder_ / "r.json") +
                              " --html " + (folder_ / "p.html") + " --svg " + (folder_ / "s.svg"));
  ASSERT_EQ(show.status, 0) << show.errors;
  EXPECT_NE(ReadText(folder_ / "p.html").find("id=\"timeline\""), std::string::npos);
  EXPECT_NE(ReadText(folder_ / "s.svg").find(">fill<"), std::string::npos);
  EXPECT_EQ(Tessera("show " + kJobs + "/ping_pong.json --run " + kJobs + "/ping_pong.json").status,
            2);
  const Output refused =
      Tessera("run " + kJobs + "/copy.json --timeline t.svg --out " + folder_.path());
  EXPECT_EQ(refused.status, 2);
  EXPECT_NE(refused.errors.find("timeline is given: configuration typical has no registers"),
            std::string::npos)
      << refused.errors;
}

TEST_F(Timeline, OfAnotherJobIsRefused) {
  Proves({"run.timeline"});
  const std::string report = folder_ / "r.json";
  ASSERT_EQ(Run(Handover()).status, 0);
  const auto show = [&](const std::string& text) {
    WriteFile(folder_ / "j.json", text);
    const Output output = Tessera("show " + (folder_ / "j.json") + " --run " + report);
    EXPECT_EQ(output.status, output.errors.empty() ? 0 : 2);
    return output.errors;
  };
  EXPECT_EQ(show(Handover()), "");
  const auto refused = [&](const std::string& wrong) {
    return "--run is \"" + report + "\": " + wrong + ", legal is a report of a run of j.json\n";
  };
  EXPECT_EQ(show(Handover(R"("name": "out")", R"("name": "exit")")),
            refused("its channels are in, out"));
  EXPECT_EQ(show(Handover(R"("locks": [)", R"("locks": [{"name": "free"}, )")),
            refused("its locks are full"));
  std::string renamed = Handover(R"("name": "get")", R"("name": "take")");
  renamed.replace(renamed.find(R"("start": "get")"), 14, R"("start": "take")");
  EXPECT_EQ(show(renamed), refused("it has a record of descriptor get"));
  const Output other = Tessera("show " + kJobs + "/ring.json --run " + report);
  EXPECT_EQ(other.status, 2);
  EXPECT_EQ(other.errors, "--run is \"" + report +
                              "\": it is of j.json, legal is a report of a run of ring.json\n");
}

TEST_F(RunDma, TheSaveFileNamesSignalsOfTheWaveform) {
  Proves({"run.save-file"});
  if (std::system("command -v fst2vcd >/dev/null") != 0) GTEST_SKIP() << "gtkwave is not installed";
  const Output output = Tessera("run " + kJobs + "/ring.json --wave w.fst --out " + folder_.path());
  ASSERT_EQ(output.status, 0) << output.out << output.errors;
  ExpectSignals("basic");
}

// What the on-chip buffer saves of external memory, and what is wrong about joined streams.
class RunOnChip : public RunDma {
 protected:
  void SetUp() override {
    if (!IsBuiltDma("feed")) GTEST_SKIP() << "build feed of tessera_dma is not built";
  }
  Json OnChip(const std::string& name) {
    const Output output = Tessera("run " + std::string(TESSERA_SOURCE_DIR) + "/examples/on_chip/" +
                                  name + ".json --out " + folder_.path() + " --report r.json");
    EXPECT_EQ(output.status, 0) << output.out << output.errors;
    return Report();
  }
};

TEST_F(RunOnChip, TheBufferSavesBytesOfExternalMemory) {
  Proves({"run.on-chip"});
  struct Row {
    const char* name;
    uint64_t with, without;  // bytes read
  };
  for (const Row& row : {Row{"reuse", 16384, 49152}, Row{"convolution", 11616, 245760},
                         Row{"transposition", 262144, 524288}}) {
    const Json with = OnChip(row.name), without = OnChip(std::string(row.name) + "_direct");
    EXPECT_EQ(with.at("dma").at("external_bytes_read"), row.with) << row.name;
    EXPECT_EQ(without.at("dma").at("external_bytes_read"), row.without) << row.name;
    EXPECT_EQ(with.at("dma").at("external_bytes_written"),
              without.at("dma").at("external_bytes_written"));
  }
}

TEST_F(RunOnChip, APitchOfAnOddNumberOfWordsHasFewConflicts) {
  Proves({"run.on-chip"});
  if (!IsBuiltDma("onchip")) GTEST_SKIP() << "build onchip of tessera_dma is not built";
  EXPECT_LT(OnChip("banks").at("dma").at("on_chip_conflicts"), 200);
  std::string job = ReadText(std::string(TESSERA_SOURCE_DIR) + "/examples/on_chip/banks.json");
  for (size_t at; (at = job.find("520")) != std::string::npos;) job.replace(at, 3, "512");
  EXPECT_EQ(Run(job, "--report r.json").status, 0);
  EXPECT_GT(Report().at("dma").at("on_chip_conflicts"), 1000);
}

TEST_F(RunOnChip, JoinedStreamsAreThoseOfOneNumber) {
  Proves({"run.dma-refused"});
  const auto job = [](const char* read, const char* write) {
    return fmt::format(R"({{"dma": "feed", "memories": [{{"name": "b", "base": 4096, "size": 64}}],
      "descriptors": [{{"name": "d", "base": "b", "count": [64], "stride": [1]}}],
      "channels": [{{"name": "r", "direction": "read", "tasks": [{{"start": "d"}}], {}}},
                   {{"name": "w", "direction": "write", "tasks": [{{"start": "d"}}], {}}}]}})",
                       read, write);
  };
  EXPECT_EQ(
      Refusal(job(R"("engine": 0)", R"("engine": 1, "stream": {"channel": "r"})")),
      "j.json: channels[0].engine is 0: its stream is joined inside, legal is a write channel "
      "whose stream is that of the read channel of the same number (configuration feed)");
  EXPECT_EQ(
      Refusal(job(R"("engine": 1)", R"("engine": 0, "stream": {"channel": "r"})")),
      "j.json: channels[0].engine is 1: its stream is joined inside, legal is a write channel "
      "whose stream is that of the read channel of the same number (configuration feed)");
  EXPECT_EQ(Refusal(job(R"("engine": 0, "stream": {"expect": {"pattern": "ramp", "size": 64}})",
                        R"("engine": 1, "stream": {"source": {"pattern": "ramp", "size": 64}})")),
            "j.json: channels[0].stream.expect is given: configuration feed joins its streams "
            "inside, legal is \"channel\" alone");
  EXPECT_EQ(
      Refusal(job(R"("engine": 0)",
                  R"("engine": 1, "stream": {"source": {"pattern": "ramp", "size": 64}})")),
      "j.json: channels[0].engine is 0: its stream is joined inside, legal is a write channel "
      "whose stream is that of the read channel of the same number (configuration feed)");
}

}  // namespace
}  // namespace tessera
