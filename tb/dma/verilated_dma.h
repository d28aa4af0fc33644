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
    model_->aclk = 0;
    model_.Evaluate();
    for (int k = 0; k < config().streams(); ++k) SampleStreams(k);
    for (int p = 0; p < config().ports; ++p) SamplePort(p);
    SampleList();
    answer.rdata = pins_.s_axil_rdata();
    answer.bresp = pins_.s_axil_bresp();
    answer.rresp = pins_.s_axil_rresp();
    answer.awready = pins_.s_axil_awready();
    answer.wready = pins_.s_axil_wready();
    answer.bvalid = pins_.s_axil_bvalid();
    answer.arready = pins_.s_axil_arready();
    answer.rvalid = pins_.s_axil_rvalid();
    SampleWords();
    irq = pins_.irq();
    irq_channels = pins_.irq_channel();
  }
  void Edge() override {
    model_->aclk = 1;
    model_.Evaluate();
  }
  void Trace(const std::string& path) override { model_.Trace(path); }

 private:
  void DriveRegisters() {
    pins_.s_axil_awaddr() = registers.awaddr;
    pins_.s_axil_awprot() = 0;
    pins_.s_axil_awvalid() = registers.awvalid;
    pins_.s_axil_wdata() = registers.wdata;
    pins_.s_axil_wstrb() = registers.wstrb;
    pins_.s_axil_wvalid() = registers.wvalid;
    pins_.s_axil_bready() = registers.bready;
    pins_.s_axil_araddr() = registers.araddr;
    pins_.s_axil_arprot() = 0;
    pins_.s_axil_arvalid() = registers.arvalid;
    pins_.s_axil_rready() = registers.rready;
  }
  void DriveWords() {
    pins_.s_axis_control_tdata() = control.tdata;
    pins_.s_axis_control_tlast() = control.tlast;
    pins_.s_axis_control_tvalid() = control.tvalid;
    pins_.m_axis_response_tready() = response.tready;
    pins_.m_axis_token_tready() = token.tready;
    pins_.trigger_in() = triggers;
  }
  void SampleWords() {
    control.tready = pins_.s_axis_control_tready();
    response.tdata = pins_.m_axis_response_tdata();
    response.tlast = pins_.m_axis_response_tlast();
    response.tvalid = pins_.m_axis_response_tvalid();
    token.tdata = pins_.m_axis_token_tdata();
    token.tlast = pins_.m_axis_token_tlast();
    token.tvalid = pins_.m_axis_token_tvalid();
    event_transfers = pins_.event_transfer();
    event_tasks = pins_.event_task();
  }
  void DriveStreams(int k) {
    const DutInputs& in = channel(k).in;
    if (k < config().reads) pins_.m_axis_tready().Part(k, config().reads) = in.m_tready;
    if (k >= config().writes) return;
    pins_.s_axis_tvalid().Part(k, config().writes) = in.s_tvalid;
    pins_.s_axis_tlast().Part(k, config().writes) = in.s_tlast;
    pins_.s_axis_tkeep().Part(k, config().writes) = in.s_tkeep;
    pins_.s_axis_tdata().Part(k, config().writes) = in.s_tdata;
    const rtl::Side& side = sides(k).in;
    pins_.s_axis_tdest().Part(k, config().writes) = side.dest;
    pins_.s_axis_tid().Part(k, config().writes) = side.id;
    pins_.s_axis_tuser().Part(k, config().writes) = side.user;
  }
  void DrivePort(int p) {
    const DutInputs& in = port(p).in;
    pins_.m_axi_arready().Part(p, config().ports) = in.arready;
    pins_.m_axi_rid().Part(p, config().ports) = in.rid;
    pins_.m_axi_rdata().Part(p, config().ports) = in.rdata;
    pins_.m_axi_rresp().Part(p, config().ports) = in.rresp;
    pins_.m_axi_rlast().Part(p, config().ports) = in.rlast;
    pins_.m_axi_rvalid().Part(p, config().ports) = in.rvalid;
    pins_.m_axi_awready().Part(p, config().ports) = in.awready;
    pins_.m_axi_wready().Part(p, config().ports) = in.wready;
    pins_.m_axi_bid().Part(p, config().ports) = in.bid;
    pins_.m_axi_bresp().Part(p, config().ports) = in.bresp;
    pins_.m_axi_bvalid().Part(p, config().ports) = in.bvalid;
  }

  void DriveList() {
    const DutInputs& in = list_port().in;
    pins_.m_axi_list_arready() = in.arready;
    pins_.m_axi_list_rdata() = in.rdata;
    pins_.m_axi_list_rresp() = in.rresp;
    pins_.m_axi_list_rlast() = in.rlast;
    pins_.m_axi_list_rvalid() = in.rvalid;
    pins_.m_axi_list_awready() = in.awready;
    pins_.m_axi_list_wready() = in.wready;
    pins_.m_axi_list_bresp() = in.bresp;
    pins_.m_axi_list_bvalid() = in.bvalid;
  }
  void SampleList() {
    DutOutputs& out = list_port().out;
    out.arvalid = pins_.m_axi_list_arvalid();
    if (out.arvalid) {
      out.araddr = pins_.m_axi_list_araddr();
      out.arlen = pins_.m_axi_list_arlen();
      out.arsize = pins_.m_axi_list_arsize();
      out.arburst = pins_.m_axi_list_arburst();
    }
    out.rready = pins_.m_axi_list_rready();
    out.awvalid = pins_.m_axi_list_awvalid();
    if (out.awvalid) {
      out.awaddr = pins_.m_axi_list_awaddr();
      out.awlen = pins_.m_axi_list_awlen();
      out.awsize = pins_.m_axi_list_awsize();
      out.awburst = pins_.m_axi_list_awburst();
    }
    out.wvalid = pins_.m_axi_list_wvalid();
    if (out.wvalid) {
      out.wlast = pins_.m_axi_list_wlast();
      pins_.m_axi_list_wstrb().To(out.wstrb);
      pins_.m_axi_list_wdata().To(out.wdata);
    }
    out.bready = pins_.m_axi_list_bready();
  }

  void SampleStreams(int k) {
    DutOutputs& out = channel(k).out;
    if (k < config().writes) out.s_tready = pins_.s_axis_tready().Part(k, config().writes);
    if (k >= config().reads) return;
    out.m_tvalid = pins_.m_axis_tvalid().Part(k, config().reads);
    if (!out.m_tvalid) return;
    out.m_tlast = pins_.m_axis_tlast().Part(k, config().reads);
    pins_.m_axis_tkeep().Part(k, config().reads).To(out.m_tkeep);
    pins_.m_axis_tdata().Part(k, config().reads).To(out.m_tdata);
    rtl::Side& side = sides(k).out;
    side.dest = pins_.m_axis_tdest().Part(k, config().reads);
    side.id = pins_.m_axis_tid().Part(k, config().reads);
    side.user = pins_.m_axis_tuser().Part(k, config().reads);
  }
  void SamplePort(int p) {
    DutOutputs& out = port(p).out;
    out.arvalid = pins_.m_axi_arvalid().Part(p, config().ports);
    if (out.arvalid) {
      out.araddr = pins_.m_axi_araddr().Part(p, config().ports);
      out.arlen = pins_.m_axi_arlen().Part(p, config().ports);
      out.arid = pins_.m_axi_arid().Part(p, config().ports);
      out.arsize = pins_.m_axi_arsize().Part(p, config().ports);
      out.arburst = pins_.m_axi_arburst().Part(p, config().ports);
    }
    out.rready = pins_.m_axi_rready().Part(p, config().ports);
    out.awvalid = pins_.m_axi_awvalid().Part(p, config().ports);
    if (out.awvalid) {
      out.awaddr = pins_.m_axi_awaddr().Part(p, config().ports);
      out.awlen = pins_.m_axi_awlen().Part(p, config().ports);
      out.awid = pins_.m_axi_awid().Part(p, config().ports);
      out.awsize = pins_.m_axi_awsize().Part(p, config().ports);
      out.awburst = pins_.m_axi_awburst().Part(p, config().ports);
    }
    out.wvalid = pins_.m_axi_wvalid().Part(p, config().ports);
    if (out.wvalid) {
      out.wlast = pins_.m_axi_wlast().Part(p, config().ports);
      pins_.m_axi_wstrb().Part(p, config().ports).To(out.wstrb);
      pins_.m_axi_wdata().Part(p, config().ports).To(out.wdata);
    }
    out.bready = pins_.m_axi_bready().Part(p, config().ports);
  }

  VerilatedModel<VModel> model_;
  ModelPins pins_;
};

}  // namespace tessera
