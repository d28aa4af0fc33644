// What a build is, what it has, how soon a push reaches the bus and how fast chains are.
#include <fmt/format.h>
#include <verilated.h>
#include <verilated_sym_props.h>

#include <algorithm>
#include <bit>
#include <initializer_list>
#include <utility>

#include "tb/check/plan.h"
#include "tests/dma/fixture.h"

namespace tessera {
namespace {

using native::Descriptor;

constexpr uint32_t kCyclesHigh = registers::global_block::CyclesHigh::kOffset;

class Program : public DmaTest {};

// A register of such values at such bits.
uint32_t Bits(std::initializer_list<std::pair<int, int>> fields) {
  uint32_t word = 0;
  for (const auto& [value, shift] : fields) word |= static_cast<uint32_t>(value) << shift;
  return word;
}

TEST_P(Program, KnowsItself) {
  Proves({"register.capabilities"});
  Make();
  const driver::Capabilities& build = software().device().build();
  EXPECT_EQ(build.reads, config().reads);
  EXPECT_EQ(build.writes, config().writes);
  EXPECT_EQ(build.descriptors, config().descriptors);
  EXPECT_EQ(build.locks, config().locks);
  EXPECT_EQ(build.address_bits, config().channel.addr_width);
  EXPECT_EQ(1 << build.data_log2, config().channel.data_bytes);
  EXPECT_EQ(1 << build.stream_log2, config().channel.stream_bytes);
  EXPECT_EQ(1 << build.task_log2, config().queue_depth);
  EXPECT_EQ(build.windows, config().windows);
  EXPECT_EQ(1 << build.record_log2, config().queue_depth);
  EXPECT_EQ(bench().Get(native::kId), 0x54535241u);
  EXPECT_EQ(bench().Get(native::kCapChannels), Bits({{config().reads, 0},
                                                     {config().writes, 8},
                                                     {config().ports, 16},
                                                     {config().loopback, 24}}));
  const int flight = std::bit_width(static_cast<unsigned>(config().channel.outstanding) - 1);
  EXPECT_EQ(bench().Get(native::kCapBus) >> 16,
            Bits({{config().channel.max_burst, 0}, {flight, 9}}));
  EXPECT_EQ(bench().Get(native::kCapTime), static_cast<uint32_t>(config().silence()));
  EXPECT_EQ(bench().Get(native::kCapStreamTime), static_cast<uint32_t>(config().stream_silence()));
  EXPECT_EQ(bench().Get(native::kCapPlace),
            Bits({{config().source_id % 32, 0}, {config().source_id / 32, 8}}));
}

// Each bit of the features is that of its parameter.
TEST_P(Program, KnowsItsFeatures) {
  Proves({"register.capabilities"});
  Make();
  const DmaConfig& c = config();
  const bool packets = c.control_packets;
  EXPECT_EQ(bench().Get(native::kCapFeatures), Bits({{c.channel.walk, 0},
                                                     {c.channel.bounds, 1},
                                                     {c.guard != 0, 2},
                                                     {c.counters, 3},
                                                     {c.lists, 4},
                                                     {c.tokens, 5},
                                                     {packets, 6},
                                                     {c.headers(), 7},
                                                     {c.headers(), 8},
                                                     {c.route_dest, 9},
                                                     {c.triggers, 10},
                                                     {c.windows > 0, 11},
                                                     {std::max(c.windows - 1, 0), 12},
                                                     {c.side != 0, 17},
                                                     {packets, 19},
                                                     {packets, 20},
                                                     {c.on_chip_size > 0, 21}}));
  EXPECT_EQ(software().device().build().joined, c.loopback);
  const driver::OnChip on_chip = software().device().FindOnChip();
  EXPECT_EQ(on_chip.bytes, c.onchip_bytes());
  if (on_chip.bytes == 0) return;
  EXPECT_EQ(on_chip.address, c.onchip_first());
  EXPECT_EQ(on_chip.banks, c.on_chip_banks);
  EXPECT_EQ(static_cast<int>(on_chip.check), c.on_chip_check);
  const uint64_t last = on_chip.address + on_chip.bytes - 1;
  EXPECT_TRUE(on_chip.Holds(on_chip.address, on_chip.bytes) && on_chip.Holds(last, 1));
  EXPECT_FALSE(on_chip.Holds(last, 2) || on_chip.Holds(on_chip.address - 1, 1));
}

// A register of what the build does not have answers SLVERR, and one that it has does not.
TEST_P(Program, RegistersOfWhatIsNotThereAnswerWithAnError) {
  Proves({"register.access"});
  Make();
  struct Register {
    uint32_t address;
    bool there;
  };
  const uint32_t read = native::Channel(kRead, 0), write = native::Channel(kWrite, 0);
  for (const Register& r :
       std::initializer_list<Register>{{read + native::kTrigger, config().triggers},
                                       {write + native::kTrigger, config().triggers},
                                       {native::kFire, config().triggers},
                                       {0x40, config().locks > 0},  // LOCK_OVER
                                       {0x44, config().locks > 32},
                                       {0x48, config().locks > 0},  // LOCK_UNDER
                                       {0x4c, config().locks > 32},
                                       {native::kLocks, config().locks > 0},
                                       {0x58, config().control_packets},  // PACKET_LAST
                                       {read + native::kListBase, config().lists},
                                       {write + native::kCountLimit, config().counters},
                                       {native::kWindows, config().windows > 0}}) {
    SCOPED_TRACE(fmt::format("{:#x}", r.address));
    uint32_t value = 0;
    EXPECT_EQ(bench().Read(r.address, &value), r.there);
    EXPECT_EQ(bench().Write(r.address, 0), r.there);
  }
}

TEST_P(Program, GlobalControlStaysLockedUntilAReset) {
  Proves({"register.access"});
  Make();
  constexpr uint32_t kLocked = 0x80000052;
  EXPECT_TRUE(bench().Write(native::kGlobalControl, kLocked));
  for (const uint32_t value : {0U, 1U, 8U, kLocked}) {
    for (const uint8_t strobe : {uint8_t{15}, uint8_t{8}, uint8_t{0}}) {
      EXPECT_FALSE(bench().Write(native::kGlobalControl, value, strobe));
    }
  }
  EXPECT_EQ(bench().Get(native::kGlobalControl), kLocked);
  bench().Reset();
  EXPECT_TRUE(bench().Write(native::kGlobalControl, 2));
  EXPECT_EQ(bench().Get(native::kGlobalControl), 2U);
}

TEST_P(Program, TheHighHalfOfTheCyclesIsThatOfTheLastReadOfTheLowOne) {
  Make();
  const std::string global = config().channel.name + ".tessera_dma.u_registers.u_global";
  const VerilatedScope* scope = Verilated::scopeFind(global.c_str());
  ASSERT_NE(scope, nullptr) << "cmake/probe.vlt names it";
  const VerilatedVar* cycles = scope->varFind("cycles_q");
  ASSERT_NE(cycles, nullptr) << "cmake/probe.vlt names it";
  *static_cast<uint64_t*>(cycles->datap()) = (uint64_t{3} << 32) - 64;
  EXPECT_EQ(bench().Get(kCyclesHigh), 0U) << "the low half has not been read";
  EXPECT_GE(bench().Get(native::kCycleCounter), 0xffffffc0U);
  EXPECT_EQ(bench().Get(kCyclesHigh), 2U);
  bench().Step(100);
  for (int n = 0; n < 2; ++n) EXPECT_EQ(bench().Get(kCyclesHigh), 2U);
  EXPECT_LT(bench().Get(native::kCycleCounter), 0x1000U);
  EXPECT_EQ(bench().Get(kCyclesHigh), 3U);
}

// Bits of the header without the flag of a header mean nothing, whether the build has headers or
// not.
TEST_P(Program, BitsOfAHeaderMeanNothingWithoutIt) {
  Proves({"record.program"});
  Make();
  const auto data = Load(0x1001, 300);
  Write(0, Copy(0x1001, 300));
  const uint32_t word = native::kDescriptors + 4 * 15;
  bench().Set(word, bench().Get(word) | 0x3fff0000);
  Push(kRead);
  const auto record = WaitRecord(kRead);
  ASSERT_TRUE(record) << bench().Dump();
  EXPECT_EQ(record->done.status, 0);
  EXPECT_EQ(bench().sink(0).bytes(), data);
  EXPECT_EQ(Get(kRead, native::kError), 0u);
}

// As a converter of widths writes the word beside the one that is meant: descriptors stay valid,
// their turns as they are, lists are not set anew, windows have no new flags.
TEST_P(Program, AWriteThatNamesNoByteChangesNothing) {
  Make();
  const int first = First(kRead);
  const uint32_t channel = native::Channel(kRead, 0);
  const uint32_t descriptor = native::kDescriptors + 0x40 * static_cast<uint32_t>(first);
  const uint32_t turns = native::kTurns + 4 * static_cast<uint32_t>(first);
  Descriptor d = Copy(0x1000, 16);
  d.iteration_size = 8;
  d.iteration_step = 16;
  Write(first, d);
  const auto none = [&](uint32_t address) { bench().Write(address, 0xffffffffU, 0); };
  Push(kRead, {.start = first, .repeats = 2});
  ASSERT_TRUE(WaitRecord(kRead) && WaitRecord(kRead));
  ASSERT_EQ(bench().Get(turns), 2u);
  const uint32_t commit = bench().Get(descriptor + 60);
  ASSERT_EQ(commit >> 31, 1u);
  for (const uint32_t word : {0u, 28u, 60u, 0x4000u, 0x8000u}) none(descriptor + word);
  none(turns);
  EXPECT_EQ(bench().Get(descriptor + 60), commit);
  EXPECT_EQ(bench().Get(turns), 2u);
  if (config().lists) {
    Set(kRead, native::kListCount, 8);
    Set(kRead, native::kListTail, 3);
    for (const uint32_t offset :
         {native::kListBase, native::kListBase + 4, native::kListCount, native::kListTail,
          native::kListControl, native::kListDoneBase, native::kListDoneBase + 4}) {
      none(channel + offset);
      EXPECT_EQ(Get(kRead, native::kListTail), 3u) << offset;
    }
    EXPECT_EQ(Get(kRead, native::kListCount), 8u);
  }
  if (config().windows > 0) {
    bench().Set64(native::kWindows, 0x4000000);
    bench().Set64(native::kWindows + 8, 0x4000000);
    none(native::kWindows + 16);
    // A write of its pages takes effect with its flags: it permits all again.
    bench().Set64(native::kWindows, 0);
    bench().Set64(native::kWindows + 8, 0xfffff000);
    bench().Set(native::kWindows + 16, 3);
  }
  Push(kRead, {.start = first});
  const auto record = WaitRecord(kRead);
  ASSERT_TRUE(record);
  EXPECT_EQ(record->done.status, 0);
  EXPECT_EQ(bench().Get(turns), 3u);
}

TEST_P(Program, APushReachesTheBus) {
  Proves({"program.push"});
  Make();
  const int first = First(kRead);
  Load(0x1000, 64);
  Write(first, Copy(0x1000, 64));
  bench().Step(20);
  bench().MarkFirst();
  Push(kRead, {.start = first});  // its last write is the push
  ASSERT_TRUE(bench().Until([&] { return bench().first_address() != kNever; }, 100));
  const uint64_t cycles = bench().first_address() - bench().written_at();
  RecordProperty("cycles", static_cast<int>(cycles));
  if (config().windows == 0) {
    EXPECT_LE(cycles, 22u);
  } else {
    EXPECT_LE(cycles, 31u);  // the window is looked for
  }
}

// Descriptors are loaded while transfers of a word run.
TEST_P(Program, AChainOfSingleWordsKeepsItsPace) {
  Proves({"program.chain"});
  Make();
  const int first = First(kRead);
  const int length = config().descriptors;
  const auto bytes = static_cast<uint32_t>(config().channel.data_bytes);
  std::vector<uint8_t> expected;
  for (int n = 0; n < length; ++n) {
    const uint64_t base = 0x1000 + 0x40 * static_cast<uint64_t>(n);
    const auto data = Load(base, bytes);
    expected.insert(expected.end(), data.begin(), data.end());
    Descriptor d = Copy(base, bytes);
    d.no_record = n + 1 < length;
    if (n + 1 < length) d.next = first + n + 1;
    Write(first + n, d);
  }
  Push(kRead, {.start = first});
  ASSERT_TRUE(WaitRecord(kRead)) << bench().Dump();
  const auto& beats = bench().sink(0).beats();
  EXPECT_EQ(bench().sink(0).bytes(), expected);
  const double each = static_cast<double>(beats.back().cycle - beats.front().cycle) / (length - 1);
  RecordProperty("hundredths", static_cast<int>(100 * each));
  // A transfer is loaded when the record of one before it has room. The first ones of many channels
  // come some cycles later, once.
  const int channels = config().reads + config().writes;
  const double begin = config().reads <= 4 ? 0 : channels > 8 ? 18 : 5;
  const double two = config().reads > 4 ? 24 : 15.5;  // two at a time: their way is longer
  const double pace = config().queue_depth > 2 ? 8.05 : two;
  EXPECT_LE(each, pace + begin / (length - 1));
  const size_t half = beats.size() / 2;
  EXPECT_LE(static_cast<double>(beats.back().cycle - beats[half].cycle),
            pace * static_cast<double>(beats.size() - 1 - half) + 0.5);
}

// What each channel waits for is hidden behind the others.
TEST_P(Program, ChainsOfSeveralChannelsTakeFourCyclesADescriptor) {
  Proves({"program.chain"});
  Make();
  if (config().reads < 2 || config().writes < 2 || config().route_dest)
    GTEST_SKIP() << "fewer than 2 channels of each direction with streams of their own";
  constexpr int kChannels = 2, kCycles = 2000;  // of each direction
  const auto bytes = static_cast<uint32_t>(config().channel.data_bytes);
  int n = 0;
  for (const Direction way : {kRead, kWrite}) {
    for (int c = 0; c < kChannels; ++c) {
      const int first = n;
      for (; n < first + 2; ++n) {
        Descriptor d = Copy(0x1000 + 0x40 * static_cast<uint64_t>(n), bytes);
        d.no_record = true;
        if (n == first) d.next = n + 1;
        Write(n, d);
      }
      if (way == kWrite)
        bench().source(c).Push(std::vector<uint8_t>(kCycles * bytes), PieceEnd::kOpen);
      Push(way, {.start = first, .endless = true}, c);
    }
  }
  bench().Step(600);
  int words = 0;
  bench().Watch([&](uint64_t) {
    for (int p = 0; p < config().ports; ++p) {
      AxiPort& port = bench().dma().port(p);
      words += (port.r.moves() ? 1 : 0) + (port.w.moves() ? 1 : 0);
    }
  });
  bench().Step(kCycles);
  bench().Watch({});
  EXPECT_LE(static_cast<double>(kCycles) / words, 4.15);
}

INSTANTIATE_TEST_SUITE_P(Builds, Program, EveryDma(), DmaName);

}  // namespace
}  // namespace tessera
