// Job files: what is right becomes values, what is wrong becomes one exact sentence.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tb/check/plan.h"
#include "tools/job/job.h"

namespace tessera::job {
namespace {

std::string Refusal(const std::string& text, const Config& config = {}) {
  try {
    CheckJob(ParseJob(text, "j.json"), config);
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

// A job with these members added to its one transfer.
std::string WithTransfer(const std::string& members) {
  return R"({"channels": [{"direction": "read", "transfers": [{"base": 0, "count": [4],
            "stride": [1])" +
         (members.empty() ? "" : ", " + members) + "}]}]}";
}

TEST(Job, BecomesValues) {
  const Job job = ParseJob(R"({
    "about": "a window", "config": "small", "seed": 7,
    "memories": [
      {"name": "image", "base": "0x1000", "size": 64, "data": {"pattern": "ramp"}},
      {"name": "tile", "base": 8192, "data": {"hex": "00 11 2233"}, "dump": "tile.bin"}],
    "channels": [
      {"direction": "read", "name": "out", "offer": "p=0.5",
       "transfers": [{"name": "t", "elem": 2, "base": "image+0x10", "offset": 3, "count": [2, 3],
                      "stride": [2, -16], "start": [-1], "bound": [null, 3],
                      "walk": [null, {"dim": 1, "step": -3, "count": 2}], "length": 5,
                      "fill": "0xffff", "last_rule": "level", "last_level": 4,
                      "join_next": true, "task_end": true}],
       "stream": {"pacer": "bursts=1-2/3", "capture": {"file": "x.png", "width": 3}}},
      {"direction": "write", "transfers": [{"base": "tile", "count": [4], "stride": [1],
                                            "finish": "last"}],
       "stream": {"channel": "out"}}],
    "bus": {"latency": [3, 9], "ar": "never", "service": "one-strict",
            "errors": [{"first": 0, "last": 7, "response": "decerr", "writes": false}]},
    "report": "r.json", "wave": "w.fst"})",
                           "jobs/j.json");
  EXPECT_EQ(job.config, "small");
  EXPECT_EQ(job.seed, 7u);
  ASSERT_EQ(job.memories.size(), 2u);
  EXPECT_EQ(job.memories[1].size, 4u);
  EXPECT_EQ(job.memories[1].data->bytes, (std::vector<uint8_t>{0, 0x11, 0x22, 0x33}));
  ASSERT_EQ(job.channels.size(), 2u);
  const NamedTransfer& named = job.channels[0].transfers[0];
  EXPECT_EQ(named.Label(), "t");
  EXPECT_EQ(named.place, "channels[0].transfers[0]");
  model::Transfer t;
  t.elem = 2;
  t.base = 0x1010;
  t.offset = 3;
  t.count = {2, 3, 1, 1};
  t.stride = {2, -16, 0, 0};
  t.start = {-1, 0, 0, 0};
  t.bound = {std::nullopt, 3, std::nullopt, std::nullopt};
  t.walk[1] = model::WalkLevel{1, -3, 2};
  t.length = 5;
  t.fill = 0xffff;
  t.last_rule = model::LastRule::kLevel;
  t.last_level = 4;
  t.join_next = t.task_end = true;
  EXPECT_EQ(model::ToString(named.value), model::ToString(t));
  EXPECT_EQ(named.value, t);
  EXPECT_EQ(job.channels[1].name, "write");
  EXPECT_EQ(job.channels[1].stream.channel, "out");
  EXPECT_EQ(job.bus.latency_max, 9u);
  EXPECT_TRUE(job.errors[0].decerr);
  EXPECT_EQ(job.Resolve("in.bin"), "jobs/in.bin");
  EXPECT_EQ(job.Resolve("/in.bin"), "/in.bin");
  EXPECT_EQ(RegionAt(job, 0x103f)->name, "image");
  EXPECT_EQ(RegionAt(job, 0x1040), nullptr);
}

TEST(Job, TheWholeAddressSpaceAndEveryNumberCanBeWritten) {
  EXPECT_EQ(Refusal(WithTransfer(R"("offset": "0xffffffffffffffff")")), "accepted");
  EXPECT_EQ(Refusal(WithTransfer(R"("start": ["-0x80000000"], "length": 4294967295)")),
            "j.json: channels[0].transfers[0] visits 4294967295 positions: legal are 268435456 "
            "for all transfers together");
  const Job job = ParseJob(
      R"({"memories": [{"name": "top", "base": "0xffffffffffffff00", "size": 256}],
          "channels": [{"direction": "read", "transfers": [
            {"base": "top+255", "count": [1], "stride": ["-0x8000000000000000"]}]}]})",
      "j.json");
  EXPECT_EQ(job.channels[0].transfers[0].value.base, ~uint64_t{0});
  EXPECT_EQ(job.channels[0].transfers[0].value.stride[0], INT64_MIN);
}

