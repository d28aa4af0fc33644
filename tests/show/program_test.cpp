// Programs for tessera_dma in words and pictures, and the timeline of a run: what they say is held
// against the values of the job.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>
#include <stdexcept>

#include "tb/check/plan.h"
#include "tests/show/svg_texts.h"
#include "tools/show/configs.h"
#include "tools/show/program.h"

namespace tessera::show {
namespace {

job::Job Example(const std::string& name) {
  return job::LoadJob(std::string(TESSERA_ROOT) + "/examples/jobs/" + name + ".json");
}

bool Has(const std::string& text, const std::string& line) {
  return text.find(line) != std::string::npos;
}

TEST(Program, WordsOfTheRing) {
  Proves({"show.program"});
  const job::Job job = Example("ring");
  const std::string text = ProgramText(job, FindNamed(job));
  for (const char* line :
       {"program: tessera_dma basic (64-bit bus, 64-bit stream), 2 channels, 2 descriptors, 2 "
        "locks\n",
        "  producer: stream to memory, channel 0\n",
        "    task 0: put, 10 times: 10 transfers, 5 120 bytes\n",
        "  put: moves 512 bytes to ring, 512 bytes further each turn, 4 turns; waits until lock "
        "free is at least 1 and takes 1; adds 1 to lock full when done; no record\n",
        "  get: moves 512 bytes from ring, 512 bytes further each turn, 4 turns; waits until lock "
        "full is at least 1 and takes 1; adds 1 to lock free when done\n",
        "  free: lock 0, 4 at first, awaited by put, released by get\n",
        "  full: lock 1, 0 at first, awaited by get, released by put\n"}) {
    EXPECT_TRUE(Has(text, line)) << line << "is not in\n" << text;
  }
}

TEST(Program, WordsOfTriggeredFrames) {
  Proves({"show.program"});
  const job::Job job = Example("frames");
  const std::string text = ProgramText(job, FindNamed(job));
  for (const char* line :
       {"    trigger: pin 3 rises\n", "    trigger: a transfer of display is done\n",
        "    task 0: show, 5 times: 5 transfers, 15 360 bytes, each time on a trigger, sends a "
        "token at the end, tag 100\n",
        "    task 4: keep: 1 transfer, 3 072 bytes, on a trigger, sends a token at the end, tag "
        "204\n",
        "  keep: moves a packet of up to 3 072 bytes to copy\n",
        "  pin 3: 5 rises, the first 200 cycles after the program was loaded, for display\n"}) {
    EXPECT_TRUE(Has(text, line)) << line << "is not in\n" << text;
  }
}

TEST(Program, BanksOfTheOnChipBuffer) {
  Proves({"show.program"});
  const auto text = [](const std::string& name, int pitch) {
    job::Job job = job::LoadJob(std::string(TESSERA_ROOT) + "/examples/on_chip/" + name + ".json");
    for (job::Descriptor& d : job.descriptors) {
      if (pitch != 0) d.transfer.value.stride[0] = pitch;
    }
    return ProgramText(job, FindNamed(job));
  };
  const std::string feed = text("transposition", 0);
  for (const char* line :
       {"On-chip buffer: 128 KiB from 0x30000000 on; word n, of 8 bytes, is in bank n mod 4\n",
        "  fill_ping writes 8 192 words, each in another bank than the one before\n",
        "  send_pong reads 16 384 words, 16 256 of them in the bank of the one before: a step of "
        "128 "
        "words leads to the same bank, one of 129 would not\n",
        "  reads come from port 1 alone: none waits for a bank, but for a processor\n"}) {
    EXPECT_TRUE(Has(feed, line)) << line << "is not in\n" << feed;
  }
  EXPECT_FALSE(Has(feed, "  fetch reads")) << feed;
  EXPECT_TRUE(Has(text("banks", 0), "  columns_left reads 2 048 words, 63 of them in the bank"));
  EXPECT_TRUE(Has(text("banks", 512), "1 984 of them in the bank of the one before: a step of 64"));
  EXPECT_TRUE(Has(text("banks", 0), "  reads come from ports 0, 1: none waits for long"));
}

TEST(Program, WordsOfListsInMemory) {
  Proves({"show.program"});
  const job::Job list = Example("list"), ring = Example("doorbell");
  const std::string array = ProgramText(list, FindNamed(list));
  EXPECT_TRUE(Has(array, "    list: an array of 3 descriptors at lists\n")) << array;
  EXPECT_TRUE(Has(array,
                  "    task 0: of its list: first, then middle, then last, 2 times: 6 "
                  "transfers, 768 bytes, tag 7\n"))
      << array;
  const std::string words = ProgramText(ring, FindNamed(ring));
  EXPECT_TRUE(Has(words,
                  "    ring: 4 places at ring; software adds 6 descriptors: bottom, middle, "
                  "top, top, middle, bottom; completion entries at done, an interrupt after "
                  "2 of them\n"))
      << words;
  EXPECT_TRUE(Has(ProgramPicture(ring, FindNamed(ring)), "software adds 6 descriptors"));
}

TEST(Program, WordsOfHeadersAndWindows) {
  Proves({"show.program"});
  const job::Job headers = Example("headers"), fence = Example("fence");
  EXPECT_TRUE(Has(ProgramText(headers, FindNamed(headers)),
                  "  left: moves 64 bytes from image; a header of id 3, type 2, for descriptor 4 "
                  "goes first; then right\n"))
      << ProgramText(headers, FindNamed(headers));
  EXPECT_TRUE(
      Has(ProgramText(fence, FindNamed(fence)), "    window: 4 096 bytes from 0x11000 on\n"));
}

TEST(Program, WordsOfControlPackets) {
  Proves({"show.program"});
  const job::Job job = Example("remote");
  const std::string text = ProgramText(job, FindNamed(job));
  EXPECT_TRUE(Has(text,
                  "  event 5 by control packets: 3 times, the first 300 cycles after the "
                  "program was loaded, for display\n"))
      << text;
}

TEST(Program, WordsOfEndlessTasksAndActions) {
  Proves({"show.program"});
  const job::Job job = Example("endless");
  const std::string text = ProgramText(job, FindNamed(job));
  for (const char* line :
       {"    task 0: show, again and again: 1 transfer, 3 072 bytes each time, on a trigger\n",
        "    task 0: note, again and again: 1 transfer, 512 bytes each time\n",
        "  pause logger 500 cycles after the program was loaded\n",
        "  stop display when display has done 3 transfers\n"}) {
    EXPECT_TRUE(Has(text, line)) << line << "is not in\n" << text;
  }
  EXPECT_TRUE(Has(ProgramPicture(job, FindNamed(job)), "task, again and again"));
}

TEST(Program, EveryDescriptorSaysWhatItsJobSays) {
  Proves({"show.program"});
  for (const char* name : {"ping_pong", "ring", "frames"}) {
    const job::Job job = Example(name);
    for (const job::Descriptor& d : job.descriptors) {
      const std::string moves = MovesWords(job, d);
      const bool write = job.DirectionOf(d) == Direction::kWrite;
      EXPECT_TRUE(Has(moves, write ? " to " : " from ")) << moves;
      EXPECT_TRUE(Has(moves, job::RegionAt(job, d.transfer.value.base)->name)) << moves;
      EXPECT_EQ(WaitsWords(d).empty(), !d.acquire.has_value());
      EXPECT_EQ(GivesWords(d).empty(), !d.release.has_value());
    }
  }
}

TEST(Program, ThePictureNamesEverythingAndNoTextLiesOnAnother) {
  Proves({"show.program"});
  for (const char* name : {"ping_pong", "ring", "frames", "list", "endless"}) {
    const job::Job job = Example(name);
    const std::string svg = ProgramPicture(job, FindNamed(job));
    const std::vector<TextBox> texts = Texts(svg);
    EXPECT_EQ(Overlap(texts), "") << name;
    const auto count = [&](const std::string& word) {
      return std::count_if(texts.begin(), texts.end(),
                           [&](const TextBox& t) { return t.text == word; });
    };
    int acquires = 0, releases = 0;
    for (const job::Descriptor& d : job.descriptors) {
      EXPECT_EQ(count(d.transfer.name), 1) << d.transfer.name;
      acquires += d.acquire ? 1 : 0;
      releases += d.release ? 1 : 0;
    }
    for (const job::Lock& lock : job.locks) EXPECT_EQ(count(lock.name), 1) << lock.name;
    EXPECT_EQ(count("takes 1"), acquires);
    EXPECT_EQ(count("gives +1"), releases);
  }
}

// A run by hand: a channel that waits for a lock, runs, and is done.
timeline::Timeline Small() {
  timeline::Timeline t;
  t.first = 100;
  t.last = 1100;
  timeline::Lane& lane = t.lanes.emplace_back();
  lane.name = "fill";
  lane.write = true;
  lane.queue_depth = 4;
  lane.states = {{100, "lock free"}, {350, "runs"}, {850, "idle"}};
  lane.queue = {{100, 2}, {850, 0}};
  lane.records = {{600, "a", true}, {850, "b", false}};
  lane.tokens = {{860, "token", true}};
  lane.missed = {{400, "missed", false}, {500, "missed", false}};
  t.locks.push_back({"free", {{100, 0}, {340, 1}, {350, 0}}});
  t.events = {{300, "pin 3", true}};
  t.interrupts = {{610, "irq", true}};
  return t;
}

TEST(Timeline, ComesBackFromItsJson) {
  Proves({"run.timeline"});
  EXPECT_EQ(timeline::FromJson(timeline::ToJson(Small())), Small());
  nlohmann::ordered_json wrong = timeline::ToJson(Small());
  wrong["channels"][0]["states"][1][1] = "bananas";
  EXPECT_THROW(timeline::FromJson(wrong), std::invalid_argument);
}

TEST(Timeline, WhatIsNoneSaysWhichPart) {
  Proves({"run.timeline"});
  const auto said = [](const char* place, const nlohmann::ordered_json& value) {
    nlohmann::ordered_json json = timeline::ToJson(Small());
    const nlohmann::ordered_json::json_pointer pointer(place);
    if (value.is_null()) {
      json.at(pointer.parent_pointer()).erase(pointer.back());
    } else {
      json[pointer] = value;
    }
    try {
      timeline::FromJson(json);
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_EQ(said("/last", nullptr), "timeline.last is missing");
  EXPECT_EQ(said("/last", 0U), "timeline.last is 0, before timeline.first, 100");
  EXPECT_EQ(said("/first", "x"), "timeline.first is \"x\" and not a cycle");
  EXPECT_EQ(said("/first", -1), "timeline.first is -1 and not a cycle");
  EXPECT_EQ(said("/channels", 3), "timeline.channels is 3 and not a list");
  EXPECT_EQ(said("/channels/0", 3), "timeline.channels[0] is 3 and not an object");
  EXPECT_EQ(said("/channels/0/name", 3), "timeline.channels[0].name is 3 and not a text");
  EXPECT_EQ(said("/channels/0/queue/0/1", "x"),
            "timeline.channels[0].queue[0][1] is \"x\" and not a number of 32 bits");
  EXPECT_EQ(said("/channels/0/states/1", 3), "timeline.channels[0].states[1] is 3 and not a list");
  EXPECT_EQ(said("/channels/0/states/1/1", "bananas"), "\"bananas\" is no state of a channel");
  EXPECT_EQ(said("/events/0", {1, "x"}), "timeline.events[0] is [1,\"x\"] and not a list of 3");
  EXPECT_EQ(said("/events/0/2", 1), "timeline.events[0][2] is 1 and not true or false");
}

TEST(Timeline, APictureByHand) {
  Proves({"run.timeline"});
  const std::string svg = DrawTimeline(Small(), "by hand");
  const std::vector<TextBox> texts = Texts(svg);
  EXPECT_EQ(Overlap(texts), "");
  const auto at = [&](const std::string& word) {
    const auto found =
        std::find_if(texts.begin(), texts.end(), [&](const TextBox& t) { return t.text == word; });
    EXPECT_TRUE(found != texts.end()) << word;
    return found == texts.end() ? 0.0 : (found->left + found->right) / 2;
  };
  // 960 for 1000 cycles: a word stands in the middle of its time.
  EXPECT_NEAR(at("lock free"), 125 * 0.96, 1);
  EXPECT_NEAR(at("runs"), 500 * 0.96, 1);
  EXPECT_NEAR(at("idle"), 875 * 0.96, 1);
  EXPECT_NEAR(at("a"), 500 * 0.96 + 6, 4);
  EXPECT_TRUE(Has(svg, "points=\"480,"));  // the record in cycle 600
  EXPECT_TRUE(Has(svg, "points=\"192,"));  // the pin in cycle 300
  EXPECT_TRUE(Has(svg, "#b3261e"));        // the record with an error
  // The token in cycle 860: a ring around its place on the bar.
  const std::regex ring(R"re(<rect x="([0-9.]+)"[^>]*stroke="#7b3fa0"[^>]*>)re");
  std::smatch token;
  ASSERT_TRUE(std::regex_search(svg, token, ring));
  EXPECT_NEAR(std::stod(token[1]), 760 * 0.96 - 4, 1);
  EXPECT_TRUE(Has(svg, "lock: waits for a lock"));  // the legend
  EXPECT_FALSE(Has(svg, "waits for memory")) << "nobody did";
}

TEST(Timeline, TriggersThatWereMissedAreDrawnAndTold) {
  Proves({"run.timeline"});
  const timeline::Timeline run = Small();
  const std::string svg = DrawTimeline(run, "missed");
  EXPECT_TRUE(Has(svg, "trigger that was missed"));
  // A cross 4 to each side of the cycles 400 and 500.
  EXPECT_TRUE(Has(svg, "points=\"284,"));
  EXPECT_TRUE(Has(svg, "points=\"380,"));
  const std::string words =
      "channel fill missed 2 triggers in cycles 400, 500: one before it was still waiting";
  EXPECT_EQ(timeline::MissedWords(run.lanes[0]), words);
  const job::Job job = Example("ring");
  EXPECT_TRUE(Has(ProgramPage(job, FindNamed(job), run), words));
  timeline::Timeline good = run;
  good.lanes[0].missed.clear();
  EXPECT_EQ(timeline::MissedWords(good.lanes[0]), "");
  EXPECT_FALSE(Has(DrawTimeline(good, "good"), "trigger that was missed"));
}

TEST(Timeline, AnyNumberOfChangesStaysSmallAndLegible) {
  Proves({"run.timeline"});
  timeline::Timeline t = Small();
  t.last = 1'000'100;
  t.lanes[0].states.clear();
  for (uint64_t n = 0; n < 100'000; ++n) {
    t.lanes[0].states.emplace_back(100 + 10 * n, n % 3 == 0 ? "runs" : "memory");
    t.lanes[0].records.push_back({100 + 10 * n, "tile", true});
    t.locks[0].values.emplace_back(350 + 10 * n, static_cast<int>(n % 2));
  }
  const std::string svg = DrawTimeline(t, "many");
  EXPECT_LT(svg.size(), 2'000'000U);
  EXPECT_EQ(Overlap(Texts(svg)), "");
}

}  // namespace
}  // namespace tessera::show
