// Every bit of addresses and flags, where other tests use the low ones alone: addresses of refusals
// anywhere in the address space, a lock, a pin and a trigger after the other, long counts.
#include <fmt/format.h>

#include "tb/check/plan.h"
#include "tests/dma/fixture.h"

namespace tessera {
namespace {

class Bits : public DmaTest {
 protected:
  // An address of the build with random bits above all that tests use, a page at least from its
  // end.
  uint64_t Anywhere(Rng& rng) {
    const int width = config().channel.addr_width;
    const uint64_t top = width == 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1;
    return (rng() & top & ~uint64_t{0x1fff}) + 64 * rng.Below(60);
  }
};
INSTANTIATE_TEST_SUITE_P(Builds, Bits, EveryDma(), DmaName);

// Nothing else uses the registers: a write is answered two cycles after its request, a read three
// cycles later at most (the master of the bench looks at it a cycle later).
TEST_P(Bits, NothingDelaysAnAccess) {
  Make();
  bench().Step(300);
  for (int n = 0; n < 20; ++n) {
    SCOPED_TRACE(n);
    uint64_t before = bench().cycle();
    bench().Get(native::kGlobalStatus);
    EXPECT_LE(bench().cycle() - before, 6u);
    before = bench().cycle();
    bench().Set(native::kGlobalControl, 0);
    EXPECT_EQ(bench().cycle() - before, 3u);
    bench().Step(n % 3);
  }
}

// What a window forbids is told with its address to the bit, wherever the window lies.
TEST_P(Bits, ARefusalAnywhereHasItsAddress) {
  Proves({"program.error-address"});
  Make();
  if (config().windows == 0) GTEST_SKIP() << "the build has no windows";
  for (const Direction way : {kRead, kWrite}) {
    Rng rng(8);
    for (int n = 0; n < 40; ++n) {
      const uint64_t base = Anywhere(rng), page = base & ~uint64_t{0xfff};
      const bool above = rng.Chance(0.5);
      software().SetWindow(way, 0, above ? page + 0x1000 : Anywhere(rng) & (page >> 1) & ~0xfffULL,
                           above ? page + 0x1000 : (page >> 1) & ~0xfffULL);
      Write(First(way), Copy(base, 16));
      if (way == kWrite) bench().source(0).Push(std::vector<uint8_t>(16), PieceEnd::kLast);
      Push(way, {.start = First(way)});
      const auto record = WaitRecord(way);
      ASSERT_TRUE(record) << bench().Dump();
      EXPECT_NE(record->done.status, 0);
      bench().Step(40);
      const driver::ChannelError error = Channel(way).TakeError();
      EXPECT_EQ(error.address, base) << fmt::format("page {:#x}", page);
      bench().source(0).DiscardUnsent();
    }
  }
}

// One lock after the other leaves its range at both ends; each flag is its own.
TEST_P(Bits, EveryLockHasItsFlags) {
  Proves({"lock.saturates"});
  Make();
  if (config().locks == 0) GTEST_SKIP() << "the build has no locks";
  constexpr uint32_t kOver = 0x40, kUnder = 0x48;
  for (int n = 0; n < config().locks; ++n) {
    const uint32_t place = native::kLocks + 0x10 * static_cast<uint32_t>(n);
    const uint32_t high = n < 32 ? 0 : 4, bit = 1U << (n % 32);
    software().SetLock(n, 63);
    bench().Set(place + 4, 1);
    EXPECT_EQ(software().LockValue(n), 63);
    software().SetLock(n, 0);
    bench().Set(place + 4, 0x7f);  // -1
    EXPECT_EQ(software().LockValue(n), 0);
    for (const uint32_t flags : {kOver, kUnder}) {
      EXPECT_EQ(bench().Get(flags + high), bit) << "lock " << n;
      if (config().locks > 32) {
        EXPECT_EQ(bench().Get(flags + (4 - high)), 0U);
      }
      bench().Set(flags + high, ~bit);
      EXPECT_EQ(bench().Get(flags + high), bit);
      bench().Set(flags + high, bit);
      EXPECT_EQ(bench().Get(flags + high), 0U);
    }
    software().SetLock(n, n % 64);
  }
  for (int n = 0; n < config().locks; ++n) EXPECT_EQ(software().LockValue(n), n % 64);
}

// Each pin and each event of software starts a task that waits for it, and none for another.
TEST_P(Bits, EveryTriggerStartsItsTask) {
  Proves({"program.trigger"});
  Make();
  if (!config().triggers) GTEST_SKIP() << "the build has no triggers";
  Load(0x1000, 8);
  Write(First(kRead), Copy(0x1000, 8));
  for (uint32_t source = 0; source < 32; ++source) {
    const uint32_t event = source % 16;
    const auto fire = [&](uint32_t number) {
      if (source >= 16) {
        EXPECT_TRUE(software().device().Trigger(number).ok());
        bench().Step(8);
        return;
      }
      bench().dma().triggers = static_cast<uint16_t>(1U << number);
      bench().Step(4);
      bench().dma().triggers = 0;
      bench().Step(8);
    };
    ASSERT_TRUE(Channel(kRead)
                    .SetTrigger(source < 16 ? driver::TriggerSource::Pin(event)
                                            : driver::TriggerSource::Software(event))
                    .ok());
    Push(kRead, {.start = First(kRead), .trigger = true}, 0, 100 + source);
    bench().Step(60);
    for (uint32_t other = 0; other < 16; ++other) {
      if (other != event) fire(other);
    }
    EXPECT_FALSE(Pop(kRead)) << "source " << source;
    fire(event);
    const auto record = WaitRecord(kRead);
    ASSERT_TRUE(record) << "source " << source;
    EXPECT_EQ(record->tag, 100 + source);
  }
}

// The end of a transfer and of a task of a write channel are two sources, and no other number is
// one.
TEST_P(Bits, TheEventsOfAChannelAreItsOwn) {
  Proves({"program.trigger"});
  Make();
  if (!config().triggers) GTEST_SKIP() << "the build has no triggers";
  EXPECT_EQ(Get(kRead, native::kError), 0U);
  constexpr uint32_t kSoftware = 0x20, kTransfer = 0x50, kTask = 0x70;  // of write channel 0
  Load(0x1000, 8);
  Write(First(kRead), Copy(0x1000, 8));
  Write(First(kWrite), Copy(0x4000, 8));
  for (uint32_t source = 0; source < 128; ++source) {
    if (source >= 0x10 && source < 0x30) continue;  // pins and software
    Set(kRead, native::kTrigger, source);
    Push(kRead, {.start = First(kRead), .trigger = true});
    bench().source(0).Push(std::vector<uint8_t>(8, 1), PieceEnd::kLast);
    Push(kWrite, {.start = First(kWrite)});
    ASSERT_TRUE(WaitRecord(kWrite));
    bench().Step(60);
    const bool starts = source == kTransfer || source == kTask;
    EXPECT_EQ(Pop(kRead).has_value(), starts) << fmt::format("source {:#x}", source);
    if (starts) continue;
    Set(kRead, native::kTrigger, kSoftware);
    EXPECT_TRUE(software().device().Trigger(0).ok());
    ASSERT_TRUE(WaitRecord(kRead)) << fmt::format("source {:#x}", source);
  }
  EXPECT_EQ(Get(kRead, native::kError), 0U);
}

// A transfer of more than a mebibyte, and a packet that is longer than its transfer by as much.
TEST_P(Bits, LongCountsAreTold) {
  Make();
  constexpr uint32_t kBytes = (1U << 20) + (1U << 19) + 24;
  const auto all = [&](Direction way) {
    for (int n = 0; n < 20000; ++n) {
      if (auto record = Pop(way)) return record;
      bench().Step(500);
    }
    return std::optional<native::Record>();
  };
  native::Descriptor repeats = Copy(0x1000, 1 << 12);  // the same 4 KiB again and again
  repeats.transfer.count = {24, (kBytes / 24), 1, 1};
  repeats.transfer.stride = {1, 0, 0, 0};
  Write(First(kRead), repeats);
  Push(kRead, {.start = First(kRead)});
  const auto read = all(kRead);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->done.bytes, kBytes / 24 * 24);
  if (config().route_dest) return;  // its packets go where TDEST says
  native::Descriptor early = Copy(0x4000, 64);
  early.transfer.finish = model::Finish::kLast;
  Write(First(kWrite), early);
  Push(kWrite, {.start = First(kWrite)});
  bench().source(0).Push(std::vector<uint8_t>(kBytes, 0x5c), PieceEnd::kLast);
  const auto written = all(kWrite);
  ASSERT_TRUE(written);
  EXPECT_EQ(written->done.bytes, 64U);
  EXPECT_EQ(written->done.dropped, kBytes - 64);
}

// TLAST in any tile of a traversal ends it: no byte of the tiles behind is written or taken.
TEST_P(Bits, ATraversalEndsWithItsPacket) {
  Proves({"finish.last"});
  Make();
  if (!config().channel.walk) GTEST_SKIP() << "the build has no traversal";
  if (config().route_dest) GTEST_SKIP() << "its packets go where TDEST says";
  if (config().joined(0)) GTEST_SKIP() << "its stream is joined inside";
  constexpr size_t kTile = 64, kTiles = 6;
  native::Descriptor d = Copy(0x4000, kTile);
  d.transfer.walk[0] = model::WalkLevel{0, kTile, kTiles};
  d.transfer.finish = model::Finish::kLast;
  Write(First(kWrite), d);
  for (size_t bytes = 8; bytes <= kTiles * kTile; bytes += 56) {
    Load(0x4000, kTiles * kTile);
    std::vector<uint8_t> wanted = bench().memory().ReadBytes(0x4000, kTiles * kTile);
    const std::vector<uint8_t> packet(bytes, static_cast<uint8_t>(0x80 + bytes / 8));
    std::copy(packet.begin(), packet.end(), wanted.begin());
    bench().source(0).Push(packet, PieceEnd::kLast);
    Push(kWrite, {.start = First(kWrite)});
    const auto record = WaitRecord(kWrite);
    ASSERT_TRUE(record) << bench().Dump();
    EXPECT_EQ(record->done.bytes, bytes);
    EXPECT_EQ(bench().memory().ReadBytes(0x4000, kTiles * kTile), wanted) << bytes;
  }
}

// An array of more descriptors than any queue holds.
TEST_P(Bits, ALongArrayIsWalkedToItsEnd) {
  Proves({"list.array"});
  Make();
  if (!config().lists) GTEST_SKIP() << "the build has no lists";
  constexpr int kDescriptors = 600;
  const std::vector<uint8_t> data = Load(0x1000, 1024);
  for (int number = 0; number < config().reads; ++number) {
    std::vector<uint8_t> wanted;
    std::vector<native::Descriptor> list;
    for (int n = 0; n < kDescriptors; ++n) {
      list.push_back(Copy(0x1000 + static_cast<uint64_t>(n), 4));
      list.back().no_record = n + 1 != kDescriptors;
      for (size_t k = 0; k < 4; ++k) wanted.push_back(data[static_cast<size_t>(n) + k]);
    }
    software().SetArray(kRead, number, 0x40000, list);
    Push(kRead, {.from_list = true}, number);
    const auto& bytes = bench().sink(number).bytes();
    for (int n = 0; n < 400 && bytes.size() < wanted.size(); ++n) bench().Step(200);
    EXPECT_EQ(std::vector<uint8_t>(bytes.begin(), bytes.end()), wanted) << "channel " << number;
    ASSERT_TRUE(WaitRecord(kRead, number));
  }
}

}  // namespace
}  // namespace tessera
