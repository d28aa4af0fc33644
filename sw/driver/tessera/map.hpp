// The names that the driver has for what registers.hpp says of the registers of tessera_dma.
//
// No offset and no field stands here: they are those of the generated header. Whoever needs another
// access to the registers than this driver may include it alone.
#pragma once

#include <stdint.h>

#include "registers.hpp"

namespace tessera::driver::map {

inline constexpr uint32_t kSpan = registers::kSpan;  // bytes of the register port

// Global registers.
inline constexpr uint32_t kId = registers::global_block::Id::kOffset;
inline constexpr uint32_t kVersion = registers::global_block::Version::kOffset;
inline constexpr uint32_t kCapChannels = registers::global_block::CapChannels::kOffset;
inline constexpr uint32_t kCapBus = registers::global_block::CapBus::kOffset;
inline constexpr uint32_t kCapTasks = registers::global_block::CapTasks::kOffset;
inline constexpr uint32_t kCapFeatures = registers::global_block::CapFeatures::kOffset;
inline constexpr uint32_t kCapTime = registers::global_block::CapTime::kOffset;
inline constexpr uint32_t kScratch = registers::global_block::Scratch::kOffset;
inline constexpr uint32_t kGlobalControl = registers::global_block::GlobalControl::kOffset;
inline constexpr uint32_t kGlobalStatus = registers::global_block::GlobalStatus::kOffset;
inline constexpr uint32_t kIrqChannels = registers::global_block::IrqChannels::kOffset;
inline constexpr uint32_t kCyclesLow = registers::global_block::CyclesLow::kOffset;
inline constexpr uint32_t kCyclesHigh = registers::global_block::CyclesHigh::kOffset;
inline constexpr uint32_t kSoftTrigger = registers::global_block::Fire::kOffset;
inline constexpr uint32_t kErrChannels = registers::global_block::ErrChannels::kOffset;
inline constexpr uint32_t kLockOver = registers::global_block::LockOverLow::kOffset;
inline constexpr uint32_t kLockUnder = registers::global_block::LockUnderLow::kOffset;
inline constexpr uint32_t kIdValue = registers::kIdentity;  // "TSRA"
inline constexpr uint32_t kGlobalQuiesce = registers::global_block::GlobalControl::kQuiesceMask;
inline constexpr uint32_t kGlobalIrqEnable = registers::global_block::GlobalControl::kIrqEnableMask;
inline constexpr uint32_t kGlobalFreeze = registers::global_block::GlobalControl::kFreezeMask;
inline constexpr uint32_t kGlobalClear = registers::global_block::GlobalControl::kClearMask;
inline constexpr uint32_t kGlobalPatience = registers::global_block::GlobalControl::kPatienceMask;
inline constexpr uint32_t kGlobalPatienceShift =
    registers::global_block::GlobalControl::kPatienceShift;
inline constexpr uint32_t kGlobalLock = registers::global_block::GlobalControl::kLockMask;
inline constexpr uint32_t kGlobalQuiet = registers::global_block::GlobalStatus::kQuietMask;
inline constexpr uint32_t kGlobalMisrouted = registers::global_block::GlobalStatus::kMisroutedMask;
inline constexpr uint32_t kGlobalTimedOut = registers::global_block::GlobalStatus::kTimedOutMask;

// GLOBAL_IRQ_ENABLE and GLOBAL_IRQ_STATUS: causes that belong to no channel.
inline constexpr uint32_t kCausesEnable = registers::global_block::GlobalIrqEnable::kOffset;
inline constexpr uint32_t kCapOnChip = registers::global_block::CapOnchip::kOffset;
inline constexpr uint32_t kOnChipBase = registers::global_block::OnchipBase::kOffset;
inline constexpr uint32_t kOnChipConflicts = registers::global_block::OnchipConflicts::kOffset;
inline constexpr uint32_t kOnChipErrors = registers::global_block::OnchipErrors::kOffset;
inline constexpr uint32_t kOnChipTest = registers::global_block::OnchipTest::kOffset;
inline constexpr uint32_t kCauses = registers::global_block::GlobalIrqStatus::kOffset;
inline constexpr uint32_t kCauseQuiet = registers::global_block::GlobalIrqStatus::kQuietMask;
inline constexpr uint32_t kCauseTimedOut = registers::global_block::GlobalIrqStatus::kTimedOutMask;
inline constexpr uint32_t kCauseStartRefused =
    registers::global_block::GlobalIrqStatus::kStartRefusedMask;
inline constexpr uint32_t kCauseMisrouted =
    registers::global_block::GlobalIrqStatus::kMisroutedMask;
inline constexpr uint32_t kCauseStray = registers::global_block::GlobalIrqStatus::kStrayMask;
inline constexpr uint32_t kCausePacket = registers::global_block::GlobalIrqStatus::kPacketMask;
inline constexpr uint32_t kCauseSaturated =
    registers::global_block::GlobalIrqStatus::kSaturatedMask;

// A word of the on-chip buffer is lost.
inline constexpr uint32_t kCauseLost = registers::global_block::GlobalIrqStatus::kLostMask;

// Features of kCapFeatures.
inline constexpr uint32_t kFeatureWalk = registers::global_block::CapFeatures::kWalkMask;
inline constexpr uint32_t kFeatureBounds = registers::global_block::CapFeatures::kBoundsMask;
inline constexpr uint32_t kFeatureGuard = registers::global_block::CapFeatures::kGuardMask;
inline constexpr uint32_t kFeatureCounters = registers::global_block::CapFeatures::kCountersMask;
inline constexpr uint32_t kFeatureLists = registers::global_block::CapFeatures::kFromListMask;
inline constexpr uint32_t kFeatureTokens = registers::global_block::CapFeatures::kTokensMask;
inline constexpr uint32_t kFeatureHeaders =
    registers::global_block::CapFeatures::kPacketHeadersMask;
inline constexpr uint32_t kFeatureOutOfOrder =
    registers::global_block::CapFeatures::kOutOfOrderMask;
inline constexpr uint32_t kFeatureRouting = registers::global_block::CapFeatures::kDestRoutingMask;
inline constexpr uint32_t kFeatureSide = registers::global_block::CapFeatures::kSideMask;
inline constexpr uint32_t kFeatureTriggers = registers::global_block::CapFeatures::kTriggersMask;
inline constexpr uint32_t kFeatureOnChip = registers::global_block::CapFeatures::kOnchipMask;
inline constexpr uint32_t kFeatureWindows = registers::global_block::CapFeatures::kWindowsMask;
inline constexpr uint32_t kFeatureControlHeaded =
    registers::global_block::CapFeatures::kControlHeadedMask;
inline constexpr uint32_t kFeatureControlIncrements =
    registers::global_block::CapFeatures::kControlIncrementsMask;

// Areas, and the pitch of what is in them.
inline constexpr uint32_t kReadChannels = registers::ReadAddress(0);
inline constexpr uint32_t kWriteChannels = registers::WriteAddress(0);
inline constexpr uint32_t kChannelPitch = registers::ReadAddress(1) - registers::ReadAddress(0);
inline constexpr uint32_t kLocks = registers::LockAddress(0);
inline constexpr uint32_t kLockPitch = registers::LockAddress(1) - registers::LockAddress(0);
inline constexpr uint32_t kLockRelease = registers::lock::Release::kOffset;
inline constexpr uint32_t kLockAcquire =
    registers::AcquireAddress(0);  // + kLockAcquirePitch * lock + 4 * value
inline constexpr uint32_t kLockAcquirePitch =
    registers::AcquireAddress(1) - registers::AcquireAddress(0);
inline constexpr uint32_t kWindows = registers::WindowAddress(0, 0);
inline constexpr uint32_t kWindowChannelPitch =
    registers::WindowAddress(1, 0) - registers::WindowAddress(0, 0);
inline constexpr uint32_t kWindowPitch =
    registers::WindowAddress(0, 1) - registers::WindowAddress(0, 0);
inline constexpr uint32_t kDescriptors = registers::DescriptorAddress(0);
inline constexpr uint32_t kBounds = registers::BoundsAddress(0);
inline constexpr uint32_t kWalks = registers::WalkAddress(0);
inline constexpr uint32_t kDescriptorPitch =
    registers::DescriptorAddress(1) - registers::DescriptorAddress(0);
inline constexpr uint32_t kIterations = registers::TurnAddress();

// Registers of a channel.
inline constexpr uint32_t kControl = registers::channel::Control::kOffset;
inline constexpr uint32_t kStatus = registers::channel::Status::kOffset;
inline constexpr uint32_t kTask = registers::channel::Task::kOffset;
inline constexpr uint32_t kTag = registers::channel::Tag::kOffset;
inline constexpr uint32_t kTrigger = registers::channel::Trigger::kOffset;
inline constexpr uint32_t kCurrent = registers::channel::Current::kOffset;
inline constexpr uint32_t kError = registers::channel::Error::kOffset;
inline constexpr uint32_t kErrorAll = registers::channel::Error::kWritable;
inline constexpr uint32_t kErrorAborted = registers::channel::Error::kAbortedMask;
inline constexpr uint32_t kErrorInfo = registers::channel::ErrorInfo::kOffset;
inline constexpr uint32_t kErrorAddr = registers::channel::ErrorAddrLow::kOffset;
inline constexpr uint32_t kIrqEnable = registers::channel::IrqEnable::kOffset;
inline constexpr uint32_t kIrqStatus = registers::channel::IrqStatus::kOffset;
inline constexpr uint32_t kCoalesce = registers::channel::Coalesce::kOffset;
inline constexpr uint32_t kStanding = registers::channel::Standing::kOffset;
inline constexpr uint32_t kStandingLock = registers::channel::Standing::kLockMask;
inline constexpr uint32_t kRecord = registers::channel::Record::kOffset;
inline constexpr uint32_t kRecordBytes = registers::channel::RecordBytesLow::kOffset;
inline constexpr uint32_t kRecordDropped = registers::channel::RecordDroppedLow::kOffset;
inline constexpr uint32_t kRecordTag = registers::channel::RecordTag::kOffset;
inline constexpr uint32_t kRecordSide = registers::channel::RecordSide::kOffset;
inline constexpr uint32_t kRecordStamp = registers::channel::RecordStamp::kOffset;
inline constexpr uint32_t kRecordAddr = registers::channel::RecordAddrLow::kOffset;
inline constexpr uint32_t kRecordPop = registers::channel::RecordPop::kOffset;
inline constexpr uint32_t kList = registers::ReadListAddress(0) - registers::ReadAddress(0);
inline constexpr uint32_t kListBase = kList + registers::list::BaseLow::kOffset;
inline constexpr uint32_t kListCount = kList + registers::list::Count::kOffset;
inline constexpr uint32_t kListTail = kList + registers::list::Tail::kOffset;
inline constexpr uint32_t kListHead = kList + registers::list::Head::kOffset;
inline constexpr uint32_t kListControl = kList + registers::list::Control::kOffset;
inline constexpr uint32_t kListDoneBase = kList + registers::list::DoneBaseLow::kOffset;
inline constexpr uint32_t kListStatus = kList + registers::list::Status::kOffset;

// LIST_CONTROL and LIST_STATUS.
inline constexpr uint32_t kListRing = registers::list::Control::kRingMask;
inline constexpr uint32_t kListEntries = registers::list::Control::kEntriesMask;
inline constexpr uint32_t kListPitchShift = registers::list::Control::kPitchShift;
inline constexpr uint32_t kListInterruptShift = registers::list::Control::kInterruptAfterShift;
inline constexpr uint32_t kListBusy = registers::list::Status::kBusyMask;

// CONTROL.
inline constexpr uint32_t kControlPause = registers::channel::Control::kPauseMask;
inline constexpr uint32_t kControlDrain = registers::channel::Control::kDrainMask;
inline constexpr uint32_t kControlAbort = registers::channel::Control::kAbortMask;
inline constexpr uint32_t kControlReset = registers::channel::Control::kResetMask;
inline constexpr uint32_t kControlGiveUp = registers::channel::Control::kGiveUpMask;
inline constexpr uint32_t kControlById = registers::channel::Control::kByIdMask;
inline constexpr uint32_t kControlStop = registers::channel::Control::kStopMask;
inline constexpr uint32_t kControlStopOnShift = registers::channel::Control::kStopOnShift;
inline constexpr uint32_t kControlLock = registers::channel::Control::kLockMask;

// STATUS.
inline constexpr uint32_t kStatusBusy = registers::channel::Status::kBusyMask;
inline constexpr uint32_t kStatusRunning = registers::channel::Status::kRunningMask;
inline constexpr uint32_t kStatusIdle = registers::channel::Status::kIdleMask;
inline constexpr uint32_t kStatusPaused = registers::channel::Status::kPausedMask;
inline constexpr uint32_t kStatusInReset = registers::channel::Status::kInResetMask;
inline constexpr uint32_t kStatusStuck = registers::channel::Status::kStuckMask;
inline constexpr uint32_t kStatusHalted = registers::channel::Status::kHaltedMask;
inline constexpr uint32_t kStatusFaulted = registers::channel::Status::kFaultedMask;
inline constexpr uint32_t kStatusNotAtRest = kStatusBusy | kStatusRunning | kStatusPaused |
                                             kStatusInReset | kStatusStuck | kStatusHalted |
                                             kStatusFaulted;
inline constexpr uint32_t kStatusRoomShift = registers::channel::Status::kRoomShift;
inline constexpr uint32_t kStatusRoomMask =
    registers::channel::Status::kRoomMask >> kStatusRoomShift;

// TASK.
inline constexpr uint32_t kTaskRepeatsShift = registers::channel::Task::kRepeatsShift;
inline constexpr uint32_t kTaskEndless = registers::channel::Task::kEndlessMask;
inline constexpr uint32_t kTaskToken = registers::channel::Task::kTokenMask;
inline constexpr uint32_t kTaskTrigger = registers::channel::Task::kTriggerMask;
inline constexpr uint32_t kTaskPaced = registers::channel::Task::kPacedMask;
inline constexpr uint32_t kTaskFromList = registers::channel::Task::kFromListMask;

// IRQ_ENABLE and IRQ_STATUS.
inline constexpr uint32_t kIrqTask = registers::channel::IrqStatus::kTaskDoneMask;
inline constexpr uint32_t kIrqTransfer = registers::channel::IrqStatus::kTransferMask;
inline constexpr uint32_t kIrqRecord = registers::channel::IrqStatus::kRecordMask;
inline constexpr uint32_t kIrqError = registers::channel::IrqStatus::kErrorMask;
inline constexpr uint32_t kIrqRoom = registers::channel::IrqStatus::kRoomMask;
inline constexpr uint32_t kIrqEntries = registers::channel::IrqStatus::kEntriesMask;
inline constexpr uint32_t kIrqReached = registers::channel::IrqStatus::kReachedMask;
inline constexpr uint32_t kIrqStuck = registers::channel::IrqStatus::kStuckMask;
inline constexpr uint32_t kIrqAll = registers::channel::IrqStatus::kWritable;

// RECORD.
inline constexpr uint32_t kRecordThere = registers::channel::Record::kValidMask;
inline constexpr uint32_t kRecordLast = registers::channel::Record::kLastMask;
inline constexpr uint32_t kRecordTaskEnd = registers::channel::Record::kTaskEndMask;
inline constexpr uint32_t kRecordStatusShift = registers::channel::Record::kStatusShift;
inline constexpr uint32_t kRecordStatusMask =
    registers::channel::Record::kStatusMask >> kRecordStatusShift;

// Status bits of a record.
inline constexpr uint32_t kRecordSlverr = 1u << 0;
inline constexpr uint32_t kRecordDecerr = 1u << 1;
inline constexpr uint32_t kRecordOverlong = 1u << 2;
inline constexpr uint32_t kRecordPartial = 1u << 3;
inline constexpr uint32_t kRecordSparse = 1u << 4;
inline constexpr uint32_t kRecordAborted = 1u << 5;
inline constexpr uint32_t kRecordIllegal = 1u << 6;

// Words of a descriptor.
inline constexpr uint32_t kWordCount = registers::descriptor::Count::kOffset / 4;
inline constexpr uint32_t kWordStride = registers::descriptor::Stride::kOffset / 4;
inline constexpr uint32_t kWordLength = registers::descriptor::Length::kOffset / 4;
inline constexpr uint32_t kWordStep = registers::descriptor::Iteration::kOffset / 4;
inline constexpr uint32_t kWordLock = registers::descriptor::Locks::kOffset / 4;
inline constexpr uint32_t kWordNext = registers::descriptor::Next::kOffset / 4;
inline constexpr uint32_t kWordSide = registers::descriptor::Side::kOffset / 4;
inline constexpr uint32_t kWordControl = registers::descriptor::Flags::kOffset / 4;
inline constexpr uint32_t kAcquireEnable = registers::descriptor::Locks::kAcquireMask;
inline constexpr uint32_t kHasNext = registers::descriptor::Next::kHasNextMask;
inline constexpr uint32_t kIterationSizeShift = registers::descriptor::Next::kTurnsShift;
inline constexpr uint32_t kHasLength = registers::descriptor::Flags::kHasLengthMask;
inline constexpr uint32_t kLastRuleShift = registers::descriptor::Flags::kLastRuleShift;
inline constexpr uint32_t kLastLevelShift = registers::descriptor::Flags::kLastLevelShift;
inline constexpr uint32_t kJoin = registers::descriptor::Flags::kJoinNextMask;
inline constexpr uint32_t kFinishOnLast = registers::descriptor::Flags::kFinishLastMask;
inline constexpr uint32_t kHeader = registers::descriptor::Flags::kHeaderMask;
inline constexpr uint32_t kInterrupt = registers::descriptor::Flags::kInterruptMask;
inline constexpr uint32_t kNoRecord = registers::descriptor::Flags::kNoRecordMask;
inline constexpr uint32_t kHasBounds = registers::descriptor::Flags::kHasBoundsMask;
inline constexpr uint32_t kHasWalk = registers::descriptor::Flags::kHasWalkMask;
inline constexpr uint32_t kHeaderIdShift = registers::descriptor::Flags::kPacketIdShift;
inline constexpr uint32_t kHeaderTypeShift = registers::descriptor::Flags::kPacketTypeShift;
inline constexpr uint32_t kHeaderSlotShift = registers::descriptor::Flags::kPacketDescriptorShift;
inline constexpr uint32_t kValid = registers::descriptor::Flags::kValidMask;
inline constexpr uint32_t kBaseAreaMask = 0x7fff;  // but for the last one

// Words of the bounds.
inline constexpr uint32_t kBoundsStart = registers::bounds::Start::kOffset / 4;
inline constexpr uint32_t kBoundsBound = registers::bounds::Bound::kOffset / 4;
inline constexpr uint32_t kBoundsFill = registers::bounds::FillLow::kOffset / 4;
inline constexpr uint32_t kBoundsMask = registers::bounds::Bounded::kOffset / 4;
inline constexpr uint32_t kBoundsHigh = registers::bounds::StrideHigh::kOffset / 4;
inline constexpr uint32_t kBoundsAreaMask = 0xf7ff;  // a bit for each word that is there

// Words of the traversal.
inline constexpr uint32_t kWalkCount = registers::walk::Count::kOffset / 4;
inline constexpr uint32_t kWalkStep = registers::walk::Step::kOffset / 4;
inline constexpr uint32_t kWalkDims = registers::walk::Dimensions::kOffset / 4;
inline constexpr uint32_t kWalkAreaMask = 0x01ff;

// Windows.
inline constexpr uint32_t kWindowFirst = registers::window::FirstLow::kOffset;
inline constexpr uint32_t kWindowLast = registers::window::LastLow::kOffset;
inline constexpr uint32_t kWindowControl = registers::window::Flags::kOffset;
inline constexpr uint32_t kWindowLock = registers::window::Flags::kLockMask;

}  // namespace tessera::driver::map
