// Coincidences that chance seldom brings together: answers that nobody asked for while an address
// waits, errors after an abort or a reset, addresses that differ in one high bit.
#include <fmt/format.h>

#include <utility>

#include "tests/fabric/fixture.h"

namespace tessera {
namespace {

class Rare : public FabricTest {
 protected:
  static constexpr Direction kBoth[] = {Direction::kRead, Direction::kWrite};
  // One beat that ends a burst, or an answer, in the next cycle: whatever the memory says.
  void Answer(Direction d, uint16_t id = 0) {
    bool once = true;
    bench_->OverridePins([this, d, id, once]() mutable {
      if (!std::exchange(once, false)) return;
      AxiPort& bus = bench_->fabric().port(0);
      if (d == Direction::kRead) {
        bus.r.valid = bus.r->last = true;
        bus.r->id = id;
        bus.r->resp = 0;
      } else {
        bus.b.valid = true;
        bus.b->id = id;
        bus.b->resp = 0;
      }
    });
  }
  bool Shows(Direction d) {
    const AxiPort& bus = bench_->fabric().port(0);
    return d == Direction::kRead ? bus.ar.valid : bus.aw.valid;
  }
};
TESSERA_EVERY_FABRIC(Rare);

// An address that waits for the memory is still there when the memory seems to have answered it:
// the channel is not paused, nor is the bus quiet, until it is gone.
TEST_P(Rare, AnAddressOnShowIsNotAnsweredByWhatNobodyAskedFor) {
  Proves({"control.pause", "control.quiesce"});
  if (!config().guard) GTEST_SKIP() << "no guards in this build: the memory has to be right";
  for (const Direction d : kBoth) {
    for (const bool rest : {false, true}) {
      for (int way = 0; way < 4; ++way) {
        const int bursts = way == 0 ? 1 : 3;  // one is alone, or others wait behind it
        const int answers = way == 0 ? 1 : way;
        SCOPED_TRACE(
            fmt::format("{} rest {} bursts {} answers {}", NameOf(d), rest, bursts, answers));
        FabricBenchOptions options;
        options.memory.ar = options.memory.aw = PacerSpec::Never();
        MakeBench(options);
        for (int k = 0; k < config().channels(); ++k) {
          bench_->Excuse(k);
          bench_->AllowClosing(k);
        }
        for (int n = 0; n < bursts; ++n) {  // of one beat each
          const uint64_t page = 0x1000U * static_cast<uint64_t>(n);
          if (d == Direction::kRead) {
            AddRead(0, Copy(ReadBase(0) + page, bus()));
          } else {
            AddWrite(0, Copy(WriteBase(0) + page, bus()));
            Feed(0, bus());
          }
        }
        StepUntil("that an address shows", 400, [&] { return Shows(d); });
        if (HasFatalFailure()) return;
        for (int n = 0; n < 20; ++n) bench_->Step();  // data have gone
        (rest ? bench_->fabric().quiesce : control(0, d).pause) = true;
        for (int n = 0; n < answers; ++n) {
          Answer(d);
          for (int m = 0; m < 3; ++m) bench_->Step();
        }
        for (int n = 0; n < 60; ++n) {
          bench_->Step();
          ASSERT_TRUE(Shows(d));
          ASSERT_FALSE(state(0, d).paused);
          ASSERT_FALSE(bench_->fabric().quiet);
        }
      }
    }
  }
}

// A beat or an answer while nobody waits, of no channel: it is told, no channel is at fault, and
// all work as if nothing had been. With one ID it is of no channel because nobody has asked.
TEST_P(Rare, WhatBelongsToNobodyIsToldAndForgotten) {
  Proves({"fault.contained"});
  if (!config().guard) GTEST_SKIP() << "no guards in this build: the memory has to be right";
  const int group = std::max(config().reads, config().writes) / config().ports;
  if (!config().one_id && group == AxiFault::kMostIds) GTEST_SKIP() << "every ID is a channel's";
  const auto id = static_cast<uint16_t>(config().one_id ? 0 : group);
  MakeBench({});
  for (int k = 0; k < config().channels() && config().one_id; ++k) bench_->Excuse(k);
  for (int round = 0; round < 3; ++round) {
    for (const Direction d : kBoth) {
      for (int n = 0; n < 3; ++n) {
        Answer(d, id);
        uint32_t strays = 0;
        for (int m = 0; m < 4; ++m) {
          bench_->Step();
          strays |= bench_->fabric().strays;
        }
        EXPECT_EQ(strays, d == Direction::kRead ? 1U : 1U << config().ports);
      }
    }
    for (int k = 0; k < config().channels(); ++k) {
      for (const Direction d : kBoth) EXPECT_FALSE(state(k, d).faulted) << "channel " << k;
    }
    for (int k = 0; k < config().channels(); ++k) {
      if (k < config().reads) Reads(k, 3, 40 * bus());
      if (k < config().writes) Writes(k, 3, 40 * bus());
    }
    StepUntil("that all is done", 20000, [&] { return OthersFinished(-1); });
    if (HasFailure()) return;
  }
  RunAndCompare();
}

// An abort, or a reset of the channel, in any cycle of a burst; every transfer fails in the middle
// of one, and its record says where.
TEST_P(Rare, AnErrorAfterAnAbortIsWhereItIs) {
  Proves({"control.reset", "fabric.isolation"});
  if (!config().control) GTEST_SKIP() << "no control in this build";
  constexpr uint64_t kTransfers = 5;
  for (const Direction d : kBoth) {
    const uint64_t bytes = 12 * bus();
    const auto place = [&](uint64_t n) {
      return (d == Direction::kRead ? ReadBase(0) : WriteBase(0)) + n * bytes;
    };
    for (uint64_t cycle = 10; cycle < 240; cycle += 6) {
      SCOPED_TRACE(cycle);
      FabricBenchOptions options;
      options.seed = cycle;
      options.memory = AxiMemoryOptions::Latency(6);
      options.memory.r = options.memory.w = PacerSpec::Probability(0.6);
      // One after the other: an abort takes one of them alone.
      std::vector<uint8_t> seldom(90, 0);
      seldom[0] = 1;
      options.channels.resize(static_cast<size_t>(config().channels()));
      options.channels[0].read.offer = options.channels[0].write.offer = PacerSpec::List(seldom);
      for (uint64_t n = 0; n < kTransfers; ++n) {
        const uint64_t wrong = place(n) + 7 * bus();
        options.memory.errors.push_back(ErrorRule::Range(wrong, wrong, kDecErr));
      }
      MakeBench(options);
      d == Direction::kRead ? Reads(0, kTransfers, bytes) : Writes(0, kTransfers, bytes);
      while (bench_->cycle() < cycle) bench_->Step();
      if (cycle % 12 == 4) {
        Reset(0, d, false, 4000);
      } else {
        bench_->AllowClosing(0);
        bench_->RequestAbort(0, d);
      }
      if (HasFatalFailure()) return;
      if (d == Direction::kWrite) {  // for what an abort took of the stream
        bench_->source(0).Push(std::vector<uint8_t>(8 * bytes), PieceEnd::kLast);
      }
      StepUntil("that all is done", 20000, [&] { return Finished(0, d); });
      if (HasFatalFailure()) return;
      const std::vector<JobResult>& jobs = bench_->feeder(0, d).jobs();
      for (uint64_t n = 0; n < kTransfers; ++n) {
        const rtl::Done& record = jobs[n].record;
        if (jobs[n].state != JobResult::State::kDone ||
            (record.status & rtl::Status::kAborted) != 0)
          continue;
        EXPECT_EQ(record.status, rtl::Status::kDecerr) << "transfer " << n;
        if (d == Direction::kRead) {
          EXPECT_EQ(record.addr, place(n) + 7 * bus()) << "transfer " << n;
        } else {  // a burst of a write fails as a whole
          EXPECT_GE(record.addr, place(n)) << "transfer " << n;
          EXPECT_LE(record.addr, place(n) + 7 * bus()) << "transfer " << n;
        }
      }
      EXPECT_EQ(jobs.back().record.status, rtl::Status::kDecerr);
      if (HasFailure()) return;
    }
  }
}

TEST_P(Rare, EveryBitOfAnAddressReachesThePort) {
  Proves({"fabric.isolation"});
  MakeBench({});
  const int width = config().channel.addr_width;
  for (int bit = 13; bit < width; ++bit) {
    const uint64_t at = uint64_t{1} << bit;
    if (config().reads > 0) AddRead(0, Copy(at + 1, 3 * bus()));
    if (config().writes == 0) continue;
    AddWrite(0, Copy(at + 0x1001, 3 * bus()));
    Feed(0, 3 * bus());
  }
  RunAndCompare();
}

// A window and a transfer whose pages differ in one bit.
TEST_P(Rare, EveryBitOfAPageCountsInAWindow) {
  Proves({"window.outside"});
  if (config().windows == 0) GTEST_SKIP() << "no windows in this build";
  const int width = config().channel.addr_width;
  for (const Direction d : kBoth) {
    for (int bit = 12; bit < width; ++bit) {
      SCOPED_TRACE(bit);
      const uint64_t base = 0x5555555555554000 & ((uint64_t{1} << width) - 1);
      MakeBench({});
      const int channel = d == Direction::kRead ? 0 : config().reads;
      Fabric::Window window;
      window.channel = static_cast<uint8_t>(channel);
      window.first = base >> 12;
      window.last = base >> 12;
      window.read = true;
      window.write = true;
      ASSERT_TRUE(SetWindow(window));
      const uint64_t other = base ^ (uint64_t{1} << bit);
      for (const uint64_t at : {base, other, base + 0x1000 - bus()}) {
        const model::Transfer t = Copy(at, bus());
        d == Direction::kRead ? AddRead(0, t) : AddWrite(0, t);
      }
      if (d == Direction::kWrite) Feed(0, 2 * bus());  // what is refused takes nothing
      StepUntil("that all are done", 2000, [&] { return Finished(0, d); });
      if (HasFatalFailure()) return;
      const std::vector<JobResult>& jobs = bench_->feeder(0, d).jobs();
      EXPECT_EQ(jobs[0].record.status, 0);
      EXPECT_EQ(jobs[1].record.status, rtl::Status::kDecerr);
      EXPECT_EQ(jobs[1].record.addr, other);
      EXPECT_EQ(jobs[2].record.status, 0);
      if (HasFailure()) return;
    }
  }
}

}  // namespace
}  // namespace tessera
