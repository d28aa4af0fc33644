// A Dma made of the class that Verilator generates for one build of tessera_dma: the one place that
// binds its pins, which are flat vectors.
#pragma once

#include <string>

#include "tb/dma/dma.h"
#include "tb/sim/pins.h"
#include "tb/sim/verilated_model.h"

namespace tessera {

template <typename VModel, typename ModelPins>
class VerilatedDma final : public Dma {
 public:
  VerilatedDma(const DmaConfig& config, uint64_t seed)
      : Dma(config), model_(config.channel.name, seed), pins_(*model_) {}

  void Settle() override {
    for (int k = 0; k < config().streams(); ++k) DriveStreams(k);
    for (int p = 0; p < config().ports; ++p) DrivePort(p);
    DriveList();
    DriveRegisters();
    DriveWords();
    pins_.aresetn() = aresetn;
    model_.Settle();
    for (int k = 0; k < config().streams(); ++k) SampleStreams(k);
    for (int p = 0; p < config().ports; ++p) SamplePort(p);
    SampleList();
    SampleRegisters();
    SampleWords();
    irq = pins_.irq();
    irq_channels = pins_.irq_channel();
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
    pins_.trigger_in() = triggers;
  }
  void SampleWords() {
    control.ready = pins_.s_axis_control_tready();
    response->data = pins_.m_axis_response_tdata();
    response->last = pins_.m_axis_response_tlast();
    response.valid = pins_.m_axis_response_tvalid();
    token->data = pins_.m_axis_token_tdata();
    token->last = pins_.m_axis_token_tlast();
    token.valid = pins_.m_axis_token_tvalid();
    event_transfers = pins_.event_transfer();
    event_tasks = pins_.event_task();
  }
  void DriveStreams(int k) {
    const Streams& ends = streams(k);
    if (k < config().reads) pins_.m_axis_tready().Part(k, config().reads) = ends.m_axis.ready;
    if (k >= config().writes) return;
    pins_.s_axis_tvalid().Part(k, config().writes) = ends.s_axis.valid;
    pins_.s_axis_tlast().Part(k, config().writes) = ends.s_axis->last;
    pins_.s_axis_tkeep().Part(k, config().writes) = ends.s_axis->keep;
    pins_.s_axis_tdata().Part(k, config().writes) = ends.s_axis->data;
    pins_.s_axis_tdest().Part(k, config().writes) = ends.s_axis->side.dest;
    pins_.s_axis_tid().Part(k, config().writes) = ends.s_axis->side.id;
    pins_.s_axis_tuser().Part(k, config().writes) = ends.s_axis->side.user;
  }
  void DrivePort(int p) {
    const AxiPort& bus = port(p);
    pins_.m_axi_arready().Part(p, config().ports) = bus.ar.ready;
    pins_.m_axi_rid().Part(p, config().ports) = bus.r->id;
    pins_.m_axi_rdata().Part(p, config().ports) = bus.r->data;
    pins_.m_axi_rresp().Part(p, config().ports) = bus.r->resp;
    pins_.m_axi_rlast().Part(p, config().ports) = bus.r->last;
    pins_.m_axi_rvalid().Part(p, config().ports) = bus.r.valid;
    pins_.m_axi_awready().Part(p, config().ports) = bus.aw.ready;
    pins_.m_axi_wready().Part(p, config().ports) = bus.w.ready;
    pins_.m_axi_bid().Part(p, config().ports) = bus.b->id;
    pins_.m_axi_bresp().Part(p, config().ports) = bus.b->resp;
    pins_.m_axi_bvalid().Part(p, config().ports) = bus.b.valid;
  }

