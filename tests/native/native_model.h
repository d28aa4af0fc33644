// What the registers of tessera_dma must do, as a model: the map comes from the generated table,
// the rest from docs/programming.md. One Step() a cycle. Events of a channel, accesses and looks
// at channels come one at a time; which channel is looked at, and when, the model is told.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "tb/device/gen/register_table.h"

namespace tessera {

inline constexpr uint32_t kMostChannels = 32, kTaskDepth = 8;

// Bits of CAP_FEATURES below bit 11.
enum : uint32_t {
  kCounters = 3,
  kLists = 4,
  kTokens = 5,
  kPackets = 6,
  kOutOfOrder = 8,
  kTriggers = 10
};

struct NativeBuild {
  uint32_t reads, writes, ports, locks, windows, queue_depth;
  uint32_t features;  // the bits of CAP_FEATURES, Side at 11

  uint32_t channels() const { return reads + writes; }
  bool has(uint32_t bit) const { return (features >> bit & 1) != 0; }
  // Where the registers of a channel begin; reads first.
  uint32_t base(uint32_t c) const {
    return c < reads ? 0x1000 + 0x100 * c : 0x2000 + 0x100 * (c - reads);
  }
};

// As native_top.sv has them.
inline constexpr std::array<NativeBuild, 3> kBuilds = {{
    {3, 2, 2, 10, 3, 16, 0xbfd},
    {16, 16, 16, 64, 16, 2, 0x412},
    {1, 1, 1, 0, 0, 8, 0xc25},
}};

// What a channel shows.
struct NativeChannel {
  bool idle = true, in_reset = false, halted = false, faulted = false, busy = false;
  bool owed = false, failed = false, port_faulted = false, stuck = false, waits_stream = false,
       port_busy = false;
  uint32_t fault = 0;  // number, with port_faulted
  bool missed = false;
  uint32_t waits = 0, next_waits = 0, lock = 0, descriptor = 0, oldest = 0, room = kTaskDepth;
  bool in_task = false;
  uint32_t records = 0;
  std::array<uint32_t, 10> record = {};  // the oldest: RECORD .. RECORD_ADDR_HIGH

  bool Faulted() const { return faulted || port_faulted; }
  bool Works() const { return busy || port_busy || !idle || owed; }
};

// What happened to a channel.
struct NativeEvent {
  uint32_t channel = 0;
  bool task_done = false, interrupts = false, record = false, empty = false;
  uint32_t causes = 0, descriptor = 0, reason = 0;
  uint64_t addr = 0;
};

// What the surroundings show in a cycle. `view` and `past` are `now` of the last cycle and of the
// one before.
struct NativePins {
  std::array<NativeChannel, kMostChannels> now, view, past;
  std::optional<NativeEvent> event,
      refusal;  // the refusal of a list waits for a cycle without event
  struct {
    bool valid = false, interrupts = false;
    uint32_t channel = 0;
  } entry;
  struct {
    bool over = false, under = false, by_channel = false;
    uint32_t id = 0, channel = 0;
  } lock_report;
  bool task_ready = true, taken = true;  // a task is taken; that of this access was
  bool lock_ready = false, lock_granted = false;
  uint32_t lock_value = 0;
  bool access_ready = false, access_error = false;
  uint32_t access_data = 0;
  bool extension_ready = false, window_ready = false, other_error = false;
  uint32_t other_data = 0;
  bool quiet = false, timed_out = false, misrouted = false, start_refused = false;
  uint32_t rd_stray = 0, wr_stray = 0, packet_errors = 0;
};

struct NativeAccess {
  bool write = false;
  uint32_t address = 0, data = 0, strobe = 0;
};

struct NativeAnswer {
  bool error = false;
  uint32_t data = 0;  // of a read without error
};

// Outputs of an access: pulses in its last cycle, and what others are asked meanwhile.
struct NativeOutputs {
  uint32_t missed_clear = 0, trigger = 0, packet_clear = 0;
  bool clear = false;
  bool push = false, pop = false;  // one cycle
  uint32_t channel = 0, task = 0, tag = 0;
  bool lock = false, memory = false, extension = false, window = false;
  uint32_t lock_command = 0, lock_id = 0, lock_value = 0;
  uint32_t memory_area = 0, memory_descriptor = 0, memory_word = 0;
};

class NativeModel {
 public:
  explicit NativeModel(const NativeBuild& build);

