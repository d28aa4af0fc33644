// Counters of channels against what the bench sees on the pins. Counters are read by register: the
// driver tells of differences.
#include <verilated.h>
#include <verilated_sym_props.h>

#include <algorithm>

#include "tb/check/plan.h"
#include "tests/dma/fixture.h"

namespace tessera {
namespace {

class Counters : public DmaTest {
 protected:
  void MakeSlow() {
    DmaBenchOptions options;
    options.memory = AxiMemoryOptions::Latency(20);
    options.sink.pacer = PacerSpec::Parse("bursts=1-8/0-20");
    options.source.pacer = PacerSpec::Parse("bursts=1-8/0-20");
    Make(options);
    bench().Set(native::kGlobalControl, native::kClearCounters);
  }
  // What the pins of stream 0 and port 0 do while a task runs.
  struct Seen {
    uint32_t stalls = 0, bursts = 0;
  };
  Seen Watch(Direction direction, uint64_t cycles) {
    Seen seen;
    const AxiPort& port = bench().dma().port(0);
    const StreamPort& stream = bench().dma().streams(0).m_axis;
    bench().Watch([&](uint64_t) {
      const bool read = direction == Direction::kRead;
      seen.stalls += read && stream.waits();
      seen.bursts += read ? port.ar.moves() : port.aw.moves();
    });
    bench().Step(static_cast<int>(cycles));
    bench().Watch({});
    return seen;
  }
};

TEST_P(Counters, CountAReadToTheLastBeat) {
  Proves({"counter.values"});
  MakeSlow();
  const uint32_t bytes = 1203, width = static_cast<uint32_t>(config().channel.stream_bytes);
  Load(0x1001, bytes);
  Write(First(kRead), Copy(0x1001, bytes));
  Set(kRead, native::kCountLimit, 500);
  Push(kRead, {.start = First(kRead), .repeats = 2});
  const Seen seen = Watch(kRead, 6000);
  ASSERT_EQ(Get(kRead, native::kStatus) & kBusy, 0u);
  const auto& beats = bench().sink(0).beats();
  EXPECT_EQ(Get(kRead, native::kCountBeats), 2 * ((bytes + width - 1) / width));
  EXPECT_EQ(Get(kRead, native::kCountBeats), beats.size());
  EXPECT_EQ(Get(kRead, native::kCountBytes), 2 * bytes);
  EXPECT_EQ(Get(kRead, native::kCountBytes + 4), 0u);
  EXPECT_EQ(Get(kRead, native::kCountPackets), 2u);
  EXPECT_EQ(Get(kRead, native::kCountTransfers), 2u);
  EXPECT_EQ(Get(kRead, native::kCountStream), seen.stalls);
  if (config().reads == 1) {
    EXPECT_EQ(Get(kRead, native::kCountBursts), seen.bursts);
  }
  // Every cycle of a transfer is a beat, a stall, or at its end. With packet headers its last beats
  // may wait when its record has come and the channel is not busy any more.
  ASSERT_TRUE(WaitRecord(kRead));
  const auto record = WaitRecord(kRead);
  ASSERT_TRUE(record);
  const uint32_t now = software().device().CyclesLow();
  const auto since = [&](uint32_t stamp) { return static_cast<int64_t>(now - stamp); };
  const int64_t tail =
      since(record->stamp) - static_cast<int64_t>(bench().cycle() - beats.back().cycle);
  const uint32_t memory = Get(kRead, native::kCountMemory), busy = Get(kRead, native::kCountBusy);
  EXPECT_GT(memory, 20u);
  EXPECT_LE(tail, config().headers() || config().channel.stream_bytes != config().channel.data_bytes
                      ? 60
                      : 7);
  EXPECT_LE(memory + seen.stalls + beats.size(), busy + std::max<int64_t>(tail, 0) + 20);
  EXPECT_EQ(Get(kRead, native::kCountLock), 0u);
  // From the first beat to the one with byte 500.
  uint64_t reached = 0;
  uint64_t sum = 0;
  for (const auto& beat : beats) {
    sum += beat.count;
    if (sum >= 500 && reached == 0) reached = beat.cycle - beats[0].cycle;
  }
  EXPECT_EQ(Get(kRead, native::kCountReached), reached);
  // The cycle counter runs with the bench's.
  const uint32_t low = bench().Get(0x2c);
  EXPECT_NEAR(static_cast<double>(low - Get(kRead, native::kCountFirst)),
              static_cast<double>(bench().cycle() - beats[0].cycle), 20);
}

TEST_P(Counters, CountAWrite) {
  Proves({"counter.values"});
  MakeSlow();
  Write(First(kWrite), Copy(0x4000, 300));
  bench().source(0).Push(std::vector<uint8_t>(300, 7), PieceEnd::kLast);
  Push(kWrite, {.start = First(kWrite)});
  const Seen seen = Watch(kWrite, 3000);
  ASSERT_TRUE(WaitRecord(kWrite));
  EXPECT_EQ(Get(kWrite, native::kCountBytes), 300u);
  EXPECT_EQ(Get(kWrite, native::kCountBeats), bench().source(0).beats().size());
  EXPECT_EQ(Get(kWrite, native::kCountPackets), 1u);
  EXPECT_EQ(Get(kWrite, native::kCountTransfers), 1u);
  if (config().writes == 1) {
    EXPECT_EQ(Get(kWrite, native::kCountBursts), seen.bursts);
  }
  EXPECT_GT(Get(kWrite, native::kCountMemory), 15u);  // for the response at least
}

TEST_P(Counters, CountALockAndAStreamThatDoNotCome) {
  Proves({"counter.values"});
  Make();
  if (config().locks == 0) GTEST_SKIP() << "the build has no locks";
  native::Descriptor d = Copy(0x4000, 8);
  d.acquire = native::LockOp{0, -1};
  Write(First(kWrite), d);
  Push(kWrite, {.start = First(kWrite)});
  bench().Step(100);
  const uint32_t waited = Get(kWrite, native::kCountLock);
  EXPECT_GE(waited, 90u);
  EXPECT_LE(waited, 120u);
  software().SetLock(0, 1);
  bench().Step(20);
  const uint32_t stalled = Get(kWrite, native::kCountStream);
  bench().Step(100);
  EXPECT_GE(Get(kWrite, native::kCountStream), stalled + 100);
  const uint32_t after = Get(kWrite, native::kCountLock);
  bench().Step(50);
  EXPECT_EQ(Get(kWrite, native::kCountLock), after);
}

// A beat that is not taken is counted as long as it waits, also when its record has come: packet
// headers keep the last beats back.
TEST_P(Counters, CountAStallBehindTheLastRecord) {
  Proves({"counter.values"});
  DmaBenchOptions options;
  options.sink.pacer = PacerSpec::Never();
  Make(options);
  const int first = First(kRead);
  Load(0x1000, 1);
  native::Descriptor d = Copy(0x1000, 1);
  d.transfer.last_rule = model::LastRule::kTransfer;
  if (config().headers()) d.header = rtl::HeaderRequest{.enable = true};
  Write(first, d);
  Push(kRead, {.start = first});
  bench().Step(400);
  if (!config().headers()) {
    EXPECT_NE(Get(kRead, native::kStatus) & kBusy, 0U);
  }
  const uint32_t stalled = Get(kRead, native::kCountStream);
  bench().Step(100);
  EXPECT_GE(Get(kRead, native::kCountStream), stalled + 100);
}

// A burst that is taken at once waits for nothing; behind one that shows the next has no place.
TEST_P(Counters, CountCyclesWithoutCredit) {
  Proves({"counter.values"});
  Make();
  const auto cleared = static_cast<uint32_t>(16 * config().descriptors);  // as long as that takes
  for (const Direction d : {kRead, kWrite}) {
    for (const uint32_t held : {0U, cleared + 1000U}) {
      DmaBenchOptions options;
      std::vector<uint8_t> taken(held, 0);
      taken.insert(taken.end(), 1000, 1);
      options.memory = AxiMemoryOptions::Latency(10);
      options.memory.ar = options.memory.aw = PacerSpec::List(taken);
      Make(options);
      // A burst for each row, more than have a place on their way to the bus.
      native::Descriptor rows = Copy(0x4000, 8);
      rows.transfer.count[1] = 8;
      rows.transfer.stride[1] = 0x1000;
      Write(First(d), rows);
      bench().source(0).Push(std::vector<uint8_t>(64, 7), PieceEnd::kLast);
      Push(d, {.start = First(d)});
      ASSERT_TRUE(bench().Until([&] { return Pop(d).has_value(); }, 9000));
      EXPECT_EQ(Get(d, native::kCountBursts), 8u);
      const uint32_t waited = Get(d, native::kCountCredit);
      EXPECT_GE(waited, held == 0 ? 0 : 60) << NameOf(d);
      EXPECT_LE(waited, held) << NameOf(d);
    }
  }
}

TEST_P(Counters, FreezeAndClearTogether) {
  Proves({"counter.freeze"});
  Make();
  Load(0x1000, 64);
  Write(First(kRead), Copy(0x1000, 64));
  const native::Task task{.start = First(kRead)};
  Push(kRead, task);
  ASSERT_TRUE(WaitRecord(kRead));
  bench().Set(native::kGlobalControl, native::kFreezeCounters);
  Push(kRead, task);
  ASSERT_TRUE(WaitRecord(kRead));
  EXPECT_EQ(Get(kRead, native::kCountBytes), 64u);
  EXPECT_EQ(Get(kRead, native::kCountTransfers), 1u);
  bench().Set(0x20, native::kFreezeCounters | native::kClearCounters);
  for (uint32_t at = native::kCountBusy; at <= native::kCountFirst; at += 4)
    EXPECT_EQ(Get(kRead, at), 0u) << at;
  bench().Set(0x20, 0);
  Push(kRead, task);
  ASSERT_TRUE(WaitRecord(kRead));
  EXPECT_EQ(Get(kRead, native::kCountBytes), 64u);
  EXPECT_NE(Get(kRead, native::kCountFirst), 0u);
}

// The bytes come to more than a word holds, which no run could wait for.
TEST_P(Counters, CountMoreBytesThanAWordHolds) {
  Proves({"counter.values"});
  Make();
  const std::string channel =
      config().channel.name + ".tessera_dma.u_counters.gen_bank.u_bank.gen_channel[0].u_counters";
  const VerilatedScope* scope = Verilated::scopeFind(channel.c_str());
  ASSERT_NE(scope, nullptr) << "cmake/probe.vlt names it";
  const VerilatedVar* bytes = scope->varFind("bytes_o");
  ASSERT_NE(bytes, nullptr) << "cmake/probe.vlt names it";
  *static_cast<uint32_t*>(bytes->datap()) = 0U - 64;
  Set(kRead, native::kCountLimit, 1000);
  Load(0x1000, 128);
  Write(First(kRead), Copy(0x1000, 128));
  Push(kRead, {.start = First(kRead)});
  ASSERT_TRUE(WaitRecord(kRead));
  bench().Step(50);
  EXPECT_EQ(Get(kRead, native::kCountBytes), 64U);
  EXPECT_EQ(Get(kRead, native::kCountBytes + 4), 1U);
  EXPECT_EQ(Get(kRead, native::kCountReached), 0U) << "the limit is far behind";
}

TEST_P(Counters, WithTheirRegisters) {
  Make();
  const uint32_t at = native::Channel(kWrite, config().writes - 1);
  bench().Set(at + native::kCountLimit, 0x12345678);
  EXPECT_TRUE(bench().Write(at + native::kCountLimit, 0xffffffff, 2));
  EXPECT_EQ(bench().Get(at + native::kCountLimit), 0x1234ff78u);
  uint32_t value = 0;
  EXPECT_FALSE(bench().Write(at + native::kCountBusy, 1));
  EXPECT_FALSE(bench().Write(at + native::kCountFirst, 1));
  EXPECT_FALSE(bench().Read(at + native::kCountFirst + 4, &value));
  EXPECT_EQ(Get(kRead, native::kCountLimit), 0u);
  EXPECT_EQ(bench().Get(0x14) >> 3 & 1, 1u);
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(
    Counters);  // a build folder may have counters in none
INSTANTIATE_TEST_SUITE_P(Builds, Counters, ::testing::ValuesIn([] {
                           std::vector<std::string> names;
                           for (const DmaConfig& c : Dmas()) {
                             if (c.counters && c.start_writes() == 0)
                               names.push_back(c.channel.name);
                           }
                           return names;
                         }()),
                         DmaName);

}  // namespace
}  // namespace tessera
