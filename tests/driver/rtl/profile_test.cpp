// Profiling with the counters of the device, held against the beats that the bench saw.
#include "tests/driver/rtl/fixture.h"

namespace tessera::driver {
namespace {

constexpr auto kRunning = ProfileOption::kTotalStreamRunningToIdleCycles;
constexpr auto kToBytes = ProfileOption::kStreamStartToBytesTransferredCycles;
constexpr auto kDifference = ProfileOption::kStreamStartDifferenceCycles;
constexpr auto kBeats = ProfileOption::kStreamRunningEventCount;
constexpr StreamPort kOut{Direction::kToStream, 0}, kIn{Direction::kFromStream, 0};

class RtlProfile : public RtlTest {
 protected:
  void SetUp() override {
    Make();
    if (!Has(registers::global_block::CapFeatures::kCountersMask)) return;
    counters_ = std::make_unique<DeviceCounters<BoardBus>>(device());
    profiler_ =
        std::make_unique<Profiler<BoardBus, DeviceCounters<BoardBus>>>(device(), *counters_);
  }
  bool Counts() { return Has(registers::global_block::CapFeatures::kCountersMask); }
  auto& profiler() { return *profiler_; }
  void Send(uint32_t bytes) { Run(reader(), descriptors(), Linear(0x1000, bytes)); }
  void Receive(size_t bytes) {
    board().Send(0, Counting(bytes));
    Run(writer(), descriptors(), Linear(0x8000, static_cast<uint32_t>(bytes)));
  }
  const std::vector<StreamBeat>& sent() { return board().bench().sink(0).beats(); }

