// Resets of channels of tessera_aieml while their memory is slow.
#include <bit>
#include <cstring>

#include "tests/aieml/rtl/tile_fixture.h"

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

// A lock is acquired when its transfer is about to begin. A reset in any cycle gives it back,
// unless the transfer has begun: then it is used up. Channel 0 rests all the time.
TEST_P(Resets, ALockIsGivenBackUnlessItsTransferHasBegun) {
  const uint32_t bd = memory() ? 24 : 0, lock = at.lock + 0x30;
  auto words = Buffer(0, 4);
  Acquire(&words, at.lock_base + 3, -1);
  Describe(bd, words);
  uint32_t kept = 0, used = 0;
  for (uint32_t delay = 0; delay < 60; ++delay) {
    SCOPED_TRACE(delay);
    Set(lock, 1);
    const uint64_t bursts = side->bench().bursts();
    Send(1, bd);
    side->Clock(delay);
    Hold(1, true, true);
    side->Clock(2 * kLatency);
    const uint32_t left = Get(lock);
    EXPECT_TRUE(left == 0 || side->bench().bursts() == bursts) << "a transfer without its lock";
    EXPECT_TRUE(left == 1 || used != 0 || kept != 0);
    if (left == 1) {
      EXPECT_EQ(used, 0u) << "it had begun a cycle earlier";
      ++kept;
    }
    used += left == 0;
    Hold(1, true, false);
    side->Clock(20);
  }
  EXPECT_GT(kept, 2u);
  EXPECT_GT(used, 20u);
}

