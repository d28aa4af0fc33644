// Bits of registers by short names, for tests that write and read them by hand.
#pragma once

#include <cstdint>

#include "sw/driver/tessera/registers.hpp"

namespace tessera {

// CONTROL of a channel.
inline constexpr uint32_t kPause = registers::channel::Control::kPauseMask,
                          kDrain = registers::channel::Control::kDrainMask,
                          kAbort = registers::channel::Control::kAbortMask,
                          kReset = registers::channel::Control::kResetMask,
                          kGiveUp = registers::channel::Control::kGiveUpMask,
                          kById = registers::channel::Control::kByIdMask;
// Its STATUS.
inline constexpr uint32_t kBusy = registers::channel::Status::kBusyMask,
                          kIdle = registers::channel::Status::kIdleMask,
                          kPaused = registers::channel::Status::kPausedMask,
                          kInReset = registers::channel::Status::kInResetMask,
                          kStuck = registers::channel::Status::kStuckMask,
                          kHalted = registers::channel::Status::kHaltedMask,
                          kFaulted = registers::channel::Status::kFaultedMask,
                          kStatusMissed = registers::channel::Status::kTriggerMissedMask;
// Its ERROR.
inline constexpr uint32_t kLoadError = registers::channel::Error::kLoadMask,
                          kBusError = registers::channel::Error::kBusMask,
                          kOverlong = registers::channel::Error::kOverlongMask,
                          kPartial = registers::channel::Error::kPartialElementMask,
                          kSparse = registers::channel::Error::kSparseKeepMask,
                          kAborted = registers::channel::Error::kAbortedMask,
                          kFault = registers::channel::Error::kFaultMask,
                          kDenied = registers::channel::Error::kDeniedMask,
                          kLockOver = registers::channel::Error::kLockOverMask,
                          kLockUnder = registers::channel::Error::kLockUnderMask,
                          kRefused = registers::channel::Error::kTaskRefusedMask,
                          kMissed = registers::channel::Error::kTriggerMissedMask,
                          kListError = registers::channel::Error::kFromListMask,
                          kEntryError = registers::channel::Error::kWriteBackMask;
// GLOBAL_CONTROL and GLOBAL_STATUS.
inline constexpr uint32_t kQuiesce = registers::global_block::GlobalControl::kQuiesceMask,
                          kQuiet = registers::global_block::GlobalStatus::kQuietMask,
                          kTimedOut = registers::global_block::GlobalStatus::kTimedOutMask;

}  // namespace tessera