TEST(Job, ElementsReachFromTheLowestToTheHighest) {
  const auto bytes = [](const std::string& values, int elem) {
    const std::string text = R"({"memories": [{"name": "a", "base": 0, "data": {"elem": )" +
                             std::to_string(elem) + R"(, "values": )" + values +
                             R"(}}], "channels": [{"direction": "read", "transfers": [
                               {"base": 0, "count": [1], "stride": [1]}]}]})";
    return ParseJob(text, "j.json").memories[0].data->bytes;
  };
  using Bytes = std::vector<uint8_t>;
  EXPECT_EQ(bytes("[-9223372036854775808]", 8), (Bytes{0, 0, 0, 0, 0, 0, 0, 0x80}));
  EXPECT_EQ(bytes("[18446744073709551615]", 8), Bytes(8, 0xff));
  EXPECT_EQ(bytes("[-128, 255]", 1), (Bytes{0x80, 0xff}));
  EXPECT_EQ(bytes(R"(["-0x8000"])", 2), (Bytes{0, 0x80}));
  EXPECT_THROW(bytes("[-129]", 1), Error);
  EXPECT_THROW(bytes("[256]", 1), Error);
}

struct Wrong {
  std::string text;
  std::string sentence;
};

TEST(Job, WrongTransfersAreOneSentence) {
  Proves({"cli.wrong-input"});
  const std::string at = "j.json: channels[0].transfers[0]";
  const std::string member =
      ": legal are name, elem, base, offset, count, stride, start, bound, "
      "walk, length, fill, last_rule, last_level, join_next, task_end, "
      "finish";
  const std::vector<Wrong> wrong{
      {R"("cuont": [1])",
       at + " has an unknown member \"cuont\"" + member + "; did you mean \"count\"?"},
      {R"("banana": 1)", at + " has an unknown member \"banana\"" + member},
      {R"("elem": 3)", at + ".elem is 3: legal is a power of two from 1 to 128"},
      {R"("elem": 256)", at + ".elem is 256: legal is an integer from 1 to 128, or \"0x...\""},
      {R"("elem": 16)",
       at + ".elem is 16: legal are the powers of two from 1 to the bus width, 8 bytes "
            "(configuration )"},
      {R"("fill": 256)", at + ".fill is 0x100: legal is what fits in an element of 1 byte"},
      {R"("length": 1.5)",
       at + ".length is 1.5: legal is an integer from 0 to 4294967295, or \"0x...\""},
      {R"("start": [0, 0, 0, 0, 0])", at + ".start has 5 entries: legal is at most 4"},
      {R"("start": [2147483648])",
       at + ".start[0] is 2147483648: legal is an integer from -2147483648 to 2147483647, or "
            "\"0x...\""},
      {R"("start": 3)", at + ".start is 3: legal is an array of at most 4 entries"},
      {R"("walk": [{"dim": 4, "step": 1, "count": 1}])",
       at + ".walk[0].dim is 4: legal is an integer from 0 to 3, or \"0x...\""},
      {R"("walk": [{"dim": 1, "count": 1}])",
       at + ".walk[0] has no member \"step\": legal is the coordinates of a turn"},
      {R"("bound": [-1])",
       at + ".bound[0] is -1: legal is an integer from 0 to 2147483648, or \"0x...\""},
      {R"("join_next": 1)", at + ".join_next is 1: legal is true or false"},
      {R"("last_rule": "row")",
       at + ".last_rule is \"row\": legal is one of never, transfer, task, level"},
      {R"("last_rule": "never", "last_level": 2)",
       at + ".last_level is 2: legal is 0, or any up to 7 with last_rule \"level\""},
      {R"("base": 1)", "j.json: the member \"base\" is there twice in one object: legal is once"},
  };
  for (const Wrong& w : wrong) EXPECT_EQ(Refusal(WithTransfer(w.text)), w.sentence) << w.text;
}

