// Offsets and fields of the registers of tessera_dma, as the programming model has them.
//
// Numbers only: whoever needs another access to the registers than this driver may include it
// alone.
#pragma once

#include <stdint.h>

namespace tessera::driver::map {

inline constexpr uint32_t kSpan = 0x40000;  // bytes of the register port

// Global registers.
inline constexpr uint32_t kId = 0x00;
inline constexpr uint32_t kVersion = 0x04;
inline constexpr uint32_t kCapChannels = 0x08;
inline constexpr uint32_t kCapBus = 0x0c;
inline constexpr uint32_t kCapTasks = 0x10;
inline constexpr uint32_t kCapFeatures = 0x14;
inline constexpr uint32_t kCapTime = 0x18;
inline constexpr uint32_t kScratch = 0x1c;
inline constexpr uint32_t kGlobalControl = 0x20;
inline constexpr uint32_t kGlobalStatus = 0x24;
inline constexpr uint32_t kIrqChannels = 0x28;
inline constexpr uint32_t kCyclesLow = 0x2c;
inline constexpr uint32_t kCyclesHigh = 0x30;
inline constexpr uint32_t kSoftTrigger = 0x34;
inline constexpr uint32_t kErrChannels = 0x38;
inline constexpr uint32_t kLockOver = 0x40;
inline constexpr uint32_t kLockUnder = 0x48;
inline constexpr uint32_t kIdValue = 0x54535241;  // "TSRA"
inline constexpr uint32_t kGlobalQuiesce = 1u << 0;
inline constexpr uint32_t kGlobalIrqEnable = 1u << 1;
inline constexpr uint32_t kGlobalQuiet = 1u << 0;
inline constexpr uint32_t kGlobalTimedOut = 1u << 1;

// Features of kCapFeatures.
inline constexpr uint32_t kFeatureWalk = 1u << 0;
inline constexpr uint32_t kFeatureBounds = 1u << 1;
inline constexpr uint32_t kFeatureGuard = 1u << 2;
inline constexpr uint32_t kFeatureCounters = 1u << 3;
inline constexpr uint32_t kFeatureLists = 1u << 4;
inline constexpr uint32_t kFeatureTokens = 1u << 5;
inline constexpr uint32_t kFeatureHeaders = 1u << 7;
inline constexpr uint32_t kFeatureOutOfOrder = 1u << 8;
inline constexpr uint32_t kFeatureTriggers = 1u << 10;
inline constexpr uint32_t kFeatureWindows = 1u << 11;

// Areas, and the pitch of what is in them.
inline constexpr uint32_t kReadChannels = 0x01000;
inline constexpr uint32_t kWriteChannels = 0x02000;
inline constexpr uint32_t kChannelPitch = 0x100;
inline constexpr uint32_t kLocks = 0x03000;
inline constexpr uint32_t kLockPitch = 0x10;
inline constexpr uint32_t kLockRelease = 0x4;
inline constexpr uint32_t kLockAcquire = 0x08000;  // + kLockAcquirePitch * lock + 4 * value
inline constexpr uint32_t kLockAcquirePitch = 0x200;
inline constexpr uint32_t kWindows = 0x10000;
inline constexpr uint32_t kWindowChannelPitch = 0x200;
inline constexpr uint32_t kWindowPitch = 0x20;
inline constexpr uint32_t kDescriptors = 0x20000;
inline constexpr uint32_t kBounds = 0x24000;
inline constexpr uint32_t kWalks = 0x28000;
inline constexpr uint32_t kDescriptorPitch = 0x40;
inline constexpr uint32_t kIterations = 0x2c000;

// Registers of a channel.
inline constexpr uint32_t kControl = 0x00;
inline constexpr uint32_t kStatus = 0x04;
inline constexpr uint32_t kTask = 0x08;
inline constexpr uint32_t kTag = 0x0c;
inline constexpr uint32_t kTrigger = 0x10;
inline constexpr uint32_t kCurrent = 0x14;
inline constexpr uint32_t kError = 0x18;
inline constexpr uint32_t kErrorInfo = 0x1c;
inline constexpr uint32_t kErrorAddr = 0x20;
inline constexpr uint32_t kIrqEnable = 0x28;
inline constexpr uint32_t kIrqStatus = 0x2c;
inline constexpr uint32_t kCoalesce = 0x30;
inline constexpr uint32_t kStanding = 0x34;
inline constexpr uint32_t kRecord = 0x40;
inline constexpr uint32_t kRecordBytes = 0x44;
inline constexpr uint32_t kRecordDropped = 0x4c;
inline constexpr uint32_t kRecordTag = 0x54;
inline constexpr uint32_t kRecordSide = 0x58;
inline constexpr uint32_t kRecordStamp = 0x5c;
inline constexpr uint32_t kRecordAddr = 0x60;
inline constexpr uint32_t kRecordPop = 0x68;
inline constexpr uint32_t kListBase = 0x80;
inline constexpr uint32_t kListCount = 0x88;
inline constexpr uint32_t kListTail = 0x8c;
inline constexpr uint32_t kListHead = 0x90;
inline constexpr uint32_t kListControl = 0x94;
inline constexpr uint32_t kListDoneBase = 0x98;
inline constexpr uint32_t kListStatus = 0xa0;

// CONTROL.
inline constexpr uint32_t kControlPause = 1u << 0;
inline constexpr uint32_t kControlDrain = 1u << 1;
inline constexpr uint32_t kControlAbort = 1u << 2;
inline constexpr uint32_t kControlReset = 1u << 3;
inline constexpr uint32_t kControlGiveUp = 1u << 4;
inline constexpr uint32_t kControlStop = 1u << 5;
inline constexpr uint32_t kControlStopOnShift = 16;

// STATUS.
inline constexpr uint32_t kStatusBusy = 1u << 16;
inline constexpr uint32_t kStatusRunning = 1u << 17;
inline constexpr uint32_t kStatusIdle = 1u << 18;
inline constexpr uint32_t kStatusPaused = 1u << 19;
inline constexpr uint32_t kStatusInReset = 1u << 20;
inline constexpr uint32_t kStatusStuck = 1u << 21;
inline constexpr uint32_t kStatusHalted = 1u << 22;
inline constexpr uint32_t kStatusFaulted = 1u << 23;
inline constexpr uint32_t kStatusRoomShift = 24;
inline constexpr uint32_t kStatusRoomMask = 0x1f;

// TASK.
inline constexpr uint32_t kTaskRepeatsShift = 8;
inline constexpr uint32_t kTaskEndless = 1u << 24;
inline constexpr uint32_t kTaskToken = 1u << 25;
inline constexpr uint32_t kTaskTrigger = 1u << 26;
inline constexpr uint32_t kTaskPaced = 1u << 27;
inline constexpr uint32_t kTaskFromList = 1u << 28;

// IRQ_ENABLE and IRQ_STATUS.
inline constexpr uint32_t kIrqTask = 1u << 0;
inline constexpr uint32_t kIrqTransfer = 1u << 1;
inline constexpr uint32_t kIrqRecord = 1u << 2;
inline constexpr uint32_t kIrqError = 1u << 3;
inline constexpr uint32_t kIrqRoom = 1u << 4;

// RECORD.
inline constexpr uint32_t kRecordThere = 1u << 31;
inline constexpr uint32_t kRecordLast = 1u << 30;
inline constexpr uint32_t kRecordTaskEnd = 1u << 29;
inline constexpr uint32_t kRecordStatusShift = 16;
inline constexpr uint32_t kRecordStatusMask = 0x7f;

// Status bits of a record.
inline constexpr uint32_t kRecordSlverr = 1u << 0;
inline constexpr uint32_t kRecordDecerr = 1u << 1;
inline constexpr uint32_t kRecordOverlong = 1u << 2;
inline constexpr uint32_t kRecordPartial = 1u << 3;
inline constexpr uint32_t kRecordSparse = 1u << 4;
inline constexpr uint32_t kRecordAborted = 1u << 5;
inline constexpr uint32_t kRecordIllegal = 1u << 6;

// Words of a descriptor.
inline constexpr uint32_t kWordCount = 2;
inline constexpr uint32_t kWordStride = 6;
inline constexpr uint32_t kWordLength = 10;
inline constexpr uint32_t kWordStep = 11;
inline constexpr uint32_t kWordLock = 12;
inline constexpr uint32_t kWordNext = 13;
inline constexpr uint32_t kWordSide = 14;
inline constexpr uint32_t kWordControl = 15;
inline constexpr uint32_t kAcquireEnable = 1u << 15;
inline constexpr uint32_t kHasNext = 1u << 8;
inline constexpr uint32_t kHasLength = 1u << 3;
inline constexpr uint32_t kLastRuleShift = 4;
inline constexpr uint32_t kLastLevelShift = 6;
inline constexpr uint32_t kJoin = 1u << 9;
inline constexpr uint32_t kFinishOnLast = 1u << 10;
inline constexpr uint32_t kHeader = 1u << 11;
inline constexpr uint32_t kInterrupt = 1u << 12;
inline constexpr uint32_t kNoRecord = 1u << 13;
inline constexpr uint32_t kHasBounds = 1u << 14;
inline constexpr uint32_t kHasWalk = 1u << 15;
inline constexpr uint32_t kHeaderIdShift = 16;
inline constexpr uint32_t kHeaderTypeShift = 21;
inline constexpr uint32_t kHeaderSlotShift = 24;
inline constexpr uint32_t kValid = 1u << 31;
inline constexpr uint32_t kBaseAreaMask = 0x7fff;  // but for the last one

// Words of the bounds.
inline constexpr uint32_t kBoundsStart = 0;
inline constexpr uint32_t kBoundsBound = 4;
inline constexpr uint32_t kBoundsFill = 8;
inline constexpr uint32_t kBoundsMask = 10;
inline constexpr uint32_t kBoundsHigh = 12;
inline constexpr uint32_t kBoundsAreaMask = 0xf7ff;  // a bit for each word that is there

// Words of the traversal.
inline constexpr uint32_t kWalkCount = 0;
inline constexpr uint32_t kWalkStep = 4;
inline constexpr uint32_t kWalkDims = 8;
inline constexpr uint32_t kWalkAreaMask = 0x01ff;

// Windows.
inline constexpr uint32_t kWindowFirst = 0x00;
inline constexpr uint32_t kWindowLast = 0x08;
inline constexpr uint32_t kWindowControl = 0x10;
inline constexpr uint32_t kWindowLock = 1u << 31;

}  // namespace tessera::driver::map
