// The model under test as everything else sees it: pins in, pins out, one clock.
//
// Every configuration of the RTL is a generated C++ class of its own; `Dut` hides which. A cycle is
//   Settle()   the inputs in `in` reach the outputs; `out` holds what a flop would sample
//   (everybody looks at `in` and `out`, nobody writes)
//   Edge()     the rising clock edge
//   (everybody writes `in` for the next cycle)
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tb/sim/bus_data.h"
#include "tb/sim/transfer.h"

namespace tessera {

// What a named configuration was built with (the parameters of tsr_engine_pair).
struct Config {
  std::string name;
  int addr_width = 64;
  int data_bytes = 8;
  int stream_bytes = 8;
  int max_burst = 64;
  int outstanding = 64;
  bool walk = true;
  bool bounds = true;
  bool loopback = false;
};
inline const std::string& NameOf(const Config& config) { return config.name; }

// Pins the environment drives. Stream and bus names are those of tsr_engine_pair.
struct DutInputs {
  bool aresetn = false;
  bool rd_valid = false, wr_valid = false;  // the transfer itself: Dut::SetTransfer
  bool rd_done_ready = false, wr_done_ready = false;
  bool rd_abort = false, wr_abort = false;
  bool arready = false;
  bool rvalid = false, rlast = false;
  uint8_t rresp = 0;
  uint16_t rid = 0, bid = 0;  // 0 where a port has one ID
  BusData rdata{};
  bool awready = false, wready = false;
  bool bvalid = false;
  uint8_t bresp = 0;
  bool m_tready = false;
  bool s_tvalid = false, s_tlast = false;
  LaneMask s_tkeep{};
  BusData s_tdata{};
};

// Pins the model drives. Data, keep and strobe are only copied out while their valid is 1.
struct DutOutputs {
  bool rd_ready = false, wr_ready = false;
  bool rd_done_valid = false, wr_done_valid = false;
  rtl::Done rd_done, wr_done;
  bool rd_idle = false, wr_idle = false;
  uint8_t wr_held = 0;
  bool arvalid = false;
  uint64_t araddr = 0;
  uint8_t arlen = 0, arsize = 0, arburst = 0;
  uint16_t arid = 0, awid = 0;
  bool rready = false;
  bool awvalid = false;
  uint64_t awaddr = 0;
  uint8_t awlen = 0, awsize = 0, awburst = 0;
  bool wvalid = false, wlast = false;
  LaneMask wstrb{};
  BusData wdata{};
  bool bready = false;
  bool m_tvalid = false, m_tlast = false;
  LaneMask m_tkeep{};
  BusData m_tdata{};
  bool s_tready = false;
};

enum class Direction { kRead, kWrite };  // memory to stream, stream to memory

class Dut {
 public:
  virtual ~Dut() = default;
  virtual const Config& config() const = 0;
  // Puts a transfer on the pins of one engine; `in.rd_valid` or `in.wr_valid` offers it.
  virtual void SetTransfer(Direction direction, const EngineTransfer& transfer) = 0;
  virtual void Settle() = 0;
  virtual void Edge() = 0;
  // Starts writing a waveform (FST) from the next edge on; an empty path stops.
  virtual void Trace(const std::string& path) = 0;

  DutInputs in;
  DutOutputs out;
};

// Every configuration linked into this program.
std::vector<Config> Configs();
// A new model in its reset-undefined state; registers start at values drawn from `seed`.
// Throws std::invalid_argument naming the known configurations when `name` is none of them.
std::unique_ptr<Dut> MakeDut(const std::string& name, uint64_t seed);

}  // namespace tessera