TEST(Job, WrongDocumentsAreOneSentence) {
  Proves({"cli.wrong-input"});
  const std::string channel =
      R"("channels": [{"direction": "read", "transfers": [{"base": 0, "count": [4], "stride": [1]}]}])";
  const std::vector<Wrong> wrong{
      {"", "j.json: this is no JSON: line 1, column 1: the text ends within a value"},
      {"{\n  \"a\" 1}", "j.json: this is no JSON: line 2, column 7: \"1\" cannot stand here"},
      {"[]", "j.json: the document is []: legal is an object"},
      {"{}",
       "j.json: the document has no member \"channels\": legal is an array of at least one "
       "channel"},
      {R"({"channels": []})", "j.json: channels is []: legal is an array of at least one channel"},
      {R"({"channels": [{"direction": "up", "transfers": []}]})",
       "j.json: channels[0].direction is \"up\": legal is one of read, write"},
      {R"({"channels": [{"direction": "read", "transfers": []}]})",
       "j.json: channels[0].transfers is []: legal is an array of at least one transfer"},
      {R"({"channels": [{"direction": "read", "transfers": [{"base": "img", "count": [1],
          "stride": [1]}]}]})",
       "j.json: channels[0].transfers[0].base is \"img\": legal is an address, \"0x...\", or "
       "\"name\", \"name+offset\" or \"name-offset\" of a memory (there is none)"},
      {R"({"channels": [{"direction": "read", "transfers": [{"base": 0, "count": [1, 2],
          "stride": [1]}]}]})",
       "j.json: channels[0].transfers[0].stride has 1 entry and count has 2: legal is a stride "
       "for each count, in bytes (0 repeats)"},
      {"{" + channel + R"(, "memories": [{"name": "a", "base": 0, "size": 64},
                                         {"name": "b", "base": 63, "size": 1}]})",
       "j.json: memories[1].base is 0x3f: b (1 byte) would overlap a (0x0 to 0x3f), legal is "
       "memory of its "
       "own"},
      {"{" + channel + R"(, "memories": [{"name": "a", "base": 0, "size": 64},
                                         {"name": "a", "base": 64, "size": 1}]})",
       "j.json: memories[1].name is \"a\": legal is a name that nothing before it has"},
      {"{" + channel +
           R"(, "memories": [{"name": "a", "base": "0xfffffffffffffff0", "size": 17}]})",
       "j.json: memories[0].base is \"0xfffffffffffffff0\": legal is at most 0xffffffffffffffef "
       "for "
       "17 bytes"},
      {"{" + channel + R"(, "memories": [{"name": "a", "base": 0}]})",
       "j.json: memories[0] has no member \"size\": legal is its bytes, for its data do not tell"},
      {"{" + channel + R"(, "memories": [{"name": "a", "base": 0, "data": {"hex": "123"}}]})",
       "j.json: memories[0].data.hex is \"123\": legal is pairs of hexadecimal digits, with or "
       "without blanks"},
      {"{" + channel +
           R"(, "memories": [{"name": "a", "base": 0, "data": {"hex": "", "file": "x"}}]})",
       "j.json: memories[0].data is {\"file\":\"x\",\"hex\":\"\"}: legal is one of file, image, "
       "hex, "
       "values, pattern, not file and hex"},
      {"{" + channel + R"(, "memories": [{"name": "a", "base": 0, "size": 4, "dump": "a.png"}]})",
       "j.json: memories[0].dump is \"a.png\": legal is an image with its width in pixels: "
       "{\"file\": \"name.png\", \"width\": 64}"},
      {"{" + channel + R"(, "bus": {"latency": 0}})",
       "j.json: bus.latency is 0: legal is an integer from 1 to 100000, or \"0x...\""},
      {"{" + channel + R"(, "bus": {"r": "p=2"}})",
       "j.json: bus.r is \"p=2\": legal is always, never, p=<0..1>, "
       "bursts=<on>[-<on>]/<off>[-<off>] with on >= 1, or list=<0s and 1s>"},
      {R"({"channels": [{"direction": "write", "transfers": [{"base": 0, "count": [1],
          "stride": [1]}], "stream": {"channel": "read"}}]})",
       "j.json: channels[0].stream.channel is \"read\": legal is the name of a read channel"},
      {R"({"channels": [{"direction": "write", "transfers": [{"base": 0, "count": [1],
          "stride": [1]}]}]})",
       "j.json: channels[0] has no member \"stream\": legal is where its data come from: a source "
       "or a channel"},
      {"[[[[[[[[[[[[[[[[[[[[", "j.json: the document is nested 17 deep: legal is at most 16"},
      {WithTransfer(R"("finish": "last")"),
       "j.json: channels[0].transfers[0].finish is \"last\": legal is \"length\" on a read "
       "channel, "
       "which takes no TLAST"},
      {R"({"channels": [{"direction": "write", "stream": {"source": {"hex": "00"}}, "transfers": [
          {"base": 0, "count": [1], "stride": [1], "last_level": 2}]}]})",
       "j.json: channels[0].transfers[0].last_rule is \"level\": legal is none on a write channel, "
       "which gives no TLAST"},
      {R"({"dma": "basic", "descriptors": [
          {"name": "a", "base": 0, "count": [1], "stride": [1], "next": "b"},
          {"name": "b", "base": 0, "count": [1], "stride": [1], "finish": "last"}],
          "channels": [{"direction": "read", "tasks": [{"start": "a"}]}]})",
       "j.json: descriptors[1].finish is \"last\": legal is \"length\" on a read channel, which "
       "takes "
       "no TLAST"},
      {R"({"seed": 1e999})", "j.json: a number is 1e999: legal is at most 18446744073709551615"},
  };
  for (const Wrong& w : wrong) EXPECT_EQ(Refusal(w.text), w.sentence) << w.text;
}

