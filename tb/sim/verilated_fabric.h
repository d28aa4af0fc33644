// A Fabric made of the class that Verilator generates for one configuration of tsr_channels: the
// one place that binds its pins. As VerilatedDut, but pins are arrays over channels or ports.
#pragma once

#include <memory>

#include "tb/sim/fabric.h"
#include "tb/sim/pins.h"
#include "tb/sim/verilated_model.h"

namespace tessera {

template <typename VModel, typename ModelPins>
class VerilatedFabric final : public Fabric {
 public:
  VerilatedFabric(const FabricConfig& config, uint64_t seed)
      : Fabric(config), model_(config.channel.name, seed), pins_(*model_) {}

  void Settle() override {
    for (int k = 0; k < config().reads; ++k) DriveRead(k);
    for (int k = 0; k < config().writes; ++k) DriveWrite(k);
    for (int p = 0; p < config().ports; ++p) DrivePort(p);
    pins_.window_valid_i() = window.valid;
    pins_.window_channel_i() = window.channel;
    pins_.window_index_i() = window.index;
    pins_.window_i() = window;
    pins_.aresetn() = aresetn;
    pins_.quiesce_i() = quiesce;
    model_->aclk = 0;
    model_.Evaluate();
    for (int k = 0; k < config().channels(); ++k) channel(k).in.aresetn = aresetn;
    for (int k = 0; k < config().reads; ++k) SampleRead(k);
    for (int k = 0; k < config().writes; ++k) SampleWrite(k);
    for (int p = 0; p < config().ports; ++p) SamplePort(p);
    window_refused = pins_.window_refused_o();
    denied = static_cast<uint32_t>(pins_.rd_denied_o()) | static_cast<uint32_t>(pins_.wr_denied_o())
                                                              << config().reads;
    quiet = pins_.quiet_o();
    timed_out = pins_.timed_out_o();
    strays = static_cast<uint32_t>(pins_.rd_stray_o()) | static_cast<uint32_t>(pins_.wr_stray_o())
                                                             << config().ports;
    Project();
  }
  void Edge() override {
    FollowWrites();
    model_->aclk = 1;
    model_.Evaluate();
  }
  void Trace(const std::string& path) override { model_.Trace(path); }

 protected:
  void SetTransfer(int number, Direction direction, const EngineTransfer& transfer) override {
    if (direction == Direction::kRead) {
      pins_.rd_transfer_i()[number] = Completed(transfer);
    } else {
      pins_.wr_transfer_i()[number] = Completed(transfer);
    }
  }

 private:
  void DriveRead(int k) {
    const DutInputs& in = channel(k).in;
    const Standing& standing = read_standing(k);
    pins_.rd_valid_i()[k] = in.rd_valid;
    pins_.rd_done_ready_i()[k] = in.rd_done_ready;
    pins_.rd_abort_i()[k] = in.rd_abort;
    pins_.m_axis_tready()[k] = in.m_tready;
    pins_.rd_weight_i()[k] = standing.weight;
    pins_.rd_attr_i()[k] = standing;
    pins_.rd_user_i()[k] = standing.user;
    pins_.rd_control_i()[k] = control(k, Direction::kRead);
  }
  void DriveWrite(int k) {
    const DutInputs& in = channel(k).in;
    const Standing& standing = write_standing(k);
    pins_.wr_valid_i()[k] = in.wr_valid;
    pins_.wr_done_ready_i()[k] = in.wr_done_ready;
    pins_.wr_abort_i()[k] = in.wr_abort;
    pins_.s_axis_tvalid()[k] = in.s_tvalid;
    pins_.s_axis_tlast()[k] = in.s_tlast;
    pins_.s_axis_tkeep()[k] = in.s_tkeep;
    pins_.s_axis_tdata()[k] = in.s_tdata;
    pins_.wr_weight_i()[k] = standing.weight;
    pins_.wr_attr_i()[k] = standing;
    pins_.wr_user_i()[k] = standing.user;
    pins_.wr_control_i()[k] = control(k, Direction::kWrite);
  }
  void DrivePort(int p) {
    const DutInputs& in = port(p).in;
    pins_.m_axi_arready()[p] = in.arready;
    pins_.m_axi_rid()[p] = in.rid;
    pins_.m_axi_rdata()[p] = in.rdata;
    pins_.m_axi_rresp()[p] = in.rresp;
    pins_.m_axi_rlast()[p] = in.rlast;
    pins_.m_axi_rvalid()[p] = in.rvalid;
    pins_.m_axi_awready()[p] = in.awready;
    pins_.m_axi_wready()[p] = in.wready;
    pins_.m_axi_bid()[p] = in.bid;
    pins_.m_axi_bresp()[p] = in.bresp;
    pins_.m_axi_bvalid()[p] = in.bvalid;
  }

