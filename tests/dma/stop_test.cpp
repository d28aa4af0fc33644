// What an abort, a request for rest and a change of mode leave behind: errors are still told,
// nothing moves on a bus that was said to be quiet, no beat is lost.
#include <algorithm>

#include "tb/bus/axi_errors.h"
#include "tb/check/plan.h"
#include "tests/dma/fixture.h"

namespace tessera {
namespace {

class Stop : public DmaTest {
 protected:
  using Words = std::initializer_list<std::pair<uint32_t, uint32_t>>;
  // Words of a descriptor and its bounds, as they are: the driver writes none that is wrong.
  void WriteWords(uint32_t number, const Words& base, const Words& bounds) {
    for (const auto& [word, value] : bounds) {
      bench().Set(native::kBounds + 64 * number + 4 * word, value);
    }
    for (const auto& [word, value] : base) {
      bench().Set(native::kDescriptors + 64 * number + 4 * word, value);
    }
  }
  // There is a record; it stays in the queue.
  bool AwaitRecord(Direction direction) {
    return bench().Until([&] { return Get(direction, native::kRecord) >> 31 != 0; }, 1000);
  }
  // A ring of eight descriptors of 16 bytes each on the first read channel, none of them given, and
  // an endless task that takes them.
  void StartRing() {
    Load(0x10000, 128);
    std::vector<native::Descriptor> list;
    for (uint64_t n = 0; n < 8; ++n) list.push_back(Copy(0x10000 + 16 * n, 16));
    native::Load(&bench().memory(), 0x20000, list);
    StartList(kRead, {.base = 0x20000, .count = 8, .entries = 0x21000, .ring = true});
  }
};

// A descriptor that is refused while an abort drops it is no error; the next one that fails is
// told.
TEST_P(Stop, AnErrorBehindAnAbortedLoadIsTold) {
  Proves({"program.error-sticky"});
  Make();
  if (!config().channel.bounds)
    GTEST_SKIP() << "no descriptor of the build takes long to be refused";
  // The row is too long; products keep the preparation busy for a while.
  WriteWords(0,
             {{0, 0x10000},
              {2, 0xffffffff},
              {3, 2},
              {4, 2},
              {5, 2},
              {6, 4},
              {7, 64},
              {8, 1000},
              {9, 7},
              {15, 0x80000012 | 1 << 14}},
             {{0, 3}, {1, 2}, {2, 1}, {3, 5}, {10, 0}});
  Set(kRead, native::kIrqEnable, 0xff);
  int dropped = 0;
  for (int delay = 0; delay < 30; ++delay) {
    SCOPED_TRACE(delay);
    Set(kRead, native::kTask, native::Task{.start = 0}.Word());
    if (delay > 0) bench().Step(delay);
    Set(kRead, native::kControl, kAbort);
    Set(kRead, native::kControl, 0);
    bench().Step(200);
    if ((Get(kRead, native::kStatus) & kHalted) == 0) {
      ++dropped;
      EXPECT_EQ(Get(kRead, native::kError), 0u);
    }
    Set(kRead, native::kError, 0xffffffff);
    Set(kRead, native::kIrqStatus, 0xff);
    if ((Get(kRead, native::kStatus) & kHalted) == 0) {
      Set(kRead, native::kTask, native::Task{.start = 5}.Word());  // nobody wrote it
      ASSERT_TRUE(WaitStatus(kRead, kHalted, kHalted));
      EXPECT_EQ(Get(kRead, native::kError) & 1, 1u);
      EXPECT_EQ(Get(kRead, native::kErrorInfo) & 0x3fff, 5u | 32 << 8);
      EXPECT_NE(Get(kRead, native::kIrqStatus) & registers::channel::IrqStatus::kErrorMask, 0u);
    }
    ASSERT_TRUE(Channel(kRead).Reset().ok());
    Set(kRead, native::kError, 0xffffffff);
  }
  EXPECT_GT(dropped, 0);
}

// An abort drops the tasks of a channel that has halted, too.
TEST_P(Stop, AnAbortDropsTheTasksBehindAHalt) {
  Make();
  const auto room = static_cast<uint32_t>(config().queue_depth);
  const int first = First(kRead);
  for (uint32_t n = 0; n < room; ++n) {
    Set(kRead, native::kTask, native::Task{.start = first}.Word());
  }
  ASSERT_TRUE(WaitStatus(kRead, kHalted, kHalted));
  EXPECT_LE(Get(kRead, native::kStatus) >> 24 & 0x1f, room);
  Set(kRead, native::kControl, kAbort);
  Set(kRead, native::kControl, 0);
  bench().Step(100);
  EXPECT_EQ(Get(kRead, native::kStatus) >> 24 & 0x1f, room);
  EXPECT_EQ(Get(kRead, native::kStatus) & (kBusy | kIdle | kHalted), kIdle | kHalted);
}

// `quiet` speaks of the port of the lists as well: no descriptor is fetched and no entry written.
TEST_P(Stop, QuietIsQuietForListsToo) {
  Proves({"list.ring", "program.quiet"});
  for (int delay = 1; delay < 160; delay += 7) {
    SCOPED_TRACE(delay);
    DmaBenchOptions options;
    options.memory = AxiMemoryOptions::Latency(20);
    Make(options);
    if (!config().lists) GTEST_SKIP() << "the build has no lists";
    uint64_t moves = 0;
    bench().Watch([&](uint64_t) {
      const AxiPort& p = bench().dma().list_port();
      moves += p.ar.valid + p.r.valid + p.aw.valid + p.w.valid + p.b.valid;
    });
    StartRing();
    Set(kRead, native::kListTail, 3);
    bench().Step(delay);
    bench().Set(native::kGlobalControl, kQuiesce);
    int turns = 0;
    while ((bench().Get(native::kGlobalStatus) & kQuiet) == 0) ASSERT_LT(++turns, 200);
    moves = 0;
    Set(kRead, native::kListTail, 6);
    bench().Step(400);
    EXPECT_EQ(moves, 0u);
    EXPECT_EQ(bench().Get(native::kGlobalStatus) & (kQuiet | kTimedOut), kQuiet);
    // All goes on: descriptors whose transfers have not begun, and the new ones.
    bench().Set(native::kGlobalControl, 0);
    int records = 0;
    for (turns = 0; turns < 400 && records < 6; ++turns) {
      if (Get(kRead, native::kRecord) >> 31 == 0) continue;
      EXPECT_EQ(Get(kRead, native::kRecord) & 0xff, static_cast<uint32_t>(records));
      Set(kRead, native::kRecordPop, 0);
      ++records;
    }
    EXPECT_EQ(records, 6) << bench().Dump();
    EXPECT_EQ(Get(kRead, native::kListHead), 6u);
  }
}

// A memory of lists that does not answer is told.
TEST_P(Stop, AListThatIsNotAnsweredTimesOut) {
  Proves({"program.quiet"});
  DmaBenchOptions options;
  options.memory = AxiMemoryOptions::Latency(20000);
  Make(options);
  if (!config().lists) GTEST_SKIP() << "the build has no lists";
  StartRing();
  Set(kRead, native::kListTail, 3);
  bench().Step(50);
  bench().Set(native::kGlobalControl, kQuiesce);
  bench().Step(config().silence() + 200);
  EXPECT_EQ(bench().Get(native::kGlobalStatus) & (kQuiet | kTimedOut), kTimedOut);
}

// A slow memory of lists that moves is no silent one: an address or data of an entry alone counts.
TEST_P(Stop, AListThatIsAnsweredSlowlyDoesNotTimeOut) {
  Proves({"program.quiet"});
  Make();
  if (!config().lists) GTEST_SKIP() << "the build has no lists";
  const auto most = static_cast<uint32_t>(config().silence()) * 9 / 10;
  int by_address = 0, by_data = 0;  // runs that would have been silent without that channel
  for (int turn = 0; turn < 8; ++turn) {
    SCOPED_TRACE(turn);
    DmaBenchOptions options;
    options.memory = AxiMemoryOptions::Latency(most);
    const bool slow_address = turn % 2 == 0;
    (slow_address ? options.memory.aw : options.memory.w) = PacerSpec::Bursts(1, 1, most, most);
    Make(options);
    bench().Step(static_cast<int>(most) / 4 * (turn / 2));  // how soon the memory takes the first
    StartRing();
    Set(kRead, native::kListTail, 3);
    const AxiPort& port = bench().dma().list_port();
    ASSERT_TRUE(bench().Until([&] { return port.aw.valid; }, 4 * most));
    bench().Step(20 * turn);
    const uint64_t asked = bench().cycle();
    uint64_t address = asked, data = asked;  // last moves, addresses or data left out
    bool late_address = false, late_data = false;
    bench().Watch([&](uint64_t cycle) {
      const bool answer = port.ar.moves() || port.r.moves() || port.b.moves();
      if (answer || port.w.moves()) address = cycle;
      if (answer || port.aw.moves()) data = cycle;
      late_address |= cycle > address + config().silence() + 10;
      late_data |= cycle > data + config().silence() + 10;
    });
    bench().Set(native::kGlobalControl, kQuiesce);
    uint32_t status = 0;
    for (int polls = 0; status == 0; ++polls) {
      ASSERT_LT(polls, 2000);
      bench().Step(5);
      status = bench().Get(native::kGlobalStatus) & (kQuiet | kTimedOut);
    }
    EXPECT_EQ(status, kQuiet);
    by_address += late_address;
    by_data += late_data;
  }
  EXPECT_GT(by_address, 0);
  EXPECT_GT(by_data, 0);
}

// An abort may find a descriptor of a list whose extension is still fetched, or of which the loader
// has taken the first part. It is dropped without an error, and the next list is read from its
// beginning.
TEST_P(Stop, AnAbortDropsADescriptorOfAListAtAnyMoment) {
  Proves({"program.ends", "list.array"});
  DmaBenchOptions options;
  options.memory = AxiMemoryOptions::Latency(16);
  Make(options);
  if (!config().lists || !config().channel.bounds)
    GTEST_SKIP() << "the build has no lists, or no extensions of descriptors";
  const auto array = [&](uint64_t data, uint32_t count) {
    std::vector<native::Descriptor> list;
    for (uint32_t n = 0; n < count; ++n) {
      list.push_back(Copy(data + 16 * n, 16));
      list.back().transfer.bound[0] = 16;
      if (config().channel.walk) list.back().transfer.walk[0] = model::WalkLevel{0, 1, 1};
    }
    software().SetArray(kRead, 0, 0x20000, list);
    Push(kRead, {.from_list = true});
  };
  int fetching = 0;  // aborts that came before an extension
  for (int delay = 0; delay < 60; ++delay) {
    SCOPED_TRACE(delay);
    const AxiPort& port = bench().dma().list_port();
    int asked = 0, came = 0;
    bench().Watch([&](uint64_t) {
      asked += port.ar.moves() ? 1 : 0;
      came += port.r.moves() && port.r->last ? 1 : 0;
    });
    Load(0x10000, 64);
    array(0x10000, 1);
    ASSERT_TRUE(bench().Until([&] { return asked == 2; }, 2000));
    bench().Step(delay + 1);
    fetching += came < 2;
    ASSERT_TRUE(Channel(kRead).Abort().ok());
    bench().Watch({});
    ASSERT_TRUE(bench().Until([&] { return (Get(kRead, native::kListStatus) & 1) == 0; }, 500));
    PopAll(kRead);
    EXPECT_EQ(Get(kRead, native::kError) & ~registers::channel::Error::kAbortedMask, 0u);
    Set(kRead, native::kError, 0xffffffff);

    const size_t sent = bench().sink(0).bytes().size();
    const std::vector<uint8_t> data = Load(0x11000, 64);
    array(0x11000, 4);
    for (int n = 0; n < 4; ++n) {
      const auto record = WaitRecord(kRead);
      ASSERT_TRUE(record) << bench().Dump();
      EXPECT_EQ(record->descriptor(), n);
      EXPECT_EQ(record->done.status, 0);
    }
    bench().Step(100);
    const std::vector<uint8_t>& bytes = bench().sink(0).bytes();
    EXPECT_EQ(std::vector<uint8_t>(bytes.begin() + static_cast<ptrdiff_t>(sent), bytes.end()),
              data);
  }
  EXPECT_GT(fetching, 3);
}

// Headers choose descriptors from the next packet on, also when it waits on the stream already.
TEST_P(Stop, HeadersMayBeginToChooseInFrontOfAPacketThatWaits) {
  Make();
  if (!config().headers()) GTEST_SKIP() << "the build takes no headers";
  native::Descriptor d = Copy(0x4000, 64);
  d.transfer.finish = model::Finish::kLast;
  Write(4, d);
  for (int turn = 0; turn < 6; ++turn) {
    SCOPED_TRACE(turn);
    std::vector<uint8_t> packet{0x80, 0, 0, 0};  // descriptor 4
    std::vector<uint8_t> data(static_cast<size_t>(5 + turn));
    for (size_t n = 0; n < data.size(); ++n) data[n] = static_cast<uint8_t>(n + 16 * turn);
    packet.insert(packet.end(), data.begin(), data.end());
    bench().source(0).Push(packet, PieceEnd::kLast);
    bench().Step(10 + turn);
    Set(kWrite, native::kControl, kById);
    Set(kWrite, native::kTask, native::Task{.start = 9}.Word());
    ASSERT_TRUE(AwaitRecord(kWrite)) << bench().Dump();
    EXPECT_EQ(Get(kWrite, native::kRecord) & 0xff, 4u);
    EXPECT_EQ(bench().memory().ReadBytes(0x4000, data.size()), data);
    Set(kWrite, native::kRecordPop, 0);
    // Back to a plain stream.
    Set(kWrite, native::kControl, 0);
    Write(6, Copy(0x5000, 16));
    Set(kWrite, native::kTask, native::Task{.start = 6}.Word());
    bench().source(0).Push(std::vector<uint8_t>(16, static_cast<uint8_t>(turn)), PieceEnd::kLast);
    ASSERT_TRUE(AwaitRecord(kWrite));
    EXPECT_EQ(Get(kWrite, native::kRecord) & 0xff, 6u);
    EXPECT_EQ(bench().memory().ReadBytes(0x5000, 16),
              std::vector<uint8_t>(16, static_cast<uint8_t>(turn)));
    Set(kWrite, native::kRecordPop, 0);
    EXPECT_EQ(Get(kWrite, native::kError), 0u);
  }
}

// The bit by which headers choose does nothing in a channel that takes none.
TEST_P(Stop, AChannelThatTakesNoHeadersRunsItsListsAllTheSame) {
  Make();
  if (!config().lists) GTEST_SKIP() << "the build has no lists";
  for (const Direction way : {kRead, kWrite}) {
    if (way == kWrite && config().headers()) continue;  // this one takes headers
    Set(way, native::kControl, kById);
    software().SetArray(way, 0, 0x20000, std::vector{Copy(0x10000, 16)});
    Push(way, {.from_list = true});
    if (way == kWrite) bench().source(0).Push(std::vector<uint8_t>(16, 3), PieceEnd::kLast);
    const auto record = WaitRecord(way);
    ASSERT_TRUE(record) << bench().Dump();
    EXPECT_EQ(record->done.bytes, 16U);
    EXPECT_EQ(Get(way, native::kError), 0U);
  }
}

// Tasks that have begun keep their way of choosing; those behind a change have the new one.
TEST_P(Stop, AChangeOfChoiceWaitsForTheTasksThatHaveBegun) {
  Make();
  if (!config().headers()) GTEST_SKIP() << "the build takes no headers";
  native::Descriptor d = Copy(0x4000, 32);
  d.transfer.finish = model::Finish::kLast;
  Write(4, d);
  Write(6, Copy(0x5000, 8));
  Set(kWrite, native::kTask, native::Task{.start = 6, .repeats = 2}.Word());
  bench().Step(100);
  Set(kWrite, native::kControl, kById);
  Set(kWrite, native::kTask, native::Task{.start = 9}.Word());
  bench().source(0).Push(std::vector<uint8_t>(8, 1), PieceEnd::kLast);
  bench().source(0).Push(std::vector<uint8_t>(8, 2), PieceEnd::kLast);
  for (const uint32_t descriptor : {6u, 6u, 4u}) {
    if (descriptor == 4) {
      bench().source(0).Push(std::vector<uint8_t>{0x80, 0, 0, 0, 9, 8, 7}, PieceEnd::kLast);
    }
    ASSERT_TRUE(AwaitRecord(kWrite)) << bench().Dump();
    EXPECT_EQ(Get(kWrite, native::kRecord) & 0xff, descriptor);
    Set(kWrite, native::kRecordPop, 0);
  }
  EXPECT_EQ(bench().memory().ReadBytes(0x5000, 8), std::vector<uint8_t>(8, 2));
  EXPECT_EQ(bench().memory().ReadBytes(0x4000, 3), (std::vector<uint8_t>{9, 8, 7}));
}

// A queue of records that is full is worth an interrupt, whatever count was asked for.
TEST_P(Stop, AFullQueueOfRecordsInterrupts) {
  Proves({"program.coalesce"});
  Make();
  Load(0x1000, 8);
  const int first = First(kRead);
  Write(first, Copy(0x1000, 8));
  bench().Set(native::kGlobalControl, 2);  // the line
  Set(kRead, native::kIrqEnable, registers::channel::IrqStatus::kRecordMask);
  Set(kRead, native::kCoalesce, 31);
  Set(kRead, native::kTask, native::Task{.start = first, .endless = true}.Word());
  for (int turn = 0; turn < 3; ++turn) {
    ASSERT_TRUE(bench().Until([&] { return bench().dma().irq; }, 3000)) << turn;
    EXPECT_EQ(Get(kRead, native::kRecord) >> 8 & 0x1f, static_cast<uint32_t>(config().queue_depth));
    Set(kRead, native::kIrqStatus, registers::channel::IrqStatus::kRecordMask);
    for (int n = 0; n < config().queue_depth; ++n) Set(kRead, native::kRecordPop, 0);
  }
}

// A fault is told at once; its record adds the descriptor of the oldest transfer and the address.
TEST_P(Stop, AFaultNamesItsTransfer) {
  Proves({"fault.named"});
  DmaBenchOptions options;
  options.memory.r = PacerSpec::Never();
  Make(options);
  if (!config().guard) GTEST_SKIP() << "no guards in this build";
  const int first = First(kRead);
  native::Descriptor chained = Copy(0x1040, 16);
  chained.next = first + 1;
  Write(first, chained);
  Write(first + 1, Copy(0x5000, 16));
  Set(kRead, native::kTask, native::Task{.start = first}.Word());
  ASSERT_TRUE(bench().Until([&] { return Get(kRead, native::kError) >> 7 & 1; },
                            static_cast<uint64_t>(config().silence()) + 500));
  EXPECT_EQ(Get(kRead, native::kCurrent) & 0xff, static_cast<uint32_t>(first + 1));
  EXPECT_EQ(Get(kRead, native::kErrorInfo) >> 16, 6U);
  bench().Step(200);
  EXPECT_EQ(Get(kRead, native::kErrorInfo), static_cast<uint32_t>(first) | 6 << 16);
  EXPECT_EQ(bench().Get64(native::Channel(kRead, 0) + native::kErrorAddr), 0x1040u);
  Set(kRead, native::kError, 0xffffffff);
  bench().Step(200);
  EXPECT_EQ(Get(kRead, native::kError), 0U) << "a fault that stays is told once";
}

// Pages beyond the address space: a window that begins there permits nothing, one that ends there
// all that is inside.
TEST_P(Stop, AWindowBeyondTheAddressSpacePermitsNothing) {
  Proves({"window.outside"});
  Make();
  if (config().windows == 0 || config().channel.addr_width >= 64) {
    GTEST_SKIP() << "the build has no windows, or no address beyond them";
  }
  const auto data = Load(0x10000, 16);
  Write(0, Copy(0x10000, 16));
  const uint64_t beyond = uint64_t{1} << config().channel.addr_width;
  const uint32_t window = native::kWindows;  // 0 of read channel 0
  for (const bool begins : {true, false}) {
    bench().Set(window + 16, 0);
    bench().Set64(window, begins ? beyond + 0x10000 : 0x10000);
    bench().Set64(window + 8, beyond + 0x1f000);
    bench().Set(window + 16, 1);
    Set(kRead, native::kTask, native::Task{.start = 0}.Word());
    ASSERT_TRUE(AwaitRecord(kRead));
    EXPECT_EQ((Get(kRead, native::kRecord) >> 16 & rtl::Status::kDecerr) != 0, begins);
    Set(kRead, native::kRecordPop, 0);
  }
}

// A write that no window permits writes nothing. With `stop_on` the next transfer of its chain does
// not write what the stream holds for it, whatever moment the stream chooses.
TEST_P(Stop, ARefusedWriteStopsTheChainBehindIt) {
  Proves({"window.stop", "control.stop-on"});
  for (const int late : {0, 1, 2, 5, 10, 20, 40, 80}) {
    SCOPED_TRACE(late);
    Make();
    if (config().windows == 0) GTEST_SKIP() << "the build has no windows";
    const int first = First(kWrite), second = first + 1;
    software().SetWindow(kWrite, 0, 0x4000, 0x4000);
    native::Descriptor refused = Copy(0x100000, 16);
    refused.next = second;
    Write(first, refused);
    Write(second, Copy(0x4000, 8));
    ASSERT_TRUE(Channel(kWrite).StopOn(registers::entry::Status::kDecerrMask).ok());
    bench().memory().Load(0x4000, std::vector<uint8_t>(8, 0xee));
    Push(kWrite, {.start = first});
    bench().Step(static_cast<uint64_t>(late));
    bench().source(0).Push(std::vector<uint8_t>(24, 0x11), PieceEnd::kLast);
    const auto record = WaitRecord(kWrite);
    ASSERT_TRUE(record) << bench().Dump();
    EXPECT_EQ(record->done.status & rtl::Status::kDecerr, rtl::Status::kDecerr);
    EXPECT_EQ(record->done.bytes, 16u);  // of the stream
    bench().Step(300);
    EXPECT_EQ(Get(kWrite, native::kStatus) >> 23 & 1, 1U);
    EXPECT_EQ(bench().memory().ReadBytes(0x4000, 8), std::vector<uint8_t>(8, 0xee));
  }
}

// Behind a bus error with a bit of `stop_on` the engine carries out what it has taken, whole;
// nothing else is begun, until a reset.
TEST_P(Stop, StopOnLeavesWhatTheEngineHasTaken) {
  Proves({"control.stop-on"});
  int behind = 0;
  for (uint64_t seed = 0; seed < 24; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng = Rng(seed).Stream("stop on");
    const Direction way = seed % 2 == 0 ? kRead : kWrite;
    DmaBenchOptions options;
    options.memory = AxiMemoryOptions::Latency(static_cast<uint32_t>(rng.Between(1, 60)));
    options.memory.errors.push_back(ErrorRule::Range(0x10000, 0x1000f, kSlvErr));
    Make(options);
    ASSERT_TRUE(Channel(way).StopOn(registers::entry::Status::kSlverrMask).ok());
    const int first = First(way);
    const auto size = static_cast<uint32_t>(rng.Chance(0.5) ? 8 : rng.Between(300, 2000));
    native::Descriptor bad = Copy(0x10000, 16), good = Copy(0x20000, size);
    bad.next = good.next = first + 1;  // a chain without an end
    Write(first, bad);
    Write(first + 1, good);
    if (way == kWrite)
      bench().source(0).Push(std::vector<uint8_t>(16 + 40 * size, 1), PieceEnd::kLast);
    Push(way, {.start = first});
    const auto record = WaitRecord(way);
    ASSERT_TRUE(record) << bench().Dump();
    EXPECT_EQ(record->done.status, rtl::Status::kSlverr);
    bench().Step(10000);
    EXPECT_EQ(Get(way, native::kStatus) >> 23 & 1, 1u);
    int taken = 0;
    while (const auto next = Pop(way)) {
      EXPECT_EQ(next->done.status, 0);
      EXPECT_EQ(next->done.bytes, size);
      ++taken;
    }
    EXPECT_LE(taken, config().queue_depth);
    behind += taken;
    bench().Step(1000);
    EXPECT_FALSE(Pop(way));
    ASSERT_TRUE(Channel(way).Reset().ok());
    EXPECT_EQ(Get(way, native::kStatus) >> 23 & 1, 0u);
    if (HasFailure()) return;
  }
  EXPECT_GT(behind, 0);
}

// Behind its first byte outside the windows a transfer requests nothing: it writes nothing more,
// and reads give zeros. The transfer behind it is carried out.
TEST_P(Stop, ATransferStopsAtItsFirstBurstOutside) {
  Proves({"window.stop", "window.outside"});
  Make();
  if (config().windows == 0) GTEST_SKIP() << "the build has no windows";
  constexpr uint64_t kFirst = 0x11000, kEnd = 0x14000, kBehind = 0x12000;
  int refused = 0, back_inside = 0;
  for (uint64_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng = Rng(seed).Stream("windows");
    const Direction way = seed % 2 == 0 ? kRead : kWrite;
    software().SetWindow(way, 0, kFirst, kEnd - 0x1000);
    native::Descriptor tile =
        Copy(0x10000 + rng.Below(0x3000), 8 + static_cast<uint32_t>(rng.Below(1500)));
    tile.transfer.count[1] = 2 + static_cast<uint32_t>(rng.Below(6));
    tile.transfer.stride[1] = static_cast<int64_t>(rng.Below(0x2000)) - 0x1000;
    std::vector<uint64_t> bytes;
    for (uint64_t row = 0; row < tile.transfer.count[1]; ++row) {
      for (uint64_t n = 0; n < tile.transfer.count[0]; ++n)
        bytes.push_back(tile.transfer.base + row * static_cast<uint64_t>(tile.transfer.stride[1]) +
                        n);
    }
    const auto inside = [](uint64_t addr) { return addr >= kFirst && addr < kEnd; };
    const auto out = std::find_if_not(bytes.begin(), bytes.end(), inside);
    const auto good = static_cast<size_t>(out - bytes.begin());
    refused += good != bytes.size();
    back_inside += std::any_of(out, bytes.end(), inside);

    const std::vector<uint8_t> before = Load(0, 0x20000);
    std::vector<uint8_t> expected(bytes.size() + 8);
    std::vector<uint8_t> memory = before;
    const int first = First(way);
    tile.next = first + 1;
    Write(first, tile);
    Write(first + 1, Copy(kBehind, 8));
    const std::vector<uint8_t> sent = bench().sink(0).bytes();
    if (way == kWrite) {
      for (auto& byte : expected) byte = static_cast<uint8_t>(rng());
      for (size_t n = 0; n < good; ++n) memory[bytes[n]] = expected[n];
      std::copy(expected.end() - 8, expected.end(), memory.begin() + kBehind);
      bench().source(0).Push({expected.begin(), expected.end() - 8}, PieceEnd::kLast);
      bench().source(0).Push({expected.end() - 8, expected.end()}, PieceEnd::kLast);
    } else {
      for (size_t n = 0; n < good; ++n) expected[n] = before[bytes[n]];
      std::copy_n(before.begin() + kBehind, 8, expected.end() - 8);
    }
    Push(way, {.start = first});
    const auto record = WaitRecord(way), behind = WaitRecord(way);
    ASSERT_TRUE(record && behind) << bench().Dump();
    EXPECT_EQ(record->done.status, good == bytes.size() ? 0 : rtl::Status::kDecerr);
    if (good != bytes.size()) {
      EXPECT_EQ(record->done.addr & ~uint64_t{0xff}, *out & ~uint64_t{0xff});
    }
    EXPECT_EQ(behind->done.status, 0);
    EXPECT_EQ(behind->done.bytes, 8u);
    if (way == kRead) {
      const std::vector<uint8_t> all = bench().sink(0).bytes();
      EXPECT_EQ(std::vector<uint8_t>(all.begin() + static_cast<ptrdiff_t>(sent.size()), all.end()),
                expected);
    }
    EXPECT_EQ(bench().memory().ReadBytes(0, 0x20000), memory);
    if (HasFailure()) return;
  }
  EXPECT_GT(refused, 10);
  EXPECT_GT(back_inside, 5);
}

// Each turn of a task that waits for frames is a frame, also if it was asked to wait once.
TEST_P(Stop, EveryTurnBeginsWithAMark) {
  Proves({"program.iteration", "program.frame-mark"});
  Make();
  if (!config().side || !config().triggers) GTEST_SKIP() << "the build has no frame mark";
  bench().source(0).SetSides([](uint64_t packet, uint64_t beat) {
    return rtl::DescriptorSide{.user = static_cast<uint16_t>(packet != 0 && beat == 0)};
  });
  native::Descriptor d = Copy(0x4000, 16);
  d.iteration_size = 8;
  d.iteration_step = 16;
  Write(1, d);
  ASSERT_TRUE(Channel(kWrite).SetTrigger(driver::TriggerSource::kFrameMark).ok());
  Push(kWrite, {.start = 1, .repeats = 4, .trigger = true});
  for (int packet = 0; packet < 5; ++packet) {  // the first one is the rest of a frame
    bench().source(0).Push(std::vector<uint8_t>(16, static_cast<uint8_t>(packet)), PieceEnd::kLast);
  }
  for (int n = 0; n < 4; ++n) {
    ASSERT_TRUE(WaitRecord(kWrite)) << n << bench().Dump();
    EXPECT_EQ(bench().memory().ReadBytes(0x4000 + 16 * static_cast<uint64_t>(n), 16),
              std::vector<uint8_t>(16, static_cast<uint8_t>(n + 1)));
  }
}

// `stop_on` counts for a record that had to wait for room, too: its lock and its channel agree.
TEST_P(Stop, StopOnCountsForARecordThatWaitsForRoom) {
  Proves({"control.stop-on"});
  for (const bool stops : {true, false}) {
    SCOPED_TRACE(stops);
    Make();
    if (config().locks == 0) GTEST_SKIP() << "the build has no locks";
    const int first = First(kWrite), depth = config().queue_depth;
    native::Descriptor d = Copy(0x4000, 16);
    d.transfer.finish = model::Finish::kLast;
    d.release = {0, 1};
    Write(first, d);
    ASSERT_TRUE(Channel(kWrite).StopOn(stops ? registers::entry::Status::kOverlongMask : 0).ok());
    Set(kWrite, native::kTask, native::Task{.start = first, .repeats = depth + 1}.Word());
    for (int n = 0; n <= depth; ++n) {
      bench().source(0).Push(std::vector<uint8_t>(n < depth ? 16 : 40, 1), PieceEnd::kLast);
    }
    bench().Step(1000);
    EXPECT_EQ(Waits(kWrite), native::Wait::kRecord);
    Set(kWrite, native::kRecordPop, 0);
    bench().Step(200);
    EXPECT_EQ(Get(kWrite, native::kStatus) >> 23 & 1, stops ? 1U : 0U);
    EXPECT_EQ(software().LockValue(0), stops ? depth : depth + 1);
  }
}

INSTANTIATE_TEST_SUITE_P(Builds, Stop, EveryDma(), DmaName);

}  // namespace
}  // namespace tessera
