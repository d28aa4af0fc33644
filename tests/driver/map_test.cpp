// The offsets that the driver uses are those of the generated registers.
#include "sw/driver/tessera/map.hpp"

#include <gtest/gtest.h>

#include "sw/driver/tessera/registers.hpp"

namespace tessera::driver {
namespace {

TEST(Map, AgreesWithTheRegisters) {
  namespace r = tessera::registers;
  EXPECT_EQ(map::kSpan, r::kSpan);
  EXPECT_EQ(map::kIdValue, r::kIdentity);
  EXPECT_EQ(map::kReadChannels + 3 * map::kChannelPitch, r::ReadAddress(3));
  EXPECT_EQ(map::kWriteChannels + 3 * map::kChannelPitch, r::WriteAddress(3));
  EXPECT_EQ(map::kLocks + 5 * map::kLockPitch, r::LockAddress(5));
  EXPECT_EQ(map::kLockAcquire + 5 * map::kLockAcquirePitch, r::AcquireAddress(5));
  EXPECT_EQ(map::kWindows + 17 * map::kWindowChannelPitch + 3 * map::kWindowPitch,
            r::WindowAddress(17, 3));
  EXPECT_EQ(map::kDescriptors + 7 * map::kDescriptorPitch, r::DescriptorAddress(7));
  EXPECT_EQ(map::kBounds + 7 * map::kDescriptorPitch, r::BoundsAddress(7));
  EXPECT_EQ(map::kWalks + 7 * map::kDescriptorPitch, r::WalkAddress(7));
  EXPECT_EQ(map::kCapFeatures, r::global_block::CapFeatures::kOffset);
  EXPECT_EQ(map::kGlobalControl, r::global_block::GlobalControl::kOffset);
  EXPECT_EQ(map::kIrqChannels, r::global_block::IrqChannels::kOffset);
  EXPECT_EQ(map::kCyclesLow, r::global_block::CyclesLow::kOffset);
  EXPECT_EQ(map::kSoftTrigger, r::global_block::Fire::kOffset);
  EXPECT_EQ(map::kControl, r::channel::Control::kOffset);
  EXPECT_EQ(map::kStatus, r::channel::Status::kOffset);
  EXPECT_EQ(map::kTask, r::channel::Task::kOffset);
  EXPECT_EQ(map::kTag, r::channel::Tag::kOffset);
  EXPECT_EQ(map::kError, r::channel::Error::kOffset);
  EXPECT_EQ(map::kErrorInfo, r::channel::ErrorInfo::kOffset);
  EXPECT_EQ(map::kIrqStatus, r::channel::IrqStatus::kOffset);
  EXPECT_EQ(map::kCoalesce, r::channel::Coalesce::kOffset);
  EXPECT_EQ(map::kStanding, r::channel::Standing::kOffset);
  EXPECT_EQ(map::kRecord, r::channel::Record::kOffset);
  EXPECT_EQ(map::kRecordBytes, r::channel::RecordBytesLow::kOffset);
  EXPECT_EQ(map::kRecordTag, r::channel::RecordTag::kOffset);
  EXPECT_EQ(map::kRecordPop, r::channel::RecordPop::kOffset);
  EXPECT_EQ(map::kListBase, 0x80 + r::list::BaseLow::kOffset);
  EXPECT_EQ(map::kListTail, 0x80 + r::list::Tail::kOffset);
  EXPECT_EQ(map::kListHead, 0x80 + r::list::Head::kOffset);
  EXPECT_EQ(4 * map::kWordControl, r::descriptor::Flags::kOffset);
  EXPECT_EQ(4 * map::kBoundsMask, r::bounds::Bounded::kOffset);
  EXPECT_EQ(4 * map::kWalkDims, r::walk::Dimensions::kOffset);
}

}  // namespace
}  // namespace tessera::driver