  void SampleRead(int k) {
    DutOutputs& out = channel(k).out;
    out.rd_ready = pins_.rd_ready_o()[k];
    out.rd_done_valid = pins_.rd_done_valid_o()[k];
    if (out.rd_done_valid) out.rd_done = pins_.rd_done_o()[k];
    out.rd_idle = pins_.rd_idle_o()[k];
    shown_state(k, Direction::kRead) = pins_.rd_state_o()[k];
    out.m_tvalid = pins_.m_axis_tvalid()[k];
    if (!out.m_tvalid) return;
    out.m_tlast = pins_.m_axis_tlast()[k];
    pins_.m_axis_tkeep()[k].To(out.m_tkeep);
    pins_.m_axis_tdata()[k].To(out.m_tdata);
  }
  void SampleWrite(int k) {
    DutOutputs& out = channel(k).out;
    out.wr_ready = pins_.wr_ready_o()[k];
    out.wr_done_valid = pins_.wr_done_valid_o()[k];
    if (out.wr_done_valid) out.wr_done = pins_.wr_done_o()[k];
    out.wr_idle = pins_.wr_idle_o()[k];
    shown_state(k, Direction::kWrite) = pins_.wr_state_o()[k];
    out.wr_held = pins_.wr_held_o()[k];
    out.s_tready = pins_.s_axis_tready()[k];
  }
  void SamplePort(int p) {
    DutOutputs& out = port(p).out;
    out.arvalid = pins_.m_axi_arvalid()[p];
    if (out.arvalid) {
      out.araddr = pins_.m_axi_araddr()[p];
      out.arlen = pins_.m_axi_arlen()[p];
      out.arid = pins_.m_axi_arid()[p];
      out.arsize = pins_.m_axi_arsize()[p];
      out.arburst = pins_.m_axi_arburst()[p];
      Standing& shown = port(p).ar;
      shown.weight = 0;
      shown.qos = pins_.m_axi_arqos()[p];
      shown.cache = pins_.m_axi_arcache()[p];
      shown.prot = pins_.m_axi_arprot()[p];
      shown.user = pins_.m_axi_aruser()[p];
    }
    out.rready = pins_.m_axi_rready()[p];
    out.awvalid = pins_.m_axi_awvalid()[p];
    if (out.awvalid) {
      out.awaddr = pins_.m_axi_awaddr()[p];
      out.awlen = pins_.m_axi_awlen()[p];
      out.awid = pins_.m_axi_awid()[p];
      out.awsize = pins_.m_axi_awsize()[p];
      out.awburst = pins_.m_axi_awburst()[p];
      Standing& shown = port(p).aw;
      shown.weight = 0;
      shown.qos = pins_.m_axi_awqos()[p];
      shown.cache = pins_.m_axi_awcache()[p];
      shown.prot = pins_.m_axi_awprot()[p];
      shown.user = pins_.m_axi_awuser()[p];
    }
    out.wvalid = pins_.m_axi_wvalid()[p];
    if (out.wvalid) {
      out.wlast = pins_.m_axi_wlast()[p];
      pins_.m_axi_wstrb()[p].To(out.wstrb);
      pins_.m_axi_wdata()[p].To(out.wdata);
    }
    out.bready = pins_.m_axi_bready()[p];
  }

  VerilatedModel<VModel> model_;
  ModelPins pins_;
};

}  // namespace tessera
