// Windows: what a channel may not touch never reaches a port, and the channel learns of it.
#include "tests/fabric/fixture.h"

namespace tessera {
namespace {

class Windows : public FabricTest {
 protected:
  void SetUp() override {
    if (config().windows < 2) GTEST_SKIP() << "no windows in this build";
  }
  // Channel k of a direction may use the pages that hold first .. last.
  Fabric::Window Pages(Direction direction, int k, uint64_t first, uint64_t last) {
    const int channel = direction == Direction::kRead ? k : config().reads + k;
    return {.channel = static_cast<uint8_t>(channel),
            .first = first >> 12,
            .last = last >> 12,
            .read = direction == Direction::kRead,
            .write = direction == Direction::kWrite};
  }
  void RunAndWatch(uint64_t cycles) {
    for (uint64_t n = 0; n < cycles; ++n) {
      bench_->Step();
      ASSERT_EQ(bench_->violations().count(), 0U) << bench_->violations().kept().front().message;
      denied_ |= bench_->fabric().denied;
      const DutOutputs& out = bench_->fabric().port(0).out;
      if (out.arvalid) reads_.push_back(out.araddr);
      if (out.awvalid) writes_.push_back(out.awaddr);
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

// 6000 bytes from a page on, of which the second page is not permitted.
TEST_P(Windows, WhatIsOutsideNeverReachesThePort) {
  Proves({"window.outside"});
  MakeBench({});
  ASSERT_TRUE(SetWindow(Pages(Direction::kRead, 0, ReadBase(0), ReadBase(0) + 0xfff)));
  ASSERT_TRUE(SetWindow(Pages(Direction::kWrite, 0, WriteBase(0), WriteBase(0) + 0xfff)));
  Reads(0, 1, 6000);
  Writes(0, 1, 6000);
  AddRead(0, Copy(ReadBase(0), 64));  // goes on as after any error
  Reads(1, 3, 6000);
  Writes(1, 3, 6000);
  RunAndWatch(20000);
  for (const Direction d : {Direction::kRead, Direction::kWrite}) {
    const uint64_t base = d == Direction::kRead ? ReadBase(0) : WriteBase(0);
    const JobResult& job = bench_->feeder(0, d).jobs()[0];
    ASSERT_EQ(job.state, JobResult::State::kDone);
    EXPECT_EQ(job.record.status, EngineDone::kDecErr);
    EXPECT_EQ(job.record.addr, base + 0x1000);
    EXPECT_EQ(job.record.bytes, 6000U);
    for (const JobResult& other : bench_->feeder(1, d).jobs()) {
      ASSERT_EQ(other.state, JobResult::State::kDone);
      EXPECT_EQ(other.record.status, 0);
    }
  }
  EXPECT_EQ(bench_->feeder(0, Direction::kRead).jobs()[1].record.status, 0);
  EXPECT_TRUE(Any(reads_, ReadBase(0), ReadBase(0) + 0xfff));
  EXPECT_FALSE(Any(reads_, ReadBase(0) + 0x1000, ReadBase(0) + 0x1fff));
  EXPECT_TRUE(Any(writes_, WriteBase(0), WriteBase(0) + 0xfff));
  EXPECT_FALSE(Any(writes_, WriteBase(0) + 0x1000, WriteBase(0) + 0x1fff));
  EXPECT_EQ(denied_, 1U | 1U << config().reads);
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
  EXPECT_EQ(jobs[0].record.status, EngineDone::kDecErr);
  EXPECT_EQ(jobs[1].record.status, 0);
  EXPECT_EQ(jobs[2].record.status, 0);
  EXPECT_EQ(jobs[3].record.status, EngineDone::kDecErr);
  EXPECT_EQ(jobs[3].record.addr, ReadBase(0) + 0x3000);
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
  EXPECT_EQ(bench_->feeder(0, Direction::kRead).jobs()[0].record.status, EngineDone::kDecErr);
  EXPECT_TRUE(reads_.empty());
}

}  // namespace
}  // namespace tessera
