// Resets of channels of tessera_aieml while their memory is slow.
#include "tests/aieml_rtl/tile_fixture.h"

namespace tessera::aieml {
namespace {

class Resets : public TileTest {
 protected:
  void SetUp() override {
    TileTest::SetUp();
    PortOptions port;
    port.latency_min = port.latency_max = kLatency;
    side = std::make_unique<RtlSide>(build, 1, port);
  }
  // Sets the reset of a channel, or takes it back.
  void Hold(uint32_t channel, bool to_stream, bool reset) {
    const uint32_t control = (to_stream ? at.mm2s : at.s2mm) + 8 * channel;
    const uint32_t bit = shim() ? 1u << (channel + (to_stream ? 16 : 0)) : 2;
    Set(shim() ? kPage + 0x30 : control, reset ? bit : 0);
  }

  static constexpr uint32_t kLatency = 300;
};

// Descriptors without words run into the memory's silence behind one with words, until there is no
// room for more. The next one has its lock, and gives it back when the engine rests, which it does
// when the memory has answered. Channel 0 rests all the time.
TEST_P(Resets, ALockIsGivenBackWhenTheEngineOfItsOwnChannelRests) {
  const uint32_t bd = memory() ? 24 : 0, lock = at.lock + 0x30;
  auto empty = Buffer(0, 0);
  Acquire(&empty, at.lock_base + 3, -1);
  Describe(bd, Buffer(0, 4));
  Describe(bd + 1, empty);
  Set(lock, 63);
  Send(1, bd);
  Send(1, (bd + 1) | 200u << 16);
  side->Clock(200);
  const uint32_t left = Get(lock);
  ASSERT_GT(left, 0u);
  Hold(1, true, true);
  side->Clock(20);
  EXPECT_EQ(Get(lock), left) << "the memory has not answered";
  side->Clock(2 * kLatency);
  EXPECT_EQ(Get(lock), left + 1);
}

// `aresetn` may fall when `active` has: with a reset of a channel too the memory answers before.
TEST_P(Resets, ActiveStaysUntilNothingIsOnTheBus) {
  Describe(0, Buffer(0, 4000));
  for (const bool to_stream : {true, false}) {
    SCOPED_TRACE(to_stream);
    to_stream ? Send(0, 0) : Receive(0, 0);
    if (!to_stream) Feed(0, 400);
    side->Clock(150);
    Hold(0, to_stream, true);
    TileBench& bench = side->bench();
    ASSERT_TRUE(bench.Until([&] { return bench.tile().active == 0; }, 5000));
    EXPECT_TRUE(bench.Quiet()) << bench.Dump();
    Hold(0, to_stream, false);
    side->Clock(4);
    EXPECT_EQ(bench.tile().active, 0u);
  }
}

INSTANTIATE_TEST_SUITE_P(Images, Resets, EveryTile(), TileName);

}  // namespace
}  // namespace tessera::aieml
