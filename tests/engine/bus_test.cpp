// What the engines ask of the bus, when their records come, and what they refuse.

#include "tb/model/walk.h"
#include "tests/engine/fixture.h"

namespace tessera {
namespace {

// Every word that was asked for, in order, and how many bursts.
class AddressWatch : public EngineBench::Hook {
 public:
  void OnCycle(EngineBench& bench, const Tick& tick) override {
    if (tick.reset) return;
    const PairPorts& pins = bench.dut();
    const uint64_t bytes = static_cast<uint64_t>(bench.dut().config().data_bytes);
    if (pins.axi.ar.moves()) {
      ++read_bursts;
      for (uint64_t n = 0; n <= pins.axi.ar->len; ++n)
        read_words.push_back(pins.axi.ar->addr + n * bytes);
    }
    if (pins.axi.aw.moves()) {
      ++write_bursts;
      for (uint64_t n = 0; n <= pins.axi.aw->len; ++n)
        write_words.push_back(pins.axi.aw->addr + n * bytes);
    }
    if (pins.axi.w.moves()) ++write_beats;
  }
  std::vector<uint64_t> read_words, write_words;
  uint64_t read_bursts = 0, write_bursts = 0, write_beats = 0;
};

class Bus : public EngineTest {
 protected:
  // The bus words that hold an addressed byte.
  std::set<uint64_t> Words(const std::vector<Transfer>& chain) const {
    std::set<uint64_t> words;
    const uint64_t word = static_cast<uint64_t>(bus());
    for (const Transfer& t : chain) {
      model::Walk(t, build(), [&](const model::Position& p) {
        for (uint64_t b = 0; p.valid && b < static_cast<uint64_t>(t.elem); ++b) {
          words.insert(((p.addr + b) & build().AddressMask()) / word * word);
        }
        return true;
      });
    }
    return words;
  }
  std::vector<Transfer> Mixture(uint64_t base) const {
    Transfer rows = Copy(base + 3, 5);
    rows.count[1] = 6;
    rows.stride[1] = 3 * bus() + 1;
    Transfer sparse = Copy(base + 0x400, 9);
    sparse.elem = Elem(2);
    sparse.stride[0] = 4 * bus();
    Transfer page = Copy(base + 0xFFD, 3000);
    return {rows, sparse, page, Copy(base + 1, 1), Copy(base + 7, 64)};
  }
};
TESSERA_EVERY_CONFIG(Bus);

TEST_P(Bus, ReadsNoWordThatHoldsNoAddressedByte) {
  Proves({"read.covering-words", "burst.4k"});
  const std::vector<Transfer> chain = Mixture(kReadBase);
  AddressWatch watch;
  Run(Reads(chain), &watch);
  const std::set<uint64_t> words = Words(chain);
  for (uint64_t word : watch.read_words) EXPECT_TRUE(words.contains(word)) << std::hex << word;
  EXPECT_EQ(std::set<uint64_t>(watch.read_words.begin(), watch.read_words.end()), words);
}

TEST_P(Bus, WritesByLengthAskForNoOtherWordEither) {
  Proves({"write.exact", "burst.4k"});
  if (!NeedsStream()) GTEST_SKIP() << "its stream is inside";
  const std::vector<Transfer> chain = Mixture(kWriteBase);
  uint64_t bytes = 0;
  for (const Transfer& t : chain) bytes += model::Positions(t) * static_cast<uint64_t>(t.elem);
  AddressWatch watch;
  Run(Writes(chain, {{bytes, PieceEnd::kLast}}), &watch);
  const std::set<uint64_t> words = Words(chain);
  for (uint64_t word : watch.write_words) EXPECT_TRUE(words.contains(word)) << std::hex << word;
  EXPECT_EQ(watch.write_beats, watch.write_words.size());
}

TEST_P(Bus, ABufferThatEndsAtABurstBoundaryAsksForNothingMore) {
  Proves({"burst.boundary"});
  const uint32_t words = static_cast<uint32_t>(config().max_burst);
  for (uint32_t bursts : {1u, 2u, 3u}) {
    const uint32_t bytes = bursts * words * static_cast<uint32_t>(bus());
    AddressWatch read, write;
    Run(Reads({Copy(kReadBase, bytes)}), &read);
    EXPECT_EQ(read.read_words.size(), bursts * words);
    if (!NeedsStream()) continue;
    Run(Writes({Copy(kWriteBase, bytes)}, {{bytes, PieceEnd::kLast}}), &write);
    EXPECT_EQ(write.write_words.size(), bursts * words);
  }
}

TEST_P(Bus, EachRowHasBurstsOfItsOwn) {
  Proves({"burst.merge"});
  Transfer t = Copy(kReadBase, 0);
  t.elem = Elem(8);
  t.count = {1, 16, 1, 1};
  t.stride = {0, t.elem, 0, 0};
  AddressWatch watch;
  Run(Reads({t}), &watch);
  EXPECT_EQ(watch.read_bursts, 16u);
}

// A write of unknown length whose rows touch asks for its first burst when the bytes of the first
// row are there, however short it is.
TEST_P(Bus, ShortRowsThatTouchDoNotHoldUpAWriteOfUnknownLength) {
  Proves({"burst.merge"});
  if (!NeedsStream()) GTEST_SKIP() << "its stream is inside";
  struct Hook : EngineBench::Hook {
    void OnCycle(EngineBench& bench, const Tick& tick) override {
      const PairPorts& pins = bench.dut();
      if (tick.reset) return;
      if (pins.write.transfer.valid && offered == kNever) offered = tick.cycle;
      if (pins.axi.aw.valid && asked == kNever) asked = tick.cycle;
    }
    uint64_t offered = kNever, asked = kNever;
  } hook;
  Transfer t = OnLast(Copy(kWriteBase, 1));
  t.count[1] = 1000;
  t.stride[1] = 1;
  Run(Writes({t}, {{1000, PieceEnd::kLast}}), &hook);
  const uint64_t a_word = static_cast<uint64_t>(std::max(1, bus() / stream()));
  EXPECT_LE(hook.asked - hook.offered, 52 + a_word);
}

TEST_P(Bus, NoTrafficForWhatIsEmptyOrEntirelyOutside) {
  Proves({"empty.count-zero", "field.bound"});
  Transfer empty = Copy(kReadBase, 0), outside = Copy(kReadBase, 40);
  AddressWatch watch;
  Case value = Reads({empty, empty});
  if (!config().loopback) {
    value.writes = {empty, empty};
    for (Transfer& t : value.writes) t.base = kWriteBase;
    value.stream = {{16, PieceEnd::kLast}};
  }
  Run(value, &watch);
  if (config().bounds && NeedsStream()) {
    outside.bound[0] = 0;
    value = Reads({outside});
    outside.base = kWriteBase;
    value.writes = {outside};
    value.stream = {{40, PieceEnd::kLast}};
    Run(value, &watch);
  }
  EXPECT_EQ(watch.read_bursts + watch.write_bursts + watch.write_beats, 0u);
}

// Between two engines that share a memory neither holds up the other: what was read is taken within
// some cycles, and a burst that is begun never waits for what is still to be read.
TEST_P(Bus, ALoopTakesWhatItReadsAndHasWhatItWrites) {
  if (!config().loopback) GTEST_SKIP() << "no loopback";
  struct Hook : EngineBench::Hook {
    void OnCycle(EngineBench& bench, const Tick& tick) override {
      const AxiPort& bus = bench.dut().axi;
      if (tick.reset) return;
      reads_wait = bus.r.waits() ? reads_wait + 1 : 0;
      longest_read = std::max(longest_read, reads_wait);
      writes_wait = open != 0 && !bus.w.valid ? writes_wait + 1 : 0;
      longest = std::max(longest, writes_wait);
      open += (bus.aw.moves() ? 1 : 0) - (bus.w.moves() && bus.w->last ? 1 : 0);
    }
    int64_t open = 0;  // bursts whose address was taken and whose last word was not
    uint64_t reads_wait = 0, writes_wait = 0, longest = 0, longest_read = 0;
  };
  const uint32_t bytes = 1024 * static_cast<uint32_t>(bus());
  for (const bool slow_reads : {false, true}) {
    Case value = NewCase();
    value.reads = {Copy(kReadBase + 1, bytes)};
    value.writes = {Copy(kWriteBase + 3, bytes)};
    (slow_reads ? value.memory.r : value.memory.w) = PacerSpec::Parse("p=0.2");
    Hook hook;
    Run(value, &hook);
    EXPECT_LE(hook.longest_read, 8u);
    EXPECT_LE(hook.longest, 8u);
  }
}

TEST_P(Bus, ManyKilobytes) {
  Proves({"burst.4k", "record.bytes"});
  const uint32_t bytes = 70001;
  Run(Reads({Copy(kReadBase + 1, bytes)}));
  if (!NeedsStream()) return;
  Run(Writes({Copy(kWriteBase + 1, bytes), OnLast(Copy(kWriteBase + 0x40003, bytes))},
             {{bytes, PieceEnd::kLast}, {bytes, PieceEnd::kLast}}));
}

TEST_P(Bus, AReadIsDoneWhenItsLastBeatHasBeenAccepted) {
  Proves({"done.read"});
  if (!NeedsStream()) GTEST_SKIP() << "its stream is inside";
  if (stream() != bus()) GTEST_SKIP() << "the last beat is that of the engine";
  Case value = Reads({Copy(kReadBase + 1, 50), Copy(kReadBase, 3), Copy(kReadBase + 5, 70)});
  value.sink = PacerSpec::Parse("p=0.1");
  struct Hook : EngineBench::Hook {
    void OnCycle(EngineBench& bench, const Tick& tick) override {
      const PairPorts& pins = bench.dut();
      if (tick.reset || !pins.read.done.valid) return;
      // The record offered is that of job `taken`; packets end with their transfer.
      const auto& feeder = bench.feeder(Direction::kRead);
      const bool just_taken = pins.read.done.ready;
      const uint64_t offered = feeder.accepted() - feeder.running() + (just_taken ? 0 : 1);
      if (bench.sink().packets_taken() < offered) ++early;
    }
    uint64_t early = 0;
  } hook;
  Run(value, &hook);
  EXPECT_EQ(hook.early, 0u);
}

TEST_P(Bus, ErrorsAreReportedWithTheirAddressAndCutNothing) {
  Proves({"error.read", "error.write", "error.isolated"});
  for (bool decerr : {false, true}) {
    for (uint64_t at : {0u, 1u, 37u, 99u}) {
      Case value =
          Reads({Copy(kReadBase + 0x2000, 20), Copy(kReadBase, 100), Copy(kReadBase + 0x3000, 20)});
      value.read_errors = {{kReadBase + at, kReadBase + at, decerr}};
      if (NeedsStream()) {
        value.writes = {Copy(kWriteBase + 0x2000, 20), Copy(kWriteBase, 100),
                        Copy(kWriteBase + 0x3000, 20)};
        value.stream = {{140, PieceEnd::kLast}};
        value.write_errors = {{kWriteBase + at, kWriteBase + at, decerr}};
      }
      Run(value);
    }
  }
}

TEST_P(Bus, AWriteErrorSkipsTheRecordsThatWaitBeforeIt) {
  Proves({"error.write", "error.isolated"});
  if (!NeedsStream()) GTEST_SKIP() << "the stream of a loopback gives no transfers without bytes";
  // Records are taken rarely, so that those without a burst are due together with the one before.
  Transfer empty = Copy(kWriteBase, 0);
  for (const uint32_t bytes : {3u, 600u, 5000u}) {
    Case value = NewCase();
    value.writes = {
        Copy(kWriteBase, 20),          empty, empty, Copy(kWriteBase + 0x10000, bytes), empty,
        Copy(kWriteBase + 0x20000, 20)};
    value.stream = {{40 + bytes, PieceEnd::kLast}};
    value.write_errors = {{kWriteBase + 0x10000, kWriteBase + 0x10001, false}};
    value.write_take = PacerSpec::Parse("bursts=1-3/100-150");
    Run(value);
  }
}

TEST_P(Bus, BothKindsOfErrorInOneTransfer) {
  Proves({"error.read"});
  Case value = Reads({Copy(kReadBase, 600)});
  value.read_errors = {{kReadBase + 500, kReadBase + 500, false},
                       {kReadBase + 300, kReadBase + 301, true}};
  Run(value);
}

TEST_P(Bus, RefusesWhatTheBuildDoesNotHave) {
  Proves({"illegal.refused", "illegal.order"});
  if (!NeedsStream()) GTEST_SKIP() << "its stream is inside";
  std::vector<Transfer> refused;
  Transfer t = Copy(0, 10);
  if (2 * bus() <= model::kMaxElem) {
    t.elem = 2 * bus();
    refused.push_back(t);
    t.elem = model::kMaxElem;
    refused.push_back(t);
    t.elem = 1;
  }
  for (size_t d = 0; d < 4; ++d) {
    if (!config().bounds) {
      t.bound[d] = 10;
      refused.push_back(t);
    }
    t.bound[d].reset();
    if (!config().walk) {
      t.walk[d] = WalkLevel{0, 1, 2};
      refused.push_back(t);
      t.walk[d].reset();
    }
  }
  std::vector<Transfer> reads, writes;
  for (Transfer r : refused) {
    r.base = kReadBase;
    reads.push_back(Copy(kReadBase, 9));
    reads.push_back(r);
    r.base = kWriteBase;
    writes.push_back(Copy(kWriteBase, 9));
    writes.push_back(r);
  }
  Case value = Reads(reads);
  value.writes = writes;
  value.stream = {{9 * refused.size(), PieceEnd::kLast}};
  Run(value);
}

TEST_P(Bus, LargestBoundIsLegal) {
  Proves({"illegal.refused", "field.bound"});
  if (!config().bounds) GTEST_SKIP() << "no bounds in this build";
  Transfer t = Copy(kReadBase, 10);
  t.start[0] = -3;
  t.bound[0] = 0x80000000;
  Run(Reads({t}));
}

TEST_P(Bus, NoDeadlockWithAMemoryThatServesOneAtATime) {
  Proves({"deadlock.one-at-a-time"});
  for (auto service : {AxiMemoryOptions::Service::kOneQueued, AxiMemoryOptions::Service::kOneStrict,
                       AxiMemoryOptions::Service::kOneBuffered}) {
    Case value = Reads({Copy(kReadBase + 3, 5000), Copy(kReadBase, 700)});
    if (NeedsStream()) {
      value.writes = {Copy(kWriteBase + 5, 5000), Copy(kWriteBase + 0x8000, 700)};
      value.stream = {{5700, PieceEnd::kLast}};
    }
    value.memory.service = service;
    Run(value);
  }
}

TEST_P(Bus, EveryOrderOfAddressAndData) {
  Proves({"write.address-and-data"});
  if (!NeedsStream()) GTEST_SKIP() << "its stream is inside";
  for (auto order :
       {AxiMemoryOptions::WriteOrder::kFree, AxiMemoryOptions::WriteOrder::kAddressFirst,
        AxiMemoryOptions::WriteOrder::kDataFirst, AxiMemoryOptions::WriteOrder::kAllDataFirst}) {
    Case value = Writes({Copy(kWriteBase + 5, 1000), OnLast(Copy(kWriteBase + 0x8000, 700))},
                        {{1000, PieceEnd::kLast}, {650, PieceEnd::kLast}});
    value.memory.write_order = order;
    Run(value);
    value.source = PacerSpec::Parse("p=0.2");
    Run(value);
  }
}

}  // namespace
}  // namespace tessera
