// Many channels on one port: data reach whom they belong to, nobody holds up another, whatever the
// memory does.
#include "tests/fabric/fixture.h"

namespace tessera {
namespace {

class Share : public FabricTest {};
TESSERA_EVERY_FABRIC(Share);

TEST_P(Share, EveryChannelGetsItsOwn) {
  Proves({"fabric.route"});
  MakeBench({});
  for (int k = 0; k < config().reads; ++k) Reads(k, 4, 700 + static_cast<uint64_t>(k));
  for (int k = 0; k < config().writes; ++k) Writes(k, 4, 900 + static_cast<uint64_t>(k));
  RunAndCompare();
}

TEST_P(Share, IdsMayBeAnsweredInAnyOrder) {
  Proves({"fabric.order"});
  if (config().one_id) GTEST_SKIP() << "one ID";
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    FabricBenchOptions options;
    options.seed = seed;
    options.memory = AxiMemoryOptions::Latency(3);
    options.memory.latency_max = 60;
    options.memory.reorder = true;
    MakeBench(options);
    for (int k = 0; k < config().reads; ++k) Reads(k, 12, 333);
    for (int k = 0; k < config().writes; ++k) Writes(k, 12, 333);
    RunAndCompare();
    if (HasFatalFailure()) return;
  }
}

TEST_P(Share, MemoriesOfEveryKind) {
  Proves({"fabric.route", "fabric.no-deadlock"});
  for (uint64_t seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng = Rng(seed).Stream("memories");
    FabricBenchOptions options;
    options.seed = seed;
    options.memory = AxiMemoryOptions::Random(rng);
    // One burst at a time for dozens of channels keeps some waiting longer than their guards do.
    if (config().guard && Turns() > 1)
      options.memory.service = AxiMemoryOptions::Service::kParallel;
    options.memory.reorder = !config().one_id && rng.Chance(0.5);
    options.channels.resize(static_cast<size_t>(config().channels()));
    for (PairOptions& channel : options.channels) {
      channel.source.pacer = PacerSpec::Random(rng);
      channel.sink.pacer = PacerSpec::Random(rng);
      channel.read = {PacerSpec::Random(rng), PacerSpec::Random(rng)};
      channel.write = {PacerSpec::Random(rng), PacerSpec::Random(rng)};
    }
    MakeBench(options);
    for (int k = 0; k < config().reads; ++k) Reads(k, rng.Below(5), rng.Between(1, 1500));
    for (int k = 0; k < config().writes; ++k) Writes(k, rng.Between(1, 4), rng.Between(1, 1500));
    RunAndCompare();
    if (HasFatalFailure()) return;
  }
}

// Channel 0 never takes its data or its records; all others finish.
TEST_P(Share, WhoCannotTakeItsDataHoldsUpNobody) {
  Proves({"fabric.isolation"});
  if (config().room_beats == 0) GTEST_SKIP() << "read data wait on R in this build";
  FabricBenchOptions options;
  options.channels.resize(static_cast<size_t>(config().channels()));
  options.channels[0].sink.pacer = PacerSpec::Never();
  options.channels[0].read.take = PacerSpec::Never();
  options.channels[0].write.take = PacerSpec::Never();
  MakeBench(options);
  for (int k = 0; k < config().reads; ++k) Reads(k, 20, 4096);
  for (int k = 0; k < config().writes; ++k) Writes(k, 20, 4096);
  for (int k = 1; k < config().channels(); ++k) {
    StepUntil("that the others finish", 300000,
              [&] { return Finished(k, Direction::kRead) && Finished(k, Direction::kWrite); });
    if (HasFatalFailure()) return;
  }
  EXPECT_FALSE(Finished(0, Direction::kRead));
  EXPECT_FALSE(Finished(0, Direction::kWrite));
}

// The stream of channel 0 stops in the middle of a burst; all others finish.
TEST_P(Share, WhoHasNoDataHoldsUpNobody) {
  Proves({"fabric.isolation"});
  if (config().writes == 1) GTEST_SKIP() << "one writer";
  MakeBench({});
  AddWrite(0, Copy(WriteBase(0), 4096));
  bench_->source(0).Push(std::vector<uint8_t>(5 * bus() + 1), PieceEnd::kOpen);
  for (int k = 1; k < config().writes; ++k) Writes(k, 10, 2000);
  for (int k = 1; k < config().writes; ++k) {
    StepUntil("that the others finish", 100000, [&] { return Finished(k, Direction::kWrite); });
    if (HasFatalFailure()) return;
  }
  EXPECT_FALSE(Finished(0, Direction::kWrite));
}

// What channel k reads is what channel k+1 writes, through streams with hardly any room, on a
// memory that serves one burst at a time: writes wait for reads of another channel, in a circle.
TEST_P(Share, WritesWaitForReadsOfOthersOnAMemoryThatServesOne) {
  Proves({"fabric.no-deadlock"});
  using Service = AxiMemoryOptions::Service;
  const int pairs = std::min(config().reads, config().writes);
  for (const Service service : {Service::kOneQueued, Service::kOneStrict, Service::kOneBuffered}) {
    FabricBenchOptions options;
    options.memory.service = service;
    MakeBench(options);
    constexpr uint64_t kBytes = 3000, kCount = 4;
    for (int k = 0; k < pairs; ++k) {
      Reads(k, kCount, kBytes);
      for (uint64_t n = 0; n < kCount; ++n)
        AddWrite((k + 1) % pairs, Copy(WriteBase((k + 1) % pairs) + n * kBytes, kBytes));
    }
    std::vector<size_t> passed(static_cast<size_t>(pairs), 0);
    StepUntil("that all finish", 400000, [&] {
      bool all = true;
      for (int k = 0; k < pairs; ++k) {
        const auto& bytes = bench_->sink(k).bytes();
        size_t& done = passed[static_cast<size_t>(k)];
        if (bytes.size() > done) {
          bench_->source((k + 1) % pairs)
              .Push(std::span(bytes).subspan(done),
                    bytes.size() == kBytes * kCount ? PieceEnd::kLast : PieceEnd::kOpen);
          done = bytes.size();
        }
        all = all && Finished(k, Direction::kRead) && Finished(k, Direction::kWrite);
      }
      return all;
    });
    if (HasFatalFailure()) return;
    for (int n = 0; n < 50; ++n) bench_->Step();
    Compare();
    if (HasFatalFailure()) return;
  }
}

TEST_P(Share, AnAbortedChannelLeavesTheOthersAlone) {
  Proves({"fabric.isolation", "fabric.abort"});
  for (const uint64_t cycle : {30U, 61U, 100U, 177U}) {
    FabricBenchOptions options;
    options.memory = AxiMemoryOptions::Latency(20);
    MakeBench(options);
    for (int k = 0; k < config().reads; ++k) Reads(k, 8, 1500);
    for (int k = 0; k < config().writes; ++k) Writes(k, 8, 1500);
    while (bench_->cycle() < cycle) bench_->Step();
    bench_->RequestAbort(0, Direction::kRead);
    bench_->RequestAbort(0, Direction::kWrite);
    StepUntil("that the aborts end", 5000, [&] {
      return bench_->feeder(0, Direction::kRead).aborts() == 1 &&
             bench_->feeder(0, Direction::kWrite).aborts() == 1;
    });
    for (int k = 1; k < config().channels(); ++k) {
      StepUntil("that the others finish", 100000,
                [&] { return Finished(k, Direction::kRead) && Finished(k, Direction::kWrite); });
      if (HasFatalFailure()) return;
      for (const Direction d : {Direction::kRead, Direction::kWrite}) {
        for (const JobResult& job : bench_->feeder(k, d).jobs()) {
          EXPECT_EQ(job.record.status, 0) << "channel " << k;
          EXPECT_EQ(job.record.bytes, 1500U) << "channel " << k;
        }
      }
    }
  }
}

TEST_P(Share, AttributesAreThoseOfTheChannel) {
  Proves({"fabric.attributes"});
  MakeBench({});
  const auto standing = [](int k, int shift) {
    return Fabric::Standing{
        1, static_cast<uint8_t>((k + shift) & 15), static_cast<uint8_t>((3 * k + shift) & 15),
        static_cast<uint8_t>((k + 2 * shift) & 7), static_cast<uint8_t>((k + shift) & 1)};
  };
  for (int k = 0; k < config().reads; ++k) {
    bench_->fabric().read_standing(k) = standing(k, 1);
    Reads(k, 3, 500);
  }
  for (int k = 0; k < config().writes; ++k) {
    bench_->fabric().write_standing(k) = standing(k, 2);
    Writes(k, 3, 500);
  }
  uint64_t seen = 0;
  for (int n = 0; n < 3000; ++n) {
    bench_->Step();
    for (int p = 0; p < config().ports; ++p) {
      AxiPort& port = bench_->fabric().port(p);
      const auto same = [&](Fabric::Standing expected, const Fabric::Standing& shown) {
        expected.weight = 0;
        EXPECT_TRUE(shown == expected);
        ++seen;
      };
      // With one ID the address tells whose it is.
      const auto owner = [&](int group, uint64_t addr, int id) {
        return config().one_id ? static_cast<int>(addr % WriteBase(-1) / ReadBase(0)) - 1
                               : p * (group / config().ports) + id;
      };
      if (port.ar.valid)
        same(standing(owner(config().reads, port.ar->addr, port.ar->id), 1),
             Fabric::Shown(port.ar.payload));
      if (port.aw.valid)
        same(standing(owner(config().writes, port.aw->addr, port.aw->id), 2),
             Fabric::Shown(port.aw.payload));
    }
  }
  EXPECT_GT(seen, 4U);
}

// From the transfer to the address on the port: the engine's 4 cycles and the share.
TEST_P(Share, AddsACycle) {
  Proves({"fabric.latency"});
  MakeBench({});
  for (int n = 0; n < 8; ++n) bench_->Step();  // past the reset
  Reads(0, 1, 8);
  StepUntil("that an address shows", 100, [&] { return bench_->fabric().port(0).ar.valid; });
  if (HasFatalFailure()) return;
  const uint64_t accepted = bench_->feeder(0, Direction::kRead).jobs()[0].accepted;
  EXPECT_EQ(bench_->cycle() - 1 - accepted,
            4U + (config().cut ? 2U : 1U) + (config().windows ? 1U : 0U));
}

}  // namespace
}  // namespace tessera
