// The on-chip buffer: what processors and channels read is what was written last, in any order of
// memories, with wrong bits and with a memory beside it that fails.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>

#include "tb/check/plan.h"
#include "tests/dma/fixture.h"

namespace tessera {
namespace {

constexpr uint64_t kMemory = 0x10000;  // somewhere in external memory

class OnChip : public DmaTest {
 protected:
  // False: the build has no on-chip buffer.
  bool MakeWith(const DmaBenchOptions& options = {}) {
    Make(options);
    return config().onchip_bytes() > 0;
  }
  uint64_t First() { return config().onchip_first(); }
  uint64_t Size() { return config().onchip_bytes(); }
  size_t Lanes() { return static_cast<size_t>(config().channel.data_bytes); }
  // A read and a write channel whose streams are at the pins.
  int Number() { return config().loopback; }
  // ... of port 0; -1: it has none.
  int Victim(int channels) {
    if (Number() == 0) return 0;
    return channels / config().ports > Number() ? Number() : -1;
  }
  // Rows in turn outside and inside.
  native::Descriptor Alternating(uint32_t bytes, uint32_t pairs) {
    native::Descriptor d = Copy(kMemory, bytes);
    d.transfer.count[1] = 2;
    d.transfer.stride[1] = static_cast<int64_t>(First() - kMemory);
    d.transfer.count[2] = pairs;
    return d;
  }
  std::vector<uint8_t> Bytes(size_t count, uint64_t seed) {
    std::vector<uint8_t> data(count);
    Rng rng(seed);
    for (uint8_t& byte : data) byte = static_cast<uint8_t>(rng());
    return data;
  }
  uint32_t Conflicts() { return bench().Get(native::kOnChipConflicts); }
  uint32_t Errors() { return bench().Get(native::kOnChipErrors); }
  // What a read channel sends by a descriptor.
  std::vector<uint8_t> Send(const native::Descriptor& d, int number) {
    const size_t before = bench().sink(number).bytes().size();
    Write(0, d);
    Push(kRead, {.start = 0}, number);
    const auto record = WaitRecord(kRead, number);
    EXPECT_TRUE(record) << bench().Dump();
    if (record) status_ = record->done.status;
    return SentBehind(before, number);
  }
  void Receive(const native::Descriptor& d, int number, std::span<const uint8_t> data) {
    Write(1, d);
    bench().source(number).Push(data, PieceEnd::kLast);
    Push(kWrite, {.start = 1}, number);
    const auto record = WaitRecord(kWrite, number);
    ASSERT_TRUE(record) << bench().Dump();
    EXPECT_EQ(record->done.status, 0);
  }

