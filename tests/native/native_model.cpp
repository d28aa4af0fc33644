#include "tests/native/native_model.h"

#include <string_view>
#include <utility>

namespace tessera {
namespace {

constexpr uint32_t kTag = 0x0c, kError = 0x18, kIrqEnable = 0x28, kIrqStatus = 0x2c;
constexpr uint32_t kCoalesce = 0x30;
constexpr uint32_t kGlobalControl = 0x20, kGlobalStatus = 0x24, kPacketControl = 0x50;
constexpr uint32_t kLockOver = 0x40, kLockUnder = 0x48, kCausesEnable = 0x60;
// Bits of ERROR that belong to a descriptor, fault and list aside.
constexpr uint32_t kOfDescriptor = 0x417f, kBus = 1 << 1, kFault = 1 << 7, kDenied = 1 << 8,
                   kList = 1 << 13;

bool Is(const NativeModel::Place& place, std::string_view name) { return name == place.row->name; }

enum class Region { kNone, kLock, kTry, kMemory, kExtension, kWindow };

// Who answers an address that has no register here, and for which channel.
std::pair<Region, uint32_t> Decode(const NativeBuild& build, uint32_t address) {
  const uint32_t a = address & ~3U;
  if (a >= 0x3000 && a < 0x3000 + 0x10 * build.locks && (a & 8) == 0) return {Region::kLock, 0};
  if (a >= 0x8000 && a < 0x8000 + 0x200 * build.locks) return {Region::kTry, 0};
  if (a >= 0x20000 && a < 0x2c400) return {Region::kMemory, 0};
  for (uint32_t c = 0; c < build.channels(); ++c) {
    if (a >= build.base(c) + 0x80 && a < build.base(c) + 0x100) {
      return {build.has(kLists) || build.has(kCounters) ? Region::kExtension : Region::kNone, c};
    }
    const uint32_t windows = 0x10000 + 0x200 * (c < build.reads ? c : 16 + c - build.reads);
    if (a >= windows && a < windows + 0x20 * build.windows) {
      return {(a & 0x1f) <= 0x10 ? Region::kWindow : Region::kNone, c};
    }
  }
  return {Region::kNone, 0};
}

}  // namespace

bool NativeModel::Lacks(const std::string& name) const {
  if (name == "TRIGGER" || name == "FIRE") return !build_.has(kTriggers);
  if (name.starts_with("PACKET_")) return !build_.has(kPackets);
  if (name == "CAP_ONCHIP" || name.starts_with("ONCHIP_")) return true;  // in dma_tests
  if (name == "LOCK_OVER_LOW" || name == "LOCK_UNDER_LOW") return build_.locks == 0;
  return name.starts_with("LOCK_") && build_.locks <= 32;
}

NativeModel::NativeModel(const NativeBuild& build) : build_(build) {
  for (const RegisterGroup& group : kRegisterGroups) {
    const std::string_view name = group.name;
    if (name != "GLOBAL" && name != "READ" && name != "WRITE") continue;
    for (uint32_t i = 0; i < group.dims[0].count; ++i) {
      if (name == "READ" && i >= build.reads) continue;
      if (name == "WRITE" && i >= build.writes) continue;
      Place place;
      place.group = &group;
      place.of_channel = name != "GLOBAL";
      place.base = group.address + i * group.dims[0].stride;
      place.channel = name == "WRITE" ? build.reads + i : i;
      for (uint32_t r = 0; r < group.rows; ++r) {
        place.row = &kRegisterRows[group.first + r];
        if (!Lacks(place.row->name)) places_[place.base + place.row->offset] = place;
      }
    }
  }
  Reset();
}

void NativeModel::Reset() {
  values_.clear();
  for (const auto& [address, place] : places_) values_[address] = place.row->reset;
  channels_ = {};
  event_.reset();
  cycles_ = 0;
  cycles_high_ = 0;
  irqs_ = errors_ = 0;
  irq_line_ = false;
}

uint32_t NativeModel::value(uint32_t address) const {
  const auto found = values_.find(address);
  return found == values_.end() ? 0 : found->second;
}

const NativeModel::Place* NativeModel::Find(uint32_t address) const {
  const auto found = places_.find(address & ~3U);
  return found == places_.end() ? nullptr : &found->second;
}

// ---- Accesses -----------------------------------------------------------------------------------

NativeAnswer NativeModel::Beyond(const NativeAccess& access, const NativePins& pins) const {
  switch (Decode(build_, access.address).first) {
    case Region::kLock:
      if (access.write) return {(access.strobe & 1) == 0, 0};
      return {false, (access.address & 4) == 0 ? pins.lock_value : 0};
    case Region::kTry:
      return {access.write, pins.lock_granted};
    case Region::kMemory:
      return {pins.access_error, pins.access_data};
    case Region::kExtension:
    case Region::kWindow:
      return {pins.other_error, pins.other_data};
    default:
      return {true, 0};
  }
}

bool NativeModel::TaskLacks(const Place& place, uint32_t data) const {
  const bool by_id =
      build_.has(kOutOfOrder) && place.channel >= build_.reads && (value(place.base) >> 8 & 1) != 0;
  return ((data >> 26 & 3) != 0 && !build_.has(kTriggers)) ||
         ((data >> 25 & 1) != 0 && !build_.has(kTokens)) ||
         ((data >> 28 & 1) != 0 && (!build_.has(kLists) || by_id));
}

NativeOutputs NativeModel::Outputs(const NativeAccess& access) const {
  NativeOutputs out;
  const uint32_t a = access.address & ~3U;
  const Place* place = Find(a);
  if (place == nullptr) {
    const auto [region, channel] = Decode(build_, a);
    out.channel = channel;
    const bool release = (a & 4) != 0, turns = a >= 0x2c000;
    if (region == Region::kLock) {
      out.lock = access.write ? (access.strobe & 1) != 0 : !release;
      out.lock_command = !access.write ? 0 : release ? 2 : 1;
      out.lock_id = a >> 4 & 63;
      out.lock_value = access.write ? access.data & 0x7f : 0;
    } else if (region == Region::kTry) {
      out.lock = !access.write;
      out.lock_command = 3;
      out.lock_id = a >> 9 & 63;
      out.lock_value = a >> 2 & 0x7f;
    }
    out.memory = region == Region::kMemory;
    out.memory_area = a >> 14 & 3;
    out.memory_descriptor = a >> (turns ? 2 : 6) & 0xff;
    out.memory_word = turns ? 0 : a >> 2 & 15;
    out.extension = region == Region::kExtension;
    out.window = region == Region::kWindow;
    return out;
  }
  if (!access.write) return out;
  const uint32_t data = access.data;
  out.channel = place->channel;
  if (access.strobe != 15) return out;
  if (place->of_channel) {
    if (Is(*place, "TASK") && !TaskLacks(*place, data)) {
      out.push = true;
      out.task = data & place->row->writable;
      out.tag = value(place->base + kTag);
    }
    out.pop = Is(*place, "RECORD_POP");  // of the oldest
    if (Is(*place, "ERROR")) out.missed_clear = (data >> 12 & 1) << place->channel;
    return out;
  }
  if (Is(*place, "PACKET_STATUS")) out.packet_clear = data & 15;
  if (Is(*place, "FIRE")) out.trigger = data & 0xffff;
  if (Is(*place, "GLOBAL_CONTROL")) out.clear = (data >> 3 & 1) != 0 && value(a) >> 31 == 0;
  return out;
}

bool NativeModel::Refused(const Place& place, const NativeAccess& access,
                          const NativePins& pins) const {
  const RegisterRow& row = *place.row;
  if (row.writable == 0) return true;
  if (access.strobe != 0 && access.strobe != 15) return true;
  if ((values_.at(place.base + row.offset) & row.lock) != 0) return true;
  if (Is(place, "PACKET_FIRST") || Is(place, "PACKET_LAST"))
    return value(kPacketControl) >> 31 != 0;
  if (Is(place, "STANDING")) return pins.view[place.channel].Works();
  if (access.strobe == 0) return false;
  if (Is(place, "TASK")) return TaskLacks(place, access.data) || !pins.taken;
  if (Is(place, "RECORD_POP")) return pins.view[place.channel].records == 0;
  return false;
}

uint32_t NativeModel::Status(const Place& place, const NativePins& pins) const {
  // STATUS is registered before it is answered, and so is what it makes of a channel's levels.
  const NativeChannel& now = pins.view[place.channel];
  const NativeChannel& view = pins.past[place.channel];
  const bool pause = (value(place.base) & 1) != 0;
  uint32_t waits = view.waits;
  if (waits == 5 && pause) waits = 11;
  if (waits == 5 && now.waits_stream) waits = 15;
  return waits | view.next_waits << 4 | view.lock << 8 |
         uint32_t{view.busy || now.port_busy} << 16 | uint32_t{view.in_task} << 17 |
         uint32_t{view.idle && !view.owed && !view.port_busy} << 18 |
         uint32_t{pause && !view.owed} << 19 | uint32_t{view.in_reset && !view.failed} << 20 |
         uint32_t{view.stuck} << 21 | uint32_t{view.halted} << 22 | uint32_t{view.Faulted()} << 23 |
         view.room << 24 | uint32_t{now.missed} << 29;
}

uint32_t NativeModel::Read(const Place& place, const NativePins& pins) const {
  const uint32_t offset = place.row->offset;
  const uint32_t held = values_.at(place.base + offset) & place.row->readable;
  if (!place.of_channel) return ReadGlobal(place, pins);
  const Channel& channel = channels_[place.channel];
  if (Is(place, "STATUS")) return Status(place, pins);
  if (Is(place, "CURRENT")) return pins.view[place.channel].descriptor;
  if (Is(place, "ERROR_INFO")) return channel.known ? channel.info : 0;
  if (Is(place, "ERROR_ADDR_LOW") || Is(place, "ERROR_ADDR_HIGH")) {
    const bool shows = channel.known && channel.placed;
    return shows ? static_cast<uint32_t>(channel.address >> (offset == 0x24 ? 32 : 0)) : 0;
  }
  if (offset >= 0x40 && offset < 0x68) {
    const NativeChannel& past = pins.past[place.channel];
    if (past.records == 0) return 0;
    const uint32_t word = past.record[(offset - 0x40) / 4] & place.row->readable;
    return offset == 0x40 ? (word & 0x607f00ff) | past.records << 8 | 0x80000000U : word;
  }
  return held;
}

uint32_t NativeModel::ReadGlobal(const Place& place, const NativePins& pins) const {
  const std::string_view name = place.row->name;
  const NativeBuild& b = build_;
  const uint32_t held = values_.at(place.base + place.row->offset) & place.row->readable;
  if (name == "ID") return 0x54535241;
  if (name == "VERSION") return kRegistersVersion;
  if (name == "CAP_CHANNELS") return b.reads | b.writes << 8 | b.ports << 16;
  if (name == "CAP_BUS") return 48 | 4 << 8 | 2 << 12 | 16 << 16 | 5U << 25;
  if (name == "CAP_TASKS") {
    const uint32_t depth = b.queue_depth == 16 ? 4 : b.queue_depth == 8 ? 3 : 1;
    return 100 | depth << 12 | depth << 16 | b.locks << 24;
  }
  if (name == "CAP_FEATURES") {
    const uint32_t windows = b.windows == 0 ? 0 : 1 << 11 | (b.windows - 1) << 12;
    return (b.features & 0x7ff) | windows | (b.features >> 11 & 1) << 17 |
           (b.features >> 6 & 1) * 3 << 19;
  }
  if (name == "CAP_TIME") return 4096;
  if (name == "CAP_STREAM_TIME") return b.reads == 3 ? 8 * 4096 : 0;  // Guard is 2 there
  if (name == "CAP_PLACE") return 9 | 5 << 8;
  if (name == "GLOBAL_STATUS") {
    return held | uint32_t{pins.quiet} | uint32_t{pins.timed_out} << 1 | uint32_t{irq_line_} << 2 |
           uint32_t{pins.start_refused} << 3;
  }
  if (name == "GLOBAL_IRQ_STATUS") return GlobalCauses(pins);
  if (name == "IRQ_CHANNELS" || name == "ERR_CHANNELS") {
    uint32_t result = 0;
    for (uint32_t c = 0; c < b.channels(); ++c) {
      const uint32_t set = name == "IRQ_CHANNELS" ? irqs_ : errors_;
      if ((set >> c & 1) != 0) result |= 1U << (c < b.reads ? c : 16 + c - b.reads);
    }
    return result;
  }
  if (name == "CYCLES_LOW") return static_cast<uint32_t>(cycles_);
  if (name == "CYCLES_HIGH") return cycles_high_;
  if (name == "PACKET_STATUS") return pins.packet_errors;
  return held;
}

NativeAnswer NativeModel::Answer(const NativeAccess& access, const NativePins& pins) const {
  const Place* place = Find(access.address);
  if (place == nullptr) return Beyond(access, pins);
  if (access.write) return {Refused(*place, access, pins), 0};
  return {false, Read(*place, pins)};
}

// ---- Errors and interrupts ----------------------------------------------------------------------

uint32_t NativeModel::GlobalCauses(const NativePins& pins) const {
  const uint32_t told = value(kGlobalStatus);
  const bool quiesce = (value(kGlobalControl) & 1) != 0;
  const uint32_t saturated =
      value(kLockOver) | value(kLockOver + 4) | value(kLockUnder) | value(kLockUnder + 4);
  return uint32_t{quiesce && pins.quiet} | uint32_t{pins.timed_out} << 1 |
         uint32_t{pins.start_refused} << 2 | (told >> 4 & 1U) << 3 |
         uint32_t{(told & 0xffff00U) != 0} << 4 |
         uint32_t{build_.has(kPackets) && pins.packet_errors != 0} << 5 |
         uint32_t{saturated != 0} << 6;
}

void NativeModel::Set(uint32_t c, uint32_t causes, uint32_t irq) {
  values_[build_.base(c) + kError] |= causes;
  values_[build_.base(c) + kIrqStatus] |= irq | (causes != 0 ? 8 : 0);
}

// An error that belongs to a descriptor, or a fault.
void NativeModel::First(uint32_t c, const NativeEvent* event, const NativeChannel* fault) {
  Channel& channel = channels_[c];
  const bool bus = event != nullptr && (event->causes & kBus) != 0;
  if (!channel.known) {
    channel.known = true;
    channel.bare = fault != nullptr;
    channel.mute = bus;
    channel.placed = event != nullptr && (event->causes & (kBus | kDenied | kList | 1U << 14)) != 0;
    if (event != nullptr) {
      channel.info = event->descriptor | event->reason << 8;
      channel.address = event->addr;
    } else {
      channel.info = fault->oldest | fault->fault << 16;
    }
  } else if (channel.bare && bus) {  // the record of the transfer comes behind the fault
    channel.bare = false;
    channel.placed = true;
    channel.info = (channel.info & 0xf0000) | event->descriptor;
    channel.address = event->addr;
  } else if (channel.mute && fault != nullptr) {  // or in front of it
    channel.mute = false;
    channel.info = (channel.info & 0x3fff) | fault->fault << 16;
  }
}

void NativeModel::Happened(const NativeEvent& event) {
  const uint32_t c = event.channel;
  Channel& channel = channels_[c];
  if ((event.causes & kOfDescriptor) != 0) First(c, &event, nullptr);
  const bool each = (value(build_.base(c) + kCoalesce) & 31) <= 1;
  Set(c, event.causes,
      uint32_t{event.task_done} | uint32_t{event.interrupts} << 1 |
          uint32_t{event.record && each} << 2 | uint32_t{event.empty} << 4);
  if (!event.record || each) return;
  if (channel.records == 0) channel.records_fresh = true;
  if (channel.records < 31) ++channel.records;
}

void NativeModel::Look(uint32_t c, const NativePins& pins) {
  Channel& channel = channels_[c];
  const uint32_t base = build_.base(c), coalesce = value(base + kCoalesce);
  const NativeChannel &now = pins.now[c], &order = pins.view[c];
  const int64_t limit = int64_t{coalesce >> 16} * 4;  // in steps of 16 cycles
  const uint64_t step = step_;
  const auto passed = static_cast<int64_t>((step - channel.step) % 32);
  uint32_t causes = channel.causes, irq = 0;
  channel.causes = 0;

  if (pins.view[c].Faulted() && !channel.fault_told) {
    NativeChannel fault = pins.view[c];
    if (!fault.port_faulted) fault.fault = 9;
    fault.oldest = pins.past[c].oldest;
    First(c, nullptr, &fault);
    causes |= kFault;
    channel.fault_told = true;
  }
  if (now.missed && !channel.missed_told) causes |= 1 << 12;
  channel.missed_told = now.missed;
  if (order.stuck && !channel.stuck_told) irq |= 1 << 7;
  channel.stuck_told = order.stuck;

  // All that CONTROL asks for, at a look behind the one that saw the order.
  const uint32_t orders = channel.orders;
  const bool idle = order.idle && !order.owed && !order.port_busy;
  const bool all = ((orders & 1) == 0 || !order.owed) && ((orders & 6) == 0 || idle) &&
                   ((orders & 8) == 0 || (order.in_reset && !order.failed));
  const bool reached = channel.pending && !channel.ordered && orders != 0 && all;
  if (reached) irq |= 1 << 6;
  channel.pending = orders != 0 && (channel.ordered || (channel.pending && !reached));
  channel.ordered = false;

  // Records: so many, the queue is full, or so long ago.
  const bool full = pins.past[c].records == build_.queue_depth;
  channel.records_left = channel.records_fresh ? limit : channel.records_left - passed;
  channel.entry_left = channel.entry_fresh ? limit : channel.entry_left - passed;
  channel.records_fresh = false;
  channel.step = step;
  if (channel.records != 0 &&
      (channel.records >= (coalesce & 31) || full || (limit != 0 && channel.records_left < 0))) {
    irq |= 1 << 2;
    channel.records = 0;
  }
  const bool late = channel.entry_waits && limit != 0 && channel.entry_left < 0;
  channel.entry_fresh = false;
  if (late) channel.entry_waits = false;
  if (late || channel.entries) irq |= 1 << 5;
  channel.entries = false;
  Set(c, causes, irq);
}

// ---- A cycle ------------------------------------------------------------------------------------

void NativeModel::Write(const Place& place, const NativeAccess& access) {
  const RegisterRow& row = *place.row;
  uint32_t& value = values_[place.base + row.offset];
  const uint32_t before = value;
  const uint32_t mask = row.writable & row.readable;
  value = (value & ~(mask & ~row.clears)) | (access.data & mask & ~row.clears);
  value &= ~(access.data & mask & row.clears);
  if (!place.of_channel) return;
  Channel& channel = channels_[place.channel];
  if (Is(place, "CONTROL") && (value & ~before & 15) != 0) channel.written = true;
  if (Is(place, "COALESCE")) channel.records_fresh = channel.entry_fresh = true;
  // A trigger that is missed from now on is another one.
  if (Is(place, "ERROR") && ((access.data & mask) >> 12 & 1) != 0) channel.missed_told = false;
}

void NativeModel::Step(const NativeAccess* access, const NativePins& pins,
                       std::optional<uint32_t> look) {
  const bool any = irqs_ != 0 || (GlobalCauses(pins) & value(kCausesEnable)) != 0;
  irq_line_ = any && (value(kGlobalControl) >> 1 & 1) != 0;
  irqs_ = errors_ = 0;
  for (uint32_t c = 0; c < build_.channels(); ++c) {
    const uint32_t b = build_.base(c);
    if ((value(b + kIrqStatus) & value(b + kIrqEnable)) != 0) irqs_ |= 1U << c;
    if (value(b + kError) != 0) errors_ |= 1U << c;
  }

  if (event_) Happened(*event_);
  if (look) Look(*look, pins);
  for (uint32_t c = 0; c < build_.channels(); ++c) {
    Channel& channel = channels_[c];
    channel.ordered = channel.ordered || channel.ordering;
    channel.ordering = std::exchange(channel.written, false);
    channel.orders = std::exchange(channel.next_orders, value(build_.base(c)) & 15);
  }
  const Place* place = access == nullptr ? nullptr : Find(access->address);
  if (place != nullptr && !access->write && Is(*place, "CYCLES_LOW")) {
    cycles_high_ = static_cast<uint32_t>(cycles_ >> 32);
  }
  if (place != nullptr && access->write) {
    if (!Refused(*place, *access, pins)) {
      if (access->strobe == 15) Write(*place, *access);
    } else if (Is(*place, "TASK") && access->strobe == 15) {
      Set(place->channel, 1 << 11, 0);
    }
  }

  for (uint32_t c = 0; c < build_.channels(); ++c) {
    Channel& channel = channels_[c];
    if (value(build_.base(c) + kError) == 0) channel.known = false;
    if (!pins.view[c].Faulted()) channel.fault_told = false;
    if (pins.lock_report.by_channel && pins.lock_report.channel == c) {
      channel.causes |= uint32_t{pins.lock_report.over} << 9 | uint32_t{pins.lock_report.under}
                                                                   << 10;
    }
    if (!pins.entry.valid || pins.entry.channel != c) continue;
    channel.entries = channel.entries || pins.entry.interrupts;
    channel.entry_fresh = channel.entry_fresh || !channel.entry_waits;
    channel.entry_waits = !pins.entry.interrupts;
  }
  if (pins.lock_report.id < build_.locks) {
    const uint32_t bit = 1U << pins.lock_report.id % 32, high = pins.lock_report.id / 32 * 4;
    if (pins.lock_report.over) values_[kLockOver + high] |= bit;
    if (pins.lock_report.under) values_[kLockUnder + high] |= bit;
  }
  const auto stray = [](uint32_t ports) { return (ports | ports >> 8) & 0xff; };
  values_[kGlobalStatus] |=
      uint32_t{pins.misrouted} << 4 | stray(pins.rd_stray) << 8 | stray(pins.wr_stray) << 16;
  event_ = pins.event ? pins.event : pins.refusal;
  step_ = cycles_ / 16;
  ++cycles_;
}

}  // namespace tessera
