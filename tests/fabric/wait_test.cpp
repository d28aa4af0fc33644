// What a guard counts as silence of the memory and what not, and what it tells of a fault.
#include "tests/fabric/fixture.h"

namespace tessera {
namespace {

using Fault = rtl::Fault;

class Waits : public FabricTest {
 protected:
  void SetUp() override {
    if (!config().guard) GTEST_SKIP() << "no guards in this build";
  }
  uint64_t Silence() const { return static_cast<uint64_t>(config().silence); }
  // Channels of a direction on a port, three at most.
  int Few(int channels) const { return std::min(channels / config().ports, 3); }
};
TESSERA_EVERY_FABRIC(Waits);

// A memory that takes an address now and then: who waits for others' turns does not wait for it.
TEST_P(Waits, AWaitForOthersIsNoSilenceOfTheMemory) {
  Proves({"fault.contained"});
  const int readers = Few(config().reads), writers = Few(config().writes);
  FabricBenchOptions options;
  std::vector<uint8_t> seldom(Silence() * 3 / 4, 0);
  seldom.back() = 1;
  options.memory.ar = options.memory.aw = PacerSpec::List(seldom);
  MakeBench(options);
  const uint64_t bytes = 6 * bus() * static_cast<uint64_t>(config().channel.max_burst);
  for (int k = 0; k < readers; ++k) Reads(k, 1, bytes);
  for (int k = 0; k < writers; ++k) Writes(k, 1, bytes);
  StepUntil("that all finish", 24 * Silence(), [&] { return OthersFinished(-1); });
  if (HasFatalFailure()) return;
  for (const Direction d : {Direction::kRead, Direction::kWrite}) {
    for (int k = 0; k < (d == Direction::kRead ? readers : writers); ++k) {
      EXPECT_FALSE(state(k, d).faulted) << NameOf(d) << " " << k;
      EXPECT_EQ(bench_->feeder(k, d).jobs()[0].record.status, 0) << NameOf(d) << " " << k;
    }
  }
}

// Without room in the readers, one whose stream takes nothing keeps data of all on the bus.
TEST_P(Waits, AStreamThatHoldsUpOthersIsNoFaultOfTheirs) {
  Proves({"fault.contained"});
  if (config().room_beats != 0) GTEST_SKIP() << "read data never wait on R in this build";
  FabricBenchOptions options;
  options.channels.resize(static_cast<size_t>(config().channels()));
  options.channels[0].sink.pacer = PacerSpec::Never();
  MakeBench(options);
  for (int k = 0; k < 2; ++k) Reads(k, 2, 1500);
  bench_->Excuse(0);
  for (uint64_t n = 0; n < 2 * Silence(); ++n) bench_->Step();
  EXPECT_EQ(state(0, Direction::kRead).cause,
            config().stream_silence == 0 ? Fault::kNone : Fault::kStreamTime);
  EXPECT_FALSE(Finished(1, Direction::kRead));
  EXPECT_FALSE(state(1, Direction::kRead).faulted);
}

// The memory does not take an address: the channel ends with a fault, and its address still shows.
TEST_P(Waits, WhoseAddressShowsIsNotIdle) {
  Proves({"fault.named"});
  for (const Direction d : {Direction::kRead, Direction::kWrite}) {
    FabricBenchOptions options;
    const uint64_t late = 2 * Silence();
    std::vector<uint8_t> pace(late, 0);
    pace.insert(pace.end(), 100000, 1);
    options.memory.ar = options.memory.aw = PacerSpec::List(pace);
    MakeBench(options);
    bench_->Excuse(0);
    d == Direction::kRead ? Reads(0, 1, 2 * bus()) : Writes(0, 1, 2 * bus());
    StepUntil("that it is told", late, [&] { return state(0, d).faulted; });
    if (HasFatalFailure()) return;
    EXPECT_EQ(state(0, d).cause, Fault::kBusTime) << NameOf(d);
    const AxiPort& bus = bench_->fabric().port(0);
    while (d == Direction::kRead ? bus.ar.valid : bus.aw.valid) {
      EXPECT_FALSE(state(0, d).idle) << NameOf(d);
      if (HasFailure() || bench_->cycle() > 2 * late) return;
      bench_->Step();
    }
    EXPECT_GE(bench_->cycle(), late) << NameOf(d);
    StepUntil("that the channel is idle", 400, [&] { return state(0, d).idle; });
    if (HasFatalFailure()) return;
  }
}

// The record of an error that the memory gave before the fault comes after it.
TEST_P(Waits, AnErrorOfBeforeDoesNotNameAFault) {
  Proves({"fault.named"});
  for (const Direction d : {Direction::kRead, Direction::kWrite}) {
    FabricBenchOptions options;
    options.channels.resize(static_cast<size_t>(config().channels()));
    PairOptions& channel = options.channels[0];
    std::vector<uint8_t> taken(2 * Silence(), 0);
    taken.insert(taken.end(), 100000, 1);
    (d == Direction::kRead ? channel.read : channel.write).take = PacerSpec::List(taken);
    std::vector<uint8_t> answered(200, 1);
    answered.insert(answered.end(), 4 * Silence(), 0);
    options.memory.r = options.memory.b = PacerSpec::List(answered);
    const uint64_t base = d == Direction::kRead ? ReadBase(0) : WriteBase(0);
    options.memory.errors.push_back(ErrorRule::Range(base, base, kDecErr));
    MakeBench(options);
    bench_->Excuse(0);
    const uint64_t bytes = 2 * bus();
    d == Direction::kRead ? Reads(0, 1, bytes) : Writes(0, 1, bytes);
    while (bench_->cycle() < 210) bench_->Step();
    if (d == Direction::kRead) {
      AddRead(0, Copy(base + 0x100, bytes));
    } else {
      AddWrite(0, Copy(base + 0x100, bytes));
      Feed(0, bytes);
    }
    StepUntil("that it is told", 2 * Silence() - 210, [&] { return state(0, d).faulted; });
    if (HasFatalFailure()) return;
    EXPECT_EQ(state(0, d).cause, Fault::kBusTime) << NameOf(d);
    EXPECT_FALSE(state(0, d).named) << NameOf(d);
    StepUntil("that a record names it", 2 * Silence(), [&] { return state(0, d).named; });
    if (HasFatalFailure()) return;
    EXPECT_EQ(state(0, d).transfer, 1U) << NameOf(d);
    EXPECT_EQ(state(0, d).addr, base + 0x100) << NameOf(d);
    EXPECT_EQ(bench_->feeder(0, d).jobs()[0].record.status, rtl::Status::kDecerr) << NameOf(d);
  }
}

}  // namespace
}  // namespace tessera