  int status_ = 0;  // of the last record of Send()
};

// Any size and type of burst, by the addresses that AXI4 gives its beats.
TEST_P(OnChip, ProcessorsReadAndWriteItWithAnyBurst) {
  Proves({"onchip.processor"});
  for (const uint64_t seed : {1, 2, 3}) {
    Rng rng(seed);
    DmaBenchOptions options;
    if (seed > 1) {
      options.processor.ar = options.processor.aw = PacerSpec::Parse("p=0.5");
      options.processor.w = options.processor.r = options.processor.b =
          PacerSpec::Parse("bursts=1-8/0-9");
    }
    if (!MakeWith(options)) GTEST_SKIP() << "the build has no on-chip buffer";
    std::vector<uint8_t> model = Bytes(Size(), seed);
    bench().LoadOnChip(First(), model);
    int wraps = 0, fixed = 0, narrow = 0;
    for (int turn = 0; turn < 150; ++turn) {
      // Some of one kind, then some of the other: between reads and writes AXI4 has no order.
      const bool write = rng.Chance(0.5);
      std::vector<AxiAddress> bursts;
      for (uint64_t n = rng.Between(1, 6); n > 0; --n) {
        AxiAddress a;
        a.id = static_cast<uint16_t>(rng());
        a.size =
            static_cast<uint8_t>(rng.Below(static_cast<uint64_t>(std::countr_zero(Lanes())) + 1));
        a.burst = static_cast<uint8_t>(rng.Below(3));
        const uint64_t bytes = uint64_t{1} << a.size;
        a.len = static_cast<uint8_t>(a.burst == 1   ? rng.Below(rng.Chance(0.1) ? 256 : 20)
                                     : a.burst == 2 ? (2U << rng.Below(4)) - 1
                                                    : rng.Below(16));
        a.addr = rng.Below(Size());
        if (a.burst == 2) a.addr &= ~(bytes - 1);
        if (a.burst == 1 && a.addr % 4096 + (a.len + 1) * bytes > 4096) a.addr &= ~uint64_t{4095};
        wraps += a.burst == 2 ? 1 : 0;
        fixed += a.burst == 0 ? 1 : 0;
        narrow += bytes < Lanes() ? 1 : 0;
        bursts.push_back(a);
      }
      // Places of the beats of a burst: lane by lane.
      const auto place = [&](const AxiAddress& a, uint64_t beat) {
        const uint64_t bytes = uint64_t{1} << a.size, all = bytes * (a.len + 1U);
        if (beat == 0 || a.burst == 0) return a.addr;
        const uint64_t at = (a.addr & ~(bytes - 1)) + beat * bytes;
        return a.burst == 1 ? at : (a.addr & ~(all - 1)) + at % all;
      };
      for (const AxiAddress& a : bursts) {
        const uint64_t bytes = uint64_t{1} << a.size;
        if (!write) {
          bench().processor().Read(a);
          continue;
        }
        std::vector<AxiWriteBeat> beats(a.beats());
        for (uint64_t n = 0; n < beats.size(); ++n) {
          const uint64_t at = place(a, n), end = (at & ~(bytes - 1)) + bytes;
          for (uint64_t p = at; p < end; ++p) {
            if (rng.Chance(0.2)) continue;
            const auto byte = static_cast<uint8_t>(rng());
            beats[n].data[p % Lanes()] = model[p] = byte;
            beats[n].strb.Set(static_cast<int>(p % Lanes()));
          }
        }
        bench().processor().Write(a, std::move(beats));
      }
      ASSERT_TRUE(bench().Until([&] { return bench().processor().Idle(); }, 20000));
      for (const AxiAddress& a : bursts) {
        const auto answer =
            write ? bench().processor().TakeWritten() : bench().processor().TakeRead();
        ASSERT_TRUE(answer && answer->okay());
        EXPECT_EQ(answer->id, a.id);
        if (write) continue;
        ASSERT_EQ(answer->data.size(), a.beats());
        const uint64_t bytes = uint64_t{1} << a.size;
        for (uint64_t n = 0; n < a.beats(); ++n) {
          const uint64_t at = place(a, n), end = (at & ~(bytes - 1)) + bytes;
          for (uint64_t p = at; p < end; ++p)
            ASSERT_EQ(answer->data[n][p % Lanes()], model[p]) << fmt::format("{:#x}", p);
        }
      }
    }
    EXPECT_TRUE(bench().ReadOnChip(First(), Size()) == model);
    EXPECT_GT(std::min({wraps, fixed, narrow}), 40);
  }
}

TEST_P(OnChip, ChannelsReachItAndExternalMemoryInOneTransfer) {
  Proves({"onchip.channels"});
  if (!MakeWith()) GTEST_SKIP() << "the build has no on-chip buffer";
  // Rows in turn on the chip and outside, the last before and behind the edges.
  const auto stride = static_cast<int64_t>(First() - kMemory);
  for (const uint64_t at : {uint64_t{0}, uint64_t{3}, Size() - 100}) {
    const std::vector<uint8_t> outside = Bytes(300, at), inside = Bytes(Size(), at + 1);
    bench().LoadOnChip(First(), inside);
    bench().memory().Load(kMemory + at, outside);
    native::Descriptor d = Copy(kMemory + at, 100);
    d.transfer.count[1] = 2;
    d.transfer.stride[1] = stride;
    d.transfer.count[2] = 3;
    std::vector<uint8_t> expected;
    for (int n = 0; n < 3; ++n) {
      expected.insert(expected.end(), outside.begin(), outside.begin() + 100);
      expected.insert(expected.end(), inside.begin() + static_cast<ptrdiff_t>(at),
                      inside.begin() + static_cast<ptrdiff_t>(at) + 100);
    }
    EXPECT_TRUE(Send(d, Number()) == expected);
    EXPECT_EQ(status_, 0);
    // The same way in.
    const std::vector<uint8_t> data = Bytes(200, at + 2);
    d.transfer.count[2] = 1;
    Receive(d, Number(), data);
    EXPECT_EQ(bench().memory().ReadBytes(kMemory + at, 100),
              std::vector<uint8_t>(data.begin(), data.begin() + 100));
    std::vector<uint8_t> after = inside;
    std::copy(data.begin() + 100, data.end(), after.begin() + static_cast<ptrdiff_t>(at));
    EXPECT_TRUE(bench().ReadOnChip(First(), Size()) == after);
  }
  // One copy that begins before the buffer, and one that ends behind it.
  for (const uint64_t base : {First() - 500, First() + Size() - 500}) {
    const std::vector<uint8_t> inside = Bytes(500, base), outside = Bytes(500, base + 1);
    const bool begins = base < First();
    bench().memory().Load(begins ? base : base + 500, outside);
    bench().LoadOnChip(
        begins ? First() : First() + Size() - 512, begins ? inside : [&] {
          std::vector<uint8_t> more(12);
          more.insert(more.end(), inside.begin(), inside.end());
          return more;
        }());
    std::vector<uint8_t> expected = begins ? outside : inside;
    const std::vector<uint8_t>& rest = begins ? inside : outside;
    expected.insert(expected.end(), rest.begin(), rest.end());
    EXPECT_TRUE(Send(Copy(base, 1000), Number()) == expected);
  }
}

// Everything at once: channels of all ports and a processor in one buffer, each in its part.
TEST_P(OnChip, WhatGoesOnAtOnceDoesNotDisturbAndConflictsAreCounted) {
  Proves({"onchip.channels", "onchip.conflicts"});
  DmaBenchOptions options;
  options.memory = AxiMemoryOptions::Latency(20);
  if (!MakeWith(options)) GTEST_SKIP() << "the build has no on-chip buffer";
  const int reads = config().reads - Number(), writes = config().writes - Number();
  const uint64_t part =
      Size() / static_cast<uint64_t>(2 * std::max(reads, writes) + 2) & ~uint64_t{127};
  const auto bytes = static_cast<uint32_t>(part - 24);
  EXPECT_EQ(Conflicts(), 0U);
  std::vector<std::vector<uint8_t>> sent, received;
  std::vector<size_t> seen;
  for (int n = 0; n < reads; ++n) {
    sent.push_back(Bytes(part, static_cast<uint64_t>(n) + 10));
    bench().LoadOnChip(First() + part * static_cast<uint64_t>(n), sent.back());
    seen.push_back(bench().sink(Number() + n).bytes().size());
    Write(n, Copy(First() + part * static_cast<uint64_t>(n) + 5, bytes));
  }
  const uint64_t second = First() + part * static_cast<uint64_t>(reads);
  for (int n = 0; n < writes; ++n) {
    received.push_back(Bytes(bytes, static_cast<uint64_t>(n) + 20));
    Write(reads + n, Copy(second + part * static_cast<uint64_t>(n) + 3, bytes));
    bench().source(Number() + n).Push(received.back(), PieceEnd::kLast);
  }
  for (int n = 0; n < reads; ++n) Push(kRead, {.start = n}, Number() + n);
  for (int n = 0; n < writes; ++n) Push(kWrite, {.start = reads + n}, Number() + n);
  const uint64_t own = second + part * static_cast<uint64_t>(writes);
  for (uint64_t turn = 0; turn < 3; ++turn) {
    // A word again and again: its bank is wanted by the channels too.
    AxiAddress same;
    same.addr = own - First();
    same.len = 15;
    for (int n = 0; n < 20; ++n) bench().processor().Read(same);
    ASSERT_TRUE(bench().Until([&] { return bench().processor().Idle(); }, 20000));
    while (bench().processor().TakeRead()) {
    }
    const std::vector<uint8_t> data = Bytes(part, turn);
    bench().LoadOnChip(own, data);
    EXPECT_TRUE(bench().ReadOnChip(own, data.size()) == data);
  }
  for (int n = 0; n < reads; ++n) {
    const auto record = WaitRecord(kRead, Number() + n);
    ASSERT_TRUE(record) << bench().Dump();
    EXPECT_EQ(record->done.status, 0);
    const auto& all = bench().sink(Number() + n).bytes();
    const auto& from = sent[static_cast<size_t>(n)];
    EXPECT_TRUE(std::equal(all.begin() + static_cast<ptrdiff_t>(seen[static_cast<size_t>(n)]),
                           all.end(), from.begin() + 5, from.begin() + 5 + bytes));
  }
  for (int n = 0; n < writes; ++n) {
    const auto record = WaitRecord(kWrite, Number() + n);
    ASSERT_TRUE(record) << bench().Dump();
    EXPECT_EQ(record->done.status, 0);
    const uint64_t at = second + part * static_cast<uint64_t>(n);
    const std::vector<uint8_t> there = bench().ReadOnChip(at, part);
    const auto begin = there.begin() + 3;
    EXPECT_TRUE(std::equal(received[static_cast<size_t>(n)].begin(),
                           received[static_cast<size_t>(n)].end(), begin));
  }
  uint32_t conflicts = Conflicts();
  EXPECT_GT(conflicts, 0U);
  // Writes alone.
  bench().source(Number()).Push(received.front(), PieceEnd::kLast);
  Push(kWrite, {.start = reads}, Number());
  AxiAddress same;
  same.addr = own - First();
  same.len = 15;
  for (int n = 0; n < 20; ++n)
    bench().processor().Write(same, std::vector<AxiWriteBeat>(same.beats()));
  ASSERT_TRUE(WaitRecord(kWrite, Number()));
  ASSERT_TRUE(bench().Until([&] { return bench().processor().Idle(); }, 20000));
  EXPECT_GT(Conflicts(), conflicts);
  conflicts = Conflicts();
  bench().Step(100);
  EXPECT_EQ(Conflicts(), conflicts);  // nobody waits
  bench().Set(native::kGlobalControl, native::kClearCounters);
  EXPECT_EQ(Conflicts(), 0U);
}

// Wrong bits: stored on purpose by what a processor writes next.
TEST_P(OnChip, WrongBitsAreCorrectedOrTold) {
  Proves({"onchip.check"});
  if (!MakeWith()) GTEST_SKIP() << "the build has no on-chip buffer";
  const int check = config().on_chip_check;
  EXPECT_EQ(bench().Get(native::kCapOnChip), static_cast<uint32_t>(config().on_chip_size) |
                                                 static_cast<uint32_t>(config().on_chip_banks)
                                                     << 16 |
                                                 static_cast<uint32_t>(check) << 24);
  EXPECT_EQ(bench().Get(native::kOnChipBase), First() >> 20);
  const std::vector<uint8_t> data = Bytes(Lanes(), 4);
  bench().Set(native::kGlobalControl, 2);  // interrupts
  bench().Set(native::kGlobalIrqEnable, 1U << 7);
  for (const uint32_t wrong : {1U, 2U, 3U}) {
    bench().Set(native::kGlobalControl, 2 | native::kClearCounters);
    bench().Set(native::kOnChipTest, wrong);
    EXPECT_EQ(bench().Get(native::kOnChipTest), wrong);
    bench().LoadOnChip(First() + 256, data);
    EXPECT_EQ(bench().Get(native::kOnChipTest), 0U);
    const bool mended = check == 2 && wrong != 2,
               lost = check == 2 ? wrong == 2 : check == 1 && wrong != 2;
    AxiAddress burst;
    burst.addr = 256;
    burst.size = static_cast<uint8_t>(std::countr_zero(Lanes()));
    burst.burst = 1;
    bench().processor().Read(burst);
    ASSERT_TRUE(bench().Until([&] { return bench().processor().Idle(); }, 100));
    const auto answer = bench().processor().TakeRead();
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->resps.front(), lost ? kSlvErr : kOkay);
    if (mended) {
      EXPECT_TRUE(std::equal(data.begin(), data.end(), answer->data.front().begin()));
    }
    EXPECT_EQ(Errors(), mended ? 1U : lost ? 1U << 16 : 0U);
    EXPECT_EQ(bench().dma().irq, lost);
    // A channel is told as by any memory.
    const std::vector<uint8_t> sent =
        Send(Copy(First() + 256, static_cast<uint32_t>(Lanes())), Number());
    EXPECT_EQ(status_, lost ? rtl::Status::kSlverr : 0);
    if (mended) {
      EXPECT_EQ(sent, data);
    }
    EXPECT_EQ(Errors(), mended ? 2U : lost ? 2U << 16 : 0U);
    if (lost) {
      EXPECT_EQ(bench().Get64(native::Channel(kRead, Number()) + native::kErrorAddr),
                First() + 256);
      ASSERT_TRUE(Channel(kRead, Number()).Reset(driver::Timeout::Cycles(20000)).ok());
      Channel(kRead, Number()).TakeError();
    }
    // A part that is written does not make what was lost good; the whole does.
    bench().Set(native::kOnChipTest, wrong);
    bench().LoadOnChip(First() + 256, data);
    const std::vector<uint8_t> more(Lanes(), 0x5a);
    bench().LoadOnChip(First() + 256, std::span(more).first(1));
    bench().processor().Read(burst);
    ASSERT_TRUE(bench().Until([&] { return bench().processor().Idle(); }, 100));
    const auto again = bench().processor().TakeRead();
    ASSERT_TRUE(again);
    EXPECT_EQ(again->okay(), check != 2 || wrong != 2);
    if (again->okay()) {
      EXPECT_EQ(again->data.front()[0], 0x5a);
    }
    bench().LoadOnChip(First() + 256, data);
    EXPECT_EQ(bench().ReadOnChip(First() + 256, Lanes()), data);
    bench().Set(native::kGlobalControl, 2 | native::kClearCounters);
    bench().Step(3);
    EXPECT_FALSE(bench().dma().irq);
  }
}

// The external memory behind a port fails while bursts for both are under way: the buffer and the
// other channels go on.
TEST_P(OnChip, AFaultOfTheMemoryBesideItLeavesItsDataAsTheyAre) {
  Proves({"onchip.contained"});
  using Kind = AxiFault::Kind;
  for (const Kind kind : {Kind::kSilentData, Kind::kLostData, Kind::kEarlyLast, Kind::kLongBurst}) {
    DmaBenchOptions options;
    options.memory = AxiMemoryOptions::Latency(15);
    options.faults = {{.kind = kind, .from = 4000, .cycles = 8000}};
    if (!MakeWith(options)) GTEST_SKIP() << "the build has no on-chip buffer";
    if (!config().guard) GTEST_SKIP() << "no guards in this build";
    const std::vector<uint8_t> inside = Bytes(Size(), 3);
    bench().LoadOnChip(First(), inside);
    Write(0, Alternating(40, 400));
    const int victim = Victim(config().reads);
    if (victim < 0) GTEST_SKIP() << "port 0 has no stream at the pins";
    Push(kRead, {.start = 0}, victim);
    ASSERT_TRUE(bench().Until([&] { return !bench().hits().empty(); }, 20000)) << NameOf(kind);
    uint32_t error = 0;
    for (int n = 0; n < 6000 && error == 0; ++n) error = Get(kRead, native::kError, victim);
    EXPECT_NE(error, 0U) << NameOf(kind);
    // The port gives the channel up, and goes on with what is asked next.
    ASSERT_TRUE(Channel(kRead, victim).Reset(driver::Timeout::Cycles(20000), true).ok())
        << bench().Dump();
    PopAll(kRead, victim);
    Channel(kRead, victim).TakeError();
    for (int n = 0; n < 3; ++n) {
      const uint64_t at = 64 + 1000 * static_cast<uint64_t>(n);
      const std::vector<uint8_t> sent = Send(Copy(First() + at, 3000), victim);
      EXPECT_TRUE(std::equal(sent.begin(), sent.end(), inside.begin() + static_cast<ptrdiff_t>(at),
                             inside.begin() + static_cast<ptrdiff_t>(at) + 3000))
          << NameOf(kind) << n;
      EXPECT_EQ(status_, 0);
    }
    EXPECT_TRUE(bench().ReadOnChip(First(), Size()) == inside);
  }
}

// External memory answers nothing more, or not all, behind what the buffer answers: a reset that
// does not wait for it ends, and the buffer serves the next task.
TEST_P(OnChip, AResetDoesNotWaitBehindAMemoryThatIsSilent) {
  Proves({"onchip.contained"});
  using Kind = AxiFault::Kind;
  for (const uint32_t row : {40U, 100U, 256U}) {
    for (const Kind kind :
         {Kind::kSilentData, Kind::kLostData, Kind::kSilentAnswer, Kind::kLostAnswer}) {
      const Direction side = kind == Kind::kSilentData || kind == Kind::kLostData ? kRead : kWrite;
      SCOPED_TRACE(fmt::format("{}, rows of {} bytes", NameOf(kind), row));
      DmaBenchOptions options;
      options.memory = AxiMemoryOptions::Latency(15);
      options.faults = {{.kind = kind, .from = 4000, .cycles = 10'000'000}};
      if (!MakeWith(options)) GTEST_SKIP() << "the build has no on-chip buffer";
      if (!config().guard) GTEST_SKIP() << "no guards in this build";
      const int victim = Victim(side == kRead ? config().reads : config().writes);
      if (victim < 0) GTEST_SKIP() << "port 0 has no stream at the pins";
      const std::vector<uint8_t> inside = Bytes(3000, 3);
      bench().LoadOnChip(First() + 64, inside);
      Write(0, Alternating(row, 400));
      if (side == kWrite) bench().source(victim).Push(Bytes(row * 800, 3), PieceEnd::kLast);
      Push(side, {.start = 0}, victim);
      ASSERT_TRUE(bench().Until([&] { return !bench().hits().empty(); }, 40000));
      bench().Step(5000);
      ASSERT_TRUE(Channel(side, victim).Reset(driver::Timeout::Cycles(60000), true).ok())
          << bench().Dump();
      if (side == kWrite) continue;
      PopAll(kRead, victim);
      Channel(kRead, victim).TakeError();
      EXPECT_TRUE(Send(Copy(First() + 64, 3000), victim) == inside);
      EXPECT_EQ(status_, 0);
    }
  }
}

// A port that has failed, and that another channel has given up, works again in the cycle in which
// the buffer answers.
TEST_P(OnChip, APortWorksAgainWhileTheBufferAnswers) {
  Proves({"onchip.contained"});
  constexpr uint64_t kSeeds = 40;
  for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(seed);
    DmaBenchOptions options;
    options.memory = AxiMemoryOptions::Latency(static_cast<uint32_t>(rng.Between(1, 60)));
    options.faults = {{.kind = AxiFault::Kind::kEarlyLast, .from = 1}};
    if (!MakeWith(options)) GTEST_SKIP() << "the build has no on-chip buffer";
    if (!config().guard || config().reads / config().ports < 2)
      GTEST_SKIP() << "no guards, or no two read channels on a port";
    const std::vector<uint8_t> inside = Bytes(3000, 3);
    bench().LoadOnChip(First(), inside);
    Write(0, Copy(First() - 256, static_cast<uint32_t>(256 * rng.Between(3, 6))));
    Set(kRead, native::kControl, kReset | kGiveUp, 1);
    for (uint64_t n = 0; n < 600; ++n) {  // a processor keeps the buffer busy
      std::vector<AxiWriteBeat> beats(1);
      beats[0].strb.Set(0);
      beats[0].last = true;
      bench().processor().Write({.addr = 0x8000 + 8 * (n & 1), .size = 3}, std::move(beats));
    }
    bench().Step(static_cast<int>(rng.Between(1, 40)));
    Push(kRead, {.start = 0}, 0);
    bench().Step(3000);
    if (bench().hits().empty()) continue;
    Set(kRead, native::kControl, 0, 1);
    ASSERT_TRUE(Channel(kRead, 0).Reset(driver::Timeout::Cycles(20000), true).ok());
    PopAll(kRead, 0);
    Channel(kRead, 0).TakeError();
    EXPECT_TRUE(Send(Copy(First(), 3000), 0) == inside);
    EXPECT_EQ(status_, 0);
  }
}

