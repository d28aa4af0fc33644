// A TileRtl made of the class that Verilator generates for one build of tessera_aieml: the one
// place that binds its pins, which are flat vectors.
#pragma once

#include <string>

#include "tb/aieml/tile_rtl.h"
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
    for (int p = 0; p < config().ports; ++p) DrivePort(p);
    DriveRegisters();
    DriveWords();
    pins_.aresetn() = aresetn;
    model_.Settle();
    for (int k = 0; k < config().channels(); ++k) SampleStreams(k);
    for (int p = 0; p < config().ports; ++p) SamplePort(p);
    SampleRegisters();
    SampleWords();
    active = pins_.active();
    irq = pins_.irq();
  }
  void Edge() override { model_.Edge(); }
  void Trace(const std::string& path) override { model_.Trace(path); }

 private:
  void DriveRegisters() {
    const AxiLitePort& bus = registers();
    pins_.s_axil_awaddr() = bus.aw->addr;
    pins_.s_axil_awprot() = 0;
    pins_.s_axil_awvalid() = bus.aw.valid;
    pins_.s_axil_wdata() = bus.w->data;
    pins_.s_axil_wstrb() = bus.w->strb;
    pins_.s_axil_wvalid() = bus.w.valid;
    pins_.s_axil_bready() = bus.b.ready;
    pins_.s_axil_araddr() = bus.ar->addr;
    pins_.s_axil_arprot() = 0;
    pins_.s_axil_arvalid() = bus.ar.valid;
    pins_.s_axil_rready() = bus.r.ready;
  }
  void SampleRegisters() {
    AxiLitePort& bus = registers();
    bus.aw.ready = pins_.s_axil_awready();
    bus.w.ready = pins_.s_axil_wready();
    bus.b.valid = pins_.s_axil_bvalid();
    bus.b->resp = pins_.s_axil_bresp();
    bus.ar.ready = pins_.s_axil_arready();
    bus.r.valid = pins_.s_axil_rvalid();
    bus.r->data = pins_.s_axil_rdata();
    bus.r->resp = pins_.s_axil_rresp();
  }
  void DriveWords() {
    pins_.s_axis_control_tdata() = control->data;
    pins_.s_axis_control_tlast() = control->last;
    pins_.s_axis_control_tvalid() = control.valid;
    pins_.m_axis_response_tready() = response.ready;
    pins_.m_axis_token_tready() = token.ready;
  }
  void SampleWords() {
    control.ready = pins_.s_axis_control_tready();
    response->data = pins_.m_axis_response_tdata();
    response->last = pins_.m_axis_response_tlast();
    response.valid = pins_.m_axis_response_tvalid();
    token->data = pins_.m_axis_token_tdata();
    token->last = pins_.m_axis_token_tlast();
    token.valid = pins_.m_axis_token_tvalid();
  }

  void DriveStreams(int k) {
    const Streams& ends = streams(k);
    const int n = config().channels();
    pins_.m_axis_tready().Part(k, n) = ends.m_axis.ready;
    pins_.s_axis_tvalid().Part(k, n) = ends.s_axis.valid;
    pins_.s_axis_tlast().Part(k, n) = ends.s_axis->last;
    pins_.s_axis_tkeep().Part(k, n) = ends.s_axis->keep;
    pins_.s_axis_tdata().Part(k, n) = ends.s_axis->data;
  }
  void SampleStreams(int k) {
    Streams& ends = streams(k);
    const int n = config().channels();
    ends.s_axis.ready = pins_.s_axis_tready().Part(k, n);
    ends.m_axis.valid = pins_.m_axis_tvalid().Part(k, n);
    if (!ends.m_axis.valid) return;
    ends.m_axis->last = pins_.m_axis_tlast().Part(k, n);
    pins_.m_axis_tkeep().Part(k, n).To(ends.m_axis->keep);
    pins_.m_axis_tdata().Part(k, n).To(ends.m_axis->data);
  }

  void DrivePort(int p) {
    const AxiPort& bus = port(p);
    const int n = config().ports;
    pins_.m_axi_arready().Part(p, n) = bus.ar.ready;
    pins_.m_axi_rid().Part(p, n) = bus.r->id;
    pins_.m_axi_rdata().Part(p, n) = bus.r->data;
    pins_.m_axi_rresp().Part(p, n) = bus.r->resp;
    pins_.m_axi_rlast().Part(p, n) = bus.r->last;
    pins_.m_axi_rvalid().Part(p, n) = bus.r.valid;
    pins_.m_axi_awready().Part(p, n) = bus.aw.ready;
    pins_.m_axi_wready().Part(p, n) = bus.w.ready;
    pins_.m_axi_bid().Part(p, n) = bus.b->id;
    pins_.m_axi_bresp().Part(p, n) = bus.b->resp;
    pins_.m_axi_bvalid().Part(p, n) = bus.b.valid;
  }
  void SamplePort(int p) {
    AxiPort& bus = port(p);
    const int n = config().ports;
    bus.ar.valid = pins_.m_axi_arvalid().Part(p, n);
    if (bus.ar.valid) {
      bus.ar->addr = pins_.m_axi_araddr().Part(p, n);
      bus.ar->id = pins_.m_axi_arid().Part(p, n);
      bus.ar->len = pins_.m_axi_arlen().Part(p, n);
      bus.ar->size = pins_.m_axi_arsize().Part(p, n);
      bus.ar->burst = pins_.m_axi_arburst().Part(p, n);
      bus.ar->cache = pins_.m_axi_arcache().Part(p, n);
      bus.ar->prot = pins_.m_axi_arprot().Part(p, n);
      bus.ar->qos = pins_.m_axi_arqos().Part(p, n);
      bus.ar->user = pins_.m_axi_aruser().Part(p, n);
    }
    bus.r.ready = pins_.m_axi_rready().Part(p, n);
    bus.aw.valid = pins_.m_axi_awvalid().Part(p, n);
    if (bus.aw.valid) {
      bus.aw->addr = pins_.m_axi_awaddr().Part(p, n);
      bus.aw->id = pins_.m_axi_awid().Part(p, n);
      bus.aw->len = pins_.m_axi_awlen().Part(p, n);
      bus.aw->size = pins_.m_axi_awsize().Part(p, n);
      bus.aw->burst = pins_.m_axi_awburst().Part(p, n);
      bus.aw->cache = pins_.m_axi_awcache().Part(p, n);
      bus.aw->prot = pins_.m_axi_awprot().Part(p, n);
      bus.aw->qos = pins_.m_axi_awqos().Part(p, n);
      bus.aw->user = pins_.m_axi_awuser().Part(p, n);
    }
    bus.w.valid = pins_.m_axi_wvalid().Part(p, n);
    if (bus.w.valid) {
      bus.w->last = pins_.m_axi_wlast().Part(p, n);
      pins_.m_axi_wstrb().Part(p, n).To(bus.w->strb);
      pins_.m_axi_wdata().Part(p, n).To(bus.w->data);
    }
    bus.b.ready = pins_.m_axi_bready().Part(p, n);
  }

  VerilatedModel<VModel> model_;
  ModelPins pins_;
};

}  // namespace tessera::aieml
