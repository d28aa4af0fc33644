// tessera_dma as everything else sees it: register port, memory ports, streams, interrupts.
//
// A cycle is that of a Dut: Settle, look, Edge, drive.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "parameters/tessera_dma.h"
#include "tb/sim/dut.h"

namespace tessera {

// Register writes of a start program as Verilog has it, 64 bits each; 64'h0 is none.
inline int StartWrites(const std::string& program) {
  return program == "64'h0" ? 0 : std::stoi(program) / 64;
}

// A named build.
struct DmaConfig : DmaParameters {
  DmaConfig() = default;
  DmaConfig(const std::string& name, const DmaParameters& parameters)
      : DmaParameters(parameters),
        channel{.name = name,
                .addr_width = addr_width,
                .data_bytes = data_width / 8,
                .stream_bytes = stream_width / 8,
                .max_burst = max_burst,
                .outstanding = outstanding,
                .walk = walk,
                .bounds = bounds} {
    if (const std::string wrong = Complaint(*this); !wrong.empty())
      throw std::invalid_argument(name + ": " + wrong);
  }
  Config channel;  // of each channel
  // The stream of a channel goes to, or comes from, the other channel of this number, inside.
  bool joined(int number) const { return number < loopback; }
  bool headers() const { return side == 2; }
  int list_bytes() const {
    return std::clamp(channel.data_bytes, 8, 64);
  }  // of the port of the lists
  int silence() const { return 4096; }
  int stream_silence() const {
    return guard == 2 ? 8 * silence() : 0;
  }  // 0: streams may wait for ever
  int start_writes() const { return StartWrites(start_program); }
  // Random programs can be given to it: software starts it, and each write channel has its stream.
  bool takes_programs() const { return start_writes() == 0 && !route_dest && loopback == 0; }
  // The on-chip buffer: its first byte for channels, and how many.
  uint64_t onchip_first() const { return static_cast<uint64_t>(on_chip_base) << 20; }
  uint64_t onchip_bytes() const { return static_cast<uint64_t>(on_chip_size) << 10; }
  int channels() const { return reads + writes; }
  uint32_t place() const { return static_cast<uint32_t>(source_id) << 16; }  // in words of streams
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
  AxiPort& onchip_port() { return onchip_port_; }
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
  AxiPort list_port_, onchip_port_;
  AxiLitePort registers_;
};

// Every build linked into this program.
std::vector<DmaConfig> Dmas();
// A new model in its reset-undefined state; registers start at values drawn from `seed`.
std::unique_ptr<Dma> MakeDma(const std::string& name, uint64_t seed);

}  // namespace tessera