// Streams that are joined inside: external memory to buffer, and out of the buffer in another
// order.
TEST_P(OnChip, JoinedStreamsFillTheBuffer) {
  Proves({"onchip.loopback"});
  if (!MakeWith()) GTEST_SKIP() << "the build has no on-chip buffer";
  if (config().loopback == 0) GTEST_SKIP() << "no streams are joined in this build";
  constexpr uint32_t kRows = 24, kColumns = 40;
  const std::vector<uint8_t> matrix = Bytes(size_t{kRows} * kColumns, 9);
  bench().memory().Load(kMemory, matrix);
  Write(0, Copy(kMemory, kRows * kColumns));
  Write(1, Copy(First() + 8, kRows * kColumns));
  Push(kWrite, {.start = 1}, 0);
  Push(kRead, {.start = 0}, 0);
  ASSERT_TRUE(WaitRecord(kRead, 0));
  const auto record = WaitRecord(kWrite, 0);
  ASSERT_TRUE(record) << bench().Dump();
  EXPECT_EQ(record->done.bytes, matrix.size());
  EXPECT_TRUE(bench().sink(0).bytes().empty());
  native::Descriptor d = Copy(First() + 8, kRows);  // columns become rows
  d.transfer.stride[0] = kColumns;
  d.transfer.count[1] = kColumns;
  d.transfer.stride[1] = 1;
  const std::vector<uint8_t> sent = Send(d, 1);
  ASSERT_EQ(sent.size(), matrix.size());
  for (uint32_t r = 0; r < kRows; ++r) {
    for (uint32_t c = 0; c < kColumns; ++c)
      EXPECT_EQ(sent[c * kRows + r], matrix[r * kColumns + c]);
  }
}

