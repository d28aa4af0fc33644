// Orders of software that meet, in one of a few cycles, what their channel is at: each is carried
// through, and nothing of before is left behind it.
#include <fmt/format.h>

#include <algorithm>

#include "tb/check/plan.h"
#include "tests/dma/fixture.h"
#include "tests/dma/side.h"

namespace tessera {
namespace {

constexpr uint64_t kList = 0x20000, kOther = 0x60000, kEntries = 0x24000, kData = 0x10000;

class Orders : public DmaTest {
 protected:
  void MakeAt(uint32_t latency, std::vector<AxiFault> faults = {}) {
    DmaBenchOptions options;
    options.memory = AxiMemoryOptions::Latency(latency);
    options.faults = std::move(faults);
    Make(options);
  }
  // An array of so many equal descriptors; the task is given later.
  void SetList(uint32_t at, uint64_t base, uint32_t count, bool ring) {
    native::Load(&bench().memory(), base, std::vector(count, Copy(kData, 16)));
    bench().Set64(at + native::kListBase, base);
    bench().Set(at + native::kListCount, ring ? count + 2 : count);
    bench().Set(at + native::kListControl, (ring ? 1U : 0U) | (native::kListPitch / 64 - 1) << 4);
    if (ring) bench().Set(at + native::kListTail, count);
  }
  bool WaitLong(Direction way) {
    for (int turns = 0; turns < 8; ++turns) {
      if (WaitRecord(way)) return true;
    }
    return false;
  }
  uint32_t Status(Direction way) { return Get(way, native::kStatus); }
};

// A list that ends while its address is compared with its windows: the next address is compared
// with those of its own channel.
TEST_P(Orders, AFetchGoesOutUnderItsOwnWindowsAlone) {
  Proves({"window.outside"});
  Make();
  if (!config().lists || config().windows == 0) GTEST_SKIP() << "no lists, or no windows";
  for (const uint32_t latency : {4U, 13U, 25U, 28U, 31U}) {
    for (size_t k = 0; k < 8; ++k) {
      MakeAt(latency);
      const uint32_t ends = native::Channel(kRead, 0);  // its task ends with its first descriptor
      std::vector<uint32_t> others;
      for (int c = 1; c < config().reads; ++c) others.push_back(native::Channel(kRead, c));
      for (int c = 0; c < config().writes; ++c) others.push_back(native::Channel(kWrite, c));
      software().SetWindow(kRead, 0, 0, 0xff000);
      for (int c = 1; c < config().reads; ++c) software().SetWindow(kRead, c, 0x200000, 0x2ff000);
      for (int c = 0; c < config().writes; ++c) software().SetWindow(kWrite, c, 0x200000, 0x2ff000);
      SetList(ends, kList, 30, true);
      for (const uint32_t at : others) SetList(at, kOther, 30, true);
      const AxiPort& port = bench().dma().list_port();
      int outside = 0;
      bench().Watch([&](uint64_t) {
        if (port.ar.valid && port.ar->addr >= kOther) ++outside;
      });
      const uint32_t task = native::Task{.from_list = true}.Word();
      for (size_t n = 0; n < others.size(); ++n) {
        if (n == k % others.size()) bench().Set(ends + native::kTask, task);
        bench().Set(others[n] + native::kTask, task);
      }
      bench().Step(300);
      EXPECT_EQ(outside, 0) << "latency " << latency << ", " << k;
      bench().Watch({});
    }
  }
}

// A descriptor of a list is refused while quiesce holds two addresses of another list, and its
// channel is reset: registers of lists are answered.
TEST_P(Orders, ListRegistersAnswerWhileAnErrorWaits) {
  Proves({"register.access"});
  MakeAt(20);
  if (!config().lists || !config().triggers) GTEST_SKIP() << "no lists, or no triggers";
  const uint32_t read = native::Channel(kRead, 0), write = native::Channel(kWrite, 0);
  bench().Set(read + native::kTrigger, 0x20);
  SetList(read, kList, 1, false);
  bench().memory().Fill(kList + 53, 1, 2);  // a bit of word 13 that must be 0
  bench().Set(read + native::kTask, native::Task{.trigger = true, .from_list = true}.Word());
  bench().Step(300);
  SetList(write, kOther, 40, false);
  bench().Set(write + native::kTask, native::Task{.from_list = true}.Word());
  bench().Set(native::kGlobalControl, 1);
  bench().Step(300);
  bench().Set(native::kFire, 1);
  bench().Step(200);
  Set(kRead, native::kControl, kReset);
  bench().Step(300);
  EXPECT_NE(Get(kRead, native::kListStatus), ~0U);
  // The reset lasts until the list has begun anew: no doorbell and no task is taken before.
  Set(kRead, native::kControl, 0);
  bench().Step(300);
  Set(kRead, native::kListTail, 1);
  EXPECT_EQ(Get(kRead, native::kListTail), 0U);
  EXPECT_FALSE(bench().Write(read + native::kTask, native::Task{.from_list = true}.Word()));
  bench().Set(native::kGlobalControl, 0);
  EXPECT_TRUE(WaitStatus(kRead, kIdle | kInReset, kIdle));
  EXPECT_EQ(Get(kRead, native::kError) & 1, 1U);
}

// A completion entry that cannot be written while its channel is aborted halts it all the same.
TEST_P(Orders, AnEntryThatFailsDuringAnAbortHaltsTheChannel) {
  Proves({"program.error"});
  Make();
  if (!config().lists) GTEST_SKIP() << "the build has no lists";
  for (int delay = 100; delay < 1400; delay += 100) {
    SCOPED_TRACE(delay);
    MakeAt(20);
    Load(kData, 4096);
    native::Load(&bench().memory(), kList, std::vector{Copy(kData, 4096), Copy(kData, 4096)});
    StartList(kRead, {.base = kList, .count = 2, .entries = kEntries + 16});  // not aligned
    bench().Step(delay);
    Set(kRead, native::kControl, kAbort);
    ASSERT_TRUE(WaitStatus(kRead, kIdle, kIdle));
    const bool told = (Get(kRead, native::kError) >> 14 & 1) != 0;
    Set(kRead, native::kControl, 0);
    bench().Step(100);
    EXPECT_EQ((Status(kRead) & kHalted) != 0, told) << bench().Dump();
  }
}

// A reset behind a fault, whose bit falls at once, lasts until its port has recovered.
TEST_P(Orders, AResetThatIsTakenBackWaitsForItsPort) {
  Proves({"fault.recovered"});
  Make();
  if (config().guard == 0) GTEST_SKIP() << "the build has no guards";
  const auto late = static_cast<uint64_t>(config().silence()) + 1500;
  for (const Direction way : {kRead, kWrite}) {
    SCOPED_TRACE(NameOf(way));
    MakeAt(12, {{.kind = way == kRead ? AxiFault::Kind::kSilentData : AxiFault::Kind::kSilentAnswer,
                 .cycles = late}});
    for (int round = 0; round < 2; ++round) {
      const auto data = Load(0x1000, 16);
      if (way == kWrite) bench().source(0).Push(data, PieceEnd::kLast);
      Write(First(way), Copy(way == kRead ? 0x1000 : 0x2000, 16));
      Push(way, {.start = First(way)});
      if (round == 1) {
        const auto record = WaitRecord(way);
        ASSERT_TRUE(record) << bench().Dump();
        EXPECT_EQ(record->done.status, 0);
        break;
      }
      ASSERT_TRUE(WaitStatus(way, kFaulted, kFaulted));
      Set(way, native::kControl, kReset);
      Set(way, native::kControl, 0);
      bench().Step(100);
      EXPECT_EQ(Status(way) & kIdle, 0U);
      EXPECT_FALSE(bench().Write(native::Channel(way, 0) + native::kTask,
                                 static_cast<uint32_t>(First(way))));
      ASSERT_TRUE(WaitStatus(way, kIdle | kFaulted, kIdle)) << bench().Dump();
      Set(way, native::kError, 0x7fff);
      PopAll(way);
    }
  }
}

// A beat is taken back in a cycle about the one in which a reset cleans its channel.
TEST_P(Orders, AFaultInTheCycleOfAResetIsOneOfBefore) {
  Proves({"fault.recovered"});
  Make();
  if (config().guard == 0 || config().route_dest)
    GTEST_SKIP() << "no guards, or one stream for all";
  for (uint64_t delay = 0; delay < 30; ++delay) {
    SCOPED_TRACE(delay);
    Make();
    uint64_t back = ~uint64_t{0};
    bench().Misuse(0, [&](StreamPort* pins) {
      if (bench().cycle() >= back) pins->valid = false;
    });
    bench().source(0).Push(std::vector<uint8_t>(64, 1), PieceEnd::kLast);
    bench().Step(50);
    back = bench().cycle() + delay;
    Set(kWrite, native::kControl, kReset);
    ASSERT_TRUE(WaitStatus(kWrite, kInReset, kInReset));
    EXPECT_EQ(Status(kWrite) & kFaulted, 0U);
    Set(kWrite, native::kControl, 0);
    bench().Step(100);
    EXPECT_EQ(Status(kWrite) & kFaulted, 0U);
  }
}

// A trigger that came while headers chose is there when they choose no longer.
TEST_P(Orders, ATriggerStaysWhenHeadersChooseNoLonger) {
  Proves({"program.trigger"});
  Make();
  if (!config().triggers || !config().headers()) GTEST_SKIP() << "no triggers, or no headers";
  Set(kWrite, native::kTrigger, 0x20);
  Set(kWrite, native::kControl, 0x100);
  bench().Step(50);
  bench().Set(native::kFire, 1);
  bench().Step(50);
  Set(kWrite, native::kControl, 0);
  bench().Step(50);
  Write(First(kWrite), Copy(0x8000, 16));
  bench().source(0).Push(std::vector<uint8_t>(16, 7), PieceEnd::kLast);
  Push(kWrite, {.start = First(kWrite), .trigger = true});
  EXPECT_TRUE(WaitRecord(kWrite)) << bench().Dump();
}

// Quiesce holds a transfer where it is, and what is to stop it: they go on behind it.
TEST_P(Orders, WhatQuiesceHoldsGoesOnBehindIt) {
  Proves({"program.quiet"});
  constexpr uint32_t kBytes = 65536;
  for (const bool reset : {false, true}) {
    MakeAt(20);
    const auto data = Load(0x1000, kBytes);
    Write(First(kRead), Copy(0x1000, kBytes));
    Push(kRead, {.start = First(kRead)});
    bench().Step(120);
    bench().Set(native::kGlobalControl, 1);
    for (int n = 0; n < 500 && bench().Get(native::kGlobalStatus) != 1; ++n) bench().Step(10);
    EXPECT_EQ(bench().Get(native::kGlobalStatus) & 3, 1U);
    EXPECT_LT(bench().sink(0).bytes().size(), kBytes);
    if (reset) {
      Set(kRead, native::kControl, kReset);
      bench().Step(400);
      EXPECT_EQ(Status(kRead) & (kIdle | kInReset), 0U);
    }
    bench().Set(native::kGlobalControl, 0);
    if (reset) {
      EXPECT_TRUE(WaitStatus(kRead, kInReset, kInReset)) << bench().Dump();
      continue;
    }
    bench().Step(20000);
    const auto record = WaitRecord(kRead);
    ASSERT_TRUE(record) << bench().Dump();
    EXPECT_EQ(record->done.status, 0);
    EXPECT_TRUE(bench().sink(0).bytes() == data);
  }
}

// Without guards a memory that is silent is no fault, but a reset tells that it waits for it.
TEST_P(Orders, WithoutGuardsAResetIsStuckToo) {
  Proves({"control.reset"});
  Make();
  if (config().guard != 0) GTEST_SKIP() << "the build has guards";
  for (const bool held : {true, false}) {
    const Direction way = held ? kRead : kWrite;
    SCOPED_TRACE(NameOf(way));
    DmaBenchOptions options;
    (way == kRead ? options.memory.r : options.memory.b) = PacerSpec::Never();
    Make(options);
    if (way == kWrite) bench().source(0).Push(std::vector<uint8_t>(16, 1), PieceEnd::kLast);
    Write(First(way), Copy(0x1000, 16));
    Push(way, {.start = First(way)});
    bench().Step(300);
    EXPECT_EQ(Status(way) & kStuck, 0U);
    Set(way, native::kControl, kReset);
    if (!held) Set(way, native::kControl, 0);
    bench().Step(config().silence() + 400);
    EXPECT_EQ(Status(way) & (kStuck | kInReset), kStuck);
    EXPECT_EQ(Get(way, native::kIrqStatus) >> 7 & 1, 1U);
  }
}

// `quiet` interrupts once, when the last burst has ended, whatever the cycle in which quiesce
// comes.
TEST_P(Orders, QuietIsToldBehindTheLastBurst) {
  Proves({"program.quiet"});
  for (int delay = 0; delay < 60; ++delay) {
    SCOPED_TRACE(delay);
    MakeAt(20);
    Load(0x1000, 16);
    Write(First(kRead), Copy(0x1000, 16));
    bench().Set(native::kGlobalIrqEnable, 1);
    bench().Set(native::kGlobalControl, 2);
    Push(kRead, {.start = First(kRead)});
    bench().Step(delay);
    int rises = 0;
    bool before = false;
    bench().Watch([&](uint64_t) {
      const bool irq = bench().dma().irq;
      rises += irq && !before ? 1 : 0;
      before = irq;
      if (irq) {
        for (int p = 0; p < config().ports; ++p) EXPECT_FALSE(bench().dma().port(p).ar.valid);
      }
    });
    bench().Set(native::kGlobalControl, 3);
    bench().Step(200);
    EXPECT_EQ(rises, 1);
    bench().Watch({});
  }
}

// Many short transfers and a long one behind them, whose beats leave without a gap after the stream
// has stood still: each ends.
TEST_P(Orders, TransfersEndHoweverFastTheirBeatsLeave) {
  Proves({"record.order"});
  DmaBenchOptions options;
  options.memory = AxiMemoryOptions::Latency(4);
  std::vector<uint8_t> moves(2500, 0);
  moves.resize(6000, 1);
  options.sink.pacer = PacerSpec::List(moves);
  Make(options);
  const int transfers = std::min(config().queue_depth, config().descriptors);
  const auto beat = static_cast<uint32_t>(config().channel.data_bytes);
  Load(0x1000, 8192);
  for (int n = 0; n < transfers; ++n) {
    native::Descriptor d = Copy(0x1000, n == transfers - 1 ? 80 * beat : beat);
    if (n < transfers - 1) d.next = n + 1;
    Write(n, d);
  }
  Push(kRead, {.start = 0});
  for (int n = 0; n < transfers; ++n) {
    ASSERT_TRUE(WaitLong(kRead)) << n << "\n" << bench().Dump();
  }
}

// The bytes of a transfer whose packet is cut before the next one of it begins are lost or sent,
// and do not come in front of the next task's; also those of whole words, which wait behind the
// engine.
TEST_P(Orders, WhatIsJoinedToNothingIsForgotten) {
  Proves({"abort.works-again", "control.reset"});
  Make();
  if (config().locks == 0) GTEST_SKIP() << "the build has no locks";
  const auto word = static_cast<uint32_t>(config().channel.data_bytes);
  for (const uint32_t order : {kAbort, kReset}) {
    for (const uint32_t bytes : {3U, word}) {
      for (const auto rule : {model::LastRule::kNever, model::LastRule::kTask}) {
        SCOPED_TRACE(
            fmt::format("order {}, {} bytes, rule {}", order, bytes, static_cast<int>(rule)));
        Make();
        Load(0x1000, 64);
        const auto data = Load(0x3000, 8);
        native::Descriptor first = Copy(0x1000, bytes), second = Copy(0x1020, 8);
        first.transfer.join_next = true;
        first.transfer.last_rule = second.transfer.last_rule = rule;
        first.next = 1;
        second.acquire = native::LockOp{0, -1};  // which never comes
        Write(0, first);
        Write(1, second);
        Push(kRead, {.start = 0});
        bench().Step(300);
        const uint32_t done = order == kAbort ? kIdle : kInReset;
        Set(kRead, native::kControl, order);
        ASSERT_TRUE(WaitStatus(kRead, done, done));
        Set(kRead, native::kControl, 0);
        bench().Step(50);
        PopAll(kRead);
        const size_t before = bench().sink(0).bytes().size();
        Write(2, Copy(0x3000, 8));
        Push(kRead, {.start = 2});
        ASSERT_TRUE(WaitRecord(kRead));
        bench().Step(50);
        EXPECT_EQ(SentBehind(before), data);
      }
    }
  }
}

// Of a transfer without TLAST a wider stream and a header keep bytes, whenever the abort comes.
TEST_P(Orders, BehindAnAbortWithoutLastATransferBeginsABeat) {
  Proves({"abort.works-again"});
  for (const bool header : {false, true}) {
    for (int delay = 40; delay < 200; delay += 3) {
      SCOPED_TRACE(fmt::format("header {}, {} cycles", header, delay));
      DmaBenchOptions options;
      options.seed = static_cast<uint64_t>(delay);
      options.memory = AxiMemoryOptions::Latency(20);
      options.sink.pacer = PacerSpec::Parse("bursts=1-8/0-6");
      Make(options);
      if (header && !config().headers()) break;
      Load(0x1000, 600);
      const auto data = Load(0x3000, 32);
      native::Descriptor first = Copy(0x1000, 600);
      first.transfer.last_rule = model::LastRule::kNever;
      if (header) first.header = rtl::HeaderRequest{.enable = true};
      Write(0, first);
      Write(1, Copy(0x3000, 32));
      Push(kRead, {.start = 0});
      bench().Step(delay);
      Set(kRead, native::kControl, kAbort);
      ASSERT_TRUE(WaitStatus(kRead, kIdle, kIdle));
      Set(kRead, native::kControl, 0);
      bench().Step(200);
      PopAll(kRead);
      const size_t before = bench().sink(0).bytes().size();
      Push(kRead, {.start = 1});
      ASSERT_TRUE(WaitRecord(kRead));
      bench().Step(300);
      EXPECT_EQ(SentBehind(before), data);
    }
  }
}

// Beats that are behind the engine, in a change of width or a header, are not left there by a
// reset.
TEST_P(Orders, AResetLeavesNoBeatBehindTheEngine) {
  Proves({"control.reset"});
  Make();
  const auto rest = static_cast<int>(2 * config().silence());
  for (const bool ends : {true, false}) {
    for (const uint32_t bytes : {4U, 16U}) {
      SCOPED_TRACE(fmt::format("{} bytes, TLAST {}", bytes, ends));
      DmaBenchOptions options;
      std::vector<uint8_t> moves(4000, 0);
      moves.resize(60000, 1);
      options.sink.pacer = PacerSpec::List(moves);
      Make(options);
      Load(0x1000, 64);
      const auto data = Load(0x3000, 16);
      native::Descriptor first = Copy(0x1000, bytes);
      if (!ends) first.transfer.last_rule = model::LastRule::kNever;
      Write(0, first);
      Push(kRead, {.start = 0});
      bench().Step(300);
      PopAll(kRead);
      Set(kRead, native::kControl, kReset);
      for (int n = 0; n < rest && (Status(kRead) & kInReset) == 0; ++n) bench().Step(20);
      EXPECT_NE(Status(kRead) & kInReset, 0U);
      Set(kRead, native::kControl, 0);
      bench().Step(20);
      const size_t before = bench().sink(0).bytes().size();
      Write(2, Copy(0x3000, 16));
      Push(kRead, {.start = 2});
      bench().Step(6000);
      EXPECT_EQ(SentBehind(before), data);
    }
  }
}

// ... nor the bytes that wait there for more, also if the reset is taken back at once.
TEST_P(Orders, AShortResetLeavesNoByteBehindTheEngine) {
  Proves({"control.reset"});
  Make();
  if (!config().headers()) GTEST_SKIP() << "the build has no headers";
  for (const int hold : {0, 5, 200}) {
    SCOPED_TRACE(hold);
    Make();
    Load(0x1000, 64);
    const auto data = Load(0x3000, 16);
    native::Descriptor first = Copy(0x1000, 16);
    first.transfer.last_rule = model::LastRule::kNever;
    first.header = rtl::HeaderRequest{};
    Write(0, first);
    Write(2, Copy(0x3000, 16));
    Push(kRead, {.start = 0});
    bench().Step(300);
    PopAll(kRead);
    Set(kRead, native::kControl, kReset);
    bench().Step(hold);
    Set(kRead, native::kControl, 0);
    ASSERT_TRUE(WaitStatus(kRead, kIdle, kIdle));
    const size_t before = bench().sink(0).bytes().size();
    Push(kRead, {.start = 2});
    bench().Step(600);
    EXPECT_EQ(SentBehind(before), data);
  }
}

// An entry is answered with an error in a cycle about the one in which a reset cleans its channel.
TEST_P(Orders, AnEntryThatWasLostBeforeAResetHaltsNothingBehindIt) {
  Proves({"control.reset"});
  Make();
  if (!config().lists) GTEST_SKIP() << "the build has no lists";
  const auto start = [&] {
    DmaBenchOptions options;
    options.memory = AxiMemoryOptions::Latency(4);
    options.memory.errors = {ErrorRule::Range(kEntries, kEntries + 255, kSlvErr)};
    Make(options);
    Load(kData, 16);
    native::Load(&bench().memory(), kList, std::vector{Copy(kData, 16)});
    StartList(kRead, {.base = kList, .count = 1, .entries = kEntries});
  };
  const auto seen = [&] { return (Get(kRead, native::kError) >> 14 & 1) != 0; };
  start();
  const uint64_t begun = bench().cycle();
  ASSERT_TRUE(bench().Until(seen, 4000));
  const int late = static_cast<int>(bench().cycle() - begun);
  int told = 0, runs = 0;
  for (int delay = std::max(20, late - 150); delay < late + 50; ++delay) {
    start();
    bench().Step(delay);
    Set(kRead, native::kControl, kReset);
    ASSERT_TRUE(WaitStatus(kRead, kInReset, kInReset));
    Set(kRead, native::kControl, 0);
    bench().Step(20);
    ASSERT_EQ(Status(kRead) & kHalted, 0U) << delay;
    ++runs;
    told += seen();
    if (told > 8) break;
  }
  EXPECT_GT(told, 0);
  EXPECT_GT(runs, told);
}

// A stream has given all that is needed, and software keeps the channel from writing it.
TEST_P(Orders, APauseIsNoSilenceOfTheStream) {
  Proves({"fault.stream"});
  Make();
  if (config().guard != 2) GTEST_SKIP() << "streams may be silent";
  Write(First(kWrite), Copy(0x8000, 64));
  Set(kWrite, native::kControl, 1);
  Push(kWrite, {.start = First(kWrite)});
  bench().Step(60);
  bench().source(0).Push(std::vector<uint8_t>(64, 7), PieceEnd::kLast);
  bench().Step(config().stream_silence() + 1000);
  EXPECT_EQ(Status(kWrite) & kFaulted, 0U);
  Set(kWrite, native::kControl, 0);
  EXPECT_TRUE(WaitRecord(kWrite));
}

// ... and so do quiesce, and a memory that takes a beat now and then.
TEST_P(Orders, WhatTheMemoryHasNotTakenIsNoSilenceOfTheStream) {
  Proves({"fault.stream"});
  for (const bool slow : {false, true}) {
    SCOPED_TRACE(slow ? "slow" : "quiesce");
    constexpr uint32_t kBytes = 240;
    DmaBenchOptions options;
    if (slow) options.memory.w = PacerSpec::Bursts(1, 1, 1500, 1500);
    Make(options);
    if (config().guard != 2) GTEST_SKIP() << "streams may be silent";
    Write(First(kWrite), Copy(0x8000, kBytes));
    Push(kWrite, {.start = First(kWrite)});
    bench().Step(60);
    if (!slow) bench().Set(native::kGlobalControl, 1);
    bench().source(0).Push(std::vector<uint8_t>(kBytes, 7), PieceEnd::kLast);
    bench().Step(config().stream_silence() + 1000);
    EXPECT_EQ(Status(kWrite) & kFaulted, 0U);
    bench().Set(native::kGlobalControl, 0);
    for (int n = 0; slow && n < 20 && !bench().source(0).empty(); ++n) bench().Step(5000);
    EXPECT_TRUE(bench().source(0).empty());
  }
}

// An abort closes a packet with the side information of its beats, though the number of their
// transfer was given to another since.
TEST_P(Orders, TheBeatThatClosesAPacketIsOfThatPacket) {
  Proves({"side.send"});
  Make();
  if (!config().side || config().locks == 0) GTEST_SKIP() << "no side information, or no locks";
  Load(0x1000, 256);
  native::Descriptor first = Copy(0x1000, 16), second = Copy(0x1020, 64), other = Copy(0x1040, 8);
  first.transfer.last_rule = second.transfer.last_rule = model::LastRule::kTask;
  first.next = 1;
  first.no_record = true;
  second.acquire = native::LockOp{0, -1};  // which never comes
  first.side = second.side = native::SideWord(SideNumber(1));
  other.side = native::SideWord(SideNumber(9));
  Write(0, first);
  Write(1, second);
  Write(2, other);
  Push(kRead, {.start = 0});
  Push(kRead, {.start = 2, .repeats = 4});
  bench().Step(400);
  Set(kRead, native::kControl, kAbort);
  bench().Step(100);
  const auto& beats = bench().sink(0).beats();
  ASSERT_GE(beats.size(), 2U);
  EXPECT_TRUE(beats.back().last);
  EXPECT_EQ(beats.back().side.dest, beats.front().side.dest);
}

using Joined = Orders;

// A joined pair whose memory serves one burst at a time: what is read has room, so that the write
// of it is served.
TEST_P(Joined, ACopyEndsWhateverTheMemoryServesFirst) {
  Proves({"deadlock.one-at-a-time"});
  using Service = AxiMemoryOptions::Service;
  for (const Service service : {Service::kOneQueued, Service::kOneStrict, Service::kOneBuffered}) {
    DmaBenchOptions options;
    options.memory.service = service;
    Make(options);
    if (config().loopback == 0) GTEST_SKIP() << "no streams are joined";
    const auto data = Load(0x1000, 4096);
    Write(0, Copy(0x1000, 4096));
    Write(1, Copy(0x8000, 4096));
    Push(kWrite, {.start = 1});
    Push(kRead, {.start = 0});
    ASSERT_TRUE(WaitLong(kWrite)) << bench().Dump();
    EXPECT_TRUE(bench().memory().ReadBytes(0x8000, 4096) == data);
  }
}

// An abort of the read channel of a pair closes its packet by a beat that stays as it is.
TEST_P(Joined, AnAbortOfTheReadIsNoFaultOfTheWrite) {
  Proves({"control.abort"});
  for (uint32_t room = 8; room <= 128; room += 24) {
    for (int delay = 40; delay < 160; delay += 6) {
      DmaBenchOptions options;
      options.memory = AxiMemoryOptions::Latency(10);
      options.memory.r = PacerSpec::Bursts(1, 3, 20, 40);
      options.seed = static_cast<uint64_t>(delay);
      Make(options);
      if (config().loopback == 0) GTEST_SKIP() << "no streams are joined";
      SCOPED_TRACE(fmt::format("{} bytes, {} cycles", room, delay));
      Load(0x1000, 2048);
      Write(0, Copy(0x1000, 1024));
      Write(1, Copy(0x8000, room));
      Push(kWrite, {.start = 1});
      Push(kRead, {.start = 0});
      bench().Step(delay);
      Set(kRead, native::kControl, kAbort);
      bench().Step(600);
      ASSERT_EQ(Get(kWrite, native::kStatus) & kFaulted, 0U);
    }
  }
}

// Both channels of a pair are reset: the beat that the read takes back, later, is no fault of the
// write.
TEST_P(Joined, AResetOfAPairLeavesNoFault) {
  Proves({"control.reset"});
  Make();
  if (config().loopback == 0) GTEST_SKIP() << "no streams are joined";
  Load(0x1000, 1024);
  Write(0, Copy(0x1000, 1024));
  Push(kRead, {.start = 0});
  bench().Step(300);
  for (const uint32_t control : {kReset, 0U}) {
    for (const Direction way : {kWrite, kRead}) Set(way, native::kControl, control);
  }
  for (const Direction way : {kWrite, kRead}) EXPECT_TRUE(WaitStatus(way, kIdle, kIdle));
  EXPECT_EQ(Status(kWrite) & kFaulted, 0U);
}

INSTANTIATE_TEST_SUITE_P(Builds, Joined, EveryDma(true), DmaName);
INSTANTIATE_TEST_SUITE_P(Builds, Orders, EveryDma(), DmaName);

}  // namespace
}  // namespace tessera
