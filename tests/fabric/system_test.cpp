// Random runs of whole fabrics, everything at once; and that such a run would notice.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "tb/check/plan.h"
#include "tb/sim/model.h"
#include "tb/system/soak_system.h"

namespace tessera {
namespace {

constexpr int kParts = 4;

// A part of the runs of one fabric, so that all cores have work.
class System : public ::testing::TestWithParam<std::tuple<FabricConfig, int>> {
 protected:
  const FabricConfig& config() const { return std::get<0>(GetParam()); }
};

std::string PartName(const ::testing::TestParamInfo<std::tuple<FabricConfig, int>>& info) {
  return fmt::format("{}_{}", std::get<0>(info.param).channel.name, std::get<1>(info.param));
}

TEST_P(System, RandomRuns) {
  Proves({"system.random", "system.isolation", "system.recovered", "system.requests"});
  SoakOptions options;
  options.program = "fabric_random";
  options.cases = config().channels() > 8 ? 100 : 440;  // engines by the dozen are slow to simulate
  options.shard = static_cast<uint64_t>(std::get<1>(GetParam()));
  options.shards = kParts;
  options.shrink_runs = 60;
  const SoakRow row = SoakFabric(config(), options);
  EXPECT_EQ(row.failed, 0U);
  EXPECT_GT(row.compared, 0U);
  for (const std::string& line : row.reproduce) fmt::print("reproduce: {}\n", line);
  fmt::print("{} runs, {} transfers, {} cycles, {} things compared\n", row.cases, row.transfers,
             row.cycles, row.compared);
  RecordProperty("cases", static_cast<int>(row.cases - row.failed));
}

INSTANTIATE_TEST_SUITE_P(Every, System,
                         ::testing::Combine(::testing::ValuesIn(Fabrics()),
                                            ::testing::Range(0, kParts)),
                         PartName);

// Runs that once failed. A burst too many or an early answer beside a lost one, which nobody can
// tell from none of both; a stray beat that waits behind a stream that takes nothing; a channel
// whose reset began beside that of everything; an error that a lost answer took with it; a stream
// that is told to go wrong as its channel leaves a reset; a sink that pauses for too long; a stop
// by the very last record; an abort after it.
TEST(SystemRun, SeedsThatOnceFailed) {
  struct Seed {
    const char* name;
    uint64_t seed;
    Draws draws = Draws::kPlain;
  };
  for (const Seed& once : {Seed{"held", 171339259873803},
                           {"held", 112772542647983},
                           {"held", 56200},
                           {"guarded", 110980882463967},
                           {"groups", 105540051233870},
                           {"groups", 97372288082170},
                           {"guarded", 309165945},
                           {"held", 1744516784},
                           {"in_order", 233571336152559, Draws::kRare},
                           {"guarded", 90732482002994, Draws::kRare},
                           {"guarded", 144457006608628, Draws::kRare}}) {
    const std::optional<FabricConfig> config = FindNamed(Fabrics(), once.name);
    if (!config) continue;  // not in this program
    const SystemResult result = RunSystem(RandomSystemCase(*config, once.seed, once.draws));
    EXPECT_TRUE(result.passed()) << once.name << " " << once.seed << ": " << result.message;
  }
}

// What goes wrong where nobody guards is noticed by the run itself.
TEST(SystemRun, NoticesWhatNobodyGuardsAgainst) {
  Proves({"system.notices"});
  using Kind = AxiFault::Kind;
  for (const FabricConfig& config : Fabrics()) {
    if (config.guard) continue;
    for (const Kind kind : {Kind::kLostData, Kind::kLostAnswer}) {
      int noticed = 0;
      for (uint64_t seed = 1; seed <= 3; ++seed) {
        SystemCase value = RandomSystemCase(config, seed, Draws::kPlain);
        value.events.clear();
        value.faults = {{.kind = kind, .id = 0, .from = 20}};
        noticed += !RunSystem(value).passed();
      }
      EXPECT_GT(noticed, 0) << NameOf(kind) << " on " << config.channel.name;
    }
  }
}

TEST(SystemCase, IsTheSameForTheSameSeed) {
  Proves({"system.seed"});
  for (const FabricConfig& config : Fabrics()) {
    const auto text = [&config](uint64_t seed, Draws draws) {
      return Describe(RandomSystemCase(config, seed, draws));
    };
    EXPECT_EQ(text(5, Draws::kPlain), text(5, Draws::kPlain));
    EXPECT_NE(text(5, Draws::kPlain), text(6, Draws::kPlain));
    int rare = 0;
    for (uint64_t seed = 1; seed <= 20; ++seed) {
      EXPECT_EQ(text(seed, Draws::kRare), text(seed, Draws::kRare));
      rare += text(seed, Draws::kRare) != text(seed, Draws::kPlain);
    }
    EXPECT_GT(rare, 3);
    EXPECT_LT(rare, 17);
  }
}

// Each part of a beat is changed now and then, alone, where somebody guards.
TEST(SystemCase, PartnersChangeDataKeepOrLast) {
  Proves({"system.seed"});
  using Kind = SystemEvent::Kind;
  for (const FabricConfig& config : Fabrics()) {
    std::map<Kind, int> drawn;
    for (uint64_t seed = 1; seed <= 440; ++seed) {
      for (const SystemEvent& event : RandomSystemCase(config, seed, Draws::kRare).events)
        ++drawn[event.kind];
      for (const SystemEvent& event : RandomSystemCase(config, seed, Draws::kPlain).events)
        ASSERT_LE(event.kind, Kind::kChanges);
    }
    for (const Kind kind : {Kind::kChanges, Kind::kChangesKeep, Kind::kChangesLast})
      EXPECT_EQ(drawn[kind] > 5, config.guard) << NameOf(kind) << " on " << config.channel.name;
  }
}

TEST(SystemCase, PartsAreNamedAsText) {
  Proves({"system.seed"});
  const SystemCase value = RandomSystemCase(Fabrics().front(), 9, Draws::kPlain);
  const Keep all = Keep::All(value);
  EXPECT_EQ(Keep::Parse(all.ToString(), value).ToString(), all.ToString());
  const Keep part = Keep::Parse("r0:1 unpaced", value);
  SystemCase kept = value;
  part.Apply(&kept);
  EXPECT_LE(kept.channels[0].reads.size(), 1U);
  EXPECT_TRUE(kept.channels[0].writes.empty());
  EXPECT_THROW(Keep::Parse("q1", value), std::invalid_argument);
  EXPECT_THROW(Keep::Parse("e99", value), std::invalid_argument);
  EXPECT_THROW(Keep::Parse("r0:x", value), std::invalid_argument);
}

}  // namespace
}  // namespace tessera