// Errors that are stored on purpose: the register takes its order while a processor writes a word a
// cycle, and what is lost already is not hidden by one.
TEST_P(OnChip, AnErrorOnPurposeIsStoredOnceAndHidesNoLoss) {
  Proves({"onchip.check"});
  if (!MakeWith() || config().on_chip_check != 2) GTEST_SKIP() << "no buffer with ECC";
  AxiAddress word;
  word.size = static_cast<uint8_t>(std::countr_zero(Lanes()));
  word.burst = 1;
  const auto idle = [&] { return bench().processor().Idle(); };
  const auto forget = [&] {
    while (bench().processor().TakeRead()) {
    }
    while (bench().processor().TakeWritten()) {
    }
  };
  for (uint64_t n = 0; n < 4; ++n) {  // each word once
    AxiAddress burst = word;
    burst.addr = 2048 * n;
    burst.len = 255;
    std::vector<AxiWriteBeat> beats(256);
    for (AxiWriteBeat& beat : beats) {
      for (size_t lane = 0; lane < Lanes(); ++lane) beat.strb.Set(static_cast<int>(lane));
    }
    bench().processor().Write(burst, beats);
  }
  bench().Step(20);
  bench().Set(native::kOnChipTest, 2);
  EXPECT_FALSE(idle());
  ASSERT_TRUE(bench().Until(idle, 20000));
  EXPECT_EQ(bench().Get(native::kOnChipTest), 0U);
  for (uint64_t n = 0; n < 4; ++n) {
    AxiAddress burst = word;
    burst.addr = 2048 * n;
    burst.len = 255;
    bench().processor().Read(burst);
  }
  ASSERT_TRUE(bench().Until(idle, 20000));
  EXPECT_EQ(Errors(), 0x10000U);
  forget();
  word.addr = 256;
  for (const uint32_t wrong : {0U, 1U, 2U, 3U}) {
    SCOPED_TRACE(wrong);
    const std::vector<uint8_t> data = Bytes(Lanes(), 4);
    bench().Set(native::kOnChipTest, 2);
    bench().LoadOnChip(First() + 256, data);
    bench().Set(native::kOnChipTest, wrong);
    bench().LoadOnChip(First() + 260, std::span(data).first(1));
    bench().processor().Read(word);
    ASSERT_TRUE(bench().Until(idle, 20000));
    EXPECT_FALSE(bench().processor().TakeRead()->okay());
    forget();
  }
}