  void DriveList() {
    const AxiPort& bus = list_port();
    pins_.m_axi_list_arready() = bus.ar.ready;
    pins_.m_axi_list_rdata() = bus.r->data;
    pins_.m_axi_list_rresp() = bus.r->resp;
    pins_.m_axi_list_rlast() = bus.r->last;
    pins_.m_axi_list_rvalid() = bus.r.valid;
    pins_.m_axi_list_awready() = bus.aw.ready;
    pins_.m_axi_list_wready() = bus.w.ready;
    pins_.m_axi_list_bresp() = bus.b->resp;
    pins_.m_axi_list_bvalid() = bus.b.valid;
  }
  void SampleList() {
    AxiPort& bus = list_port();
    bus.ar.valid = pins_.m_axi_list_arvalid();
    if (bus.ar.valid) {
      bus.ar->addr = pins_.m_axi_list_araddr();
      bus.ar->len = pins_.m_axi_list_arlen();
      bus.ar->size = pins_.m_axi_list_arsize();
      bus.ar->burst = pins_.m_axi_list_arburst();
    }
    bus.r.ready = pins_.m_axi_list_rready();
    bus.aw.valid = pins_.m_axi_list_awvalid();
    if (bus.aw.valid) {
      bus.aw->addr = pins_.m_axi_list_awaddr();
      bus.aw->len = pins_.m_axi_list_awlen();
      bus.aw->size = pins_.m_axi_list_awsize();
      bus.aw->burst = pins_.m_axi_list_awburst();
    }
    bus.w.valid = pins_.m_axi_list_wvalid();
    if (bus.w.valid) {
      bus.w->last = pins_.m_axi_list_wlast();
      pins_.m_axi_list_wstrb().To(bus.w->strb);
      pins_.m_axi_list_wdata().To(bus.w->data);
    }
    bus.b.ready = pins_.m_axi_list_bready();
  }

  void SampleStreams(int k) {
    Streams& ends = streams(k);
    if (k < config().writes) ends.s_axis.ready = pins_.s_axis_tready().Part(k, config().writes);
    if (k >= config().reads) return;
    ends.m_axis.valid = pins_.m_axis_tvalid().Part(k, config().reads);
    if (!ends.m_axis.valid) return;
    ends.m_axis->last = pins_.m_axis_tlast().Part(k, config().reads);
    pins_.m_axis_tkeep().Part(k, config().reads).To(ends.m_axis->keep);
    pins_.m_axis_tdata().Part(k, config().reads).To(ends.m_axis->data);
    ends.m_axis->side.dest = pins_.m_axis_tdest().Part(k, config().reads);
    ends.m_axis->side.id = pins_.m_axis_tid().Part(k, config().reads);
    ends.m_axis->side.user = pins_.m_axis_tuser().Part(k, config().reads);
  }
  void SamplePort(int p) {
    AxiPort& bus = port(p);
    bus.ar.valid = pins_.m_axi_arvalid().Part(p, config().ports);
    if (bus.ar.valid) {
      bus.ar->addr = pins_.m_axi_araddr().Part(p, config().ports);
      bus.ar->len = pins_.m_axi_arlen().Part(p, config().ports);
      bus.ar->id = pins_.m_axi_arid().Part(p, config().ports);
      bus.ar->size = pins_.m_axi_arsize().Part(p, config().ports);
      bus.ar->burst = pins_.m_axi_arburst().Part(p, config().ports);
    }
    bus.r.ready = pins_.m_axi_rready().Part(p, config().ports);
    bus.aw.valid = pins_.m_axi_awvalid().Part(p, config().ports);
    if (bus.aw.valid) {
      bus.aw->addr = pins_.m_axi_awaddr().Part(p, config().ports);
      bus.aw->len = pins_.m_axi_awlen().Part(p, config().ports);
      bus.aw->id = pins_.m_axi_awid().Part(p, config().ports);
      bus.aw->size = pins_.m_axi_awsize().Part(p, config().ports);
      bus.aw->burst = pins_.m_axi_awburst().Part(p, config().ports);
    }
    bus.w.valid = pins_.m_axi_wvalid().Part(p, config().ports);
    if (bus.w.valid) {
      bus.w->last = pins_.m_axi_wlast().Part(p, config().ports);
      pins_.m_axi_wstrb().Part(p, config().ports).To(bus.w->strb);
      pins_.m_axi_wdata().Part(p, config().ports).To(bus.w->data);
    }
    bus.b.ready = pins_.m_axi_bready().Part(p, config().ports);
  }

  VerilatedModel<VModel> model_;
  ModelPins pins_;
};

}  // namespace tessera