 private:
  void Run(BoardChannel& channel, DescriptorPool& pool, const Descriptor& descriptor) {
    Task task(channel, pool);
    const Result<Completion> done = task.Run(descriptor);
    ASSERT_TRUE(done.ok()) << Text(done.status);
  }
  std::unique_ptr<DeviceCounters<BoardBus>> counters_;
  std::unique_ptr<Profiler<BoardBus, DeviceCounters<BoardBus>>> profiler_;
};

#define SKIP_WITHOUT_COUNTERS() \
  if (!Counts()) GTEST_SKIP() << "no counters in this build"

TEST_P(RtlProfile, BeatsFromNowOn) {
  SKIP_WITHOUT_COUNTERS();
  Send(100);
  const Result<ProfileHandle> handle = profiler().Start(kOut, kBeats);
  ASSERT_TRUE(handle.ok()) << Text(handle.status);
  EXPECT_EQ(profiler().Read(handle.value).value, 0u);
  const size_t before = sent().size();
  Send(333);
  Send(1);
  EXPECT_EQ(profiler().Read(handle.value).value, sent().size() - before);
  ASSERT_TRUE(profiler().Stop(handle.value).ok());
  EXPECT_EQ(profiler().Read(handle.value).status.reason(), Reason::handle_invalid);
}

TEST_P(RtlProfile, CyclesUpToSoManyBytes) {
  SKIP_WITHOUT_COUNTERS();
  Send(64);  // what was before does not count
  const size_t first = sent().size();
  const Result<ProfileHandle> handle = profiler().Start(kOut, kToBytes, 200);
  ASSERT_TRUE(handle.ok()) << Text(handle.status);
  Send(150);
  Send(150);
  size_t last = first, bytes = 0;
  while (bytes < 200) bytes += sent().at(last++).count;
  EXPECT_EQ(profiler().Read(handle.value).value, sent()[last - 1].cycle - sent()[first].cycle);
}

TEST_P(RtlProfile, CyclesBetweenTheFirstBeatsOfTwoStreams) {
  SKIP_WITHOUT_COUNTERS();
  const Result<ProfileHandle> handle = profiler().Start(kIn, kOut, kDifference);
  ASSERT_TRUE(handle.ok()) << Text(handle.status);
  const size_t in = board().bench().source(0).beats().size(), out = sent().size();
  EXPECT_EQ(profiler().Read(handle.value).value, 0u);  // neither
  Receive(40);
  EXPECT_EQ(profiler().Read(handle.value).value, 0u);  // not yet both
  Send(40);
  EXPECT_EQ(profiler().Read(handle.value).value,
            sent().at(out).cycle - board().bench().source(0).beats().at(in).cycle);
}

TEST_P(RtlProfile, CyclesInWhichTheChannelHadWork) {
  SKIP_WITHOUT_COUNTERS();
  const Result<ProfileHandle> handle = profiler().Start(kOut, kRunning);
  ASSERT_TRUE(handle.ok()) << Text(handle.status);
  const size_t first = sent().size();
  Send(512);
  const uint64_t cycles = profiler().Read(handle.value).value;
  EXPECT_GE(cycles, sent().back().cycle - sent().at(first).cycle + 1);
  board().Pass(500);
  EXPECT_EQ(profiler().Read(handle.value).value, cycles);  // idle cycles do not count
}

TEST_P(RtlProfile, HandlesRunOutAndAnExclusiveQuestionWaits) {
  SKIP_WITHOUT_COUNTERS();
  ProfileHandle handles[4];
  for (ProfileHandle& handle : handles) handle = profiler().Start(kIn, kBeats).value;
  EXPECT_EQ(profiler().Start(kIn, kBeats).status.reason(), Reason::no_handle);
  EXPECT_TRUE(profiler().Stop(handles[2]).ok());
  // It would clear the counters under the others.
  EXPECT_EQ(profiler().Start(kOut, kToBytes, 8).status.reason(), Reason::no_handle);
  for (const int n : {3, 1, 0}) {
    EXPECT_EQ(profiler().Start(kOut, kToBytes, 8).status.reason(), Reason::no_handle) << n;
    EXPECT_TRUE(profiler().Stop(handles[n]).ok());
  }
  EXPECT_TRUE(profiler().Start(kOut, kToBytes, 8).ok());
}

TEST_P(RtlProfile, CountsOfAChannel) {
  if (!Counts()) {
    EXPECT_EQ(ReadCounts(device(), kOut).status.reason(), Reason::no_counters);
    return;
  }
  Task task(reader(), descriptors());
  ASSERT_TRUE(task.Configure(Copy(0x1000, 256, build())).ok());
  device().ClearCounters();
  ASSERT_TRUE(task.Start({.repeats = 3}).ok());
  ASSERT_TRUE(task.Await().ok());
  board().Pass(50);
  device().FreezeCounters(true);
  const Result<ChannelCounts> counts = ReadCounts(device(), kOut);
  ASSERT_TRUE(counts.ok());
  EXPECT_EQ(counts.value.bytes, 768u);
  EXPECT_EQ(counts.value.transfers, 3u);
  EXPECT_EQ(counts.value.packets, 3u);
  EXPECT_EQ(counts.value.beats, 768u / static_cast<uint32_t>(config().channel.stream_bytes));
  EXPECT_GE(counts.value.bursts, 3u);
  EXPECT_GT(counts.value.busy, counts.value.memory);
  EXPECT_GT(counts.value.memory, 0u);
  EXPECT_EQ(counts.value.lock, 0u);
  device().FreezeCounters(false);
  Receive(64);
  EXPECT_EQ(ReadCounts(device(), kIn).value.bytes, 64u);
  const auto none = static_cast<uint8_t>(config().reads);
  EXPECT_EQ(ReadCounts(device(), {Direction::kToStream, none}).status,
            Status(Reason::channel_number, none));
}

TEST_P(RtlProfile, ABuildWithoutCountersSaysSo) {
  if (Counts()) GTEST_SKIP() << "the build has counters";
  DeviceCounters<BoardBus> counters(device());
  Profiler<BoardBus, DeviceCounters<BoardBus>> without(device(), counters);
  EXPECT_EQ(without.Start(kOut, kBeats).status, Status(Reason::no_counters));
}

INSTANTIATE_TEST_SUITE_P(Builds, RtlProfile, EveryBuild(), BuildName);

}  // namespace
}  // namespace tessera::driver
