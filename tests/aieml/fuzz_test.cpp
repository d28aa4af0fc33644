// A short run of the fuzzers; `build/release/aieml_fuzz 1000000` is the long one.
#include "tests/aieml/fuzz.h"

#include <gtest/gtest.h>

namespace tessera::aieml {
namespace {

TEST(Fuzz, TransactionBinaries) {
  uint64_t accepted = 0;
  EXPECT_EQ(FuzzBinaries(20000, 1, &accepted), "");
  EXPECT_GT(accepted, 2000u);
}

TEST(Fuzz, SequenceFiles) {
  uint64_t accepted = 0;
  EXPECT_EQ(FuzzSequences(5000, 1, &accepted), "");
  EXPECT_GT(accepted, 500u);
}

}  // namespace
}  // namespace tessera::aieml
