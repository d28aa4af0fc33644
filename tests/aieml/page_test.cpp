// The page of the manual holds the table of registers as it is.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "lib/aieml/registers.h"

namespace tessera::aieml {
namespace {

TEST(Page, HoldsTheTable) {
  std::ifstream file(TESSERA_SOURCE_DIR "/docs/aieml/aieml.md");
  const std::string page{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  EXPECT_NE(page.find(Markdown()), std::string::npos)
      << "docs/aieml/aieml.md is stale: tessera txn --registers prints its table";
}

}  // namespace
}  // namespace tessera::aieml
