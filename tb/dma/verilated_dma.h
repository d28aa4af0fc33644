// A Dma made of the class that Verilator generates for one build of tessera_dma: the one place that
// binds its pins, which are flat vectors.
#pragma once

#include <string>

#include "tb/dma/dma.h"
#include "tb/sim/flat_pins.h"
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
    for (int p = 0; p < config().ports; ++p) flat::DriveMemory(pins_, port(p), p, config().ports);
    DriveList();
    DriveOnChip();
    flat::DriveRegisters(pins_, registers());
    flat::DriveWords(pins_, control, response, token);
    pins_.trigger_in() = triggers;
    pins_.aresetn() = aresetn;
    model_.Settle();
    for (int k = 0; k < config().streams(); ++k) SampleStreams(k);
    for (int p = 0; p < config().ports; ++p) flat::SampleMemory(pins_, &port(p), p, config().ports);
    SampleList();
    SampleOnChip();
    flat::SampleRegisters(pins_, &registers());
    flat::SampleWords(pins_, &control, &response, &token);
    event_transfers = pins_.event_transfer();
    event_tasks = pins_.event_task();
    irq = pins_.irq();
    irq_channels = pins_.irq_channel();
  }
  void Edge() override { model_.Edge(); }
  void Trace(const std::string& path) override { model_.Trace(path); }

 private:
  void DriveStreams(int k) {
    const Streams& ends = streams(k);
    if (k < config().reads) pins_.m_axis_tready().Part(k, config().reads) = ends.m_axis.ready;
    if (k >= config().writes) return;
    flat::DriveIncoming(pins_, ends.s_axis, k, config().writes);
    pins_.s_axis_tdest().Part(k, config().writes) = ends.s_axis->side.dest;
    pins_.s_axis_tid().Part(k, config().writes) = ends.s_axis->side.id;
    pins_.s_axis_tuser().Part(k, config().writes) = ends.s_axis->side.user;
  }
  void SampleStreams(int k) {
    Streams& ends = streams(k);
    if (k < config().writes) ends.s_axis.ready = pins_.s_axis_tready().Part(k, config().writes);
    if (k >= config().reads) return;
    flat::SampleOutgoing(pins_, &ends.m_axis, k, config().reads);
    if (!ends.m_axis.valid) return;
    ends.m_axis->side.dest = pins_.m_axis_tdest().Part(k, config().reads);
    ends.m_axis->side.id = pins_.m_axis_tid().Part(k, config().reads);
    ends.m_axis->side.user = pins_.m_axis_tuser().Part(k, config().reads);
  }

  void DriveList() {
    const AxiPort& bus = list_port();
    pins_.m_axi_list_arready() = bus.ar.ready;
    pins_.m_axi_list_rid() = bus.r->id;
    pins_.m_axi_list_bid() = bus.b->id;
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
      bus.ar->id = pins_.m_axi_list_arid();
      bus.ar->addr = pins_.m_axi_list_araddr();
      bus.ar->len = pins_.m_axi_list_arlen();
      bus.ar->size = pins_.m_axi_list_arsize();
      bus.ar->burst = pins_.m_axi_list_arburst();
      bus.ar->cache = pins_.m_axi_list_arcache();
      bus.ar->prot = pins_.m_axi_list_arprot();
      bus.ar->qos = pins_.m_axi_list_arqos();
    }
    bus.r.ready = pins_.m_axi_list_rready();
    bus.aw.valid = pins_.m_axi_list_awvalid();
    if (bus.aw.valid) {
      bus.aw->id = pins_.m_axi_list_awid();
      bus.aw->addr = pins_.m_axi_list_awaddr();
      bus.aw->len = pins_.m_axi_list_awlen();
      bus.aw->size = pins_.m_axi_list_awsize();
      bus.aw->burst = pins_.m_axi_list_awburst();
      bus.aw->cache = pins_.m_axi_list_awcache();
      bus.aw->prot = pins_.m_axi_list_awprot();
      bus.aw->qos = pins_.m_axi_list_awqos();
    }
    bus.w.valid = pins_.m_axi_list_wvalid();
    if (bus.w.valid) {
      bus.w->last = pins_.m_axi_list_wlast();
      pins_.m_axi_list_wstrb().To(bus.w->strb);
      pins_.m_axi_list_wdata().To(bus.w->data);
    }
    bus.b.ready = pins_.m_axi_list_bready();
  }

  void DriveOnChip() {
    const AxiPort& bus = onchip_port();
    pins_.s_axi_onchip_arid() = bus.ar->id;
    pins_.s_axi_onchip_araddr() = bus.ar->addr;
    pins_.s_axi_onchip_arlen() = bus.ar->len;
    pins_.s_axi_onchip_arsize() = bus.ar->size;
    pins_.s_axi_onchip_arburst() = bus.ar->burst;
    pins_.s_axi_onchip_arvalid() = bus.ar.valid;
    pins_.s_axi_onchip_rready() = bus.r.ready;
    pins_.s_axi_onchip_awid() = bus.aw->id;
    pins_.s_axi_onchip_awaddr() = bus.aw->addr;
    pins_.s_axi_onchip_awlen() = bus.aw->len;
    pins_.s_axi_onchip_awsize() = bus.aw->size;
    pins_.s_axi_onchip_awburst() = bus.aw->burst;
    pins_.s_axi_onchip_awvalid() = bus.aw.valid;
    pins_.s_axi_onchip_wdata() = bus.w->data;
    pins_.s_axi_onchip_wstrb() = bus.w->strb;
    pins_.s_axi_onchip_wlast() = bus.w->last;
    pins_.s_axi_onchip_wvalid() = bus.w.valid;
    pins_.s_axi_onchip_bready() = bus.b.ready;
  }
  void SampleOnChip() {
    AxiPort& bus = onchip_port();
    bus.ar.ready = pins_.s_axi_onchip_arready();
    bus.r.valid = pins_.s_axi_onchip_rvalid();
    if (bus.r.valid) {
      bus.r->id = pins_.s_axi_onchip_rid();
      pins_.s_axi_onchip_rdata().To(bus.r->data);
      bus.r->resp = pins_.s_axi_onchip_rresp();
      bus.r->last = pins_.s_axi_onchip_rlast();
    }
    bus.aw.ready = pins_.s_axi_onchip_awready();
    bus.w.ready = pins_.s_axi_onchip_wready();
    bus.b.valid = pins_.s_axi_onchip_bvalid();
    bus.b->id = pins_.s_axi_onchip_bid();
    bus.b->resp = pins_.s_axi_onchip_bresp();
  }

  VerilatedModel<VModel> model_;
  ModelPins pins_;
};

}  // namespace tessera
