// The registers of tessera_aieml: queue, status, locks by address, errors, counters, the page.
#include "tests/aieml/rtl/tile_fixture.h"

namespace tessera::aieml {
namespace {

class Registers : public TileTest {};

constexpr uint32_t kOverflow = 1u << 18, kRunning = 1u << 19;
constexpr uint32_t kInvalid = 1u << 11, kUnavailable = 1u << 10, kMemoryError = 1u << 9,
                   kLockError = 1u << 8, kLength = 1u << 12, kDecode = 1u << 16;

TEST_P(Registers, AFifthWaitingTaskIsDroppedAndTold) {
  Describe(0, Buffer(0, 4));
  for (int n = 0; n < 5; ++n) Receive(0, 0);  // one in hand, four wait
  EXPECT_EQ(ReceiveStatus(0) >> 20 & 7, 4u);
  EXPECT_EQ(ReceiveStatus(0) & kOverflow, 0u);
  EXPECT_NE(ReceiveStatus(0) & kRunning, 0u);
  Receive(0, 0);
  EXPECT_NE(ReceiveStatus(0) & kOverflow, 0u);
  EXPECT_EQ(ReceiveStatus(0) >> 20 & 7, 4u);
  Feed(0, 20);
  ASSERT_TRUE(side->Settle(2000));
  EXPECT_EQ(ReceiveStatus(0) & 0x00ffffff, kOverflow);
  Set(at.s2mm_status, ~kOverflow);
  EXPECT_EQ(ReceiveStatus(0) & 0x00ffffff, kOverflow);
  Set(at.s2mm_status, kOverflow);
  EXPECT_EQ(ReceiveStatus(0) & 0x00ffffff, 0u);
  EXPECT_EQ(Get(at.s2mm_status + 4) & 0x00ffffff, 0u);
}

TEST_P(Registers, StatusTellsWhatAChannelWaitsFor) {
  auto words = Buffer(0, 4);
  Acquire(&words, at.lock_base + 3, -2);
  Describe(0, words);
  Receive(0, 0);
  side->Clock(40);
  EXPECT_EQ(ReceiveStatus(0) & 0x3f, 1u << 2 | 1);  // acquire, starting
  Set(at.lock + 0x30, 2);
  side->Clock(40);
  EXPECT_EQ(Get(at.lock + 0x30), 0u);
  EXPECT_EQ(ReceiveStatus(0) & 0x3f, 1u << 4 | 2);  // starvation, running
  Feed(0, 3);
  side->Clock(40);
  EXPECT_EQ(Get(at.count), 3u);
  Feed(0, 1);
  ASSERT_TRUE(side->Settle(500));
  EXPECT_EQ(ReceiveStatus(0) & 0x3f, 0u);
}

TEST_P(Registers, LocksByAddress) {
  for (uint32_t lock = 0; lock < at.locks; ++lock) {
    const uint32_t request = at.request + (lock << 10);
    const auto acquire = [&](int32_t value) {
      return Get(request + 0x200 + (static_cast<uint32_t>(value) & 127) * 4);
    };
    const auto release = [&](int32_t value) {
      return Get(request + (static_cast<uint32_t>(value) & 127) * 4);
    };
    Set(at.lock + 0x10 * lock, 5);
    EXPECT_EQ(acquire(-6), 0u);
    EXPECT_EQ(acquire(-5), 1u);
    EXPECT_EQ(Get(at.lock + 0x10 * lock), 0u);
    EXPECT_EQ(acquire(0), 1u);
    EXPECT_EQ(acquire(1), 0u);
    EXPECT_EQ(release(40), 1u);
    EXPECT_EQ(acquire(40), 1u);
    EXPECT_EQ(Get(at.lock + 0x10 * lock), 40u);
    EXPECT_EQ(release(40), 1u);
    EXPECT_EQ(Get(at.lock + 0x10 * lock), 63u);
    EXPECT_EQ(Get(at.over + lock / 32 * 4), 1u << lock % 32);
    EXPECT_EQ(release(-64), 1u);
    EXPECT_EQ(Get(at.lock + 0x10 * lock), 0u);
    EXPECT_EQ(Get(at.under + lock / 32 * 4), 1u << lock % 32);
    Set(at.over + lock / 32 * 4, 1u << lock % 32);
    Set(at.under + lock / 32 * 4, 1u << lock % 32);
    EXPECT_EQ(Get(at.over + lock / 32 * 4), 0u);
    EXPECT_EQ(Get(at.under + lock / 32 * 4), 0u);
  }
}

TEST_P(Registers, ADescriptorThatIsNotValidStopsTheChannel) {
  auto words = Buffer(0, 4);
  Describe(2, Buffer(0x40, 4));
  words.back() = 0;
  const uint32_t iteration = words.size() < 8 ? 4 : 6, turns = 0x3fu << 17;
  words[iteration] = turns;
  Describe(0, words);
  Send(0, 0);
  Send(0, 2);
  side->Clock(100);
  EXPECT_EQ(Get(at.descriptor + 4 * iteration), turns);  // it does not go on
  EXPECT_EQ(SendStatus(0) & 0x00ffffff, kInvalid | 1u << 20 | kRunning);
  EXPECT_TRUE(side->SentWords(0) == 0);
  EXPECT_EQ(Get(kPage + 0x44), 1u << 16);  // PageFaults
  Set(kPage + 0x44, 1u << 16);
  EXPECT_EQ(Get(kPage + 0x44), 0u);  // told once, although the channel still stands
  Reset(0, true);
  EXPECT_EQ(SendStatus(0) & 0x00ffffff, 0u);
  Send(0, 2);
  ASSERT_TRUE(side->Settle(500));
  EXPECT_EQ(side->SentWords(0), 4u);
}

TEST_P(Registers, HalvesOfTheDescriptors) {
  if (!memory()) GTEST_SKIP() << "every channel may use every descriptor";
  Describe(24, Buffer(0, 4));
  Describe(23, Buffer(0, 4));
  Send(0, 24);
  Send(1, 23);
  Send(2, 23);
  Send(3, 24);
  Send(4, 60);
  side->Clock(200);
  EXPECT_EQ(SendStatus(0) & 0xffff00, kUnavailable);
  EXPECT_EQ(SendStatus(1) & 0xffff00, kUnavailable);
  EXPECT_EQ(SendStatus(4) & 0xffff00, kUnavailable);
  EXPECT_EQ(side->SentWords(2), 4u);
  EXPECT_EQ(side->SentWords(3), 4u);
}

TEST_P(Registers, WhatANeighbourWouldHaveIsAnError) {
  if (!memory()) GTEST_SKIP() << "a memory tile has neighbours";
  auto words = Buffer(0, 4);
  Acquire(&words, 63, -1);  // of the west
  Describe(0, words);
  ASSERT_TRUE(build.west);
  const uint64_t own = 0x80000, east = 0x100000, beyond = build.east ? 0x180000 : east;
  const uint64_t border = build.east ? east : own;
  Describe(1, Linear(at.kind, beyond, 40));                 // behind the last memory
  Describe(2, Linear(at.kind, build.east ? east : 0, 40));  // a neighbour
  Describe(3, Linear(at.kind, border - 16, 8));             // of two memories
  Receive(4, 0);                                            // reaches its own locks alone
  Send(0, 1);
  Send(2, 2);
  Send(4, 2);  // and memory
  side->Clock(300);
  EXPECT_EQ(ReceiveStatus(4) & 0xffff00, kLockError);
  EXPECT_EQ(SendStatus(0) & 0xffff00, kMemoryError);
  EXPECT_EQ(SendStatus(4) & 0xffff00, kMemoryError);
  EXPECT_EQ(side->SentWords(2), 40u);
  Receive(2, 1);
  Feed(2, 40);
  side->Clock(300);
  EXPECT_EQ(ReceiveStatus(2) & 0xffff00, kMemoryError);
  EXPECT_TRUE(side->memory().TouchedBytes() == 0);
  Receive(4, 3);  // stopped until its reset
  side->Clock(100);
  EXPECT_EQ(ReceiveStatus(4) & 0xffff00, kLockError | 1u << 20 | kRunning);
  Receive(0, 3);
  Feed(0, 8);
  ASSERT_TRUE(side->Settle(500));
  EXPECT_EQ(ReceiveStatus(0) & 0xffffff, 0u);
  EXPECT_EQ(side->At(border - 16), 0x1000u);
  EXPECT_EQ(side->At(border), 0x1004u);
}

// A transfer that leaves the windows of its channel: what lies inside is written first, however
// late the memory answers, and nothing else.
TEST_P(Registers, WhatLiesInsideIsMoved) {
  if (shim()) GTEST_SKIP() << "a shim has no windows";
  const uint64_t end = !memory() ? 0x10000 : build.east ? 0x180000 : 0x100000;
  for (uint64_t seed = 1; seed <= 6; ++seed) {
    PortOptions port;
    port.latency_min = 20;
    port.latency_max = 60;
    port.stumble = seed % 2 == 0 ? 0.5 : 0;
    side = std::make_unique<RtlSide>(build, seed, port);
    const auto inside = static_cast<uint32_t>(64 * seed + 16);
    Describe(0, Linear(at.kind, end - 4 * inside, inside + 100));
    Receive(0, 0);
    Feed(0, inside + 100);
    ASSERT_TRUE(side->bench().Until([&] { return side->bench().tile().active == 0; }, 5000));
    EXPECT_EQ(ReceiveStatus(0) & 0x3f00, kMemoryError);
    for (uint32_t n = 0; n < inside; ++n) {
      ASSERT_EQ(side->At(end - 4 * inside + 4 * n), 0x1000 + n) << seed;
    }
    EXPECT_EQ(side->memory().TouchedBytes(), 4 * inside) << seed;
  }
}

// Each base keeps every bit above the window; the words of windows that the image lacks read 0.
TEST_P(Registers, BasesKeepEveryBit) {
  const uint32_t low = memory() ? 0xfff80001 : 0xffff0001;
  for (uint32_t window = 0; window < 3; ++window) {
    const bool there = memory() || (!shim() && window == 1);
    const uint32_t place = kPage + 0x10 + 8 * window;
    for (const uint32_t pattern : RegisterPatterns()) {
      Set(place, pattern);
      EXPECT_EQ(Get(place), there ? pattern & low : 0u) << "window " << window;
      Set(place + 4, ~pattern);
      EXPECT_EQ(Get(place + 4), there ? ~pattern : 0u) << "window " << window;
      EXPECT_EQ(Get(place), there ? pattern & low : 0u) << "window " << window;
    }
  }
}

// What chooses events, and what interrupts: every bit that the original has is kept, others read 0.
TEST_P(Registers, ChoicesKeepEveryBit) {
  struct Word {
    uint32_t at, bits;
  };
  const uint32_t tasks = memory() ? 0x3f003f : 0x30003;
  std::vector<Word> words = {{kPage + 0x48, tasks}, {kPage + 0x4c, tasks}, {kPage + 0x34, 3}};
  for (uint32_t n = 0; n < 2; ++n) {
    words.push_back({(memory() ? 0xb0f00 : 0x3ff00) + 4 * n, 0x3f3f3f3f});
  }
  const uint32_t selectors = memory() ? 0xc0400 : shim() ? 0x14100 : 0x1f100;
  for (uint32_t n = 0; n < (shim() ? 6u : 8u); ++n) {
    words.push_back({selectors + 4 * n, memory() ? 0x003f003fu : 0x000f003fu});
  }
  if (memory()) words.push_back({0xa06a0, 0x07070707});
  for (const Word& word : words) {
    for (const uint32_t pattern : RegisterPatterns()) {
      Set(word.at, pattern & word.bits);
      EXPECT_EQ(Get(word.at), pattern & word.bits) << std::hex << word.at;
    }
  }
}

TEST_P(Registers, WindowsMoveMemoryOnTheBus) {
  if (shim()) GTEST_SKIP() << "addresses of a shim are those of the bus";
  Describe(0, Buffer(0x20, 4));
  const uint32_t base = memory() ? 0x40000000 : 0x50000;
  Set(kPage + 0x18, base | 0xfff1);
  EXPECT_EQ(Get(kPage + 0x18), base | 1);
  if (build.image == 0) {
    Set(kPage + 0x1c, 5);
    EXPECT_EQ(Get(kPage + 0x1c), 5u);
  }
  Send(0, 0);
  side->Clock(100);
  EXPECT_EQ(side->bench().last_read().addr, (memory() ? uint64_t{5} << 32 : 0) + base + 0x20);
  Reset(0, true);
  Set(kPage + 0x18, base);  // nothing is there any more
  const uint64_t bursts = side->bench().bursts();
  Send(0, 0);
  side->Clock(100);
  EXPECT_EQ(side->bench().bursts(), bursts);
  EXPECT_NE(SendStatus(0) & kMemoryError, 0u);
}

TEST_P(Registers, ABusErrorOfAShimStopsTheChannel) {
  if (!shim()) GTEST_SKIP() << "the errors of tiles are others";
  auto words = Linear(at.kind, uint64_t{7} << 45, 4);
  Describe(0, words);
  Send(0, 0);
  side->Clock(100);
  EXPECT_EQ(SendStatus(0) & 0xffff00, kDecode);
  EXPECT_EQ(side->bench().last_read().addr, uint64_t{7} << 45);
  Set(at.mm2s_status, kDecode);
  EXPECT_EQ(SendStatus(0) & 0xffff00, 0u);
}

TEST_P(Registers, AttributesOfAShim) {
  if (!shim()) GTEST_SKIP() << "descriptors of tiles have no attributes";
  auto words = Buffer(0, 4);
  words[5] = 0xa73u << 20;  // SMID, AxCACHE, AxQoS
  Describe(0, words);
  words[3] = 1u << 30;  // secure
  words[5] = 0x1f4u << 20;
  Describe(1, words);
  Send(0, 0);
  Send(0, 1);
  side->Clock(20);
  ASSERT_TRUE(side->Settle(500));
  EXPECT_EQ(side->bench().last_read().user, 1);
  EXPECT_EQ(side->bench().last_read().cache, 15);
  EXPECT_EQ(side->bench().last_read().qos, 4);
  EXPECT_EQ(side->bench().last_read().prot, 0);
  // Each of them alone changes.
  words[5] = 0x1f5u << 20;
  Describe(2, words);
  Send(0, 2);
  ASSERT_TRUE(side->Settle(500));
  EXPECT_EQ(side->bench().last_read().qos, 5);
  words[5] = 0x2f5u << 20;
  Describe(2, words);
  Send(0, 2);
  ASSERT_TRUE(side->Settle(500));
  EXPECT_EQ(side->bench().last_read().user, 2);
  words[3] = 0;
  Describe(2, words);
  Send(0, 2);
  ASSERT_TRUE(side->Settle(500));
  EXPECT_EQ(side->bench().last_read().prot, 2);
  Send(1, 0);
  ASSERT_TRUE(side->Settle(500));
  EXPECT_EQ(side->bench().last_read().user, 10);
  EXPECT_EQ(side->bench().last_read().cache, 7);
  EXPECT_EQ(side->bench().last_read().qos, 3);
  EXPECT_EQ(side->bench().last_read().prot, 2);
}

// The next transfer has other attributes, and waits until all addresses of this one are out.
TEST_P(Registers, AttributesStayWhileATransferRuns) {
  if (!shim()) GTEST_SKIP() << "descriptors of tiles have no attributes";
  for (const bool sends : {true, false}) {
    for (uint32_t n = 0; n < 2; ++n) {
      auto words = Buffer(0x4000 * n, n == 0 ? 1000 : 4);
      words[5] = (0x1f4u + n) << 20;
      Describe(n, words);
    }
    const auto& last = sends ? side->bench().last_read() : side->bench().last_write();
    uint32_t seen = 0;
    if (!sends) Feed(0, 1004, false);
    for (uint32_t n = 0; n < 2; ++n) sends ? Send(0, n) : Receive(0, n);
    for (int cycle = 0; cycle < 3000; ++cycle) {
      side->Clock();
      const uint64_t at_byte = last.addr - at.local;
      if (at_byte >= 0x8000) continue;  // of another test
      const uint32_t n = at_byte >= 0x4000;
      ASSERT_EQ(last.qos, 4 + n) << "byte " << at_byte;
      seen |= 1u << n;
    }
    EXPECT_EQ(seen, 3u);
    ASSERT_TRUE(side->Settle(500));
  }
}

TEST_P(Registers, ShimPauses) {
  if (!shim()) GTEST_SKIP() << "a shim pauses";
  Describe(0, Buffer(0, 4));
  Set(at.mm2s, 1u << 2);  // stream
  Send(0, 0);
  side->Clock(100);
  EXPECT_TRUE(side->SentWords(0) == 0);
  Set(at.mm2s, 0);
  ASSERT_TRUE(side->Settle(500));
  EXPECT_EQ(side->SentWords(0), 4u);
  Set(at.mm2s, 1u << 1);  // memory
  const uint64_t bursts = side->bench().bursts();
  Send(0, 0);
  side->Clock(100);
  EXPECT_EQ(side->bench().bursts(), bursts);
  Set(at.mm2s, 0);
  ASSERT_TRUE(side->Settle(500));
  EXPECT_EQ(side->SentWords(0), 8u);
}

TEST_P(Registers, ALastWordThatDoesNotComeIsAnError) {
  Describe(0, Buffer(0, 4));
  Set(at.s2mm, 1u << 16);
  Receive(0, 0);
  Feed(0, 6);
  side->Clock(200);
  EXPECT_EQ(ReceiveStatus(0) & 0xffff00, kLength);
  EXPECT_EQ(Get(at.fifo), 0u);  // nobody counts
  Reset(0, false);
  EXPECT_EQ(ReceiveStatus(0) & 0xffff00, 0u);
}

TEST_P(Registers, CountsOfPackets) {
  Describe(0, Buffer(0, 10));
  Set(at.s2mm, 3u << 16);
  Receive(0, 2 << 16);
  for (uint32_t words : {4u, 10u, 1u}) Feed(0, words);
  ASSERT_TRUE(side->Settle(500));
  EXPECT_EQ(Get(at.fifo), 0x80000004u);
  EXPECT_EQ(Get(at.fifo), 0x8000000au);
  EXPECT_EQ(Get(at.fifo), 0xc0000001u);
  EXPECT_EQ(Get(at.fifo), 0u);
  // A full FIFO holds the channel back.
  Receive(0, 9 << 16);
  for (int n = 0; n < 10; ++n) Feed(0, 2);
  side->Clock(500);
  EXPECT_EQ(ReceiveStatus(0) & 0x20, 0x20u);
  for (int n = 0; n < 10; ++n) {
    EXPECT_EQ(Get(at.fifo), 0x80000002u | (n == 9 ? 1u << 30 : 0)) << n;
    side->Clock(30);
  }
}

TEST_P(Registers, Tokens) {
  Describe(0, Buffer(0, 4));
  Set(at.mm2s, 14u << 8);
  Set(at.s2mm, 3u << 8);
  Send(0, 1u << 31 | 3u << 16);
  ASSERT_TRUE(side->Settle(500));
  Receive(0, 1u << 31);
  Feed(0, 4);
  ASSERT_TRUE(side->Settle(500));
  const std::vector<uint32_t> expected = {TokenWord(at.kind, 3,
                                                    memory() ? 1
                                                    : shim() ? 0
                                                             : 2,
                                                    true, 0, 14),
                                          TokenWord(at.kind, 3,
                                                    memory() ? 1
                                                    : shim() ? 0
                                                             : 2,
                                                    false, 0, 3)};
  EXPECT_EQ(side->Tokens(), expected);
}

// The place of a tile, after reset that of the parameters, is that of tokens and headers.
TEST_P(Registers, ATileMayStandElsewhere) {
  const uint32_t place = kPage + 0x28, row = memory() ? 1 : shim() ? 0 : 2;
  EXPECT_EQ(Get(place), 3u << 21 | row << 16);
  for (const uint32_t pattern : RegisterPatterns()) {
    Set(place, pattern);
    EXPECT_EQ(Get(place), pattern & 0x0fff0000);
  }
  std::vector<uint32_t> tokens;
  for (const auto& [column, tile_row] : {std::pair{0u, 0u}, {85u, 21u}, {42u, 10u}, {127u, 31u}}) {
    Set(place, column << 21 | tile_row << 16);
    auto words = Buffer(0, 1);
    if (!wide()) words[memory() ? 0 : shim() ? 2 : 1] |= 1u << (memory() ? 31 : 30);
    Describe(0, words);
    Send(0, 1u << 31);
    ASSERT_TRUE(side->Settle(500));
    tokens.push_back(TokenWord(at.kind, column, tile_row, true, 0, 0));
    const std::vector<Word> sent = side->Sent(0);
    if (!wide()) {
      EXPECT_EQ(sent.at(2 * tokens.size() - 2).data, PacketHeader(0, 0, 0, column, tile_row));
    }
  }
  EXPECT_EQ(side->Tokens(), tokens);
}

// A token that is shown stays while PLACE is written; the next one has the new place.
TEST_P(Registers, AShownTokenKeepsItsPlace) {
  TileBenchOptions options;
  options.tokens = PacerSpec::Probability(0.003);
  TileBench bench(MakeTile(build.name, 1), options);
  const auto words = Buffer(0, 1);
  for (uint32_t n = 0; n < words.size(); ++n) bench.Set(at.descriptor + 4 * n, words[n]);
  bool waited = false;
  for (uint32_t n = 0; n < 20; ++n) {
    bench.Set(at.mm2s + 4, 1u << 31);
    bench.Step(60);
    waited = waited || bench.tile().token.valid;
    ASSERT_NO_THROW({
      bench.Set(kPage + 0x28, n % 2 == 0 ? 5u << 21 | 3u << 16 : 0);
      bench.Step(40);
    });
  }
  EXPECT_TRUE(waited);
  ASSERT_TRUE(bench.Until([&] { return !bench.tile().token.valid; }, 20000));
  bench.Set(kPage + 0x28, 9u << 21 | 4u << 16);
  const size_t before = bench.tokens().words().size();
  bench.Set(at.mm2s + 4, 1u << 31);
  ASSERT_TRUE(bench.Until([&] { return bench.tokens().words().size() > before; }, 20000));
  EXPECT_EQ(bench.tokens().words().back().data, TokenWord(at.kind, 9, 4, true, 0, 0));
}

// An address that is shown stays while the windows are written.
TEST_P(Registers, AShownAddressStays) {
  if (shim()) GTEST_SKIP() << "addresses of a shim are those of the bus";
  for (const bool away : {false, true}) {
    for (const bool to_stream : {true, false}) {
      SCOPED_TRACE(std::string(to_stream ? "MM2S" : "S2MM") + (away ? ", taken away" : ""));
      PortOptions port;
      port.stumble = 0.99;
      side = std::make_unique<RtlSide>(build, 1, port);
      Describe(0, Buffer(0, 1000));
      const uint32_t low = Get(kPage + 0x18), other = away ? low & ~1u : low + (1u << 20);
      to_stream ? Send(0, 0) : Receive(0, 0);
      if (!to_stream) Feed(0, 1000);
      for (uint32_t n = 0; n < 100; ++n) {
        ASSERT_NO_THROW({
          side->Clock(20);
          Set(kPage + 0x18, n % 2 == 0 ? other : low);
        });
      }
      EXPECT_GT(side->bench().bursts(), 0u);
    }
  }
}

TEST_P(Registers, WhatIsNotThereReadsZeroAndIsTold) {
  EXPECT_EQ(Get(kPage), 0x54450100u | static_cast<uint32_t>(build.image));
  EXPECT_EQ(Get(kPage + 8), 0u);
  Set(0xe0004, 77);
  EXPECT_EQ(Get(0xe0004), 0u);
  EXPECT_EQ(Get(kPage + 8), 1u);
  Get(0xe0008);
  EXPECT_EQ(Get(kPage + 0xc), 0xe0004u);  // the first of them
  Set(kPage + 8, 1);
  EXPECT_EQ(Get(kPage + 8), 0u);
  EXPECT_FALSE(side->bench().Write(at.lock, 5, 3));
  EXPECT_EQ(Get(at.lock), 0u);
  EXPECT_EQ(Get(kPage + 8), 2u);
}

TEST_P(Registers, InterruptsOfTasks) {
  Describe(0, Buffer(0, 4));
  Send(1, memory() ? 24 : 0);
  if (memory()) Describe(24, Buffer(0, 4));
  Reset(1, true);
  Set(kPage + 0x40, ~0u);
  Set(kPage + 0x44, ~0u);
  Set(kPage + 0x48, 1u << 16);
  Send(0, 0);
  ASSERT_TRUE(side->Settle(500));
  side->Clock(2);
  EXPECT_EQ(Get(kPage + 0x40), 1u << 16);
  EXPECT_TRUE(side->bench().tile().irq);
  Set(kPage + 0x40, 1u << 16);
  side->Clock(2);
  EXPECT_FALSE(side->bench().tile().irq);
  Send(0, 5);  // a descriptor that is not valid
  side->Clock(60);
  EXPECT_EQ(Get(kPage + 0x44), 1u << 16);
  EXPECT_FALSE(side->bench().tile().irq);
  Set(kPage + 0x4c, 1);
  side->Clock(2);
  EXPECT_FALSE(side->bench().tile().irq);
  Set(kPage + 0x4c, 1u << 16);
  side->Clock(2);
  EXPECT_TRUE(side->bench().tile().irq);
}

// A descriptor that waits for a value sees the lock after the descriptor before it, not in its
// middle.
TEST_P(Registers, AnEqualAcquireWaitsForWhatIsBeforeIt) {
  auto first = Buffer(0, 60), second = Buffer(0x400, 4);
  first.back() |= memory() ? 1u << 24 | (at.lock_base + 3) << 16 : 1u << 18 | 3u << 13;
  Acquire(&second, at.lock_base + 3, 7);
  Describe(0, first);
  Describe(1, second);
  Set(at.lock + 0x30, 7);
  Send(0, 0);
  Send(0, 1);
  side->Clock(300);
  EXPECT_EQ(side->SentWords(0), 60u);  // the lock is 8
  EXPECT_EQ(Get(at.lock + 0x30), 8u);
  Set(at.lock + 0x30, 7);
  ASSERT_TRUE(side->Settle(500));
  EXPECT_EQ(side->SentWords(0), 64u);
}

TEST_P(Registers, ATaskHasUpTo256Turns) {
  Describe(0, Buffer(0, 1));
  Send(0, 200u << 16);
  ASSERT_TRUE(side->Settle(8000));
  EXPECT_EQ(side->SentWords(0), 201u);
  Send(0, 255u << 16);
  ASSERT_TRUE(side->Settle(8000));
  EXPECT_EQ(side->SentWords(0), 201u + 256u);
}

// Software that sets the reset of a channel and takes it back does not wait in between.
TEST_P(Registers, ATaskBehindAShortResetRuns) {
  const uint32_t at_reset = shim() ? kPage + 0x30 : 0;
  Describe(0, Buffer(0, 300));
  Describe(2, Buffer(0x800, 5));
  for (uint32_t delay = 0; delay < 80; ++delay) {
    SCOPED_TRACE(delay);
    for (const bool to_stream : {true, false}) {
      const uint32_t queue = (to_stream ? at.mm2s : at.s2mm) + 4;
      Set(queue, 0);
      side->Clock(delay);
      Set(shim() ? at_reset : queue - 4, shim() ? 1u << (to_stream ? 16 : 0) : 2);
      Set(shim() ? at_reset : queue - 4, 0);
      Set(queue, 2);
      const uint64_t before = side->SentWords(0);
      if (!to_stream) {
        side->memory().Load(at.local + 0x800, std::vector<uint8_t>(20));
        Feed(0, 5);
      }
      ASSERT_TRUE(side->Settle(4000));
      ASSERT_EQ(side->SentWords(0), before + (to_stream ? 5 : 0));
      for (uint32_t n = 0; n < 5 && !to_stream; ++n) {
        ASSERT_EQ(side->At(at.local + 0x800 + 4 * n), 0x1000 + n);
      }
      ASSERT_EQ((to_stream ? SendStatus(0) : ReceiveStatus(0)) & 0xffffff, 0u);
    }
  }
}

TEST_P(Registers, ACountBeginsAgainAfterAReset) {
  Describe(0, Buffer(0, 8));
  Receive(0, 0);
  Feed(0, 3);
  side->Clock(60);
  EXPECT_EQ(Get(at.count), 3u);
  Reset(0, false);
  EXPECT_EQ(Get(at.count), 0u);
  Receive(0, 0);
  Feed(0, 2);
  side->Clock(60);
  EXPECT_EQ(Get(at.count), 2u);
  Feed(0, 6);
  ASSERT_TRUE(side->Settle(500));
  EXPECT_EQ(Get(at.count), 8u);
}

// Descriptors of one word keep the loader busy; accesses to descriptors get their turn.
TEST_P(Registers, DescriptorsAnswerWhileTheyAreLoaded) {
  for (uint32_t k = 0; k < at.channels; ++k) {
    const uint32_t bd = memory() ? k % 2 * 24 + k / 2 : k;
    auto words = Buffer(0x100 * k, 1);
    if (memory()) words[1] |= 1u << 19 | bd << 20;
    if (!memory()) words.back() |= 1u << 26 | bd << 27;
    Describe(bd, words);
    Send(k, bd);
  }
  for (uint32_t n = 0; n < 100; ++n) {
    const uint64_t before = side->bench().cycle();
    const uint32_t offset = at.descriptor + 0x20 * (at.descriptors - 1);
    Set(offset, n);
    EXPECT_EQ(Get(offset), n);
    EXPECT_LT(side->bench().cycle() - before, 80u);
  }
}

// A stream that pauses keeps the beat that is shown, and loses none.
TEST_P(Registers, PausesInTheMiddleLoseNothing) {
  if (!shim()) GTEST_SKIP() << "a shim pauses";
  for (const double stumble : {0.0, 0.5}) {
    side = std::make_unique<RtlSide>(build, 3, PortOptions{}, stumble);
    Describe(0, Buffer(0, 200));
    Describe(1, Buffer(0x1000, 200));
    Send(0, 0);
    Receive(0, 1);
    Feed(0, 200);
    for (int n = 0; n < 20; ++n) {
      side->Clock(1 + n % 5);
      Set(at.mm2s, 4);
      Set(at.s2mm, 4);
      side->Clock(40);  // what is shown goes on
      const uint64_t sent = side->SentWords(0), left = side->Left(0);
      side->Clock(20);
      EXPECT_EQ(side->SentWords(0), sent);
      EXPECT_EQ(side->Left(0), left);
      Set(at.mm2s, 0);
      Set(at.s2mm, 0);
    }
    ASSERT_TRUE(side->Settle(3000));
    const std::vector<Word> words = side->Sent(0);
    ASSERT_EQ(words.size(), 200u);
    for (uint32_t n = 0; n < 200; ++n) {
      EXPECT_EQ(words[n].data, side->At(at.local + 4 * n));
      EXPECT_EQ(side->At(at.local + 0x1000 + 4 * n), 0x1000 + n);
    }
  }
}

// From the handshake of the queue word to the first address on the bus; a shim changes its
// attributes with it.
TEST_P(Registers, AQueueWordReachesTheBusSoon) {
  Describe(0, Buffer(0, 64));
  side->Clock(20);
  side->bench().MarkFirst();
  Send(0, 0);
  ASSERT_TRUE(side->Settle(1000));
  ASSERT_NE(side->bench().first_address(), kNever);
  const uint64_t cycles = side->bench().first_address() - side->bench().written_at();
  RecordProperty("cycles", static_cast<int>(cycles));
  EXPECT_LE(cycles, shim() ? 27u : memory() ? 25u : 23u);
}

// Descriptors without products follow each other without a gap in the stream.
TEST_P(Registers, ASwitchOfDescriptorsCostsNoWord) {
  for (uint32_t n = 0; n < 4; ++n) {
    auto words = Buffer(0x400 * n, 32);
    if (memory()) words[1] |= 1u << 19 | ((n + 1) % 4) << 20;
    if (!memory()) words.back() |= 1u << 26 | ((n + 1) % 4) << 27;
    if (n == 3) (memory() ? words[1] : words.back()) &= memory() ? ~(1u << 19) : ~(1u << 26);
    Describe(n, words);
  }
  Send(0, 0);
  while (side->SentWords(0) < 8) side->Clock();
  const size_t before = side->bench().sink(0).beats().size();
  const uint32_t cycles = 4 * Beats(32) - 28;
  side->Clock(cycles);
  EXPECT_EQ(side->bench().sink(0).beats().size(), before + cycles);
}

TESSERA_ALL_TILES(Registers);

}  // namespace
}  // namespace tessera::aieml
