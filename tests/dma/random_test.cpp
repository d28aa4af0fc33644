// Random programs with the same seeds in every run; tests/dma/dma_random makes more.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tb/check/plan.h"
#include "tb/dma/random_program.h"
#include "tb/dma/woven_model.h"
#include "tests/dma/fixture.h"

namespace tessera {
namespace {

class RandomPrograms : public ::testing::TestWithParam<std::string> {};

TEST_P(RandomPrograms, DoWhatTheManualSays) {
  Proves({"program.descriptor-fields", "record.program", "port.route"});
  constexpr uint64_t kCases = 24;
  for (uint64_t seed = 1; seed <= kCases; ++seed) {
    const ProgramResult result = RunProgram(GetParam(), seed, Draws::kRare);
    ASSERT_TRUE(result.message.empty()) << result.message << "\ndma_random --config " << GetParam()
                                        << " --seed " << seed << " --cases 1";
  }
  RecordProperty("cases", static_cast<int>(kCases));
}

// One channel is aborted and reset all the time. The others do what they do without that.
TEST_P(RandomPrograms, AStopOfOneChannelIsNoneOfTheOthers) {
  Proves({"program.ends", "port.isolation", "system.isolation"});
  constexpr uint64_t kCases = 16;
  uint64_t stops = 0;
  for (uint64_t seed = 1; seed <= kCases; ++seed) {
    const ProgramResult result = RunWithVictim(GetParam(), seed);
    ASSERT_TRUE(result.message.empty()) << result.message << "\ndma_random --config " << GetParam()
                                        << " --victim --seed " << seed << " --cases 1";
    stops += result.stops;
  }
  EXPECT_GT(stops, 2 * kCases);
}

INSTANTIATE_TEST_SUITE_P(Builds, RandomPrograms, EveryDmaForPrograms(), DmaName);

// Programs that rare states were drawn for are others, and the rest are what they were.
TEST(RareDraws, ChangeSomeProgramsAndLeaveTheRest) {
  const auto text = [](const DmaConfig& config, uint64_t seed, Draws draws) {
    std::string all;
    const DmaProgram program = DrawProgram(config, seed, draws);
    const auto executions = ExecutionsOf(config, program);
    for (size_t c = 0; c < executions.size(); ++c) {
      for (const DeviceExecution& e : executions[c])
        all += std::to_string(e.record.tag) + model::ToString(e.transfer) + "\n";
      for (const DmaProgram::Push& push : program.channels[c].tasks)
        all += std::to_string(push.task.Word()) + "\n";
    }
    return all;
  };
  for (const DmaConfig& config : Dmas()) {
    if (!config.takes_programs()) continue;
    size_t changed = 0, longest = 0, across = 0;
    for (uint64_t seed = 1; seed <= 60; ++seed) {
      changed += text(config, seed, Draws::kPlain) != text(config, seed, Draws::kRare);
      const DmaProgram program = DrawProgram(config, seed, Draws::kRare);
      for (const auto& executions : ExecutionsOf(config, program)) {
        size_t empty = 0;
        for (const DeviceExecution& e : executions) {
          empty = model::IsEmpty(e.transfer) ? empty + 1 : 0;
          longest = std::max(longest, empty);
          const uint64_t to_block = (uint64_t{1} << 31) - e.transfer.base % (uint64_t{1} << 31);
          across += to_block < 9000;
        }
      }
    }
    EXPECT_GT(changed, 10u) << NameOf(config);
    EXPECT_LT(changed, 50u) << NameOf(config);
    EXPECT_GE(longest, 64u) << NameOf(config);  // tags of a write engine come round
    EXPECT_GT(across, 0u) << NameOf(config);
  }
}

}  // namespace
}  // namespace tessera