// What runs when a reset comes has used its locks, and what waits has none: the engine rests when
// the memory has answered.
TEST_P(Resets, NothingIsGivenBackWhileTheMemoryIsSilent) {
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
  ASSERT_LT(left, 60u);
  Hold(1, true, true);
  side->Clock(20);
  EXPECT_EQ(Get(lock), left) << "the memory has not answered";
  EXPECT_NE(side->bench().tile().active, 0u);
  side->Clock(2 * kLatency);
  EXPECT_EQ(Get(lock), left);
  EXPECT_EQ(side->bench().tile().active, 0u);
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

// The same of the stream: a reset lasts until it has taken what has left the engine.
TEST_P(Resets, ActiveStaysUntilTheStreamHasTakenTheWords) {
  if (wide()) GTEST_SKIP() << "no beat waits between the engine and the stream";
  Describe(0, Buffer(0, 2));
  TileBench& bench = side->bench();
  for (const bool held : {false, true}) {
    SCOPED_TRACE(held);
    bench.sink(0).Hold(true);
    const size_t before = side->SentWords(0);
    Send(0, 0);
    side->Clock(3 * kLatency);
    EXPECT_EQ(bench.tile().active, 0u) << "the task is done";
    Hold(0, true, true);
    if (!held) Hold(0, true, false);
    side->Clock(300);
    EXPECT_EQ(bench.tile().active, 1u);
    bench.sink(0).Hold(false);
    side->Clock(100);
    EXPECT_EQ(bench.tile().active, 0u) << "though it may still be asked for";
    EXPECT_EQ(side->SentWords(0), before + 2);
    Hold(0, true, false);
  }
}

// The same of units that wait behind compression.
TEST_P(Resets, AResetLastsUntilCompressedUnitsAreOut) {
  if (shim() || wide()) GTEST_SKIP() << "a tile without compression";
  constexpr uint32_t kCompress = 1u << 4;
  auto words = Buffer(0, 8);
  words[memory() ? 4 : 1] |= 1u << 31;  // Enable_Compression
  Describe(0, words);
  Describe(1, Buffer(0, 4));
  Set(at.mm2s, kCompress);
  TileBench& bench = side->bench();
  bench.sink(0).Hold(true);
  Send(0, 0);
  side->Clock(3 * kLatency);
  Set(at.mm2s, kCompress | 2);
  Set(at.mm2s, kCompress);
  side->Clock(300);
  EXPECT_EQ(bench.tile().active, 1u);
  const uint64_t before = bench.cycle();
  Send(0, 1);  // answered when the stream has been silent for long, and dropped
  EXPECT_GT(bench.cycle() - before, 1000u);
  EXPECT_EQ(SendStatus(0) >> 19 & 1, 0u);
  bench.sink(0).Hold(false);
  ASSERT_TRUE(side->Settle(1000));
  const std::vector<uint32_t> got = Expand(side->Sent(0), 0);
  ASSERT_EQ(got.size(), 8u);
  for (uint32_t n = 0; n < 8; ++n) EXPECT_EQ(got[n], side->At(at.local + 4 * n));
  const size_t seen = side->SentWords(0);
  Send(0, 1);
  ASSERT_TRUE(side->Settle(1000));
  EXPECT_EQ(side->SentWords(0), seen + 4);
}

// A stream that takes nothing holds a reset up, and the register of a task behind it for a while at
// the most: that task is dropped. A stream that software has paused does not.
TEST_P(Resets, RegistersAnswerThoughTheStreamTakesNothing) {
  Describe(0, Buffer(0, 64));
  Describe(1, Buffer(0x400, 8));
  for (const bool pause : {false, true}) {
    if (pause && !shim()) continue;
    SCOPED_TRACE(pause);
    if (pause) Set(at.mm2s, 4);
    side->bench().sink(0).Hold(!pause);
    Send(0, 0);
    side->Clock(1000);
    Hold(0, true, true);
    Hold(0, true, false);
    side->Clock(200);
    const size_t first = side->SentWords(0);
    Send(0, 1);
    if (pause) Set(at.mm2s, 0);
    side->bench().sink(0).Hold(false);
    ASSERT_TRUE(side->Settle(4000));
    if (pause) {
      EXPECT_EQ(side->SentWords(0), first + 8);
    }
    const size_t before = side->SentWords(0);
    Send(0, 1);
    ASSERT_TRUE(side->Settle(4000));
    EXPECT_EQ(side->SentWords(0), before + 8);
  }
}

// A stream that is slow, and resets in every cycle: it gets whole units, all of a descriptor that
// was done before, and of the next one nothing but its own.
TEST_P(Resets, CompleteUnitsGoOut) {
  if (shim() || wide()) GTEST_SKIP() << "a tile without compression";
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

// A transfer that the memory answers with an error, behind one that a reset has cut in any cycle,
// with an error of another kind or without: registers, locks and data are what they are where
// nothing went before it.
TEST_P(Resets, ABusErrorBehindAResetIsThatOfItsOwnTransfer) {
  if (!shim()) GTEST_SKIP() << "the memory of a tile answers without errors";
  constexpr uint32_t kLength = 64, kCut = 200, kLock = 2;
  constexpr uint64_t kEnd = uint64_t{3} << 46, kBase = kEnd - 0x80;  // half of it is there
  struct Seen {
    uint32_t status, page, faults, lock, other;
    std::vector<uint32_t> sent;
    bool operator==(const Seen&) const = default;
  };
  for (const bool to_stream : {true, false}) {
    for (const bool first_too : {false, true}) {
      SCOPED_TRACE(std::string(to_stream ? "MM2S" : "S2MM") + (first_too ? ", both fail" : ""));
      PortOptions port;
      port.latency_min = port.latency_max = 6;
      if (first_too) port.errors = {ErrorRule::Range(0x140, 0x143, kSlvErr)};
      side = std::make_unique<RtlSide>(build, 1, port);
      const auto push = [&](uint32_t bd) { to_stream ? Send(0, bd) : Receive(0, bd); };
      const auto status = [&](uint32_t k) { return to_stream ? SendStatus(k) : ReceiveStatus(k); };
      StreamSource& source = side->bench().source(0);
      // Runs the transfer that fails in a channel at rest.
      const auto fail = [&] {
        Set(at.lock + 0x10 * kLock, 1);
        const size_t sent = side->SentWords(0);
        const uint64_t taken = source.bytes_accepted();
        if (!to_stream) Feed(0, kLength);
        push(1);
        EXPECT_TRUE(side->Settle(2000)) << side->bench().Dump();
        Seen seen{status(0),         Get(kPage + (to_stream ? 0xc0 : 0x80)),
                  Get(kPage + 0x44), Get(at.lock + 0x10 * kLock),
                  status(1),         {}};
        const std::vector<Word> words = side->Sent(0);
        for (size_t n = sent; n < words.size(); ++n) seen.sent.push_back(words[n].data);
        for (uint32_t n = 0; n < 32 && !to_stream; ++n) {
          uint32_t word = 0;
          std::memcpy(&word, source.bytes().data() + taken + size_t{4} * n, 4);
          EXPECT_EQ(side->At(kBase + 4 * n), word) << "word " << n;
        }
        source.DiscardUnsent();
        Reset(0, to_stream);
        EXPECT_TRUE(side->Settle(2000));
        Set(kPage + 0x40, ~0u);
        Set(kPage + 0x44, ~0u);
        EXPECT_EQ(status(0) & 0xffff00, 0u);
        return seen;
      };
      Describe(0, Linear(at.kind, 0x100, kCut));
      auto words = Linear(at.kind, kBase, kLength);
      Acquire(&words, kLock, -1);
      words[7] |= 1u << 18 | kLock << 13;  // gives it back
      Describe(1, words);
      const Seen wanted = fail();
      EXPECT_EQ(wanted.status & 0xffff00 & ~(7u << 20) & ~(1u << 19), 1u << 16);  // a decode error
      EXPECT_EQ(wanted.faults, to_stream ? 1u << 16 : 1u);
      EXPECT_GE(wanted.sent.size(), to_stream ? 32u : 0u);
      int cut = 0, stopped = 0, ended = 0;
      for (uint32_t delay = 0; delay < 260; ++delay) {
        SCOPED_TRACE(delay);
        if (!to_stream) Feed(0, kCut);
        push(0);
        side->Clock(delay);
        const bool done = (Get(kPage + 0x40) & (to_stream ? 1u << 16 : 1u)) != 0;
        stopped += Get(kPage + 0x44) != 0;
        Reset(0, to_stream);
        ASSERT_TRUE(side->Settle(2000));
        source.DiscardUnsent();
        ended += done;
        cut += !done;
        Set(kPage + 0x40, ~0u);
        Set(kPage + 0x44, ~0u);
        EXPECT_EQ(status(0) & 0xffff00, 0u);
        EXPECT_EQ(Get(kPage + 0x44), 0u);
        const Seen seen = fail();
        EXPECT_EQ(seen.status, wanted.status);
        EXPECT_EQ(seen.page, wanted.page);
        EXPECT_EQ(seen.faults, wanted.faults);
        EXPECT_EQ(seen.lock, wanted.lock);
        EXPECT_EQ(seen.other, wanted.other);
        EXPECT_EQ(seen.sent, wanted.sent);
        if (HasFailure()) return;
      }
      EXPECT_GT(cut, 150);
      EXPECT_EQ(ended > 0, !first_too);
      EXPECT_EQ(stopped > 0, first_too);
    }
  }
}

TESSERA_ALL_TILES(Resets);

}  // namespace
}  // namespace tessera::aieml
