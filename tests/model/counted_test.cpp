// Numbers of things in sentences.
#include "tb/sim/counted.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace tessera {
namespace {

TEST(Counted, OneThingIsSingular) {
  EXPECT_EQ(Counted(0, "byte"), "0 bytes");
  EXPECT_EQ(Counted(uint64_t{1}, "byte"), "1 byte");
  EXPECT_EQ(Counted(-1, "byte"), "-1 bytes");
  EXPECT_EQ(Counted(~uint64_t{0}, "byte"), "18446744073709551615 bytes");
  EXPECT_EQ(Counted(1, "entry", "entries"), "1 entry");
  EXPECT_EQ(Counted(2, "entry", "entries"), "2 entries");
}

}  // namespace
}  // namespace tessera
