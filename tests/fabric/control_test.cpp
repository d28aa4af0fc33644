// Pause, drain, abort and reset of one channel, and rest before a reset of everything.
#include <fmt/format.h>

#include "tests/fabric/fixture.h"

namespace tessera {
namespace {

class Control : public FabricTest {
 protected:
  static constexpr Direction kBoth[] = {Direction::kRead, Direction::kWrite};
  void SetUp() override {
    if (!config().control) GTEST_SKIP() << "no control in this build";
  }
  // Work for all, on a memory of 20 cycles, up to a cycle.
  void RunTo(uint64_t cycle, uint64_t count = 8) {
    FabricBenchOptions options;
    options.memory = AxiMemoryOptions::Latency(20);
    MakeBench(options);
    for (int k = 0; k < config().reads; ++k) Reads(k, count, 1500);
    for (int k = 0; k < config().writes; ++k) Writes(k, count, 1500);
    while (bench_->cycle() < cycle) bench_->Step();
  }
  void FinishOthers() {
    for (int k = 1; k < config().channels(); ++k) {
      StepUntil("that the others finish", 100000,
                [&] { return Finished(k, Direction::kRead) && Finished(k, Direction::kWrite); });
      if (HasFatalFailure()) return;
    }
  }
  // Cycles of the last record of each channel but 0 when nothing happens.
  std::vector<uint64_t> Undisturbed() {
    RunTo(0);
    FinishOthers();
    std::vector<uint64_t> cycles;
    for (int k = 0; k < config().channels(); ++k) cycles.push_back(LastRecord(k));
    return cycles;
  }
  // Whose burst is the last is chance.
  void NotSlower(const std::vector<uint64_t>& before) {
    const auto slack = static_cast<uint64_t>(2 * config().channel.max_burst);
    for (int k = 1; k < config().channels(); ++k)
      EXPECT_LE(LastRecord(k), before[static_cast<size_t>(k)] + slack) << "channel " << k;
  }
  // Both directions of channel 0 have the port's address pins for themselves or show nothing.
  bool Asks(int k) {
    const PairPorts& pins = bench_->fabric().channel(k);
    return pins.axi.ar.valid || pins.axi.aw.valid;
  }
  const std::vector<uint64_t> kCycles{8, 23, 30, 41, 61, 77, 100, 140, 177, 333};
};
TESSERA_EVERY_FABRIC(Control);

TEST_P(Control, APausedChannelAsksForNothingAndGoesOn) {
  Proves({"control.pause"});
  const std::vector<uint64_t> before = Undisturbed();
  for (const uint64_t cycle : kCycles) {
    SCOPED_TRACE(cycle);
    RunTo(cycle);
    for (const Direction d : kBoth) control(0, d).pause = true;
    StepUntil("that the channel is paused", 3000,
              [&] { return state(0, kBoth[0]).paused && state(0, kBoth[1]).paused; });
    if (HasFatalFailure()) return;
    for (int n = 0; n < 300; ++n) {
      bench_->Step();
      EXPECT_FALSE(!config().one_id && Asks(0));
      EXPECT_TRUE(state(0, kBoth[0]).paused && state(0, kBoth[1]).paused);
    }
    FinishOthers();
    if (HasFatalFailure()) return;
    NotSlower(before);
    EXPECT_FALSE(Finished(0, Direction::kRead));
    for (const Direction d : kBoth) control(0, d).pause = false;
    RunAndCompare();
    if (HasFatalFailure()) return;
  }
}

TEST_P(Control, ADrainedChannelEndsWhatItHasAndTakesNoMore) {
  Proves({"control.drain"});
  const std::vector<uint64_t> before = Undisturbed();
  int held_back = 0;  // a late drain may find that all has been accepted
  for (const uint64_t cycle : kCycles) {
    SCOPED_TRACE(cycle);
    RunTo(cycle);
    for (const Direction d : kBoth) control(0, d).drain = true;
    for (int n = 0; n < 2; ++n) bench_->Step();  // what is taken in this cycle is not idle yet
    StepUntil("that the channel is idle", 20000,
              [&] { return state(0, kBoth[0]).idle && state(0, kBoth[1]).idle; });
    if (HasFatalFailure()) return;
    for (const Direction d : kBoth) {
      const JobFeeder& feeder = bench_->feeder(0, d);
      const uint64_t accepted = feeder.accepted();
      for (int n = 0; n < 200; ++n) bench_->Step();
      EXPECT_EQ(feeder.accepted(), accepted);
      EXPECT_EQ(feeder.running(), 0U);
      if (!feeder.Finished()) ++held_back;
      for (uint64_t n = 0; n < accepted; ++n) EXPECT_EQ(feeder.jobs()[n].record.bytes, 1500U);
    }
    FinishOthers();
    if (HasFatalFailure()) return;
    NotSlower(before);
    for (const Direction d : kBoth) control(0, d).drain = false;
    RunAndCompare();
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(held_back, 0);
}

TEST_P(Control, AResetChannelLeavesTheOthersAloneAndWorksAgain) {
  Proves({"control.reset", "fabric.isolation"});
  const std::vector<uint64_t> before = Undisturbed();
  for (const Direction d : kBoth) {
    for (const uint64_t cycle : kCycles) {
      SCOPED_TRACE(cycle);
      RunTo(cycle);
      bench_->RequestAbort(0, d);  // and a reset on top of it, a cycle later
      bench_->Step();
      Reset(0, d, false, 4000);
      if (HasFatalFailure()) return;
      // What was not yet accepted runs now, on bytes of no matter.
      if (d == Direction::kWrite)
        bench_->source(0).Push(std::vector<uint8_t>(size_t{8} * 1500), PieceEnd::kLast);
      FinishOthers();
      if (HasFatalFailure()) return;
      NotSlower(before);
      StepUntil("that the channel has nothing left", 60000, [&] { return Finished(0, d); });
      if (HasFatalFailure()) return;
      Reset(0, d, false, 4000);
      WorksAgain(0, d, 700);
      if (HasFatalFailure()) return;
      Compare(0);
      if (HasFatalFailure()) return;
    }
  }
}

// A stream that takes nothing, one that gives nothing, and records that nobody takes.
TEST_P(Control, AResetNeedsNeitherStreamNorRecords) {
  Proves({"control.reset"});
  if (config().room_beats == 0) GTEST_SKIP() << "read data wait on R in this build";
  FabricBenchOptions options;
  options.channels.resize(static_cast<size_t>(config().channels()));
  options.channels[0].sink.pacer = PacerSpec::List({1, 1, 1, 0, 0, 0, 0, 0, 0, 0});
  options.channels[0].read.take = PacerSpec::Never();
  options.channels[0].write.take = PacerSpec::Never();
  MakeBench(options);
  Reads(0, 3, 3000);
  AddWrite(0, Copy(WriteBase(0), 4096));
  bench_->source(0).Push(std::vector<uint8_t>(5 * bus() + 1), PieceEnd::kOpen);
  for (int n = 0; n < 400; ++n) bench_->Step();
  for (const Direction d : kBoth) {
    Reset(0, d, false, static_cast<uint64_t>(config().silence) + 2000);
    if (HasFatalFailure()) return;
  }
}

// What an abort has to end on the bus goes out although the channel is paused.
TEST_P(Control, AnAbortGoesBeforeAPause) {
  Proves({"control.pause", "fabric.abort"});
  for (const Direction d : kBoth) {
    for (uint64_t cycle = 8; cycle < 60; ++cycle) {
      SCOPED_TRACE(fmt::format("{} cycle {}", NameOf(d), cycle));
      FabricBenchOptions options;
      options.memory = AxiMemoryOptions::Latency(6);
      MakeBench(options);
      d == Direction::kRead ? Reads(0, 2, 40 * bus()) : Writes(0, 2, 40 * bus());
      while (bench_->cycle() < cycle) bench_->Step();
      control(0, d).pause = true;
      for (int n = 0; n < 100; ++n) bench_->Step();
      bench_->AllowClosing(0);
      bench_->RequestAbort(0, d);
      StepUntil("that the abort ends", 1000, [&] { return bench_->feeder(0, d).aborts() == 1; });
      if (HasFatalFailure()) return;
    }
  }
}

// While a record with an error waits, answers of later bursts wait too. A reset forgets them.
TEST_P(Control, AResetForgetsAnswersThatWait) {
  Proves({"control.reset"});
  const uint64_t most = static_cast<uint64_t>(config().silence) + 2000;
  FabricBenchOptions options;
  options.channels.resize(static_cast<size_t>(config().channels()));
  std::vector<uint8_t> late(most + 1000, 0);
  late.insert(late.end(), 100000, 1);
  options.channels[0].write.take = PacerSpec::List(late);
  options.memory.errors.push_back(ErrorRule::Range(WriteBase(0), WriteBase(0), kSlvErr));
  MakeBench(options);
  Writes(0, 6, 4 * bus());
  for (int n = 0; n < 400; ++n) bench_->Step();
  Reset(0, Direction::kWrite, false, most);
  if (HasFatalFailure()) return;
  bench_->source(0).DiscardUnsent();
  bench_->source(0).Push(std::vector<uint8_t>(30 * bus()), PieceEnd::kLast);
  StepUntil("that all is done", 2 * most, [&] { return Finished(0, Direction::kWrite); });
  if (HasFatalFailure()) return;
  Reset(0, Direction::kWrite, false, most);
  WorksAgain(0, Direction::kWrite, 700);
}

TEST_P(Control, ARecordCanStopTheChannel) {
  Proves({"control.stop-on"});
  FabricBenchOptions options;
  options.channels.resize(static_cast<size_t>(config().channels()));
  options.channels[0].source.shape.sparse = 1.0;
  MakeBench(options);
  control(0, Direction::kWrite).stop_on = rtl::Status::kSparseKeep;
  for (int n = 0; n < 12; ++n) {
    AddWrite(0, Copy(WriteBase(0) + 0x1000U * static_cast<uint64_t>(n), 200));
    Feed(0, 200);
  }
  StepUntil("that the channel is at fault", 4000,
            [&] { return state(0, Direction::kWrite).faulted; });
  if (HasFatalFailure()) return;
  EXPECT_EQ(state(0, Direction::kWrite).cause, rtl::Fault::kRecord);
  EXPECT_TRUE(state(0, Direction::kWrite).named);
  const uint16_t number = state(0, Direction::kWrite).transfer;
  StepUntil("that the channel is idle", 4000, [&] { return state(0, Direction::kWrite).idle; });
  const JobFeeder& feeder = bench_->feeder(0, Direction::kWrite);
  EXPECT_EQ(feeder.jobs()[number].record.status, rtl::Status::kSparseKeep);
  for (uint16_t n = 0; n < number; ++n) EXPECT_EQ(feeder.jobs()[n].record.status, 0);
  EXPECT_FALSE(feeder.Finished());
}

TEST_P(Control, EverythingComesToRestAndWorksOn) {
  Proves({"control.quiesce"});
  for (const uint64_t cycle : kCycles) {
    SCOPED_TRACE(cycle);
    RunTo(cycle);
    Fabric& fabric = bench_->fabric();
    EXPECT_FALSE(fabric.quiet);
    for (int k = 0; k < config().channels(); ++k) bench_->AllowClosing(k);
    fabric.quiesce = true;
    StepUntil("that the bus is quiet", 2000, [&] { return fabric.quiet; });
    if (HasFatalFailure()) return;
    for (int n = 0; n < 300; ++n) {
      bench_->Step();
      ASSERT_TRUE(fabric.quiet);
      ASSERT_FALSE(fabric.timed_out);
      for (int p = 0; p < config().ports; ++p) {
        const AxiPort& bus = fabric.port(p);
        ASSERT_FALSE(bus.ar.valid || bus.aw.valid || bus.w.valid);
        ASSERT_FALSE(bus.r.valid || bus.b.valid);
      }
    }
    fabric.quiesce = false;
    for (int n = 0; n < 20; ++n) bench_->Step();
    EXPECT_FALSE(fabric.quiet);
    for (int k = 0; k < config().channels(); ++k) {
      for (const Direction d : kBoth) {
        if (k >= (d == Direction::kRead ? config().reads : config().writes)) continue;
        control(k, d).drain = true;  // what waits is for another time
        Reset(k, d, false, 4000);
        if (HasFatalFailure()) return;
        for (const JobResult& job : bench_->feeder(k, d).jobs()) {
          if (job.state != JobResult::State::kDone) continue;
          EXPECT_EQ(job.record.status & ~rtl::Status::kAborted, 0);
        }
      }
    }
  }
}

TEST_P(Control, AStuckMemoryIsTold) {
  Proves({"control.quiesce-timeout"});
  using Memory = AxiMemoryOptions;
  for (PacerSpec Memory::*const stuck :
       {&Memory::ar, &Memory::r, &Memory::aw, &Memory::w, &Memory::b}) {
    FabricBenchOptions options;
    options.memory.*stuck = PacerSpec::Never();
    MakeBench(options);
    const bool reads = stuck == &Memory::ar || stuck == &Memory::r;
    for (int k = 0; k < (reads ? config().reads : config().writes); ++k) {
      reads ? Reads(k, 2, 500) : Writes(k, 2, 500);
    }
    for (int n = 0; n < 60; ++n) bench_->Step();
    for (int k = 0; k < config().channels(); ++k) {
      bench_->AllowClosing(k);
      bench_->Excuse(k);  // guards end what the memory does not
    }
    Fabric& fabric = bench_->fabric();
    fabric.quiesce = true;
    // What guards end makes room for addresses that wait, and these still move.
    StepUntil("that it is told", 2 * static_cast<uint64_t>(config().silence) + 100,
              [&] { return fabric.timed_out; });
    if (HasFatalFailure()) return;
    EXPECT_FALSE(fabric.quiet);
    EXPECT_GE(bench_->cycle(), static_cast<uint64_t>(config().silence));
  }
}

// As long as something moves, however slowly, nothing is stuck: what is under way lasts longer than
// the time-out.
TEST_P(Control, ASlowMemoryIsNotStuck) {
  Proves({"control.quiesce-timeout"});
  const auto silence = static_cast<uint64_t>(config().silence);
  for (const Direction d : kBoth) {
    FabricBenchOptions options;
    // Data, or answers, that are far from each other.
    std::vector<uint8_t> slow(silence / (d == Direction::kRead ? 10 : 2), 0);
    slow.back() = 1;
    (d == Direction::kRead ? options.memory.r : options.memory.b) = PacerSpec::List(slow);
    MakeBench(options);
    // One channel: who gets nothing for so long has a fault.
    d == Direction::kRead ? Reads(0, 4, 40 * bus()) : Writes(0, 6, bus());
    for (int n = 0; n < 60; ++n) bench_->Step();
    bench_->AllowClosing(0);
    Fabric& fabric = bench_->fabric();
    const uint64_t from = bench_->cycle();
    fabric.quiesce = true;
    StepUntil("that the bus is quiet", 400 * silence,
              [&] { return fabric.quiet || fabric.timed_out; });
    if (HasFatalFailure()) return;
    EXPECT_FALSE(fabric.timed_out) << NameOf(d);
    EXPECT_GT(bench_->cycle() - from, silence) << NameOf(d);
  }
}

}  // namespace
}  // namespace tessera
