// tessera_aieml as everything else sees it: register port, memory ports, streams, tokens and
// control packets.
//
// A cycle is that of a Dut: Settle, look, Edge, drive. Stream k is that of channel k of its
// direction.
#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "parameters/tessera_aieml.h"
#include "tb/sim/clocked.h"
#include "tb/sim/ports.h"

namespace tessera {
namespace aieml {

// What a named build was made with.
struct TileConfig : TileParameters {
  TileConfig() = default;
  TileConfig(std::string build, const TileParameters& parameters)
      : TileParameters(parameters), name(std::move(build)) {
    if (const std::string wrong = Complaint(*this); !wrong.empty())
      throw std::invalid_argument(name + ": " + wrong);
  }
  std::string name;
  int data_bytes = data_width / 8, stream_bytes = stream_width / 8;
  int channels() const { return image == 0 ? 6 : 2; }  // of a direction
};
inline const std::string& NameOf(const TileConfig& config) { return config.name; }

class TileRtl : public Clocked {
 public:
  struct Streams {  // of one number
    StreamPort m_axis, s_axis;
  };
  explicit TileRtl(TileConfig config)
      : config_(std::move(config)),
        streams_(static_cast<size_t>(config_.channels())),
        ports_(static_cast<size_t>(config_.ports)) {}

  const TileConfig& config() const { return config_; }
  Streams& streams(int k) { return streams_[static_cast<size_t>(k)]; }
  AxiPort& port(int p) { return ports_[static_cast<size_t>(p)]; }
  AxiLitePort& registers() { return registers_; }

  WordPort control, response, token;  // control packets come, the others go
  uint32_t active = 0;                // channels that have a task in hand, MM2S first
  bool irq = false;
  struct Beside {
    uint32_t in = 0, out = 0;  // as rtl::AiemlBeside
  };
  Beside beside[2];  // west, east

 private:
  TileConfig config_;
  std::vector<Streams> streams_;
  std::vector<AxiPort> ports_;
  AxiLitePort registers_;
};

}  // namespace aieml

// Every build linked into this program.
std::vector<aieml::TileConfig> Tiles();
// A new model in its reset-undefined state; registers start at values drawn from `seed`.
std::unique_ptr<aieml::TileRtl> MakeTile(const std::string& name, uint64_t seed);

}  // namespace tessera
