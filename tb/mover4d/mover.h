// tessera_mover4d as everything else sees it: register port, a list port and a data port a channel,
// streams, interrupt.
//
// A cycle is that of a Dut: Settle, look, Edge, drive. Channels count reads first, then writes; the
// pins of a channel are its data port and its stream.
#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "parameters/tessera_mover4d.h"
#include "tb/sim/dut.h"

namespace tessera {

// A named build.
struct MoverConfig : MoverParameters {
  MoverConfig() = default;
  MoverConfig(const std::string& name, const MoverParameters& parameters)
      : MoverParameters(parameters),
        channel{.name = name,
                .addr_width = addr_width,
                .data_bytes = data_width / 8,
                .stream_bytes = stream_width / 8,
                .max_burst = max_burst,
                .outstanding = outstanding,
                .walk = patterns,
                .bounds = false} {
    if (const std::string wrong = Complaint(*this); !wrong.empty())
      throw std::invalid_argument(name + ": " + wrong);
  }
  Config channel;  // of each channel
  int channels() const { return reads + writes; }
};
inline const std::string& NameOf(const MoverConfig& config) { return config.channel.name; }

class Mover : public Clocked {
 public:
  struct Pins {  // a read channel has no AW, W, B and s_axis, a write channel not the others
    AxiPort axi;
    StreamPort m_axis, s_axis;
  };
  explicit Mover(const MoverConfig& config)
      : config_(config),
        channels_(static_cast<size_t>(config.channels())),
        lists_(static_cast<size_t>(config.channels())) {}

  const MoverConfig& config() const { return config_; }
  Pins& channel(int c) { return channels_[static_cast<size_t>(c)]; }
  AxiPort& list(int c) { return lists_[static_cast<size_t>(c)]; }
  AxiLitePort& registers() { return registers_; }

  bool irq = false;

 private:
  MoverConfig config_;
  std::vector<Pins> channels_;
  std::vector<AxiPort> lists_;
  AxiLitePort registers_;
};

// Every build linked into this program.
std::vector<MoverConfig> Movers();
// A new model in its reset-undefined state; registers start at values drawn from `seed`.
std::unique_ptr<Mover> MakeMover(const std::string& name, uint64_t seed);

}  // namespace tessera
