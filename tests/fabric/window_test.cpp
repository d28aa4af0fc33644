// Windows: what a channel may not touch never reaches a port, and the channel learns of it.
#include <fmt/format.h>

#include "tb/model/walk.h"
#include "tb/random/generate.h"
#include "tests/fabric/fixture.h"

namespace tessera {
namespace {

// Calls `touch` with the address of every element that the transfer reads or writes.
template <typename Touch>
void Visit(const model::Transfer& t, int addr_width, Touch&& touch) {
  model::Build build;
  build.addr_width = addr_width;
  model::Walk(t, build, [&](const model::Position& p) {
    if (p.valid) touch(p.addr);
    return true;
  });
}

class Windows : public FabricTest {
 protected:
  void SetUp() override {
    if (config().windows < 2) GTEST_SKIP() << "no windows in this build";
  }
  // Channel k of a direction may use the pages that hold first .. last.
  Fabric::Window Pages(Direction direction, int k, uint64_t first, uint64_t last) {
    const int channel = direction == Direction::kRead ? k : config().reads + k;
    Fabric::Window window;
    window.channel = static_cast<uint8_t>(channel);
    window.first = first >> rtl::kPageBits;
    window.last = last >> rtl::kPageBits;
    window.read = direction == Direction::kRead;
    window.write = direction == Direction::kWrite;
    return window;
  }
  void RunAndWatch(uint64_t cycles) {
    for (uint64_t n = 0; n < cycles; ++n) {
      bench_->Step();
      ASSERT_EQ(bench_->violations().count(), 0U) << bench_->violations().kept().front().message;
      denied_ |= bench_->fabric().denied;
      const AxiPort& bus = bench_->fabric().port(0);
      if (bus.ar.valid) reads_.push_back(bus.ar->addr);
      if (bus.aw.valid) writes_.push_back(bus.aw->addr);
    }
  }
  static bool Any(const std::vector<uint64_t>& addresses, uint64_t first, uint64_t last) {
    return std::any_of(addresses.begin(), addresses.end(),
                       [&](uint64_t a) { return a >= first && a <= last; });
  }
  uint32_t denied_ = 0;
  std::vector<uint64_t> reads_, writes_;
};
TESSERA_EVERY_FABRIC(Windows);

// 6000 bytes from a page on, of which the second page is not permitted: not one of them is asked
// for.
TEST_P(Windows, WhatIsOutsideNeverReachesThePort) {
  Proves({"window.outside", "window.whole"});
  MakeBench({});
  ASSERT_TRUE(SetWindow(Pages(Direction::kRead, 0, ReadBase(0), ReadBase(0) + 0xfff)));
  ASSERT_TRUE(SetWindow(Pages(Direction::kWrite, 0, WriteBase(0), WriteBase(0) + 0xfff)));
  for (const Direction d : {Direction::kRead, Direction::kWrite}) {
    const uint64_t base = d == Direction::kRead ? ReadBase(0) : WriteBase(0);
    for (const uint64_t bytes : {64U, 6000U, 128U}) {
      d == Direction::kRead ? AddRead(0, Copy(base, bytes)) : AddWrite(0, Copy(base, bytes));
    }
  }
  Feed(0, 64 + 128);  // what is refused takes nothing of its stream
  Reads(1, 3, 6000);
  Writes(1, 3, 6000);
  RunAndWatch(20000);
  for (const Direction d : {Direction::kRead, Direction::kWrite}) {
    const uint64_t base = d == Direction::kRead ? ReadBase(0) : WriteBase(0);
    const std::vector<JobResult>& jobs = bench_->feeder(0, d).jobs();
    for (const JobResult& job : jobs) ASSERT_EQ(job.state, JobResult::State::kDone);
    EXPECT_EQ(jobs[0].record.status, 0);
    EXPECT_EQ(jobs[1].record.status, rtl::Status::kDecerr);
    EXPECT_EQ(jobs[1].record.addr, base + 5999);
    EXPECT_EQ(jobs[1].record.bytes, 0U);
    EXPECT_EQ(jobs[2].record.status, 0);
    EXPECT_EQ(jobs[2].record.bytes, 128U);
    for (const JobResult& other : bench_->feeder(1, d).jobs()) {
      ASSERT_EQ(other.state, JobResult::State::kDone);
      EXPECT_EQ(other.record.status, 0);
    }
    const std::vector<uint64_t>& seen = d == Direction::kRead ? reads_ : writes_;
    EXPECT_TRUE(Any(seen, base, base + 127));
    EXPECT_FALSE(Any(seen, base + 128, base + 0x1fff));
  }
  EXPECT_EQ(denied_, 1U | 1U << config().reads);
}

// A window that shrinks while a transfer runs: no burst outside it goes out, and that is told.
TEST_P(Windows, ABurstOutsideIsToldWhenTheWindowShrinks) {
  Proves({"window.outside"});
  for (const Direction d : {Direction::kRead, Direction::kWrite}) {
    FabricBenchOptions options;
    options.memory = AxiMemoryOptions::Latency(20);
    MakeBench(options);
    denied_ = 0;
    const uint64_t base = d == Direction::kRead ? ReadBase(0) : WriteBase(0);
    d == Direction::kRead ? Reads(0, 1, 6000) : Writes(0, 1, 6000);
    for (int n = 0; n < 60; ++n) bench_->Step();
    ASSERT_TRUE(SetWindow(Pages(d, 0, base, base + 0xfff)));
    reads_.clear();
    writes_.clear();
    RunAndWatch(4000);
    const JobResult& job = bench_->feeder(0, d).jobs()[0];
    ASSERT_EQ(job.state, JobResult::State::kDone) << NameOf(d);
    EXPECT_EQ(job.record.status, rtl::Status::kDecerr) << NameOf(d);
    EXPECT_EQ(job.record.addr, base + 0x1000) << NameOf(d);
    EXPECT_EQ(denied_, d == Direction::kRead ? 1U : 1U << config().reads);
    const std::vector<uint64_t>& seen = d == Direction::kRead ? reads_ : writes_;
    EXPECT_FALSE(Any(seen, base + 0x1000, base + 0x1fff)) << NameOf(d);
  }
}

// The extent of random transfers is exact: a window that ends with their pages lets them through,
// one that lacks the first or the last page refuses them before any request.
TEST_P(Windows, TheExtentOfAnyTransferIsKnownBeforeItBegins) {
  Proves({"window.whole", "window.extent"});
  constexpr int kCases = 150;
  int exact = 0, refused = 0, longest = 0;
  for (int n = 0; n < kCases; ++n) {
    SCOPED_TRACE(n);
    Rng rng = Rng(static_cast<uint64_t>(n)).Stream("extent");
    model::Transfer t = RandomTransfer(rng, config().channel, 0x4000000, 3000);
    t.join_next = false;
    const auto touched = [&]() -> std::optional<AddressRange> {
      std::optional<AddressRange> range;
      Visit(t, config().channel.addr_width, [&](uint64_t first) {
        const uint64_t last = first + static_cast<uint64_t>(t.elem) - 1;
        if (!range) range = AddressRange{first, last};
        range->first = std::min(range->first, first);
        range->last = std::max(range->last, last);
      });
      return range;
    };
    std::optional<AddressRange> range = touched();
    if (!range || range->last - range->first > 0x1000000) continue;
    // To the end of a page, or one byte past it.
    t.base += 0xfff - (range->last & 0xfff) + (rng.Chance(0.5) ? 0U : 1U);
    range = touched();
    const bool cut = t.length.has_value();
    for (int shape = 0; shape < 3; ++shape) {
      MakeBench({});
      AddressRange window = *range;
      const bool all = shape == 0;
      if (shape == 1) window.first = (window.first & ~uint64_t{0xfff}) + 0x1000;
      if (shape == 2) window.last = (window.last & ~uint64_t{0xfff}) - 1;
      Fabric::Window pages = Pages(Direction::kRead, 0, window.first, window.last);
      pages.read = window.last >= window.first;
      ASSERT_TRUE(SetWindow(pages));
      reads_.clear();
      AddRead(0, t);
      const uint64_t begin = bench_->cycle();
      uint64_t accepted = 0;
      StepUntil("that the record comes", 30000, [&] {
        const AxiPort& bus = bench_->fabric().port(0);
        if (bus.ar.valid) reads_.push_back(bus.ar->addr);
        if (accepted == 0 && bus.ar.valid) accepted = bench_->cycle();
        return Finished(0, Direction::kRead);
      });
      if (HasFatalFailure()) return;
      if (accepted != 0) longest = std::max(longest, static_cast<int>(accepted - begin));
      const rtl::Done& record = bench_->feeder(0, Direction::kRead).jobs()[0].record;
      if ((record.status & rtl::Status::kIllegal) != 0) continue;  // asks for nothing anyway
      const bool denied = (record.status & rtl::Status::kDecerr) != 0;
      EXPECT_EQ(denied, reads_.empty()) << model::ToString(t);
      EXPECT_TRUE(denied || all) << model::ToString(t);
      EXPECT_TRUE(!denied || !all || cut) << model::ToString(t);
      EXPECT_TRUE(!denied || record.bytes == 0) << model::ToString(t);
      exact += !denied;
      refused += denied;
      if (HasFailure()) return;
    }
  }
  fmt::print("{} let through, {} refused, the slowest begins after {} cycles\n", exact, refused,
             longest);
  EXPECT_GT(exact, kCases / 8);
  EXPECT_GT(refused, kCases / 4);
}

// While a transfer's data come, the next one is checked: the stream does not wait.
TEST_P(Windows, TheCheckHidesBehindTheTransferBefore) {
  Proves({"window.rate"});
  struct Row {
    const char* name;
    uint32_t bytes, rows, planes;
    double least;
  };
  for (const Row& row :
       {Row{"copies of 16 beats", 16, 1, 1, 0.99}, Row{"8 rows of 16", 16, 8, 1, 0.99},
        Row{"4 planes of 8 rows of 8", 8, 8, 4, 0.99}}) {
    FabricBenchOptions options;
    options.memory = AxiMemoryOptions::Latency(20);
    MakeBench(options);
    const auto width = static_cast<uint32_t>(config().channel.stream_bytes);
    model::Transfer t = Copy(ReadBase(0), uint64_t{row.bytes} * width);
    t.count[1] = row.rows;
    t.count[2] = row.planes;
    t.stride[1] = 512;
    t.stride[2] = 8192;
    for (int n = 0; n < 2000; ++n) AddRead(0, t);
    for (int n = 0; n < 1000; ++n) bench_->Step();
    const size_t before = bench_->sink(0).beats().size();
    for (int n = 0; n < 4000; ++n) bench_->Step();
    const double rate = static_cast<double>(bench_->sink(0).beats().size() - before) / 4000;
    fmt::print("{}, {}: {:.3f} of the stream\n", config().channel.name, row.name, rate);
    EXPECT_GE(rate, row.least);
    EXPECT_EQ(bench_->violations().count(), 0U);
  }
}

// What is kept from the bus when its window goes is refused when the channel works on.
TEST_P(Windows, WhatWaitsBehindThemIsCheckedAgain) {
  Proves({"window.outside", "control.pause"});
  for (const Direction d : {Direction::kRead, Direction::kWrite}) {
    MakeBench({});
    const uint64_t base = d == Direction::kRead ? ReadBase(0) : WriteBase(0);
    control(0, d).pause = true;
    d == Direction::kRead ? Reads(0, 1, 6000) : Writes(0, 1, 6000);
    RunAndWatch(400);
    ASSERT_TRUE(state(0, d).paused) << NameOf(d);
    Fabric::Window none = Pages(d, 0, base, base + 0xffff);
    none.read = none.write = false;
    ASSERT_TRUE(SetWindow(none));
    for (int n = 0; n < 4; ++n) bench_->Step();
    control(0, d).pause = false;
    reads_.clear();
    writes_.clear();
    RunAndWatch(4000);
    EXPECT_TRUE(reads_.empty() && writes_.empty()) << NameOf(d);
    const JobResult& job = bench_->feeder(0, d).jobs()[0];
    ASSERT_EQ(job.state, JobResult::State::kDone) << NameOf(d);
    EXPECT_EQ(job.record.status, rtl::Status::kDecerr) << NameOf(d);
    EXPECT_EQ(job.record.addr, base) << NameOf(d);
  }
}

// A burst that has passed a window and is kept from the bus is forgotten with its channel.
TEST_P(Windows, AResetForgetsTheBurstThatWaitsBehindThem) {
  Proves({"control.reset"});
  for (const Direction d : {Direction::kRead, Direction::kWrite}) {
    MakeBench({});
    control(0, d).pause = true;
    d == Direction::kRead ? Reads(0, 1, 6000) : Writes(0, 1, 6000);
    RunAndWatch(100);
    // An abort alone would let it go out in spite of the pause.
    for (int k = 0; k < config().channels(); ++k) bench_->AllowClosing(k);
    bench_->fabric().quiesce = true;
    Reset(0, d, false, static_cast<uint64_t>(config().silence) + 2000);
    if (HasFatalFailure()) return;
    bench_->fabric().quiesce = false;
    control(0, d).pause = false;
    RunAndWatch(100);
    EXPECT_TRUE(reads_.empty() && writes_.empty()) << NameOf(d);
    WorksAgain(0, d, 700);
    if (HasFatalFailure()) return;
  }
}

TEST_P(Windows, ReadingIsNotWritingAndSeveralWindowsAdd) {
  Proves({"window.permission"});
  MakeBench({});
  Fabric::Window wrong = Pages(Direction::kRead, 0, ReadBase(0), ReadBase(0) + 0xffff);
  std::swap(wrong.read, wrong.write);
  ASSERT_TRUE(SetWindow(wrong));
  Fabric::Window second = Pages(Direction::kRead, 0, ReadBase(0) + 0x2000, ReadBase(0) + 0x2fff);
  second.index = 1;
  ASSERT_TRUE(SetWindow(second));
  AddRead(0, Copy(ReadBase(0) + 0x1fc0, 64));
  AddRead(0, Copy(ReadBase(0) + 0x2000, 64));
  AddRead(0, Copy(ReadBase(0) + 0x2fc0, 64));
  AddRead(0, Copy(ReadBase(0) + 0x3000, 64));
  RunAndWatch(3000);
  const auto& jobs = bench_->feeder(0, Direction::kRead).jobs();
  EXPECT_EQ(jobs[0].record.status, rtl::Status::kDecerr);
  EXPECT_EQ(jobs[1].record.status, 0);
  EXPECT_EQ(jobs[2].record.status, 0);
  EXPECT_EQ(jobs[3].record.status, rtl::Status::kDecerr);
  EXPECT_EQ(jobs[3].record.addr, ReadBase(0) + 0x3000);
  EXPECT_EQ(reads_.size(), 2U);
}

TEST_P(Windows, WhatIsLockedStaysAndWhatIsNotThereIsRefused) {
  Proves({"window.lock"});
  MakeBench({});
  Fabric::Window window = Pages(Direction::kRead, 0, ReadBase(0), ReadBase(0) + 0xfff);
  window.lock = true;
  EXPECT_TRUE(SetWindow(window));
  window.last = ~uint64_t{0} >> 12;
  EXPECT_FALSE(SetWindow(window));
  Fabric::Window absent = window;
  absent.index = 7;
  EXPECT_FALSE(SetWindow(absent));
  absent.index = 1;
  absent.channel = static_cast<uint8_t>(config().reads + config().writes);
  EXPECT_FALSE(SetWindow(absent));
  AddRead(0, Copy(ReadBase(0) + 0x1000, 64));
  RunAndWatch(2000);
  EXPECT_EQ(bench_->feeder(0, Direction::kRead).jobs()[0].record.status, rtl::Status::kDecerr);
  EXPECT_TRUE(reads_.empty());
}

}  // namespace
}  // namespace tessera
