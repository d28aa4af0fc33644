// What the harness knows of the manual by heart, for shapes that no default build has.
#include "tb/dma/native.h"

#include <gtest/gtest.h>

namespace tessera {
namespace {

// Tokens name write channels from 0 on and read channels behind them: from 6, or from 16 where
// there are more than 6 that write.
TEST(Native, ActorsOfTokens) {
  DmaConfig config;
  config.reads = 2;
  config.writes = 6;
  EXPECT_EQ(native::Actor(config, Direction::kWrite, 5), 5);
  EXPECT_EQ(native::Actor(config, Direction::kRead, 1), 7);
  config.writes = 7;
  EXPECT_EQ(native::Actor(config, Direction::kWrite, 6), 6);
  EXPECT_EQ(native::Actor(config, Direction::kRead, 0), 16);
  config.reads = config.writes = 16;
  EXPECT_EQ(native::Actor(config, Direction::kRead, 15), 31);
}

}  // namespace
}  // namespace tessera
