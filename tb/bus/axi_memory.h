// An AXI4 slave on the five channels of a port, backed by a Memory.
//
// With every pacer `always` and one latency L it is cycle exact:
//   * arready is 1 while fewer than `max_reads` bursts are open (AR accepted, RLAST not yet). A
//     burst accepted in cycle t has its first R beat in t+L or the cycle after the previous burst's
//     RLAST, whichever is later; one beat a cycle, in order, RVALID held until RREADY;
//   * awready is 1 while fewer than `max_writes` bursts lack a B; wready is always 1, W may come
//   before
//     AW; B is offered L cycles after the later of AW and WLAST; one B a cycle.
// Pacers, latency ranges, service and write order make it as unhelpful as AXI allows. Written data
// land when both address and beat are there, also where an error response is injected; read data of
// an error beat are those of the memory. A reset drops everything that was asked.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tb/bus/axi_servers.h"
#include "tb/bus/channel_ends.h"
#include "tb/bus/memory.h"
#include "tb/sim/component.h"
#include "tb/sim/ports.h"
#include "tb/sim/rng.h"
#include "tb/sim/tick.h"

namespace tessera {

struct AxiMemoryOptions {
  enum class Service : uint8_t {
    kParallel,  // reads and writes know nothing of each other
    // One transaction is served at a time, reads and writes together. A read is served until its
    // RLAST, a write from its first data beat (none is taken before) until its B.
    kOneQueued,  // addresses are accepted meanwhile
    // No address is accepted while a transaction is being served; after 4 of the other direction
    // it is the turn of the one that waits, however slow its pacer.
    kOneStrict,
    kOneBuffered,  // as kOneQueued, but write data are taken at any time and a write is served only
                   // once all its data are there
  };
  enum class WriteOrder : uint8_t {
    kFree,
    kAddressFirst,  // wready only for beats whose address was accepted in an earlier cycle
    kDataFirst,     // awready only once the first data beat of the burst was accepted
    kAllDataFirst,  // awready only once its last data beat was accepted
  };

  friend constexpr std::array<std::string_view, 4> NamesOf(Service) {
    return {"parallel", "one-queued", "one-strict", "one-buffered"};
  }
  friend constexpr std::array<std::string_view, 4> NamesOf(WriteOrder) {
    return {"free", "address-first", "data-first", "all-data-first"};
  }

  uint32_t latency_min = 1;  // cycles, at least 1, drawn for each burst
  uint32_t latency_max = 1;
  uint32_t max_reads = 64;
  uint32_t max_writes = 64;
  PacerSpec ar, r, aw, w, b;
  // Bursts of different IDs are answered in any order, their R beats mixed.
  bool reorder = false;
  Service service = Service::kParallel;
  WriteOrder write_order = WriteOrder::kFree;
  std::vector<ErrorRule> errors;
  bool noise = true;  // drives garbage on data and responses that are not valid

  // The profile of the performance bench.
  static AxiMemoryOptions Latency(uint32_t cycles);
  // Something legal and unhelpful, without error responses.
  static AxiMemoryOptions Random(Rng& rng);
  std::string ToString() const;
};

class AxiMemory final : public Component {
 public:
  // Throws std::invalid_argument for options that contradict each other.
  AxiMemory(Memory* memory, AxiPort* port, int data_bytes, const AxiMemoryOptions& options,
            const Rng& rng);

  void Sample(const Tick& tick) override;
  void Drive(const Tick& next) override;

  // Nothing asked that is not answered.
  bool Idle() const;
  std::string Describe() const;  // one line of state for a failure dump
  size_t open_reads() const { return reads_.outstanding(); }
  size_t open_writes() const { return writes_.outstanding(); }
  const std::vector<ErrorEvent>& errors() const { return errors_.log(); }

 private:
  enum class Serving : uint8_t { kNothing, kRead, kWrite };

  AxiBurst NewBurst(uint64_t cycle, const AxiAddress& address, uint64_t serial);
  uint32_t DrawLatency();
  void Choose();
  void DriveAddresses();
  void DriveRead(const Tick& next);
  void DriveWrite(const Tick& next);
  void MakeNoise(BusData* data);

  AxiMemoryOptions options_;
  AxiPort* port_;
  int bytes_;
  Rng rng_;
  ErrorInjector errors_;
  AxiReadServer reads_;
  AxiWriteServer writes_;
  ChannelSink<AxiAddress> ar_, aw_;
  ChannelSink<AxiWriteBeat> w_;
  ChannelSource<AxiReadBeat> r_;
  ChannelSource<AxiWriteResponse> b_;
  Serving serving_ = Serving::kNothing;
  bool one_at_a_time_;
  uint64_t read_serial_ = 0, write_serial_ = 0;
  // With kOneStrict: addresses of the other direction that were accepted while one waited.
  int reads_passed_over_ = 0, writes_passed_over_ = 0;
};

}  // namespace tessera
