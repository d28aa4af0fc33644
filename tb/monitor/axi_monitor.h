// Watches the five channels of an AXI4 port for broken rules (axi_rules.h), on both sides of it.
//
// Knows nothing of the memory model or the engine: only the port and the limits it is given. Bursts
// of one ID are in order, those of several in any; write data are in the order of the addresses.
// Looks at each cycle once, reports into a ViolationList, changes nothing.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tb/bus/ring.h"
#include "tb/monitor/axi_rules.h"
#include "tb/monitor/channel_monitor.h"
#include "tb/monitor/violation.h"
#include "tb/sim/component.h"
#include "tb/sim/dut.h"
#include "tb/sim/tick.h"

namespace tessera {

struct AxiMonitorOptions {
  int data_bytes = 8;
  int addr_width = 64;
  int max_burst = 256;    // beats
  int outstanding = 128;  // bursts of an ID, each way
  int read_ids = 1, write_ids = 1;
  bool plain = true;  // bursts are INCR, of the full width, aligned; else any that AXI4 permits

  static AxiMonitorOptions For(const Config& config);
};

class AxiMonitor final : public Component {
 public:
  AxiMonitor(const AxiPort* port, const AxiMonitorOptions& options, ViolationList* violations);

  void Sample(const Tick& tick) override;

  // Nothing open and no valid waits.
  bool Quiet() const;
  // Reports what is still open.
  void AtEnd(uint64_t cycle);

  size_t open_reads() const { return reads_.size(); }
  size_t open_writes() const { return writes_.size() + (aw_.waits() ? 1 : 0); }
  uint64_t read_bursts() const { return read_bursts_; }
  uint64_t write_bursts() const { return write_bursts_; }
  uint64_t read_beats() const { return read_beats_; }
  uint64_t write_beats() const { return write_beats_; }

 private:
  struct Open {  // an accepted burst
    uint64_t addr = 0;
    uint32_t beats = 0;
    uint32_t done = 0;
    uint16_t id = 0;
  };

  void Report(AxiRule rule, uint64_t cycle, std::string message);
  void Forget();
  void CheckAddress(char channel, uint64_t cycle, const AxiAddress& now);
  void CheckReadBeat(uint64_t cycle);
  void CheckWriteBeat(uint64_t cycle);
  void CheckWriteResponse(uint64_t cycle);
  void TakeReadBeat();
  void TakeWriteBeat();
  void TakeWriteResponse();
  void AcceptAddresses(uint64_t cycle);
  void CheckOutstanding(const char* noun, uint64_t cycle, const Ring<Open>& open, uint16_t id);
  void CheckResponse(const char* name, uint64_t cycle, uint8_t response);
  // The oldest burst of an ID; the number of bursts if there is none.
  static size_t Oldest(const Ring<Open>& open, uint16_t id);

  const AxiPort* port_;
  AxiMonitorOptions options_;
  ViolationList* violations_;
  ChannelMonitor<AxiAddress> ar_, aw_;
  ChannelMonitor<AxiReadBeat> r_;
  ChannelMonitor<AxiWriteBeat> w_;
  ChannelMonitor<AxiWriteResponse> b_;

  Ring<Open> reads_{64};
  Ring<Open> writes_{64};          // AW accepted, B not
  size_t writes_with_data_ = 0;    // of these, from the oldest on, those that have all their data
  uint32_t ahead_ = 0;             // data beats of the burst whose AW is valid and not accepted yet
  bool ahead_done_ = false;        // and it has all its data
  bool data_unannounced_ = false;  // already reported for this burst
  uint64_t read_bursts_ = 0, write_bursts_ = 0, read_beats_ = 0, write_beats_ = 0;
};

}  // namespace tessera
