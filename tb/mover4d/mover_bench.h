// MoverBench: a tessera_mover4d with memory, streams and monitors around it, and host code that
// starts it.
//
// Register accesses take as many cycles as the bus does, everything else goes on meanwhile. One
// that is not answered within `timeout` cycles, a rule that is broken on any port, or a word that
// is read outside of the lists that the test has named (AllowList), throws std::runtime_error with
// a dump.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tb/bus/axi_memory.h"
#include "tb/bus/axis.h"
#include "tb/bus/memory.h"
#include "tb/mover4d/mover.h"
#include "tb/mover4d/mover_list.h"
#include "tb/run/register_bench.h"

namespace tessera {

struct MoverBenchOptions : RegisterBenchOptions {
  MoverBenchOptions() { timeout = 20000; }
  AxiMemoryOptions lists;  // `memory` is that of data
};

// Addresses and bits of registers.
namespace mover {
inline constexpr uint32_t kControl = 0x00, kGie = 0x04, kIer = 0x08, kIsr = 0x0c, kArguments = 0x10,
                          kId = 0xf00, kVersion = 0xf04, kCapabilities = 0xf08, kErrors = 0xf0c,
                          kCycles = 0xf10, kDepth = 0xf18, kChannels = 0x1000;
inline constexpr uint32_t kStart = 1, kDone = 2, kIdle = 4, kReady = 8, kAutoRestart = 0x80;
// In the registers of a channel.
inline constexpr uint32_t kOptions = 0x00, kStatus = 0x04, kFirst = 0x08, kLast = 0x10,
                          kErrorIndex = 0x18, kErrorAddr = 0x1c, kCount = 0x24, kBytes = 0x28,
                          kBegun = 0x30, kEnded = 0x38, kMismatches = 0x40, kMismatch = 0x44,
                          kResult = 0x4c, kRamPlace = 0x50, kRamData = 0x54;
inline uint32_t Channel(int c) { return kChannels + 0x80 * static_cast<uint32_t>(c); }
}  // namespace mover

class MoverBench : public RegisterBench {
 public:
  MoverBench(std::unique_ptr<Mover> mover, const MoverBenchOptions& options);
  ~MoverBench() override;

  // Pointers of a channel, as the build orders them.
  void SetList(int channel, uint64_t address);
  void SetBase(int channel, uint64_t address);
  void SetOptions(int channel, MoverLast last, bool patterns = false);
  // Puts a list into memory and tells the channel of it.
  template <typename Descriptor>
  void Give(int channel, uint64_t address, const std::vector<Descriptor>& list) {
    const std::vector<uint8_t> bytes = Packed(list);
    memory_.Load(address, bytes);
    AllowList(channel, address, bytes.size());
    SetList(channel, address);
  }
  // From now on the channel may read these bytes of a list, each of them once a run.
  void AllowList(int channel, uint64_t address, uint64_t bytes);
  // Starts, and waits until done. Throws after `timeout` cycles without a handshake on a port.
  void Run();
  // Waits until nothing runs any more, by polling. Then no transaction may be in flight.
  void Wait();

  Mover& mover() { return *mover_; }
  const MoverConfig& config() const { return mover_->config(); }
  Memory& memory() { return memory_; }
  StreamSource& source(int write_channel);  // of a build that checks: of a read channel
  StreamSink& sink(int read_channel);
  uint64_t list_words(int channel) const { return allowed_[static_cast<size_t>(channel)].words; }
  std::string Dump() override;

 private:
  struct Channel;
  struct Allowed {
    uint64_t first = 0, bytes = 0;
    uint64_t next = 0;   // byte behind what was asked for
    uint64_t words = 0;  // asked for, ever
  };
  uint32_t ArgumentOf(int channel, int argument) const;
  void WatchList(int channel);
  void Look() override;

  std::unique_ptr<Mover> mover_;
  uint64_t timeout_;
  Memory memory_;
  std::vector<std::unique_ptr<MemoryPort>> lists_;
  std::vector<std::unique_ptr<Channel>> channels_;
  std::vector<Allowed> allowed_;
  uint64_t moved_ = 0;  // the last cycle with a handshake on a list, a data port or a stream
};

}  // namespace tessera
