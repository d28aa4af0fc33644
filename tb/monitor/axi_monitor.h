// Watches the five AXI4 channels of a Dut for broken rules (axi_rules.h), on both sides of the bus.
//
// Knows nothing of the memory model or the engine: only the pins and the limits it is given. One
// ID, in order. Looks at each cycle once, reports into a ViolationList, changes nothing.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "tb/bus/ring.h"
#include "tb/monitor/axi_rules.h"
#include "tb/monitor/violation.h"
#include "tb/sim/dut.h"
#include "tb/sim/tick.h"

namespace tessera {

struct AxiMonitorOptions {
  int data_bytes = 8;
  int addr_width = 64;
  int max_burst = 256;    // beats
  int outstanding = 128;  // bursts, each way

  static AxiMonitorOptions For(const Config& config);
};

class AxiMonitor {
 public:
  AxiMonitor(const AxiMonitorOptions& options, ViolationList* violations)
      : options_(options), violations_(violations) {}

  void Sample(const Tick& tick, const DutInputs& in, const DutOutputs& out);

  // Nothing open and no valid waits.
  bool Quiet() const;
  // Reports what is still open.
  void AtEnd(uint64_t cycle);

  size_t open_reads() const { return reads_.size(); }
  size_t open_writes() const { return writes_.size() + (aw_.waits ? 1 : 0); }
  uint64_t read_bursts() const { return read_bursts_; }
  uint64_t write_bursts() const { return write_bursts_; }
  uint64_t read_beats() const { return read_beats_; }
  uint64_t write_beats() const { return write_beats_; }

 private:
  struct Address {
    uint64_t addr = 0;
    uint8_t len = 0, size = 0, burst = 0;
    bool operator==(const Address&) const = default;
  };
  struct AddressChannel {
    bool waits = false;  // valid without ready in the last cycle
    Address held;
  };
  struct Open {  // an accepted burst
    uint64_t addr = 0;
    uint32_t beats = 0;
    uint32_t done = 0;
  };

  void Report(AxiRule rule, uint64_t cycle, std::string message);
  void CheckReset(const Tick& tick, const DutInputs& in, const DutOutputs& out);
  void CheckAddress(char channel, uint64_t cycle, bool valid, bool ready, const Address& now,
                    AddressChannel* state);
  void CheckNewAddress(char channel, uint64_t cycle, const Address& now);
  void CheckRead(uint64_t cycle, const DutInputs& in, const DutOutputs& out);
  void CheckWriteData(uint64_t cycle, const DutInputs& in, const DutOutputs& out);
  void CheckWriteBeat(uint64_t cycle, const DutOutputs& out);
  void CheckWriteResponse(uint64_t cycle, const DutInputs& in, const DutOutputs& out);
  void AcceptAddresses(uint64_t cycle, const DutInputs& in, const DutOutputs& out);
  void CheckResponse(const char* name, uint64_t cycle, uint8_t response);

  AxiMonitorOptions options_;
  ViolationList* violations_;
  uint64_t reset_cycles_ = 0;  // in a row, up to now
  bool after_reset_ = false;

  AddressChannel ar_, aw_;
  bool r_waits_ = false, w_waits_ = false, b_waits_ = false;
  BusData r_data_{}, w_data_{};
  LaneMask w_strobe_;
  uint8_t r_resp_ = 0, b_resp_ = 0;
  bool r_last_ = false, w_last_ = false;

  Ring<Open> reads_{64};
  Ring<Open> writes_{64};          // AW accepted, B not
  size_t writes_with_data_ = 0;    // of these, from the oldest on, those that have all their data
  uint32_t ahead_ = 0;             // data beats of the burst whose AW is valid and not accepted yet
  bool ahead_done_ = false;        // and it has all its data
  bool data_unannounced_ = false;  // already reported for this burst
  uint64_t read_bursts_ = 0, write_bursts_ = 0, read_beats_ = 0, write_beats_ = 0;
};

}  // namespace tessera
