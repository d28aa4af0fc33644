// tsr_native with everything around it: an AXI4-Lite master with a pacer on each channel, a second
// master on the register bus, surroundings that show what a test wants or anything, and the model
// that says what must be seen. A cycle that differs, or breaks a rule of AXI4-Lite, ends the test
// with a message.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>

#include "tb/sim/rng.h"
#include "tb/sim/unit.h"
#include "tests/native/native_model.h"
#include "units/Vnative_top.h"

namespace tessera {

struct NativeOptions {
  // How often in 100 cycles the master offers AW, W, AR and takes B and R.
  uint32_t aw = 100, w = 100, ar = 100, b = 100, r = 100;
  uint32_t second = 0;     // and the second master asks
  uint32_t answers = 100;  // and the surroundings are ready
  bool restless = false;   // the surroundings change all the time
};

class NativeUnit {
 public:
  explicit NativeUnit(uint64_t seed, const NativeOptions& options = {});

  struct Response {
    bool error = false;
    uint32_t data = 0;
    uint64_t cycle = 0;
  };

  // One access with nothing else under way.
  Response Write(uint32_t address, uint32_t data, uint32_t strobe = 15);
  Response Read(uint32_t address);

  // Accesses for the master to do as it comes; Finish() waits until all are answered.
  void Queue(const NativeAccess& access);
  bool Finish(uint64_t cycles);
  bool idle() const;

  void Cycle(bool reset = false);
  // Moves the counter of cycles.
  void Jump(uint64_t cycles);

  uint64_t cycle() const { return cycle_; }
  uint64_t accesses() const { return accesses_; }
  uint64_t refused() const { return refused_; }
  const std::string& failure() const { return failure_; }  // empty: none
  NativePins& pins() { return pins_; }
  NativeModel& expected() { return expected_; }
  Vnative_top& model() { return unit_.model(); }
  const NativeOptions& options() const { return options_; }

  // Called in every cycle when pins have settled.
  std::function<void()> on_cycle;
  // Random accesses of the second master.
  std::function<NativeAccess()> second_access;

 private:
  void DrivePins();
  void DriveMaster();
  void CheckMaster();
  void CheckBus();
  void CheckOutputs(const NativeOutputs& out);
  void CheckAsked(const NativeAccess& access, const NativeOutputs& out);
  void Change();
  void Fail(const std::string& what);
  bool Chance(uint32_t percent) { return rng_.Below(100) < percent; }

  NativeOptions options_;
  Rng rng_;
  VerilatedUnit<Vnative_top> unit_;
  NativeModel expected_;
  NativePins pins_;
  uint64_t cycle_ = 0, accesses_ = 0, refused_ = 0, quiet_cycles_ = 0;
  std::string failure_;

  // What waits to be offered, what the bus must still see, what must still be answered.
  std::deque<NativeAccess> aw_, w_, ar_, writes_, reads_;
  std::deque<NativeAnswer> b_expected_, r_expected_;
  std::deque<Response> b_seen_, r_seen_;
  bool aw_valid_ = false, w_valid_ = false, ar_valid_ = false, b_ready_ = false, r_ready_ = false;
  size_t aw_done_ = 0, w_done_ = 0, b_done_ = 0;
  std::optional<NativeAccess> second_;
  struct Held {
    bool valid = false, ready = false;
    uint32_t payload = 0;
  } b_held_, r_held_;
};

}  // namespace tessera
