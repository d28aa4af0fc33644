// Random programs with the same seeds in every run; tests/dma/dma_random makes more.
#include <gtest/gtest.h>

#include "tb/check/plan.h"
#include "tb/dma/random_program.h"
#include "tests/dma/fixture.h"

namespace tessera {
namespace {

class RandomPrograms : public ::testing::TestWithParam<std::string> {};

TEST_P(RandomPrograms, DoWhatTheManualSays) {
  Proves({"program.descriptor-fields", "record.program"});
  constexpr uint64_t kCases = 60;
  for (uint64_t seed = 1; seed <= kCases; ++seed) {
    const ProgramResult result = RunProgram(GetParam(), seed);
    ASSERT_TRUE(result.message.empty()) << result.message << "\ndma_random --config " << GetParam()
                                        << " --seed " << seed << " --cases 1";
  }
  RecordProperty("cases", static_cast<int>(kCases));
}

INSTANTIATE_TEST_SUITE_P(Builds, RandomPrograms, EveryDmaForPrograms(), DmaName);

}  // namespace
}  // namespace tessera
