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
  bench_ = std::make_unique<FabricBench>(MakeFabric(config().channel.name, options.seed), options);
  work_.assign(static_cast<size_t>(config().channels()), {});
  rng_ = Rng(options.seed).Stream("work");
  before_ = std::make_unique<Memory>(bench_->memory());
  if (config().windows == 0) return;
  for (int n = 0; n < 6; ++n) bench_->Step();
  for (int k = 0; k < config().reads + config().writes; ++k) {
    SetWindow({.channel = static_cast<uint8_t>(k),
               .last = ~uint64_t{0} >> 12,
               .read = true,
               .write = true});
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

void FabricTest::Compare() {
  Scoreboard board(config().channel, *before_);
  for (int k = 0; k < config().channels(); ++k) {
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
  board.CheckMemory(bench_->memory());
  ASSERT_TRUE(board.ok()) << board.Report();
  ASSERT_GT(board.compared(), 0U);
}

bool FabricTest::Finished(int k, Direction direction) {
  return bench_->feeder(k, direction).Finished();
}

}  // namespace tessera
