// Random cases: deterministic, sensible, kept as JSON, and rich in corners.
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "tb/check/encode.h"
#include "tb/check/plan.h"
#include "tb/model/walk.h"
#include "tb/random/generate.h"

namespace tessera {
namespace {

std::vector<Config> TestConfigs() {
  std::vector<Config> configs(4);
  configs[0].name = "typical";
  configs[1].name = "small";
  configs[1].addr_width = 32;
  configs[1].data_bytes = 4;
  configs[1].stream_bytes = 1;
  configs[1].walk = configs[1].bounds = false;
  configs[2].name = "widest";
  configs[2].data_bytes = configs[2].stream_bytes = 128;
  configs[3].name = "loopback";
  configs[3].loopback = true;
  return configs;
}

TEST(RandomCase, IsTheSameForTheSameSeed) {
  Proves({"random.seed"});
  for (const Config& config : TestConfigs()) {
    EXPECT_EQ(ToJson(RandomCase(config, 5)), ToJson(RandomCase(config, 5)));
    EXPECT_NE(ToJson(RandomCase(config, 5)), ToJson(RandomCase(config, 6)));
  }
}

TEST(RandomCase, ComesBackFromJson) {
  Proves({"random.json"});
  for (const Config& config : TestConfigs()) {
    for (uint64_t seed = 0; seed < 100; ++seed) {
      const Json json = ToJson(RandomCase(config, seed));
      EXPECT_EQ(ToJson(CaseFromJson(Json::parse(json.dump()))), json)
          << config.name << " seed " << seed;
    }
  }
}

TEST(RandomCase, JsonRefusesWhatItDoesNotKnow) {
  Proves({"random.json"});
  const auto message = [](const char* text) {
    try {
      CaseFromJson(Json::parse(text));
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_EQ(message(R"({"reads": [{"elem": 4, "cuont": [1]}]})"), "transfer has no field 'cuont'");
  EXPECT_EQ(message(R"({"writes": [{"finish": "soon"}]})"),
            "finish is 'soon': legal are length, last");
  EXPECT_EQ(message(R"({"reads": [{"elem": 3}]})"),
            "elem is 3: legal are the powers of two up to 128");
  EXPECT_EQ(message(R"({"speed": 3})"), "case has no field 'speed'");
  EXPECT_NE(message(R"({"reads": 3})"), "accepted");
  EXPECT_EQ(message(R"({"config": 3})"), "config is 3, another kind of value");
  EXPECT_EQ(message(R"({"seed": "x"})"), "seed is \"x\", another kind of value");
  EXPECT_EQ(message(R"({"source": []})"), "source is [], another kind of value");
  EXPECT_EQ(message(R"({"shape": {"null": []}})"), "null is [], another kind of value");
  EXPECT_EQ(message(R"({"stream": [{"end": 1}]})"), "end is 1, another kind of value");
  EXPECT_EQ(message(R"({"abort_read": [1, "2"]})"),
            "abort_read is [1,\"2\"], another kind of value");
  EXPECT_EQ(message("{}"), "accepted");
}

TEST(RandomCase, IsSensible) {
  Proves({"random.sensible"});
  for (const Config& config : TestConfigs()) {
    const model::Build build = BuildOf(config);
    for (uint64_t seed = 0; seed < 300; ++seed) {
      Case value = RandomCase(config, seed);
      EXPECT_FALSE(Collides(value, config));
      const Json before = ToJson(value);
      EXPECT_TRUE(Repair(&value, config));
      EXPECT_EQ(ToJson(value), before) << "repaired twice";
      ASSERT_FALSE(value.reads.empty() && value.writes.empty());
      model::MemoryImage memory;
      model::ReadModel reads(build, memory);
      for (const auto& t : value.reads) reads.Run(t);
      EXPECT_EQ(reads.held(), 0) << config.name << " seed " << seed;
      model::WriteModel writes(build, memory);
      writes.Offer(config.loopback ? reads.beats() : DenseBeats(value, config.stream_bytes));
      for (const auto& t : value.writes)
        EXPECT_TRUE(writes.Run(t)) << config.name << " seed " << seed;
      if (config.loopback) {
        EXPECT_EQ(writes.accepted(), reads.beats().size()) << config.name << " seed " << seed;
      }
    }
  }
}

// What a corner is worth: none may be so rare that a night does not see it.
TEST(RandomCase, ReachesTheCorners) {
  Proves({"random.corners"});
  std::map<std::string, int> seen;
  Config config = TestConfigs()[0];
  constexpr int kCases = 1000;
  for (uint64_t seed = 0; seed < kCases; ++seed) {
    const Case value = RandomCase(config, seed);
    const model::Build build = BuildOf(config);
    seen["abort"] += !value.abort_read.empty() || !value.abort_write.empty() ? 1 : 0;
    seen["aborts"] += value.abort_read.size() > 1 || value.abort_write.size() > 1 ? 1 : 0;
    seen["errors"] += !value.read_errors.empty() || !value.write_errors.empty() ? 1 : 0;
    seen["twelve"] += value.reads.size() == 12 ? 1 : 0;
    seen["both"] += !value.reads.empty() && !value.writes.empty() ? 1 : 0;
    for (const auto& t : value.reads) {
      seen["reads"] += 1;
      seen["join"] += t.joins() ? 1 : 0;
      seen["level"] += t.last_rule == model::LastRule::kLevel ? 1 : 0;
      seen["never"] += t.last_rule == model::LastRule::kNever ? 1 : 0;
      seen["zero stride"] += t.stride[0] == 0 && t.count[0] > 1 ? 1 : 0;
      seen["negative stride"] += t.stride[0] < 0 && t.count[0] > 1 ? 1 : 0;
      seen["walk"] += t.has_walk() ? 1 : 0;
      seen["length"] += t.length ? 1 : 0;
      seen["length beyond"] +=
          t.length && !t.has_walk() &&
                  model::Positions(t) > uint64_t{t.count[0]} * t.count[1] * t.count[2] * t.count[3]
              ? 1
              : 0;
      seen["illegal"] += model::IsRefused(t, build) ? 1 : 0;
      seen["empty"] += model::IsEmpty(t) ? 1 : 0;
      seen["thousands"] += model::Positions(t) > 1000 ? 1 : 0;
      seen["elem 8"] += t.elem == 8 ? 1 : 0;
    }
    model::MemoryImage memory([](uint64_t) { return uint8_t{0}; });
    model::WriteModel writes(build, memory);
    writes.Offer(DenseBeats(value, config.stream_bytes));
    for (const auto& t : value.writes) {
      const auto record = writes.Run(t);
      ASSERT_TRUE(record);
      seen["writes"] += 1;
      seen["overlong"] += record->overlong ? 1 : 0;
      seen["partial element"] += record->partial_element ? 1 : 0;
      seen["sparse"] += record->sparse_keep ? 1 : 0;
      seen["early last"] +=
          record->last && t.finish == model::Finish::kLast &&
                  record->bytes < model::Positions(t) * static_cast<uint64_t>(t.elem)
              ? 1
              : 0;
      seen["residue"] += writes.held() > 0 ? 1 : 0;
      uint64_t in = 0, out = 0;
      if (model::IsRefused(t, build)) continue;
      for (const auto& bound : t.bound) seen["bound"] += bound ? 1 : 0;
      if (t.bound != decltype(t.bound){}) {
        model::MemoryImage unused;
        const auto count = [&](const model::Position& p) {
          (p.valid ? in : out) += 1;
          return true;
        };
        model::Walk(t, build, count);
        seen["all out"] += in == 0 && out > 0 ? 1 : 0;
        seen["edge"] += in > 0 && out > 0 ? 1 : 0;
      }
    }
  }
  for (const auto& [name, count] : seen) {
    RecordProperty(name, count);
    EXPECT_GT(count, kCases / 100) << name;
  }
}

TEST(RandomCase, CornerSizesStayInRange) {
  Proves({"random.corners"});
  Rng rng(1);
  for (uint64_t most : {1u, 2u, 3u, 7u, 400u, 5000u}) {
    for (int n = 0; n < 2000; ++n) {
      const uint64_t size = CornerSize(rng, most);
      EXPECT_TRUE(size >= 1 && size <= most) << size << " of " << most;
    }
  }
}

}  // namespace
}  // namespace tessera
