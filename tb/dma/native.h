// Descriptors, tasks and registers as the harness writes and reads them: the driver's part is
// checked against it (software.h). Words have the fields of registers.hpp; addresses stand here by
// hand.
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
inline constexpr uint32_t kDescriptors = 0x20000, kBounds = 0x24000, kWalks = 0x28000,
                          kTurns = 0x2c000, kLocks = 0x3000, kTryLock = 0x8000, kWindows = 0x10000;

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
inline constexpr uint32_t kId = 0x00, kCapChannels = 0x08, kCapBus = 0x0c, kCapTasks = 0x10,
                          kCapFeatures = 0x14, kCapTime = 0x18, kGlobalControl = 0x20,
                          kGlobalStatus = 0x24, kIrqChannels = 0x28, kCycleCounter = 0x2c,
                          kFire = 0x34, kCapStreamTime = 0x3c, kPacketStatus = 0x5c,
                          kGlobalIrqEnable = 0x60, kGlobalIrqStatus = 0x64, kCapPlace = 0x68,
                          kCapOnChip = 0x6c, kOnChipBase = 0x70, kOnChipConflicts = 0x74,
                          kOnChipErrors = 0x78, kOnChipTest = 0x7c;
inline constexpr uint32_t kControl = 0x00, kStatus = 0x04, kTask = 0x08, kTag = 0x0c,
                          kTrigger = 0x10, kCurrent = 0x14, kError = 0x18, kErrorInfo = 0x1c,
                          kErrorAddr = 0x20, kIrqEnable = 0x28, kIrqStatus = 0x2c, kCoalesce = 0x30,
                          kStanding = 0x34, kRecord = 0x40, kRecordBytes = 0x44,
                          kRecordDropped = 0x4c, kRecordTag = 0x54, kRecordSide = 0x58,
                          kRecordStamp = 0x5c, kRecordAddr = 0x60, kRecordPop = 0x68,
                          kListBase = 0x80, kListCount = 0x88, kListTail = 0x8c, kListHead = 0x90,
                          kListControl = 0x94, kListDoneBase = 0x98, kListStatus = 0xa0;
inline constexpr uint32_t kCountBusy = 0xc0, kCountMemory = 0xc4, kCountStream = 0xc8,
                          kCountLock = 0xcc, kCountCredit = 0xd0, kCountBeats = 0xd4,
                          kCountBytes = 0xd8, kCountBursts = 0xe0, kCountPackets = 0xe4,
                          kCountTransfers = 0xe8, kCountLimit = 0xec, kCountReached = 0xf0,
                          kCountFirst = 0xf4;
inline constexpr uint32_t kFreezeCounters = 4, kClearCounters = 8;  // of GLOBAL_CONTROL
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
