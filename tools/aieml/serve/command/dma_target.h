// A tessera_dma behind a server: its registers, a memory, and each stream that comes out going in
// again where there is a stream of the same number. An interrupt is the pin irq.
//
// Memory is there wherever the DMA looks; clients see what they have added. What breaks a rule of a
// bus throws std::runtime_error.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tb/dma/dma_bench.h"
#include "tools/aieml/serve/target.h"

namespace tessera::serve {

class DmaTarget final : public Target {
 public:
  explicit DmaTarget(const std::string& name);

  bool Read(uint64_t address, uint32_t* value) override;
  bool Write(uint64_t address, uint32_t value) override;
  void Run(uint64_t cycles) override;
  uint64_t cycles() const override { return bench_.cycle(); }
  bool MemoryAdd(uint64_t address, uint64_t bytes) override;
  bool MemoryRead(uint64_t address, uint32_t* word) override;
  bool MemoryWrite(uint64_t address, uint32_t word) override;
  std::optional<std::string> Wait(uint64_t cycles) override;
  void Trace(std::function<void(const std::string&)> line) override { trace_ = std::move(line); }

  // What was moved; each range that the DMA has written outside of all buffers.
  std::string Report();
  std::vector<std::string> Strays();

 private:
  bool HasMemory(uint64_t address) const;
  void Loop();

  DmaBench bench_;
  std::map<uint64_t, uint64_t> buffers_;  // from first byte to last
  std::function<void(const std::string&)> trace_;
  std::vector<uint8_t> beat_;
  uint64_t accesses_ = 0, bytes_ = 0;  // of registers; of streams
};

}  // namespace tessera::serve
