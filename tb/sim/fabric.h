// Many channels on shared AXI4 ports (tsr_channels) as everything else sees them.
//
// A channel is read engine k and write engine k with their streams. Where IDs tell whose traffic is
// whose, the bus of a channel shows its part of the port's traffic, with ID 0, so that whatever
// watches an engine pair can watch a channel; nobody drives it. A cycle is that of a Dut: Settle,
// look, Edge, drive.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "tb/sim/dut.h"

namespace tessera {

// What a named fabric was built with (the parameters of tsr_channels).
struct FabricConfig {
  Config channel;  // its name is the fabric's
  int reads = 1;
  int writes = 1;
  int ports = 1;
  bool one_id = false;
  bool cut = false;
  bool control = false;
  bool guard = false;
  int silence = 4096;
  int stream_silence = 0;
  int windows = 0;
  int flight_beats = 256;
  int room_beats = 256;
  int store_beats = 256;
  int channels() const { return reads > writes ? reads : writes; }
};
inline const std::string& NameOf(const FabricConfig& config) { return config.channel.name; }
// How GoogleTest names it.
inline void PrintTo(const FabricConfig& config, std::ostream* out) { *out << config.channel.name; }

class Fabric : public Clocked {
 public:
  // How a channel stands on the bus, one direction.
  struct Standing : rtl::AxiAttr {
    uint8_t weight, user;
    explicit Standing(uint8_t weight_is = 1, uint8_t qos_is = 0, uint8_t cache_is = 3,
                      uint8_t prot_is = 2, uint8_t user_is = 0)
        : weight(weight_is), user(user_is) {
      qos = qos_is, cache = cache_is, prot = prot_is;
    }
    bool operator==(const Standing&) const = default;
  };
  // What shows with an address; the weight is 0.
  static Standing Shown(const AxiAddress& a) { return Standing(0, a.qos, a.cache, a.prot, a.user); }

  using Control = rtl::ChannelControl;
  using State = rtl::ChannelState;

  // A window as it is written: channels count reads first, then writes.
  struct Window : rtl::Window {
    bool valid = false;
    uint8_t channel = 0, index = 0;
    // Everything is permitted to a channel.
    static Window Everything(int channel) {
      Window window;
      window.channel = static_cast<uint8_t>(channel);
      window.last = ~uint64_t{0} >> rtl::kPageBits;
      window.read = window.write = true;
      return window;
    }
  };

  explicit Fabric(const FabricConfig& config);

  const FabricConfig& config() const { return config_; }
  PairPorts& channel(int k) { return channels_[static_cast<size_t>(k)]; }
  AxiPort& port(int p) { return ports_[static_cast<size_t>(p)]; }
  int read_port(int k) const { return k / (config_.reads / config_.ports); }
  int write_port(int k) const { return k / (config_.writes / config_.ports); }
  Standing& read_standing(int k) { return read_standing_[static_cast<size_t>(k)]; }
  Standing& write_standing(int k) { return write_standing_[static_cast<size_t>(k)]; }

  Control& control(int k, Direction d) { return controls_[Index(k, d)]; }
  const State& state(int k, Direction d) const { return states_[Index(k, d)]; }

  bool quiesce = false;                   // on the pins
  bool tick = true;                       // on the pins: the cycle counts for time-outs
  bool quiet = false, timed_out = false;  // as they show
  uint32_t strays = 0;                    // a bit a port for R, then for B, as it shows
  Window window;                          // on the pins
  bool window_refused = false;            // as it shows
  uint32_t denied = 0;                    // a bit a channel, reads first, as it shows

 protected:
  void ProjectPorts();  // onto the channels
  void FollowWrites();  // at the edge: whose data come next
  State& shown_state(int k, Direction d) { return states_[Index(k, d)]; }

 private:
  static size_t Index(int k, Direction d) {
    return 2 * static_cast<size_t>(k) + (d == Direction::kRead ? 0 : 1);
  }
  // Of write data: bursts whose address has been shown and whose data are not all out.
  struct Owners {
    std::deque<uint16_t> ids;
    bool shown = false;
  };

  FabricConfig config_;
  std::vector<Control> controls_;
  std::vector<State> states_;
  std::vector<PairPorts> channels_;
  std::vector<AxiPort> ports_;
  std::vector<Owners> owners_;
  std::vector<Standing> read_standing_, write_standing_;
};

// Every fabric linked into this program.
std::vector<FabricConfig> Fabrics();
// A new model in its reset-undefined state; registers start at values drawn from `seed`.
std::unique_ptr<Fabric> MakeFabric(const std::string& name, uint64_t seed);

}  // namespace tessera
