// A channel whose device was reset, that has no room for records, or that the build does not have;
// counters that move while they are read.
#include <memory>

#include "tests/driver/fixture.h"

namespace tessera::driver {
namespace {

class ChannelTest : public DriverTest {
 protected:
  // What is outside the driver resets the device, and the program opens it again.
  void ResetDevice(MockChannel& channel) {
    std::destroy_at(&mock);
    std::construct_at(&this->mock, tessera::mock::Config());
    ASSERT_TRUE(device.Open().ok());
    ASSERT_TRUE(channel.Open().ok());
  }
};

TEST_F(ChannelTest, TicketsOfBeforeAResetOfTheDeviceAreLost) {
  Task<MockChannel> task(writer, pool);  // waits for a stream that does not come
  ASSERT_TRUE(task.Configure(Copy(0x1000, 8, device.build())).ok());
  ASSERT_TRUE(task.Start().ok());
  const uint32_t ticket = task.Start().value;
  ResetDevice(writer);
  EXPECT_EQ(writer.outstanding(), 0u);
  const Result<Completion> lost = writer.Collect(ticket);
  EXPECT_EQ(lost.status.reason(), Reason::transfer_aborted);
  EXPECT_TRUE(lost.value.lost);
  ASSERT_TRUE(task.Configure(Copy(0x1000, 8, device.build())).ok());
  mock.Offer(0, Counting(8));
  ASSERT_TRUE(task.Start().ok());
  EXPECT_TRUE(task.Await().ok());
}

// An abort that did not end is over with the device.
TEST_F(ChannelTest, AnAbortOfBeforeAResetOfTheDeviceIsForgotten) {
  Task<MockChannel> task(writer, pool);
  const auto copy = Copy(0x1000, 8, device.build());
  ASSERT_TRUE(task.Configure(copy).ok());
  ASSERT_TRUE(task.Start().ok());
  mock.Freeze(16);
  ASSERT_EQ(writer.Abort(Timeout::Turns(10)).reason(), Reason::timeout);
  ResetDevice(writer);
  EXPECT_EQ(writer.outstanding(), 0u);
  ASSERT_TRUE(task.Configure(copy).ok());
  mock.Offer(0, Counting(8));
  ASSERT_TRUE(task.Start().ok());
  EXPECT_TRUE(task.Await().ok());
}

// What has no clock may read as 0 throughout.
TEST_F(ChannelTest, AResetEndsWhateverReadsAre) {
  struct Silent {
    static uint32_t read32(uint32_t) { return 0; }
    static void write32(uint32_t, uint32_t) {}
    static void barrier() {}
  } silent;
  Device<Silent> none(silent);
  Channel<Silent> channel(none, Direction::kToStream, 0);
  EXPECT_EQ(channel.Reset(Timeout::Turns(10)).reason(), Reason::timeout);
}

TEST_F(ChannelTest, ControlOfBeforeAResetOfTheDeviceIsForgotten) {
  ASSERT_TRUE(reader.StopOn(registers::entry::Status::kSlverrMask).ok());
  ASSERT_TRUE(reader.Pause().ok());
  ResetDevice(reader);
  mock.ClearLog();
  ASSERT_TRUE(reader.StopOn(0).ok());
  EXPECT_EQ(Writes().back().value, 0u);  // the pause is over
  ResetDevice(reader);
  ASSERT_TRUE(reader.StopOn(registers::entry::Status::kSlverrMask).ok());
  ResetDevice(reader);
  reader.Resume();
  EXPECT_EQ(Writes().back().value, 0u);
}

// What the channel itself has set stays, and does not keep it out.
TEST_F(ChannelTest, OpenBehindAResetKeepsWhatIsItsOwn) {
  constexpr uint32_t kStop = registers::Bits<registers::channel::Control::kStopOnMask>(1);
  ASSERT_TRUE(reader.StopOn(registers::entry::Status::kSlverrMask).ok());
  ASSERT_TRUE(reader.Reset().ok());
  MockChannel other(device, Direction::kToStream, 0);
  EXPECT_EQ(other.Open().reason(), Reason::channel_in_use);
  ASSERT_TRUE(reader.Open().ok());
  ASSERT_TRUE(reader.Pause().ok());
  EXPECT_EQ(Writes().back().value, kStop | registers::channel::Control::kPauseMask);
}

TEST_F(ChannelTest, AShadowOfBeforeAResetOfTheDeviceIsVoid) {
  Task<MockChannel, 1, true> task(reader, pool);
  const Descriptor d = Descriptor().Base(0x1000).Dim(0, 8, 1);
  ASSERT_TRUE(task.Run(d).ok());
  ResetDevice(reader);
  mock.ClearLog();
  ASSERT_TRUE(task.Configure(d).ok());
  EXPECT_EQ(Writes().size(), 16u);
  ASSERT_TRUE(task.Start().ok());
  EXPECT_TRUE(task.Await().ok());
}

TEST_F(ChannelTest, AListOfBeforeAResetOfTheDeviceIsConfiguredAnew) {
  alignas(64) static uint32_t places[16 * 2];
  const Descriptor list[2];
  DescriptorArray<MockChannel> array(reader);
  ASSERT_TRUE(array.Configure(places, 0x4000, list, 2).ok());
  ResetDevice(reader);
  EXPECT_EQ(array.Start().status.reason(), Reason::not_configured);
  EXPECT_TRUE(array.Configure(places, 0x4000, list, 2).ok());
}

TEST_F(ChannelTest, DrainTakesTheRecordsThatWhatRunsNeedsRoomFor) {
  Task<MockChannel> task(reader, pool);
  ASSERT_TRUE(task.Configure(Copy(0x1000, 8, device.build())).ok());
  ASSERT_TRUE(task.Start({.endless = true}).ok());
  for (int n = 0; n < 100; ++n) mock.Step();  // nobody takes records meanwhile
  ASSERT_EQ(reader.StatusWord() & registers::channel::Status::kIdleMask, 0u);
  EXPECT_TRUE(reader.Drain(Timeout::Turns(100)).ok());
  EXPECT_EQ(reader.transfers(), mock.executed(0).size());
  reader.Resume();
  EXPECT_TRUE(reader.Stop().ok());
}

// A build with counters, of which the bytes go on with every access.
class CountingBus {
 public:
  explicit CountingBus(uint64_t bytes) : bytes_(bytes) {}
  uint32_t read32(uint32_t offset) {
    ++bytes_;
    if (offset == registers::global_block::GlobalControl::kOffset) return control;
    if (offset == kBytes) return static_cast<uint32_t>(bytes_);
    if (offset == kBytes + 4) return static_cast<uint32_t>(bytes_ >> 32);
    uint32_t value = 0;
    if (offset < 0x18) mock_.Read32(offset, value);
    return value;
  }
  void write32(uint32_t offset, uint32_t) { written.push_back(offset); }
  void barrier() {}

