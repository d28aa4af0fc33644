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

TEST_F(ChannelTest, DrainTakesTheRecordsThatWhatRunsNeedsRoomFor) {
  Task<MockChannel> task(reader, pool);
  ASSERT_TRUE(task.Configure(Copy(0x1000, 8, device.build())).ok());
  ASSERT_TRUE(task.Start({.endless = true}).ok());
  for (int n = 0; n < 100; ++n) mock.Step();  // nobody takes records meanwhile
  ASSERT_EQ(reader.StatusWord() & map::kStatusIdle, 0u);
  EXPECT_TRUE(reader.Drain(Timeout::Turns(100)).ok());
  EXPECT_EQ(reader.transfers(), mock.executed(0).size());
  reader.Resume();
  EXPECT_TRUE(reader.Stop().ok());
}

}  // namespace
}  // namespace tessera::driver
