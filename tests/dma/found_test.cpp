// Random runs that once failed: tests/dma/found.txt. And the lines that they are kept as.
#include <gtest/gtest.h>

#include <stdexcept>

#include "tb/dma/random_kind.h"
#include "tests/dma/fixture.h"

namespace tessera {
namespace {

class Found : public ::testing::TestWithParam<std::string> {};

TEST_P(Found, RunsThatOnceFailedPass) {
  size_t run = 0;
  for (const RandomRun& kept : RandomRun::Read(TESSERA_FOUND_RUNS)) {
    if (kept.build != GetParam()) continue;
    const ProgramResult result = kept.kind.Run(kept.build, kept.seed);
    EXPECT_EQ(result.message, "") << "dma_random " << kept.Line() << " --cases 1";
    ++run;
  }
  if (run == 0) GTEST_SKIP() << "no run of " << GetParam() << " is kept";
}

INSTANTIATE_TEST_SUITE_P(Builds, Found, EveryDmaForPrograms(), DmaName);

TEST(FoundLines, AreWhatDmaRandomPrints) {
  for (const char* line : {"--config basic --seed 7", "--config basic --plain --seed 0",
                           "--config several --woven abort --seed 18446744073709551615",
                           "--config plain --woven reset --plain --seed 4",
                           "--config several --woven abort --seed 9 --keep t0.1,d3,2/t1.0",
                           "--config basic --fuzz 5000 --seed 3"}) {
    EXPECT_EQ(RandomRun::Parse(line).Line(), line);
  }
  EXPECT_EQ(RandomRun::Parse("--config basic --seed 7").kind.draws, Draws::kRare);
  EXPECT_EQ(RandomRun::Parse("--config basic --plain --seed 7").kind.draws, Draws::kPlain);
}

TEST(FoundLines, RefuseWhatIsNoRun) {
  for (const char* line :
       {"--config basic", "--seed 7", "--config basic --seed x",
        "--config basic --seed 7 --cases 1", "--config basic --woven all --seed 1",
        "--config basic --fuzz", "--config basic --seed 7 --keep", "basic 7"}) {
    EXPECT_THROW(RandomRun::Parse(line), std::invalid_argument) << line;
  }
  EXPECT_THROW(RandomRun::Read("/nowhere/found.txt"), std::invalid_argument);
}

}  // namespace
}  // namespace tessera
