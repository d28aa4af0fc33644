// A Mover made of the class that Verilator generates for one build of tessera_mover4d: the one
// place that binds its pins, which are flat vectors.
#pragma once

#include <string>

#include "tb/mover/mover.h"
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
    DriveRegisters();
    pins_.aresetn() = aresetn;
    model_->aclk = 0;
    model_.Evaluate();
    for (int c = 0; c < config().channels(); ++c) SampleList(c);
    for (int i = 0; i < config().reads; ++i) SampleRead(i);
    for (int i = 0; i < config().writes; ++i) SampleWrite(i);
    SampleRegisters();
    irq = pins_.irq();
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
  void SampleRegisters() {
    answer.rdata = pins_.s_axil_rdata();
    answer.bresp = pins_.s_axil_bresp();
    answer.rresp = pins_.s_axil_rresp();
    answer.awready = pins_.s_axil_awready();
    answer.wready = pins_.s_axil_wready();
    answer.bvalid = pins_.s_axil_bvalid();
    answer.arready = pins_.s_axil_arready();
    answer.rvalid = pins_.s_axil_rvalid();
  }

  void DriveList(int c) {
    const DutInputs& in = list(c).in;
    const int n = config().channels();
    pins_.m_axi_list_arready().Part(c, n) = in.arready;
    pins_.m_axi_list_rdata().Part(c, n) = in.rdata;
    pins_.m_axi_list_rresp().Part(c, n) = in.rresp;
    pins_.m_axi_list_rlast().Part(c, n) = in.rlast;
    pins_.m_axi_list_rvalid().Part(c, n) = in.rvalid;
  }
  void SampleList(int c) {
    DutOutputs& out = list(c).out;
    const int n = config().channels();
    out.arvalid = pins_.m_axi_list_arvalid().Part(c, n);
    if (out.arvalid) {
      out.araddr = pins_.m_axi_list_araddr().Part(c, n);
      out.arlen = pins_.m_axi_list_arlen().Part(c, n);
      out.arsize = pins_.m_axi_list_arsize().Part(c, n);
      out.arburst = pins_.m_axi_list_arburst().Part(c, n);
    }
    out.rready = pins_.m_axi_list_rready().Part(c, n);
  }

  void DriveRead(int i) {
    const DutInputs& in = channel(i).in;
    const int n = config().reads;
    pins_.m_axi_rd_arready().Part(i, n) = in.arready;
    pins_.m_axi_rd_rdata().Part(i, n) = in.rdata;
    pins_.m_axi_rd_rresp().Part(i, n) = in.rresp;
    pins_.m_axi_rd_rlast().Part(i, n) = in.rlast;
    pins_.m_axi_rd_rvalid().Part(i, n) = in.rvalid;
    pins_.m_axis_tready().Part(i, n) = in.m_tready;
    if (config().check) DriveStream(i, n, in);
  }
  // The stream that comes in as number `i` of `n`.
  void DriveStream(int i, int n, const DutInputs& in) {
    pins_.s_axis_tvalid().Part(i, n) = in.s_tvalid;
    pins_.s_axis_tlast().Part(i, n) = in.s_tlast;
    pins_.s_axis_tkeep().Part(i, n) = in.s_tkeep;
    pins_.s_axis_tdata().Part(i, n) = in.s_tdata;
  }
  void SampleRead(int i) {
    DutOutputs& out = channel(i).out;
    const int n = config().reads;
    out.arvalid = pins_.m_axi_rd_arvalid().Part(i, n);
    if (out.arvalid) {
      out.araddr = pins_.m_axi_rd_araddr().Part(i, n);
      out.arlen = pins_.m_axi_rd_arlen().Part(i, n);
      out.arsize = pins_.m_axi_rd_arsize().Part(i, n);
      out.arburst = pins_.m_axi_rd_arburst().Part(i, n);
    }
    out.rready = pins_.m_axi_rd_rready().Part(i, n);
    if (config().check) out.s_tready = pins_.s_axis_tready().Part(i, n);
    out.m_tvalid = pins_.m_axis_tvalid().Part(i, n);
    if (!out.m_tvalid) return;
    out.m_tlast = pins_.m_axis_tlast().Part(i, n);
    pins_.m_axis_tkeep().Part(i, n).To(out.m_tkeep);
    pins_.m_axis_tdata().Part(i, n).To(out.m_tdata);
  }

  void DriveWrite(int i) {
    const DutInputs& in = channel(config().reads + i).in;
    const int n = config().writes;
    pins_.m_axi_wr_awready().Part(i, n) = in.awready;
    pins_.m_axi_wr_wready().Part(i, n) = in.wready;
    pins_.m_axi_wr_bresp().Part(i, n) = in.bresp;
    pins_.m_axi_wr_bvalid().Part(i, n) = in.bvalid;
    DriveStream(i, n, in);
  }
  void SampleWrite(int i) {
    DutOutputs& out = channel(config().reads + i).out;
    const int n = config().writes;
    out.awvalid = pins_.m_axi_wr_awvalid().Part(i, n);
    if (out.awvalid) {
      out.awaddr = pins_.m_axi_wr_awaddr().Part(i, n);
      out.awlen = pins_.m_axi_wr_awlen().Part(i, n);
      out.awsize = pins_.m_axi_wr_awsize().Part(i, n);
      out.awburst = pins_.m_axi_wr_awburst().Part(i, n);
    }
    out.wvalid = pins_.m_axi_wr_wvalid().Part(i, n);
    if (out.wvalid) {
      out.wlast = pins_.m_axi_wr_wlast().Part(i, n);
      pins_.m_axi_wr_wstrb().Part(i, n).To(out.wstrb);
      pins_.m_axi_wr_wdata().Part(i, n).To(out.wdata);
    }
    out.bready = pins_.m_axi_wr_bready().Part(i, n);
    out.s_tready = pins_.s_axis_tready().Part(i, n);
  }

  VerilatedModel<VModel> model_;
  ModelPins pins_;
};

}  // namespace tessera