  void Reset();

  // What an access that ends in a cycle with these pins is answered, and what else is to be seen.
  NativeAnswer Answer(const NativeAccess& access, const NativePins& pins) const;
  NativeOutputs Outputs(const NativeAccess& access) const;

  // The edge after a cycle in which `access` was answered, or none was, and in which channel
  // `look` was looked at, or none was.
  void Step(const NativeAccess* access, const NativePins& pins, std::optional<uint32_t> look);

  // A register by its address.
  uint32_t value(uint32_t address) const;
  bool irq(uint32_t channel) const { return (irqs_ >> channel & 1) != 0; }
  bool irq_line() const { return irq_line_; }
  uint64_t cycles() const { return cycles_; }
  void Jump(uint64_t cycles) { cycles_ = cycles; }
  // One cycle of 2^patience counts for time-outs.
  bool tick() const { return cycles_ % (uint64_t{1} << (value(0x20) >> 4 & 15)) == 0; }

  struct Place {
    const RegisterRow* row = nullptr;
    const RegisterGroup* group = nullptr;
    uint32_t base = 0;  // of the block
    uint32_t channel = 0;
    bool of_channel = false;
  };
  const std::map<uint32_t, Place>& places() const { return places_; }
  const NativeBuild& build() const { return build_; }

 private:
  struct Channel {
    // The first error: it is known; it is a fault without a place, a bus error without a fault.
    bool known = false, bare = false, mute = false, placed = false;
    uint32_t info = 0;
    uint64_t address = 0;
    // That a level was told of.
    bool fault_told = false, missed_told = false, stuck_told = false;
    // Pulses since the last look; an order was given since, or is not carried out.
    uint32_t causes = 0;
    bool entries = false, written = false, ordering = false, ordered = false, pending = false;
    uint32_t orders = 0, next_orders = 0;  // of CONTROL, two cycles ago and one
    // Records that were not told of, and entries; `fresh`: the first one came since the last look.
    uint32_t records = 0;
    bool records_fresh = false, entry_waits = false, entry_fresh = false;
    // Steps of time that are left, and the step of the last look.
    int64_t records_left = 0, entry_left = 0;
    uint64_t step = 0;
  };

  const Place* Find(uint32_t address) const;
  bool Lacks(const std::string& name) const;
  bool TaskLacks(const Place& place, uint32_t data) const;
  bool Refused(const Place& place, const NativeAccess& access, const NativePins& pins) const;
  uint32_t Read(const Place& place, const NativePins& pins) const;
  uint32_t ReadGlobal(const Place& place, const NativePins& pins) const;
  uint32_t Status(const Place& place, const NativePins& pins) const;
  NativeAnswer Beyond(const NativeAccess& access, const NativePins& pins) const;
  uint32_t GlobalCauses(const NativePins& pins) const;
  void Set(uint32_t c, uint32_t causes, uint32_t irq);
  void First(uint32_t c, const NativeEvent* event, const NativeChannel* fault);
  void Happened(const NativeEvent& event);
  void Look(uint32_t c, const NativePins& pins);
  void Write(const Place& place, const NativeAccess& access);

  NativeBuild build_;
  std::map<uint32_t, Place> places_;
  std::map<uint32_t, uint32_t> values_;
  std::array<Channel, kMostChannels> channels_;
  std::optional<NativeEvent> event_;  // of the last cycle
  uint64_t cycles_ = 0;               // since reset, unless it jumped
  uint32_t cycles_high_ = 0;
  uint64_t step_ = 0;               // of 16 cycles, a cycle ago
  uint32_t irqs_ = 0, errors_ = 0;  // a bit a channel, a cycle behind their registers
  bool irq_line_ = false;
};

}  // namespace tessera
