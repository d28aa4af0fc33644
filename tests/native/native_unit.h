// The registers with everything around them: an AXI4-Lite master with a pacer on each channel, a
// second master on the register bus, surroundings that show what a test wants or anything, and the
// model that says what must be seen. A cycle that differs, or breaks a rule of AXI4-Lite, ends the
// test with a message.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>

#include "tb/bus/axi_lite.h"
#include "tb/monitor/axi_lite_monitor.h"
#include "tb/sim/rng.h"
#include "tb/sim/unit.h"
#include "tests/native/native_model.h"
#include "units/Vnative_top.h"

namespace tessera {

struct NativeOptions {
  uint32_t build = 0;
  AxiLiteMasterOptions master = {};
  // How often in 100 cycles
  uint32_t second = 0;     // the second master asks
  uint32_t answers = 100;  // the surroundings are ready
  uint32_t events = 0;     // something happens to a channel
  bool restless = false;   // the surroundings change all the time
};

class NativeUnit {
 public:
  explicit NativeUnit(uint64_t seed, const NativeOptions& options = {});

  // One access with nothing else under way.
  LiteResponse Write(uint32_t address, uint32_t data, uint32_t strobe = 15);
  LiteResponse Read(uint32_t address);

  // Accesses for the master to do as it comes; Finish() waits until all are answered.
  void Queue(const NativeAccess& access);
  bool Finish(uint64_t cycles);
  bool idle() const { return master_.Idle() && !second_; }

  void Cycle(bool reset = false);
  void Wait(uint64_t cycles) {
    for (uint64_t i = 0; i < cycles; ++i) Cycle();
  }
  void Happen(const NativeEvent& event);  // in the next cycle
  // Moves the counter of cycles.
  void Jump(uint64_t cycles);

  uint64_t cycle() const { return cycle_; }
  uint64_t accesses() const { return accesses_; }
  uint64_t refused() const { return refused_; }
  uint64_t looks() const { return looks_; }
  uint64_t longest() const { return longest_; }            // without a look at a channel
  const std::string& failure() const { return failure_; }  // empty: none
  NativePins& pins() { return pins_; }
  NativeChannel& channel(uint32_t c) { return pins_.now[c]; }
  NativeModel& expected() { return expected_; }
  const NativeBuild& build() const { return expected_.build(); }
  uint32_t base(uint32_t c) const { return build().base(c); }
  Vnative_top& model() { return unit_.model(); }

  // Called in every cycle when pins have settled.
  std::function<void()> on_cycle;
  // Random accesses of the second master.
  std::function<NativeAccess()> second_access;

 private:
  void Change();
  void ChangeChannel(NativeChannel* channel);
  void DrivePins();
  void DriveMasters(const Tick& tick);
  void CheckMaster(const Tick& tick);
  void CheckLevels();
  void CheckAsked(const NativeAccess* access, bool done);
  void CheckPulses(const NativeOutputs& out);
  void CheckLook();
  void CheckBus();
  void Same(const char* name, uint64_t is, uint64_t want);
  void Fail(const std::string& what);
  bool Chance(uint32_t percent) { return rng_.Below(100) < percent; }
  // A bit of ERROR that an event of a transfer may set.
  uint32_t Cause() {
    const uint32_t n = Below(8);
    return 1U << (n == 7 ? 8 : n);
  }
  uint32_t Below(uint32_t n) { return static_cast<uint32_t>(rng_.Below(n)); }
  uint32_t Word() { return static_cast<uint32_t>(rng_()); }

  NativeOptions options_;
  Rng rng_;
  VerilatedUnit<Vnative_top> unit_;
  NativeModel expected_;
  NativePins pins_;
  std::array<uint32_t, kMostChannels> control_before_{}, standing_before_{};  // of the last cycle
  uint64_t cycle_ = 0, accesses_ = 0, refused_ = 0, looks_ = 0, longest_ = 0, since_reset_ = 0,
           quiet_cycles_ = 0;
  std::string failure_, access_name_ = "reset";
  std::optional<NativeAnswer>
      acted_;  // of an access that has read and written, and ends in the next cycle
  // Numbers that were asked for: a view comes a cycle later, a word of a record two.
  uint32_t view_channel_ = 0, pushes_ = 0, pops_ = 0;
  std::array<std::pair<uint32_t, uint32_t>, 2> record_asked_ = {};
  // Cycles since each channel was looked at, and those of them that may put that off.
  std::array<std::pair<uint64_t, uint64_t>, kMostChannels> unlooked_ = {};

  AxiLitePort port_;
  ViolationList violations_;
  AxiLiteMaster master_;
  AxiLiteMonitor monitor_{&port_, "s_axil", &violations_};
  std::optional<NativeAccess> second_;
  // What the bus must still see, and what must still be answered; what was answered last.
  std::deque<NativeAccess> writes_, reads_;
  std::deque<NativeAnswer> written_, read_;
  LiteResponse last_;
};

}  // namespace tessera
