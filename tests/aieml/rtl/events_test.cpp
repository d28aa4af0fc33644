// Events, performance counters and monitored ports of tessera_aieml.
#include "tests/aieml/rtl/tile_fixture.h"

namespace tessera::aieml {
namespace {

class Events : public TileTest {
 protected:
  uint32_t counters() const { return memory() ? 0x91000 : shim() ? 0x31000 : 0x11000; }
  // The first event of channels.
  uint32_t activity() const { return memory() ? 21 : shim() ? 14 : 19; }
};

// Counters: 7 bits an event, 8 in a memory tile.
TEST_P(Events, CountersOfEvents) {
  const uint32_t finished = activity() + 4 + 2;  // descriptors of the first channel to a stream
  Set(counters(), finished << 8 | finished | (activity() + 2) << 16 | (activity() + 8 + 2) << 24);
  EXPECT_EQ(Get(counters()),
            finished << 8 | finished | (activity() + 2) << 16 | (activity() + 10) << 24);
  Set(counters() + 0x80, 3);
  Describe(0, Buffer(0, 20));
  Send(0, 4 << 16);  // five times
  ASSERT_TRUE(side->Settle(1000));
  side->Clock(4);
  EXPECT_EQ(Get(counters() + 0x20), 5u);
  const uint32_t cycles = Get(counters() + 0x24);  // from the start of a task to its end
  EXPECT_GE(cycles, 5 * Beats(20));
  EXPECT_LE(cycles, 5 * Beats(20) + 100);
  // The first counter, when it gets to 3, stops the second.
  Set(counters() + 0x20, 0);
  Set(counters() + 0x24, 0);
  Set(counters(), finished << 8 | finished | (activity() + 2) << 16 | 5u << 24);
  Send(0, 4 << 16);
  ASSERT_TRUE(side->Settle(1000));
  side->Clock(4);
  EXPECT_GE(Get(counters() + 0x24), 3 * Beats(20) - 5);
  EXPECT_LE(Get(counters() + 0x24), cycles - 2 * Beats(20) + 4);  // three of five
}

// A selector that names no channel of its kind shows nothing, and not one of the other kind.
TEST_P(Events, OfAChannelThatIsNotThereNeverCome) {
  if (!memory()) GTEST_SKIP() << "only a memory tile chooses the channels of its events";
  const uint32_t select = 0xa06a0, sends = activity() + 4 + 2;
  Describe(0, Buffer(0, 20));
  for (const bool there : {false, true}) {
    Set(select, there ? 0U : 6U << 16);
    Set(counters(), sends << 8 | sends);
    Set(counters() + 0x20, 0);
    Receive(0, 0);
    Feed(0, 20);
    Send(0, 0);
    ASSERT_TRUE(side->Settle(1000));
    side->Clock(4);
    EXPECT_EQ(Get(counters() + 0x20), there ? 1U : 0U);
  }
}

TEST_P(Events, PortsAreMonitored) {
  if (!memory() && !shim()) GTEST_SKIP() << "ports of a compute tile are those of its core";
  const uint32_t ports = memory() ? 0xb0f00 : 0x3ff00;
  const uint32_t running = (memory() ? 79 : 77) + 1;
  Set(ports, memory() ? 0x2000 : 0x2405);  // port 0: MM2S 0, port 1: S2MM 0
  Set(counters(), running << 8 | running | (running + 4) << 24 | (running + 4) << 16);
  Describe(0, Buffer(0, 20));
  Describe(1, Buffer(0x400, 7));
  Send(0, 0);
  Receive(0, 1);
  Feed(0, 7);
  ASSERT_TRUE(side->Settle(1000));
  side->Clock(4);
  EXPECT_EQ(Get(counters() + 0x20), Beats(20));
  EXPECT_EQ(Get(counters() + 0x24), Beats(7));
}

TEST_P(Events, EventsOfLocks) {
  const uint32_t select = memory() ? 0xc0400 : shim() ? 0x14100 : 0x1f100;
  const uint32_t first = activity() + 25;
  EXPECT_EQ(Get(select), 0x3fu);
  Set(select + 4, 3u << 16 | 9);  // lock 3, value 9
  const uint32_t released = first + 4 + 2, value = first + 4 + 3;
  Set(counters(), released << 8 | released | value << 24 | value << 16);
  Get(at.request + (3 << 10) + 5 * 4);
  Get(at.request + (3 << 10) + 4 * 4);
  Get(at.request + (2 << 10) + 4 * 4);
  side->Clock(10);
  Get(at.request + (3 << 10) + 1 * 4);
  side->Clock(4);
  EXPECT_EQ(Get(counters() + 0x20), 3u);
  EXPECT_GE(Get(counters() + 0x24), 10u);
  EXPECT_LE(Get(counters() + 0x24), 30u);
}

TEST_P(Events, AChannelWaitsForMemoryOnlyWhileItRuns) {
  const uint32_t receives = activity() + 20, sends = receives + 2;
  Set(counters(), sends << 8 | sends | receives << 16 | receives << 24);
  side->Clock(40);
  EXPECT_EQ(Get(counters() + 0x20), 0u);
  EXPECT_EQ(Get(counters() + 0x24), 0u);
  Describe(0, Buffer(0, 20));
  Send(0, 0);
  ASSERT_TRUE(side->Settle(500));
  const uint32_t starved = Get(counters() + 0x20);
  EXPECT_GT(starved, 0u);  // until the first beat has come
  EXPECT_LE(starved, 60u);
  side->Clock(40);
  EXPECT_EQ(Get(counters() + 0x20), starved);
  EXPECT_EQ(Get(counters() + 0x24), 0u);
}

// From a stream it waits while its buffer is full, which takes a memory that is slow.
TEST_P(Events, AFullBufferWaitsForMemory) {
  const uint32_t receives = activity() + 20;
  for (const double stumble : {0.0, 0.98}) {
    PortOptions port;
    port.stumble = stumble;
    side = std::make_unique<RtlSide>(build, 1, port);
    Set(counters(), receives << 8 | receives);
    Describe(0, Buffer(0, 1000));
    Receive(0, 0);
    side->Clock(40);
    Feed(0, 1000);
    ASSERT_TRUE(side->Settle(200000)) << stumble;
    if (stumble == 0.0) {
      EXPECT_EQ(Get(counters() + 0x20), 0u);
    } else {
      EXPECT_GT(Get(counters() + 0x20), Beats(1000));
    }
  }
}

// Each counter has a reset event of its own.
TEST_P(Events, CountersAreResetByEvents) {
  const uint32_t finished = activity() + 8 + 2;  // a task of the first channel to a stream
  const uint32_t number = memory() ? 4 : 2;
  for (uint32_t n = 0; n < number; ++n) Set(counters() + 0x20 + 4 * n, 100 + n);
  for (uint32_t n = 0; n < number; ++n) {
    Set(counters() + 8, finished << 8 * n);
    EXPECT_EQ(Get(counters() + 8), finished << 8 * n);
    Describe(0, Buffer(0, 4));
    Send(0, 0);
    ASSERT_TRUE(side->Settle(500));
    side->Clock(4);
    for (uint32_t k = 0; k < number; ++k) {
      EXPECT_EQ(Get(counters() + 0x20 + 4 * k), k <= n ? 0u : 100 + k) << n << " " << k;
    }
  }
}

// A counter that runs is given another start event: it waits for that.
TEST_P(Events, ACounterWaitsForTheStartEventThatItIsGiven) {
  const uint32_t finished = activity() + 8 + 2;  // a task to a stream
  Set(counters(), 1 | 1u << 16);                 // true: both run for ever
  side->Clock(10);
  Set(counters(), finished | 1u << 16);
  Set(counters() + 0x20, 0);
  const uint32_t other = Get(counters() + 0x24);
  side->Clock(20);
  EXPECT_EQ(Get(counters() + 0x20), 0u);
  EXPECT_GE(Get(counters() + 0x24), other + 20);
  Describe(0, Buffer(0, 4));
  Send(0, 0);
  ASSERT_TRUE(side->Settle(500));
  EXPECT_GT(Get(counters() + 0x20), 0u);
}

// The second task is pushed at every distance from the end of the first.
TEST_P(Events, EveryTaskStarts) {
  const uint32_t starts = activity() + 2;  // of the first to a stream
  Set(counters(), starts << 8 | starts);
  Describe(0, Buffer(0, 4));
  for (uint32_t distance = 0; distance < 60; ++distance) {
    Set(counters() + 0x20, 0);
    Send(0, 0);
    side->Clock(distance);
    Send(0, 0);
    ASSERT_TRUE(side->Settle(500));
    ASSERT_EQ(Get(counters() + 0x20), 2u) << distance;
  }
}

TEST_P(Events, AResetFinishesNothing) {
  const uint32_t descriptor = activity() + 4 + 2, task = descriptor + 4;
  Set(counters(), descriptor << 8 | descriptor | task << 16 | task << 24);
  Describe(0, Buffer(0, 2000));
  Send(0, 0);
  side->Clock(100);
  Reset(0, true);
  ASSERT_TRUE(side->Settle(500));
  EXPECT_EQ(Get(counters() + 0x20), 0u);
  EXPECT_EQ(Get(counters() + 0x24), 0u);
}

// Errors of channels by direction, on a compute tile by channel: S2MM first.
TEST_P(Events, ErrorsOfChannels) {
  const uint32_t compute[] = {97, 98, 99, 100};
  for (uint32_t channel = 0; channel < 2; ++channel) {
    for (const bool to_stream : {false, true}) {
      SetUp();
      const uint32_t own = memory() ? (to_stream ? 134u : 133u)
                           : shim() ? (to_stream ? 73u : 72u)
                                    : compute[channel + (to_stream ? 2 : 0)];
      const uint32_t other = memory() ? (to_stream ? 133u : 134u)
                             : shim() ? (to_stream ? 72u : 73u)
                                      : compute[(channel + (to_stream ? 2 : 0)) ^ 2];
      Set(counters(), own | own << 8 | other << 16 | other << 24);
      const uint32_t bd = memory() ? 24 * channel : 0;  // not valid
      if (to_stream) Send(channel, bd);
      if (!to_stream) Receive(channel, bd);
      side->Clock(80);
      EXPECT_GE(Get(counters() + 0x20), 20u) << channel << to_stream;
      EXPECT_EQ(Get(counters() + 0x24), 0u) << channel << to_stream;
    }
  }
}

// FAULTS tells each task that is refused, and a stop although the overflow bit is set.
TEST_P(Events, FaultsAreToldEach) {
  auto words = Buffer(0, 4);
  Acquire(&words, at.lock_base + 3, -1);
  Describe(0, words);
  Send(0, 0);
  side->Clock(40);
  // The last one is not valid, and is not loaded before one of the others runs.
  for (int n = 0; n < 4; ++n) Send(0, n == 3 ? 2 : 0);
  side->Clock(40);
  EXPECT_EQ(Get(kPage + 0x44), 0u);
  for (int n = 0; n < 2; ++n) {
    Send(0, 0);  // one too many
    EXPECT_EQ(Get(kPage + 0x44), 1u << 16) << n;
    Set(kPage + 0x44, 1u << 16);
    EXPECT_EQ(Get(kPage + 0x44), 0u) << n;
  }
  EXPECT_EQ(SendStatus(0) >> 18 & 1, 1u);
  Set(at.lock + 0x30, 4);
  side->Clock(100);
  EXPECT_EQ(side->SentWords(0), 16u);
  EXPECT_EQ(Get(kPage + 0x44), 1u << 16);
}

TESSERA_ALL_TILES(Events);

}  // namespace
}  // namespace tessera::aieml
