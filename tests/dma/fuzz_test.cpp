// Register fuzz with the same seeds in every run; `dma_random --fuzz 1000000 --cases 1` makes a
// million accesses. By registers: a driver does none of this.
#include "tb/check/plan.h"
#include "tb/dma/register_fuzz.h"

#include "tests/dma/fixture.h"

namespace tessera {
namespace {

class Fuzz : public ::testing::TestWithParam<std::string> {};

TEST_P(Fuzz, AccessesAreAnsweredWhateverTheyAre) {
  Proves({"register.access"});
  uint64_t refused = 0;
  for (uint64_t seed = 1; seed <= 2; ++seed) {
    const ProgramResult result = FuzzRegisters(GetParam(), seed, 20000);
    ASSERT_TRUE(result.message.empty()) << result.message << "\ndma_random --config " << GetParam()
                                        << " --fuzz 20000 --seed " << seed << " --cases 1";
    refused += result.compared;
  }
  EXPECT_GT(refused, 1000u);
}

INSTANTIATE_TEST_SUITE_P(Builds, Fuzz, EveryDmaForPrograms(), DmaName);

}  // namespace
}  // namespace tessera
