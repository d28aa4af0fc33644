// tessera_aieml as everything else sees it: register port, streams, one memory port, tokens.
//
// A cycle: set `in`, Settle(), look at `out`, Edge(). Stream k is that of channel k of its
// direction.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tb/sim/bus_data.h"

namespace tessera::aieml {

// What a named build was made with.
struct TileConfig {
  std::string name;
  int image = 0;  // 0 memory tile, 1 shim, 2 compute tile
  int ports = 1;
  int data_bytes = 16;
  int stream_bytes = 4;
  int channels() const { return image == 0 ? 6 : 2; }  // of a direction
};
inline const std::string& NameOf(const TileConfig& config) { return config.name; }

struct TileInputs {
  bool aresetn = false;
  // Registers.
  uint32_t awaddr = 0, wdata = 0, araddr = 0;
  uint8_t wstrb = 15;
  bool awvalid = false, wvalid = false, bready = false, arvalid = false, rready_axil = false;
  // Streams; from memory to stream only ready.
  struct Stream {
    BusData data{};
    bool last = false, valid = false, ready = false;
  };
  std::array<Stream, 6> stream;
  // Memory.
  bool arready = false, awready = false, wready = false;
  bool rvalid = false, rlast = false, bvalid = false;
  uint8_t rresp = 0, bresp = 0;
  uint16_t rid = 0, bid = 0;
  BusData rdata{};
  // Tokens and control packets.
  bool token_ready = false, response_ready = false;
  uint32_t control_data = 0;
  bool control_last = false, control_valid = false;
};

struct TileOutputs {
  bool awready = false, wready = false, bvalid = false, arready = false, rvalid = false;
  uint8_t bresp = 0, rresp = 0;
  uint32_t rdata = 0;
  struct Stream {
    BusData data{};
    uint64_t keep = 0;
    bool last = false, valid = false, ready = false;
  };
  std::array<Stream, 6> stream;
  struct Address {
    uint64_t addr = 0;
    uint16_t id = 0;
    uint8_t len = 0, size = 0, burst = 0, cache = 0, prot = 0, qos = 0, user = 0;
    bool valid = false;
  };
  Address ar, aw;
  BusData wdata{};
  uint64_t wstrb = 0;
  bool wlast = false, wvalid = false, rready = false, bready = false;
  uint32_t token_data = 0, response_data = 0;
  bool token_last = false, token_valid = false;
  bool response_last = false, response_valid = false, control_ready = false;
  uint32_t active = 0;  // channels, from memory to stream first
  bool irq = false;
};

class TileRtl {
 public:
  explicit TileRtl(TileConfig config) : config_(std::move(config)) {}
  virtual ~TileRtl() = default;
  TileRtl(const TileRtl&) = delete;
  TileRtl& operator=(const TileRtl&) = delete;

  const TileConfig& config() const { return config_; }
  virtual void Settle() = 0;
  virtual void Edge() = 0;
  // Writes a waveform (FST) from the next edge on; an empty path stops.
  virtual void Trace(const std::string& path) = 0;

  TileInputs in;
  TileOutputs out;

 private:
  TileConfig config_;
};

}  // namespace tessera::aieml

namespace tessera {

// Every build linked into this program.
std::vector<aieml::TileConfig> Tiles();
// A new model in its reset-undefined state; registers start at values drawn from `seed`.
std::unique_ptr<aieml::TileRtl> MakeTile(const std::string& name, uint64_t seed);

}  // namespace tessera
