// A programmed tessera_dma in simulation: the verilated RTL with its registers, memory and streams,
// in C++17. sw/driver programs it: the two register functions are its bus.
//
//   tessera::sim::Dma dma;                      // build graph
//   dma.AttachBuffer(0x1000, memory, size);     // memory of the program, at a bus address
//   dma.Write32(offset, value);                 // takes as many cycles as the bus does
//   dma.Step();                                 // one cycle
//
// Protocol rules of every port are checked in every cycle. A function that fails throws Error. A
// Dma is used by one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sim.hpp"

namespace tessera::sim {

struct DmaOptions {
  std::string build = "graph";                // one of DmaBuilds()
  uint64_t seed = 1;                          // start-up state of registers, draws of pacers
  uint32_t latency_min = 1, latency_max = 1;  // of the memory, in cycles
  uint64_t timeout = 5000;                    // cycles without an answer of a register
};

// A build of cmake/dmas.json that is in the library.
struct DmaBuild {
  std::string name;
  int reads = 0, writes = 0;  // channels: memory to stream, stream to memory
  int bus_bytes = 0, stream_bytes = 0, address_bits = 0;
  int descriptors = 0, locks = 0;
  bool walk = false, bounds = false, counters = false;
  uint64_t on_chip_address = 0, on_chip_bytes = 0;  // of the on-chip buffer; 0 bytes: there is none
};

std::vector<DmaBuild> DmaBuilds();

class Dma {
 public:
  explicit Dma(const DmaOptions& options = {});
  ~Dma();
  Dma(Dma&&) noexcept;
  Dma& operator=(Dma&&) noexcept;

  const DmaBuild& build() const;
  uint64_t cycle() const;

  // False: the device answered with an error.
  bool Read32(uint32_t offset, uint32_t& value);
  bool Write32(uint32_t offset, uint32_t value);
  bool interrupt() const;
  void Step();
  // Is called in every cycle, those of register accesses included. It may call the functions below,
  // not those above.
  void EveryCycle(std::function<void()> call);

  // The program's own bytes are the memory from `address` on; they must outlive the Dma.
  void AttachBuffer(uint64_t address, void* data, size_t size);

  // A processor writes and reads the on-chip buffer, at addresses of channels that are multiples of
  // bus_bytes: as many cycles as it takes.
  void WriteOnChip(uint64_t address, const void* data, size_t size);
  void ReadOnChip(uint64_t address, void* data, size_t size);

  // Queues bytes for a write channel, and what ends them.
  void Send(int write_channel, const void* data, size_t size, End end);
  // Bytes that are queued and not yet accepted.
  size_t Queued(int write_channel) const;
  // What a write channel's stream still shows after everything that can be taken back was.
  enum class Shown { kNothing, kBeat, kLastBeat };
  Shown Discard(int write_channel);
  // Appends what a read channel has sent to `data`. `packets` gets the number of bytes in `data` at
  // each TLAST.
  void Take(int read_channel, std::vector<uint8_t>& data, std::vector<size_t>& packets);
  // Holds TREADY of a read channel low.
  void Hold(int read_channel, bool hold);

  // Writes a waveform (FST) from the next cycle on; an empty path ends it.
  void Trace(const std::string& path);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace tessera::sim