TEST(Job, WhatAConfigurationCannotDoIsOneSentence) {
  Proves({"cli.wrong-input"});
  Config poor;
  poor.name = "poor";
  poor.walk = poor.bounds = false;
  poor.addr_width = 32;
  const std::string at = "j.json: channels[0].transfers[0].";
  EXPECT_EQ(
      Refusal(WithTransfer(R"("bound": [3])"), poor),
      at + "bound[0] is 3: this build has no bounds, legal is unbounded (configuration poor)");
  EXPECT_EQ(Refusal(WithTransfer(R"("walk": [{"dim": 0, "step": 1, "count": 2}])"), poor),
            at + "walk[0] has count 2: this build has no traversal, legal is absent "
                 "(configuration poor)");
  const std::string two = R"({"channels": [
    {"name": "a", "direction": "read", "transfers": [{"base": 0, "count": [4], "stride": [1]}]},
    {"name": "b", "direction": "read", "transfers": [{"base": 0, "count": [4], "stride": [1]}]}]})";
  EXPECT_EQ(
      Refusal(two, poor),
      "j.json: channels[1].direction is \"read\": configuration poor has 1 read engine, legal "
      "is at most 1 read channel");
}

// Three read channels and a write channel with these members.
std::string Channels(const std::string& a, const std::string& b, const std::string& c) {
  const auto channel = [](const char* name, const std::string& members) {
    return fmt::format(
        R"({{"name": "{}", "direction": "read", {}
            "transfers": [{{"base": 0, "count": [4], "stride": [1]}}]}})",
        name, members.empty() ? "" : members + ",");
  };
  return fmt::format(
      R"({{"channels": [{}, {}, {}, {{"direction": "write", "stream": {{"channel": "b"}},
          "transfers": [{{"base": 64, "count": [4], "stride": [1]}}]}}]}})",
      channel("a", a), channel("b", b), channel("c", c));
}