// ... and where a processor writes the end of a word, or nothing.
TEST_P(OnChip, AnErrorOnPurposeIsInWhatIsWritten) {
  Proves({"onchip.check"});
  if (!MakeWith() || config().on_chip_check == 0) GTEST_SKIP() << "no buffer with a check";
  AxiAddress word;
  word.size = static_cast<uint8_t>(std::countr_zero(Lanes()));
  word.burst = 1;
  const auto idle = [&] { return bench().processor().Idle(); };
  bench().LoadOnChip(First(), Bytes(Lanes(), 4));
  bench().Set(native::kOnChipTest, 1);
  bench().processor().Write(word, std::vector<AxiWriteBeat>(1));
  ASSERT_TRUE(bench().Until(idle, 100));
  EXPECT_EQ(bench().Get(native::kOnChipTest), 1U);
  bench().LoadOnChip(First() + Lanes() - 1, Bytes(1, 5));
  EXPECT_EQ(bench().Get(native::kOnChipTest), 0U);
  bench().processor().Read(word);
  ASSERT_TRUE(bench().Until(idle, 100));
  EXPECT_EQ(Errors(), config().on_chip_check == 1 ? 0x10000U : 1U);
}

INSTANTIATE_TEST_SUITE_P(Builds, OnChip, EveryDma(true), DmaName);

}  // namespace
}  // namespace tessera
