// Many channels on shared AXI4 ports (tsr_channels) as everything else sees them.
//
// A channel is a Dut: read engine k and write engine k with their streams, whose pins it drives and
// shows. A port is the AXI pins of a Dut, with IDs. Where IDs tell whose traffic is whose, the AXI
// pins of a channel show its part of the port's traffic, so that whatever watches an engine pair
// can watch a channel; nobody drives them. A cycle is that of a Dut: Settle, look, Edge, drive.
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
// How GoogleTest names it.
inline void PrintTo(const FabricConfig& config, std::ostream* out) { *out << config.channel.name; }

class Fabric {
 public:
  // How a channel stands on the bus, one direction.
  struct Standing {
    uint8_t weight = 1, qos = 0, cache = 3, prot = 2, user = 0;
    bool operator==(const Standing&) const = default;
  };
  struct Port {
    DutInputs in;
    DutOutputs out;
    Standing ar, aw;  // as they show with the address; the weight is 0
  };

  // What a channel is asked to do, one direction (tsr_fabric_pkg::channel_control_t).
  struct Control {
    bool pause = false, drain = false, reset = false, give_up = false;
    uint8_t stop_on = 0;  // bits of EngineDone::Status
  };
  enum class Fault : uint8_t {
    kNone,
    kEarlyLast,
    kLateLast,
    kUnasked,
    kEarly,
    kDoubt,
    kBusTime,
    kStreamTime,
    kStream,
    kRecord,
  };
  // How it is (channel_state_t).
  struct State {
    bool idle = true, paused = false, in_reset = false, stuck = false, faulted = false;
    Fault cause = Fault::kNone;
    bool named = false;
    uint16_t transfer = 0;
    uint64_t addr = 0;
  };

  // A window as it is written: channels count reads first, then writes.
  struct Window {
    bool valid = false;
    uint8_t channel = 0, index = 0;
    uint64_t first = 0, last = 0;  // pages of 4 KiB, both included
    bool read = false, write = false, lock = false;
  };

  explicit Fabric(const FabricConfig& config);
  virtual ~Fabric() = default;
  Fabric(const Fabric&) = delete;
  Fabric& operator=(const Fabric&) = delete;

  const FabricConfig& config() const { return config_; }
  virtual void Settle() = 0;
  virtual void Edge() = 0;
  virtual void Trace(const std::string& path) = 0;

  Dut& channel(int k) { return views_[static_cast<size_t>(k)]; }
  Port& port(int p) { return ports_[static_cast<size_t>(p)]; }
  int read_port(int k) const { return k / (config_.reads / config_.ports); }
  int write_port(int k) const { return k / (config_.writes / config_.ports); }
  Standing& read_standing(int k) { return read_standing_[static_cast<size_t>(k)]; }
  Standing& write_standing(int k) { return write_standing_[static_cast<size_t>(k)]; }

  Control& control(int k, Direction d) { return controls_[Index(k, d)]; }
  const State& state(int k, Direction d) const { return states_[Index(k, d)]; }

  bool aresetn = false;
  bool quiesce = false;                   // on the pins
  bool quiet = false, timed_out = false;  // as they show
  uint32_t strays = 0;                    // a bit a port for R, then for B, as it shows
  Window window;                          // on the pins
  bool window_refused = false;            // as it shows
  uint32_t denied = 0;                    // a bit a channel, reads first, as it shows

 protected:
  virtual void SetTransfer(int channel, Direction direction, const EngineTransfer& transfer) = 0;
  void Project();       // the ports' pins onto those of the channels
  void FollowWrites();  // at the edge: whose data come next
  State& shown_state(int k, Direction d) { return states_[Index(k, d)]; }

 private:
  class View final : public Dut {
   public:
    View(Fabric* fabric, int number) : fabric_(fabric), number_(number) {}
    const Config& config() const override { return fabric_->config_.channel; }
    void SetTransfer(Direction direction, const EngineTransfer& transfer) override {
      fabric_->SetTransfer(number_, direction, transfer);
    }
    void Settle() override {}
    void Edge() override {}
    void Trace(const std::string&) override {}

   private:
    Fabric* fabric_;
    int number_;
  };
  struct Owners {  // of write data: bursts whose address has been shown and whose data are not all
                   // out
    std::deque<uint16_t> ids;
    bool shown = false;
  };

  static size_t Index(int k, Direction d) {
    return 2 * static_cast<size_t>(k) + (d == Direction::kRead ? 0 : 1);
  }

  FabricConfig config_;
  std::vector<Control> controls_;
  std::vector<State> states_;
  std::deque<View> views_;
  std::vector<Port> ports_;
  std::vector<Owners> owners_;
  std::vector<Standing> read_standing_, write_standing_;
};

// Every fabric linked into this program.
std::vector<FabricConfig> Fabrics();
// A new model in its reset-undefined state; registers start at values drawn from `seed`.
std::unique_ptr<Fabric> MakeFabric(const std::string& name, uint64_t seed);

}  // namespace tessera