  uint32_t control = 0;
  std::vector<uint32_t> written;

 private:
  static constexpr uint32_t kBytes =
      registers::ReadCountAddress(0) + registers::counter::BytesLow::kOffset;
  static mock::Config Config() {
    mock::Config config;
    config.features |= registers::global_block::CapFeatures::kCountersMask;
    return config;
  }
  MockDevice mock_{Config()};
  uint64_t bytes_;
};

TEST(Counts, BytesAreRightWhereTheirLowHalfWraps) {
  for (uint64_t before = 0; before < 40; ++before) {
    const uint64_t begin = (uint64_t{8} << 32) - before;
    CountingBus bus(begin);
    Device device(bus);
    ASSERT_TRUE(device.Open().ok());
    const uint64_t bytes = ReadCounts(device, {Direction::kToStream, 0}).value.bytes;
    EXPECT_GE(bytes, begin) << before;
    EXPECT_LT(bytes, begin + 40) << before;
  }
}

// Questions that clear the counters need a register that can be written.
TEST(Counts, AQuestionThatClearsThemIsRefusedWhileTheRegisterIsLocked) {
  CountingBus bus(0);
  Device device(bus);
  ASSERT_TRUE(device.Open().ok());
  bus.control = registers::global_block::GlobalControl::kLockMask;
  DeviceCounters counters(device);
  Profiler profiler(device, counters);
  const StreamPort a{Direction::kToStream, 0}, b{Direction::kFromStream, 0};
  EXPECT_EQ(
      profiler.Start(a, ProfileOption::kStreamStartToBytesTransferredCycles, 9).status.reason(),
      Reason::register_locked);
  EXPECT_EQ(profiler.Start(a, b, ProfileOption::kStreamStartDifferenceCycles).status.reason(),
            Reason::register_locked);
  EXPECT_TRUE(bus.written.empty());
  EXPECT_TRUE(profiler.Start(a, ProfileOption::kStreamRunningEventCount).ok());
  bus.control = 0;
  DeviceCounters others(device);
  Profiler other(device, others);
  EXPECT_TRUE(other.Start(a, b, ProfileOption::kStreamStartDifferenceCycles).ok());
  EXPECT_EQ(bus.written, std::vector<uint32_t>{registers::global_block::GlobalControl::kOffset});
}

}  // namespace
}  // namespace tessera::driver
