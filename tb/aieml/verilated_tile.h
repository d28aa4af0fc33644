// A TileRtl made of the class that Verilator generates for one build of tessera_aieml: the one
// place that binds its pins, which are flat vectors. Port 0 alone is bound.
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
    Drive();
    for (int k = 0; k < config().channels(); ++k) DriveStream(k);
    model_->aclk = 0;
    model_.Evaluate();
    Sample();
    for (int k = 0; k < config().channels(); ++k) SampleStream(k);
  }
  void Edge() override {
    model_->aclk = 1;
    model_.Evaluate();
  }
  void Trace(const std::string& path) override { model_.Trace(path); }

 private:
  void Drive() {
    pins_.aresetn() = in.aresetn;
    pins_.s_axil_awaddr() = in.awaddr;
    pins_.s_axil_awprot() = 0;
    pins_.s_axil_awvalid() = in.awvalid;
    pins_.s_axil_wdata() = in.wdata;
    pins_.s_axil_wstrb() = in.wstrb;
    pins_.s_axil_wvalid() = in.wvalid;
    pins_.s_axil_bready() = in.bready;
    pins_.s_axil_araddr() = in.araddr;
    pins_.s_axil_arprot() = 0;
    pins_.s_axil_arvalid() = in.arvalid;
    pins_.s_axil_rready() = in.rready_axil;
    pins_.m_axi_arready() = in.arready;
    pins_.m_axi_rid() = in.rid;
    pins_.m_axi_rdata() = in.rdata;
    pins_.m_axi_rresp() = in.rresp;
    pins_.m_axi_rlast() = in.rlast;
    pins_.m_axi_rvalid() = in.rvalid;
    pins_.m_axi_awready() = in.awready;
    pins_.m_axi_wready() = in.wready;
    pins_.m_axi_bid() = in.bid;
    pins_.m_axi_bresp() = in.bresp;
    pins_.m_axi_bvalid() = in.bvalid;
    pins_.m_axis_token_tready() = in.token_ready;
    pins_.m_axis_response_tready() = in.response_ready;
    pins_.s_axis_control_tdata() = in.control_data;
    pins_.s_axis_control_tlast() = in.control_last;
    pins_.s_axis_control_tvalid() = in.control_valid;
  }
  void DriveStream(int k) {
    const TileInputs::Stream& stream = in.stream[static_cast<size_t>(k)];
    pins_.m_axis_tready()[k] = stream.ready;
    pins_.s_axis_tdata().Part(k, config().channels()) = stream.data;
    pins_.s_axis_tkeep().Part(k, config().channels()) = ~uint64_t{0};
    pins_.s_axis_tlast()[k] = stream.last;
    pins_.s_axis_tvalid()[k] = stream.valid;
  }
  void Sample() {
    out.awready = pins_.s_axil_awready();
    out.wready = pins_.s_axil_wready();
    out.bvalid = pins_.s_axil_bvalid();
    out.bresp = pins_.s_axil_bresp();
    out.arready = pins_.s_axil_arready();
    out.rvalid = pins_.s_axil_rvalid();
    out.rresp = pins_.s_axil_rresp();
    out.rdata = pins_.s_axil_rdata();
    out.ar = {pins_.m_axi_araddr(), pins_.m_axi_arid(),    pins_.m_axi_arlen(),
              pins_.m_axi_arsize(), pins_.m_axi_arburst(), pins_.m_axi_arcache(),
              pins_.m_axi_arprot(), pins_.m_axi_arqos(),   pins_.m_axi_aruser(),
              pins_.m_axi_arvalid()};
    out.aw = {pins_.m_axi_awaddr(), pins_.m_axi_awid(),    pins_.m_axi_awlen(),
              pins_.m_axi_awsize(), pins_.m_axi_awburst(), pins_.m_axi_awcache(),
              pins_.m_axi_awprot(), pins_.m_axi_awqos(),   pins_.m_axi_awuser(),
              pins_.m_axi_awvalid()};
    out.rready = pins_.m_axi_rready();
    out.wvalid = pins_.m_axi_wvalid();
    pins_.m_axi_wdata().To(out.wdata);
    out.wstrb = pins_.m_axi_wstrb();
    out.wlast = pins_.m_axi_wlast();
    out.bready = pins_.m_axi_bready();
    out.token_data = pins_.m_axis_token_tdata();
    out.token_last = pins_.m_axis_token_tlast();
    out.token_valid = pins_.m_axis_token_tvalid();
    out.response_data = pins_.m_axis_response_tdata();
    out.response_last = pins_.m_axis_response_tlast();
    out.response_valid = pins_.m_axis_response_tvalid();
    out.control_ready = pins_.s_axis_control_tready();
    out.active = pins_.active();
    out.irq = pins_.irq();
  }
  void SampleStream(int k) {
    TileOutputs::Stream& stream = out.stream[static_cast<size_t>(k)];
    stream.ready = pins_.s_axis_tready()[k];
    stream.valid = pins_.m_axis_tvalid()[k];
    stream.last = pins_.m_axis_tlast()[k];
    stream.keep = pins_.m_axis_tkeep().Part(k, config().channels());
    pins_.m_axis_tdata().Part(k, config().channels()).To(stream.data);
  }

  VerilatedModel<VModel> model_;
  ModelPins pins_;
};

}  // namespace tessera::aieml
