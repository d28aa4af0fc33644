// TileBench: a tessera_aieml with memory, streams and monitors around it, and a processor that
// reads and writes its registers.
//
// Software is plain C++, as with DmaBench. All ports are watched by monitors; memory is written in
// whole words of 4 bytes. A register access that is not answered within `timeout` cycles, or a rule
// that is broken on any port, throws std::runtime_error with a dump.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tb/aieml/tile_rtl.h"
#include "tb/bus/axis.h"
#include "tb/bus/memory.h"
#include "tb/run/register_bench.h"
#include "tb/run/word_stream.h"
#include "tb/sim/tick.h"

namespace tessera::aieml {

struct TileBenchOptions : RegisterBenchOptions {
  uint64_t contents = 0;                 // of the memory: its seed
  PacerSpec control, responses, tokens;  // of the small streams
};

class TileBench : public RegisterBench {
 public:
  TileBench(std::unique_ptr<TileRtl> tile, const TileBenchOptions& options);

  TileRtl& tile() { return *tile_; }
  const TileConfig& config() const { return tile_->config(); }
  Memory& memory() { return memory_; }
  StreamSource& source(int channel);  // of an S2MM channel
  StreamSink& sink(int channel);      // of an MM2S channel
  WordSource& control() { return control_; }
  WordSink& responses() { return responses_; }
  WordSink& tokens() { return tokens_; }
  // No task in hand, nothing open on memory, no word on its way out.
  bool Quiet();
  // First cycle since MarkFirst() in which an address showed on any port; kNever: none.
  uint64_t first_address() const { return first_address_; }
  void MarkFirst() { first_address_ = kNever; }
  // The last address of each direction that moved, and how many have.
  const AxiAddress& last_read() const { return last_read_; }
  const AxiAddress& last_write() const { return last_write_; }
  uint64_t bursts() const { return bursts_; }
  std::string Dump() override;

 private:
  void Look() override;

  std::unique_ptr<TileRtl> tile_;
  Memory memory_;
  std::vector<std::unique_ptr<MemoryPort>> ports_;
  std::vector<std::unique_ptr<StreamEnds>> streams_;
  WordSource control_;
  WordSink responses_, tokens_;
  uint64_t first_address_ = kNever, bursts_ = 0;
  AxiAddress last_read_, last_write_;
};

}  // namespace tessera::aieml
