// An AXI4-Lite master: a queue of reads and one of writes, with a pacer on each channel.
//
// Accesses of one direction are made and answered in order; reads and writes know nothing of each
// other. Address and data of a write are offered independently. A reset drops everything that was
// asked. Responses are kept until they are taken. AxPROT and the two lowest bits of an address mean
// nothing to a slave of words: they are drawn.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>

#include "tb/bus/channel_ends.h"
#include "tb/sim/component.h"
#include "tb/sim/ports.h"
#include "tb/sim/rng.h"
#include "tb/sim/tick.h"

namespace tessera {

struct AxiLiteMasterOptions {
  PacerSpec ar, r, aw, w, b;
};

struct LiteResponse {
  uint64_t cycle = 0;  // of its handshake
  uint32_t data = 0;   // of a read
  uint8_t resp = 0;
  bool okay() const { return resp == 0; }
};

class AxiLiteMaster final : public Component {
 public:
  AxiLiteMaster(AxiLitePort* port, const AxiLiteMasterOptions& options, const Rng& rng);

  // Asks, from the next Drive() on.
  void Write(uint32_t addr, uint32_t data, uint8_t strb = 0xf);
  void Read(uint32_t addr);
  // The oldest response that has not been taken.
  std::optional<LiteResponse> TakeWritten() { return Take(&written_); }
  std::optional<LiteResponse> TakeRead() { return Take(&read_); }
  // Everything that was asked has been answered.
  bool Idle() const { return writes_open_ == 0 && reads_open_ == 0; }
  // Cycle of the last handshake of write data.
  uint64_t data_moved_at() const { return data_moved_at_; }

  void Sample(const Tick& tick) override;
  void Drive(const Tick& next) override;

 private:
  LiteAddress Word(uint32_t addr);
  static std::optional<LiteResponse> Take(std::deque<LiteResponse>* from);

  AxiLitePort* port_;
  Rng ignored_;  // draws what a slave ignores
  ChannelSource<LiteAddress> ar_, aw_;
  ChannelSource<LiteWriteData> w_;
  ChannelSink<LiteReadData> r_;
  ChannelSink<LiteWriteResponse> b_;
  std::deque<LiteAddress> read_addresses_, write_addresses_;
  std::deque<LiteWriteData> write_data_;
  std::deque<LiteResponse> written_, read_;
  bool after_reset_ = true;  // valid stays low in the first cycle after a reset
  size_t reads_open_ = 0, writes_open_ = 0;
  uint64_t data_moved_at_ = 0;
};

}  // namespace tessera
