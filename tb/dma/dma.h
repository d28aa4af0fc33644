// tessera_dma as everything else sees it: register port, memory ports, streams, interrupts.
//
// A cycle is that of a Dut: Settle, look, Edge, drive. Stream k of either direction is in the pins
// of channel k, the AXI4 pins of port p in those of port p; the other pins of both are not used.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tb/dma/word_stream.h"
#include "tb/sim/dut.h"

namespace tessera {

// What a named build was made with (the parameters of tessera_dma).
struct DmaConfig {
  Config channel;  // its name is the build's
  int reads = 1;
  int writes = 1;
  int ports = 1;
  int descriptors = 16;
  int task_depth = 4;
  int record_depth = 8;
  int locks = 16;
  int windows = 0;
  bool guard = true;
  bool dealt = false;
  bool lists = false;
  bool side = false;          // TDEST, TID and TUSER
  bool headers = false;       // of packets that are sent
  bool out_of_order = false;  // headers choose descriptors
  bool route_dest = false;    // all packets come on stream 0
  int list_bytes = 8;         // of the port of the lists
  int silence = 4096;
  bool triggers = false;
  bool counters = false;
  bool tokens = false;
  bool control_packets = false;
  bool control_headed = true;
  bool control_increments = true;
  int start_writes = 0;  // a start program: the build runs without software
  // Random programs can be given to it: software starts it, and each write channel has its stream.
  bool takes_programs() const { return start_writes == 0 && !route_dest; }
  int channels() const { return reads + writes; }
  int streams() const { return reads > writes ? reads : writes; }
};
inline const std::string& NameOf(const DmaConfig& config) { return config.channel.name; }

// The AXI4-Lite port: what the master drives, and what the slave does.
struct RegisterPins {
  uint32_t awaddr = 0, wdata = 0, araddr = 0;
  uint8_t wstrb = 0;
  bool awvalid = false, wvalid = false, bready = false, arvalid = false, rready = false;
};
struct RegisterAnswer {
  uint32_t rdata = 0;
  uint8_t bresp = 0, rresp = 0;
  bool awready = false, wready = false, bvalid = false, arready = false, rvalid = false;
};

class Dma {
 public:
  struct Pins {
    DutInputs in;
    DutOutputs out;
  };
  explicit Dma(const DmaConfig& config)
      : config_(config),
        channels_(static_cast<size_t>(config.streams())),
        ports_(static_cast<size_t>(config.ports)),
        sides_(static_cast<size_t>(config.streams())) {}
  virtual ~Dma() = default;
  Dma(const Dma&) = delete;
  Dma& operator=(const Dma&) = delete;

  const DmaConfig& config() const { return config_; }
  virtual void Settle() = 0;
  virtual void Edge() = 0;
  // Writes a waveform (FST) from the next edge on; an empty path stops.
  virtual void Trace(const std::string& path) = 0;

  Pins& channel(int k) { return channels_[static_cast<size_t>(k)]; }
  Pins& port(int p) { return ports_[static_cast<size_t>(p)]; }
  Pins& list_port() { return list_port_; }
  // Beside the beats of stream k.
  struct Sides {
    rtl::Side in, out;
  };
  Sides& sides(int k) { return sides_[static_cast<size_t>(k)]; }

  bool aresetn = false;
  RegisterPins registers;
  RegisterAnswer answer;
  bool irq = false;
  uint32_t irq_channels = 0;                      // reads first
  WordPins control, response, token;              // control packets come, the others go
  uint16_t triggers = 0;                          // pins
  uint32_t event_transfers = 0, event_tasks = 0;  // reads first

 private:
  DmaConfig config_;
  std::vector<Pins> channels_, ports_;
  Pins list_port_;
  std::vector<Sides> sides_;
};

// Every build linked into this program.
std::vector<DmaConfig> Dmas();
// A new model in its reset-undefined state; registers start at values drawn from `seed`.
std::unique_ptr<Dma> MakeDma(const std::string& name, uint64_t seed);

}  // namespace tessera
