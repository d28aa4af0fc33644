// tessera_dma as everything else sees it: register port, memory ports, streams, interrupts.
//
// A cycle is that of a Dut: Settle, look, Edge, drive.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

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
  bool lists = false;
  bool side = false;          // TDEST, TID and TUSER
  bool headers = false;       // of packets that are sent
  bool out_of_order = false;  // headers choose descriptors
  bool route_dest = false;    // all packets come on stream 0
  int list_bytes = 8;         // of the port of the lists
  int silence = 4096;
  int stream_silence = 0;  // 0: streams may wait for ever
  bool triggers = false;
  bool counters = false;
  bool tokens = false;
  bool control_packets = false;
  bool control_headed = true;
  bool control_increments = true;
  int column = 0;  // where it stands, in tokens and headers
  int row = 0;
  int start_writes = 0;  // a start program: the build runs without software
  // Random programs can be given to it: software starts it, and each write channel has its stream.
  bool takes_programs() const { return start_writes == 0 && !route_dest; }
  int channels() const { return reads + writes; }
  uint32_t place() const {  // as words of streams tell of it
    return static_cast<uint32_t>(row) << 16 | static_cast<uint32_t>(column) << 21;
  }
  int streams() const { return reads > writes ? reads : writes; }
};
inline const std::string& NameOf(const DmaConfig& config) { return config.channel.name; }

class Dma : public Clocked {
 public:
  struct Streams {  // of one number
    StreamPort m_axis, s_axis;
  };
  explicit Dma(const DmaConfig& config)
      : config_(config),
        streams_(static_cast<size_t>(config.streams())),
        ports_(static_cast<size_t>(config.ports)) {}

  const DmaConfig& config() const { return config_; }
  Streams& streams(int k) { return streams_[static_cast<size_t>(k)]; }
  AxiPort& port(int p) { return ports_[static_cast<size_t>(p)]; }
  AxiPort& list_port() { return list_port_; }
  AxiLitePort& registers() { return registers_; }

  bool irq = false;
  uint32_t irq_channels = 0;                      // reads first
  WordPort control, response, token;              // control packets come, the others go
  uint16_t triggers = 0;                          // pins
  uint32_t event_transfers = 0, event_tasks = 0;  // reads first

 private:
  DmaConfig config_;
  std::vector<Streams> streams_;
  std::vector<AxiPort> ports_;
  AxiPort list_port_;
  AxiLitePort registers_;
};

// Every build linked into this program.
std::vector<DmaConfig> Dmas();
// A new model in its reset-undefined state; registers start at values drawn from `seed`.
std::unique_ptr<Dma> MakeDma(const std::string& name, uint64_t seed);

}  // namespace tessera
