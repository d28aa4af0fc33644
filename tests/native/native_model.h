// What the registers of tessera_dma must do, as a model: the map comes from the generated table,
// the rest from docs/programming.md. One Step() a cycle.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>

#include "tests/native/gen/register_table.h"

namespace tessera {

// The build of native_top.sv.
inline constexpr uint32_t kReads = 3, kWrites = 2, kChannels = 5, kPorts = 2, kLocks = 10;
inline constexpr uint32_t kWindows = 3, kTaskDepth = 8, kRecordDepth = 16;

// What the surroundings show in a cycle, as the pins of native_top.sv have it.
struct NativePins {
  std::array<std::array<uint32_t, 5>, kChannels> view = {};
  std::array<std::array<uint32_t, 10>, kChannels> record = {};
  std::array<uint8_t, kChannels> events = {};
  std::array<std::array<uint32_t, 4>, kChannels> report = {};
  uint32_t report_valid = 0, task_ready = 0;
  bool extension_ready = false, extension_error = false;
  uint32_t extension_data = 0;
  bool lock_ready = false, lock_granted = false;
  uint32_t lock_value = 0;
  uint64_t lock_over = 0, lock_under = 0;
  bool access_ready = false, access_error = false;
  uint32_t access_data = 0;
  bool window_refused = false, quiet = false, timed_out = false;
  bool misrouted = false;
  uint32_t rd_stray = 0, wr_stray = 0;
  bool start_refused = false;
  uint32_t packet_errors = 0;
};

struct NativeAccess {
  bool write = false;
  uint32_t address = 0, data = 0, strobe = 0;
};

struct NativeAnswer {
  bool error = false;
  uint32_t data = 0;  // of a read without error
};

// Outputs that are there for the cycle of an access, or in every cycle.
struct NativeOutputs {
  uint32_t task_valid = 0, record_pop = 0, missed_clear = 0, trigger = 0;
  uint64_t over_clear = 0, under_clear = 0;
  bool clear = false, window_valid = false;
  uint32_t packet_clear = 0;
  uint32_t task = 0, tag = 0;  // with task_valid
  uint32_t window_channel = 0, window_index = 0, window_flags = 0;
  uint64_t window_first = 0, window_last = 0;
  bool lock = false, memory = false, extension = false;  // who is asked
  uint32_t lock_command = 0, lock_id = 0, lock_value = 0;
  uint32_t memory_area = 0, memory_descriptor = 0, memory_word = 0;
  uint32_t extension_channel = 0;
};

class NativeModel {
 public:
  NativeModel();

  void Reset();

  // What an access is answered in a cycle with these pins, and what else is to be seen.
  NativeAnswer Answer(const NativeAccess& access, const NativePins& pins) const;
  NativeOutputs Outputs(const NativeAccess& access, const NativePins& pins) const;

  // The edge after a cycle in which `access` was answered, or none was.
  void Step(const NativeAccess* access, const NativePins& pins, uint32_t poll, bool visit);

  // A register by its address; for the levels that go to channels.
  uint32_t value(uint32_t address) const;
  bool irq(uint32_t channel) const;
  bool irq_line() const { return irq_line_; }
  uint64_t cycles() const { return cycles_; }
  void Jump(uint64_t cycles) { cycles_ = cycles; }
  // One cycle of 2^patience counts for time-outs.
  bool tick() const { return cycles_ % (uint64_t{1} << (value(0x20) >> 4 & 15)) == 0; }

  // Where the registers of a channel begin; its place in the arrays of pins.
  static uint32_t ChannelBase(uint32_t channel) {
    return channel < kReads ? 0x1000 + 0x100 * channel : 0x2000 + 0x100 * (channel - kReads);
  }
  struct Place {
    const RegisterRow* row = nullptr;
    const RegisterGroup* group = nullptr;
    uint32_t base = 0;     // of the block
    uint32_t channel = 0;  // of channels and windows
    uint32_t number = 0;   // of windows
  };
  const std::map<uint32_t, Place>& places() const { return places_; }

 private:
  struct Channel {
    bool known = false, load_seen = false, fault_seen = false, missed = false, empty = true,
         works = false;
    bool bare = false;  // a fault is known, and not where
    bool mute = false;  // a bus error is known, and no fault
    uint32_t info = 0;
    uint64_t address = 0;
    uint32_t pending = 0, told = 0, ticks = 0;
    // Of completion entries that software was not told of; for so many visits.
    bool untold = false;
    uint32_t age = 0;
    bool each = true;
    // What CONTROL asked for a cycle ago; that some of it has not been reached; STATUS said stuck.
    uint32_t asked = 0;
    bool owed = false, stuck = false;
  };

  const Place* Find(uint32_t address) const;
  bool Refused(const Place& place, const NativeAccess& access, const NativePins& pins) const;
  uint32_t Read(const Place& place, const NativePins& pins) const;
  NativeAnswer Beyond(const NativeAccess& access, const NativePins& pins) const;
  static NativeOutputs Asked(const NativeAccess& access);
  uint32_t Causes(uint32_t c, const NativePins& pins, uint32_t poll, bool refused);
  uint32_t Reached(uint32_t c, uint32_t status);
  uint32_t GlobalCauses(const NativePins& pins) const;
  bool Due(uint32_t c, bool record, bool queue_full, bool visit);
  bool Late(uint32_t c, bool entry, bool told, bool visit);
  bool known(uint32_t c) const { return channels_[c].known && value(ChannelBase(c) + 0x18) != 0; }

  std::map<uint32_t, Place> places_;
  std::map<uint32_t, uint32_t> values_;
  std::array<Channel, kChannels> channels_;
  uint64_t cycles_ = 0;
  uint32_t cycles_high_ = 0;
  bool irq_line_ = false;
};

}  // namespace tessera
