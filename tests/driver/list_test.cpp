// Arrays and rings beyond their everyday: errors of a ring with entries, tasks that have ended,
// headers that choose descriptors, memory at the end of the address space.
#include "tests/driver/fixture.h"

namespace tessera::driver {
namespace {

constexpr uint64_t kBus = 0x4000'0000;
constexpr uint32_t kPlaces = 4;

mock::Config OutOfOrder() {
  mock::Config config;
  config.features |= registers::global_block::CapFeatures::kOutOfOrderMask;
  return config;
}

class ListTest : public DriverTest {
 protected:
  explicit ListTest(const mock::Config& config = {}) : DriverTest(config) {}

  // What the device sees of the places.
  void Share() {
    for (size_t n = 0; n < sizeof(places); ++n) {
      mock.memory().Write(kBus + n, reinterpret_cast<const uint8_t*>(places)[n]);
    }
  }
  Status StartWithEntries(DescriptorRing<MockChannel>& ring) {
    return ring.Start(places, kBus, kPlaces, entries, kBus + 0x1000);
  }
  // As the device writes it.
  void WriteEntry(uint32_t number, uint32_t status) {
    const uint32_t phase = number / kPlaces % 2 == 0 ? 1u << 31 : 0;
    entries[4 * (number % kPlaces) + 3] = phase | status;
  }

