// The verilated tessera_aieml as the DMA of a tile of the simulated array: it stands where the
// behavioural model stands, so that both can run the same program.
//
// A stream beat is a word: builds with wider streams are not for it. The windows of a memory tile
// are those after reset, where addresses of the bus are those of the array.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "lib/aieml/tile_dma.h"
#include "tb/aieml/tile_rtl.h"
#include "tests/aieml_rtl/word_port.h"

namespace tessera::aieml {

class RtlDma final : public TileDma {
 public:
  // The build with this name; after its reset.
  RtlDma(const std::string& build, const DmaPorts& ports, const PortOptions& options,
         uint64_t seed);

  bool Post(const Access& access) override;
  std::optional<uint32_t> Answer() override;
  void Clock() override;
  bool Quiet() const override;
  void Neighbours(TileDma*, TileDma*) override {}  // locks of neighbours are not in reach

  TileRtl& rtl() { return *rtl_; }
  const WordPort& port() const { return port_; }
  bool failed() const { return failed_; }  // the last answer was SLVERR

 private:
  void DriveStreams();
  void SampleStreams();
  void SampleRegisters();

  std::unique_ptr<TileRtl> rtl_;
  DmaPorts ports_;
  WordPort port_;
  std::optional<Access> access_;
  std::optional<uint32_t> answer_;
  bool failed_ = false;
};

}  // namespace tessera::aieml
