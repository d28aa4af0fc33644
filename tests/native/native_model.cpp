#include "tests/native/native_model.h"

#include <string_view>

namespace tessera {
namespace {

constexpr uint32_t kError = 0x18, kIrqEnable = 0x28, kIrqStatus = 0x2c, kCoalesce = 0x30;
constexpr uint32_t kGlobalStatus = 0x24, kCausesEnable = 0x60;
constexpr uint32_t kRow = 9, kColumn = 5;  // as native_top.sv
constexpr uint32_t kTag = 0x0c, kGlobalControl = 0x20, kPacketControl = 0x50;

uint32_t ByteMask(uint32_t strobe) {
  uint32_t mask = 0;
  for (uint32_t i = 0; i < 4; ++i) mask |= (strobe >> i & 1) * (0xffU << 8 * i);
  return mask;
}

bool Is(const NativeModel::Place& place, std::string_view name) { return name == place.row->name; }

bool OfChannel(const NativeModel::Place& place) {
  const std::string_view group = place.group->name;
  return group == "READ" || group == "WRITE";
}

// native_top.sv has no triggers, and no more than 32 locks.
bool Lacks(std::string_view name) {
  return name == "TRIGGER" || name == "FIRE" || name == "LOCK_OVER_HIGH" ||
         name == "LOCK_UNDER_HIGH";
}

bool OfWindow(const NativeModel::Place& place) {
  return std::string_view(place.group->name) == "WINDOW";
}

}  // namespace

NativeModel::NativeModel() {
  for (const RegisterGroup& group : kRegisterGroups) {
    const std::string_view name = group.name;
    if (name != "GLOBAL" && name != "READ" && name != "WRITE" && name != "WINDOW") continue;
    for (uint32_t i = 0; i < group.dims[0].count; ++i) {
      for (uint32_t j = 0; j < group.dims[1].count; ++j) {
        Place place;
        place.group = &group;
        place.base = group.address + i * group.dims[0].stride + j * group.dims[1].stride;
        if (name == "READ" && i >= kReads) continue;
        if (name == "WRITE" && i >= kWrites) continue;
        place.channel = name == "WRITE" ? kReads + i : i;
        if (name == "WINDOW") {
          const bool exists = i < 16 ? i < kReads : i - 16 < kWrites;
          if (!exists || j >= kWindows) continue;
          place.channel = i < 16 ? i : kReads + i - 16;
          place.number = j;
        }
        for (uint32_t r = 0; r < group.rows; ++r) {
          place.row = &kRegisterRows[group.first + r];
          if (Lacks(place.row->name)) continue;
          places_[place.base + place.row->offset] = place;
        }
      }
    }
  }
  Reset();
}

void NativeModel::Reset() {
  values_.clear();
  for (const auto& [address, place] : places_) values_[address] = place.row->reset;
  channels_ = {};
  cycles_ = 0;
  cycles_high_ = 0;
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

bool NativeModel::irq(uint32_t c) const {
  return (value(ChannelBase(c) + kIrqStatus) & value(ChannelBase(c) + kIrqEnable)) != 0;
}

// Locks, descriptors and what begins at 0x80 of a channel are answered by the surroundings.
NativeAnswer NativeModel::Beyond(const NativeAccess& access, const NativePins& pins) const {
  const uint32_t a = access.address & ~3U;
  if (a >= 0x3000 && a < 0x3000 + 0x10 * kLocks && (a & 8) == 0) {
    const bool value = (a & 4) == 0;
    if (access.write) return {(access.strobe & 1) == 0, 0};
    return {false, value ? pins.lock_value : 0};
  }
  if (a >= 0x8000 && a < 0x8000 + 0x200 * kLocks) return {access.write, pins.lock_granted};
  if (a >= 0x20000 && a < 0x2c400) return {pins.access_error, pins.access_data};
  for (uint32_t c = 0; c < kChannels; ++c) {
    if (a >= ChannelBase(c) + 0x80 && a < ChannelBase(c) + 0x100) {
      return {pins.extension_error, pins.extension_data};
    }
  }
  return {true, 0};
}

// What the surroundings are asked by an access that they answer.
NativeOutputs NativeModel::Asked(const NativeAccess& access) {
  NativeOutputs out;
  const uint32_t a = access.address & ~3U;
  if (a >= 0x3000 && a < 0x3000 + 0x10 * kLocks && (a & 8) == 0) {
    const bool release = (a & 4) != 0;
    out.lock = access.write ? (access.strobe & 1) != 0 : !release;
    out.lock_command = !access.write ? 0 : release ? 2 : 1;
    out.lock_id = a >> 4 & 63;
    out.lock_value = access.write ? access.data & 0x7f : 0;
  } else if (a >= 0x8000 && a < 0x8000 + 0x200 * kLocks) {
    out.lock = !access.write;
    out.lock_command = 3;
    out.lock_id = a >> 9 & 63;
    out.lock_value = a >> 2 & 0x7f;
  } else if (a >= 0x20000 && a < 0x2c400) {
    const bool turns = a >= 0x2c000;
    out.memory = true;
    out.memory_area = a >> 14 & 3;
    out.memory_descriptor = a >> (turns ? 2 : 6) & 0xff;
    out.memory_word = turns ? 0 : a >> 2 & 15;
  } else {
    for (uint32_t c = 0; c < kChannels; ++c) {
      if (a < ChannelBase(c) + 0x80 || a >= ChannelBase(c) + 0x100) continue;
      out.extension = true;
      out.extension_channel = c;
    }
  }
  return out;
}

bool NativeModel::Refused(const Place& place, const NativeAccess& access,
                          const NativePins& pins) const {
  const RegisterRow& row = *place.row;
  const uint32_t c = place.channel;
  if (row.writable == 0) return true;
  if (row.whole && (row.strobes & ~access.strobe) != 0) return true;
  if ((values_.at(place.base + row.offset) & row.lock) != 0) return true;
  if (Is(place, "PACKET_FIRST") || Is(place, "PACKET_LAST")) {
    return (value(kPacketControl) >> 31) != 0;
  }
  if (OfWindow(place)) {
    if ((values_.at(place.base + 0x10) >> 31 & 1) != 0) return true;
    return Is(place, "FLAGS") && pins.window_refused && access.strobe != 0;
  }
  if (OfChannel(place)) {
    if (Is(place, "STANDING")) return channels_[c].works;
    // native_top.sv has no triggers.
    if (Is(place, "TASK")) {
      const bool by_id = c >= kReads && (value(place.base) >> 8 & 1) != 0;
      return (pins.task_ready >> c & 1) == 0 || (access.data >> 26 & 3) != 0 ||
             (by_id && (access.data >> 28 & 1) != 0);
    }
    if (Is(place, "RECORD_POP")) return (pins.record[c][0] >> 8 & 31) == 0;
  }
  return false;
}

uint32_t NativeModel::Read(const Place& place, const NativePins& pins) const {
  const uint32_t c = place.channel;
  const uint32_t offset = place.row->offset;
  const uint32_t held = values_.at(place.base + offset) & place.row->readable;
  if (OfChannel(place)) {
    if (Is(place, "STATUS")) return pins.view[c][0] & place.row->readable;
    if (Is(place, "CURRENT")) return pins.view[c][1] & 0xff;
    if (Is(place, "ERROR_INFO")) return known(c) ? channels_[c].info : 0;
    if (Is(place, "ERROR_ADDR_LOW")) {
      return known(c) ? static_cast<uint32_t>(channels_[c].address) : 0;
    }
    if (Is(place, "ERROR_ADDR_HIGH")) {
      return known(c) ? static_cast<uint32_t>(channels_[c].address >> 32) : 0;
    }
    if (offset >= 0x40 && offset < 0x68) {
      if ((pins.record[c][0] >> 8 & 31) == 0) return 0;
      const uint32_t word = pins.record[c][(offset - 0x40) / 4] & place.row->readable;
      return offset == 0x40 ? (word & 0x7fffffff) | 0x80000000U : word;
    }
    return held;
  }
  if (OfWindow(place)) return held;
  const std::string_view name = place.row->name;
  if (name == "ID") return 0x54535241;
  if (name == "VERSION") return kRegistersVersion;
  if (name == "CAP_CHANNELS") return kReads | kWrites << 8 | kPorts << 16;
  if (name == "CAP_BUS") return 48 | 4 << 8 | 2 << 12 | 16 << 16 | 5U << 25;
  if (name == "CAP_TASKS") return 100 | 3 << 12 | 4 << 16 | kLocks << 24;
  // As native_top.sv: 1 1011 1011 0111 1101, from one_id down to walk.
  if (name == "CAP_FEATURES") return 0x370000 | 0x37d | 1 << 11 | (kWindows - 1) << 12;
  if (name == "CAP_TIME") return 5000;
  if (name == "CAP_STREAM_TIME") return 6000;
  if (name == "GLOBAL_STATUS") {
    return held | (pins.quiet ? 1 : 0) | (pins.timed_out ? 2 : 0) | (irq_line_ ? 4 : 0) |
           (pins.start_refused ? 8 : 0);
  }
  if (name == "GLOBAL_IRQ_STATUS") return GlobalCauses(pins);
  if (name == "CAP_PLACE") return kRow | kColumn << 8;
  if (name == "IRQ_CHANNELS" || name == "ERR_CHANNELS") {
    uint32_t result = 0;
    for (uint32_t i = 0; i < kChannels; ++i) {
      const bool set = name == "IRQ_CHANNELS" ? irq(i) : value(ChannelBase(i) + kError) != 0;
      if (set) result |= 1U << (i < kReads ? i : 16 + i - kReads);
    }
    return result;
  }
  if (name == "CYCLES_LOW") return static_cast<uint32_t>(cycles_);
  if (name == "CYCLES_HIGH") return cycles_high_;
  if (name == "PACKET_STATUS") return pins.packet_errors;
  const uint64_t has = (1ULL << kLocks) - 1;
  if (name == "LOCK_OVER_LOW") return static_cast<uint32_t>(pins.lock_over & has);
  if (name == "LOCK_UNDER_LOW") return static_cast<uint32_t>(pins.lock_under & has);
  return held;
}

NativeAnswer NativeModel::Answer(const NativeAccess& access, const NativePins& pins) const {
  const Place* place = Find(access.address);
  if (place == nullptr) return Beyond(access, pins);
  if (access.write) return {Refused(*place, access, pins), 0};
  return {false, Read(*place, pins)};
}

NativeOutputs NativeModel::Outputs(const NativeAccess& access, const NativePins& pins) const {
  NativeOutputs out;
  const Place* place = Find(access.address);
  if (place == nullptr) return Asked(access);
  if (!access.write) return out;
  const uint32_t mask = ByteMask(access.strobe);
  const uint32_t data = access.data & mask;
  const uint32_t bit = 1U << place->channel;
  if (OfWindow(*place)) {
    const uint32_t base = place->base;
    out.window_valid =
        Is(*place, "FLAGS") && access.strobe != 0 && (value(base + 0x10) >> 31 & 1) == 0;
    const uint32_t flags = (value(base + 0x10) & ~mask) | data;
    out.window_channel = place->channel;
    out.window_index = place->number;
    out.window_flags = (flags >> 31) << 2 | (flags & 3);
    out.window_first = static_cast<uint64_t>(value(base + 4)) << 32 | value(base);
    out.window_last = static_cast<uint64_t>(value(base + 12)) << 32 | value(base + 8);
    return out;
  }
  if (Refused(*place, access, pins)) return out;
  if (OfChannel(*place)) {
    if (Is(*place, "TASK")) {
      out.task_valid = bit;
      out.task = data & place->row->writable;
      out.tag = value(place->base + kTag);
    }
    if (Is(*place, "RECORD_POP") && access.strobe != 0) out.record_pop = bit;
    if (Is(*place, "ERROR") && (data >> 12 & 1) != 0) out.missed_clear = bit;
    return out;
  }
  if (Is(*place, "PACKET_STATUS")) out.packet_clear = data & 15;
  if (Is(*place, "FIRE")) out.trigger = data & 0xffff;
  if (Is(*place, "GLOBAL_CONTROL")) out.clear = (data >> 3 & 1) != 0;
  const uint64_t has = (1ULL << kLocks) - 1;
  if (Is(*place, "LOCK_OVER_LOW")) out.over_clear = data & has;
  if (Is(*place, "LOCK_UNDER_LOW")) out.under_clear = data & has;  // there are fewer than 32
  return out;
}

// What sets bits of ERROR in this cycle; also keeps what is known of the first.
uint32_t NativeModel::Causes(uint32_t c, const NativePins& pins, uint32_t poll, bool refused) {
  Channel& channel = channels_[c];
  uint32_t causes = 0;
  const bool none = value(ChannelBase(c) + kError) == 0;
  const bool fresh = !channel.known || none;
  const uint32_t reason = pins.view[c][1] >> 8 & 63;
  const bool faulted = (pins.view[c][0] >> 23 & 1) != 0;
  const bool named = (pins.view[c][0] >> 30 & 1) != 0;
  bool keep = false;
  const bool load_seen = channel.load_seen, fault_seen = channel.fault_seen;
  channel.load_seen = load_seen && reason != 0;
  channel.fault_seen = fault_seen && faulted;
  if (poll == c) {
    uint32_t info = 0;
    uint64_t address = 0;
    bool load = false, fault = false;
    if ((pins.report_valid >> c & 1) != 0) {
      keep = true;
      causes = pins.report[c][0] & 0x7fff;
      info = pins.report[c][1] & 0x3fff;
      address = static_cast<uint64_t>(pins.report[c][3]) << 32 | pins.report[c][2];
    } else if (reason != 0 && !load_seen) {
      keep = load = true;
      causes = 1;
      info = (pins.view[c][1] >> 16 & 0xff) | reason << 8;
    } else if (faulted && !fault_seen) {
      keep = fault = true;
      causes = 1 << 7;
      info = (pins.view[c][4] & 0xff) | (pins.view[c][1] >> 24 & 15) << 16;
      if (named) address = static_cast<uint64_t>(pins.view[c][3]) << 32 | pins.view[c][2];
    }
    const bool told = (pins.report_valid >> c & 1) != 0 && (pins.report[c][0] & 1) != 0;
    channel.load_seen = channel.load_seen || (reason != 0 && (load || told));
    channel.fault_seen = channel.fault_seen || fault;
    if (keep && fresh) {
      channel.info = info;
      channel.address = address;
    } else if (channel.bare && !none && (causes & 2) != 0) {  // a bus error, not a level
      channel.info = (channel.info & ~0xffU) | (info & 0xff);
      channel.address = address;
      channel.bare = false;
    } else if (channel.mute && !none && fault) {  // the record of the transfer came first
      channel.info = (channel.info & ~(0xfU << 16)) | (info & 0xfU << 16);
      channel.mute = false;
    }
    if (keep && fresh) channel.bare = fault && !named;
    if (keep && fresh) channel.mute = !fault && (causes & 2) != 0;
  }
  if (none && !(keep && fresh)) channel.bare = channel.mute = false;
  channel.known = (keep && fresh) || (channel.known && !none);
  causes |= (pins.events[c] >> 3 & 1) << 8 | (pins.events[c] >> 4 & 1) << 9 |
            (pins.events[c] >> 5 & 1) << 10;
  if (refused) causes |= 1 << 11;
  const bool missed = (pins.view[c][0] >> 29 & 1) != 0;
  if (missed && !channel.missed) causes |= 1 << 12;
  channel.missed = missed;
  channel.works = (pins.view[c][0] >> 16 & 5) != 4;  // busy, or not idle
  return causes;
}

bool NativeModel::Due(uint32_t c, bool record, bool queue_full, bool visit) {
  Channel& channel = channels_[c];
  const uint32_t setting = value(ChannelBase(c) + kCoalesce);
  bool due = channel.each && record;
  if (visit) {
    const uint32_t total = channel.told + channel.pending;
    const uint32_t ticks = setting >> 16;
    const bool full = total != 0 && (total >= (setting & 31) || queue_full ||
                                     (ticks != 0 && channel.ticks >= ticks));
    due = due || full;
    channel.told = full ? 0 : total;
    channel.ticks = full || total == 0 ? 0 : channel.ticks + 1;
    channel.pending = 0;
  }
  if (record && !channel.each && channel.pending < 31) ++channel.pending;
  return due;
}

// An entry waits for so many visits of the poll, from the first that saw it on.
bool NativeModel::Late(uint32_t c, bool entry, bool told, bool visit) {
  Channel& channel = channels_[c];
  const uint32_t ticks = value(ChannelBase(c) + kCoalesce) >> 16;
  bool late = false;
  if (visit && channel.untold) {
    late = ticks != 0 && channel.age >= ticks;
    ++channel.age;
  }
  if (told || late) channel.untold = false;
  if (!channel.untold) channel.age = 0;
  channel.untold = channel.untold || entry;
  return late;
}

// The bits of IRQ_STATUS that tell of CONTROL: reached once when all that it asks for is so, a
// cycle or more after it was asked for.
uint32_t NativeModel::Reached(uint32_t c, uint32_t status) {
  constexpr uint32_t kPause = 1, kDrain = 2, kAbort = 4, kReset = 8;
  Channel& channel = channels_[c];
  const bool idle = (status >> 18 & 1) != 0, paused = (status >> 19 & 1) != 0,
             in_reset = (status >> 20 & 1) != 0, stuck = (status >> 21 & 1) != 0;
  const uint32_t asked = value(ChannelBase(c)) & (kPause | kDrain | kAbort | kReset);
  const bool more = (asked & ~channel.asked) != 0;
  const bool all = ((asked & kPause) == 0 || paused) &&
                   ((asked & (kDrain | kAbort)) == 0 || idle) &&
                   ((asked & kReset) == 0 || in_reset);
  const bool reached = channel.owed && asked != 0 && !more && all;
  const bool newly_stuck = stuck && !channel.stuck;
  channel.owed = more || (channel.owed && asked != 0 && !reached);
  channel.asked = asked;
  channel.stuck = stuck;
  return (reached ? 1U << 6 : 0U) | (newly_stuck ? 1U << 7 : 0U);
}

uint32_t NativeModel::GlobalCauses(const NativePins& pins) const {
  const uint32_t told = value(kGlobalStatus);
  const bool quiesce = (value(kGlobalControl) & 1) != 0;
  const uint64_t has = (1ULL << kLocks) - 1;
  return (quiesce && pins.quiet ? 1U : 0U) | (pins.timed_out ? 2U : 0U) |
         (pins.start_refused ? 4U : 0U) | (told >> 4 & 1U) << 3 |
         ((told & 0xffff00U) != 0 ? 1U << 4 : 0U) | (pins.packet_errors != 0 ? 1U << 5 : 0U) |
         (((pins.lock_over | pins.lock_under) & has) != 0 ? 1U << 6 : 0U);
}

void NativeModel::Step(const NativeAccess* access, const NativePins& pins, uint32_t poll,
                       bool visit) {
  const Place* place = access == nullptr ? nullptr : Find(access->address);
  const bool write = place != nullptr && access->write;
  const bool done = write && !Refused(*place, *access, pins);
  bool line = (value(kGlobalControl) >> 1 & 1) != 0;
  bool any = false;
  for (uint32_t c = 0; c < kChannels; ++c) any = any || irq(c);
  any = any || (GlobalCauses(pins) & value(kCausesEnable)) != 0;
  line = line && any;

  const uint32_t cleared = access == nullptr ? 0 : Outputs(*access, pins).missed_clear;
  std::array<uint32_t, kChannels> causes = {}, events = {};
  for (uint32_t c = 0; c < kChannels; ++c) {
    const bool refused = write && !done && OfChannel(*place) && place->channel == c &&
                         Is(*place, "TASK") && access->strobe == 15;
    causes[c] = Causes(c, pins, poll, refused);
    // A trigger that is missed in the cycle of the clear is another one.
    if ((cleared >> c & 1) != 0) channels_[c].missed = false;
    const bool empty = (pins.view[c][0] >> 24 & 31) == kTaskDepth;
    events[c] = (pins.events[c] & 3U) | (causes[c] != 0 ? 8U : 0U) |
                (empty && !channels_[c].empty ? 16U : 0U) | (pins.events[c] >> 6 & 1U) << 5 |
                Reached(c, pins.view[c][0]);
    channels_[c].empty = empty;
    const bool record = (pins.events[c] >> 2 & 1) != 0;
    const bool queue_full = (pins.record[c][0] >> 8 & 31) == kRecordDepth;
    if (Due(c, record, queue_full, visit && poll == c)) events[c] |= 4;
    const bool in_reset = (pins.view[c][0] >> 20 & 1) != 0;
    const bool told = (pins.events[c] >> 6 & 1) != 0 || in_reset;
    const bool entry = (pins.events[c] >> 7 & 1) != 0;
    if (Late(c, entry, told, visit && poll == c)) events[c] |= 1U << 5;
  }
  if (place != nullptr && !access->write && Is(*place, "CYCLES_LOW")) {
    cycles_high_ = static_cast<uint32_t>(cycles_ >> 32);
  }
  if (done) {
    const RegisterRow& row = *place->row;
    uint32_t& value = values_[place->base + row.offset];
    const uint32_t mask = ByteMask(access->strobe) & row.writable & row.readable;
    value = (value & ~(mask & ~row.clears)) | (access->data & mask & ~row.clears);
    value &= ~(access->data & mask & row.clears);
    if (OfChannel(*place) && row.offset == kCoalesce) {
      channels_[place->channel].each = (value & 31) <= 1;
    }
  }
  for (uint32_t c = 0; c < kChannels; ++c) {
    values_[ChannelBase(c) + kError] |= causes[c];
    values_[ChannelBase(c) + kIrqStatus] |= events[c];
  }
  values_[0x24] |= uint32_t{pins.misrouted} << 4 | pins.rd_stray << 8 | pins.wr_stray << 16;
  irq_line_ = line;
  ++cycles_;
}

}  // namespace tessera
