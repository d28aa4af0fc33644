// Descriptors, tasks and registers as the harness writes and reads them: the driver's part is
// checked against it (software.h). Words and addresses are those of registers.hpp.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sw/driver/tessera/registers.hpp"
#include "tb/device/device_model.h"
#include "tb/dma/dma_bench.h"
#include "tb/model/transfer.h"
#include "tb/sim/descriptor.h"
#include "tb/sim/dut.h"

namespace tessera::native {

struct LockOp {
  int id = 0;
  int value = 0;  // acquire: below 0 "at least", else "equal"
};

struct Descriptor {
  model::Transfer transfer;  // `offset` and `task_end` are not part of it
  std::optional<LockOp> acquire;
  LockOp release;  // value 0: none
  std::optional<int> next;
  int iteration_size = 0;
  int32_t iteration_step = 0;
  bool interrupt = false;
  bool no_record = false;
  uint32_t side = 0;
  std::optional<rtl::HeaderRequest> header;
};

// Side information as word 14 of a descriptor and RECORD_SIDE have it.
inline uint32_t SideWord(const rtl::DescriptorSide& side) {
  return registers::descriptor::Side{}.set_dest(side.dest).set_id(side.id).set_user(side.user).word;
}

using Words = DescriptorWords;
using Image = DescriptorImage;
// Throws std::invalid_argument for a transfer that no descriptor can say.
Image Encode(const Descriptor& descriptor);

// Banks of the map.
inline constexpr uint32_t kDescriptors = registers::DescriptorAddress(0),
                          kBounds = registers::BoundsAddress(0), kWalks = registers::WalkAddress(0),
                          kTurns = registers::TurnAddress(), kLocks = registers::LockAddress(0),
                          kTryLock = registers::AcquireAddress(0),
                          kWindows = registers::WindowAddress(0, 0);

// Its writes as software does them: calls write(address, word).
template <typename Write>
void WriteWords(int number, const Descriptor& descriptor, Write&& write) {
  const Image image = Encode(descriptor);
  const auto put = [&](uint32_t area, const Words& words) {
    const uint32_t at = area + 0x40 * static_cast<uint32_t>(number);
    for (uint32_t w = 0; w < words.size(); ++w) write(at + 4 * w, words[w]);
  };
  if (image.bounds) put(kBounds, *image.bounds);
  if (image.walk) put(kWalks, *image.walk);
  put(kDescriptors, image.base);
}
// The same in memory, as a list has it.
std::vector<uint8_t> BytesOf(const Descriptor& descriptor);

struct Task {
  int start = 0;
  int repeats = 1;
  bool endless = false, token = false, trigger = false, paced = false, from_list = false;
  uint32_t Word() const;
};

struct Record {
  uint32_t word = 0;  // as the register shows it
  uint32_t tag = 0, side = 0, stamp = 0;
  rtl::Done done;
  registers::channel::Record fields() const { return {word}; }
  bool task_end() const { return fields().task_end() != 0; }
  int descriptor() const { return static_cast<int>(fields().descriptor()); }
};

// Addresses: of the whole, and of a channel's registers behind its first.
inline constexpr uint32_t kOfList = registers::ReadListAddress(0) - registers::ReadAddress(0),
                          kOfCounters = registers::ReadCountAddress(0) - registers::ReadAddress(0);
inline constexpr uint32_t kId = registers::global_block::Id::kOffset;
inline constexpr uint32_t kCapChannels = registers::global_block::CapChannels::kOffset;
inline constexpr uint32_t kCapBus = registers::global_block::CapBus::kOffset;
inline constexpr uint32_t kCapFeatures = registers::global_block::CapFeatures::kOffset;
inline constexpr uint32_t kCapTime = registers::global_block::CapTime::kOffset;
inline constexpr uint32_t kGlobalControl = registers::global_block::GlobalControl::kOffset;
inline constexpr uint32_t kGlobalStatus = registers::global_block::GlobalStatus::kOffset;
inline constexpr uint32_t kIrqChannels = registers::global_block::IrqChannels::kOffset;
inline constexpr uint32_t kCycleCounter = registers::global_block::CyclesLow::kOffset;
inline constexpr uint32_t kFire = registers::global_block::Fire::kOffset;
inline constexpr uint32_t kCapStreamTime = registers::global_block::CapStreamTime::kOffset;
inline constexpr uint32_t kPacketStatus = registers::global_block::PacketStatus::kOffset;
inline constexpr uint32_t kGlobalIrqEnable = registers::global_block::GlobalIrqEnable::kOffset;
inline constexpr uint32_t kGlobalIrqStatus = registers::global_block::GlobalIrqStatus::kOffset;
inline constexpr uint32_t kCapPlace = registers::global_block::CapPlace::kOffset;
inline constexpr uint32_t kCapOnChip = registers::global_block::CapOnchip::kOffset;
inline constexpr uint32_t kOnChipBase = registers::global_block::OnchipBase::kOffset;
inline constexpr uint32_t kOnChipConflicts = registers::global_block::OnchipConflicts::kOffset;
inline constexpr uint32_t kOnChipErrors = registers::global_block::OnchipErrors::kOffset;
inline constexpr uint32_t kOnChipTest = registers::global_block::OnchipTest::kOffset;
inline constexpr uint32_t kControl = registers::channel::Control::kOffset;
inline constexpr uint32_t kStatus = registers::channel::Status::kOffset;
inline constexpr uint32_t kTask = registers::channel::Task::kOffset;
inline constexpr uint32_t kTag = registers::channel::Tag::kOffset;
inline constexpr uint32_t kTrigger = registers::channel::Trigger::kOffset;
inline constexpr uint32_t kCurrent = registers::channel::Current::kOffset;
inline constexpr uint32_t kError = registers::channel::Error::kOffset;
inline constexpr uint32_t kErrorInfo = registers::channel::ErrorInfo::kOffset;
inline constexpr uint32_t kErrorAddr = registers::channel::ErrorAddrLow::kOffset;
inline constexpr uint32_t kIrqEnable = registers::channel::IrqEnable::kOffset;
inline constexpr uint32_t kIrqStatus = registers::channel::IrqStatus::kOffset;
inline constexpr uint32_t kCoalesce = registers::channel::Coalesce::kOffset;
inline constexpr uint32_t kStanding = registers::channel::Standing::kOffset;
inline constexpr uint32_t kRecord = registers::channel::Record::kOffset;
inline constexpr uint32_t kRecordBytes = registers::channel::RecordBytesLow::kOffset;
inline constexpr uint32_t kRecordDropped = registers::channel::RecordDroppedLow::kOffset;
inline constexpr uint32_t kRecordTag = registers::channel::RecordTag::kOffset;
inline constexpr uint32_t kRecordSide = registers::channel::RecordSide::kOffset;
inline constexpr uint32_t kRecordStamp = registers::channel::RecordStamp::kOffset;
inline constexpr uint32_t kRecordAddr = registers::channel::RecordAddrLow::kOffset;
inline constexpr uint32_t kRecordPop = registers::channel::RecordPop::kOffset;
inline constexpr uint32_t kListBase = kOfList + registers::list::BaseLow::kOffset;
inline constexpr uint32_t kListCount = kOfList + registers::list::Count::kOffset;
inline constexpr uint32_t kListTail = kOfList + registers::list::Tail::kOffset;
inline constexpr uint32_t kListHead = kOfList + registers::list::Head::kOffset;
inline constexpr uint32_t kListControl = kOfList + registers::list::Control::kOffset;
inline constexpr uint32_t kListDoneBase = kOfList + registers::list::DoneBaseLow::kOffset;
inline constexpr uint32_t kListStatus = kOfList + registers::list::Status::kOffset;
inline constexpr uint32_t kCountBusy = kOfCounters + registers::counter::Busy::kOffset;
inline constexpr uint32_t kCountMemory = kOfCounters + registers::counter::Memory::kOffset;
inline constexpr uint32_t kCountStream = kOfCounters + registers::counter::Stream::kOffset;
inline constexpr uint32_t kCountLock = kOfCounters + registers::counter::Lock::kOffset;
inline constexpr uint32_t kCountCredit = kOfCounters + registers::counter::Credit::kOffset;
inline constexpr uint32_t kCountBeats = kOfCounters + registers::counter::Beats::kOffset;
inline constexpr uint32_t kCountBytes = kOfCounters + registers::counter::BytesLow::kOffset;
inline constexpr uint32_t kCountBursts = kOfCounters + registers::counter::Bursts::kOffset;
inline constexpr uint32_t kCountPackets = kOfCounters + registers::counter::Packets::kOffset;
inline constexpr uint32_t kCountTransfers = kOfCounters + registers::counter::Transfers::kOffset;
inline constexpr uint32_t kCountLimit = kOfCounters + registers::counter::Limit::kOffset;
inline constexpr uint32_t kCountReached = kOfCounters + registers::counter::Reached::kOffset;
inline constexpr uint32_t kCountFirst = kOfCounters + registers::counter::First::kOffset;
inline constexpr uint32_t kFreezeCounters = registers::global_block::GlobalControl::kFreezeMask,
                          kClearCounters = registers::global_block::GlobalControl::kClearMask;
// The resource that blocks a channel, and its next transfer.
using registers::Wait;
constexpr Wait WaitOf(uint32_t status) {
  return static_cast<Wait>(registers::channel::Status{status}.waits());
}
constexpr Wait NextWaitOf(uint32_t status) {
  return static_cast<Wait>(registers::channel::Status{status}.next_waits());
}

// What the model of the device needs to know of a build; `untimed` as it says.
DeviceBuild BuildOfDevice(const DmaConfig& config, bool untimed);

uint32_t Channel(Direction direction, int number);         // its first register
uint32_t ChannelOf(const DmaConfig& config, int channel);  // the same, reads first
// The channel in a token: its actor is 0x60 plus this.
int Actor(const DmaConfig& config, Direction direction, int number);

// A list of descriptors in memory, at a pitch of 192 bytes.
inline constexpr uint32_t kListPitch = 192;
void Load(Memory* memory, uint64_t address, std::span<const Descriptor> list);

}  // namespace tessera::native
