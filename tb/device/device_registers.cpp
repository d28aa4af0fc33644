// The register map of the model: which word is there, what it reads, what a write does.
#include <fmt/format.h>

#include <algorithm>

#include "tb/device/device_model.h"
#include "tb/device/gen/register_table.h"

namespace tessera {
namespace {

constexpr uint32_t kEnd = 0x40000;  // of the map

// The row of each word, plus 1; 0: none.
std::vector<uint8_t> MakeRows() {
  std::vector<uint8_t> rows(kEnd / 4);
  for (const RegisterGroup& group : kRegisterGroups) {
    for (uint32_t outer = 0; outer < group.dims[0].count; ++outer) {
      for (uint32_t inner = 0; inner < group.dims[1].count; ++inner) {
        const uint32_t base =
            group.address + outer * group.dims[0].stride + inner * group.dims[1].stride;
        for (uint32_t n = group.first; n < group.first + group.rows; ++n) {
          const RegisterRow& row = kRegisterRows[n];
          for (uint32_t k = 0; k < row.count; ++k) {
            rows[(base + row.offset + k * row.stride) / 4] = static_cast<uint8_t>(n + 1);
          }
        }
      }
    }
  }
  return rows;
}

const RegisterRow* RowAt(uint32_t address) {
  static const std::vector<uint8_t> rows = MakeRows();
  if (address % 4 != 0 || address >= kEnd || rows[address / 4] == 0) return nullptr;
  return &kRegisterRows[rows[address / 4] - 1];
}

bool IsDescriptor(uint32_t address) { return address >= 0x20000 && address < 0x2c000; }
bool IsChannel(uint32_t address) { return address >= 0x1000 && address < 0x3000; }

int Signed7(uint32_t bits) {
  return bits >= 64 ? static_cast<int>(bits) - 128 : static_cast<int>(bits);
}

}  // namespace

uint32_t DeviceModel::Place(int c) const {
  return static_cast<uint32_t>(c) - (IsRead(c) ? 0 : build_.reads);
}
uint32_t DeviceModel::Base(int c) const { return (IsRead(c) ? 0x1000 : 0x2000) + 0x100 * Place(c); }

std::optional<int> DeviceModel::ChannelAt(uint32_t address) const {
  const uint32_t n = address / 0x100 % 16;
  const bool read = address < 0x2000;
  if (n >= (read ? build_.reads : build_.writes)) return std::nullopt;
  return static_cast<int>(read ? n : build_.reads + n);
}

bool DeviceModel::Refuse(std::string why) {
  refusal_ = std::move(why);
  return false;
}

// Whether this build has the word.
bool DeviceModel::IsThere(uint32_t a) const {
  if (RowAt(a) == nullptr) return false;
  if (a < 0x1000) {
    if (a == 0x34) return build_.Has(DeviceFeature::kTriggersMask);
    if (a >= 0x40 && a < 0x50) return build_.locks > (a % 8 == 0 ? 0U : 32U);
    if (a >= 0x6c) return build_.Has(DeviceFeature::kOnchipMask);
    return a < 0x50 || a >= 0x60 || build_.Has(DeviceFeature::kControlPacketsMask);
  }
  if (IsChannel(a)) {
    const uint32_t offset = a % 0x100;
    if (!ChannelAt(a)) return false;
    if (offset == 0x10) return build_.Has(DeviceFeature::kTriggersMask);
    if (offset < 0x80) return true;
    return build_.Has(offset < 0xc0 ? DeviceFeature::kFromListMask : DeviceFeature::kCountersMask);
  }
  if (a < 0x8000) return (a - 0x3000) / 0x10 < build_.locks;
  if (a < 0x10000) return (a - 0x8000) / 0x200 < build_.locks;
  if (a < 0x14000) {
    const uint32_t n = (a - 0x10000) / 0x200;
    return build_.Has(DeviceFeature::kWindowsMask) && a % 0x200 / 0x20 < build_.windows &&
           (n < 16 ? n < build_.reads : n - 16 < build_.writes);
  }
  if (a >= 0x2c000) return (a - 0x2c000) / 4 < build_.descriptors;
  if (a >= 0x28000 && !build_.Has(DeviceFeature::kWalkMask)) return false;
  if (a >= 0x24000 && a < 0x28000 && !build_.Has(DeviceFeature::kBoundsMask)) return false;
  return a / 0x40 % 0x100 < build_.descriptors;
}

uint32_t DeviceModel::Writable(uint32_t address) const {
  return IsThere(address) ? RowAt(address)->writable : 0;
}

// ---- Reads

uint32_t DeviceModel::GlobalCauses() const {
  return (words_[0x20 / 4] & 1) | static_cast<uint32_t>((over_ | under_) != 0) << 6;
}

bool DeviceModel::interrupt() const {
  if ((words_[0x20 / 4] & 2) == 0) return false;
  bool any = (GlobalCauses() & words_[0x60 / 4]) != 0;
  for (int c = 0; c < channels(); ++c) any = any || (At(c).irq_status & Own(c, 0x28)) != 0;
  return any;
}

// What capability registers say does not change.
void DeviceModel::SetCapabilities() {
  const DeviceBuild& b = build_;
  const uint32_t words[] = {b.id,
                            b.version,
                            b.reads | b.writes << 8 | 1U << 16,
                            b.address_bits | b.data_log2 << 8 | b.stream_log2 << 12 | 16U << 16,
                            b.descriptors | b.task_log2 << 12 | b.record_log2 << 16 | b.locks << 24,
                            b.features | (b.windows == 0 ? 0 : (b.windows - 1) << 12),
                            1024};
  std::ranges::copy(words, words_.begin());
  words_[0x6c / 4] = b.onchip;
  words_[0x70 / 4] = b.onchip_base;
  words_[0x68 / 4] = (b.place >> 16 & 31) | (b.place >> 21 & 127) << 8;
}

uint32_t DeviceModel::ReadGlobal(uint32_t a) const {
  uint32_t interrupts = 0, errors = 0;  // of channels
  for (int c = 0; c < channels(); ++c) {
    const uint32_t bit = 1U << (IsRead(c) ? Place(c) : 16 + Place(c));
    if ((At(c).irq_status & Own(c, 0x28)) != 0) interrupts |= bit;
    if (At(c).error != 0) errors |= bit;
  }
  switch (a) {
    case 0x24:
      return (words_[0x20 / 4] & 1) | static_cast<uint32_t>(interrupt()) << 2;
    case 0x28:
      return interrupts;
    case 0x2c:
      return static_cast<uint32_t>(cycles_);
    case 0x30:
      return cycles_high_;
    case 0x38:
      return errors;
    case 0x40:
    case 0x44:
      return static_cast<uint32_t>(over_ >> (8 * (a - 0x40)));
    case 0x48:
    case 0x4c:
      return static_cast<uint32_t>(under_ >> (8 * (a - 0x48)));
    case 0x64:
      return GlobalCauses();
    default:
      return words_[a / 4];
  }
}

bool DeviceModel::InTask(int c) const {
  const Channel& channel = At(c);
  return channel.loaded || channel.turn_begun || channel.at || channel.turn != 0;
}

uint32_t DeviceModel::Status(int c) const {
  const Channel& channel = At(c);
  const uint32_t control = Control(c);
  const bool quiet = !channel.hangs;
  const bool reset = (control & 8) != 0 && (quiet || channel.stopped);
  const size_t depth = size_t{1} << build_.task_log2;
  const size_t room = depth - std::min(depth, channel.tasks.size());
  const auto bit = [](bool value, int n) { return static_cast<uint32_t>(value) << n; };
  return bit(Busy(c), 16) | bit(InTask(c), 17) | bit(quiet && !channel.begun, 18) |
         bit((control & 1) != 0 && quiet, 19) | bit(reset, 20) |
         bit((control & 8) != 0 && !reset, 21) | bit(channel.halted, 22) |
         bit(channel.faulted, 23) | static_cast<uint32_t>(room) << 24 | bit(channel.missed, 29);
}

uint32_t DeviceModel::ReadChannel(int c, uint32_t offset) const {
  const Channel& channel = At(c);
  const auto low = [](uint64_t value) { return static_cast<uint32_t>(value); };
  const auto high = [](uint64_t value) { return static_cast<uint32_t>(value >> 32); };
  if (offset >= 0x40 && offset < 0x68) {
    if (channel.records.empty()) return 0;
    const DeviceRecord& r = channel.records.front();
    const uint32_t waiting = low(std::min<size_t>(31, channel.records.size()));
    registers::channel::Record record{
        registers::Bits<registers::channel::Record::kStatusMask>(r.status) |
        registers::channel::Record::kValidMask};
    record.word |= static_cast<uint32_t>(r.descriptor) |
                   registers::Bits<registers::channel::Record::kWaitingMask>(waiting);
    if (r.task_end) record.word |= record.kTaskEndMask;
    if (r.done.last) record.word |= record.kLastMask;
    const uint32_t words[] = {record.word,
                              low(r.done.bytes),
                              high(r.done.bytes),
                              low(r.done.dropped),
                              high(r.done.dropped),
                              r.tag,
                              r.side,
                              r.stamp,
                              low(r.done.addr),
                              high(r.done.addr)};
    return words[(offset - 0x40) / 4];
  }
  switch (offset) {
    case 0x04:
      return Status(c);
    case 0x14:
      return channel.current;
    case 0x18:
      return channel.error;
    case 0x1c:
      return channel.info;
    case 0x20:
      return low(channel.error_addr);
    case 0x24:
      return high(channel.error_addr);
    case 0x2c:
      return channel.irq_status;
    case 0x90:
      return channel.head;
    case 0xa0:
      return static_cast<uint32_t>(channel.list_open);
    default:
      return Own(c, offset);
  }
}

bool DeviceModel::Read(uint32_t a, uint32_t* value) {
  ++cycles_;
  *value = 0;
  if (!IsThere(a)) return Refuse(fmt::format("read of {:#x}, which is not there", a));
  if (a < 0x1000) {
    if (a == 0x2c) cycles_high_ = static_cast<uint32_t>(cycles_ >> 32);
    *value = ReadGlobal(a);
  } else if (IsChannel(a)) {
    *value = ReadChannel(*ChannelAt(a), a % 0x100);
  } else if (a < 0x8000) {
    *value = a % 0x10 == 0 ? static_cast<uint32_t>(lock(static_cast<int>((a - 0x3000) / 0x10))) : 0;
  } else if (a < 0x10000) {
    *value = static_cast<uint32_t>(TryLock((a - 0x8000) / 0x200, Signed7(a / 4 % 0x80)));
  } else {
    *value = words_[a / 4];
  }
  const RegisterRow& row = *RowAt(a);
  if (!IsDescriptor(a) && a >= 0x20) *value &= row.readable;
  return true;
}

// ---- Writes

bool DeviceModel::Write(uint32_t a, uint32_t value) {
  ++cycles_;
  const RegisterRow* row = IsThere(a) ? RowAt(a) : nullptr;
  if (row == nullptr || row->writable == 0) {
    return Refuse(fmt::format("write of {:#x} to {:#x}, which is {}", value, a,
                              row == nullptr ? "not there" : "read only"));
  }
  uint32_t& word = words_[a / 4];
  if ((word & row->lock) != 0) return Refuse(fmt::format("register {:#x} is locked", a));
  if (a >= 0x10000 && a < 0x14000) {  // a window is locked as a whole
    uint32_t& flags = words_[(a & ~0x1fU) / 4 + 4];
    if (flags >> 31 != 0) return Refuse(fmt::format("write to a locked window at {:#x}", a));
    flags = 0;  // until they are written
  }
  if (IsDescriptor(a)) {  // unnamed bits are held too: they keep it from being loaded
    word = value;
    const bool last = a < 0x24000 && a % 0x40 == 0x3c;
    if (last) {
      words_[(0x2c000 + a / 0x40 % 0x100 * 4) / 4] = 0;
    } else {
      words_[(0x20000 + a / 0x40 % 0x100 * 0x40 + 0x3c) / 4] &= ~(1U << 31);
    }
    return true;
  }
  if (a < 0x1000) return WriteGlobal(a, value);
  if (IsChannel(a)) return WriteChannel(*ChannelAt(a), a % 0x100, value);
  if (a < 0x8000) {
    const uint32_t id = (a - 0x3000) / 0x10;
    if (a % 0x10 == 0) {
      locks_.at(id) = static_cast<int>(value & 63);
    } else {
      Release(id, Signed7(value & 0x7f));
    }
    return true;
  }
  word = value & row->writable;
  return true;
}

bool DeviceModel::WriteGlobal(uint32_t a, uint32_t value) {
  const auto clear = [value](uint64_t* bits, uint32_t at) {
    *bits &= ~(uint64_t{value} << (8 * at));
  };
  const RegisterRow& row = *RowAt(a);
  if (a == 0x34) {
    for (uint32_t k = 0; k < 16; ++k) {
      if ((value >> k & 1) != 0) Fire(0x20 + k);
    }
  } else if (a >= 0x40 && a < 0x48) {
    clear(&over_, a - 0x40);
  } else if (a >= 0x48 && a < 0x50) {
    clear(&under_, a - 0x48);
  } else if ((a == 0x54 || a == 0x58) && words_[0x50 / 4] >> 31 != 0) {
    return Refuse(fmt::format("register {:#x} is locked", a));
  } else {
    const uint32_t mask = row.writable & row.readable, sticky = words_[a / 4] & row.clears;
    words_[a / 4] = (value & mask & ~row.clears) | (sticky & ~value);
  }
  return true;
}

// A task of the channel: false if it is refused, which ERROR tells.
bool DeviceModel::Push(int c, uint32_t word) {
  Channel& channel = At(c);
  const uint32_t control = Control(c);
  const char* why = nullptr;
  if ((control & 8) != 0 || ((control & 4) != 0 && channel.hangs && !channel.stopped))
    why = "an abort or a reset is not done";
  if (registers::channel::Task{word}.from_list() && !build_.Has(DeviceFeature::kFromListMask))
    why = "there are no lists";
  if (registers::channel::Task{word}.from_list() && (control >> 8 & 1) != 0 && !IsRead(c) &&
      build_.Has(DeviceFeature::kOutOfOrderMask)) {
    why = "headers choose descriptors";
  }
  if ((word >> 26 & 3) != 0 && !build_.Has(DeviceFeature::kTriggersMask))
    why = "there are no triggers";
  if ((word >> 25 & 1) != 0 && !build_.Has(DeviceFeature::kTokensMask)) why = "there are no tokens";
  if (!build_.untimed && channel.tasks.size() >= size_t{1} << build_.task_log2) {
    why = "the queue is full";
  }
  if (why != nullptr) {
    NoteError(c, 1U << 11, 0, 0);
    return Refuse(fmt::format("task {:#x} of channel {} is refused: {}", word, c, why));
  }
  channel.tasks.push_back({word & 0x1fff'ffff, Own(c, 0x0c)});
  return true;
}

// CONTROL has been written.
void DeviceModel::WriteControl(int c, uint32_t before) {
  Channel& channel = At(c);
  const uint32_t control = Control(c);
  channel.stopped = false;
  if ((control & 12) != 0 && (!channel.hangs || (control & 16) != 0)) {
    CutShort(c);
    channel.stopped = true;
  }
  if ((control & ~before & 15) == 0) return;
  const bool idle = !channel.begun && (!channel.hangs || channel.stopped);
  const bool paused = (control & 1) == 0 || !channel.hangs;
  if (paused && ((control & 14) == 0 || idle)) channel.irq_status |= 1U << 6;
}

bool DeviceModel::WriteChannel(int c, uint32_t offset, uint32_t value) {
  Channel& channel = At(c);
  const RegisterRow& row = *RowAt(Base(c) + offset);
  const uint32_t before = Own(c, offset);
  const auto keep = [&] { Own(c, offset) = value & row.writable; };
  switch (offset) {
    case 0x00:
      keep();
      WriteControl(c, before);
      return true;
    case 0x08:
      return Push(c, value);
    case 0x18:
      channel.error &= ~value;
      if ((value >> 12 & 1) != 0) channel.missed = false;
      if (channel.error == 0) {
        channel.info = 0;
        channel.error_addr = 0;
        channel.known = false;
      }
      return true;
    case 0x2c:
      channel.irq_status &= ~value;
      return true;
    case 0x34:
      if (Busy(c)) return Refuse(fmt::format("STANDING of channel {}, which has work", c));
      keep();
      return true;
    case 0x68:
      if (channel.records.empty()) {
        return Refuse(fmt::format("RECORD_POP of channel {}, which has no record", c));
      }
      channel.records.pop_front();
      return true;
    case 0x8c:
      if ((Control(c) & 8) == 0) keep();
      return true;
    case 0x80:
    case 0x84:
    case 0x88:
    case 0x94:
    case 0x98:
    case 0x9c:
      if (channel.list_open) {
        return Refuse(fmt::format("write to list register {:#x} while it is busy", offset));
      }
      keep();
      if (offset < 0x98) channel.head = Own(c, 0x8c) = 0;
      if (offset == 0x88 || offset >= 0x98) {
        channel.entry = channel.entries = 0;
        channel.phase = true;
      }
      return true;
    default:
      keep();
      return true;
  }
}

// ---- Locks

bool DeviceModel::TryLock(uint32_t id, int value) {
  int& lock = locks_.at(id);
  if (value >= 0) return lock == value;
  if (lock < -value) return false;
  lock += value;
  return true;
}

std::pair<bool, bool> DeviceModel::Release(uint32_t id, int amount) {
  int& lock = locks_.at(id);
  const bool over = lock + amount > 63, under = lock + amount < 0;
  over_ |= uint64_t{over} << id;
  under_ |= uint64_t{under} << id;
  lock = std::clamp(lock + amount, 0, 63);
  return {over, under};
}

}  // namespace tessera