TEST(Job, EnginesAreGivenOrDealtInOrder) {
  Proves({"run.channels"});
  const auto engines = [](const std::string& text) {
    std::vector<int> list;
    for (const Channel& channel : ParseJob(text, "j.json").channels) list.push_back(channel.engine);
    return list;
  };
  EXPECT_EQ(engines(Channels("", "", "")), (std::vector<int>{0, 1, 2, 0}));
  EXPECT_EQ(engines(Channels("", R"("engine": 0)", "")), (std::vector<int>{1, 0, 2, 0}));
  EXPECT_EQ(engines(Channels(R"("engine": 15)", "", R"("engine": 1)")),
            (std::vector<int>{15, 0, 1, 0}));
}

TEST(Job, ChannelsThatHardwareDoesNotHaveAreOneSentence) {
  Proves({"cli.wrong-input"});
  Hardware many;
  many.config.name = "many";
  many.reads = 2;
  many.shared = true;
  const auto refusal = [&](const std::string& text, const Hardware& hardware) -> std::string {
    try {
      CheckJob(ParseJob(text, "j.json"), hardware);
    } catch (const Error& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(refusal(Channels("", "", ""), many),
            "j.json: channels[2].direction is \"read\": configuration many has 2 read engines, "
            "legal is at most 2 read channels");
  EXPECT_EQ(refusal(Channels(R"("engine": 2)", "", ""), many),
            "j.json: channels[0].engine is 2: legal is 0 to 1 (configuration many)");
  EXPECT_EQ(refusal(Channels(R"("engine": 1)", "", R"("engine": 1)"), many),
            "j.json: channels[2].engine is 1: channels[0] has it, legal is an engine of its own");
  EXPECT_EQ(refusal(Channels("", R"("weight": 16)", ""), many),
            "j.json: channels[1].weight is 16: legal is an integer from 1 to 15, or \"0x...\"");
  many.reads = 3;
  EXPECT_EQ(refusal(Channels("", R"("weight": 15)", ""), many), "accepted");
  many.shared = false;
  EXPECT_EQ(refusal(Channels("", R"("weight": 1)", ""), many),
            "j.json: channels[1].weight is 1: legal is none, for in configuration many no engines "
            "share a port");
}

TEST(Job, WhatIsNoJsonIsOneShortSentence) {
  Proves({"cli.wrong-input"});
  const std::string ends[] = {std::string(2000, '\n') + "o", "\"" + std::string(2000, 'x'),
                              "\"" + std::string(300, ' ') + std::string(900, '\xc3')};
  for (const std::string& text : ends) {
    const std::string sentence = Refusal(text);
    EXPECT_TRUE(sentence.starts_with("j.json: this is no JSON: ")) << sentence;
    EXPECT_TRUE(sentence.size() < 400) << sentence;
  }
}

TEST(Job, AMissingFileIsOneSentence) {
  Proves({"cli.wrong-input"});
  try {
    LoadJob("/nowhere/j.json");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(
        error.what(),
        "/nowhere/j.json: cannot be read: No such file or directory: legal is the name of a "
        "job file");
  }
  EXPECT_THROW(LoadJob("/tmp"), Error);
}

}  // namespace
}  // namespace tessera::job
