// EngineBench against the fake engine: data, events, faults, aborts, resets, replay, waveforms.
#include "tb/run/bench.h"

#include <gtest/gtest.h>

#include <memory>
#include <numeric>

#include "tb/run/wave.h"
#include "tests/bus/fake_dut.h"

namespace tessera {
namespace {

using Failure = BenchResult::Failure;
using Fault = FakeDut::Fault;

EngineTransfer Copy(uint64_t addr, uint32_t bytes) {
  EngineTransfer t;
  t.base[0] = static_cast<uint32_t>(addr);
  t.base[2] = bytes;
  t.base[3] = t.base[4] = t.base[5] = 1;
  t.base[6] = 1;  // stride
  t.task_end = true;
  return t;
}

std::vector<uint8_t> Ramp(size_t count, uint8_t first = 0) {
  std::vector<uint8_t> bytes(count);
  std::iota(bytes.begin(), bytes.end(), first);
  return bytes;
}

std::unique_ptr<EngineBench> MakeBench(const BenchOptions& options, Fault fault = Fault::kNone,
                                       int bytes = 8) {
  return std::make_unique<EngineBench>(std::make_unique<FakeDut>(bytes, fault), options);
}

BenchOptions RandomOptions(uint64_t seed) {
  Rng rng(seed);
  BenchOptions options;
  options.seed = seed;
  options.memory = AxiMemoryOptions::Random(rng);
  options.source.pacer = PacerSpec::Random(rng);
  options.sink.pacer = PacerSpec::Random(rng);
  options.source.shape = {0.2, 0.2, 0.1};
  return options;
}

TEST(Bench, ReadsWhatMemoryHolds) {
  BenchOptions options;
  auto bench = MakeBench(options);
  bench->AddRead(Copy(0x1003, 21));
  bench->AddRead(Copy(0x2000, 8));
  const std::vector<uint8_t> first = bench->memory().ReadBytes(0x1003, 21);
  const BenchResult result = bench->Run();
  ASSERT_TRUE(result.passed()) << result.message;
  ASSERT_EQ(bench->sink().bytes().size(), 29U);
  EXPECT_TRUE(std::equal(first.begin(), first.end(), bench->sink().bytes().begin()));
  EXPECT_EQ(bench->sink().packets_taken(), 2U);
  EXPECT_EQ(bench->reads()[0].record.bytes, 21U);
  EXPECT_TRUE(bench->reads()[0].record.last);
  EXPECT_EQ(bench->reads()[1].state, JobResult::State::kDone);
  EXPECT_GT(result.handshakes, 10U);
}

TEST(Bench, WritesExactlyTheAddressedBytes) {
  auto bench = MakeBench({});
  bench->AddWrite(Copy(0x1003, 21));
  bench->source().Push(Ramp(21, 7), PieceEnd::kLast);
  const Memory before = bench->memory();
  const BenchResult result = bench->Run();
  ASSERT_TRUE(result.passed()) << result.message;
  EXPECT_EQ(bench->memory().ReadBytes(0x1003, 21), Ramp(21, 7));
  const std::vector<AddressRange> written = {{0x1003, 0x1017}};
  EXPECT_EQ(bench->memory().TouchedRanges(), written);
  EXPECT_TRUE(bench->memory().TouchedOutside(written).empty());
  EXPECT_EQ(bench->memory().Differences(before, 100).front().addr, 0x1003U);
  EXPECT_EQ(bench->w_cycles().size(), 0U);
}

TEST(Bench, RandomSurroundingsChangeNothing) {
  for (uint64_t seed = 1; seed <= 150; ++seed) {
    auto bench = MakeBench(RandomOptions(seed), Fault::kNone, seed % 2 != 0 ? 8 : 32);
    EngineTransfer tile = Copy(0x3005, 5);
    tile.base[3] = 4;
    tile.base[7] = 64;
    bench->AddRead(tile);
    bench->AddRead(Copy(0x7000, 40));
    bench->AddWrite(Copy(0x9001, 33));
    bench->AddWrite(Copy(0xa001, 17));
    bench->source().Push(Ramp(50), PieceEnd::kNullLast);
    std::vector<uint8_t> expected;
    for (uint64_t row = 0; row < 4; ++row) {
      for (uint64_t i = 0; i < 5; ++i)
        expected.push_back(bench->memory().ReadByte(0x3005 + 64 * row + i));
    }
    for (uint64_t i = 0; i < 40; ++i) expected.push_back(bench->memory().ReadByte(0x7000 + i));
    const BenchResult result = bench->Run();
    ASSERT_TRUE(result.passed()) << result.message << bench->options().memory.ToString();
    ASSERT_EQ(bench->sink().bytes(), expected) << seed;
    ASSERT_EQ(bench->memory().ReadBytes(0x9001, 33), Ramp(33)) << seed;
    ASSERT_EQ(bench->memory().ReadBytes(0xa001, 17), Ramp(17, 33)) << seed;
    ASSERT_EQ(bench->memory().TouchedBytes(), 50U) << seed;
  }
}

TEST(Bench, ComponentOrderDoesNotMatter) {
  uint64_t cycles[2];
  for (const bool shuffle : {false, true}) {
    for (uint64_t seed = 1; seed <= 20; ++seed) {
      BenchOptions options = RandomOptions(seed);
      options.shuffle = shuffle;
      auto bench = MakeBench(options);
      bench->AddRead(Copy(0x10, 100));
      bench->AddWrite(Copy(0x4000, 100));
      bench->source().Push(Ramp(100), PieceEnd::kLast);
      const BenchResult result = bench->Run();
      ASSERT_TRUE(result.passed()) << result.message;
      cycles[shuffle] = (seed == 1 ? 0 : cycles[shuffle] * 31) + result.cycles;
    }
  }
  EXPECT_EQ(cycles[0], cycles[1]);
}

TEST(Bench, SameSeedSameRun) {
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    std::vector<uint64_t> cycles;
    for (int run = 0; run < 2; ++run) {
      auto bench = MakeBench(RandomOptions(seed));
      bench->AddRead(Copy(0x77, 300));
      ASSERT_TRUE(bench->Run().passed());
      for (const StreamBeat& beat : bench->sink().beats()) cycles.push_back(beat.cycle);
    }
    ASSERT_EQ(cycles.size() % 2, 0U);
    EXPECT_TRUE(std::equal(cycles.begin(),
                           cycles.begin() + static_cast<std::ptrdiff_t>(cycles.size() / 2),
                           cycles.begin() + static_cast<std::ptrdiff_t>(cycles.size() / 2)));
  }
}

TEST(Bench, StampsEventsOfEachJob) {
  BenchOptions options;
  options.read.one_by_one = options.write.one_by_one = true;
  options.memory = AxiMemoryOptions::Latency(7);
  auto bench = MakeBench(options);
  for (int i = 0; i < 3; ++i) {
    bench->AddRead(Copy(0x100, 8));
    bench->AddWrite(Copy(0x200, 8));
    bench->source().Push(Ramp(8), PieceEnd::kLast);
  }
  ASSERT_TRUE(bench->Run().passed());
  for (const JobResult& job : bench->reads()) {
    EXPECT_EQ(job.stamps.accepted, job.accepted);
    EXPECT_EQ(job.stamps.address, job.accepted + 1);
    EXPECT_EQ(job.stamps.r_valid, job.stamps.address + 7);
    EXPECT_EQ(job.stamps.t_valid, job.stamps.r_valid + 1);
    EXPECT_EQ(job.stamps.done_valid, job.stamps.t_valid + 1);
    EXPECT_EQ(job.done, job.stamps.done_valid);
  }
  for (const JobResult& job : bench->writes()) {
    EXPECT_GE(job.stamps.t_valid, job.accepted);
    EXPECT_EQ(job.stamps.w_valid, job.stamps.address);
    EXPECT_EQ(job.stamps.last_b, job.stamps.address + 7);
    EXPECT_EQ(job.stamps.done_valid, job.stamps.last_b + 1);
  }
}

TEST(Bench, FindsEachFault) {
  const struct {
    Fault fault;
    Failure failure;
    const char* says;
  } cases[] = {
      {Fault::kNoRecord, Failure::kTimeout, "nothing moved"},
      {Fault::kTwoRecords, Failure::kViolation, "engine.unasked"},
      {Fault::kCross4K, Failure::kViolation, "axi.length"},
      {Fault::kNeverIdle, Failure::kTimeout, "read engine busy"},
  };
  for (const auto& c : cases) {
    auto bench = MakeBench({}, c.fault);
    bench->AddRead(Copy(0xff8, 8));
    const BenchResult result = bench->Run();
    EXPECT_EQ(result.failure, c.failure) << result.message;
    EXPECT_NE(result.message.find(c.says), std::string::npos) << result.message;
    EXPECT_NE(result.message.find("seed 0x1"), std::string::npos) << result.message;
  }
}

TEST(Bench, SaysWhoWaitsForWhom) {
  BenchOptions options;
  options.sink.pacer = PacerSpec::Never();
  auto bench = MakeBench(options);
  bench->AddRead(Copy(0, 64));
  const BenchResult result = bench->Run();
  EXPECT_EQ(result.failure, Failure::kTimeout);
  EXPECT_NE(result.message.find("read engine waits for sink"), std::string::npos) << result.message;
  EXPECT_NE(result.message.find("counts 64 1 1 1"), std::string::npos) << result.message;
}

TEST(Bench, NothingToDoIsAFailure) { EXPECT_EQ(MakeBench({})->Run().failure, Failure::kNoWork); }

TEST(Bench, CycleLimitIsAFailure) {
  BenchOptions options;
  options.cycle_limit = 50;
  auto bench = MakeBench(options);
  bench->AddRead(Copy(0, 4096));
  EXPECT_EQ(bench->Run().failure, Failure::kCycleLimit);
}

TEST(Bench, AbortsUntilIdleAndGoesOn) {
  int runs_cut = 0;
  for (uint64_t cycle = 5; cycle < 80; ++cycle) {
    auto bench = MakeBench({});
    for (int i = 0; i < 3; ++i) {
      bench->AddRead(Copy(0x1000, 64));
      bench->AddWrite(Copy(0x2000, 64));
      bench->source().Push(Ramp(192), PieceEnd::kLast);
    }
    bench->AbortAt(Direction::kRead, cycle);
    bench->AbortAt(Direction::kWrite, cycle + 3);
    const BenchResult result = bench->Run();
    ASSERT_TRUE(result.passed()) << result.message;
    EXPECT_EQ(bench->feeder(Direction::kRead).aborts(), 1U);
    int aborted = 0;
    for (const JobResult& job : bench->reads()) {
      ASSERT_EQ(job.state, JobResult::State::kDone);
      aborted += (job.record.status & rtl::Status::kAborted) != 0 ? 1 : 0;
    }
    ASSERT_LE(aborted, 1) << cycle;
    runs_cut += aborted;
  }
  EXPECT_GT(runs_cut, 65);  // the others were aborted between two transfers
}

TEST(Bench, ResetLosesWhatRanAndGoesOn) {
  int runs_cut = 0;
  for (uint64_t cycle = 5; cycle < 60; ++cycle) {
    auto bench = MakeBench({});
    for (int i = 0; i < 3; ++i) bench->AddRead(Copy(0x1000, 64));
    bench->ResetAt(cycle, 3);
    const BenchResult result = bench->Run();
    ASSERT_TRUE(result.passed()) << result.message;
    int lost = 0;
    for (const JobResult& job : bench->reads())
      lost += job.state == JobResult::State::kLost ? 1 : 0;
    ASSERT_LE(lost, 2);  // one that ran, one that was offered
    EXPECT_EQ(bench->resets(), 1U);
    runs_cut += lost;
  }
  EXPECT_GT(runs_cut, 48);  // the others were reset between two transfers
}

TEST(Bench, ErrorsReachTheRecordAndTheLog) {
  BenchOptions options;
  options.memory.errors = {ErrorRule::Range(0x1010, 0x1017, kDecErr)};
  auto bench = MakeBench(options);
  bench->AddRead(Copy(0x1000, 64));
  ASSERT_TRUE(bench->Run().passed());
  EXPECT_EQ(bench->reads()[0].record.status, rtl::Status::kDecerr);
  EXPECT_EQ(bench->reads()[0].record.addr, 0x1010U);
  ASSERT_EQ(bench->axi_memory().errors().size(), 1U);
  EXPECT_EQ(bench->axi_memory().errors()[0].beat_addr, 0x1010U);
}

TEST(Bench, HooksSeeEveryCycleAndMayAct) {
  class Late : public EngineBench::Hook {
   public:
    void OnCycle(EngineBench& bench, const Tick& tick) override {
      ++cycles;
      if (tick.cycle == 30) {
        bench.AddWrite(Copy(0x40, 5));
        bench.source().Push(Ramp(5), PieceEnd::kLast);
      }
    }
    uint64_t cycles = 0;
  } hook;
  auto bench = MakeBench({});
  bench->AddRead(Copy(0, 8));
  bench->AddHook(&hook);
  const BenchResult result = bench->Run();
  ASSERT_TRUE(result.passed()) << result.message;
  EXPECT_EQ(hook.cycles, result.cycles);
  EXPECT_EQ(bench->memory().ReadBytes(0x40, 5), Ramp(5));
}

TEST(Bench, RerunsWithAWaveformOfTheWindow) {
  std::vector<std::string>* traces = nullptr;
  std::vector<std::string> seen;
  class Recording : public FakeDut {
   public:
    explicit Recording(std::vector<std::string>* to) : FakeDut(8, Fault::kTwoRecords), to_(to) {}
    void Trace(const std::string& path) override { to_->push_back(path); }

   private:
    std::vector<std::string>* to_;
  };
  traces = &seen;
  const BenchFactory make = [traces] {
    auto bench = std::make_unique<EngineBench>(std::make_unique<Recording>(traces), BenchOptions{});
    bench->AddRead(Copy(0, 200));
    return bench;
  };
  const BenchResult failed = make()->Run();
  ASSERT_EQ(failed.failure, Failure::kViolation);
  EXPECT_TRUE(seen.empty());
  const std::string line = RerunWithWaveform(make, failed, {"x.fst", 20, 5});
  EXPECT_NE(line.find("x.fst shows cycles"), std::string::npos) << line;
  EXPECT_NE(line.find("the failure is in cycle"), std::string::npos) << line;
  ASSERT_GE(seen.size(), 2U);
  EXPECT_EQ(seen.front(), "x.fst");
  EXPECT_EQ(seen.back(), "");
}

}  // namespace
}  // namespace tessera
