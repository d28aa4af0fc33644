// Work for channels, and what must come of it.
#include "tests/fabric/fixture.h"

#include "tb/check/encode.h"
#include "tb/check/scoreboard.h"

namespace tessera {

model::Transfer FabricTest::Copy(uint64_t base, uint64_t bytes) {
  model::Transfer t;
  t.base = base;
  t.count[0] = static_cast<uint32_t>(bytes);
  t.stride[0] = 1;
  return t;
}

void FabricTest::MakeBench(const FabricBenchOptions& options) {
  FabricBenchOptions scaled = options;
  scaled.timeout *= Turns();
  bench_ = std::make_unique<FabricBench>(MakeFabric(config().channel.name, options.seed), scaled);
  work_.assign(static_cast<size_t>(config().channels()), {});
  rng_ = Rng(options.seed).Stream("work");
  before_ = std::make_unique<Memory>(bench_->memory());
  for (int n = 0; n < 6; ++n) bench_->Step();  // past the reset: before it nothing means anything
  if (config().windows == 0) return;
  for (int k = 0; k < config().reads + config().writes; ++k) {
    SetWindow(Fabric::Window::Everything(k));
  }
}

bool FabricTest::SetWindow(const Fabric::Window& window) {
  Fabric& fabric = bench_->fabric();
  fabric.window = window;
  fabric.window.valid = true;
  bench_->Step();
  fabric.window.valid = false;
  return !fabric.window_refused;
}

void FabricTest::AddRead(int k, const model::Transfer& transfer) {
  bench_->AddRead(k, Encode(transfer));
  work_[static_cast<size_t>(k)].reads.push_back(transfer);
}
void FabricTest::AddWrite(int k, const model::Transfer& transfer) {
  bench_->AddWrite(k, Encode(transfer));
  work_[static_cast<size_t>(k)].writes.push_back(transfer);
}
void FabricTest::Feed(int k, uint64_t bytes) {
  std::vector<uint8_t> data(bytes);
  for (uint8_t& byte : data) byte = static_cast<uint8_t>(rng_());
  bench_->source(k).Push(data, PieceEnd::kLast);
}
void FabricTest::Reads(int k, uint64_t count, uint64_t bytes) {
  for (uint64_t n = 0; n < count; ++n) AddRead(k, Copy(ReadBase(k) + n * bytes, bytes));
}
void FabricTest::Writes(int k, uint64_t count, uint64_t bytes) {
  for (uint64_t n = 0; n < count; ++n) {
    AddWrite(k, Copy(WriteBase(k) + n * bytes, bytes));
    Feed(k, bytes);
  }
}

void FabricTest::RunAndCompare() {
  const FabricResult result = bench_->Run();
  ASSERT_TRUE(result.passed()) << result.message;
  Compare();
}

void FabricTest::Compare(int except) {
  Scoreboard board(config().channel, *before_);
  for (int k = 0; k < config().channels(); ++k) {
    if (k == except) continue;
    const ChannelWork& work = work_[static_cast<size_t>(k)];
    Seen reads;
    reads.beats = BeatList(bench_->sink(k).beats(), bench_->sink(k).bytes());
    for (const JobResult& job : bench_->feeder(k, Direction::kRead).jobs())
      reads.records.push_back(job.record);
    board.CheckRead(work.reads, reads);
    Seen writes;
    writes.beats = BeatList(bench_->source(k).beats(), bench_->source(k).bytes());
    for (const JobResult& job : bench_->feeder(k, Direction::kWrite).jobs())
      writes.records.push_back(job.record);
    board.CheckWrite(work.writes, writes);
    ASSERT_TRUE(board.ok()) << "channel " << k << ": " << board.Report();
  }
  if (except < 0) {
    board.CheckMemory(bench_->memory());
  } else {
    const AddressRange region{WriteBase(except), WriteBase(except + 1) - 1};
    Memory others(*before_);
    for (const Memory::TouchedPage& page : bench_->memory().TouchedPages()) {
      if (page.addr >= region.first && page.addr <= region.last) continue;
      for (uint64_t n = 0; n < Memory::kPageBytes; ++n) {
        LaneMask one;
        one.Set(0);
        if ((page.touched[n / 64] >> (n % 64) & 1) != 0)
          others.WriteWord(page.addr + n, &page.bytes[n], 1, one);
      }
    }
    board.CheckMemory(others);
  }
  ASSERT_TRUE(board.ok()) << board.Report();
  ASSERT_GT(board.compared(), 0U);
}

uint64_t FabricTest::LastRecord(int k) {
  uint64_t last = 0;
  for (const Direction d : {Direction::kRead, Direction::kWrite}) {
    for (const JobResult& job : bench_->feeder(k, d).jobs()) {
      if (job.state == JobResult::State::kDone) last = std::max(last, job.done);
    }
  }
  return last;
}

void FabricTest::Reset(int k, Direction direction, bool give_up, uint64_t most) {
  bench_->AllowClosing(k);
  control(k, direction).reset = true;
  control(k, direction).give_up = give_up;
  StepUntil("that the channel is in reset", most, [&] { return state(k, direction).in_reset; });
  if (HasFatalFailure()) return;
  if (direction == Direction::kWrite) bench_->source(k).DiscardUnsent();
  control(k, direction).reset = control(k, direction).give_up = false;
  StepUntil("that the channel is out of reset", 10, [&] { return !state(k, direction).in_reset; });
  const Fabric::State& after = state(k, direction);
  EXPECT_FALSE(after.faulted);
  EXPECT_EQ(after.cause, rtl::Fault::kNone);
}

void FabricTest::WorksAgain(int k, Direction direction, uint64_t bytes) {
  const size_t first = bench_->feeder(k, direction).jobs().size();
  const size_t before = bench_->sink(k).bytes().size();
  std::vector<uint8_t> expected;
  constexpr uint64_t kCount = 3;
  for (uint64_t n = 0; n < kCount; ++n) {
    const uint64_t at = 0x40003 + n * bytes;
    if (direction == Direction::kRead) {
      bench_->AddRead(k, Encode(Copy(ReadBase(k) + at, bytes)));
    } else {
      bench_->AddWrite(k, Encode(Copy(WriteBase(k) + at, bytes)));
      std::vector<uint8_t> data(bytes);
      for (uint8_t& byte : data) byte = static_cast<uint8_t>(rng_());
      bench_->source(k).Push(data, PieceEnd::kLast);
      expected.insert(expected.end(), data.begin(), data.end());
    }
  }
  StepUntil("that the channel works again", 60000, [&] { return Finished(k, direction); });
  if (HasFatalFailure()) return;
  const auto& jobs = bench_->feeder(k, direction).jobs();
  for (size_t n = first; n < jobs.size(); ++n) {
    EXPECT_EQ(jobs[n].state, JobResult::State::kDone);
    EXPECT_EQ(jobs[n].record.status, 0);
    EXPECT_EQ(jobs[n].record.bytes, bytes);
  }
  std::vector<uint8_t> seen;
  if (direction == Direction::kRead) {
    expected = before_->ReadBytes(ReadBase(k) + 0x40003, kCount * bytes);
    const auto& all = bench_->sink(k).bytes();
    seen.assign(all.begin() + static_cast<std::ptrdiff_t>(before), all.end());
  } else {
    seen = bench_->memory().ReadBytes(WriteBase(k) + 0x40003, kCount * bytes);
  }
  EXPECT_TRUE(seen == expected) << "channel " << k << " after its reset: " << seen.size() << " of "
                                << expected.size() << " bytes, or others";
}

bool FabricTest::Finished(int k, Direction direction) {
  return bench_->feeder(k, direction).Finished();
}

bool FabricTest::OthersFinished(int except) {
  for (int k = 0; k < config().channels(); ++k) {
    if (k != except && !(Finished(k, Direction::kRead) && Finished(k, Direction::kWrite)))
      return false;
  }
  return true;
}

}  // namespace tessera
