// Aborts in every cycle of a run, and resets: the bus stays legal, every transfer has its record,
// and the engine works again.
#include "tests/engine/fixture.h"

namespace tessera {
namespace {

class Abort : public EngineTest {
 protected:
  void SetUp() override {
    if (!NeedsStream()) GTEST_SKIP() << "an abort of one engine starves the other";
  }
  static constexpr uint64_t kFirst = 5;
};
TESSERA_EVERY_CONFIG(Abort);

TEST_P(Abort, ReadInEveryCycle) {
  Proves({"abort.read", "abort.works-again"});
  for (LastRule rule : {LastRule::kTransfer, LastRule::kNever, LastRule::kTask, LastRule::kLevel}) {
    std::vector<Transfer> chain{Copy(kReadBase + 1, 30), Copy(kReadBase + 0x40, 3),
                                Copy(kReadBase, 50)};
    for (Transfer& t : chain) {
      t.last_rule = rule;
      t.join_next = rule == LastRule::kTask;
    }
    chain.back().task_end = true;
    const uint64_t cycles = Run(Reads(chain)).cycles;
    for (uint64_t cycle = kFirst; cycle < cycles; ++cycle) {
      Case value = Reads(chain);
      value.abort_read = {cycle};
      Run(value);
      if (HasFailure()) return;
    }
  }
}

TEST_P(Abort, ReadUnderBackPressure) {
  Proves({"abort.read"});
  for (uint64_t cycle = kFirst; cycle < 150; cycle += 3) {
    Case value =
        Reads({Copy(kReadBase + 1, 300), Copy(kReadBase + 0x400, 300), Copy(kReadBase, 5)});
    value.abort_read = {cycle};
    value.memory = AxiMemoryOptions::Latency(20);
    value.memory.ar = PacerSpec::Parse("p=0.3");
    value.sink = PacerSpec::Parse("p=0.3");
    Run(value);
    if (HasFailure()) return;
  }
}

// Of a transfer with packets and one without, the one that is cut decides whether a null beat
// comes. The first may end in the middle of a word, with a beat of its own for the rest of it, and
// its packet may go on.
TEST_P(Abort, ReadClosesThePacketOfTheTransferAtHand) {
  Proves({"abort.read"});
  for (const bool with_rest : {false, true}) {
    for (const LastRule first : {LastRule::kNever, LastRule::kTransfer, LastRule::kTask}) {
      const uint32_t beat = static_cast<uint32_t>(stream());
      std::vector<Transfer> chain{
          with_rest ? Copy(kReadBase + 1, beat + 3) : Copy(kReadBase, beat),
          Copy(kReadBase + 0x1000, beat)};  // a beat a row, each a burst of its own
      chain[1].count[1] = 4;
      chain[1].stride[1] = 0x200;
      chain[0].last_rule = first;
      chain[1].last_rule = first == LastRule::kNever ? LastRule::kTransfer : LastRule::kNever;
      Case whole = Reads(chain);
      whole.memory.r = PacerSpec::Parse("p=0.15");
      const uint64_t cycles = Run(whole).cycles;
      for (uint64_t cycle = kFirst; cycle < cycles; ++cycle) {
        Case value = whole;
        value.abort_read = {cycle};
        Run(value);
        if (HasFailure()) return;
      }
    }
  }
}

// What has not become a beat when an abort begins never does: a sink that takes every beat sees
// none with bytes from the second cycle after it on, but for two whose width is being changed.
TEST_P(Abort, ReadMakesNoMoreBeats) {
  Proves({"abort.read"});
  struct Hook : EngineBench::Hook {
    void OnCycle(EngineBench& bench, const Tick& tick) override {
      const PairPorts& pins = bench.dut();
      if (tick.reset || !pins.read.abort) return;
      if (since == kNever) since = tick.cycle;
      if (pins.m_axis.valid && pins.m_axis->keep[0] && tick.cycle > since + 1) ++late;
    }
    uint64_t since = kNever, late = 0;
  };
  const int changed = bus() == stream() ? 0 : 2 * std::max(1, bus() / stream());
  const std::vector<Transfer> chain{Copy(kReadBase + 1, 60), Copy(kReadBase + 0x100, 60)};
  const uint64_t cycles = Run(Reads(chain)).cycles;
  for (uint64_t cycle = kFirst; cycle < cycles; ++cycle) {
    Case value = Reads(chain);
    value.abort_read = {cycle};
    Hook hook;
    Run(value, &hook);
    EXPECT_LE(hook.late, static_cast<uint64_t>(changed)) << "abort in cycle " << cycle;
    if (HasFailure()) return;
  }
}

TEST_P(Abort, WriteInEveryCycle) {
  Proves({"abort.write", "abort.works-again"});
  for (bool on_last : {false, true}) {
    std::vector<Transfer> chain{Copy(kWriteBase + 1, 30), Copy(kWriteBase + 0x40, 3),
                                Copy(kWriteBase + 0x80, 50)};
    if (on_last) {
      for (Transfer& t : chain) t = OnLast(t);
    }
    const Case whole =
        Writes(chain, {{30, PieceEnd::kLast}, {3, PieceEnd::kLast}, {50, PieceEnd::kLast}});
    const uint64_t cycles = Run(whole).cycles;
    for (uint64_t cycle = kFirst; cycle < cycles; ++cycle) {
      Case value = whole;
      value.abort_write = {cycle};
      ASSERT_TRUE(Repair(&value, config()));  // feeds what comes after
      Run(value);
      if (HasFailure()) return;
    }
  }
}

// A burst that was begun is ended with what came of it, the word that is open included.
TEST_P(Abort, WritesWhatItTookOfABurstThatWasBegun) {
  Proves({"abort.write"});
  if (config().max_burst < 4) GTEST_SKIP() << "bursts of one beat";
  const uint32_t bytes = static_cast<uint32_t>(4 * bus() - 1);
  const uint32_t piece = static_cast<uint32_t>(std::min(3, stream()));
  std::vector<StreamPiece> pieces(bytes / piece, {piece, PieceEnd::kBeat});
  pieces.push_back({bytes % piece + piece, PieceEnd::kLast});
  Case value = Writes({Copy(kWriteBase + 1, bytes)}, pieces);
  value.source = PacerSpec::Parse("p=0.4");
  const std::vector<uint8_t> sent = StreamBytes(value);
  const uint64_t cycles = Run(value).cycles;
  uint64_t in_a_word = 0;  // aborts that came where a word of the burst was open
  for (uint64_t cycle = kFirst; cycle < cycles; ++cycle) {
    value.abort_write = {cycle};
    const auto bench = MakeBench(value);
    const BenchResult result = bench->Run();
    EXPECT_TRUE(result.passed()) << "abort in cycle " << cycle << ": " << result.message;
    const uint64_t taken = bench->writes()[0].record.bytes;
    if (taken < static_cast<uint64_t>(bus())) continue;  // less than its first word
    if (taken < bytes && (taken + 1) % static_cast<uint64_t>(bus()) != 0) ++in_a_word;
    const std::vector<uint8_t> there = bench->memory().ReadBytes(kWriteBase + 1, taken);
    EXPECT_TRUE(std::equal(there.begin(), there.end(), sent.begin()))
        << "abort in cycle " << cycle << " after " << taken << " bytes";
    if (HasFailure()) return;
  }
  // A narrower stream gives whole words: an abort drops what waits for the rest of one.
  if (stream() >= bus()) {
    EXPECT_GT(in_a_word, 0u);
  }
}

// Records that nobody takes fill their queue: an abort gives those of the transfers behind as room
// comes.
TEST_P(Abort, WriteGivesARecordToEachOfManyTransfers) {
  Proves({"abort.write"});
  std::vector<Transfer> chain;
  for (uint64_t n = 0; n < 300; ++n) chain.push_back(Copy(kWriteBase + 16 * n, 1));
  for (uint64_t cycle = 100; cycle < 700; cycle += 60) {
    Case value = Writes(chain, std::vector<StreamPiece>(300, {1, PieceEnd::kLast}));
    value.abort_write = {cycle};
    value.write_take = PacerSpec::Parse("p=0.02");
    ASSERT_TRUE(Repair(&value, config()));
    Run(value);
    if (HasFailure()) return;
  }
}

TEST_P(Abort, WriteWithASlowStreamAndASlowBus) {
  Proves({"abort.write"});
  for (uint64_t cycle = kFirst; cycle < 150; cycle += 3) {
    Case value = Writes(
        {Copy(kWriteBase + 1, 300), OnLast(Copy(kWriteBase + 0x400, 300)), Copy(kWriteBase, 5)},
        {{300, PieceEnd::kLast}, {200, PieceEnd::kLast}, {5, PieceEnd::kLast}});
    value.abort_write = {cycle};
    value.source = PacerSpec::Parse("p=0.4");
    value.memory = AxiMemoryOptions::Latency(20);
    value.memory.aw = PacerSpec::Parse("p=0.3");
    value.memory.w = PacerSpec::Parse("p=0.3");
    ASSERT_TRUE(Repair(&value, config()));
    Run(value);
    if (HasFailure()) return;
  }
}

TEST_P(Abort, OfAnIdleEngineDoesNothing) {
  Proves({"abort.idle"});
  Case value = Reads({Copy(kReadBase, 5)});
  value.writes = {Copy(kWriteBase, 5)};
  value.stream = {{5, PieceEnd::kLast}};
  value.abort_read = value.abort_write = {6};
  value.read_offer = value.write_offer = PacerSpec::Parse("list=000000000000000000000000000001");
  Run(value);
}

// What is held of a joined transfer goes with an abort at which nothing is owed: the transfer after
// it is aborted too, and has what it sent.
TEST_P(Abort, WhatWasHeldBeforeAnAbortDoesNotCountAtTheNext) {
  Proves({"abort.read", "abort.works-again"});
  if (stream() == 1) GTEST_SKIP() << "a beat of one byte is never held";
  Transfer joined = Copy(kReadBase + 1, static_cast<uint32_t>(stream() - 1));
  Transfer next = Copy(kReadBase + 0x1000, static_cast<uint32_t>(40 * stream()));
  joined.join_next = true;
  next.task_end = true;
  joined.last_rule = next.last_rule = LastRule::kTask;
  for (uint64_t second = 62; second < 110; ++second) {
    Case value = Reads({joined, next});
    value.sink = PacerSpec::Parse("p=0.5");
    value.read_offer = PacerSpec::Parse("list=000001" + std::string(54, '0') + "1111111111");
    value.abort_read = {40, second};
    Run(value);
  }
}

TEST_P(Abort, ResetInTheMiddleLosesWhatRanAndNothingElse) {
  Proves({"reset.middle"});
  for (uint64_t cycle = 10; cycle < 60; cycle += 7) {
    Case value = Reads({Copy(kReadBase + 1, 100), Copy(kReadBase + 0x100, 200)});
    value.writes = {Copy(kWriteBase + 1, 100), Copy(kWriteBase + 0x100, 100)};
    value.stream = {{4000, PieceEnd::kLast}};
    const auto bench = MakeBench(value);
    bench->ResetAt(cycle, 3);
    struct Hook : EngineBench::Hook {  // after the reset both engines get one more
      void OnCycle(EngineBench& bench, const Tick& tick) override {
        if (bench.resets() == 0 || tick.reset || added) return;
        added = true;
        const model::Build build = BuildOf(bench.dut().config());
        bench.AddRead(Encode(Copy(kReadBase, 40), build));
        bench.AddWrite(Encode(Copy(kWriteBase, 40), build));
      }
      bool added = false;
    } hook;
    bench->AddHook(&hook);
    const BenchResult result = bench->Run();
    EXPECT_TRUE(result.passed()) << "reset in cycle " << cycle << ": " << result.message;
    for (const auto* jobs : {&bench->reads(), &bench->writes()}) {
      EXPECT_EQ(jobs->back().state, JobResult::State::kDone);
      EXPECT_EQ(jobs->back().record.bytes, 40u);
      EXPECT_EQ(jobs->back().record.status, 0);
    }
  }
}

}  // namespace
}  // namespace tessera
