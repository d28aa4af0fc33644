// A TileRtl made of the class that Verilator generates for one build of tessera_aieml: the one
// place that binds its pins, which are flat vectors.
#pragma once

#include <string>

#include "tb/aieml/tile_rtl.h"
#include "tb/sim/flat_pins.h"
#include "tb/sim/pins.h"
#include "tb/sim/verilated_model.h"

namespace tessera::aieml {

template <typename VModel, typename ModelPins>
class VerilatedTile final : public TileRtl {
 public:
  VerilatedTile(const TileConfig& config, uint64_t seed)
      : TileRtl(config), model_(config.name, seed), pins_(*model_) {}

  void Settle() override {
    for (int k = 0; k < config().channels(); ++k) DriveStreams(k);
    for (int p = 0; p < config().ports; ++p) flat::DriveMemory(pins_, port(p), p, config().ports);
    flat::DriveRegisters(pins_, registers());
    flat::DriveWords(pins_, control, response, token);
    pins_.west_in() = beside[0].in;
    pins_.east_in() = beside[1].in;
    pins_.aresetn() = aresetn;
    model_.Settle();
    for (int k = 0; k < config().channels(); ++k) SampleStreams(k);
    for (int p = 0; p < config().ports; ++p) SamplePort(p);
    flat::SampleRegisters(pins_, &registers());
    flat::SampleWords(pins_, &control, &response, &token);
    active = pins_.active();
    irq = pins_.irq();
    beside[0].out = pins_.west_out();
    beside[1].out = pins_.east_out();
  }
  void Edge() override { model_.Edge(); }
  void Trace(const std::string& path) override { model_.Trace(path); }

 private:
  void DriveStreams(int k) {
    pins_.m_axis_tready().Part(k, config().channels()) = streams(k).m_axis.ready;
    flat::DriveIncoming(pins_, streams(k).s_axis, k, config().channels());
  }
  void SampleStreams(int k) {
    streams(k).s_axis.ready = pins_.s_axis_tready().Part(k, config().channels());
    flat::SampleOutgoing(pins_, &streams(k).m_axis, k, config().channels());
  }

  void SamplePort(int p) {
    AxiPort& bus = port(p);
    const int n = config().ports;
    flat::SampleMemory(pins_, &bus, p, n);
    if (bus.ar.valid) bus.ar->user = pins_.m_axi_aruser().Part(p, n);
    if (bus.aw.valid) bus.aw->user = pins_.m_axi_awuser().Part(p, n);
  }

  VerilatedModel<VModel> model_;
  ModelPins pins_;
};

}  // namespace tessera::aieml
