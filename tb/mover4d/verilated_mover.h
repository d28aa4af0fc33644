// A Mover made of the class that Verilator generates for one build of tessera_mover4d: the one
// place that binds its pins, which are flat vectors.
#pragma once

#include <string>

#include "tb/mover4d/mover.h"
#include "tb/sim/flat_pins.h"
#include "tb/sim/pins.h"
#include "tb/sim/verilated_model.h"

namespace tessera {

template <typename VModel, typename ModelPins>
class VerilatedMover final : public Mover {
 public:
  VerilatedMover(const MoverConfig& config, uint64_t seed)
      : Mover(config), model_(config.channel.name, seed), pins_(*model_) {}

  void Settle() override {
    for (int c = 0; c < config().channels(); ++c) DriveList(c);
    for (int i = 0; i < config().reads; ++i) DriveRead(i);
    for (int i = 0; i < config().writes; ++i) DriveWrite(i);
    flat::DriveRegisters(pins_, registers());
    pins_.aresetn() = aresetn;
    model_.Settle();
    for (int c = 0; c < config().channels(); ++c) SampleList(c);
    for (int i = 0; i < config().reads; ++i) SampleRead(i);
    for (int i = 0; i < config().writes; ++i) SampleWrite(i);
    flat::SampleRegisters(pins_, &registers());
    irq = pins_.irq();
  }
  void Edge() override { model_.Edge(); }
  void Trace(const std::string& path) override { model_.Trace(path); }

 private:
  void DriveList(int c) {
    const AxiPort& bus = list(c);
    const int n = config().channels();
    pins_.m_axi_list_arready().Part(c, n) = bus.ar.ready;
    pins_.m_axi_list_rdata().Part(c, n) = bus.r->data;
    pins_.m_axi_list_rresp().Part(c, n) = bus.r->resp;
    pins_.m_axi_list_rlast().Part(c, n) = bus.r->last;
    pins_.m_axi_list_rvalid().Part(c, n) = bus.r.valid;
  }
  void SampleList(int c) {
    AxiPort& bus = list(c);
    const int n = config().channels();
    bus.ar.valid = pins_.m_axi_list_arvalid().Part(c, n);
    if (bus.ar.valid) {
      bus.ar->addr = pins_.m_axi_list_araddr().Part(c, n);
      bus.ar->len = pins_.m_axi_list_arlen().Part(c, n);
      bus.ar->size = pins_.m_axi_list_arsize().Part(c, n);
      bus.ar->burst = pins_.m_axi_list_arburst().Part(c, n);
      bus.ar->cache = pins_.m_axi_list_arcache().Part(c, n);
      bus.ar->prot = pins_.m_axi_list_arprot().Part(c, n);
    }
    bus.r.ready = pins_.m_axi_list_rready().Part(c, n);
  }

  void DriveRead(int i) {
    const Pins& ends = channel(i);
    const AxiPort& bus = ends.axi;
    const int n = config().reads;
    pins_.m_axi_rd_arready().Part(i, n) = bus.ar.ready;
    pins_.m_axi_rd_rdata().Part(i, n) = bus.r->data;
    pins_.m_axi_rd_rresp().Part(i, n) = bus.r->resp;
    pins_.m_axi_rd_rlast().Part(i, n) = bus.r->last;
    pins_.m_axi_rd_rvalid().Part(i, n) = bus.r.valid;
    pins_.m_axis_tready().Part(i, n) = ends.m_axis.ready;
    if (config().check) flat::DriveIncoming(pins_, ends.s_axis, i, n);
  }
  void SampleRead(int i) {
    Pins& ends = channel(i);
    AxiPort& bus = ends.axi;
    const int n = config().reads;
    bus.ar.valid = pins_.m_axi_rd_arvalid().Part(i, n);
    if (bus.ar.valid) {
      bus.ar->addr = pins_.m_axi_rd_araddr().Part(i, n);
      bus.ar->len = pins_.m_axi_rd_arlen().Part(i, n);
      bus.ar->size = pins_.m_axi_rd_arsize().Part(i, n);
      bus.ar->burst = pins_.m_axi_rd_arburst().Part(i, n);
      bus.ar->cache = pins_.m_axi_rd_arcache().Part(i, n);
      bus.ar->prot = pins_.m_axi_rd_arprot().Part(i, n);
    }
    bus.r.ready = pins_.m_axi_rd_rready().Part(i, n);
    if (config().check) ends.s_axis.ready = pins_.s_axis_tready().Part(i, n);
    flat::SampleOutgoing(pins_, &ends.m_axis, i, n);
  }

  void DriveWrite(int i) {
    const Pins& ends = channel(config().reads + i);
    const AxiPort& bus = ends.axi;
    const int n = config().writes;
    pins_.m_axi_wr_awready().Part(i, n) = bus.aw.ready;
    pins_.m_axi_wr_wready().Part(i, n) = bus.w.ready;
    pins_.m_axi_wr_bresp().Part(i, n) = bus.b->resp;
    pins_.m_axi_wr_bvalid().Part(i, n) = bus.b.valid;
    flat::DriveIncoming(pins_, ends.s_axis, i, n);
  }
  void SampleWrite(int i) {
    Pins& ends = channel(config().reads + i);
    AxiPort& bus = ends.axi;
    const int n = config().writes;
    bus.aw.valid = pins_.m_axi_wr_awvalid().Part(i, n);
    if (bus.aw.valid) {
      bus.aw->addr = pins_.m_axi_wr_awaddr().Part(i, n);
      bus.aw->len = pins_.m_axi_wr_awlen().Part(i, n);
      bus.aw->size = pins_.m_axi_wr_awsize().Part(i, n);
      bus.aw->burst = pins_.m_axi_wr_awburst().Part(i, n);
      bus.aw->cache = pins_.m_axi_wr_awcache().Part(i, n);
      bus.aw->prot = pins_.m_axi_wr_awprot().Part(i, n);
    }
    bus.w.valid = pins_.m_axi_wr_wvalid().Part(i, n);
    if (bus.w.valid) {
      bus.w->last = pins_.m_axi_wr_wlast().Part(i, n);
      pins_.m_axi_wr_wstrb().Part(i, n).To(bus.w->strb);
      pins_.m_axi_wr_wdata().Part(i, n).To(bus.w->data);
    }
    bus.b.ready = pins_.m_axi_wr_bready().Part(i, n);
    ends.s_axis.ready = pins_.s_axis_tready().Part(i, n);
  }

  VerilatedModel<VModel> model_;
  ModelPins pins_;
};

}  // namespace tessera