  alignas(64) uint32_t places[16 * kPlaces] = {};
  alignas(64) uint32_t entries[4 * kPlaces] = {};
};

class OutOfOrderListTest : public ListTest {
 protected:
  OutOfOrderListTest() : ListTest(OutOfOrder()) {}
};

// The hardware refuses a list then, and its ticket would never come back.
TEST_F(OutOfOrderListTest, AListIsRefusedWhileHeadersChoose) {
  const Descriptor list[2];
  DescriptorArray<MockChannel> array(writer);
  DescriptorRing<MockChannel> ring(writer);
  ASSERT_TRUE(array.Configure(places, kBus, list, 2).ok());
  ASSERT_TRUE(writer.HeadersChoose(true).ok());
  mock.ClearLog();
  EXPECT_EQ(array.Start().status.reason(), Reason::headers_choose);
  EXPECT_EQ(array.Start(1, 5).status.reason(), Reason::headers_choose);
  EXPECT_EQ(ring.Start(places, kBus, kPlaces).reason(), Reason::headers_choose);
  EXPECT_EQ(writer.PushWord(registers::channel::Task::kFromListMask).status.reason(),
            Reason::headers_choose);
  EXPECT_TRUE(Writes().empty());
  EXPECT_EQ(writer.outstanding(), 0u);
  ASSERT_TRUE(writer.HeadersChoose(false).ok());
  EXPECT_TRUE(array.Start().ok());
  EXPECT_TRUE(writer.Abort().ok());
}

TEST_F(ListTest, AFullRingWithEntriesMakesRoomForRecords) {
  DescriptorRing<MockChannel> ring(reader);
  ASSERT_TRUE(StartWithEntries(ring).ok());
  for (uint32_t n = 0; n < kPlaces; ++n) {
    mock.FailNext(0, registers::entry::Status::kSlverrMask);
    ASSERT_TRUE(ring.Add(Descriptor().Base(0x1000).Dim(0, 8, 1)).ok()) << n;
    Share();
    ring.Ring();
    for (int step = 0; step < 20; ++step) mock.Step();
  }
  ASSERT_NE(device.Read(registers::ReadAddress(0) + registers::channel::Record::kOffset) &
                registers::channel::Record::kValidMask,
            0u);
  EXPECT_EQ(ring.Add(Descriptor()).reason(), Reason::ring_full);
  EXPECT_EQ(device.Read(registers::ReadAddress(0) + registers::channel::Record::kOffset) &
                registers::channel::Record::kValidMask,
            0u);
  EXPECT_TRUE(ring.Stop().ok());
}

// Its last descriptor has no record that would end the ticket.
TEST_F(ListTest, AStopOfTheChannelLeavesNoTicketOfARing) {
  DescriptorRing<MockChannel> ring(reader);
  ASSERT_TRUE(StartWithEntries(ring).ok());
  ASSERT_TRUE(reader.Pause().ok());
  ASSERT_TRUE(ring.Add(Descriptor().Base(0x1000).Dim(0, 8, 1)).ok());
  Share();
  ring.Ring();
  ASSERT_TRUE(reader.Stop().ok());  // ends the pause: the descriptor is the last one
  EXPECT_EQ(mock.executed(0).size(), 1u);
  EXPECT_EQ(reader.outstanding(), 0u);
  EXPECT_EQ(ring.Add(Descriptor()).reason(), Reason::transfer_aborted);
  ASSERT_TRUE(ring.Stop().ok());
  EXPECT_TRUE(StartWithEntries(ring).ok());
  EXPECT_TRUE(ring.Stop().ok());
}

TEST_F(ListTest, ARingThatWasNeverStartedTouchesNothing) {
  DescriptorRing<MockChannel> ring(reader);
  ring.Ring();
  EXPECT_EQ(ring.waiting(), 0u);
  EXPECT_EQ(ring.Stop().reason(), Reason::not_configured);
  EXPECT_EQ(Writes().size() + Reads(), 0u);
}

// Another list has the registers of the channel, and its task is under way.
TEST_F(ListTest, ARingWhoseTaskHasEndedTouchesNoOther) {
  DescriptorRing<MockChannel> old(reader), ring(reader);
  ASSERT_TRUE(old.Start(places, kBus, kPlaces).ok());
  ASSERT_TRUE(old.Add(Descriptor()).ok());
  ASSERT_TRUE(reader.Abort().ok());
  ASSERT_TRUE(ring.Start(places, kBus, kPlaces).ok());
  for (int n = 0; n < 3; ++n) mock.Step();
  mock.ClearLog();
  old.Ring();
  EXPECT_EQ(old.waiting(), 0u);
  EXPECT_TRUE(old.Stop().ok());
  EXPECT_EQ(Writes().size() + Reads(), 0u);
  EXPECT_EQ(reader.outstanding(), 1u);
  EXPECT_TRUE(ring.Add(Descriptor()).ok());
  EXPECT_TRUE(ring.Stop().ok());
}

// The last place may end with the address space, and no byte behind it.
TEST_F(ListTest, AListEndsInTheAddressSpace) {
  const Descriptor list[2];
  DescriptorArray<MockChannel> array(reader);
  EXPECT_EQ(array.Configure(places, ~uint64_t{63}, list, 2).reason(), Reason::list_base);
  DescriptorRing<MockChannel> ring(reader);
  EXPECT_EQ(ring.Start(places, ~uint64_t{127}, kPlaces).reason(), Reason::list_base);
  EXPECT_EQ(ring.Start(places, kBus, 8, entries, ~uint64_t{63}).reason(), Reason::list_base);
  EXPECT_TRUE(Writes().empty());
  EXPECT_TRUE(array.Configure(places, ~uint64_t{127}, list, 2).ok());
  EXPECT_TRUE(ring.Start(places, kBus, kPlaces, entries, ~uint64_t{63}).ok());
  EXPECT_TRUE(ring.Stop().ok());
}

class NarrowListTest : public ListTest {
 protected:
  static mock::Config Config() {
    mock::Config config;
    config.address_bits = 32;
    return config;
  }
  NarrowListTest() : ListTest(Config()) {}
};

TEST_F(NarrowListTest, AListEndsInTheAddressSpace) {
  DescriptorRing<MockChannel> ring(reader);
  EXPECT_EQ(ring.Start(places, 0xffff'ff40, kPlaces).reason(), Reason::list_base);
  EXPECT_EQ(ring.Start(places, kBus, 8, entries, 0xffff'ffc0).reason(), Reason::list_base);
  EXPECT_TRUE(Writes().empty());
  EXPECT_TRUE(ring.Start(places, 0xffff'ff00, kPlaces, entries, 0xffff'ffc0).ok());
  EXPECT_TRUE(ring.Stop().ok());
}

TEST_F(ListTest, AConfigureThatIsRefusedLeavesAGoodArray) {
  const Descriptor list[2];
  const Descriptor bad[1] = {Descriptor().Element(9)};
  DescriptorArray<MockChannel> array(reader);
  ASSERT_TRUE(array.Configure(places, kBus, list, 2).ok());
  Share();
  EXPECT_EQ(array.Configure(places, kBus, bad, 1), Status(Reason::element_size, 0));
  EXPECT_EQ(array.Configure(places, kBus + 8, list, 2).reason(), Reason::list_base);
  EXPECT_TRUE(array.Start().ok());
  EXPECT_EQ(array.Configure(places, kBus, list, 2).reason(), Reason::task_running);
  EXPECT_TRUE(reader.Abort().ok());
  EXPECT_TRUE(array.Start().ok());
  EXPECT_TRUE(reader.Abort().ok());
}

}  // namespace
}  // namespace tessera::driver
