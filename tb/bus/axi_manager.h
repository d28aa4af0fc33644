// An AXI4 master: queues of reads and writes, each burst with its ID, size and type, and a pacer on
// each channel.
//
// Bursts of one direction are offered in the order in which they were asked; data of a write from
// the cycle on in which its address is offered, taken or not. Answers are kept, in the order in
// which they came, until they are taken. A reset drops everything.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "tb/bus/channel_ends.h"
#include "tb/sim/component.h"
#include "tb/sim/ports.h"
#include "tb/sim/rng.h"
#include "tb/sim/tick.h"

namespace tessera {

struct AxiManagerOptions {
  PacerSpec ar, r, aw, w, b;
};

class AxiManager final : public Component {
 public:
  struct Answer {
    uint16_t id = 0;
    std::vector<BusData> data;   // of a read, a beat each
    std::vector<uint8_t> resps;  // of a read one a beat, of a write one
    bool okay() const;
  };

  AxiManager(AxiPort* port, const AxiManagerOptions& options, const Rng& rng);

  void Read(const AxiAddress& burst) { reads_.push_back(burst); }
  // As many beats as the burst has.
  void Write(const AxiAddress& burst, std::vector<AxiWriteBeat> beats);
  std::optional<Answer> TakeRead() { return Take(&read_); }
  std::optional<Answer> TakeWritten() { return Take(&written_); }
  // Everything that was asked has been answered.
  bool Idle() const {
    return reads_.empty() && writes_.empty() && open_reads_ == 0 && open_writes_ == 0;
  }

  void Sample(const Tick& tick) override;
  void Drive(const Tick& next) override;

 private:
  static std::optional<Answer> Take(std::deque<Answer>* from);

  AxiPort* port_;
  ChannelSource<AxiAddress> ar_, aw_;
  ChannelSource<AxiWriteBeat> w_;
  ChannelSink<AxiReadBeat> r_;
  ChannelSink<AxiWriteResponse> b_;
  std::deque<AxiAddress> reads_, writes_;
  std::deque<AxiWriteBeat> beats_;
  size_t announced_ = 0;  // of them: those of addresses that have been offered
  Answer coming_;         // of the read whose beats come
  std::deque<Answer> read_, written_;
  size_t open_reads_ = 0, open_writes_ = 0;
  bool after_reset_ = true;  // valid stays low in the first cycle after a reset
};

}  // namespace tessera
