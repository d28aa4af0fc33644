// DmaBench: a tessera_dma with memory, streams and monitors around it, and a processor that reads
// and writes its registers.
//
// Software is plain C++: Write and Read of a register take as many cycles as the bus does,
// everything else goes on meanwhile. All ports are watched by monitors. A register access that is
// not answered within `timeout` cycles, or a rule that is broken on any port, throws
// std::runtime_error with a dump.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tb/bus/axi_manager.h"
#include "tb/bus/axis.h"
#include "tb/bus/memory.h"
#include "tb/dma/dma.h"
#include "tb/model/memory_image.h"
#include "tb/run/register_bench.h"
#include "tb/run/word_stream.h"
#include "tb/sim/tick.h"

namespace tessera {

struct DmaBenchOptions : RegisterBenchOptions {
  PacerSpec control, responses, tokens;  // of the small streams
  AxiManagerOptions processor;           // at the port of the on-chip buffer
  std::vector<AxiFault> faults;          // of the memory behind data port 0
  std::vector<AxiFault> list_faults;     // of the memory behind the port of the lists
};

class DmaBench : public RegisterBench {
 public:
  DmaBench(std::unique_ptr<Dma> dma, const DmaBenchOptions& options);

  Dma& dma() { return *dma_; }
  const DmaConfig& config() const { return dma_->config(); }
  Memory& memory() { return memory_; }
  // Error responses that memory has given on a port.
  const std::vector<ErrorEvent>& errors(int port) const;
  StreamSource& source(int write_channel);
  StreamSink& sink(int read_channel);
  // The processor at the port of the on-chip buffer; its addresses begin at 0.
  AxiManager& processor() { return processor_; }
  // What a processor writes and reads there: bytes from an address of channels on, of whole words.
  // They throw if that is refused.
  void LoadOnChip(uint64_t address, std::span<const uint8_t> bytes);
  std::vector<uint8_t> ReadOnChip(uint64_t address, size_t count);
  // The on-chip buffer gets what the memory has at its place; its bytes become those of the memory,
  // touched where the model has written or where they are not what they were.
  void FillOnChip();
  void GatherOnChip(const model::MemoryImage& expected);
  WordSource& control() { return control_; }  // packets that read and write registers
  WordSink& responses() { return responses_; }
  WordSink& tokens() { return tokens_; }
  // What the memory behind data port 0 has done wrong.
  std::vector<AxiTamper::Hit> hits() const;
  void Disarm();  // what is still to come of that does not come
  // The partner of a write channel's stream breaks the rules: `change`, called in every cycle when
  // all pins are driven, does it; the stream is watched no longer.
  void Misuse(int write_channel, std::function<void(StreamPort*)> change);
  // A reset of a read channel may take a beat back that its stream does not take: the stream is
  // watched no longer.
  void MayTakeBack(int read_channel);
  // First cycle since MarkFirst() in which an address showed on any port; kNever: none.
  uint64_t first_address() const { return first_address_; }
  void MarkFirst() { first_address_ = kNever; }
  // No record since cycle `record`, and for so many cycles nothing has moved on a memory port or a
  // stream; or, though something moves, for a hundred times as many.
  bool StandsStill(uint64_t record, uint64_t cycles) const;
  // Words of the last tasks that were written to the register TASK of a channel, reads first, the
  // latest last; no value if control packets may have written others.
  std::optional<std::vector<uint32_t>> tasks(int channel) const;
  std::string Dump() override;

 private:
  std::vector<AxiAddress> OnChipBursts(uint64_t address, size_t count) const;
  void AwaitProcessor();
  AxiPort& PinsOf(size_t port);
  void Look() override;
  void AfterDrive() override;
  void Written(uint32_t address, uint32_t value) override;

  std::unique_ptr<Dma> dma_;
  Memory memory_;
  std::vector<std::unique_ptr<MemoryPort>> ports_;  // the last is that of the lists
  std::vector<std::unique_ptr<StreamEnds>> streams_;
  std::function<void()> misuse_;
  AxiManager processor_;
  AxiMonitor processor_monitor_;
  WordSource control_;
  WordSink responses_, tokens_;
  uint64_t first_address_ = kNever;
  uint64_t moved_at_ = 0;
  std::vector<std::vector<uint32_t>> tasks_;  // of each channel, as many as its queue takes
  bool packets_ = false;                      // control packets have come
};

}  // namespace tessera
