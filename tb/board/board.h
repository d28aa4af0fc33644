// A simulated board: a tessera_dma of the RTL, memory, and streams that end in software or are
// connected to each other.
//
// Time passes in register accesses and in Step(). An access that the device refuses (SLVERR) is
// noted in refused(): on a processor it would be an exception. A broken protocol rule or a register
// that does not answer throws std::runtime_error.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sw/firmware/device.h"
#include "tb/dma/dma_bench.h"

namespace tessera::simulation {

using Bytes = std::vector<uint8_t>;

class Board : public firmware::Device {
 public:
  // A build of cmake/dmas.json.
  explicit Board(const std::string& build = "basic", const DmaBenchOptions& options = {});
  ~Board() override;

  bool Read32(uint32_t offset, uint32_t& value) override;
  bool Write32(uint32_t offset, uint32_t value) override;
  void Step() override { Pass(1); }
  bool interrupt() const override { return bench_.dma().irq; }
  void Pass(int cycles);

  // `memory` is what the device finds at `bus_address`; it must outlive the board's last access.
  void Share(uint64_t bus_address, std::span<uint8_t> memory);
  uint8_t Byte(uint64_t address) const { return bench_.memory().ReadByte(address); }
  Bytes Read(uint64_t address, size_t bytes) const {
    return bench_.memory().ReadBytes(address, bytes);
  }
  void Load(uint64_t address, std::span<const uint8_t> bytes) {
    bench_.memory().Load(address, bytes);
  }

  // One packet for write channel `channel`, or a part of one.
  void Send(int channel, std::span<const uint8_t> bytes, bool last = true);
  // What read channel `channel` has sent since the last call.
  Bytes Take(int channel);
  // What `from` sends goes into `to`, packet by packet through `work` if there is one. TLAST is
  // kept.
  using Work = std::function<Bytes(const Bytes&)>;
  void Connect(int from, int to, Work work = {});

  // Writes a waveform (FST) from now on; an empty path ends it.
  void Trace(const std::string& path) { bench_.dma().Trace(path); }
  DmaBench& bench() { return bench_; }
  const DmaConfig& config() const { return bench_.config(); }
  const std::vector<std::string>& refused() const { return refused_; }
  uint64_t reads() const { return reads_; }
  uint64_t writes() const { return writes_; }

 private:
  struct Shared;
  struct Link {
    int from = 0, to = 0;
    Work work;
    size_t beats = 0;  // that went
    Bytes packet;
  };
  void Forward();

  mutable DmaBench bench_;
  std::vector<std::unique_ptr<Shared>> shared_;
  std::vector<Link> links_;
  std::vector<size_t> taken_;
  std::vector<std::string> refused_;
  uint64_t reads_ = 0, writes_ = 0;
};

// The driver's bus of a board. Where a handler is set, it is called when the interrupt line is up
// after an access, as a processor would with interrupts enabled; not within itself.
class BoardBus {
 public:
  explicit BoardBus(Board& board) : board_(&board) {}

  uint32_t read32(uint32_t offset) {
    uint32_t value = 0;
    board_->Read32(offset, value);
    Interrupt();
    return value;
  }
  void write32(uint32_t offset, uint32_t value) {
    board_->Write32(offset, value);
    Interrupt();
  }
  void barrier() {}

  std::function<void()> handler;

 private:
  void Interrupt() {
    if (!handler || handling_ || !board_->interrupt()) return;
    handling_ = true;
    handler();
    handling_ = false;
  }
  Board* board_;
  bool handling_ = false;
};

}  // namespace tessera::simulation
