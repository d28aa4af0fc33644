// Resets of channels of tessera_aieml while their memory is slow.
#include <bit>

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
  // The words of compressed units, from a word of the stream on.
  static std::vector<uint32_t> Expand(const std::vector<Word>& sent, size_t first) {
    std::vector<uint32_t> words;
    while (first < sent.size()) {
      const uint32_t mask = sent[first].data;
      const size_t bytes = static_cast<size_t>(std::popcount(mask));
      EXPECT_LE(first + (bytes + 3) / 4, sent.size() - 1) << "part of a unit";
      if (first + (bytes + 3) / 4 >= sent.size()) break;
      words.resize(words.size() + 8);
      for (size_t b = 0, k = 0; b < 32; ++b) {
        if ((mask >> b & 1) == 0) continue;
        const uint32_t byte = sent[first + 1 + k / 4].data >> k % 4 * 8 & 255;
        words[words.size() - 8 + b / 4] |= byte << b % 4 * 8;
        ++k;
      }
      first += 1 + (bytes + 3) / 4;
    }
    return words;
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

// A stream that is slow, and resets in every cycle: it gets whole units, all of a descriptor that
// was done before, and of the next one nothing but its own.
TEST_P(Resets, CompleteUnitsGoOut) {
  if (shim()) GTEST_SKIP() << "a shim tile does not compress";
  side = std::make_unique<RtlSide>(build, 1, PortOptions{}, 0.7);
  constexpr uint32_t kWords = 20, kCompress = 1u << 4;
  auto words = Buffer(0, kWords);
  words[memory() ? 4 : 1] |= 1u << 31;  // Enable_Compression
  Describe(0, words);
  Set(at.mm2s, kCompress);
  const auto whole = [&](size_t first) {
    const std::vector<Word> sent = side->Sent(0);
    const std::vector<uint32_t> got = Expand(sent, first);
    ASSERT_EQ(got.size(), 24u);
    for (uint32_t n = 0; n < kWords; ++n) ASSERT_EQ(got[n], side->At(at.local + 4 * n));
    ASSERT_TRUE(sent.back().last);
  };
  int done = 0;
  for (uint32_t delay = 0; delay < 100; ++delay) {
    SCOPED_TRACE(delay);
    const size_t first = side->SentWords(0);
    Send(0, 0);
    side->Clock(delay);
    const bool ended = (Get(kPage + 0x40) & 1u << 16) != 0;
    Set(at.mm2s, kCompress | 2);
    side->Clock(50);
    Set(at.mm2s, kCompress);
    ASSERT_TRUE(side->Settle(1000));
    side->Clock(100);
    if (ended) whole(first);
    done += ended;
    const size_t second = side->SentWords(0);
    Send(0, 0);
    ASSERT_TRUE(side->Settle(1000));
    side->Clock(100);
    whole(second);
    Set(kPage + 0x40, ~0u);
  }
  EXPECT_GT(done, 10);
  EXPECT_LT(done, 90);
}

INSTANTIATE_TEST_SUITE_P(Images, Resets, EveryTile(), TileName);

}  // namespace
}  // namespace tessera::aieml
